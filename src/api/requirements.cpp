// SPDX-License-Identifier: Apache-2.0
//
// What a program must understand to read a file.
#include <algorithm>
#include <map>

#include <filigree/error.hpp>
#include <filigree/file.hpp>

namespace filigree {

namespace {

/// Visits objects and collects what they need.
class RequirementsFinder {
 public:
  void see_file(const FileInfo& info) {
    if (info.superblock_version >= 2) need(Version::v1_8);
    if (info.superblock_version >= 3) need(Version::v1_10);
    if (info.space.strategy == SpaceStrategy::paged || info.space.persist) need(Version::v1_10);
    if (info.shared_message_table_bytes > 0) need(Version::v1_8);
  }

  void see(const Visited& visited) {
    if (visited.error != nullptr) ++found_.unreadable;
    const bool is_soft = visited.link != nullptr && visited.link->kind == LinkKind::soft;
    if (!visited.object) {
      if (visited.link != nullptr && !is_soft) need(Version::v1_8);  // external and user-defined links
      return;
    }
    if (visited.seen_before) return;
    try {
      see_object(*visited.object);
    } catch (const Error&) {
      if (visited.error == nullptr) ++found_.unreadable;
    }
  }

  Requirements take() {
    for (auto& [id, filter] : filters_) found_.filters.push_back(std::move(filter));
    return std::move(found_);
  }

 private:
  void need(Version version) { found_.version = std::max(found_.version, version); }

  void see_object(const Object& object) {
    if (object.info().header_version >= 2) need(Version::v1_8);
    for (const Attribute& attribute : object.attributes()) see_type(attribute.datatype());
    switch (object.kind()) {
      case ObjectKind::group:
        if (Group(object).group_info().storage != GroupStorage::symbol_table) need(Version::v1_8);
        return;
      case ObjectKind::dataset:
        return see_dataset(Dataset(object));
      case ObjectKind::datatype:
        return see_type(CommittedDatatype(object).datatype());
    }
  }

  void see_dataset(const Dataset& data) {
    see_type(data.datatype());
    const DatasetInfo info = data.dataset_info();
    if (info.layout == Layout::virtual_dataset) need(Version::v1_10);
    if (info.layout == Layout::structured) found_.structured_chunks = true;
    if (info.layout == Layout::chunked && info.chunk_index != ChunkIndexKind::btree_v1) need(Version::v1_10);
    if (!info.filter_partial_chunks) need(Version::v1_10);
    for (const FilterChoice& filter : info.filters) filters_.try_emplace(filter.id, filter);
    if (info.portable) return;  // its filter does what the filters of its sections do
    for (const FilterChoice& filter : info.selection_filters) filters_.try_emplace(filter.id, filter);
    for (const FilterChoice& filter : info.heap_filters) filters_.try_emplace(filter.id, filter);
  }

  void see_type(const Datatype& type) {
    switch (type.type_class()) {
      case TypeClass::compound:
        for (const Member& member : type.members()) see_type(member.type);
        return;
      case TypeClass::array:
      case TypeClass::sequence:
        return see_type(type.base());
      case TypeClass::reference:
        if (type.reference_kind() == ReferenceKind::any) need(Version::v1_12);
        return;
      case TypeClass::complex:
        return need(Version::v2_0);
      case TypeClass::integer:
      case TypeClass::floating_point:
      case TypeClass::time:
      case TypeClass::string:
      case TypeClass::bitfield:
      case TypeClass::opaque:
      case TypeClass::enumeration:
        return;
    }
  }

  Requirements found_;
  std::map<std::uint16_t, FilterChoice> filters_;
};

}  // namespace

Requirements File::requirements() const {
  RequirementsFinder finder;
  finder.see_file(info());
  VisitOptions options;
  options.keep_going = true;
  root().visit(
      [&](const Visited& visited) {
        finder.see(visited);
        return true;
      },
      options);
  return finder.take();
}

}  // namespace filigree
