// SPDX-License-Identifier: Apache-2.0
//
// The input is two types and elements of the first one. If there is a conversion between the two, under
// either set of rules, it must stay within its memory. References into the heap lead to objects from the
// input, too.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/datatype.hpp"
#include "guard.hpp"
#include "type/conversion.hpp"
#include "type/datatypes.hpp"

namespace {

using namespace filigree;
using format::DatatypeMessage;

constexpr std::uint32_t largest_element = 64u << 10;
constexpr std::size_t most_elements = 64;
constexpr int most_fetches = 2000;

/// A heap of a few objects, each a span of the input. Stored values are discarded.
class FakeHeap : public type::FileValues {
 public:
  explicit FakeHeap(Bytes input) : input_(input) {}
  std::uint8_t offset_bytes() const override { return 8; }
  Content fetch(const type::HeapObject& object) override {
    if (++fetches_ > most_fetches) throw Error(ErrorKind::corrupt, "fetched too often");
    const std::uint64_t start = to_number(object.collection);
    if (start >= input_.size() || object.index > input_.size() - start)
      throw Error(ErrorKind::corrupt, "no such object");
    // A separate copy, so that a sanitizer reports reads beyond its end.
    auto copy = std::make_shared<Buffer>(input_.begin() + static_cast<std::ptrdiff_t>(start),
                                         input_.begin() + static_cast<std::ptrdiff_t>(start + object.index));
    const Bytes bytes = *copy;
    return {bytes, std::move(copy)};
  }
  type::HeapObject store(Bytes content) override {
    for (const std::byte b : content) sum_ = sum_ + std::to_integer<unsigned>(b);
    return {to_address(1 + sum_ % 1000), static_cast<std::uint32_t>(content.size())};
  }

 private:
  Bytes input_;
  int fetches_ = 0;
  unsigned sum_ = 0;
};

std::optional<DatatypeMessage> take_type(Bytes& input) {
  if (input.size() < 2) return std::nullopt;
  const std::size_t bytes = std::min<std::size_t>(load_word(input.data(), 2), input.size() - 2);
  const Bytes body = input.subspan(2, bytes);
  input = input.subspan(2 + bytes);
  std::optional<DatatypeMessage> type;
  fuzz::survives([&] { type = format::decode<DatatypeMessage>(body, format::Widths{}); });
  return type;
}

void convert(const DatatypeMessage& from, const DatatypeMessage& to, type::Rules rules, Bytes elements) {
  if (from.size > largest_element || to.size > largest_element) return;
  const std::size_t count = std::min(elements.size() / from.size, most_elements);
  Buffer source(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(count * from.size));
  Buffer result(count * to.size);
  FakeHeap heap(elements);
  type::Context context;
  context.from_file = context.to_file = &heap;
  fuzz::survives([&] {
    const auto conversion = type::prepare(from, to, rules);
    if (conversion->traits().from_bytes != from.size || conversion->traits().to_bytes != to.size)
      std::abort();
    conversion->apply({source.data(), from.size, result.data(), to.size, count}, context);
  });
  type::reclaim(to, result.data(), count, nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes input(reinterpret_cast<const std::byte*>(data), size);
  const auto from = take_type(input);
  if (!from) return 0;
  const auto to = take_type(input);
  for (const auto rules : {type::Rules::hdf5, type::Rules::natural}) {
    if (to) convert(*from, *to, rules, input);
    fuzz::survives([&] { convert(*from, type::native_type(*from), rules, input); });
    fuzz::survives([&] { convert(*from, type::packed(*from), rules, input); });
    if (to) fuzz::survives([&] { convert(*from, type::native_type(*to), rules, input); });
  }
  fuzz::survives([&] { type::check_type(*from); });
  return 0;
}
