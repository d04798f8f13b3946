// SPDX-License-Identifier: Apache-2.0
//
// Sparse frames: peaks of a few pixels in 64 frames of 1024 x 1024. With HDF5 there are two
// ways to store them: dense chunks full of zeros, or two growing lists, offsets and values, with or without
// shuffle.
#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"

namespace bench {
namespace {

using filigree::Selection;

constexpr std::uint64_t frames = 64, side = 1024, pixels = side * side, tile = 256;

/// One frame's pixels above zero, in row-major order.
struct Frame {
  std::vector<std::uint64_t> offsets;  ///< within the frame
  std::vector<std::uint16_t> values;
};

std::vector<Frame> peaks(double density) {
  std::mt19937_64 random(static_cast<std::uint64_t>(density * 1e6));
  std::vector<Frame> all(frames);
  std::vector<std::uint16_t> dense(pixels);
  for (Frame& frame : all) {
    std::ranges::fill(dense, std::uint16_t{0});
    for (std::uint64_t lit = 0; lit < static_cast<std::uint64_t>(density * pixels);) {
      const std::uint64_t row = random() % (side - 4), column = random() % (side - 4);
      for (unsigned n = 5 + random() % 6; n > 0; --n) {
        auto& pixel = dense[(row + random() % 3) * side + column + random() % 4];
        if (pixel == 0) ++lit;
        pixel = static_cast<std::uint16_t>(1 + random() % 1000);
      }
    }
    for (std::uint64_t i = 0; i < pixels; ++i) {
      if (dense[i] == 0) continue;
      frame.offsets.push_back(i);
      frame.values.push_back(dense[i]);
    }
  }
  return all;
}

void write_ours(const std::string& path, const std::vector<Frame>& all) {
  using namespace filigree;
  File file = File::create(path, CreateMode::truncate);
  auto data = file.root().create_dataset<std::uint16_t>(
      "frames", Dataspace::simple({0, side, side}, {unlimited, side, side}),
      sparse_chunks({1, tile, tile})
          .values({filters::shuffle(), filters::deflate(1)})
          .selection({filters::packed_selection()}));
  FrameAppender appender(data);
  for (const Frame& frame : all) appender.append_offsets<std::uint16_t>(frame.offsets, frame.values);
  appender.close();
  file.close();
}

struct Read {
  std::uint64_t elements = 0;
  std::uint64_t sum = 0;  ///< over offsets and values
  friend bool operator==(const Read&, const Read&) = default;
};

Read expected(const std::vector<Frame>& all) {
  Read read;
  for (std::uint64_t f = 0; f < frames; ++f) {
    read.elements += all[f].values.size();
    for (std::size_t i = 0; i < all[f].values.size(); ++i)
      read.sum += (f * pixels + all[f].offsets[i]) * 3 + all[f].values[i];
  }
  return read;
}

Read read_ours(const std::string& path) {
  const auto file = filigree::File::open(path);
  const auto found = filigree::read_defined_offsets<std::uint16_t>(file.root().open_dataset("frames"));
  Read read{found.values.size(), 0};
  for (std::size_t i = 0; i < found.offsets.size(); ++i) read.sum += found.offsets[i] * 3 + found.values[i];
  return read;
}

hid_t packed(hsize_t rank, const hsize_t* chunk, bool shuffle) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, static_cast<int>(rank), chunk);
  if (shuffle) H5Pset_shuffle(list);
  H5Pset_deflate(list, 1);
  return list;
}

void write_dense(const std::string& path, const std::vector<Frame>& all) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t dims[]{frames, side, side}, chunk[]{1, tile, tile};
  const hid_t space = H5Screate_simple(3, dims, nullptr), list = packed(3, chunk, true);
  const hid_t data = H5Dcreate2(file, "frames", H5T_NATIVE_UINT16, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const hsize_t one[]{1, side, side};
  const hid_t memory = H5Screate_simple(3, one, nullptr);
  std::vector<std::uint16_t> dense(pixels);
  for (hsize_t f = 0; f < frames; ++f) {
    std::ranges::fill(dense, std::uint16_t{0});
    for (std::size_t i = 0; i < all[f].values.size(); ++i) dense[all[f].offsets[i]] = all[f].values[i];
    const hsize_t start[]{f, 0, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, one, nullptr);
    require(H5Dwrite(data, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, dense.data()) >= 0, "dense write");
  }
  H5Sclose(memory), H5Dclose(data), H5Pclose(list), H5Sclose(space), H5Fclose(file);
}

/// Pixels above zero.
std::uint64_t read_dense(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "frames", H5P_DEFAULT);
  std::vector<std::uint16_t> all(frames * pixels);
  H5Dread(data, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
  H5Dclose(data), H5Fclose(file);
  return static_cast<std::uint64_t>(
      std::ranges::count_if(all, [](std::uint16_t value) { return value != 0; }));
}

/// Appends `count` items to a growing list.
void append(hid_t data, hid_t type, const void* items, hsize_t before, hsize_t count) {
  const hsize_t now = before + count;
  H5Dset_extent(data, &now);
  const hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &count, nullptr);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &before, nullptr, &count, nullptr);
  require(H5Dwrite(data, type, memory, space, H5P_DEFAULT, items) >= 0, "appending to a list");
  H5Sclose(memory), H5Sclose(space);
}

/// Compressed with deflate, as most such files are, optionally after shuffle.
void write_lists(const std::string& path, const std::vector<Frame>& all, bool shuffle) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t none = 0, most = H5S_UNLIMITED, chunk = 65536;
  const hid_t space = H5Screate_simple(1, &none, &most), list = packed(1, &chunk, shuffle);
  const hid_t offsets = H5Dcreate2(file, "offsets", H5T_NATIVE_UINT32, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const hid_t values = H5Dcreate2(file, "values", H5T_NATIVE_UINT16, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const hid_t starts = H5Dcreate2(file, "starts", H5T_NATIVE_UINT64, space, H5P_DEFAULT, list, H5P_DEFAULT);
  hsize_t written = 0;
  for (hsize_t f = 0; f < frames; ++f) {
    append(starts, H5T_NATIVE_HSIZE, &written, f, 1);
    append(offsets, H5T_NATIVE_UINT64, all[f].offsets.data(), written, all[f].offsets.size());
    append(values, H5T_NATIVE_UINT16, all[f].values.data(), written, all[f].values.size());
    written += all[f].values.size();
  }
  H5Dclose(starts), H5Dclose(values), H5Dclose(offsets), H5Pclose(list), H5Sclose(space), H5Fclose(file);
}

template <class T>
std::vector<T> read_list(hid_t file, const char* name, hid_t type, hsize_t first = 0,
                         hsize_t count = ~hsize_t{0}) {
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
  hsize_t all = 0;
  H5Sget_simple_extent_dims(space, &all, nullptr);
  count = std::min(count, all - first);
  std::vector<T> items(count);
  const hid_t memory = H5Screate_simple(1, &count, nullptr);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
  H5Dread(data, type, memory, space, H5P_DEFAULT, items.data());
  H5Sclose(memory), H5Sclose(space), H5Dclose(data);
  return items;
}

Read read_lists(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto starts = read_list<std::uint64_t>(file, "starts", H5T_NATIVE_UINT64);
  const auto offsets = read_list<std::uint32_t>(file, "offsets", H5T_NATIVE_UINT32);
  const auto values = read_list<std::uint16_t>(file, "values", H5T_NATIVE_UINT16);
  Read read{values.size(), 0};
  for (std::uint64_t f = 0; f < frames; ++f) {
    const std::uint64_t end = f + 1 < frames ? starts[f + 1] : values.size();
    for (std::uint64_t i = starts[f]; i < end; ++i) read.sum += (f * pixels + offsets[i]) * 3 + values[i];
  }
  H5Fclose(file);
  return read;
}

constexpr std::uint64_t region_frame = 37, region_row = 300, region_column = 520, region_side = 64;

std::uint64_t region_ours(const std::string& path) {
  const auto file = filigree::File::open(path);
  const auto found = filigree::read_defined<std::uint16_t>(
      file.root().open_dataset("frames"),
      Selection::box({region_frame, region_row, region_column}, {1, region_side, region_side}));
  std::uint64_t sum = 0;
  for (const auto value : found.values) sum += value;
  return sum;
}

std::uint64_t region_lists(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto starts = read_list<std::uint64_t>(file, "starts", H5T_NATIVE_UINT64, region_frame, 2);
  const hsize_t first = starts[0], count = starts[1] - starts[0];
  const auto offsets = read_list<std::uint32_t>(file, "offsets", H5T_NATIVE_UINT32, first, count);
  const auto values = read_list<std::uint16_t>(file, "values", H5T_NATIVE_UINT16, first, count);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t row = offsets[i] / side, column = offsets[i] % side;
    if (row - region_row < region_side && column - region_column < region_side) sum += values[i];
  }
  H5Fclose(file);
  return sum;
}

/// The targets for 1 % of the pixels.
struct Aims {
  std::optional<double> dense_write, lists_write, lists_bytes, lists_read, lists_region;
};

/// The time limit of defined(), by the number of runs in its result.
constexpr double seconds_a_run = 1 / 50e6;

void defined_again(const std::string& path, std::string_view density) {
  const auto file = filigree::File::open(path);
  const auto data = file.root().open_dataset("frames");
  const auto values = data.read<std::vector<std::uint16_t>>(data.defined());  // fills the chunk cache
  Selection defined;
  // The call takes less time than waking up a core.
  const double looked = seconds([&] { defined = data.defined(); }, 25);
  require(defined.elements() == values.size(), "defined elements");
  const auto runs = static_cast<double>(defined.runs().size());
  report({.name = fmt::format("defined() of all frames, cached, {}", density),
          .ours = looked,
          .limit = runs * seconds_a_run});
}

void compare(double density, const Aims& aims) {
  const auto all = peaks(density);
  const std::string ours = scratch("sparse.h5"), dense = scratch("dense.h5"), lists = scratch("lists.h5"),
                    shuffled = scratch("shuffled_lists.h5");
  const std::string at = fmt::format("{:g} %", density * 100);
  const Race written = race(
      7, [&] { write_ours(ours, all); }, [&] { write_lists(lists, all, false); });
  const double shuffled_written = seconds([&] { write_lists(shuffled, all, true); }, 7);
  const double dense_written = seconds([&] { write_dense(dense, all); }, 2);
  Read by_us, by_reference;
  const Race read = race(
      7, [&] { by_us = read_ours(ours); }, [&] { by_reference = read_lists(lists); });
  require(by_us == expected(all) && by_reference == by_us, "values of sparse frames");
  const double shuffled_read = seconds([&] { by_reference = read_lists(shuffled); }, 7);
  require(by_reference == by_us, "values of shuffled lists");
  require(read_dense(dense) == by_us.elements, "values of dense frames");
  std::uint64_t region_by_us = 0, region_by_reference = 1;
  const Race region = race(
      7, [&] { region_by_us = region_ours(ours); }, [&] { region_by_reference = region_lists(lists); });
  require(region_by_us == region_by_reference, "a region of a sparse frame");

  const std::uint64_t bytes = by_us.elements * sizeof(std::uint16_t), stored = file_bytes(ours);
  const auto row = [&](std::string what, double mine, double other, const char* against,
                       std::optional<double> aim) {
    report({.name = fmt::format("{}, {}", what, at),
            .ours = mine,
            .other = other,
            .against = against,
            .aim = aim,
            .bytes = bytes});
  };
  const auto size = [&](const std::string& other, const char* against, std::optional<double> aim) {
    report({.name = "bytes of the file, " + at,
            .ours = static_cast<double>(stored),
            .other = static_cast<double>(file_bytes(other)),
            .against = against,
            .aim = aim,
            .unit = "bytes",
            .bytes = stored});
  };
  constexpr const char* zeros = "HDF5, zero-filled chunks";
  constexpr const char* two = "HDF5, offsets and values";
  constexpr const char* two_shuffled = "HDF5, offsets and values, shuffled";
  row("write 64 frames of 1024 x 1024", written.ours, dense_written, zeros, aims.dense_write);
  row("write 64 frames of 1024 x 1024", written.ours, written.other, two, aims.lists_write);
  row("write 64 frames of 1024 x 1024", written.ours, shuffled_written, two_shuffled, {});
  size(dense, zeros, {});
  size(lists, two, aims.lists_bytes);
  size(shuffled, two_shuffled, {});
  row("read all values with offsets", read.ours, read.other, two, aims.lists_read);
  row("read all values with offsets", read.ours, shuffled_read, two_shuffled, {});
  row("read 64 x 64 of one frame", region.ours, region.other, two, aims.lists_region);
  defined_again(ours, at);
}

}  // namespace

void run_sparse() {
  compare(0.001, {});
  compare(0.01, {10, 5, 1 / 0.65, 3, 10});
  compare(0.1, {});
}

}  // namespace bench
