// SPDX-License-Identifier: Apache-2.0
//
// A file of chunked datasets, dense and sparse. The fuzzer reads everything through every function, opens the
// file for writing in memory, changes elements and chunks, and reads it again.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "guard.hpp"

namespace {

using namespace filigree;
using filigree::fuzz::survives;
using Dims = std::vector<std::uint64_t>;

constexpr std::uint64_t largest_value = 1u << 18;
constexpr std::size_t most_datasets = 6, most_chunks = 16;

/// Larger datasets may be valid, but would only cost time.
bool is_small(const Dataset& d) {
  const DatasetInfo info = d.dataset_info();
  if (info.chunk.empty() || d.datatype().size() > 256) return false;
  const auto bytes = [](const Dims& dims) {
    return std::accumulate(dims.begin(), dims.end(), 256.0, std::multiplies<>());
  };
  return bytes(d.space().dims()) <= largest_value && (info.sparse || bytes(info.chunk) <= 16 * largest_value);
}

bool is_text(const Dataset& d) { return d.datatype().type_class() == TypeClass::string; }
bool is_number(const Dataset& d) {
  const TypeClass c = d.datatype().type_class();
  return c == TypeClass::integer || c == TypeClass::floating_point;
}

/// About a quarter of each dimension.
Selection corner(const Dataset& d) {
  Dims start, count;
  for (const std::uint64_t n : d.space().dims()) {
    start.push_back(n / 3);
    count.push_back(n == 0 ? 0 : std::min(n / 4 + 1, n - n / 3));
  }
  return Selection::box(start, count);
}

template <class T>
void read_as(const Dataset& d) {
  survives([&] { (void)d.read<std::vector<T>>(); });
  survives([&] { (void)d.read<std::vector<T>>(corner(d)); });
  survives([&] { (void)read_defined<T>(d); });
  survives([&] { (void)read_defined<T>(d, corner(d)); });
  survives([&] { (void)read_defined_offsets<T>(d); });
}

std::vector<ChunkInfo> some_chunks(const Dataset& d) {
  std::vector<ChunkInfo> chunks;
  d.for_each_chunk([&](const ChunkInfo& one) {
    chunks.push_back(one);
    return chunks.size() < most_chunks;
  });
  return chunks;
}

void read(const Dataset& d) {
  survives([&] { (void)d.defined(); });
  survives([&] { (void)defined_count(d, corner(d)); });
  if (is_text(d)) read_as<std::string>(d);
  if (is_number(d)) read_as<double>(d);
  survives([&] {
    for (const ChunkInfo& one : some_chunks(d)) {
      survives([&] { (void)d.read_chunk(one.offset); });
      survives([&] { (void)d.read_structured_chunk(one.offset); });
    }
    (void)d.stored_bytes();
    (void)d.chunk_count();
  });
}

template <class T>
void write_as(Dataset& d, const T& value) {
  survives([&] {
    const Selection some = corner(d);
    d.write(std::vector<T>(some.elements(d.space().dims()), value), some);
  });
  survives([&] {
    const std::uint64_t end = d.space().elements();
    Dims offsets;
    for (std::uint64_t at = 1; at < end && offsets.size() < 8; at += 1 + end / 8) offsets.push_back(at);
    write_offsets<T>(d, offsets, std::vector<T>(offsets.size(), value), {0, end});
  });
}

/// Writes chunks over others.
void move_chunks(Dataset& d) {
  const auto chunks = some_chunks(d);
  for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
    survives([&] {
      if (chunks[i].sections.empty()) {
        const RawChunk raw = d.read_chunk(chunks[i].offset);
        d.write_chunk(chunks[i + 1].offset, raw.bytes, raw.filter_mask);
      } else {
        const auto raw = d.read_structured_chunk(chunks[i].offset);
        d.write_structured_chunk(chunks[i + 1].offset, std::span<const RawSection>(raw));
      }
    });
  }
}

void change(Dataset& d) {
  if (is_text(d)) write_as<std::string>(d, "fuzz");
  if (is_number(d)) write_as<double>(d, 3);
  survives([&] { move_chunks(d); });
  survives([&] {
    if (d.dataset_info().sparse) d.erase(corner(d));
  });
  survives([&] {
    Dims dims = d.space().dims();
    for (std::uint64_t& n : dims) n = n / 2 + 1;
    d.resize(dims);
    for (std::uint64_t& n : dims) n += 3;
    d.resize(dims);
  });
}

template <class Work>
void for_each_dataset(const File& file, Work work) {
  std::vector<std::string> names;
  survives([&] {
    file.root().for_each([&](const Link& link) {
      names.push_back(link.name);
      return names.size() < most_datasets;
    });
  });
  for (const std::string& name : names) {
    survives([&] {
      const std::optional<Object> object = file.root().find(name);
      if (!object || object->file().name() != file.name() || object->kind() != ObjectKind::dataset) return;
      Dataset data(*object);
      const Layout layout = data.dataset_info().layout;
      if ((layout == Layout::chunked || layout == Layout::structured) && is_small(data)) work(data, name);
    });
  }
}

void read_everything(const File& file) {
  for_each_dataset(file, [](Dataset& d, const std::string&) { read(d); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const std::vector<std::byte> image(bytes, bytes + size);
  AccessOptions access;
  access.ignore_write_mark = true;
  access.external_prefix = "/nowhere";
  survives([&] { read_everything(File::open_image(image, OpenMode::read_only, access)); });
  survives([&] {
    File file = File::open_image(image, OpenMode::read_write, access);
    for_each_dataset(file, [&](Dataset& d, const std::string& name) {
      change(d);
      survives([&] { file.flush(); });
      survives([&] { file.root().copy(name, file.root(), name + " copy"); });
    });
    survives([&] { file.flush(); });
    read_everything(file);
    std::vector<std::byte> edited;
    if (survives([&] { edited = file.image(); })) {
      survives([&] { read_everything(File::open_image(std::move(edited), OpenMode::read_only, access)); });
    }
    for_each_dataset(file, [&](Dataset&, const std::string& name) { file.root().remove(name); });
    survives([&] { file.close(); });
  });
  return 0;
}
