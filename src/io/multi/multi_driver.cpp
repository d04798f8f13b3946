// SPDX-License-Identifier: Apache-2.0
#include "io/multi/multi_driver.hpp"

#include <fmt/format.h>

#include "format/codec/codec.hpp"
#include "format/messages/file_messages.hpp"
#include "io/family/name_pattern.hpp"
#include "io/multi/multi_file.hpp"
#include "io/posix/posix_driver.hpp"

namespace filigree::io {
namespace {

MultiLayout split_layout(const DriverChoice& choice) {
  const SplitDriver defaults;
  const SplitDriver* const chosen = choice.options<SplitDriver>();
  const SplitDriver& options = chosen == nullptr ? defaults : *chosen;
  return MultiLayout::split("%s" + options.metadata_extension, "%s" + options.raw_extension);
}

MultiLayout multi_layout(const DriverChoice& choice) {
  const MultiDriver* const chosen = choice.options<MultiDriver>();
  if (chosen == nullptr || chosen->members.empty()) return MultiLayout::multi();
  MultiLayout layout;
  layout.map = chosen->map;
  for (const MultiDriver::Member& member : chosen->members)
    layout.members.push_back({member.first, member.name});
  return layout;
}

/// The superblock's member is the first one.
std::vector<std::string> paths_of(const MultiLayout& layout, const std::string& path) {
  std::vector<std::string> paths;
  for (const auto& member : layout.members) paths.push_back(member_name(member.name_template, path));
  return paths;
}

DriverKind kind_of(std::string_view name, MultiLayout (*layout)(const DriverChoice&)) {
  DriverKind kind;
  kind.name = name;
  kind.open = [layout](const DriverRequest& request) {
    return std::make_unique<MultiFile>(request.path, layout(request.access.driver), request.mode,
                                       posix_members(posix_options(request.access)));
  };
  kind.member_paths = [layout](const std::string& path, const DriverChoice& choice) {
    return paths_of(layout(choice), path);
  };
  kind.superblock_path = [layout](const std::string& path, const DriverChoice& choice) {
    return paths_of(layout(choice), path).front();
  };
  kind.opens_linked_files = false;
  return kind;
}

/// The number of members that stored driver information tells of; nothing if it is another driver's.
std::optional<std::size_t> stored_members(const DriverInfo& stored) {
  if (stored.id != format::multi_driver_id) return std::nullopt;
  return format::decode<format::MultiDriverInfo>(stored.info, {}).members.size();
}

}  // namespace

DriverKind split_driver() {
  DriverKind kind = kind_of(SplitDriver::driver_name, split_layout);
  kind.describe_info = [](const DriverInfo& stored) -> std::optional<std::string> {
    if (stored_members(stored) != 2) return std::nullopt;
    return "the split driver";
  };
  return kind;
}

DriverKind multi_driver() {
  DriverKind kind = kind_of(MultiDriver::driver_name, multi_layout);
  kind.describe_info = [](const DriverInfo& stored) -> std::optional<std::string> {
    const auto members = stored_members(stored);
    if (!members) return std::nullopt;
    if (*members == MultiLayout::multi().members.size()) return "the multi driver";
    return fmt::format("a multi driver with {} files, which this version does not have", *members);
  };
  return kind;
}

}  // namespace filigree::io
