// SPDX-License-Identifier: Apache-2.0
//
// Applies operations to files. Each line of standard input is an operation and its fields, separated by tabs
// and percent-encoded. reference.py applies the same operations with HDF5.
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "wire.hpp"

namespace {

using namespace filigree;
using Fields = std::vector<std::string>;

/// key=value fields of an operation.
class Settings {
 public:
  Settings(const Fields& fields, std::size_t from) {
    for (std::size_t i = from; i < fields.size(); ++i) {
      const std::size_t at = fields[i].find('=');
      values_[fields[i].substr(0, at)] = fields[i].substr(at + 1);
    }
  }
  template <class T>
  void take(const char* key, T& into) const {
    if (const auto found = values_.find(key); found != values_.end())
      into = static_cast<T>(std::stoull(found->second));
  }
  std::string text(const char* key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? "" : found->second;
  }

 private:
  std::map<std::string, std::string> values_;
};

GroupOptions group_options(const Settings& settings) {
  GroupOptions o;
  settings.take("track", o.track_order);
  settings.take("index", o.index_order);
  settings.take("max_compact", o.max_compact);
  settings.take("min_dense", o.min_dense);
  settings.take("attr_track", o.attributes.track_order);
  settings.take("attr_index", o.attributes.index_order);
  settings.take("attr_max_compact", o.attributes.max_compact);
  settings.take("attr_min_dense", o.attributes.min_dense);
  return o;
}

/// "32:0x1000,0x8;...": the minimum size and the message types of each index.
std::vector<SharedMessageIndexOptions> shared_indexes(const std::string& text) {
  std::vector<SharedMessageIndexOptions> out;
  if (text.empty()) return out;
  for (const std::string_view index : oracle::split(text, ';')) {
    const auto parts = oracle::split(index, ':');
    auto& made = out.emplace_back();
    made.least_bytes = static_cast<std::uint32_t>(std::stoul(std::string(parts.at(0))));
    for (const std::string_view type : oracle::split(parts.at(1), ',')) {
      made.types.push_back(static_cast<SharedMessage>(std::stoul(std::string(type))));
    }
  }
  return out;
}

CreateOptions create_options(const Settings& settings) {
  CreateOptions o;
  settings.take("userblock", o.user_block_bytes);
  settings.take("offset", o.offset_bytes);
  settings.take("length", o.length_bytes);
  settings.take("leaf_k", o.group_leaf_k);
  settings.take("internal_k", o.group_internal_k);
  settings.take("strategy", o.space.strategy);
  settings.take("persist", o.space.persist);
  settings.take("threshold", o.space.threshold);
  settings.take("page", o.space.page_bytes);
  o.shared_messages = shared_indexes(settings.text("shared"));
  settings.take("list_max", o.shared_list_max);
  settings.take("btree_min", o.shared_btree_min);
  o.root = group_options(settings);
  return o;
}

AccessOptions access_options(const Settings& settings) {
  AccessOptions o;
  settings.take("low", o.versions.low);
  return o;
}

Dataspace parse_space(const std::string& text) {
  if (text == "null") return Dataspace::null();
  if (text == "scalar") return Dataspace::scalar();
  std::vector<std::uint64_t> dims;
  for (const std::string_view dim : oracle::split(text, ',')) dims.push_back(std::stoull(std::string(dim)));
  return Dataspace::simple(dims);
}

/// The open file and the operations on it.
class Session {
 public:
  void run(const Fields& f) {
    const auto found = operations().find(f.at(0));
    if (found == operations().end()) throw std::runtime_error("unknown operation " + f.at(0));
    found->second(*this, f);
  }

 private:
  using Operation = void (*)(Session&, const Fields&);

  Group root() const { return file_->root(); }

  Datatype parse_type(const std::string& text) const {
    if (text.at(0) == '@') return CommittedDatatype(root().open(text.substr(1))).datatype();
    const ByteOrder order = text.at(0) == '>' ? ByteOrder::big : ByteOrder::little;
    const auto parts = oracle::split(text, ':');
    if (text.at(0) == 'S') {
      const auto padding = static_cast<StringPadding>(std::string_view("tzs").find(parts.at(2)));
      const auto charset = parts.at(3) == "u" ? CharacterSet::utf8 : CharacterSet::ascii;
      return Datatype::fixed_string(static_cast<std::uint32_t>(std::stoul(std::string(parts.at(1)))), padding,
                                    charset);
    }
    if (text.at(0) == 'V')
      return Datatype::variable_string(parts.at(1) == "u" ? CharacterSet::utf8 : CharacterSet::ascii);
    const auto bytes = static_cast<std::uint32_t>(std::stoul(text.substr(2)));
    return text.at(1) == 'f' ? Datatype::floating(bytes, order)
                             : Datatype::integer(bytes, text.at(1) == 'i', order);
  }

  static void write(Attribute attribute, const std::string& text) {
    const std::size_t count = attribute.space().elements();
    if (count == 0) return;
    std::vector<std::string> words;
    for (const std::string_view word : oracle::split(text, ',')) words.push_back(oracle::unquote(word));
    const TypeClass type = attribute.datatype().type_class();
    if (type == TypeClass::string) {
      const std::vector<std::string_view> views(words.begin(), words.end());
      attribute.write(views);
    } else if (type == TypeClass::floating_point) {
      std::vector<double> values;
      for (const std::string& word : words) values.push_back(std::strtod(word.c_str(), nullptr));
      attribute.write(values);
    } else if (text.find('-') != std::string::npos) {
      std::vector<std::int64_t> values;
      for (const std::string& word : words) values.push_back(std::stoll(word));
      attribute.write(values);
    } else {
      std::vector<std::uint64_t> values;
      for (const std::string& word : words) values.push_back(std::stoull(word));
      attribute.write(values);
    }
  }

  static CopyOptions copy_options(const std::string& flags) {
    CopyOptions o;
    o.shallow = flags.find("shallow") != std::string::npos;
    o.expand_soft = flags.find("soft") != std::string::npos;
    o.expand_external = flags.find("external") != std::string::npos;
    o.without_attributes = flags.find("bare") != std::string::npos;
    return o;
  }

  static const std::map<std::string, Operation>& operations() {
    static const std::map<std::string, Operation> table = {
        {"create",
         [](Session& s, const Fields& f) {
           const Settings settings(f, 2);
           s.file_ = File::create(f.at(1), CreateMode::truncate, create_options(settings),
                                  access_options(settings));
         }},
        {"open",
         [](Session& s, const Fields& f) {
           s.file_ = File::open(f.at(1), OpenMode::read_write, access_options(Settings(f, 2)));
         }},
        {"close", [](Session& s, const Fields&) { s.file_->close(); }},
        {"flush", [](Session& s, const Fields&) { s.file_->flush(); }},
        {"size",
         [](Session& s, const Fields&) {
           std::printf("%llu\n", static_cast<unsigned long long>(s.file_->info().file_bytes));
         }},
        {"group",
         [](Session& s, const Fields& f) { s.root().create_group(f.at(1), group_options(Settings(f, 2))); }},
        {"commit", [](Session& s, const Fields& f) { s.root().commit(f.at(1), s.parse_type(f.at(2))); }},
        {"soft", [](Session& s, const Fields& f) { s.root().link_soft(f.at(1), f.at(2)); }},
        {"hard", [](Session& s, const Fields& f) { s.root().link_hard(f.at(1), s.root().open(f.at(2))); }},
        {"external", [](Session& s, const Fields& f) { s.root().link_external(f.at(1), f.at(2), f.at(3)); }},
        {"user",
         [](Session& s, const Fields& f) {
           s.root().link_user(f.at(1), static_cast<std::uint8_t>(std::stoul(f.at(2))),
                              std::as_bytes(std::span(f.at(3))));
         }},
        {"remove", [](Session& s, const Fields& f) { s.root().remove(f.at(1)); }},
        {"rename", [](Session& s, const Fields& f) { s.root().rename(f.at(1), f.at(2)); }},
        {"copy", [](Session& s,
                    const Fields& f) { s.root().copy(f.at(1), s.root(), f.at(2), copy_options(f.at(3))); }},
        {"copy_from",
         [](Session& s, const Fields& f) {
           File::open(f.at(1)).root().copy(f.at(2), s.root(), f.at(3), copy_options(f.at(4)));
         }},
        {"comment", [](Session& s, const Fields& f) { s.root().open(f.at(1)).set_comment(f.at(2)); }},
        {"attr",
         [](Session& s, const Fields& f) {
           Object object = s.root().open(f.at(1));
           write(object.create_attribute(f.at(2), s.parse_type(f.at(3)), parse_space(f.at(4))), f.at(5));
         }},
        {"attr_set",
         [](Session& s, const Fields& f) { write(s.root().open(f.at(1)).attribute(f.at(2)), f.at(3)); }},
        {"attr_remove",
         [](Session& s, const Fields& f) { s.root().open(f.at(1)).remove_attribute(f.at(2)); }},
        {"attr_rename",
         [](Session& s, const Fields& f) { s.root().open(f.at(1)).rename_attribute(f.at(2), f.at(3)); }},
    };
    return table;
  }

  std::optional<File> file_;
};

}  // namespace

int main() {
  std::string line;
  unsigned number = 0;
  try {
    Session session;
    while (std::getline(std::cin, line)) {
      ++number;
      Fields fields;
      const std::vector<std::string_view> parts = oracle::split(line, '\t');
      for (std::size_t i = 0; i < parts.size(); ++i) {
        // The list of values stays encoded, since commas separate its items.
        const bool values = (parts[0] == "attr" && i == 5) || (parts[0] == "attr_set" && i == 3);
        fields.push_back(values ? std::string(parts[i]) : oracle::unquote(parts[i]));
      }
      session.run(fields);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "operation %u, %.200s: %s\n", number, line.c_str(), error.what());
    return 1;
  }
}
