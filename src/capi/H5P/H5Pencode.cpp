// SPDX-License-Identifier: Apache-2.0
//
// Encoding and decoding property lists.
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/function_ref.hpp"
#include "capi/H5P/encoded_plist.hpp"
#include "capi/H5P/library_property.hpp"
#include "capi/H5P/plist_calls.hpp"

namespace filigree::capi {
namespace {

constexpr std::byte encoding_version{0};
constexpr std::size_t most_name_bytes = 1024;

Code cannot_encode() { return {&H5E_PLIST_g, &H5E_CANTENCODE_g}; }
Code cannot_decode() { return {&H5E_PLIST_g, &H5E_CANTDECODE_g}; }

PlistType type_of(const PropertyClass& property_class) {
  const PropertyClass* c = &property_class;
  while (c->type == PlistType::user && c->parent != nullptr) c = c->parent.get();
  return c->type;
}

void append_name(std::vector<std::byte>& bytes, const char* name) {
  const auto* const start = reinterpret_cast<const std::byte*>(name);
  bytes.insert(bytes.end(), start, start + std::strlen(name) + 1);
}

/// Appends a user-defined property. Properties without an encode callback are left out.
void append_user_property(std::vector<std::byte>& bytes, const std::string& name,
                          const UserProperty& property) {
  if (property.encode == nullptr) return;
  const auto call = [&](void* to, std::size_t& size) {
    size = 0;
    if (property.encode(property.value.data(), &to, &size) < 0)
      throw CallbackFailure(cannot_encode(), "the function that encodes '" + name + "' failed");
  };
  std::size_t size = 0;
  call(nullptr, size);
  append_name(bytes, name.c_str());
  const std::size_t at = bytes.size();
  bytes.resize(at + size);
  if (size != 0) call(bytes.data() + at, size);
}

/// Calls `use` with each property of HDF5 2.x of a class and its parents.
void for_each_later(const PropertyClass& property_class, FunctionRef<void(const LibraryProperty&)> use) {
  for (const PropertyClass* c = &property_class; c != nullptr; c = c->parent.get())
    for (const LibraryProperty& row : library_properties(c->type))
      if (row.later_name != nullptr) use(row);
}

/// Returns the property, or null when there is none of that name or HDF5 does not encode it. A property of a
/// program precedes one of HDF5 2.x with the same name.
const LibraryProperty* find_encoded(const PropertyListHandle& plist, const char* name) {
  const LibraryProperty* found = find_library_property(*plist.property_class, name);
  if (found == nullptr && !plist.properties.get()->contains(name)) {
    for_each_later(*plist.property_class, [&](const LibraryProperty& row) {
      if (std::strcmp(row.later_name, name) == 0) found = &row;
    });
  }
  return found == nullptr || found->encode == nullptr ? nullptr : found;
}

void append_property(std::vector<std::byte>& bytes, const char* name, const LibraryProperty& property,
                     Settings& settings) {
  PlistCoder coder;
  property.encode(coder, settings);
  append_name(bytes, name);
  bytes.insert(bytes.end(), coder.bytes().begin(), coder.bytes().end());
}

/// Reads the value of a user-defined property, and returns the position behind it.
const std::byte* read_user_property(PropertyListHandle& plist, const char* name, const std::byte* at) {
  UserProperties properties = *plist.properties.get();
  const auto found = properties.find(name);
  if (found == properties.end() || found->second.decode == nullptr)
    PlistCoder::refuse(fmt::format("no property '{}' in lists of this class can be decoded", name));
  const void* position = at;
  if (found->second.decode(&position, found->second.value.data()) < 0)
    throw CallbackFailure(cannot_decode(), fmt::format("the function that decodes '{}' failed", name));
  found->second.of_plist = true;
  plist.properties.set(std::move(properties));
  return static_cast<const std::byte*>(position);
}

const std::byte* read_properties(PropertyListHandle& plist, const std::byte* at) {
  std::unique_ptr<Settings> settings = plist.settings()->clone();
  while (*at != std::byte{0}) {
    const auto* const name = reinterpret_cast<const char*>(at);
    const std::size_t length = strnlen(name, most_name_bytes);
    if (length == most_name_bytes) PlistCoder::refuse("a name without an end");
    at += length + 1;
    if (const LibraryProperty* property = find_encoded(plist, name)) {
      PlistCoder coder(at);
      property->encode(coder, *settings);
      at = coder.at();
      if (property->name != nullptr) settings->keep({property->name});
    } else {
      at = read_user_property(plist, name, at);
    }
  }
  plist.set_settings(std::move(settings));
  return at + 1;
}

herr_t encode(hid_t id, void* buf, size_t* nalloc) {
  const auto plist = ids().find_as<PropertyListHandle>(id);
  if (plist == nullptr) bad_type("not a property list");
  if (nalloc == nullptr) throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "nalloc cannot be NULL");
  const std::vector<std::byte> bytes = encode_plist(*plist);
  if (buf != nullptr) std::memcpy(buf, bytes.data(), bytes.size());
  *nalloc = bytes.size();
  return 0;
}

}  // namespace

std::vector<std::byte> encode_plist(const PropertyListHandle& plist) {
  std::vector<std::byte> bytes{encoding_version, static_cast<std::byte>(type_of(*plist.property_class))};
  const std::unique_ptr<Settings> settings = plist.settings()->clone();
  const auto properties = plist.properties.get();
  for (const std::string& name : property_order(plist)) {
    if (const auto found = properties->find(name); found != properties->end()) {
      append_user_property(bytes, name, found->second);
    } else if (const LibraryProperty* property = find_encoded(plist, name.c_str())) {
      append_property(bytes, property->name, *property, *settings);
    }
  }
  for_each_later(*plist.property_class, [&](const LibraryProperty& row) {
    if (!properties->contains(row.later_name) && !row.equal(*settings, plist.property_class->initial()))
      append_property(bytes, row.later_name, row, *settings);
  });
  bytes.push_back(std::byte{0});
  return bytes;
}

hid_t decode_plist(const std::byte* bytes, std::size_t* used) {
  if (bytes[0] != encoding_version) throw Failure(cannot_decode(), "an unknown version of encoded lists");
  const auto kind = std::to_integer<unsigned>(bytes[1]);
  if (kind <= static_cast<unsigned>(PlistType::root) ||
      kind > static_cast<unsigned>(PlistType::reference_access))
    throw Failure(cannot_decode(), "a class of lists that the library has not");
  const hid_t id = create_plist(library_class(static_cast<PlistType>(kind)));
  try {
    const std::byte* const end = read_properties(*get_plist(id), bytes + 2);
    if (used != nullptr) *used = static_cast<std::size_t>(end - bytes);
  } catch (...) {
    ids().release(id);
    throw;
  }
  return id;
}

}  // namespace filigree::capi

using namespace filigree::capi;

herr_t H5Pencode1(hid_t plist_id, void* buf, size_t* nalloc) {
  return api_call({__func__, cannot_encode(), "unable to encode property list"},
                  [&] { return encode(plist_id, buf, nalloc); });
}

herr_t H5Pencode2(hid_t plist_id, void* buf, size_t* nalloc, hid_t fapl_id) {
  return api_call({__func__, cannot_encode(), "unable to encode property list"}, [&] {
    get_settings<FileAccessSettings>(fapl_id, "a file access property list");
    return encode(plist_id, buf, nalloc);
  });
}

hid_t H5Pdecode(const void* buf) {
  return api_call({__func__, cannot_decode(), "unable to decode property list"}, [&] {
    if (buf == nullptr) throw Failure(cannot_decode(), "there are no bytes to decode");
    return decode_plist(static_cast<const std::byte*>(buf));
  });
}
