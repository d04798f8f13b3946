// SPDX-License-Identifier: Apache-2.0
//
// A whole file. The fuzzer visits and reads everything in it, opens it for writing in memory, edits it,
// closes it, and reads it again.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "guard.hpp"

namespace {

using namespace filigree;
using filigree::fuzz::survives;

// A small file can contain a large tree of links. The first ones are representative.
constexpr int most_visits = 2000;
constexpr std::size_t largest_value = 1u << 20;

/// Memory for elements in C's representation. Frees the memory that they point to.
class NativeElements {
 public:
  NativeElements(const Datatype& type, std::size_t count)
      : type_(type), count_(count), bytes_(type.size() * count) {}
  ~NativeElements() { type_.release(bytes_.data(), count_); }
  NativeElements(const NativeElements&) = delete;
  NativeElements& operator=(const NativeElements&) = delete;
  void* data() { return bytes_.data(); }

 private:
  Datatype type_;
  std::size_t count_;
  std::vector<std::byte> bytes_;
};

// Reads that cannot succeed are not tried: an exception costs as much time as a hundred reads.
void read_attribute(const Attribute& a) {
  survives([&] {
    (void)a.creation_order();
    (void)a.space().text();
    const Datatype type = a.datatype();
    (void)type.text();
    if (a.read_raw().size() > largest_value) return;
    survives([&] {
      const Datatype native = type.native();
      const std::uint64_t count = a.elements();
      if (count > largest_value / native.size()) return;
      NativeElements elements(native, count);
      a.read_elements(native, elements.data(), count);
    });
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

/// Every third element of each dimension, from the second on where there is one.
Selection some_elements(const std::vector<std::uint64_t>& dims) {
  std::vector<std::uint64_t> start, stride, count;
  for (const std::uint64_t n : dims) {
    start.push_back(n > 1 ? 1 : 0);
    stride.push_back(3);
    count.push_back(std::min<std::uint64_t>(n > 1 ? (n - 2) / 3 + 1 : n, 4));
  }
  return Selection::strided(start, stride, count);
}

void read_dataset(const Dataset& d) {
  const Datatype type = d.datatype();
  (void)type.text();
  const Dataspace space = d.space();
  (void)space.text();
  const DatasetInfo info = d.dataset_info();
  // The names could refer to any file of this machine.
  if (!info.external.empty() || info.layout == Layout::chunked || info.layout == Layout::virtual_dataset)
    return;
  const Datatype native = type.native();
  const auto read = [&](const Selection& selection, std::uint64_t count) {
    if (count > largest_value / native.size()) return;
    NativeElements elements(native, count);
    d.read_elements(native, elements.data(), count, selection);
  };
  survives([&] { read({}, space.elements()); });
  if (!space.dims().empty()) {
    survives([&] {
      const Selection some = some_elements(space.dims());
      read(some, some.elements(space.dims()));
    });
  }
  if (space.elements() > largest_value / 64 || info.data_bytes > largest_value) return;
  survives([&] {
    if (type.type_class() == TypeClass::string) (void)d.read<std::vector<std::string>>();
    if (type.type_class() == TypeClass::integer) (void)d.read<std::vector<float>>();
    if (type.type_class() == TypeClass::floating_point) (void)d.read<std::vector<std::uint16_t>>();
  });
}

void read_group(const Group& group) {
  if (group.group_info().order_tracked) (void)group.links(IndexBy::creation_order, Direction::descending);
  for (const Link& link : group.links()) {
    // External links would lead to files outside of the input.
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
        read_dataset(Dataset(object));
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

void overwrite(Dataset& d) {
  const Datatype type = d.datatype();
  const DatasetInfo info = d.dataset_info();
  const bool small = info.data_bytes <= largest_value && type.size() <= largest_value;
  if (!info.external.empty() || info.layout > Layout::contiguous || !small) return;
  const Datatype native = type.native();
  const std::vector<std::uint64_t> dims = d.space().dims();
  const Selection some = some_elements(dims);
  const std::uint64_t count = dims.empty() ? d.space().elements() : some.elements(dims);
  if (count > largest_value / native.size()) return;
  NativeElements elements(native, count);
  if (!dims.empty()) d.read_elements(native, elements.data(), count, some);
  d.write_elements(native, elements.data(), count, dims.empty() ? Selection::all() : some);
}

/// Creates datasets, and writes the first elements of existing ones.
void write_datasets(File& file) {
  survives([&] { file.root().write_dataset("fuzz texts", std::vector<std::string>{"a", "", "ccc"}); });
  survives([&] { file.root().write_dataset("fuzz numbers", std::vector<double>(300, 1.5)); });
  int visits = 0;
  survives([&] {
    std::vector<Dataset> found;
    file.root().visit([&](const Visited& v) {
      if (v.object && !v.seen_before && v.object->kind() == ObjectKind::dataset)
        found.emplace_back(*v.object);
      return ++visits < 200 && found.size() < 8;
    });
    for (Dataset& d : found) survives([&] { overwrite(d); });
  });
}

void edit(File& file) {
  const std::vector<std::string> names = some_names(file);
  survives([&] { file.root().create_group("fuzz new group").set_attribute("a", 1.5); });
  survives([&] { file.root().link_soft("fuzz new link", "fuzz new group"); });
  for (int i = 0; i < 9; ++i) {
    survives([&] { file.root().set_attribute("fuzz " + std::to_string(i), std::vector<int>(20, i)); });
    survives([&] { file.root().create_group("fuzz group " + std::to_string(i)); });
  }
  write_datasets(file);
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
    const File file = File::open_image(image, OpenMode::read_only, access);
    CheckOptions options;
    options.data = true;
    options.most_chunk_bytes = largest_value;
    (void)file.check(options);
    (void)file.describe(size / 2);
  });
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
