// SPDX-License-Identifier: Apache-2.0
//
// Selections that a driver would see as very many small requests: strided rows and a column of a contiguous
// matrix.
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>
#include <filigree/filigree.hpp>

#include "bench.hpp"

namespace bench {
namespace {

constexpr std::uint64_t side = 4096;

struct Slab {
  const char* name;
  std::vector<std::uint64_t> start, stride, count;
  std::uint64_t elements() const { return count[0] * count[1]; }
  filigree::Selection ours() const { return filigree::Selection::strided(start, stride, count); }
};

void make(const std::string& path) {
  std::vector<float> values(side * side);
  std::iota(values.begin(), values.end(), 0.0F);
  filigree::File file = filigree::File::create(path, filigree::CreateMode::truncate);
  file.root().create_dataset<float>("m", filigree::Dataspace::simple({side, side})).write(values);
  file.close();
}

/// One transfer by HDF5, including H5Fopen().
void by_reference(const std::string& path, const Slab& slab, std::vector<float>& values, bool writing) {
  const hid_t file = H5Fopen(path.c_str(), writing ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, "m", H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  const std::vector<hsize_t> start(slab.start.begin(), slab.start.end());
  const std::vector<hsize_t> stride(slab.stride.begin(), slab.stride.end());
  const std::vector<hsize_t> count(slab.count.begin(), slab.count.end());
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), stride.data(), count.data(), nullptr);
  const hsize_t elements = values.size();
  const hid_t memory = H5Screate_simple(1, &elements, nullptr);
  if (writing) {
    H5Dwrite(dataset, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data());
  } else {
    H5Dread(dataset, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data());
  }
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
}

void by_us(const std::string& path, const Slab& slab, std::vector<float>& values, bool writing,
           const filigree::DriverChoice& driver) {
  filigree::AccessOptions access;
  access.driver = driver;
  filigree::File file = filigree::File::open(
      path, writing ? filigree::OpenMode::read_write : filigree::OpenMode::read_only, access);
  filigree::Dataset dataset = file.root().open_dataset("m");
  if (writing) {
    dataset.write(values, slab.ours());
  } else {
    dataset.read_into(std::span(values), slab.ours());
  }
  file.close();
}

/// Requests that reach the driver while the slab is transferred. The log has a line for every call.
std::uint64_t calls(const std::string& path, const Slab& slab, std::vector<float>& values, bool writing) {
  std::uint64_t seen = 0;
  filigree::AccessOptions access;
  access.log = filigree::DriverLog{.format = filigree::DriverLog::Format::json_lines,
                                   .sink = [&](std::string_view) { ++seen; }};
  filigree::File file = filigree::File::open(
      path, writing ? filigree::OpenMode::read_write : filigree::OpenMode::read_only, access);
  filigree::Dataset dataset = file.root().open_dataset("m");
  seen = 0;
  if (writing) {
    dataset.write(values, slab.ours());
  } else {
    dataset.read_into(std::span(values), slab.ours());
  }
  const std::uint64_t during = seen;
  file.close();
  return during;
}

struct Aims {
  std::optional<double> transfer;        ///< speedup over HDF5
  std::optional<std::uint64_t> touched;  ///< bytes; one call per 64 KiB is acceptable
};

void run(const Slab& slab, const char* driver_name, const filigree::DriverChoice& driver, const Aims& aims) {
  const std::string ours_path = scratch("ours.h5"), reference_path = scratch("reference.h5");
  make(ours_path);
  make(reference_path);
  std::vector<float> ours(slab.elements()), reference(slab.elements());
  constexpr int turns = 7;
  const Race read = race(
      turns, [&] { by_us(ours_path, slab, ours, false, driver); },
      [&] { by_reference(reference_path, slab, reference, false); });
  require(ours == reference, "strided values");
  for (float& value : ours) value = -value;
  const Race write = race(
      turns, [&] { by_us(ours_path, slab, ours, true, driver); },
      [&] { by_reference(reference_path, slab, ours, true); });
  by_reference(ours_path, slab, reference, false);
  require(ours == reference, "strided values after writing");
  const std::uint64_t bytes = ours.size() * sizeof(float);
  const auto row = [&](const char* what, const Race& race) {
    report({.name = fmt::format("{} {}, {}", what, slab.name, driver_name),
            .ours = race.ours,
            .other = race.other,
            .aim = aims.transfer,
            .bytes = bytes});
  };
  row("read", read);
  row("write", write);
  if (driver.options<filigree::PosixDriver>() == nullptr) return;
  for (const bool writing : {false, true}) {
    Result counted{
        .name = fmt::format("requests to the driver to {} {}", writing ? "write" : "read", slab.name),
        .ours = static_cast<double>(calls(ours_path, slab, ours, writing)),
        .unit = "calls"};
    if (aims.touched) counted.limit = static_cast<double>(*aims.touched >> 16);
    report(counted);
  }
  by_reference(ours_path, slab, reference, false);
  require(ours == reference, "strided values after counting");
}

}  // namespace

void run_drivers() {
  const Slab strided{"every 4th of 4096 x 4096 float", {0, 0}, {1, 4}, {side, side / 4}};
  const Slab column{"a column of 4096 x 4096 float", {0, 5}, {1, 1}, {side, 1}};
  const Slab columns{"64 columns of 4096 x 4096 float", {0, 64}, {1, 1}, {side, 64}};
  run(strided, "POSIX", filigree::PosixDriver{}, {1, side * side * sizeof(float)});
  run(strided, "io_uring", filigree::UringDriver{}, {1, {}});
  run(column, "POSIX", filigree::PosixDriver{}, {3, {}});
  run(column, "io_uring", filigree::UringDriver{}, {});
  run(columns, "POSIX", filigree::PosixDriver{}, {});
  run(columns, "io_uring", filigree::UringDriver{}, {});
}

}  // namespace bench
