// SPDX-License-Identifier: Apache-2.0
//
// Writes chunked datasets. Standard input is a script with one command per line:
//
//   create NAME BYTES SIGNED DIMS MAX CHUNK FILTERS FILL
//   make NAME TYPE DIMS MAX CHUNK FILTERS FILL     TYPE as in numpy: <i4, >f8
//   box NAME START COUNT FIRST                     element i of the box gets FIRST + i
//   marks NAME START COUNT VALUE                   all get VALUE, but every 37th element i gets i % 100
//   texts NAME START COUNT FIRST                   strings of variable length
//   points NAME COORDINATES FIRST
//   resize NAME DIMS
//   copy NAME NEW_NAME, remove NAME, flush
//
// Lists are separated by commas; u means unlimited, - means none. FILL is a value, or early or late
// (allocation time), or raw (partial edge chunks are unfiltered). Values are written from 64-bit integers.
// Usage: chunks_driver FILE earliest|v108|v110|latest|open < script
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

std::vector<FilterChoice> filters_of(const std::string& text) {
  const std::map<std::string, FilterChoice> known{{"deflate", filters::deflate(4)},
                                                  {"shuffle", filters::shuffle()},
                                                  {"fletcher32", filters::fletcher32()},
                                                  {"scale", filters::scale_offset()},
                                                  {"lzf", filters::lzf()},
                                                  {"nbit", filters::nbit()},
                                                  {"zstd", filters::zstd()},
                                                  {"bitshuffle", filters::bitshuffle_lz4()},
                                                  {"lz4", filters::lz4()},
                                                  {"szip", {4, {32, 4}, true}}};
  std::vector<FilterChoice> list;
  std::istringstream in(text == "-" ? "" : text);
  for (std::string item; std::getline(in, item, ',');) list.push_back(known.at(item));
  return list;
}

std::vector<std::int64_t> counted(std::uint64_t count, std::int64_t first) {
  std::vector<std::int64_t> values(count);
  for (std::int64_t& value : values) value = first++;
  return values;
}

class Player {
 public:
  explicit Player(File file) : file_(std::move(file)) {}

  void play(const std::string& line) {
    std::istringstream in(line);
    std::string what;
    std::string name;
    in >> what >> name;
    if (what == "create") return create(name, in);
    if (what == "make") return make(name, in);
    if (what == "flush") return file_.flush();
    if (what == "remove") return file_.root().remove(name);
    if (what == "copy") {
      std::string to;
      in >> to;
      return file_.root().copy(name, file_.root(), to);
    }
    Dataset data(file_.open_object(name));
    std::string a;
    std::string b;
    std::int64_t first = 0;
    if (what == "box") {
      in >> a >> b >> first;
      const Selection box = Selection::box(numbers(a), numbers(b));
      data.write(counted(box.elements(), first), box);
    } else if (what == "marks") {
      in >> a >> b >> first;
      const Selection box = Selection::box(numbers(a), numbers(b));
      auto values = counted(box.elements(), 0);
      for (std::int64_t& value : values) value = value % 37 == 0 ? value % 100 : first;
      data.write(values, box);
    } else if (what == "texts") {
      in >> a >> b >> first;
      const Selection box = Selection::box(numbers(a), numbers(b));
      std::vector<std::string> texts;
      for (const std::int64_t n : counted(box.elements(), first))
        texts.push_back(std::string(static_cast<std::size_t>(n % 40), 'x') + std::to_string(n));
      data.write(texts, box);
    } else if (what == "points") {
      in >> a >> first;
      const Selection points = Selection::points(data.space().dims(), numbers(a));
      data.write(counted(points.elements(), first), points);
    } else if (what == "resize") {
      in >> a;
      data.resize(numbers(a));
    } else {
      throw std::runtime_error("what is " + what);
    }
  }
  void close() { file_.close(); }

 private:
  void create(const std::string& name, std::istringstream& in) {
    unsigned bytes = 0;
    bool is_signed = false;
    in >> bytes >> is_signed;
    // A size of 0 bytes means variable-length strings.
    create(name, bytes == 0 ? Datatype::memory<std::string>() : Datatype::integer(bytes, is_signed), in);
  }
  void make(const std::string& name, std::istringstream& in) {
    std::string type;
    in >> type;
    const ByteOrder order = type.at(0) == '>' ? ByteOrder::big : ByteOrder::little;
    const unsigned bytes = static_cast<unsigned>(type.at(2) - '0');
    create(name,
           type.at(1) == 'f' ? Datatype::floating(bytes, order)
                             : Datatype::integer(bytes, type.at(1) == 'i', order),
           in);
  }
  void create(const std::string& name, const Datatype& type, std::istringstream& in) {
    std::string dims;
    std::string most;
    std::string chunk;
    std::string chosen;
    std::string fill;
    in >> dims >> most >> chunk >> chosen >> fill;
    DatasetOptions options;
    options.chunk = numbers(chunk);
    options.filters = filters_of(chosen);
    if (fill == "early") options.allocation = AllocationTime::early;
    if (fill == "late") options.allocation = AllocationTime::late;
    if (fill == "raw") options.filter_partial_chunks = false;
    if (fill != "-" && fill != "early" && fill != "late" && fill != "raw")
      options.fill = type.type_class() == TypeClass::string ? Fill::of(type, &fill)
                                                            : Fill::of<std::int64_t>(std::stoll(fill));
    file_.root().create_dataset(name, type, Dataspace::simple(numbers(dims), numbers(most)), options);
  }
  File file_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const std::string mode = argv[2];
    AccessOptions access;
    if (mode == "latest") access.versions = {Version::latest, Version::latest};
    if (mode == "v110") access.versions = {Version::v1_10, Version::v1_10};
    if (mode == "v108") access.versions = {Version::v1_8, Version::v1_8};
    Player player(mode == "open" ? File::open(argv[1], OpenMode::read_write)
                                 : File::create(argv[1], CreateMode::truncate, {}, access));
    for (std::string line; std::getline(std::cin, line);) player.play(line);
    player.close();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
