// SPDX-License-Identifier: Apache-2.0
//
// Creates, changes, reads and prints datasets. Each line of standard input is an operation and its fields,
// separated by tabs. matrix.py writes these lines; matrix_reference.py does the same with HDF5.
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "matrix_text.hpp"
#include "wire.hpp"

namespace {

using namespace filigree;
using oracle::split;
using Fields = std::vector<std::string>;

std::vector<std::uint64_t> dims_from(std::string_view text) {
  std::vector<std::uint64_t> dims;
  for (const auto dim : split(text, ',')) dims.push_back(std::stoull(std::string(dim)));
  return dims;
}

Dataspace space_from(const std::string& text) {
  if (text == "null") return Dataspace::null();
  return text == "scalar" ? Dataspace::scalar() : Dataspace::simple(dims_from(text));
}

std::string space_text(const Dataspace& space) {
  if (space.kind() != Dataspace::Kind::simple)
    return space.kind() == Dataspace::Kind::null ? "null" : "scalar";
  std::string out;
  for (const auto dim : space.dims()) out += (out.empty() ? "" : ",") + std::to_string(dim);
  return out;
}

/// "*", or start:stride:count:block for each dimension.
Selection selection_from(const std::string& text) {
  if (text == "*") return {};
  std::vector<Selection::Range> ranges;
  for (const auto part : split(text, ',')) {
    std::vector<std::uint64_t> n;
    for (const auto number : split(part, ':')) n.push_back(std::stoull(std::string(number)));
    ranges.push_back({n.at(0), n.at(1), n.at(2), n.at(3)});
  }
  return Selection::blocks(std::move(ranges));
}

/// Elements in memory. Frees what they point to.
class Buffer {
 public:
  Buffer(Datatype type, std::uint64_t count)
      : type_(std::move(type)), count_(count), bytes_(count * type_.size()) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { type_.release(bytes_.data(), count_); }

  void fill(const std::string& text, const oracle::ObjectPaths& paths) {
    oracle::Words words(text);
    for (std::uint64_t i = 0; i < count_; ++i) value_from(words, type_, at(i), paths);
    if (!words.done()) throw std::runtime_error("more values than elements");
  }
  std::string text(const oracle::ObjectPaths& paths) {
    std::string out;
    for (std::uint64_t i = 0; i < count_; ++i) out += (i ? " " : "") + value_text(type_, at(i), paths);
    return out;
  }
  const Datatype& type() const { return type_; }
  std::uint64_t count() const { return count_; }
  std::byte* data() { return bytes_.data(); }

 private:
  std::byte* at(std::uint64_t i) { return bytes_.data() + i * type_.size(); }
  Datatype type_;
  std::uint64_t count_;
  std::vector<std::byte> bytes_;
};

std::vector<ExternalFile> external_from(std::string_view text) {
  std::vector<ExternalFile> files;
  for (const auto file : split(text, ';')) {
    const auto parts = split(file, ':');
    files.push_back({std::string(parts.at(0)), std::stoull(std::string(parts.at(1))),
                     parts.at(2) == "inf" ? unlimited : std::stoull(std::string(parts.at(2)))});
  }
  return files;
}

class Session {
 public:
  void apply(const Fields& f) {
    const std::string& op = f.at(0);
    if (op == "create" || op == "open") return open(f);
    if (op == "close") return close();
    if (op == "group") return static_cast<void>(root().create_group(f.at(1)));
    if (op == "commit") return static_cast<void>(root().commit(f.at(1), type(f.at(2))));
    if (op == "remove") return root().remove(f.at(1));
    if (op == "copy") return root().copy(f.at(1), root(), f.at(2));
    if (op == "copy_from") return File::open(f.at(1)).root().copy(f.at(2), root(), f.at(3));
    if (op == "dataset") return make(f);
    if (op == "write") return write(f);
    if (op == "read") return read(f);
    if (op == "transfer") return transfer(f);
    if (op == "attr") return make_attribute(f);
    if (op == "attr_write") return write_attribute(root().open(f.at(1)).attribute(f.at(2)), f.at(3));
    if (op == "attr_remove") return root().open(f.at(1)).remove_attribute(f.at(2));
    if (op == "dump") return dump();
    throw std::runtime_error("no such operation");
  }

 private:
  Group root() { return file_->root(); }

  void open(const Fields& f) {
    AccessOptions access;
    access.versions.low = static_cast<Version>(std::stoi(f.at(2)));
    if (f[0] == "create") {
      CreateOptions options;
      options.offset_bytes = options.length_bytes = static_cast<std::uint8_t>(std::stoi(f.at(3)));
      if (options.offset_bytes < 8) options.user_block_bytes = 512;
      file_ = File::create(f.at(1), CreateMode::truncate, options, access);
    } else {
      file_ = File::open(f.at(1), f.at(3) == "r" ? OpenMode::read_only : OpenMode::read_write, access);
    }
    addresses_.clear();
    paths_.address = [this](const std::string& path) { return root().open(path).address(); };
    paths_.path = [this](std::uint64_t address) { return path_of(address); };
  }

  void close() {
    file_->close();
    file_.reset();
  }

  std::string path_of(std::uint64_t address) {
    if (addresses_.empty()) {
      root().visit([this](const Visited& seen) {
        if (seen.object) addresses_.emplace(seen.object->address(), seen.path == "." ? "/" : "/" + seen.path);
        return true;
      });
    }
    const auto found = addresses_.find(address);
    return found == addresses_.end() ? "?" : found->second;
  }

  Datatype type(const std::string& text) {
    oracle::Words words(text);
    return type_from(
        words, [this](const std::string& path) { return CommittedDatatype(root().open(path)).datatype(); });
  }

  void make(const Fields& f) {
    const Datatype t = type(f.at(2));
    DatasetOptions options;
    Buffer one(t.native(), 1);  // lives as long as the fill value that may point into it
    for (std::size_t i = 4; i < f.size(); ++i) {
      const std::string value = f[i].substr(f[i].find('=') + 1);
      if (f[i].starts_with("layout=compact")) options.layout = Layout::compact;
      if (f[i].starts_with("alloc=")) options.allocation = static_cast<AllocationTime>(std::stoi(value));
      if (f[i].starts_with("fill_time=")) options.fill_time = static_cast<FillTime>(std::stoi(value));
      if (f[i].starts_with("external=")) options.external = external_from(value);
      if (f[i].starts_with("fill=")) {
        one.fill(value, paths_);
        options.fill = Fill::of(one.type(), one.data());
      }
    }
    root().create_dataset(f.at(1), t, space_from(f.at(3)), options);
  }

  std::uint64_t selected(const Dataset& dataset, const Selection& selection) {
    return selection.is_all() ? dataset.space().elements() : selection.elements(dataset.space().dims());
  }

  void write(const Fields& f) {
    Dataset dataset = root().open_dataset(f.at(1));
    const Selection selection = selection_from(f.at(2));
    Buffer values(f.at(3) == "-" ? dataset.datatype().native() : type(f.at(3)).native(),
                  selected(dataset, selection));
    values.fill(f.at(4), paths_);
    dataset.write_elements(values.type(), values.data(), values.count(), selection);
  }

  void read(const Fields& f) {
    const Dataset dataset = root().open_dataset(f.at(1));
    const Selection selection = selection_from(f.at(2));
    Buffer values(f.at(3) == "-" ? dataset.datatype().native() : type(f.at(3)).native(),
                  selected(dataset, selection));
    dataset.read_elements(values.type(), values.data(), values.count(), selection);
    std::puts(values.text(paths_).c_str());
  }

  /// Copies a part of one dataset to a part of another, through memory of a given type.
  void transfer(const Fields& f) {
    const Dataset from = root().open_dataset(f.at(1));
    const Selection source = selection_from(f.at(2));
    Buffer values(type(f.at(3)).native(), selected(from, source));
    from.read_elements(values.type(), values.data(), values.count(), source);
    root().open_dataset(f.at(4)).write_elements(values.type(), values.data(), values.count(),
                                                selection_from(f.at(5)));
  }

  void make_attribute(const Fields& f) {
    Object object = root().open(f.at(1));
    write_attribute(object.create_attribute(f.at(2), type(f.at(3)), space_from(f.at(4))), f.at(5));
  }

  void write_attribute(Attribute attribute, const std::string& text) {
    Buffer values(attribute.datatype().native(), attribute.space().elements());
    values.fill(text, paths_);
    attribute.write_elements(values.type(), values.data(), values.count());
  }

  template <class Thing>
  void print(const std::string& path, const Thing& thing) {
    Buffer values(thing.datatype().native(), thing.space().elements());
    std::string text;
    try {
      thing.read_elements(values.type(), values.data(), values.count());
      text = values.text(paths_);
    } catch (const Error& error) {
      text = std::string("refused: ") + error.what();
    }
    std::printf("%s\t%s\t%s\t%s\n", oracle::quote(path).c_str(), oracle::type_text(thing.datatype()).c_str(),
                space_text(thing.space()).c_str(), text.c_str());
  }

  void dump() {
    addresses_.clear();
    root().visit([this](const Visited& seen) {
      if (!seen.object || seen.seen_before) return true;
      const std::string path = seen.path == "." ? "/" : "/" + seen.path;
      if (seen.object->kind() == ObjectKind::dataset) print(path, Dataset(*seen.object));
      if (seen.object->kind() == ObjectKind::datatype)
        std::printf("%s\t%s\n", oracle::quote(path).c_str(),
                    oracle::type_text(CommittedDatatype(*seen.object).datatype()).c_str());
      for (const Attribute& a : seen.object->attributes()) print(path + "@" + a.name(), a);
      return true;
    });
  }

  std::optional<File> file_;
  std::map<std::uint64_t, std::string> addresses_;
  oracle::ObjectPaths paths_;
};

}  // namespace

int main() {
  Session session;
  std::string line;
  while (std::getline(std::cin, line)) {
    Fields fields;
    for (const auto field : split(line, '\t')) fields.emplace_back(field);
    try {
      session.apply(fields);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%.300s: %s\n", line.c_str(), error.what());
      return 1;
    }
  }
}
