// SPDX-License-Identifier: Apache-2.0
//
// Contiguous datasets: whole, converted and strided; and variable-length strings.
#include <filesystem>
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

constexpr std::uint64_t side = 4096;
constexpr std::uint64_t elements = side * side;
constexpr int strings = 200'000;

/// An HDF5 dataset, open.
struct ReferenceDataset {
  hid_t file = -1;
  hid_t set = -1;

  ReferenceDataset(const std::string& path, hid_t type, const std::vector<hsize_t>& dims) {
    file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
    set = H5Dcreate2(file, "data", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
  }
  explicit ReferenceDataset(const std::string& path) {
    file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    set = H5Dopen2(file, "data", H5P_DEFAULT);
  }
  ~ReferenceDataset() {
    H5Dclose(set);
    H5Fclose(file);
  }
  ReferenceDataset(const ReferenceDataset&) = delete;
  ReferenceDataset& operator=(const ReferenceDataset&) = delete;
};

template <class T>
hid_t native();
template <>
hid_t native<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t native<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t native<std::int32_t>() {
  return H5T_NATIVE_INT32;
}

template <class T>
std::vector<T> ramp() {
  std::vector<T> values(elements);
  for (std::uint64_t i = 0; i < elements; ++i) values[i] = static_cast<T>(i % 16'000'000);
  return values;
}

template <class T>
void write_ours(const std::string& path, const filigree::Datatype& type, const std::vector<T>& values) {
  auto file = filigree::File::create(path, filigree::CreateMode::truncate);
  file.root().create_dataset("data", type, filigree::Dataspace::simple({side, side})).write(values);
  file.close();
}

template <class T>
void write_reference(const std::string& path, hid_t type, const std::vector<T>& values) {
  const ReferenceDataset data(path, type, {side, side});
  require(H5Dwrite(data.set, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, "H5Dwrite");
}

template <class T>
void read_ours(const std::string& path, std::vector<T>& into) {
  filigree::File::open(path).root().open_dataset("data").read_into(std::span(into));
}

template <class T>
void read_reference(const std::string& path, std::vector<T>& into) {
  const ReferenceDataset data(path);
  require(H5Dread(data.set, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, into.data()) >= 0, "H5Dread");
}

/// The speedup that is expected of a conversion, for writing and for reading.
struct Aims {
  std::optional<double> write, read;
};

/// Both libraries write and read the same values, stored as `type` and in memory as T.
template <class T>
void whole(const std::string& name, const filigree::Datatype& type, hid_t reference_type, const Aims& aims) {
  const std::vector<T> values = ramp<T>();
  // Every run makes a new file, since truncating an old one takes longer than writing.
  int made = 0;
  std::string ours, reference;
  const auto next = [&] { return scratch(fmt::format("{}.h5", made++)); };
  const Race wrote = race(
      5, [&] { write_ours(ours = next(), type, values); },
      [&] { write_reference(reference = next(), reference_type, values); });
  std::vector<T> back(elements), reference_back(elements);
  // Each library reads the file of the other.
  const Race read = race(
      5, [&] { read_ours(reference, back); }, [&] { read_reference(ours, reference_back); });
  require(back == values && reference_back == values, name);
  const std::uint64_t bytes = elements * sizeof(T);
  report(
      {.name = "write " + name, .ours = wrote.ours, .other = wrote.other, .aim = aims.write, .bytes = bytes});
  report({.name = "read " + name, .ours = read.ours, .other = read.other, .aim = aims.read, .bytes = bytes});
  for (int i = 0; i < made; ++i) std::filesystem::remove(scratch(fmt::format("{}.h5", i)));
}

void strided_by_reference(const std::string& path, std::vector<float>& into) {
  const ReferenceDataset data(path);
  const hid_t space = H5Dget_space(data.set);
  const hsize_t start[] = {0, 0}, stride[] = {1, 8}, count[] = {side, side / 8};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, nullptr);
  const hid_t memory = H5Screate_simple(2, count, nullptr);
  require(H5Dread(data.set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, into.data()) >= 0, "H5Dread");
  H5Sclose(memory);
  H5Sclose(space);
}

void strided() {
  const std::string path = scratch("strided.h5");
  write_ours(path, filigree::Datatype::of<float>(), ramp<float>());
  const std::uint64_t columns = side / 8;
  std::vector<float> ours(side * columns), reference(side * columns);
  const auto every_eighth = filigree::Selection::strided({0, 0}, {1, 8}, {side, columns});
  const Race read = race(
      7,
      [&] {
        filigree::File::open(path).root().open_dataset("data").read_into(std::span(ours), every_eighth);
      },
      [&] { strided_by_reference(path, reference); });
  require(ours == reference && ours[1] == 8, "strided values");
  report({.name = "read every 8th of 4096 x 4096 float",
          .ours = read.ours,
          .other = read.other,
          .aim = 3,
          .bytes = ours.size() * sizeof(float)});
}

std::vector<std::string> texts() {
  std::mt19937 random(11);
  std::vector<std::string> all(strings);
  for (auto& text : all) text.assign(random() % 41, static_cast<char>('a' + random() % 26));
  return all;
}

hid_t reference_string() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return type;
}

void write_strings_reference(const std::string& path, const std::vector<std::string>& values) {
  const hid_t type = reference_string();
  std::vector<const char*> pointers;
  for (const auto& value : values) pointers.push_back(value.c_str());
  const ReferenceDataset data(path, type, {values.size()});
  require(H5Dwrite(data.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0,
          "H5Dwrite of strings");
  H5Tclose(type);
}

std::vector<std::string> read_strings_reference(const std::string& path) {
  const hid_t type = reference_string();
  std::vector<char*> pointers(strings);
  const ReferenceDataset data(path);
  require(H5Dread(data.set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0, "H5Dread of strings");
  std::vector<std::string> values(pointers.begin(), pointers.end());
  const hid_t space = H5Dget_space(data.set);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  H5Sclose(space);
  H5Tclose(type);
  return values;
}

void variable_strings() {
  const std::vector<std::string> values = texts();
  const std::string ours = scratch("strings_ours.h5");
  const std::string reference = scratch("strings_reference.h5");
  const auto type = filigree::Datatype::variable_string(filigree::CharacterSet::ascii);
  const auto write = [&] {
    auto file = filigree::File::create(ours, filigree::CreateMode::truncate);
    file.root().create_dataset("data", type, filigree::Dataspace::simple({values.size()})).write(values);
    file.close();
  };
  const Race wrote = race(3, write, [&] { write_strings_reference(reference, values); });
  std::vector<std::string> back, reference_back;
  const Race read = race(
      3, [&] { back = filigree::File::open(ours).root().read_dataset<std::vector<std::string>>("data"); },
      [&] { reference_back = read_strings_reference(reference); });
  require(back == values && reference_back == values, "strings");
  require(read_strings_reference(ours) == values, "strings of Filigree as HDF5 reads them");
  report(
      {.name = "write 200,000 variable-length strings", .ours = wrote.ours, .other = wrote.other, .aim = 2});
  report({.name = "read 200,000 variable-length strings", .ours = read.ours, .other = read.other, .aim = 2});
  report({.name = "bytes of the file of strings",
          .ours = static_cast<double>(file_bytes(ours)),
          .other = static_cast<double>(file_bytes(reference)),
          .aim = 1,
          .unit = "bytes",
          .bytes = file_bytes(ours)});
}

}  // namespace

void run_datasets() {
  whole<float>("4096 x 4096 float", filigree::Datatype::of<float>(), H5T_IEEE_F32LE, {1, 1});
  whole<double>("4096 x 4096 float as double", filigree::Datatype::of<float>(), H5T_IEEE_F32LE, {{}, 2});
  whole<std::int32_t>("4096 x 4096 big-endian int32",
                      filigree::Datatype::integer(4, true, filigree::ByteOrder::big), H5T_STD_I32BE, {{}, 2});
  strided();
  variable_strings();
}

}  // namespace bench
