// SPDX-License-Identifier: Apache-2.0
//
// Facts about datasets, which must not cost the reading of chunks.
#include "describe.hpp"

#include <gmock/gmock.h>

#include <filigree/filigree.hpp>
#include <filigree/sparse.hpp>

#include "boxes.hpp"
#include "compare.hpp"
#include "sections.hpp"
#include "statistics.hpp"
#include "value_diff.hpp"

namespace filigree::tools {
namespace {

using ::testing::ElementsAre;

/// The bytes of a file with a structured sparse dataset "x" of so many chunks, each with one element.
std::vector<std::byte> image_with_chunks(std::uint64_t chunks) {
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<std::uint16_t>("x", Dataspace::simple({chunks * 4}),
                                                           sparse_chunks({4}).unfiltered());
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t c = 0; c < chunks; ++c) offsets.push_back(4 * c);
  const std::vector<std::uint16_t> values(chunks, 5);
  write_offsets<std::uint16_t>(data, offsets, values);
  return file.image();
}

TEST(Describe, FactsOfSparseDatasetsReadNoChunk) {
  AccessOptions access;
  std::size_t requests = 0;
  access.log = DriverLog{DriverLog::Format::text, [&](std::string_view) { ++requests; }};
  constexpr std::uint64_t chunks = 3000;
  const File file = File::open_image(image_with_chunks(chunks), OpenMode::read_only, access);
  const Dataset data = file.root().open_dataset("x");
  const DatasetFacts facts = describe(data);
  const auto sizes = section_sizes(data, facts.info);
  file.requirements();
  // Each chunk is a range of its own, so that reading them takes more requests than there are chunks.
  EXPECT_LT(requests, chunks / 10);
  EXPECT_EQ(facts.chunks, chunks);
  EXPECT_EQ(facts.all_chunks, chunks);
  EXPECT_EQ(facts.defined, chunks);
  EXPECT_DOUBLE_EQ(facts.percent_defined().value(), 25);
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes[1].stored_bytes, 2 * chunks);
}

TEST(Describe, ShapesAndSharesAreShort) {
  EXPECT_EQ(shape_text(Dataspace::simple({100, 5, 7}, {unlimited, 5, 9})), "(100/Inf, 5, 7/9)");
  EXPECT_EQ(shape_text(Dataspace::scalar()), "scalar");
  EXPECT_EQ(shape_text(Dataspace::null()), "null");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.0459), "0.046 %");
  EXPECT_EQ(percent_text(100), "100 %");
  EXPECT_EQ(chunks_in(Dataspace::simple({10, 10}), {3, 4}), 12u);
  EXPECT_EQ(chunks_in(Dataspace::simple({~0ull - 1, ~0ull - 1}), {1, 1}), std::nullopt);
}

TEST(Statistics, AreExactForFewElements) {
  File file = File::create_in_memory();
  file.root().write_dataset("x", std::vector<double>{4, 1, NAN, 3, 2});
  const Statistics found = measure(file.root().open_dataset("x"), Selection::all());
  EXPECT_EQ(found.nans, 1u);
  EXPECT_EQ(found.numbers, 4u);
  EXPECT_DOUBLE_EQ(found.mean, 2.5);
  EXPECT_DOUBLE_EQ(found.quantiles.at(3), 2.5);
  EXPECT_EQ(found.sample, 0u);
}

TEST(CompareDefined, FindsEveryKindOfDifference) {
  File file = File::create_in_memory();
  const auto make = [&](const char* name) {
    return file.root().create_dataset<int>(name, Dataspace::simple({10}), sparse_chunks({4}));
  };
  Dataset a = make("a"), b = make("b");
  a.write(std::vector<int>{1, 2, 3}, Selection::box({0}, {3}));
  b.write(std::vector<int>{1, 9}, Selection::box({0}, {2}));
  b.write(7, Selection::box({9}, {1}));
  PathFinder paths(file);
  const ElementComparison elements(paths, paths, {});
  const DefinedComparison found = compare_defined(a, b, elements);
  EXPECT_EQ(found.equal_elements, 1u);
  EXPECT_EQ(found.different, 1u);
  EXPECT_EQ(found.only_in_a, 1u);
  EXPECT_EQ(found.only_in_b, 1u);
  EXPECT_FALSE(found.equal());
  EXPECT_TRUE(compare_defined(a, a, elements).equal());
}

TEST(CompareDefined, BoxesCoverEachElementOnce) {
  File file = File::create_in_memory();
  Dataset a = file.root().create_dataset<std::uint8_t>("a", Dataspace::simple({3, 1500, 700}));
  for_each_box(a, a, [](const Selection&) { FAIL() << "nothing is stored"; });
  a.write(std::uint8_t{1}, Selection::box({0, 0, 0}, {1, 1, 1}));
  std::uint64_t elements = 0;
  Selection all = Selection::none().within({3, 1500, 700});
  for_each_box(a, a, [&](const Selection& box) {
    elements += box.elements();
    all = all | box.within({3, 1500, 700});
  });
  EXPECT_EQ(elements, 3u * 1500 * 700);
  EXPECT_EQ(all.elements(), elements);
}

TEST(CompareDefined, BandsOfDifferentChunksCoverEachStoredElementOnce) {
  File file = File::create_in_memory();
  const std::vector<std::uint64_t> dims{40, 1000, 900};
  const auto make = [&](const char* name, const std::vector<std::uint64_t>& chunk) {
    return file.root().create_dataset<std::uint8_t>(name, Dataspace::simple(dims), sparse_chunks(chunk));
  };
  Dataset a = make("a", {3, 100, 90}), b = make("b", {7, 64, 900});
  for (const std::uint64_t at : {0u, 5u, 17u, 18u, 39u}) {
    a.write(std::vector<std::uint8_t>(150 * 900, 1), Selection::box({at, 20 * at, 0}, {1, 150, 900}));
    b.write(std::uint8_t{1}, Selection::box({39 - at, 500, 7}, {1, 1, 1}));
  }
  Selection covered = Selection::none().within(dims);
  std::uint64_t elements = 0, boxes = 0;
  for_each_box(a, b, [&](const Selection& box) {
    ++boxes;
    elements += box.elements();
    covered = covered | box.within(dims);
  });
  EXPECT_EQ(covered.elements(), elements);
  EXPECT_LT(elements, 40u * 1000 * 900);
  EXPECT_GT(boxes, 1u);
  for (const Dataset& data : {a, b}) {
    const Selection defined = data.defined();
    EXPECT_EQ((defined & covered).elements(dims), defined.elements(dims));
  }
}

/// Elements that nobody wrote have to be read, too: boxes are small wherever the chunks are.
TEST(CompareDefined, BoxesOfDenseDatasetsAreSmall) {
  File file = File::create_in_memory();
  const std::uint64_t rows = 100'000;
  const auto make = [&](const char* name, std::uint64_t side) {
    DatasetOptions options;
    options.chunk = {side, side};
    Dataset made = file.root().create_dataset<int>(name, Dataspace::simple({rows, rows}), options);
    for (std::uint64_t at = 50; at < rows; at += 3000)
      made.write(std::vector<int>{1}, Selection::box({at, at}, {1, 1}));
    return made;
  };
  const Dataset a = make("a", 100), b = make("b", 240);
  std::vector<Selection> chunks;
  b.for_each_chunk([&](const ChunkInfo& info) {
    chunks.push_back(Selection::box(info.offset, {std::min<std::uint64_t>(240, rows - info.offset[0]),
                                                  std::min<std::uint64_t>(240, rows - info.offset[1])}));
    return true;
  });
  std::uint64_t wanted = 0, covered = 0, elements = 0;
  for (const Selection& chunk : chunks) wanted += chunk.elements();
  for_each_box(a, b, [&](const Selection& box) {
    EXPECT_LE(box.elements(), 1u << 20);
    elements += box.elements();
    for (const Selection& chunk : chunks) covered += (box & chunk).elements({rows, rows});
  });
  EXPECT_EQ(covered, wanted);
  EXPECT_LT(elements, 4 * wanted);
}

TEST(ElementComparison, ComparesReferencesInAHeapByTheirKind) {
  File file = File::create_in_memory();
  PathFinder paths(file);
  const ElementComparison compare(paths, paths, {});
  const Datatype type = Datatype::reference(ReferenceKind::any);
  std::vector<std::byte> one(std::max<std::size_t>(type.size(), 18)), other(one);
  EXPECT_TRUE(compare.equal(type, one.data(), other.data()));
  one[0] = other[0] = std::byte{3};
  other[6] = std::byte{9};  // the position in the heap
  EXPECT_TRUE(compare.equal(type, one.data(), other.data()));
  other[0] = std::byte{4};
  EXPECT_FALSE(compare.equal(type, one.data(), other.data()));
  EXPECT_FALSE(ElementComparison::same_bytes_are_equal(type));
  EXPECT_TRUE(ElementComparison::same_bytes_are_equal(Datatype::of<double>()));
}

}  // namespace
}  // namespace filigree::tools
