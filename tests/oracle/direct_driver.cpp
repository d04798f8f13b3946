// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes raw chunks of 32-bit integers. Standard input is a script with one command per line:
//
//   create NAME DIMS MAX CHUNK FILTERS
//   box NAME START COUNT FIRST     element i of the box gets FIRST + i
//   chunk NAME OFFSET MASK BYTES   BYTES in hexadecimal digits
//   resize NAME DIMS
//   flush
//   append NAME COUNT FIRST        COUNT slices of the first dimension
//   list NAME [START COUNT]        prints "OFFSET MASK ADDRESS BYTES" of every chunk (of a box), then totals
//   total NAME                     prints "COUNT BYTES" of all chunks
//   raw NAME OFFSET                prints "MASK BYTES"
//   values NAME                    prints all elements
//
// Lists are separated by commas; u means unlimited, - means none.
// Usage: direct_driver FILE earliest|latest|open|read < script
#include <filigree/filigree.hpp>

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace filigree;
using Numbers = std::vector<std::uint64_t>;

Numbers numbers(const std::string& text) {
  Numbers list;
  std::istringstream in(text == "-" ? "" : text);
  for (std::string item; std::getline(in, item, ',');)
    list.push_back(item == "u" ? unlimited : std::stoull(item));
  return list;
}

std::string text(const Numbers& numbers) {
  std::string line;
  for (const std::uint64_t n : numbers) line += (line.empty() ? "" : ",") + std::to_string(n);
  return line;
}

std::vector<std::byte> bytes_of(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

std::string digits_of(const std::vector<std::byte>& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const std::byte b : bytes) {
    out += digits[std::to_integer<unsigned>(b) >> 4];
    out += digits[std::to_integer<unsigned>(b) & 15];
  }
  return out;
}

std::vector<std::int32_t> counted(std::uint64_t count, std::int32_t first) {
  std::vector<std::int32_t> values(count);
  for (std::int32_t& value : values) value = first++;
  return values;
}

void create(File& file, const std::string& name, std::istringstream& in) {
  const std::map<std::string, FilterChoice> known{{"deflate", filters::deflate(4)},
                                                  {"shuffle", filters::shuffle()},
                                                  {"fletcher32", filters::fletcher32()}};
  std::string dims;
  std::string most;
  std::string chunk;
  std::string chosen;
  in >> dims >> most >> chunk >> chosen;
  DatasetOptions options;
  options.chunk = numbers(chunk);
  std::istringstream names(chosen == "-" ? "" : chosen);
  for (std::string item; std::getline(names, item, ',');) options.filters.push_back(known.at(item));
  file.root().create_dataset<std::int32_t>(name, Dataspace::simple(numbers(dims), numbers(most)), options);
}

void list(const Dataset& data, std::istringstream& in) {
  std::string start;
  std::string count;
  in >> start >> count;
  const Selection selection = start.empty() ? Selection() : Selection::box(numbers(start), numbers(count));
  std::uint64_t seen = 0;
  data.for_each_chunk(
      [&](const ChunkInfo& info) {
        const bool same = data.chunk_info(info.offset) == info && data.nth_chunk(seen, selection) == info;
        if (!same) throw std::runtime_error("the chunk at " + text(info.offset) + " is not what it is");
        std::cout << text(info.offset) << ' ' << info.filter_mask << ' ' << info.address << ' '
                  << info.stored_bytes << '\n';
        return ++seen, true;
      },
      selection);
  std::cout << data.chunk_count(selection) << ' ' << data.stored_bytes() << '\n';
}

void play(File& file, const std::string& line) {
  std::istringstream in(line);
  std::string what;
  std::string name;
  in >> what >> name;
  if (what == "create") return create(file, name, in);
  if (what == "flush") return file.flush();
  Dataset data(file.open_object(name));
  std::string a;
  std::string b;
  std::int32_t first = 0;
  std::uint32_t mask = 0;
  if (what == "box") {
    in >> a >> b >> first;
    const Selection box = Selection::box(numbers(a), numbers(b));
    data.write(counted(box.elements(), first), box);
  } else if (what == "chunk") {
    in >> a >> mask >> b;
    data.write_chunk(numbers(a), bytes_of(b), mask);
  } else if (what == "resize") {
    in >> a;
    data.resize(numbers(a));
  } else if (what == "append") {
    std::uint64_t slices = 0;
    in >> slices >> first;
    Appender<std::int32_t> log(data, {0, 1000});
    for (const std::int32_t value : counted(slices * log.slice_elements(), first)) log.append(value);
    log.close();
  } else if (what == "list") {
    list(data, in);
  } else if (what == "total") {
    std::cout << data.chunk_count() << ' ' << data.stored_bytes() << '\n';
  } else if (what == "raw") {
    in >> a;
    const RawChunk chunk = data.read_chunk(numbers(a));
    std::cout << chunk.filter_mask << ' ' << digits_of(chunk.bytes) << '\n';
  } else if (what == "values") {
    for (const std::int32_t value : data.read<std::vector<std::int32_t>>()) std::cout << value << ' ';
    std::cout << '\n';
  } else {
    throw std::runtime_error("what is " + what);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const std::string mode = argv[2];
    AccessOptions access;
    if (mode == "latest") access.versions = {Version::latest, Version::latest};
    File file = mode == "open"   ? File::open(argv[1], OpenMode::read_write)
                : mode == "read" ? File::open(argv[1])
                                 : File::create(argv[1], CreateMode::truncate, {}, access);
    for (std::string line; std::getline(std::cin, line);) play(file, line);
    file.close();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
