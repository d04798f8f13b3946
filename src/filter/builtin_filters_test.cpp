// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite of the filters of this build: every row of the table in builtin.hpp passes it.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "base/workspace.hpp"
#include "filter/registry.hpp"
#include "filter/table.hpp"
#include "testing/filter_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::to_hex;
using Params = std::vector<std::uint32_t>;

constexpr std::uint64_t elements = 64;
const ElementLayout layout{4, elements};

/// Chunks of little-endian integers, to which every filter can be applied.
ChunkFacts sample_chunk() {
  ChunkFacts chunk;
  chunk.type.kind = TypeFacts::Kind::integer;
  chunk.type.bytes = 4;
  chunk.type.order = TypeFacts::Order::little;
  chunk.type.precision_bits = 32;
  chunk.dims = {elements};
  chunk.fill = Buffer(4);
  return chunk;
}

Buffer sample_data() {
  Buffer data(4 * elements);
  for (std::size_t i = 0; i < elements; ++i) store_word(data.data() + 4 * i, 1000 + 3 * i, 4);
  return data;
}

/// What programs request of a filter: nothing, a level, szip's options and block, scale-offset's kind and
/// factor.
const std::vector<Params> requests{{}, {6}, {32, 8}, {2, 0}};

/// Binds the filter with the first request that it accepts.
std::unique_ptr<const BoundFilter> bind_sample(const Filter& filter) {
  for (const Params& requested : requests) {
    try {
      return filter.bind(filter.prepare(requested, sample_chunk()), layout);
    } catch (const Error&) {
    }
  }
  ADD_FAILURE() << "filter " << filter.id() << " accepts none of the requests: add one that it accepts";
  return nullptr;
}

class BuiltinFilter : public ::testing::TestWithParam<const Filter*> {};

TEST_P(BuiltinFilter, IsRegisteredUnderItsId) {
  FilterRegistry registry;
  EXPECT_EQ(registry.find(GetParam()->id()).get(), GetParam());
  EXPECT_FALSE(GetParam()->name().empty());
}

TEST_P(BuiltinFilter, DecodesWhatItEncodesAndSurvivesDamage) {
  const auto bound = bind_sample(*GetParam());
  ASSERT_NE(bound, nullptr);
  const Buffer data = sample_data();
  testing::expect_filter(*bound, data, bound->encode(data));
}

TEST_P(BuiltinFilter, GivesTheSameResultInAWorkspace) {
  const auto bound = bind_sample(*GetParam());
  ASSERT_NE(bound, nullptr);
  const Buffer data = sample_data(), stored = bound->encode(data);
  Workspace encoded, decoded;
  EXPECT_EQ(to_hex(bound->encode_in(encoded, data)), to_hex(stored));
  EXPECT_EQ(to_hex(bound->decode_in(decoded, stored, data.size())), to_hex(data));
}

std::string test_name(const ::testing::TestParamInfo<const Filter*>& info) {
  return "Id" + std::to_string(info.param->id());
}

INSTANTIATE_TEST_SUITE_P(AllFilters, BuiltinFilter,
                         ::testing::ValuesIn(builtin_filters().begin(), builtin_filters().end()), test_name);

TEST(FilterTable, IsInTheOrderOfFilterIds) {
  const auto table = builtin_filters();
  EXPECT_EQ(std::ranges::adjacent_find(table, std::ranges::greater_equal(), &Filter::id), table.end());
}

}  // namespace
}  // namespace filigree::filter
