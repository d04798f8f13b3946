// SPDX-License-Identifier: Apache-2.0
#include "references.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace filigree::tools {

void PathFinder::search() {
  /// A visited object on the way to the current one, by the length of its path.
  struct Ancestor {
    std::size_t path_bytes;
    std::uint64_t address;
  };
  std::vector<Ancestor> way;
  VisitOptions options;
  options.keep_going = true;
  file_.root().visit(
      [&](const Visited& visited) {
        if (!visited.object) return true;
        const std::uint64_t address = visited.object->address();
        if (visited.path == ".") {
          way.push_back({0, address});
          steps_.try_emplace(address, Step{address, ""});
          return true;
        }
        const std::size_t slash = visited.path.rfind('/');
        const std::size_t parent_bytes = slash == std::string::npos ? 0 : slash;
        while (way.back().path_bytes > parent_bytes) way.pop_back();
        steps_.try_emplace(address, Step{way.back().address, visited.link->name});
        way.push_back({visited.path.size(), address});
        return true;
      },
      options);
}

std::optional<std::string> PathFinder::find(std::uint64_t address) {
  if (!searched_) search();
  searched_ = true;
  std::vector<const std::string*> names;
  for (auto at = steps_.find(address); at != steps_.end(); at = steps_.find(at->second.parent)) {
    if (at->second.parent == at->first) {
      std::string path;
      for (auto name = names.rbegin(); name != names.rend(); ++name) path.append("/").append(**name);
      return path.empty() ? "/" : path;
    }
    names.push_back(&at->second.name);
  }
  return std::nullopt;
}

std::string PathFinder::path(std::uint64_t address) {
  const auto found = find(address);
  return found ? *found : fmt::format("object at {:#x}", address);
}

bool is_null_reference(const Datatype& native, const std::byte* element) {
  return std::all_of(element, element + native.size(), [](std::byte b) { return b == std::byte{0}; });
}

std::optional<std::uint64_t> referenced_object(const Datatype& native, const std::byte* element) {
  std::uint64_t address = 0;
  if (is_null_reference(native, element)) return address;
  if (native.reference_kind() == ReferenceKind::region) return std::nullopt;
  if (native.reference_kind() == ReferenceKind::object) {
    std::memcpy(&address, element, sizeof address);
    return address;
  }
  // Kind, flags, size of the address, address.
  constexpr std::byte object{2}, here{0}, address_bytes{8};
  if (element[0] != object || element[1] != here || element[2] != address_bytes) return std::nullopt;
  std::memcpy(&address, element + 3, sizeof address);
  return address;
}

Region referenced_region(const File& file, const Datatype& native, const std::byte* element) {
  RegionReference region;
  std::memcpy(region.bytes.data(), element, std::min<std::size_t>(native.size(), region.bytes.size()));
  return file.open_region(region);
}

}  // namespace filigree::tools
