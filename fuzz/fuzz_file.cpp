// SPDX-License-Identifier: Apache-2.0
//
// A whole file: everything in it is visited and read; then it is opened for writing in memory, edited,
// closed and read again.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "guard.hpp"

namespace {

using namespace filigree;
using filigree::fuzz::survives;

// A small file can hold a large tree of links; what the first ones do, the others do as well.
constexpr int most_visits = 2000;
constexpr std::size_t largest_value = 1u << 20;

// What cannot succeed is not tried: an exception costs the time of a hundred reads.
void read_attribute(const Attribute& a) {
  survives([&] {
    (void)a.creation_order();
    (void)a.space().text();
    const Datatype type = a.datatype();
    (void)type.text();
    if (a.read_raw().size() > largest_value) return;
    switch (type.type_class()) {
      case TypeClass::string:
      case TypeClass::sequence:
        (void)a.read<std::vector<std::string>>();
        break;
      case TypeClass::integer:
      case TypeClass::floating_point:
        (void)a.read<std::vector<double>>();
        (void)a.read<std::vector<std::int8_t>>();
        break;
      default:
        break;
    }
  });
}

void read_group(const Group& group) {
  if (group.group_info().order_tracked) (void)group.links(IndexBy::creation_order, Direction::descending);
  for (const Link& link : group.links()) {
    // External links would lead out of the input.
    if (link.kind == LinkKind::soft) survives([&] { (void)group.find(link.name); });
  }
}

void read_object(const Object& object) {
  survives([&] {
    (void)object.info();
    (void)object.comment();
  });
  bool ordered = false;
  survives([&] {
    for (const Attribute& a : object.attributes()) {
      read_attribute(a);
      ordered = a.creation_order().has_value();
    }
  });
  if (ordered) survives([&] { (void)object.attributes(IndexBy::creation_order, Direction::descending); });
  survives([&] {
    switch (object.kind()) {
      case ObjectKind::group:
        read_group(Group(object));
        break;
      case ObjectKind::datatype:
        (void)CommittedDatatype(object).datatype().text();
        break;
      case ObjectKind::dataset:
        (void)Dataset(object).datatype().text();
        (void)Dataset(object).space().text();
        break;
    }
  });
}

void read_everything(const File& file) {
  survives([&] { (void)file.info(); });
  int visits = 0;
  survives([&] {
    file.root().visit([&](const Visited& v) {
      if (v.object && !v.seen_before) read_object(*v.object);
      return ++visits < most_visits;
    });
  });
}

/// The links to edit: the first few of the root group.
std::vector<std::string> some_names(const File& file) {
  std::vector<std::string> names;
  survives([&] {
    file.root().for_each([&](const Link& link) {
      names.push_back(link.name);
      return names.size() < 4;
    });
  });
  return names;
}

void edit(File& file) {
  const std::vector<std::string> names = some_names(file);
  survives([&] { file.root().create_group("fuzz new group").set_attribute("a", 1.5); });
  survives([&] { file.root().link_soft("fuzz new link", "fuzz new group"); });
  for (int i = 0; i < 9; ++i) {
    survives([&] { file.root().set_attribute("fuzz " + std::to_string(i), std::vector<int>(20, i)); });
    survives([&] { file.root().create_group("fuzz group " + std::to_string(i)); });
  }
  for (const std::string& name : names) {
    survives([&] {
      const std::optional<Object> object = file.root().find(name);
      if (!object || object->file().name() != file.name()) return;
      Object edited = *object;
      edited.set_attribute("text", std::string(300, 't'));
      for (const Attribute& a : edited.attributes()) edited.remove_attribute(a.name());
    });
    survives([&] {
      const Object object = file.open_object(name);
      if (object.kind() == ObjectKind::group) Group(object).create_group("fuzz below");
    });
  }
  survives([&] { file.flush(); });
  survives([&] { file.root().set_attribute("text", std::vector<std::string>{"one", "two"}); });
  survives([&] { file.root().rename("fuzz new link", "fuzz renamed"); });
  if (!names.empty()) {
    survives([&] { file.root().copy(names.front(), file.root(), "fuzz copy"); });
    survives([&] { file.root().remove(names.front()); });
    survives([&] { file.root().remove(names.back()); });
  }
  for (int i = 0; i < 9; i += 2) {
    survives([&] { file.root().remove("fuzz group " + std::to_string(i)); });
    survives([&] { file.root().remove_attribute("fuzz " + std::to_string(i)); });
  }
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
    edit(file);
    std::vector<std::byte> edited;
    if (survives([&] { edited = file.image(); })) {
      survives([&] { read_everything(File::open_image(std::move(edited), OpenMode::read_only, access)); });
    }
    survives([&] { file.close(); });
  });
  return 0;
}
