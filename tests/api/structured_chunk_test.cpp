// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks section by section, past filters and conversion.
#include <cstring>
#include <fstream>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;
using Sections = std::vector<RawSection>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum class Kind { sparse, sparse_texts, dense_texts };
enum class Filtered { nothing, first, all };

DatasetOptions options_of(Kind kind, Filtered filtered, Dims chunk) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  options.sparse = kind != Kind::dense_texts;
  options.heap_in_chunks = kind != Kind::sparse;
  options.choose_section_filters = false;
  if (filtered == Filtered::nothing) return options;
  if (options.sparse) options.selection_filters = {filters::shuffle(), filters::deflate()};
  if (filtered == Filtered::first && options.sparse) return options;
  options.filters = {filters::shuffle(), filters::deflate(), filters::fletcher32()};
  if (filtered == Filtered::all && options.heap_in_chunks) options.heap_filters = {filters::deflate()};
  return options;
}

Dataset make(Group root, const std::string& name, Kind kind, const DatasetOptions& options, Dims dims) {
  const auto space = Dataspace::simple(dims, Dims(dims.size(), unlimited));
  return kind == Kind::sparse ? root.create_dataset<std::int32_t>(name, space, options)
                              : root.create_dataset<std::string>(name, space, options);
}

std::optional<ErrorKind> failure_of(const std::function<void()>& work, std::string* text = nullptr) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    if (text != nullptr) *text = error.what();
    return error.kind();
  }
}

Texts texts(std::uint64_t count) {
  Texts all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(std::string(i % 7, 'x') + std::to_string(i));
  return all;
}

void expect_same(const Dataset& one, const Dataset& other, Kind kind) {
  EXPECT_EQ(one.defined(), other.defined());
  if (kind == Kind::sparse)
    EXPECT_EQ(one.read<Ints>(), other.read<Ints>());
  else
    EXPECT_EQ(one.read<Texts>(), other.read<Texts>());
}

class StructuredChunks : public ::testing::TestWithParam<std::tuple<Kind, Filtered>> {
 protected:
  /// 10 x 11 in chunks of 4 x 5, so that some are cut; most of it written.
  Dataset make_full(const File& file, const std::string& name, Filtered filtered) const {
    Dataset data = make_empty(file, name, filtered);
    const Selection part = Selection::box({1, 2}, {8, 8});
    Ints numbers(64);
    std::iota(numbers.begin(), numbers.end(), 1);
    if (kind() == Kind::sparse)
      data.write(numbers, part);
    else
      data.write(texts(64), part);
    return data;
  }
  Dataset make_empty(const File& file, const std::string& name, Filtered filtered) const {
    return make(file.root(), name, kind(), options_of(kind(), filtered, {4, 5}), {10, 11});
  }
  static Kind kind() { return std::get<0>(GetParam()); }

  Scratch scratch_;
};

TEST_P(StructuredChunks, GoFromFileToFile) {
  File from = File::create(scratch_ / "from.h5");
  File to = File::create(scratch_ / "to.h5");
  const Dataset source = make_full(from, "d", std::get<1>(GetParam()));
  Dataset target = make_empty(to, "d", std::get<1>(GetParam()));
  std::uint64_t chunks = 0;
  source.for_each_chunk([&](const ChunkInfo& info) {
    const Sections sections = source.read_structured_chunk(info.offset);
    EXPECT_EQ(sections.size(), info.sections.size());
    for (std::size_t i = 0; i < sections.size(); ++i) {
      EXPECT_EQ(info.sections[i].kind, source.dataset_info().sections[i]);
      EXPECT_EQ(sections[i].original_bytes, info.sections[i].original_bytes);
      EXPECT_EQ(sections[i].filter_mask, info.sections[i].filter_mask);
      const SectionInfo exact = source.structured_chunk_sections(info.offset).at(i);
      EXPECT_EQ(exact, (SectionInfo{info.sections[i].kind, sections[i].filter_mask, sections[i].bytes.size(),
                                    sections[i].original_bytes}));
    }
    target.write_structured_chunk(info.offset, sections);
    EXPECT_EQ(target.chunk_info(info.offset).sections, info.sections);
    return ++chunks, true;
  });
  EXPECT_EQ(chunks, source.chunk_count());
  EXPECT_EQ(target.chunk_count(), source.chunk_count());
  EXPECT_EQ(target.stored_bytes(), source.stored_bytes());
  expect_same(source, target, kind());
  to.close();
  const File again = File::open(scratch_ / "to.h5");
  expect_same(source, again.root().open_dataset("d"), kind());
}

/// The RFC's structures need not say how large a section was before its filters.
TEST_P(StructuredChunks, MayHaveUnknownOriginalSizes) {
  const File file = File::create(scratch_ / "f.h5");
  const Dataset source = make_full(file, "source", std::get<1>(GetParam()));
  Dataset target = make_empty(file, "d", std::get<1>(GetParam()));
  source.for_each_chunk([&](const ChunkInfo& info) {
    Sections sections = source.read_structured_chunk(info.offset);
    for (RawSection& section : sections) section.original_bytes = 0;
    target.write_structured_chunk(info.offset, sections);
    EXPECT_EQ(target.chunk_info(info.offset).sections, info.sections);
    return true;
  });
  expect_same(source, target, kind());
}

TEST_P(StructuredChunks, MayBeWrittenUnfilteredWhereFiltersAreUsual) {
  File file = File::create(scratch_ / "f.h5");
  const Dataset plain = make_full(file, "plain", Filtered::nothing);
  Dataset target = make_empty(file, "d", std::get<1>(GetParam()));
  const auto info = target.dataset_info();
  const auto all_skipped = [](const std::vector<FilterChoice>& filters) {
    return (std::uint32_t{1} << filters.size()) - 1;
  };
  plain.for_each_chunk([&](const ChunkInfo& chunk) {
    Sections sections = plain.read_structured_chunk(chunk.offset);
    std::size_t next = 0;
    if (info.sparse) sections[next++].filter_mask = all_skipped(info.selection_filters);
    sections[next++].filter_mask = all_skipped(info.filters);
    if (next < sections.size()) sections[next].filter_mask = all_skipped(info.heap_filters);
    for (RawSection& section : sections) {
      section.original_bytes = 0;  // no filter ran, so nothing is to be said
      if (section.bytes.empty()) section.filter_mask = 0;
    }
    target.write_structured_chunk(chunk.offset, sections);
    const auto found = target.chunk_info(chunk.offset);
    for (std::size_t i = 0; i < sections.size(); ++i) {
      EXPECT_EQ(found.sections[i].filter_mask, sections[i].filter_mask);
      EXPECT_EQ(found.sections[i].stored_bytes, sections[i].bytes.size());
      EXPECT_EQ(found.sections[i].original_bytes, sections[i].bytes.size());
    }
    EXPECT_EQ(found.stored_bytes, chunk.stored_bytes);
    return true;
  });
  expect_same(plain, target, kind());
}

TEST_P(StructuredChunks, ReplaceWhatWasThereAndWhatTheCacheHolds) {
  File file = File::create(scratch_ / "f.h5");
  const Dataset source = make_full(file, "source", std::get<1>(GetParam()));
  Dataset target = make_empty(file, "d", std::get<1>(GetParam()));
  const Selection one = Selection::box({5, 6}, {1, 1});
  if (kind() == Kind::sparse)
    target.write(77, one);
  else
    target.write(std::string_view("unwritten"), one);
  const Dims corner{4, 5};
  target.write_structured_chunk(corner, source.read_structured_chunk(corner));
  const Selection chunk = Selection::box({4, 5}, {4, 5});
  EXPECT_EQ(target.defined(chunk), source.defined(chunk));
  if (kind() == Kind::sparse)
    EXPECT_EQ(target.read<Ints>(chunk), source.read<Ints>(chunk));
  else
    EXPECT_EQ(target.read<Texts>(chunk), source.read<Texts>(chunk));
  // And what is written later shows in what is read by sections.
  if (kind() == Kind::sparse)
    target.write(78, one);
  else
    target.write(std::string_view("written"), one);
  EXPECT_NE(target.read_structured_chunk(corner)[kind() == Kind::dense_texts ? 0 : 1].bytes,
            source.read_structured_chunk(corner)[kind() == Kind::dense_texts ? 0 : 1].bytes);
}

/// Whatever bytes sections have: either they are refused, and the chunk stays as it was, or the chunk can be
/// read.
TEST_P(StructuredChunks, DamagedAreRefusedOrHarmless) {
  File file = File::create(scratch_ / "f.h5");
  const Dataset source = make_full(file, "source", std::get<1>(GetParam()));
  Dataset target = make_empty(file, "d", std::get<1>(GetParam()));
  const Dims corner{4, 5};
  const Sections good = source.read_structured_chunk(corner);
  const auto attempt = [&](const Sections& sections) {
    const auto error = failure_of([&] { target.write_structured_chunk(corner, sections); });
    EXPECT_EQ(error.value_or(ErrorKind::invalid_argument), ErrorKind::invalid_argument);
    EXPECT_EQ(failure_of([&] {
                (void)target.defined();
                if (kind() == Kind::sparse)
                  (void)target.read<Ints>();
                else
                  (void)target.read<Texts>();
              }),
              std::nullopt);
    return error.has_value();
  };
  EXPECT_FALSE(attempt(good));
  for (std::size_t i = 0; i < good.size(); ++i) {
    unsigned refused = 0;
    for (std::size_t at = 0; at < good[i].bytes.size(); ++at) {
      Sections bad = good;
      bad[i].bytes[at] ^= std::byte(1u << at % 8);
      refused += attempt(bad);
      bad = good;
      bad[i].bytes.resize(at);
      refused += attempt(bad);
    }
    // Cut sections never have the sizes that they need.
    EXPECT_GE(refused, good[i].bytes.size()) << i;
    Sections bad = good;
    bad[i].original_bytes += 1;
    EXPECT_TRUE(attempt(bad)) << i;
    bad[i].original_bytes = ~std::uint64_t{0};
    EXPECT_TRUE(attempt(bad)) << i;
    bad = good;
    bad[i].filter_mask = 1u << 31;
    EXPECT_TRUE(attempt(bad)) << i;
    bad = good;
    bad.pop_back();
    EXPECT_TRUE(attempt(bad)) << i;
  }
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<Kind, Filtered>>& info) {
  const char* const kinds[] = {"Sparse", "SparseTexts", "DenseTexts"};
  const char* const filtered[] = {"Unfiltered", "OneSectionFiltered", "Filtered"};
  return std::string(kinds[static_cast<int>(std::get<0>(info.param))]) +
         filtered[static_cast<int>(std::get<1>(info.param))];
}
INSTANTIATE_TEST_SUITE_P(
    Kinds, StructuredChunks,
    ::testing::Combine(::testing::Values(Kind::sparse, Kind::sparse_texts, Kind::dense_texts),
                       ::testing::Values(Filtered::nothing, Filtered::first, Filtered::all)),
    name_of);

std::vector<std::byte> from_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  std::string digits;
  for (const char c : text)
    if (c != ' ') digits += c;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// Rows 3 and 4, columns 2 to 4 of 5 x 5, as HDF5's H5Sencode gives it.
const char* const reference_selection =
    "01000828000000 0102010000000000 0500000000000000 0500000000000000 0500000000000000 0500000000000000"
    "02000000 01000000 00000000 18000000 02000000 01000000 03000000 02000000 04000000 04000000";

class StructuredChunk : public ::testing::Test {
 protected:
  std::vector<std::byte> file_bytes(std::uint64_t position, std::uint64_t count) {
    file_.flush();
    std::ifstream stream(scratch_ / "f.h5", std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(position));
    std::vector<std::byte> bytes(count);
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    return bytes;
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5");
  Dataset data_ =
      make(file_.root(), "d", Kind::sparse, options_of(Kind::sparse, Filtered::nothing, {5, 5}), {10, 8});
};

TEST_F(StructuredChunk, GetsItsChecksumHere) {
  const auto selection = from_hex(reference_selection);
  const Ints values{32, 33, 34, 42, 43, 44};
  const Dims corner{0, 0};
  const std::vector<SectionBytes> sections{{selection}, {std::as_bytes(std::span(values))}};
  data_.write_structured_chunk(corner, sections);
  EXPECT_THAT(data_.read<Ints>(Selection::box({3, 1}, {2, 5})),
              ElementsAre(0, 32, 33, 34, 0, 0, 42, 43, 44, 0));
  const ChunkInfo info = data_.chunk_info({2, 2});
  EXPECT_EQ(info.stored_bytes, 115u);
  EXPECT_THAT(info.sections, ElementsAre(SectionInfo{SectionKind::selection, 0, 87, 87},
                                         SectionInfo{SectionKind::elements, 0, 24, 24}));
  auto expected = selection;
  for (const auto b : from_hex("fa5f9954")) expected.push_back(b);
  for (const auto b : std::as_bytes(std::span(values))) expected.push_back(b);
  EXPECT_EQ(file_bytes(info.address, info.stored_bytes), expected);
  EXPECT_EQ(data_.read_structured_chunk({0, 0})[0].bytes, selection);
}

TEST_F(StructuredChunk, RefusesWhatIsNone) {
  const auto selection = from_hex(reference_selection);
  const Ints values{32, 33, 34, 42, 43, 44};
  const std::vector<SectionBytes> sections{{selection}, {std::as_bytes(std::span(values))}};
  const auto refused = [&](Dims corner, const std::vector<SectionBytes>& given, const char* why) {
    std::string text;
    EXPECT_EQ(failure_of([&] { data_.write_structured_chunk(corner, given); }, &text),
              ErrorKind::invalid_argument);
    EXPECT_THAT(text, HasSubstr(why));
  };
  refused({1, 0}, sections, "not the first element of a chunk");
  refused({10, 0}, sections, "outside of the dataset");
  refused({0}, sections, "coordinates");
  refused({0, 5}, sections, "outside of the extent");  // columns 8 and 9 are not there
  refused({0, 0}, {{selection}}, "1 sections for a chunk that has 2");
  refused({0, 0}, {{selection}, {}}, "make no chunk");
  refused({0, 0}, {{selection, 1}, sections[1]}, "a mask of 0x1, but 0 filters");
  refused({0, 0}, {{selection, 0, 90}, sections[1]}, "no filter ran");
  refused({0, 0}, {{{}, 0, 4}, sections[1]}, "an empty section");
  refused({0, 0}, {{selection}, {std::as_bytes(std::span(values).first(5))}}, "make no chunk");
  // Nothing is selected.
  auto nothing = selection;
  nothing.resize(47);
  for (const auto b : from_hex("00000000 01000000 00000000 00000000")) nothing.push_back(b);
  refused({0, 0}, {{nothing}, {}}, "defines nothing");
  // The block ends outside of the chunk.
  auto outside = selection;
  outside[outside.size() - 4] = std::byte{5};
  refused({0, 0}, {{outside}, sections[1]}, "make no chunk");
  EXPECT_EQ(data_.chunk_count(), 0u);
  EXPECT_EQ(data_.stored_bytes(), 0u);
}

TEST_F(StructuredChunk, MayHaveAnyMaximumAndVersionOfTheExtent) {
  const char* const block =
      "02000000 01000000 00000000 18000000 02000000 01000000 03000000 02000000 04000000 04000000";
  const Ints values{32, 33, 34, 42, 43, 44};
  const auto store = [&](const std::string& extent, const Dims& corner) {
    const auto selection = from_hex(extent + block);
    const std::vector<SectionBytes> sections{{selection}, {std::as_bytes(std::span(values))}};
    data_.write_structured_chunk(corner, sections);
  };
  const std::string five = "0500000000000000", no_end = "ffffffffffffffff";
  store("01000828000000 0102010000000000" + five + five + no_end + no_end, {0, 0});
  store("01000814000000 02020001" + five + five, {5, 0});
  EXPECT_EQ(data_.defined().elements(), 12u);
  EXPECT_EQ(data_.read<int>(Selection::box({9, 4}, {1, 1})), 44);
  const std::string six = "0600000000000000";
  EXPECT_EQ(failure_of([&] {
              store("01000814000000 02020001" + five + six, {0, 0});
            }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(failure_of([&] {
              store("0100080c000000 02010001" + five, {0, 0});
            }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(failure_of([&] {
              store("02000814000000 02020001" + five + five, {0, 0});
            }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(failure_of([&] {
              store("01010814000000 02020001" + five + five, {0, 0});
            }),
            ErrorKind::invalid_argument);
}

TEST_F(StructuredChunk, HasItsOwnCalls) {
  data_.write(7, Selection::box({0, 0}, {1, 1}));
  std::string text;
  EXPECT_EQ(failure_of([&] { data_.read_chunk({0, 0}); }, &text), ErrorKind::unsupported);
  EXPECT_THAT(text, HasSubstr("several sections"));
  EXPECT_EQ(failure_of([&] {
              data_.write_chunk({0, 0}, from_hex(reference_selection));
            }),
            ErrorKind::unsupported);
  EXPECT_EQ(failure_of([&] { (void)data_.read_structured_chunk({5, 5}); }), ErrorKind::not_found);
  DatasetOptions options;
  options.chunk = {5};
  Dataset dense = file_.root().create_dataset<int>("dense", Dataspace::simple({10}), options);
  dense.write(Ints(10, 1));
  EXPECT_THAT(dense.chunk_info({0}).sections, ElementsAre());
  EXPECT_THAT(dense.dataset_info().sections, ElementsAre());
  const Dims corner{0};
  EXPECT_EQ(failure_of([&] { (void)dense.read_structured_chunk(corner); }), ErrorKind::unsupported);
  EXPECT_EQ(failure_of([&] { dense.write_structured_chunk(corner, Sections(2)); }), ErrorKind::unsupported);
  Dataset contiguous = file_.root().create_dataset<int>("contiguous", Dataspace::simple({10}));
  EXPECT_EQ(failure_of([&] { (void)contiguous.read_structured_chunk(corner); }), ErrorKind::invalid_argument);
}

TEST_F(StructuredChunk, IsFoundByNumberInASelection) {
  data_.write(Ints(80, 1));
  EXPECT_EQ(data_.chunk_count(), 4u);
  EXPECT_EQ(data_.nth_chunk(1, Selection::box({0, 6}, {10, 1})).offset, (Dims{5, 5}));
  EXPECT_EQ(data_.nth_chunk(1, Selection::box({0, 6}, {10, 1})).sections.size(), 2u);
  EXPECT_EQ(failure_of([&] { (void)data_.nth_chunk(4); }), ErrorKind::invalid_argument);
}

TEST_F(StructuredChunk, CannotBeWrittenToAReadOnlyFile) {
  data_.write(7, Selection::box({0, 0}, {1, 1}));
  const Sections sections = data_.read_structured_chunk({0, 0});
  file_.close();
  const File again = File::open(scratch_ / "f.h5");
  Dataset same = again.root().open_dataset("d");
  EXPECT_EQ(failure_of([&] { same.write_structured_chunk(Dims{0, 0}, sections); }), ErrorKind::read_only);
}

TEST_F(StructuredChunk, IsWrittenByManyThreads) {
  auto options = options_of(Kind::sparse, Filtered::all, {16});
  Dataset source = make(file_.root(), "source", Kind::sparse, options, {16 * 64});
  Dataset target = make(file_.root(), "target", Kind::sparse, options, {16 * 64});
  Ints values(16 * 64);
  std::iota(values.begin(), values.end(), 0);
  source.write(values);
  std::vector<Sections> all;
  for (std::uint64_t at = 0; at < values.size(); at += 16) all.push_back(source.read_structured_chunk({at}));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < all.size(); i += 4) target.write_structured_chunk(Dims{16 * i}, all[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(target.read<Ints>(), values);
}

}  // namespace
}  // namespace filigree
