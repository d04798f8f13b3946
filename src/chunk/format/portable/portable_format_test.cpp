// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/portable/portable_format.hpp"

#include <random>
#include <string_view>

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "filter/packed_selection/packed_selection.hpp"
#include "testing/hex.hpp"

namespace filigree::chunk {
namespace {

using filigree::testing::from_hex;
using format::PortableEnvelope;

/// Chunks of 4 x 6 elements of 2 bytes with the fill value 5.
format::PortableParameters example(std::vector<format::PipelineFilter> filters = {}) {
  format::PortableParameters made;
  made.dims = {4, 6};
  made.element_bytes = 2;
  made.fill = from_hex("0500");
  made.filters[1] = std::move(filters);
  return made;
}

Buffer dense_chunk() {
  Buffer dense;
  for (int i = 0; i < 24; ++i) {
    const bool differs = i % 5 == 1;
    dense.push_back(std::byte(differs ? i : 5));
    dense.push_back(std::byte{0});
  }
  return dense;
}

const format::PipelineFilter deflate{1, 1, "", {6}, 0};

TEST(PortableFormat, RestoresDenseChunks) {
  for (const PortableFormat& format : {PortableFormat(example()), PortableFormat(example({deflate}))}) {
    const Buffer stored = format.encode_dense(dense_chunk());
    EXPECT_EQ(format.decode_dense(stored), dense_chunk());
    const auto envelope = format::decode_envelope(stored, stored.size());
    EXPECT_EQ(envelope.defined, 5u);
    EXPECT_EQ(envelope.flags, PortableEnvelope::written_by_plugin);
    EXPECT_THROW(format.encode_dense(Bytes(dense_chunk()).first(46)), Error);
  }
}

TEST(PortableFormat, StoresNothingForChunksOfTheFillValue) {
  const PortableFormat format(example({deflate}));
  Buffer dense;
  for (int i = 0; i < 24; ++i) dense.insert(dense.end(), {std::byte{5}, std::byte{0}});
  const Buffer stored = format.encode_dense(dense);
  EXPECT_EQ(stored.size(), PortableEnvelope::bytes);
  EXPECT_EQ(format.decode_dense(stored), dense);
  EXPECT_TRUE(format.is_empty(*format.decode(view_of(stored, {}, ChunkEdge::full))));
  EXPECT_EQ(format.decode_defined(view_of(stored, {}, ChunkEdge::full)).elements(), 0u);
  const StoredChunk blank = format.encode(*format.blank(), ChunkEdge::full);
  EXPECT_EQ(blank.bytes.size(), PortableEnvelope::bytes);
}

TEST(PortableFormat, ReadsChunksThatWereStoredWithoutTheFilter) {
  const PortableFormat format(example());
  StoredChunkInfo info;
  info.filter_mask = 1;
  const Buffer dense = dense_chunk();
  const auto decoded = format.decode(view_of(dense, info, ChunkEdge::full));
  EXPECT_EQ(format.defined(*decoded).elements(), 5u);
  const PortableFormat raw_edges(example(), false);
  const StoredChunk edge = raw_edges.encode(*decoded, ChunkEdge::partial);
  EXPECT_EQ(edge.bytes, dense);
  EXPECT_EQ(raw_edges.defined(*raw_edges.decode(edge.view(ChunkEdge::partial))).elements(), 5u);
}

TEST(PortableFormat, RefusesDamage) {
  const PortableFormat format(example({deflate}));
  const Buffer stored = format.encode_dense(dense_chunk());
  for (std::size_t kept = 0; kept < stored.size(); ++kept) {
    const Buffer cut(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(kept));
    EXPECT_THROW(format.decode_dense(cut), Error) << kept;
  }
  for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
    Buffer changed = stored;
    changed[bit / 8] ^= std::byte(1 << bit % 8);
    try {
      EXPECT_EQ(format.decode_dense(changed).size(), dense_chunk().size());
    } catch (const Error&) {
    }
  }
}

/// An envelope with a valid checksum and any numbers.
Buffer envelope(std::uint64_t defined, std::uint64_t unfiltered0, std::uint64_t unfiltered1, Bytes sections,
                std::uint64_t split) {
  format::SectionTable table;
  table.count = 2;
  table.offsets[1] = split;
  table.unfiltered_bytes = {unfiltered0, unfiltered1};
  Buffer chunk = format::encode_envelope(table, sections.size(), defined, 0);
  chunk.insert(chunk.end(), sections.begin(), sections.end());
  return chunk;
}

TEST(PortableFormat, RefusesEnvelopesThatClaimTooMuch) {
  const PortableFormat format(example({deflate}));
  const Buffer sections(100, std::byte{1});
  for (const std::uint64_t claim : {std::uint64_t{1} << 40, ~std::uint64_t{0}, std::uint64_t{25} * 2}) {
    EXPECT_THROW(format.decode_dense(envelope(5, claim, 10, sections, 50)), Error);
    EXPECT_THROW(format.decode_dense(envelope(5, 50, claim, sections, 50)), Error);
    EXPECT_THROW(format.decode_dense(envelope(claim, 50, 10, sections, 50)), Error);
    EXPECT_THROW(format.decode_dense(envelope(claim, 0, 0, {}, 0)), Error);
  }
}

TEST(PortableFormat, RefusesSelectionsFarBeyondTheSizeOfTheChunk) {
  auto parameters = example();
  parameters.dims = {1024, 1024};
  parameters.filters[0] = {deflate};
  const PortableFormat format(parameters);
  const Buffer sections(100, std::byte{1});
  const std::uint64_t most = 4 * 2 * 1024 * 1024 + (1 << 20);
  for (const std::uint64_t claim : {most + 5, std::uint64_t{16} * 2 * 1024 * 1024, std::uint64_t{1} << 40}) {
    try {
      format.decode_dense(envelope(5, claim, 10, sections, 50));
      ADD_FAILURE() << claim;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("section 0: it declares")) << claim;
    }
  }
}

/// Chunks of 150,000 x 3 x 3 bytes, in which two planes alternate that have as many blocks as possible.
Buffer many_blocks() {
  const std::string_view planes = "101010101101100011";
  Buffer dense(std::size_t{150'000} * 9);
  for (std::size_t i = 0; i < dense.size(); ++i) dense[i] = std::byte{planes[i % planes.size()] == '1'};
  return dense;
}

TEST(PortableFormat, WritesNoSelectionThatItRefuses) {
  const Buffer dense = many_blocks();
  std::vector<std::vector<format::PipelineFilter>> filters;
  filters.push_back({});
  filters.push_back({deflate});
  filters.push_back({{filter::packed_selection_id, 0, "", {}, 0}});
  filters.push_back({{filter::packed_selection_id, 0, "", {}, 0}, deflate});
  for (const auto& of_selection : filters) {
    format::PortableParameters parameters;
    parameters.dims = {150'000, 3, 3};
    parameters.element_bytes = 1;
    parameters.filters[0] = of_selection;
    const PortableFormat format(parameters);
    const Buffer stored = format.encode_dense(dense);
    EXPECT_TRUE(format.decode_dense(stored) == dense);
    const auto decoded = format.decode(view_of(stored, {}, ChunkEdge::full));
    const Buffer again = format.encode(*decoded, ChunkEdge::full).bytes;
    EXPECT_TRUE(format.decode_dense(again) == dense);
    EXPECT_EQ(format.decode_defined(view_of(again, {}, ChunkEdge::full)).elements(), format.count(*decoded));
  }
}

TEST(PortableFormat, KeepsRandomElements) {
  std::mt19937 random(1);
  const PortableFormat format(example({deflate}));
  for (int round = 0; round < 200; ++round) {
    Buffer dense(48);
    for (std::size_t i = 0; i < 24; ++i) dense[2 * i] = std::byte(random() % 3 == 0 ? random() % 256 : 5);
    EXPECT_EQ(format.decode_dense(format.encode_dense(dense)), dense);
  }
}

}  // namespace
}  // namespace filigree::chunk
