// SPDX-License-Identifier: Apache-2.0
//
// Direct chunk write: 200 chunks of 1000 x 250 ints that the program has compressed itself, followed
// by fsync(). The lower bound is write() and fsync() of the same bytes.
#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <hdf5.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"
#include "filter/pipeline.hpp"

namespace bench {
namespace {

constexpr std::uint64_t chunks = 200, rows = 1000, columns = 250;
using Packed = std::vector<std::vector<std::byte>>;

std::vector<int> numbers(std::uint64_t chunk) {
  std::mt19937 random(static_cast<unsigned>(chunk));
  std::vector<int> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i + (random() & 1023));
  return values;
}

Packed packed_chunks() {
  const std::vector<filigree::filter::FilterSpec> specs{{1, "", false, {6}}};
  const filigree::filter::Pipeline pipeline(specs, {4, rows * columns});
  Packed all;
  for (std::uint64_t i = 0; i < chunks; ++i) {
    const auto values = numbers(i);
    std::uint32_t mask = 0;
    const auto bytes = pipeline.encode(std::as_bytes(std::span(values)), mask);
    all.emplace_back(bytes.begin(), bytes.end());
  }
  return all;
}

void sync(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR);
  require(file >= 0 && ::fsync(file) == 0, "fsync");
  ::close(file);
}

/// Syncs the file system after files were removed, so that the first contestant does not pay for it.
void settle_removal() {
  const int folder = ::open(scratch("").c_str(), O_RDONLY | O_DIRECTORY);
  require(folder >= 0 && ::fsync(folder) == 0, "fsync of the folder");
  ::close(folder);
}

void by_us(const std::string& path, const Packed& all) {
  filigree::DatasetOptions options;
  options.chunk = {1, rows, columns};
  options.filters = {filigree::filters::deflate(6)};
  auto file = filigree::File::create(path, filigree::CreateMode::exclusive);
  auto data =
      file.root().create_dataset<int>("data", filigree::Dataspace::simple({chunks, rows, columns}), options);
  for (std::uint64_t i = 0; i < chunks; ++i) data.write_chunk({i, 0, 0}, all[i]);
  file.close();
  sync(path);
}

void by_reference(const std::string& path, const Packed& all) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t dims[]{chunks, rows, columns}, chunk[]{1, rows, columns};
  const hid_t space = H5Screate_simple(3, dims, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 3, chunk), H5Pset_deflate(list, 6);
  const hid_t data = H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (hsize_t i = 0; i < chunks; ++i) {
    const hsize_t offset[]{i, 0, 0};
    require(H5Dwrite_chunk(data, H5P_DEFAULT, 0, offset, all[i].size(), all[i].data()) >= 0,
            "H5Dwrite_chunk");
  }
  H5Dclose(data), H5Pclose(list), H5Sclose(space), H5Fclose(file);
  sync(path);
}

void plainly(const std::string& path, const Packed& all) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0666);
  for (const auto& bytes : all) {
    require(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "write");
  }
  require(::fsync(file) == 0, "fsync");
  ::close(file);
}

/// HDF5 reads our file.
void check(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "data", H5P_DEFAULT), space = H5Dget_space(data);
  const hsize_t count[]{1, rows, columns};
  const hid_t memory = H5Screate_simple(3, count, nullptr);
  std::vector<int> values(rows * columns);
  for (hsize_t i = 0; i < chunks; i += 33) {
    const hsize_t start[]{i, 0, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    H5Dread(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data());
    require(values == numbers(i), "a chunk that was written directly");
  }
  H5Sclose(memory), H5Sclose(space), H5Dclose(data), H5Fclose(file);
}

}  // namespace

void run_direct() {
  const Packed all = packed_chunks();
  std::uint64_t bytes = 0;
  for (const auto& one : all) bytes += one.size();
  const std::string paths[]{scratch("direct.h5"), scratch("direct-reference.h5"), scratch("direct.raw")};
  void (*const ways[])(const std::string&, const Packed&){by_us, by_reference, plainly};
  std::vector<double> took[3];
  // All orders, six times each: the first contestant finds the device in another state than the last.
  std::vector<std::size_t> order{0, 1, 2};
  for (int turn = 0; turn < 36; ++turn, std::ranges::next_permutation(order)) {
    for (const auto& path : paths) ::unlink(path.c_str());
    settle_removal();
    for (const std::size_t way : order) took[way].push_back(seconds([&] { ways[way](paths[way], all); }));
  }
  const double ours = median(took[0]), reference = median(took[1]), plain = median(took[2]);
  check(paths[0]);
  check(paths[1]);
  const std::string name = "write 200 compressed chunks of 1000 x 250 int, fsync";
  report(
      {.name = name, .ours = ours, .other = plain, .against = "write + fsync", .aim = 0.97, .bytes = bytes});
  report({.name = name, .ours = ours, .other = reference, .bytes = bytes});
}

}  // namespace bench
