// SPDX-License-Identifier: Apache-2.0
//
// Creates, changes and lists sparse datasets for portable_test.py.
//
//   portable_driver create FILE NAME TYPE DIMS CHUNK FILL VALUES SELECTION [structured]
//   portable_driver write FILE NAME          "offset value" for each element, from standard input
//   portable_driver erase FILE NAME START COUNT
//   portable_driver resize FILE NAME DIMS
//   portable_driver list FILE NAME           the defined elements in the same form
//   portable_driver chunks FILE NAME         number of chunks and stored bytes
//   portable_driver parameters TYPE CHUNK FILL VALUES SELECTION     the parameters of the filter
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;
using Dims = std::vector<std::uint64_t>;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

Dims to_dims(const std::string& text) {
  Dims dims;
  for (const std::string& part : split(text)) dims.push_back(std::stoull(part));
  return dims;
}

Datatype to_type(const std::string& text) {
  const std::map<std::string, Datatype> types{
      {"u1", Datatype::of<std::uint8_t>()}, {"i2", Datatype::of<std::int16_t>()},
      {"i4", Datatype::of<std::int32_t>()}, {"u8", Datatype::of<std::uint64_t>()},
      {"f4", Datatype::of<float>()},        {"f8", Datatype::of<double>()}};
  return types.at(text);
}

std::vector<FilterChoice> to_filters(const std::string& text) {
  const std::map<std::string, FilterChoice> known{{"shuffle", filters::shuffle()},
                                                  {"deflate", filters::deflate(4)},
                                                  {"zstd", filters::zstd(3)},
                                                  {"lz4", filters::lz4()},
                                                  {"fletcher32", filters::fletcher32()},
                                                  {"lzf", filters::lzf()},
                                                  {"bitshuffle", filters::bitshuffle_lz4()},
                                                  {"blosc", {32001, {}, true}},
                                                  {"szip", {4, {32, 16}, true}},
                                                  {"nbit", filters::nbit()},
                                                  {"scaleoffset", filters::scale_offset()},
                                                  {"packed_values", filters::packed_values()},
                                                  {"packed", filters::packed_selection()}};
  std::vector<FilterChoice> filters;
  for (const std::string& part : split(text))
    if (part != "none") filters.push_back(known.at(part));
  return filters;
}

/// Options from CHUNK FILL VALUES SELECTION.
DatasetOptions to_options(std::span<const std::string> a) {
  SparseChunks chunks = sparse_chunks(to_dims(a[0])).unfiltered();
  chunks.values(to_filters(a[2])).selection(to_filters(a[3]));
  if (a[1] != "0") chunks.fill(Fill::of(std::stod(a[1])));
  return chunks;
}

void show_parameters(const std::vector<std::string>& a) {
  const FilterChoice filter = portable_filter(to_type(a[0]), to_options(std::span(a).subspan(1)));
  std::cout << filter.id;
  for (const std::uint32_t word : filter.parameters) std::cout << ' ' << word;
  std::cout << '\n';
}

void create(const std::vector<std::string>& a) {
  File file = std::filesystem::exists(a[0]) ? File::open(a[0], OpenMode::read_write) : File::create(a[0]);
  DatasetOptions options = to_options(std::span(a).subspan(4, 4));
  options.portable = a.size() == 8;
  const Dims dims = to_dims(a[3]);
  file.root().create_dataset(a[1], to_type(a[2]), Dataspace::simple(dims, Dims(dims.size(), unlimited)),
                             options);
  file.close();
}

void write(Dataset data) {
  std::vector<std::uint64_t> offsets;
  std::vector<double> values;
  std::string value;
  for (std::uint64_t offset = 0; std::cin >> offset >> value;) {
    offsets.push_back(offset);
    values.push_back(std::stod(value));
  }
  write_offsets<double>(data, offsets, values);
}

void list(const Dataset& data) {
  const auto [offsets, values] = read_defined_offsets<double>(data);
  std::cout.precision(17);
  for (std::size_t i = 0; i < offsets.size(); ++i) std::cout << offsets[i] << ' ' << values[i] << '\n';
}

void run(const std::string& what, const std::vector<std::string>& a) {
  if (what == "create") return create(a);
  if (what == "parameters") return show_parameters(a);
  const bool reads = what == "list" || what == "chunks";
  File file = File::open(a[0], reads ? OpenMode::read_only : OpenMode::read_write);
  Dataset data = file.root().open_dataset(a[1]);
  if (what == "write") write(data);
  if (what == "erase") data.erase(Selection::box(to_dims(a[2]), to_dims(a[3])));
  if (what == "resize") data.resize(to_dims(a[2]));
  if (what == "list") list(data);
  if (what == "chunks") std::cout << data.chunk_count() << ' ' << data.stored_bytes() << '\n';
  file.close();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argv[1], std::vector<std::string>(argv + 2, argv + argc));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
