// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/library_property.hpp"

#include <algorithm>
#include <string_view>

#include "capi/H5P/properties/tables.hpp"

namespace filigree::capi {
namespace {

/// Bernstein's hash of a name, by which HDF5 sorts properties.
std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

void sort_by_hash(std::vector<std::string>::iterator from, std::vector<std::string>::iterator to) {
  std::sort(from, to, [](const std::string& a, const std::string& b) {
    const std::uint32_t x = hash_of(a), y = hash_of(b);
    return x != y ? x < y : a < b;
  });
}

}  // namespace

std::span<const LibraryProperty> library_properties(PlistType type) {
  switch (type) {
    case PlistType::object_create:
      return object_create_properties();
    case PlistType::group_create:
      return group_create_properties();
    case PlistType::file_create:
      return file_create_properties();
    case PlistType::file_access:
      return file_access_properties();
    case PlistType::file_mount:
      return file_mount_properties();
    case PlistType::dataset_create:
      return dataset_create_properties();
    case PlistType::dataset_access:
      return dataset_access_properties();
    case PlistType::dataset_transfer:
      return dataset_transfer_properties();
    case PlistType::string_create:
      return string_create_properties();
    case PlistType::object_copy:
      return object_copy_properties();
    case PlistType::link_create:
      return link_create_properties();
    case PlistType::link_access:
      return link_access_properties();
    default:
      return {};
  }
}

const LibraryProperty* find_library_property(const PropertyClass& in, const char* name) {
  for (const PropertyClass* c = &in; c != nullptr; c = c->parent.get())
    for (const LibraryProperty& row : library_properties(c->type))
      if (row.name != nullptr && std::strcmp(row.name, name) == 0) return &row;
  return nullptr;
}

std::vector<std::string> property_order(const PropertyClass& of) {
  std::vector<std::string> names;
  for (const auto& [name, property] : of.properties) names.push_back(name);
  for (const LibraryProperty& row : library_properties(of.type))
    if (row.name != nullptr) names.emplace_back(row.name);
  sort_by_hash(names.begin(), names.end());
  return names;
}

std::vector<std::string> property_order(const PropertyListHandle& plist) {
  const auto properties = plist.properties.get();
  const auto removed = plist.removed.get();
  const auto settings = plist.settings();
  std::vector<std::string> names;
  NameSet seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const auto& [name, property] : *properties)
    if (property.of_plist) add(name);
  for (const std::string& name : settings->kept_names())
    if (!removed->contains(name)) add(name);
  sort_by_hash(names.begin(), names.end());
  for (const PropertyClass* c = plist.property_class.get(); c != nullptr; c = c->parent.get())
    for (const std::string& name : property_order(*c))
      if (properties->contains(name) ||
          (find_library_property(*c, name.c_str()) != nullptr && !removed->contains(name)))
        add(name);
  return names;
}

}  // namespace filigree::capi
