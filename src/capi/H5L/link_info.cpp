// SPDX-License-Identifier: Apache-2.0
#include "capi/H5L/link_info.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5L/user_links.hpp"

namespace filigree::capi {
namespace {

H5L_type_t link_type(const Link& link) {
  switch (link.kind) {
    case LinkKind::hard:
      return H5L_TYPE_HARD;
    case LinkKind::soft:
      return H5L_TYPE_SOFT;
    case LinkKind::external:
      return H5L_TYPE_EXTERNAL;
    case LinkKind::user:
      break;
  }
  return static_cast<H5L_type_t>(link.user_kind);
}

/// Checks the version and the flags of an external link that was created with another value.
void check_value(const Link& link) {
  if (link.kind != LinkKind::user || link.user_kind != H5L_TYPE_EXTERNAL) return;
  if (link.user_data.empty() || link.user_data[0] != std::byte{0})
    throw NestedFailure({&H5E_LINK_g, &H5E_CANTDECODE_g}, "bad version number for external link");
}

template <class Info>
Info common_info(const Link& link) {
  Info info{};
  info.type = link_type(link);
  info.corder_valid = link.creation_order.has_value();
  info.corder = link.creation_order.value_or(0);
  info.cset = link.charset == CharacterSet::utf8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII;
  if (link.kind != LinkKind::hard) info.u.val_size = link_value_bytes(link);
  return info;
}

template <class Info>
void add_common(Info& info, const Location& at, const ObjectInfo& known, unsigned fields) {
  if ((fields & H5O_INFO_BASIC) != 0) {
    info.fileno = at.open->shared->number;
    info.type = object_type(known.kind);
    info.rc = known.link_count;
  }
  if ((fields & H5O_INFO_TIME) != 0) {
    info.atime = known.accessed.value_or(0);
    info.mtime = known.written.value_or(0);
    info.ctime = known.modified.value_or(0);
    info.btime = known.created.value_or(0);
  }
  if ((fields & H5O_INFO_NUM_ATTRS) != 0) info.num_attrs = known.attributes;
}

H5O_hdr_info_t header_info(const ObjectInfo& known) {
  H5O_hdr_info_t info{};
  info.version = known.header_version;
  info.nmesgs = known.header_messages;
  info.nchunks = known.header_blocks;
  constexpr unsigned hdf5_flags_of_version_1 = 0x20;
  info.flags = known.header_version == 1 ? hdf5_flags_of_version_1 : known.header_flags;
  info.space.total = known.header_bytes;
  info.space.mesg = known.header_message_bytes;
  info.space.free = known.header_free_bytes;
  info.space.meta = info.space.total - info.space.mesg - info.space.free;
  info.mesg.present = known.messages_present;
  info.mesg.shared = known.messages_shared;
  return info;
}

}  // namespace

std::vector<std::byte> link_value(const Link& link) {
  std::string text;
  switch (link.kind) {
    case LinkKind::hard:
      throw NestedFailure({&H5E_LINK_g, &H5E_BADTYPE_g}, "a hard link has no value");
    case LinkKind::soft:
      text = link.target + '\0';
      break;
    case LinkKind::external:
      text = std::string(1, '\0') + link.file + '\0' + link.target +
             '\0';  // a byte with version and flags comes first
      break;
    case LinkKind::user:
      return link.user_data;
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

std::size_t link_value_bytes(const Link& link) {
  check_value(link);
  if (link.kind == LinkKind::user && link.user_kind != H5L_TYPE_EXTERNAL) {
    const auto used = find_link_class(link.user_kind);
    if (used != nullptr && used->functions.query_func != nullptr) {
      const ssize_t size = used->functions.query_func(link.name.c_str(), link.user_data.data(),
                                                      link.user_data.size(), nullptr, 0);
      if (size < 0)
        throw NestedFailure({&H5E_LINK_g, &H5E_CALLBACK_g}, "query callback of the link class failed");
      return static_cast<std::size_t>(size);
    }
    return 0;
  }
  return link_value(link).size();
}

void copy_link_value(const Link& link, void* buffer, std::size_t size) {
  check_value(link);
  if (link.kind == LinkKind::user && link.user_kind != H5L_TYPE_EXTERNAL) {
    const auto used = find_link_class(link.user_kind);
    if (used != nullptr && used->functions.query_func != nullptr) {
      if (used->functions.query_func(link.name.c_str(), link.user_data.data(), link.user_data.size(), buffer,
                                     size) < 0)
        throw NestedFailure({&H5E_LINK_g, &H5E_CALLBACK_g}, "query callback of the link class failed");
      return;
    }
    if (buffer != nullptr && size > 0) *static_cast<char*>(buffer) = '\0';
    return;
  }
  const std::vector<std::byte> value = link_value(link);
  if (buffer == nullptr || size == 0) return;
  const std::size_t count = std::min(size, value.size());
  std::memcpy(buffer, value.data(), count);
  if (link.kind != LinkKind::soft) return;
  // The rest of the buffer is cleared, and the value always ends with a NUL.
  std::memset(static_cast<char*>(buffer) + count, 0, size - count);
  static_cast<char*>(buffer)[size - 1] = '\0';
}

H5L_info1_t link_info1(const Link& link) {
  auto info = common_info<H5L_info1_t>(link);
  if (link.kind == LinkKind::hard) info.u.address = link.address;
  return info;
}

H5L_info2_t link_info2(const Link& link) {
  auto info = common_info<H5L_info2_t>(link);
  if (link.kind == LinkKind::hard) info.u.token = token_of(link.address);
  return info;
}

H5O_token_t token_of(std::uint64_t address) {
  H5O_token_t token{};
  std::memcpy(&token, &address, sizeof address);
  return token;
}

std::uint64_t address_of(const H5O_token_t& token) {
  std::uint64_t address = 0;
  std::memcpy(&address, &token, sizeof address);
  return address;
}

H5O_type_t object_type(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::group:
      return H5O_TYPE_GROUP;
    case ObjectKind::dataset:
      return H5O_TYPE_DATASET;
    case ObjectKind::datatype:
      break;
  }
  return H5O_TYPE_NAMED_DATATYPE;
}

H5O_info1_t object_info1(const Location& at, unsigned fields) {
  H5O_info1_t info{};
  const ObjectInfo known = at.object.info();
  add_common(info, at, known, fields);
  if ((fields & H5O_INFO_BASIC) != 0) info.addr = known.address;
  if ((fields & H5O_INFO_HDR) != 0) info.hdr = header_info(known);
  if ((fields & H5O_INFO_META_SIZE) != 0) {
    const H5O_native_info_t native = native_info(at, H5O_NATIVE_INFO_META_SIZE);
    info.meta_size.obj = native.meta_size.obj;
    info.meta_size.attr = native.meta_size.attr;
  }
  return info;
}

H5O_info2_t object_info2(const Location& at, unsigned fields) {
  H5O_info2_t info{};
  const ObjectInfo known = at.object.info();
  add_common(info, at, known, fields);
  if ((fields & H5O_INFO_BASIC) != 0) info.token = token_of(known.address);
  return info;
}

H5O_native_info_t native_info(const Location& at, unsigned fields) {
  H5O_native_info_t info{};
  if ((fields & H5O_NATIVE_INFO_HDR) != 0) info.hdr = header_info(at.object.info());
  if ((fields & H5O_NATIVE_INFO_META_SIZE) != 0) {
    const ObjectMetadata metadata = at.object.metadata();
    info.meta_size.obj = {metadata.object.index, metadata.object.heap};
    info.meta_size.attr = {metadata.attributes.index, metadata.attributes.heap};
  }
  return info;
}

namespace {

void require_order(const Group& group, const IterationOrder& order) {
  if (order.by != IndexBy::creation_order || group.group_info().order_tracked) return;
  throw NestedFailure({&H5E_SYM_g, &H5E_NOTFOUND_g}, "creation order not tracked for links in group");
}

}  // namespace

std::vector<Link> links_of(const Location& at, const IterationOrder& order) {
  const Group group = at.group();
  require_order(group, order);
  return group.links(order.by, order.direction);
}

Link link_at(const Location& at, const IterationOrder& order, hsize_t position) {
  const Group group = at.group();
  require_order(group, order);
  if (position >= group.size()) throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "index out of bound");
  return group.link_at(position, order.by, order.direction);
}

herr_t iterate_links(const Location& group, const IterationOrder& order, hsize_t* position,
                     const std::function<herr_t(const Link&)>& visit) {
  const std::vector<Link> links = links_of(group, order);
  const hsize_t first = position == nullptr ? 0 : *position;
  if (first > 0 && first >= links.size())
    throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "the index to start from is out of range");
  herr_t result = 0;
  hsize_t next = first;
  while (next < links.size() && result == 0) result = visit(links[next++]);
  if (position != nullptr && result >= 0) *position = next;
  return result;
}

namespace {

using FileObject = std::pair<const SharedFile*, std::uint64_t>;

struct Level {
  Location group;
  std::string prefix;
  std::vector<Link> links;
  std::size_t next = 0;
};

/// Returns the group that a hard link leads to, unless it was visited before.
std::optional<Location> unvisited_group(const Location& group, const Link& link,
                                        std::set<FileObject>& entered) {
  if (link.kind != LinkKind::hard) return std::nullopt;
  const LinkAccess access = link_access(H5P_DEFAULT);
  Location at = resolve_link({group, link.name, link}, access);
  if (at.object.kind() != ObjectKind::group) return std::nullopt;
  if (!entered.emplace(at.open->shared.get(), at.object.address()).second) return std::nullopt;
  return at;
}

/// Recursive iteration uses the order of names in groups that do not track creation order.
IterationOrder kept_order(const Location& at, IterationOrder order) {
  if (order.by == IndexBy::creation_order && !at.group().group_info().order_tracked) order.by = IndexBy::name;
  return order;
}

}  // namespace

herr_t visit_links(const Location& start, const IterationOrder& order,
                   const std::function<herr_t(const std::string&, const Location&, const Link&)>& visit) {
  std::set<FileObject> entered{FileObject(start.open->shared.get(), start.object.address())};
  std::vector<Level> levels;
  levels.push_back({start, "", links_of(start, kept_order(start, order))});
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.links.size()) {
      levels.pop_back();
      continue;
    }
    const Link link = std::move(level.links[level.next++]);
    const std::string path = level.prefix + link.name;
    if (const herr_t result = visit(path, level.group, link); result != 0) return result;
    auto inner = unvisited_group(level.group, link, entered);
    if (!inner) continue;
    std::vector<Link> links = links_of(*inner, kept_order(*inner, order));
    levels.push_back({std::move(*inner), path + "/", std::move(links)});
  }
  return 0;
}

herr_t visit_objects(const Location& start, const IterationOrder& order,
                     const std::function<herr_t(const std::string&, const Location&)>& visit) {
  if (const herr_t result = visit(".", start); result != 0) return result;
  if (start.object.kind() != ObjectKind::group) return 0;
  std::set<FileObject> seen{FileObject(start.open->shared.get(), start.object.address())};
  const LinkAccess access = link_access(H5P_DEFAULT);
  return visit_links(start, order, [&](const std::string& path, const Location& group, const Link& link) {
    if (link.kind != LinkKind::hard) return herr_t{0};
    const Location at = resolve_link({group, link.name, link}, access);
    if (!seen.emplace(at.open->shared.get(), at.object.address()).second) return herr_t{0};
    return visit(path, at);
  });
}

}  // namespace filigree::capi
