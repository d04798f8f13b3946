// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/list_codes.hpp"

#include <filigree/error.hpp>

namespace filigree::filter {

ListPlan plan_list(WordSpan words, WordSpan dims, bool boxes) {
  const std::size_t rank = dims.size(), item_words = boxes ? 2 * rank : rank;
  const std::size_t items = words.size() / item_words;
  ListPlan plan;
  plan.distances.reserve(items);
  plan.sizes.assign(boxes ? rank : 0, Words(items));
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < items; ++i) {
    const std::uint64_t* item = words.data() + i * item_words;
    std::uint64_t position = 0;
    for (std::size_t d = 0; d < rank; ++d) position = position * dims[d] + item[d];
    for (std::size_t d = 0; d < plan.sizes.size(); ++d) plan.sizes[d][i] = item[rank + d] - item[d];
    plan.ascending = plan.ascending && position >= before;
    plan.distances.push_back(position - before);
    before = position;
  }
  if (!plan.ascending) {
    for (std::uint64_t& distance : plan.distances) distance = fold_sign(distance);
  }
  const auto choose = [&](const Words& values) {
    const RiceChoice choice = best_rice(values);
    plan.bits += choice.bits;
    return choice.code;
  };
  plan.distance_code = choose(plan.distances);
  for (const Words& sizes : plan.sizes) plan.size_codes.push_back(choose(sizes));
  return plan;
}

void write_list(Buffer& to, const ListPlan& plan) {
  to.push_back(static_cast<std::byte>(plan.ascending));
  put_code(to, plan.distance_code);
  for (const RiceCode code : plan.size_codes) put_code(to, code);
  RiceWriter bits(to, plan.bits);
  for (std::size_t i = 0; i < plan.distances.size(); ++i) {
    bits.put(plan.distances[i], plan.distance_code);
    for (std::size_t d = 0; d < plan.sizes.size(); ++d) bits.put(plan.sizes[d][i], plan.size_codes[d]);
  }
}

Words read_list(VarintReader in, std::uint64_t items, WordSpan dims, bool boxes) {
  const std::size_t rank = dims.size();
  const Words strides = strides_of(dims);
  const bool ascending = in.byte() == 1;
  const RiceCode distances = in.code();
  std::vector<RiceCode> sizes(boxes ? rank : 0);
  for (RiceCode& code : sizes) code = in.code();
  RiceReader bits(in.rest());
  Words words;
  std::uint64_t position = 0;
  for (; items > 0; --items) {
    const std::uint64_t distance = bits.get(distances);
    position += ascending ? distance : unfold_sign(distance);
    std::uint64_t rest = position;
    const std::size_t at = words.size();
    for (std::size_t d = 0; d < rank; ++d) {
      words.push_back(rest / strides[d]);
      rest %= strides[d];
    }
    for (std::size_t d = 0; d < sizes.size(); ++d) words.push_back(words[at + d] + bits.get(sizes[d]));
  }
  return words;
}

}  // namespace filigree::filter
