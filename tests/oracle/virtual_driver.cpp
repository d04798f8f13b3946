// SPDX-License-Identifier: Apache-2.0
//
// Creates, writes and reads virtual datasets. Standard input is a script with one command per line:
//
//   source FILE DATASET SOURCE VIRTUAL   adds a mapping to the dataset that is created next
//   create NAME DIMS MAX FILL            of 32-bit integers
//   write NAME SELECTION FIRST           element i of the selection gets FIRST + i
//   read NAME SELECTION                  prints the extent, and the elements as 64-bit integers
//   list NAME                            prints the mappings as they are stored
//
// A selection is all, none, or start:stride:count:block for every dimension, joined with commas; u:
// unlimited. Usage: virtual_driver FILE earliest|latest|open|read last|first GAP < script.
#include <filigree/filigree.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace filigree;

std::uint64_t number(const std::string& text) { return text == "u" ? unlimited : std::stoull(text); }

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, at);) list.push_back(item);
  return list;
}

std::vector<std::uint64_t> numbers(const std::string& text) {
  std::vector<std::uint64_t> list;
  for (const std::string& item : split(text, ',')) list.push_back(number(item));
  return list;
}

Selection selection(const std::string& text) {
  if (text == "all") return Selection::all();
  if (text == "none") return Selection::none();
  std::vector<Selection::Range> ranges;
  for (const std::string& item : split(text, ',')) {
    const auto parts = split(item, ':');
    ranges.push_back({number(parts.at(0)), number(parts.at(1)), number(parts.at(2)), number(parts.at(3))});
  }
  return Selection::blocks(std::move(ranges));
}

std::string text(std::uint64_t n) { return n == unlimited ? "u" : std::to_string(n); }

std::string text(const Selection& s) {
  if (s.kind() == Selection::Kind::none) return "none";
  if (s.is_all()) return "all";
  const auto ranges = s.kind() == Selection::Kind::regular ? s.ranges() : s.regular().value();
  std::string joined;
  for (const auto& r : ranges) {
    joined += (joined.empty() ? "" : ",") + text(r.start) + ":" + text(r.stride) + ":" + text(r.count) + ":" +
              text(r.block);
  }
  return joined;
}

class Player {
 public:
  explicit Player(File file) : file_(std::move(file)) {}

  void play(const std::string& line) {
    std::istringstream in(line);
    std::string what;
    std::string name;
    std::string a;
    std::string b;
    std::string c;
    in >> what >> name >> a >> b >> c;
    if (what == "source") {
      sources_.push_back({name, a, selection(b), selection(c)});
    } else if (what == "create") {
      create(name, a, b, std::stoi(c));
    } else if (what == "write") {
      write(name, selection(a), std::stoll(b));
    } else if (what == "read") {
      read(name, selection(a));
    } else if (what == "list") {
      list(name);
    } else {
      throw std::runtime_error("unknown command: " + line);
    }
  }
  File& file() { return file_; }

 private:
  void create(const std::string& name, const std::string& dims, const std::string& most, int fill) {
    DatasetOptions options;
    options.layout = Layout::virtual_dataset;
    options.virtual_sources = std::move(sources_);
    options.fill = Fill::of(fill);
    file_.root().create_dataset<std::int32_t>(name, Dataspace::simple(numbers(dims), numbers(most)), options);
    sources_.clear();
  }
  void write(const std::string& name, const Selection& where, std::int64_t first) {
    Dataset d = file_.root().open_dataset(name);
    std::vector<std::int64_t> values(where.elements(d.space().dims()));
    for (std::int64_t& v : values) v = first++;
    d.write(values, where);
  }
  void read(const std::string& name, const Selection& where) {
    const Dataset d = file_.root().open_dataset(name);
    const Dataspace extent = d.space();
    for (const std::uint64_t n : extent.dims()) std::cout << n << ' ';
    std::cout << ':';
    for (const std::int64_t v : d.read<std::vector<std::int64_t>>(where)) std::cout << ' ' << v;
    std::cout << '\n';
  }
  void list(const std::string& name) {
    const DatasetInfo info = file_.root().open_dataset(name).dataset_info();
    for (const VirtualSource& s : info.virtual_sources)
      std::cout << s.file << ' ' << s.dataset << ' ' << text(s.source) << ' ' << text(s.selection) << '\n';
  }

  File file_;
  std::vector<VirtualSource> sources_;
};

File open(const std::string& path, const std::string& mode, const AccessOptions& given) {
  AccessOptions access = given;
  if (mode == "open") return File::open(path, OpenMode::read_write, access);
  if (mode == "read") return File::open(path, OpenMode::read_only, access);
  // The reference is HDF5 1.10.
  access.versions = {mode == "latest" ? Version::v1_10 : Version::earliest, Version::v1_10};
  return File::create(path, CreateMode::truncate, {}, access);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  try {
    AccessOptions access;
    if (std::string(argv[3]) == "first") access.virtual_view.extent = VirtualView::Extent::first_missing;
    access.virtual_view.gap = std::stoull(argv[4]);
    Player player(open(argv[1], argv[2], access));
    for (std::string line; std::getline(std::cin, line);) player.play(line);
    player.file().close();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
