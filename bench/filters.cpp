// SPDX-License-Identifier: Apache-2.0
//
// Filters alone, on one thread: our pipeline on buffers beside stock's on a file in memory.
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "bench.hpp"
#include "filter/pipeline.hpp"

namespace bench {
namespace {

using filigree::Buffer;
using filigree::Bytes;
using filigree::filter::FilterSpec;
using filigree::filter::Pipeline;

constexpr std::size_t chunk_elements = 256 * 1024;
constexpr std::size_t chunks = 64;

/// A ramp with noise in its low bits, as detectors give it.
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
      const Buffer plain = pipeline.decode(stored[i], masks[i], chunk_bytes);
      std::memcpy(reinterpret_cast<std::byte*>(back.data()) + i * chunk_bytes, plain.data(), chunk_bytes);
    }
  });
  require(back == values, "chunks through our filters");
  return times;
}

Times stock(const std::vector<FilterSpec>& specs, const std::vector<std::uint32_t>& values) {
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
  require(back == values, "chunks through stock's filters");
  H5Dclose(data), H5Sclose(space), H5Fclose(file), H5Pclose(dcpl), H5Pclose(fapl);
  return times;
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
    const Times a = ours(specs, values), b = stock(specs, values);
    report(fmt::format("{}: 64 MiB filtered", name), a.write, b.write);
    report(fmt::format("{}: 64 MiB read back", name), a.read, b.read);
  }
}

}  // namespace bench
