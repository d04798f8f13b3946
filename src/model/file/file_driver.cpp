// SPDX-License-Identifier: Apache-2.0
#include "model/file/file_driver.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/file_messages.hpp"
#include "io/family/family_file.hpp"
#include "io/family/name_pattern.hpp"
#include "io/memory/memory_file.hpp"
#include "io/multi/multi_file.hpp"
#include "io/stack/log_file.hpp"
#include "io/uring/uring_file.hpp"
#include "model/file/user_file.hpp"

namespace filigree::model {
namespace {

io::PosixOptions posix_options(const AccessOptions& access) {
  io::PosixOptions options;
  switch (access.locking) {
    case Locking::automatic:
      options.lock = io::LockPolicy::writers;
      break;
    case Locking::off:
      options.lock = io::LockPolicy::never;
      break;
    case Locking::on:
      options.lock = io::LockPolicy::required;
      break;
  }
  return options;
}

[[noreturn]] void refuse_member_bytes(std::string_view who, std::uint64_t right, std::uint64_t taken) {
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("the members of a family: {} {} bytes, but they were taken to have {}", who, right, taken));
}

/// Opens the file of each kind of driver.
struct Opener {
  const std::string& path;
  io::OpenMode mode;
  const AccessOptions& access;

  std::uint64_t first_member_bytes() const {
    std::error_code failure;
    const auto bytes = std::filesystem::file_size(io::NumberedName(path)(0), failure);
    return failure ? 0 : bytes;
  }

  std::unique_ptr<io::VirtualFile> operator()(const PosixDriver&) const {
    return std::make_unique<io::PosixFile>(path, mode, posix_options(access));
  }
  std::unique_ptr<io::VirtualFile> operator()(const UringDriver& driver) const {
    io::UringOptions options;
    options.posix = posix_options(access);
    options.depth = std::clamp(driver.depth, 1u, 4096u);
    auto file = std::make_unique<io::UringFile>(path, mode, options);
    if (file->refusal() && access.log && access.log->sink) access.log->sink(*file->refusal());
    return file;
  }
  std::unique_ptr<io::VirtualFile> operator()(const MemoryDriver& driver) const {
    return io::open_memory_file(path, mode, driver.save, posix_options(access));
  }
  std::unique_ptr<io::VirtualFile> operator()(const FamilyDriver& driver) const {
    auto file = std::make_unique<io::FamilyFile>(
        path, mode,
        io::FamilyOptions{.member_bytes = driver.member_bytes,
                          .open_member = io::posix_members(posix_options(access))});
    // Only the last member may be short, so this cannot be the size, and reading would only say "truncated".
    const std::uint64_t first_bytes = first_member_bytes();
    if (file->size() > file->member_bytes() && first_bytes < file->member_bytes())
      refuse_member_bytes("its first member has", first_bytes, file->member_bytes());
    return file;
  }
  std::unique_ptr<io::VirtualFile> operator()(const SplitDriver& driver) const {
    const auto layout = io::MultiLayout::split("%s" + driver.metadata_extension, "%s" + driver.raw_extension);
    return std::make_unique<io::MultiFile>(path, layout, mode, io::posix_members(posix_options(access)));
  }
  std::unique_ptr<io::VirtualFile> operator()(const MultiDriver&) const {
    return std::make_unique<io::MultiFile>(path, io::MultiLayout::multi(), mode,
                                           io::posix_members(posix_options(access)));
  }
};

/// Of the superblock first.
std::vector<std::string> multi_paths(const std::string& path) {
  std::vector<std::string> paths;
  for (const auto& member : io::MultiLayout::multi().members)
    paths.push_back(io::member_name(member.name_template, path));
  return paths;
}

template <class File>
File* find_terminal(const io::VirtualFile& file) {
  const io::VirtualFile* last = &file;
  while (last->next() != nullptr) last = last->next();
  return const_cast<File*>(dynamic_cast<const File*>(last));
}

[[noreturn]] void refuse(const DriverInfo& stored) {
  std::string needed = fmt::format("the driver '{}', which this version does not have", stored.id);
  if (stored.id == format::family_driver_id) {
    const auto info = format::decode<format::FamilyDriverInfo>(stored.info, {});
    needed = fmt::format("the family driver, with members of {} bytes", info.member_bytes);
  } else if (stored.id == format::multi_driver_id) {
    const auto info = format::decode<format::MultiDriverInfo>(stored.info, {});
    if (info.members.size() == 2) {
      needed = "the split driver";
    } else if (info.members.size() == io::MultiLayout::multi().members.size()) {
      needed = "the multi driver";
    } else {
      needed =
          fmt::format("a multi driver with {} files, which this version does not have", info.members.size());
    }
  }
  throw Error(ErrorKind::unsupported, fmt::format("the file is one part of several: it needs {}", needed));
}

void check_family(const io::FamilyFile& family, const DriverInfo& stored) {
  const auto info = format::decode<format::FamilyDriverInfo>(stored.info, {});
  if (info.member_bytes == family.member_bytes()) return;
  refuse_member_bytes("the file says", info.member_bytes, family.member_bytes());
}

io::MemoryType kind_of_member(const std::array<std::uint8_t, 6>& map, std::size_t member) {
  return static_cast<io::MemoryType>(format::members_of(map)[member]);
}

void apply_multi(io::MultiFile& multi, const DriverInfo& stored) {
  const auto info = format::decode<format::MultiDriverInfo>(stored.info, {});
  const io::MultiLayout& layout = multi.layout();
  bool same = info.members.size() == layout.members.size() &&
              format::members_of(info.map) == format::members_of(layout.map);
  for (std::size_t kind = 0; same && kind < info.map.size(); ++kind) {
    const auto own = static_cast<std::uint8_t>(kind + 1);
    same = (info.map[kind] == 0 ? own : info.map[kind]) == (layout.map[kind] == 0 ? own : layout.map[kind]);
  }
  for (std::size_t i = 0; same && i < info.members.size(); ++i)
    same = info.members[i].start == layout.members[i].first;
  if (!same) refuse(stored);
  for (std::size_t i = 0; i < info.members.size(); ++i) {
    const io::MemoryType type = kind_of_member(info.map, i);
    const io::AddressRange range = multi.addresses(type);
    const std::uint64_t used = info.members[i].allocated_end;
    const std::uint64_t held = multi.end_of_file(type) - range.first;
    if (used > range.end - range.first)
      throw Error(ErrorKind::corrupt, fmt::format("multi driver info: member {} is too long", i));
    if (used > held) {
      throw Error(ErrorKind::truncated,
                  fmt::format("the file '{}' of the set is truncated: {} of its bytes are in use, but there "
                              "are only {}",
                              layout.members[i].name_template, used, held));
    }
    multi.set_allocation_end(type, range.first + used);
  }
}

}  // namespace

std::unique_ptr<io::VirtualFile> open_driver(const std::string& path, io::OpenMode mode,
                                             const AccessOptions& access) {
  return with_log(std::visit(Opener{path, mode, access}, access.driver), access);
}

std::unique_ptr<io::VirtualFile> with_log(std::unique_ptr<io::VirtualFile> file,
                                          const AccessOptions& access) {
  if (!access.log) return file;
  const bool json = access.log->format == DriverLog::Format::json_lines;
  return std::make_unique<io::LogFile>(
      std::move(file), io::LogOptions{json ? io::LogForm::json_lines : io::LogForm::text, access.log->sink});
}

std::optional<int> descriptor(const io::VirtualFile& file) {
  if (const auto* const user = find_user_file(file)) return user->descriptor();
  const auto* const posix = find_terminal<io::PosixFile>(file);
  if (posix == nullptr) return std::nullopt;
  return posix->descriptor();
}

std::string superblock_path(const std::string& path, const AccessOptions& access) {
  if (std::holds_alternative<FamilyDriver>(access.driver)) return io::NumberedName(path)(0);
  if (const auto* split = std::get_if<SplitDriver>(&access.driver)) return path + split->metadata_extension;
  if (std::holds_alternative<MultiDriver>(access.driver)) return multi_paths(path).front();
  return path;
}

std::vector<std::string> new_paths(const std::string& path, const AccessOptions& access) {
  if (std::holds_alternative<MultiDriver>(access.driver)) return multi_paths(path);
  std::vector<std::string> paths{superblock_path(path, access)};
  if (const auto* split = std::get_if<SplitDriver>(&access.driver))
    paths.push_back(path + split->raw_extension);
  return paths;
}

AccessOptions linked_access(const AccessOptions& access) {
  AccessOptions linked = access;
  if (std::holds_alternative<FamilyDriver>(access.driver) ||
      std::holds_alternative<SplitDriver>(access.driver) ||
      std::holds_alternative<MultiDriver>(access.driver))
    linked.driver = PosixDriver{};
  return linked;
}

std::optional<DriverInfo> driver_info(const io::VirtualFile& file,
                                      const std::vector<store::FilePart>& parts) {
  if (const auto* family = find_terminal<io::FamilyFile>(file)) {
    const format::FamilyDriverInfo info{family->member_bytes()};
    return DriverInfo{std::string(format::family_driver_id), format::encode(info, {})};
  }
  if (const auto* user = find_user_file(file)) {
    auto record = user->record();
    if (!record || record->info.empty()) return std::nullopt;
    record->id.resize(format::family_driver_id.size());
    return DriverInfo{std::move(record->id), std::move(record->info)};
  }
  const auto* multi = find_terminal<io::MultiFile>(file);
  if (multi == nullptr) return std::nullopt;
  format::MultiDriverInfo info;
  info.map = multi->layout().map;
  for (const auto& member : multi->layout().members) {
    const auto part = std::ranges::find(parts, member.first, &store::FilePart::first);
    const std::uint64_t used = part == parts.end() ? 0 : part->end - part->first;
    info.members.push_back({member.first, used, member.name_template});
  }
  return DriverInfo{std::string(format::multi_driver_id), format::encode(info, {})};
}

void apply_driver_info(io::VirtualFile& file, const DriverInfo& stored) {
  if (const auto* family = find_terminal<io::FamilyFile>(file);
      family != nullptr && stored.id == format::family_driver_id)
    return check_family(*family, stored);
  if (auto* multi = find_terminal<io::MultiFile>(file);
      multi != nullptr && stored.id == format::multi_driver_id)
    return apply_multi(*multi, stored);
  if (auto* user = find_user_file(file);
      user != nullptr && user->accept({stored.id.substr(0, stored.id.find('\0')), stored.info}))
    return;
  // What the driver of a program has written, others read as well, and leave as it is.
  const bool several =
      find_terminal<io::FamilyFile>(file) != nullptr || find_terminal<io::MultiFile>(file) != nullptr;
  if (several || find_user_file(file) != nullptr || stored.id == format::family_driver_id ||
      stored.id == format::multi_driver_id)
    refuse(stored);
}

void require_no_driver_info(const io::VirtualFile& file) {
  if (find_terminal<io::MultiFile>(file) == nullptr) return;
  throw Error(
      ErrorKind::unsupported,
      "the file does not say that its elements are in a file of their own: the split and multi drivers "
      "cannot read it");
}

}  // namespace filigree::model
