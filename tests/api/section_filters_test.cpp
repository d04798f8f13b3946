// SPDX-License-Identifier: Apache-2.0
//
// Every filter on every section that it fits, and a clear word where it does not.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Ints = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;
using ::testing::HasSubstr;

struct FilterCase {
  const char* name;
  FilterChoice filter;
  bool typed = false;  ///< works on numbers only
};

const FilterCase filter_cases[] = {
    {"Deflate", filters::deflate()},
    {"Shuffle", filters::shuffle()},
    {"Fletcher32", filters::fletcher32()},
    {"Szip", {4, {32, 16}, true}, true},
    {"Nbit", filters::nbit(), true},
    {"ScaleOffset", filters::scale_offset(), true},
    {"Lzf", filters::lzf()},
    {"Blosc", {32001, {}, true}},
    {"Lz4", filters::lz4()},
    {"Bitshuffle", {32008, {}, true}},
    {"BitshuffleLz4", filters::bitshuffle_lz4()},
    {"BitshuffleZstd", {32008, {0, 3, 5}, true}},
    {"Zstd", filters::zstd()},
};

class FilterOfSections : public ::testing::Test {
 protected:
  static FilterChoice must(FilterChoice filter) {
    filter.optional = false;  // so that it is not quietly left out
    return filter;
  }
  /// About every third element of 50 x 60, in chunks of 16 x 16, which the extent cuts.
  Selection some() const {
    std::mt19937 random(3);
    std::vector<std::uint8_t> mask(50 * 60);
    for (auto& m : mask) m = random() % 3 == 0;
    return Selection::of_mask({50, 60}, mask);
  }
  template <class T>
  void expect_round_trip(const Datatype& type, DatasetOptions options, const std::vector<T>& values) {
    round_trip(type, options, values);
    options.portable = true;
    if (!type.has_variable_parts()) round_trip(type, options, values);
  }
  template <class T>
  void round_trip(const Datatype& type, const DatasetOptions& options, const std::vector<T>& values) {
    const Selection part = some();
    {
      File file = File::create(scratch_ / "f.h5", CreateMode::truncate);
      auto data = file.root().create_dataset("d", type, Dataspace::simple({50, 60}), options);
      data.write(values, part);
    }
    File file = File::open(scratch_ / "f.h5", OpenMode::read_write);
    auto data = file.root().open_dataset("d");
    EXPECT_EQ(data.defined(), part);
    EXPECT_EQ(data.read<std::vector<T>>(part), values);
    // Chunks of one element, and of a single one that is cut.
    data.erase(Selection::box({0, 0}, {49, 60}));
    data.erase(Selection::box({49, 0}, {1, 59}));
    data.write(values[0], Selection::box({49, 59}, {1, 1}));
    data.write(values[1], Selection::box({20, 20}, {1, 1}));
    file.close();
    const File again = File::open(scratch_ / "f.h5");
    EXPECT_EQ(again.root().open_dataset("d").read<T>(Selection::box({49, 59}, {1, 1})), values[0]);
    EXPECT_EQ(again.root().open_dataset("d").read<T>(Selection::box({20, 20}, {1, 1})), values[1]);
  }
  std::string refusal(const Datatype& type, const DatasetOptions& options) {
    File file = File::create(scratch_ / "f.h5", CreateMode::truncate);
    try {
      file.root().create_dataset("d", type, Dataspace::simple({50, 60}), options);
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_FALSE(file.root().has_link("d"));
      return error.what();
    }
  }

  Scratch scratch_;
};

class SectionFilters : public FilterOfSections, public ::testing::WithParamInterface<FilterCase> {};

TEST_P(SectionFilters, WorkOnValues) {
  Ints values(some().elements());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i % 1000);
  // Of 12 bits, so that n-bit has something to do.
  const Datatype narrow = Datatype::integer(4, true).with_bits({.precision = 12, .offset = 3});
  for (const Datatype& type :
       {Datatype::integer(4, true), Datatype::integer(2, false, ByteOrder::big), narrow}) {
    for (const bool more : {false, true}) {
      auto options = sparse_chunks({16, 16}).values({must(GetParam().filter)});
      if (more) options.values({must(GetParam().filter), must(filters::deflate()), filters::fletcher32()});
      expect_round_trip<std::int32_t>(type, options, values);
    }
  }
}

TEST_P(SectionFilters, WorkOnSelections) {
  const auto options = sparse_chunks({16, 16}).selection({must(GetParam().filter)});
  if (GetParam().typed) {
    EXPECT_THAT(refusal(Datatype::integer(4, true), options), HasSubstr("cannot work on selections"));
    return;
  }
  expect_round_trip<std::int32_t>(Datatype::integer(4, true), options, Ints(some().elements(), 5));
}

TEST_P(SectionFilters, WorkOnHeapsAndReferencesToThem) {
  Texts values;
  for (std::uint64_t i = 0; i < some().elements(); ++i) values.push_back(std::string(i % 50, 'h') + "!");
  const Datatype text = Datatype::variable_string();
  const auto on_heap = sparse_chunks({16, 16}).heap({must(GetParam().filter)});
  const auto on_references = sparse_chunks({16, 16}).values({must(GetParam().filter)});
  if (GetParam().typed) {
    EXPECT_THAT(refusal(text, on_heap), HasSubstr("cannot work on heaps"));
    EXPECT_THAT(refusal(text, on_references), HasSubstr("cannot work on references"));
    return;
  }
  expect_round_trip(text, on_heap, values);
  expect_round_trip(text, on_references, values);
  expect_round_trip(text,
                    sparse_chunks({16, 16})
                        .selection({filters::packed_selection()})
                        .values({must(GetParam().filter)})
                        .heap({must(GetParam().filter), filters::fletcher32()}),
                    values);
}

INSTANTIATE_TEST_SUITE_P(All, SectionFilters, ::testing::ValuesIn(filter_cases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(FilterOfSections, PacksSelectionsAndNothingElse) {
  const auto packed = std::vector{filters::packed_selection()};
  const Datatype number = Datatype::integer(4, true);
  expect_round_trip<std::int32_t>(number, sparse_chunks({16, 16}).selection(packed),
                                  Ints(some().elements(), 5));
  EXPECT_THAT(refusal(number, sparse_chunks({16, 16}).values(packed)), HasSubstr("cannot work on values"));
  EXPECT_THAT(refusal(Datatype::variable_string(), sparse_chunks({16, 16}).heap(packed)),
              HasSubstr("cannot work on heaps"));
}

TEST_F(FilterOfSections, RoundsDecimals) {
  std::vector<double> values(some().elements());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 4;
  expect_round_trip(Datatype::floating(8), sparse_chunks({16, 16}).values({must(filters::decimals(2))}),
                    values);
}

TEST_F(FilterOfSections, ThatCountsElementsComesFirst) {
  EXPECT_THAT(refusal(Datatype::integer(4, true),
                      sparse_chunks({16, 16}).values({filters::shuffle(), filters::scale_offset()})),
              HasSubstr("has to be the first one"));
}

TEST_F(FilterOfSections, MaySkipPartialEdgeChunks) {
  DatasetOptions options = sparse_chunks({16})
                               .values({filters::fletcher32()})
                               .selection({filters::packed_selection(), filters::fletcher32()});
  options.filter_partial_chunks = false;
  File file = File::create(scratch_ / "f.h5");
  auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({20}, {unlimited}), options);
  data.write(Ints(20, 5));
  const auto value_bytes = [&](std::uint64_t chunk) {
    return data.chunk_info({chunk}).sections[1].stored_bytes;
  };
  EXPECT_EQ(value_bytes(0), 16u * 4 + 4);
  EXPECT_EQ(value_bytes(16), 4u * 4);  // no sum
  EXPECT_EQ(data.chunk_info({16}).sections[1].filter_mask, 0u);
  data.resize({32});
  EXPECT_EQ(value_bytes(16), 4u * 4 + 4);
  data.resize({10});
  EXPECT_EQ(value_bytes(0), 10u * 4);
  EXPECT_EQ(data.read<Ints>(), Ints(10, 5));
  file.close();
  const File again = File::open(scratch_ / "f.h5");
  const auto same = again.root().open_dataset("d");
  EXPECT_FALSE(same.creation_options().filter_partial_chunks);
  EXPECT_EQ(same.read<Ints>(), Ints(10, 5));
  EXPECT_EQ(same.defined().elements(), 10u);
}

TEST_F(FilterOfSections, OfOneSectionLeavesMasksOfOthersAlone) {
  File file = File::create(scratch_ / "f.h5");
  auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({50, 60}),
                                                       sparse_chunks({16, 16})
                                                           .selection({filters::deflate()})
                                                           .values({filters::lzf(), filters::fletcher32()}));
  // One element: nothing gets smaller, so that LZF is left out, and the mask says so.
  data.write(1, Selection::box({0, 0}, {1, 1}));
  const auto info = data.chunk_info({0, 0});
  EXPECT_EQ(info.sections[0].filter_mask, 0u);
  EXPECT_EQ(info.sections[1].filter_mask, 1u);
  EXPECT_EQ(info.sections[1].stored_bytes, 8u);  // with its sum
  EXPECT_EQ(info.sections[1].original_bytes, 4u);
}

UserFilter inverting(std::uint16_t id) {
  UserFilter filter;
  filter.id = id;
  filter.name = "inverting";
  filter.encode = [](auto bytes, auto) {
    std::vector<std::byte> result(bytes.begin(), bytes.end());
    for (std::byte& byte : result) byte = ~byte;
    return result;
  };
  filter.decode = [encode = filter.encode](auto bytes, auto parameters, std::size_t) {
    return encode(bytes, parameters);
  };
  return filter;
}

TEST_F(FilterOfSections, MayBeUserDefined) {
  filters::add(inverting(320));
  const auto own = std::vector{FilterChoice{320, {}, false}};
  const auto values = Texts(some().elements(), "text");
  expect_round_trip(Datatype::variable_string(), sparse_chunks({16, 16}).selection(own).values(own).heap(own),
                    values);
  EXPECT_TRUE(filters::remove(320));
}

TEST_F(FilterOfSections, ThatIsMissingIsNamedWithWhatToDo) {
  for (const bool of_selection : {true, false}) {
    filters::add(inverting(321));
    File file = File::create(scratch_ / "f.h5", CreateMode::truncate);
    const auto own = std::vector{FilterChoice{321, {}, false}};
    auto options = sparse_chunks({16, 16});
    of_selection ? options.selection(own) : options.values(own);
    auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({50, 60}), options);
    data.write(7, Selection::box({3, 3}, {1, 1}));
    file.close();
    EXPECT_TRUE(filters::remove(321));
    file = File::open(scratch_ / "f.h5", OpenMode::read_write);
    data = file.root().open_dataset("d");
    try {
      (void)data.read<Ints>();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unsupported);
      EXPECT_THAT(error.what(), HasSubstr("filter 321, which the file calls 'inverting'"));
      EXPECT_THAT(error.what(), HasSubstr("register"));
    }
    // What is defined is known where section 0 needs no such filter, and so can its sections be read:
    // these have no checksum. Their sizes are known, and chunks are copied as they are.
    if (of_selection) {
      EXPECT_EQ(error_of([&] { (void)data.defined(); }), ErrorKind::unsupported);
      EXPECT_EQ(error_of([&] { (void)data.read_structured_chunk({0, 0}); }), ErrorKind::unsupported);
    } else {
      EXPECT_EQ(defined_count(data), 1u);
      EXPECT_EQ(data.read_structured_chunk({0, 0}).size(), 2u);
    }
    const std::vector<std::uint64_t> corner{0, 0};
    EXPECT_EQ(data.structured_chunk_sections(corner), data.chunk_info(corner).sections);
    File other = File::create(scratch_ / "other.h5", CreateMode::truncate);
    file.root().copy("d", other.root(), "d");
    filters::add(inverting(321));
    EXPECT_EQ(other.root().open_dataset("d").read<std::int32_t>(Selection::box({3, 3}, {1, 1})), 7);
    EXPECT_TRUE(filters::remove(321));
  }
}

TEST_F(FilterOfSections, NoticesFlippedBits) {
  File file = File::create(scratch_ / "f.h5");
  auto data = file.root().create_dataset<std::int32_t>(
      "d", Dataspace::simple({16, 16}), sparse_chunks({16, 16}).values({filters::fletcher32()}));
  data.write(Ints(16, 5), Selection::box({3, 0}, {1, 16}));
  const auto info = data.chunk_info({0, 0});
  auto image = file.image();
  const auto read = [&] { return File::open_image(image).root().read_dataset<Ints>("d"); };
  for (std::uint64_t at = info.address; at < info.address + info.stored_bytes; ++at) {
    const auto bit = static_cast<std::byte>(1u << at % 8);
    image[at] ^= bit;
    EXPECT_EQ(error_of(read), ErrorKind::corrupt) << at - info.address;
    image[at] ^= bit;
  }
  EXPECT_EQ(read()[3 * 16], 5);
}

}  // namespace
}  // namespace filigree
