// SPDX-License-Identifier: Apache-2.0
//
// Prints the contents of a file as JSON, one object per line. Strings are percent-encoded.
// Usage: filigree_dump_driver FILE
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "wire.hpp"

namespace {

using namespace filigree;

std::string text(std::string_view value) { return '"' + oracle::quote(value) + '"'; }

std::string number(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", std::isnan(value) ? NAN : value);
  return buffer;
}

template <class Items, class Text>
std::string list(const Items& items, Text&& item_text) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += item_text(item);
  }
  return out + ']';
}

template <class T>
std::string numbers(const Attribute& attribute) {
  return list(attribute.read<std::vector<T>>(), [](T v) {
    if constexpr (std::is_floating_point_v<T>) {
      return '"' + number(v) + '"';
    } else {
      return '"' + std::to_string(v) + '"';
    }
  });
}

std::string shape(const Dataspace& space) {
  if (space.kind() == Dataspace::Kind::null) return "null";
  return list(space.dims(), [](std::uint64_t dim) { return std::to_string(dim); });
}

std::string values(const Attribute& attribute) {
  if (attribute.space().kind() == Dataspace::Kind::null) return "[]";
  const Datatype type = attribute.datatype();
  switch (type.type_class()) {
    case TypeClass::string:
      return list(attribute.read<std::vector<std::string>>(), text);
    case TypeClass::integer:
      return type.text().find("unsigned") == std::string::npos ? numbers<std::int64_t>(attribute)
                                                               : numbers<std::uint64_t>(attribute);
    case TypeClass::floating_point:
      return numbers<double>(attribute);
    default:
      return "null";
  }
}

std::string describe(const Attribute& attribute) {
  const auto order = attribute.creation_order();
  return "{\"name\":" + text(attribute.name()) + ",\"order\":" + (order ? std::to_string(*order) : "null") +
         ",\"type\":" + text(attribute.datatype().text()) + ",\"shape\":" + shape(attribute.space()) +
         ",\"values\":" + values(attribute) + ",\"raw\":\"" +
         (attribute.datatype().is_variable_string() ? "" : oracle::hex(attribute.read_raw())) + "\"}";
}

/// The objects of a file in the order of a traversal by name.
class Dump {
 public:
  void walk(const Object& object, const std::string& path) {
    paths_[object.info().address] = path;
    found_.push_back({path, object});
    if (object.kind() != ObjectKind::group) return;
    const Group group(object);
    for (const Link& link : group.links()) {
      if (link.kind != LinkKind::hard || paths_.contains(link.address)) continue;
      walk(group.open(link.name), (path == "/" ? "" : path) + "/" + link.name);
    }
  }

  void print() const {
    for (const FoundObject& found : found_) std::puts(describe(found).c_str());
  }

 private:
  struct FoundObject {
    std::string path;
    Object object;
  };

  std::string describe(const Link& link) const {
    static constexpr const char* kinds[] = {"hard", "soft", "external", "user"};
    const std::string target = link.kind == LinkKind::hard ? paths_.at(link.address) : link.target;
    return "{\"name\":" + text(link.name) + ",\"kind\":\"" + kinds[static_cast<int>(link.kind)] +
           "\",\"target\":" + text(target) + ",\"file\":" + text(link.file) +
           ",\"utf8\":" + (link.charset == CharacterSet::utf8 ? "true" : "false") +
           ",\"order\":" + (link.creation_order ? std::to_string(*link.creation_order) : "null") +
           ",\"user\":" + std::to_string(link.user_kind) + ",\"data\":\"" + oracle::hex(link.user_data) +
           "\"}";
  }

  std::string describe_group(const Group& group) const {
    const GroupInfo info = group.group_info();
    const auto name = [](const Link& link) { return text(link.name); };
    std::string out = ",\"count\":" + std::to_string(info.links);
    out += ",\"tracked\":" + std::to_string(info.order_tracked) +
           ",\"indexed\":" + std::to_string(info.order_indexed);
    if (info.order_tracked) out += ",\"by_order\":" + list(group.links(IndexBy::creation_order), name);
    return out + ",\"links\":" + list(group.links(), [this](const Link& link) { return describe(link); });
  }

  std::string describe(const FoundObject& found) const {
    static constexpr const char* kinds[] = {"group", "dataset", "datatype"};
    const Object& object = found.object;
    const ObjectInfo info = object.info();
    std::string out =
        "{\"path\":" + text(found.path) + ",\"kind\":\"" + kinds[static_cast<int>(info.kind)] + "\"";
    out += ",\"link_count\":" + std::to_string(info.link_count);
    out += ",\"comment\":" + text(object.comment().value_or(""));
    out += ",\"attrs\":" + list(object.attributes(), [](const Attribute& a) { return ::describe(a); });
    switch (info.kind) {
      case ObjectKind::group:
        out += describe_group(Group(object));
        break;
      case ObjectKind::dataset:
        out += ",\"type\":" + text(Dataset(object).datatype().text()) +
               ",\"shape\":" + shape(Dataset(object).space());
        break;
      case ObjectKind::datatype:
        out += ",\"type\":" + text(CommittedDatatype(object).datatype().text());
        break;
    }
    return out + "}";
  }

  std::map<std::uint64_t, std::string> paths_;
  std::vector<FoundObject> found_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const File file = File::open(argv[1]);
    Dump dump;
    dump.walk(file.root(), "/");
    dump.print();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
