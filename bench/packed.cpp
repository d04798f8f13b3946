// SPDX-License-Identifier: Apache-2.0
//
// Counts similar to those of single cells, in the sections of sparse chunks: bytes and CPU time of packed
// values and packed selections, against other filters.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench.hpp"
#include "filter/packed_selection/packed_selection.hpp"
#include "filter/pipeline.hpp"
#include "single_cell.hpp"

namespace bench {
namespace {

using filigree::Buffer;
using filigree::Bytes;
using filigree::filter::FilterSpec;
using filigree::filter::Pipeline;

constexpr std::uint64_t cells = 2'000, genes = 20'000, chunk_cells = 500, chunk_genes = 5'000;

/// The elements of a chunk.
struct CountChunk {
  std::vector<std::uint32_t> offsets;
  std::vector<std::int32_t> counts;
};

std::vector<CountChunk> count_chunks() {
  const CountMatrix matrix = make_counts(cells, genes);
  constexpr std::uint64_t across = genes / chunk_genes;
  std::vector<CountChunk> chunks(cells / chunk_cells * across);
  for (std::uint64_t row = 0; row < cells; ++row) {
    for (std::uint64_t i = matrix.row_starts[row]; i < matrix.row_starts[row + 1]; ++i) {
      CountChunk& chunk = chunks[row / chunk_cells * across + matrix.columns[i] / chunk_genes];
      chunk.offsets.push_back(
          static_cast<std::uint32_t>(row % chunk_cells * chunk_genes + matrix.columns[i] % chunk_genes));
      chunk.counts.push_back(matrix.counts[i]);
    }
  }
  return chunks;
}

/// CPU seconds of the fastest of five runs.
template <class Work>
double cpu_seconds(const Work& work) {
  double best = 1e9;
  for (int turn = 0; turn < 5; ++turn) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

/// What a pipeline makes of the values of all chunks.
struct Packed {
  double bytes = 0, encoding = 0, decoding = 0;
};

template <class T>
Packed pack(const std::vector<FilterSpec>& specs, const std::vector<CountChunk>& chunks) {
  const Pipeline pipeline(specs, {sizeof(T), 0});
  std::vector<std::vector<T>> values;
  std::size_t longest = 0;
  for (const CountChunk& chunk : chunks) {
    values.emplace_back(chunk.counts.begin(), chunk.counts.end());
    longest = std::max(longest, chunk.counts.size());
  }
  std::vector<Buffer> stored(chunks.size());
  std::vector<std::uint32_t> masks(chunks.size());
  Packed packed;
  packed.encoding = cpu_seconds([&] {
    for (std::size_t i = 0; i < chunks.size(); ++i)
      stored[i] = pipeline.encode(std::as_bytes(std::span(values[i])), masks[i]);
  });
  for (const Buffer& one : stored) packed.bytes += static_cast<double>(one.size());
  std::vector<T> back(longest);
  packed.decoding = cpu_seconds([&] {
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const std::span<T> part(back.data(), values[i].size());
      pipeline.decode_into(stored[i], masks[i], std::as_writable_bytes(part));
      require(part.front() == values[i].front() && part.back() == values[i].back(), "packed counts");
    }
  });
  return packed;
}

template <class T>
void compare(const std::string& type, std::uint32_t flags, const std::vector<CountChunk>& chunks) {
  const FilterSpec shuffle{2, "", false, {sizeof(T)}};
  const Packed ours = pack<T>({{501, "", false, {sizeof(T), flags}}}, chunks);
  std::uint64_t unpacked = 0;
  for (const CountChunk& chunk : chunks) unpacked += sizeof(T) * chunk.counts.size();
  const auto against = [&](const std::string& name, const Packed& other, bool has_aim) {
    std::optional<double> most_bytes, faster;
    if (has_aim) most_bytes = 0.75 * other.bytes, faster = 2;
    report({.name = "counts as " + type + ", packed values",
            .ours = ours.bytes,
            .other = other.bytes,
            .against = name,
            .limit = most_bytes,
            .unit = "bytes",
            .bytes = static_cast<std::uint64_t>(ours.bytes)});
    report({.name = "decode counts as " + type + ", CPU",
            .ours = ours.decoding,
            .other = other.decoding,
            .against = name,
            .aim = faster,
            .bytes = unpacked});
    report({.name = "encode counts as " + type + ", CPU",
            .ours = ours.encoding,
            .other = other.encoding,
            .against = name,
            .bytes = unpacked});
  };
  against("shuffle, Zstandard 3", pack<T>({shuffle, {32015, "", false, {3}}}, chunks), true);
  against("shuffle, deflate 6", pack<T>({shuffle, {1, "", false, {6}}}, chunks), false);
}

/// Selections of the same chunks, against those of an even density.
void compare_selections(const std::vector<CountChunk>& chunks) {
  const std::vector<std::uint64_t> dims{chunk_cells, chunk_genes};
  std::vector<filigree::filter::PackedRuns> packed;
  double bytes = 0, even_bytes = 0;
  std::uint64_t elements = 0;
  for (const CountChunk& chunk : chunks) {
    packed.push_back(filigree::filter::pack_points(dims, chunk.offsets).value());
    bytes += static_cast<double>(packed.back().stored.size());
    elements += chunk.offsets.size();
    const double all = chunk_cells * chunk_genes, p = static_cast<double>(chunk.offsets.size()) / all;
    even_bytes += all / 8 * -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
  }
  const double decoding = cpu_seconds([&] {
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      auto unpacked = filigree::filter::unpack_points(packed[i].stored, packed[i].unfiltered_bytes,
                                                      chunks[i].offsets.size());
      require(filigree::filter::listed(std::move(unpacked->points), chunks[i].offsets.size()) ==
                  chunks[i].offsets,
              "packed selections");
    }
  });
  report({.name = "selections of counts, packed",
          .ours = bytes,
          .other = even_bytes,
          .against = "entropy of even density",
          .limit = 0.8 * even_bytes,
          .unit = "bytes",
          .bytes = static_cast<std::uint64_t>(bytes)});
  report({.name = "unpack selections of counts to offsets, CPU", .ours = decoding, .bytes = 4 * elements});
}

}  // namespace

void run_packed() {
  const std::vector<CountChunk> chunks = count_chunks();
  compare<std::int32_t>("int32", 0, chunks);
  compare<float>("float", 2, chunks);
  compare<std::uint16_t>("uint16", 0, chunks);
  compare_selections(chunks);
}

}  // namespace bench
