// SPDX-License-Identifier: Apache-2.0
#include "model/object/merged_datatypes.hpp"

#include <algorithm>
#include <unordered_set>

#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/link/path.hpp"
#include "model/object/object.hpp"

namespace filigree::model {

Address MergedDatatypes::find(const format::DatatypeMessage& type) {
  if (!looked_) look_at_paths();
  if (const Address found = find_known(type); is_valid(found)) return found;
  if (searched_) return Address::undefined;
  searched_ = !options_.merge_search || options_.merge_search();
  if (!*searched_) return Address::undefined;
  search();
  return find_known(type);
}

Address MergedDatatypes::find_known(const format::DatatypeMessage& type) const {
  const auto found =
      std::ranges::find_if(known_, [&](const auto& entry) { return format::same_type(entry.first, type); });
  return found == known_.end() ? Address::undefined : found->second;
}

void MergedDatatypes::look_at_paths() {
  looked_ = true;
  for (const std::string& path : options_.merge_paths) {
    const auto location = find_object({file_.shared_from_this(), file_.root(), "/"}, path);
    if (!location || location->file.get() != &file_) continue;
    if (object_kind(file_, location->header) == ObjectKind::datatype)
      add(object_datatype(file_, location->header), location->header);
  }
}

void MergedDatatypes::search() {
  std::vector<Address> groups{file_.root()};
  std::unordered_set<std::uint64_t> seen{to_number(file_.root())};
  while (!groups.empty()) {
    const Address group = groups.back();
    groups.pop_back();
    LinkTable(file_, group).for_each_stored([&](const LinkMessage& link) {
      if (link.kind != format::LinkKind::hard || !seen.insert(to_number(link.header)).second) return true;
      const ObjectKind kind = object_kind(file_, link.header);
      if (kind == ObjectKind::group) groups.push_back(link.header);
      if (kind == ObjectKind::datatype) add(object_datatype(file_, link.header), link.header);
      return true;
    });
  }
}

}  // namespace filigree::model
