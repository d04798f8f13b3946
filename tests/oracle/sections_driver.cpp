// SPDX-License-Identifier: Apache-2.0
//
// Compares sections of sparse chunks with HDF5's encoding of dataspaces. Reads lines:
//   ours DIMS OFFSETS       writes these elements; prints section 0 in hexadecimal digits
//   theirs DIMS HEX COUNT   stores a chunk with this section 0 and values 1 to COUNT; prints OFFSET:VALUE
//                           of all defined elements
// Lists are separated by commas. Usage: sections_driver FILE
#include <array>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using filigree::Dataset;
using filigree::Selection;
using Numbers = std::vector<std::uint64_t>;
/// Large elements, so that no sparse chunk is larger than a dense one, which would change the encoding.
using Element = std::array<std::int64_t, 16>;

Numbers numbers(const std::string& text) {
  Numbers all;
  std::istringstream stream(text);
  for (std::string one; std::getline(stream, one, ',');) all.push_back(std::stoull(one));
  return all;
}

std::string hex(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte b : bytes) {
    text += digits[std::to_integer<unsigned>(b) / 16];
    text += digits[std::to_integer<unsigned>(b) % 16];
  }
  return text;
}

std::vector<std::byte> from_hex(const std::string& text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

std::string ours(Dataset& data, const Numbers& dims, const Numbers& offsets) {
  std::vector<Selection::Run> runs;
  for (const std::uint64_t at : offsets) runs.push_back({at, 1});
  data.write(std::vector<Element>(offsets.size()), Selection::of_runs(dims, runs));
  return hex(data.read_structured_chunk(Numbers(dims.size(), 0))[0].bytes);
}

std::string theirs(Dataset& data, const Numbers& dims, const std::string& selection, std::size_t count) {
  const auto blob = from_hex(selection);
  std::vector<Element> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i].fill(static_cast<std::int64_t>(i) + 1);
  const std::vector<filigree::SectionBytes> sections{{blob}, {std::as_bytes(std::span(values))}};
  data.write_structured_chunk(Numbers(dims.size(), 0), sections);
  const Selection defined = data.defined();
  const auto found = data.read<std::vector<Element>>(defined);
  std::string text;
  const auto offsets = defined.offsets();
  for (std::size_t i = 0; i < offsets.size(); ++i)
    text += (i == 0 ? "" : " ") + std::to_string(offsets[i]) + ":" + std::to_string(found[i][15]);
  return text;
}

}  // namespace

int main(int, char** argv) {
  try {
    filigree::File file = filigree::File::create(argv[1], filigree::CreateMode::truncate);
    unsigned next = 0;
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream fields(line);
      std::string what, dims_text, list;
      std::size_t count = 0;
      fields >> what >> dims_text >> list >> count;
      const Numbers dims = numbers(dims_text);
      Dataset data =
          file.root().create_dataset<Element>(std::to_string(next++), filigree::Dataspace::simple(dims),
                                              filigree::sparse_chunks(dims).unfiltered());
      std::cout << (what == "ours" ? ours(data, dims, numbers(list)) : theirs(data, dims, list, count))
                << "\n";
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
