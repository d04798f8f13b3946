// SPDX-License-Identifier: Apache-2.0
//
// Datasets that grow: their extent, and the elements that were added.
#include <algorithm>
#include <string>
#include <vector>

#include <hdf5_hl.h>

#include "capi/hl/elements.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// The names on the way to a member, outermost first.
using MemberPath = std::vector<std::string>;

/// Splits a list such as "a.b,c". A backslash takes the next character as it is.
std::vector<MemberPath> parse_fields(const char* text) {
  std::vector<MemberPath> fields(1, MemberPath(1));
  const auto end_name = [&] {
    if (fields.back().back().empty()) refuse("a name is missing in the list of fields");
  };
  for (; *text != '\0'; ++text) {
    if (*text == ',') {
      end_name();
      fields.emplace_back(1);
    } else if (*text == '.') {
      end_name();
      fields.back().emplace_back();
    } else {
      if (*text == '\\') ++text;
      if (*text == '\0') refuse("the list of fields ends with a backslash");
      fields.back().back() += *text;
    }
  }
  end_name();
  return fields;
}

/// The bytes of a member within an element.
struct MemberBytes {
  std::size_t offset = 0;
  std::size_t size = 0;
};

MemberBytes find_member(hid_t element_type, const MemberPath& path) {
  MemberBytes found;
  OwnedId type(H5Tcopy(element_type));
  for (const std::string& name : path) {
    const auto member = static_cast<unsigned>(checked(H5Tget_member_index(type, name.c_str())));
    found.offset += H5Tget_member_offset(type, member);
    type = OwnedId(H5Tget_member_type(type, member));
  }
  found.size = H5Tget_size(type);
  return found;
}

std::vector<MemberBytes> find_members(hid_t type, const char* fields) {
  if (H5Tget_class(type) != H5T_COMPOUND) refuse("only elements of a compound type have fields");
  std::vector<MemberBytes> members;
  for (const MemberPath& path : parse_fields(fields)) members.push_back(find_member(type, path));
  return members;
}

OwnedId native_type(hid_t dataset) {
  return OwnedId(H5Tget_native_type(OwnedId(H5Dget_type(dataset)), H5T_DIR_DEFAULT));
}

/// Selects the elements that are in the extent `now` and not in `before`.
void select_added(hid_t space, const hsize_t* before, const hsize_t* now) {
  const auto rank = static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space)));
  std::vector<hsize_t> start(rank, 0), count(rank, 0);
  std::size_t grown = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool grows = now[i] > before[i];
    if (grows) ++grown;
    start[i] = grows ? before[i] : 0;
    count[i] = grows ? now[i] - before[i] : now[i];
  }
  if (grown == 0) refuse("no dimension has grown");
  if (grown == 1) {
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    return;
  }
  const std::vector<hsize_t> origin(rank, 0);
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, origin.data(), nullptr, now, nullptr));
  checked(H5Sselect_hyperslab(space, H5S_SELECT_NOTB, origin.data(), nullptr, before, nullptr));
}

/// Moves the members of each element to the buffer, one after the other.
void move_members(const std::vector<MemberBytes>& members, Elements& elements, std::size_t element_bytes,
                  std::byte* to) {
  for (std::size_t i = 0; i < elements.count(); ++i) {
    std::byte* const element = elements.data() + i * element_bytes;
    for (const MemberBytes& member : members) to = std::copy_n(element + member.offset, member.size, to);
    // The program now owns the variable-length data.
    for (const MemberBytes& member : members) std::fill_n(element + member.offset, member.size, std::byte{0});
  }
}

}  // namespace

herr_t H5LDget_dset_dims(hid_t did, hsize_t* cur_dims) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(cur_dims, "cur_dims");
    const OwnedId space(H5Dget_space(did));
    checked(H5Sget_simple_extent_dims(space, cur_dims, nullptr));
  });
}

size_t H5LDget_dset_type_size(hid_t did, const char* fields) {
  return high_level(std::size_t{0}, outer(__func__), [&](auto&) {
    const OwnedId type = native_type(did);
    if (fields == nullptr) return H5Tget_size(type);
    std::size_t total = 0;
    for (const MemberBytes& member : find_members(type, fields)) total += member.size;
    return total;
  });
}

herr_t H5LDget_dset_elmts(hid_t did, const hsize_t* prev_dims, const hsize_t* cur_dims, const char* fields,
                          void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(prev_dims, "prev_dims");
    required_argument(cur_dims, "cur_dims");
    required_argument(buf, "buf");
    const OwnedId in_file(H5Dget_space(did));
    select_added(in_file, prev_dims, cur_dims);
    const auto count = static_cast<hsize_t>(checked(H5Sget_select_npoints(in_file)));
    if (count == 0) refuse("no elements were added");
    const OwnedId in_memory(H5Screate_simple(1, &count, nullptr));
    const OwnedId type = native_type(did);
    if (fields == nullptr) {
      checked(H5Dread(did, type, in_memory, in_file, H5P_DEFAULT, buf));
      return;
    }
    const std::vector<MemberBytes> members = find_members(type, fields);
    if (checked(H5Sselect_valid(in_file)) == 0) refuse("the dataset is smaller than cur_dims");
    Elements elements(type, static_cast<std::size_t>(count));
    checked(H5Dread(did, type, in_memory, in_file, H5P_DEFAULT, elements.data()));
    move_members(members, elements, H5Tget_size(type), static_cast<std::byte*>(buf));
  });
}
