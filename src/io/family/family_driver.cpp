// SPDX-License-Identifier: Apache-2.0
#include "io/family/family_driver.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "format/codec/codec.hpp"
#include "format/messages/file_messages.hpp"
#include "io/family/family_file.hpp"
#include "io/family/name_pattern.hpp"
#include "io/posix/posix_driver.hpp"

namespace filigree::io {
namespace {

std::uint64_t first_member_bytes(const std::string& path) {
  std::error_code failure;
  const auto bytes = std::filesystem::file_size(NumberedName(path)(0), failure);
  return failure ? 0 : bytes;
}

std::unique_ptr<VirtualFile> open(const DriverRequest& request) {
  const FamilyDriver* const chosen = request.access.driver.options<FamilyDriver>();
  FamilyOptions options;
  options.member_bytes = chosen == nullptr ? FamilyDriver{}.member_bytes : chosen->member_bytes;
  options.open_member = posix_members(posix_options(request.access));
  auto file = std::make_unique<FamilyFile>(request.path, request.mode, std::move(options));
  // Only the last member may be short, so this cannot be the size, and reading would only say "truncated".
  const std::uint64_t first_bytes = first_member_bytes(request.path);
  if (file->size() > file->member_bytes() && first_bytes < file->member_bytes())
    refuse_member_bytes("its first member has", first_bytes, file->member_bytes());
  return file;
}

}  // namespace

DriverKind family_driver() {
  DriverKind kind;
  kind.name = FamilyDriver::driver_name;
  kind.open = open;
  kind.superblock_path = [](const std::string& path, const DriverChoice&) { return NumberedName(path)(0); };
  kind.opens_linked_files = false;
  kind.describe_info = [](const DriverInfo& stored) -> std::optional<std::string> {
    if (stored.id != format::family_driver_id) return std::nullopt;
    const auto info = format::decode<format::FamilyDriverInfo>(stored.info, {});
    return fmt::format("the family driver, with members of {} bytes", info.member_bytes);
  };
  return kind;
}

}  // namespace filigree::io
