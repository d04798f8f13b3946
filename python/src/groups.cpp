// SPDX-License-Identifier: Apache-2.0
//
// Groups and links.
#include <pybind11/stl.h>

#include <filigree/file.hpp>
#include <filigree/group.hpp>

#include "core.hpp"
#include "options.hpp"

namespace filigree::python {

namespace {

const LinkOptions with_parents{.create_parents = true};

const char* kind_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::hard:
      return "hard";
    case LinkKind::soft:
      return "soft";
    case LinkKind::external:
      return "external";
    case LinkKind::user:
      return "user";
  }
  return "";
}

/// A link as (name, kind, address, target, file).
py::tuple from_link(const Link& link) {
  return py::make_tuple(Text{link.name}, kind_of(link.kind), link.address, Text{link.target},
                        Text{link.file});
}

py::object find_link(const Group& group, const Text& path) {
  const auto link = released([&] { return group.find_link(path.value); });
  return link ? py::object(from_link(*link)) : py::object(py::none());
}

IndexBy index_of(bool by_creation) { return by_creation ? IndexBy::creation_order : IndexBy::name; }
Direction direction_of(bool descending) { return descending ? Direction::descending : Direction::ascending; }

py::list link_names(const Group& group, bool by_creation, bool descending) {
  const auto links = released([&] { return group.links(index_of(by_creation), direction_of(descending)); });
  py::list names;
  for (const Link& link : links) names.append(to_python(link.name));
  return names;
}

py::list links_of(const Group& group, bool by_creation) {
  const auto links = released([&] { return group.links(index_of(by_creation)); });
  py::list list;
  for (const Link& link : links) list.append(from_link(link));
  return list;
}

Dataset create_dataset(Group& group, const std::optional<Text>& path, const Datatype& type,
                       const py::handle& shape, const py::handle& max_shape, const py::dict& options) {
  const Dataspace space = dataspace(shape, max_shape);
  const DatasetOptions made = dataset_options(options);
  return released([&] {
    return path ? group.create_dataset(path->value, type, space, made, with_parents)
                : group.file().create_unlinked_dataset(type, space, made);
  });
}

Group create_group(Group& group, const std::optional<Text>& path, const py::dict& options) {
  const GroupOptions made = group_options(options);
  return released([&] {
    return path ? group.create_group(path->value, made, with_parents)
                : group.file().create_unlinked_group(made);
  });
}

}  // namespace

void bind_groups(py::module_& module) {
  py::class_<Group, Object, Handle<Group>>(module, "Group")
      .def("create_group", &create_group)
      .def("create_dataset", &create_dataset)
      .def(
          "commit",
          [](Group& self, const Text& path, const Datatype& type) {
            return self.commit(path.value, type, with_parents);
          },
          Released())
      .def("open", [](const Group& self,
                      const Text& path) { return opened(released([&] { return self.open(path.value); })); })
      .def(
          "has_link", [](const Group& self, const Text& path) { return self.has_link(path.value); },
          Released())
      .def(
          "exists", [](const Group& self, const Text& path) { return self.find(path.value).has_value(); },
          Released())
      .def("find_link", &find_link)
      .def("link_names", &link_names)
      .def("links", &links_of)
      .def("link_count", &Group::size, Released())
      .def(
          "ordered", [](const Group& self) { return self.group_info().order_tracked; }, Released())
      .def(
          "link_hard",
          [](Group& self, const Text& path, const Object& object) {
            self.link_hard(path.value, object, with_parents);
          },
          Released())
      .def(
          "link_soft",
          [](Group& self, const Text& path, const Text& target) {
            self.link_soft(path.value, target.value, with_parents);
          },
          Released())
      .def(
          "link_external",
          [](Group& self, const Text& path, const Text& file, const Text& target) {
            self.link_external(path.value, file.value, target.value, with_parents);
          },
          Released())
      .def(
          "remove", [](Group& self, const Text& path) { self.remove(path.value); }, Released())
      .def(
          "rename",
          [](Group& self, const Text& from, const Text& to) {
            self.rename(from.value, to.value, with_parents);
          },
          Released());
}

}  // namespace filigree::python
