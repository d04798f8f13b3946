// SPDX-License-Identifier: Apache-2.0
//
// Filters alone, on one thread: our pipeline on buffers, against HDF5's on a file in memory.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "base/checksum.hpp"
#include "bench.hpp"
#include "filter/packed_selection/packed_selection.hpp"
#include "filter/pipeline.hpp"
#include "space/encoding.hpp"

namespace bench {
namespace {

using filigree::Buffer;
using filigree::Bytes;
using filigree::filter::FilterSpec;
using filigree::filter::Pipeline;

constexpr std::size_t chunk_elements = 256 * 1024;
constexpr std::size_t chunks = 64;

/// A ramp with noise in its low bits, similar to detector data.
std::vector<std::uint32_t> samples() {
  std::vector<std::uint32_t> values(chunks * chunk_elements);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    state = state * 1664525 + 1013904223;
    values[i] = static_cast<std::uint32_t>(i / 50 + (state >> 28));
  }
  return values;
}

struct Times {
  double write = 0;
  double read = 0;
};

Times ours(const std::vector<FilterSpec>& specs, const std::vector<std::uint32_t>& values) {
  const Pipeline pipeline(specs, {4, chunk_elements});
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  const std::size_t chunk_bytes = 4 * chunk_elements;
  std::vector<Buffer> stored(chunks);
  std::vector<std::uint32_t> masks(chunks), back(values.size());
  Times times;
  times.write = seconds([&] {
    for (std::size_t i = 0; i < chunks; ++i) {
      stored[i] = pipeline.encode(Bytes(bytes + i * chunk_bytes, chunk_bytes), masks[i]);
    }
  });
  times.read = seconds([&] {
    for (std::size_t i = 0; i < chunks; ++i) {
      const Buffer unfiltered = pipeline.decode(stored[i], masks[i], chunk_bytes);
      std::memcpy(reinterpret_cast<std::byte*>(back.data()) + i * chunk_bytes, unfiltered.data(),
                  chunk_bytes);
    }
  });
  require(back == values, "chunks through our filters");
  return times;
}

Times reference(const std::vector<FilterSpec>& specs, const std::vector<std::uint32_t>& values) {
  const hsize_t size = values.size(), chunk = chunk_elements;
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fapl_core(fapl, 64 << 20, 0);
  H5Pset_chunk(dcpl, 1, &chunk);
  for (const FilterSpec& spec : specs) {
    H5Pset_filter(dcpl, spec.id, 0, spec.id == 2 ? 0 : spec.params.size(), spec.params.data());
  }
  const hid_t file = H5Fcreate(scratch("filters.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t data = H5Dcreate2(file, "d", H5T_STD_U32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  std::vector<std::uint32_t> back(values.size());
  Times times;
  times.write =
      seconds([&] { H5Dwrite(data, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()); });
  times.read = seconds([&] { H5Dread(data, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()); });
  require(back == values, "chunks through HDF5's filters");
  H5Dclose(data), H5Sclose(space), H5Fclose(file), H5Pclose(dcpl), H5Pclose(fapl);
  return times;
}

constexpr std::uint64_t side = 256;  ///< of the chunks whose selections are packed

/// The selection of one chunk in all encodings.
struct Selected {
  std::vector<std::uint64_t> positions;
  Buffer standard, packed;

  Selected(double part, unsigned seed) {
    std::mt19937 random(seed);
    std::bernoulli_distribution chosen(part);
    for (std::uint64_t i = 0; i < side * side; ++i) {
      if (chosen(random)) positions.push_back(i);
    }
    const auto set = filigree::space::RunSet::of_offsets(positions);
    standard = filigree::space::encode_defined(filigree::space::Frame({side, side}), set,
                                               filigree::space::DefinedEncoding::standard);
    standard.resize(standard.size() + 4);
    const std::size_t summed = standard.size() - 4;
    filigree::store_word(standard.data() + summed, filigree::lookup3(Bytes(standard).first(summed)), 4);
    packed = filigree::filter::pack_selection(standard);
  }

  double entropy_bytes() const {
    const double all = side * side, p = static_cast<double>(positions.size()) / all;
    return all / 8 * -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
  }

  std::size_t deflated_offsets() const {
    Buffer offsets(4 * positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      filigree::store_word(offsets.data() + 4 * i, positions[i], 4);
    }
    const std::vector<FilterSpec> specs{{2, "", false, {4}}, {1, "", false, {6}}};
    std::uint32_t mask = 0;
    return Pipeline(specs, {4, positions.size()}).encode(offsets, mask).size();
  }
};

/// Bytes and speed of packed selections: scattered elements, bytes of the mean chunk.
void run_selections_packed() {
  constexpr unsigned count = 64;
  for (const double part : {0.001, 0.01, 0.1}) {
    std::vector<Selected> chosen;
    for (unsigned seed = 0; seed < count; ++seed) chosen.emplace_back(part, seed);
    double bound = 0, packed = 0, standard = 0, deflated = 0;
    for (const Selected& one : chosen) {
      bound += one.entropy_bytes() / count;
      packed += static_cast<double>(one.packed.size()) / count;
      standard += static_cast<double>(one.standard.size()) / count;
      deflated += static_cast<double>(one.deflated_offsets()) / count;
    }
    const auto pack = [&] {
      for (const Selected& one : chosen) filigree::filter::pack_selection(one.standard);
    };
    const auto unpack = [&] {
      for (const Selected& one : chosen) {
        require(filigree::filter::unpack_selection(one.packed, one.standard.size()) == one.standard,
                "an unpacked selection");
      }
    };
    const double packing = seconds(pack, 5), unpacking = seconds(unpack, 5);
    const auto size = [&](const char* against, double bytes, std::optional<double> limit) {
      report({.name = fmt::format("selection of {:g} % of 256 x 256, packed", 100 * part),
              .ours = packed,
              .other = bytes,
              .against = against,
              .limit = limit,
              .unit = "bytes",
              .bytes = static_cast<std::uint64_t>(packed)});
    };
    size("entropy bound", bound, 1.15 * bound + 64);
    size("standard encoding", standard, {});
    size("shuffled, deflated 4-byte offsets", deflated, {});
    const auto bytes = static_cast<std::uint64_t>(standard * count);
    report(
        {.name = fmt::format("pack 64 selections of {:g} %", 100 * part), .ours = packing, .bytes = bytes});
    report({.name = fmt::format("unpack 64 selections of {:g} %", 100 * part),
            .ours = unpacking,
            .bytes = bytes});
  }
}

}  // namespace

void run_filters() {
  const auto values = samples();
  const FilterSpec shuffle{2, "", false, {4}}, deflate{1, "", false, {6}}, fletcher{3, "", false, {}};
  const std::vector<std::pair<std::string, std::vector<FilterSpec>>> cases{
      {"shuffle", {shuffle}},
      {"fletcher32", {fletcher}},
      {"deflate 6", {deflate}},
      {"shuffle + deflate 6", {shuffle, deflate}}};
  for (const auto& [name, specs] : cases) {
    Times a{1e9, 1e9}, b{1e9, 1e9};
    const auto best = [](Times& of, const Times& one) {
      of = {std::min(of.write, one.write), std::min(of.read, one.read)};
    };
    // Slow filters need fewer repetitions.
    for (int turn = 0; turn == 0 || (turn < 3 && b.write < 1); ++turn) {
      best(a, ours(specs, values));
      best(b, reference(specs, values));
    }
    const std::uint64_t bytes = 4 * values.size();
    report(
        {.name = name + ": 64 MiB filtered, one thread", .ours = a.write, .other = b.write, .bytes = bytes});
    report({.name = name + ": 64 MiB read back", .ours = a.read, .other = b.read, .bytes = bytes});
  }
  run_selections_packed();
}

}  // namespace bench
