// SPDX-License-Identifier: Apache-2.0
//
// The native connector: its class, its capabilities, and its tokens.
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "capi/H5VL/native_objects.hpp"
#include "capi/core/strings.hpp"

namespace filigree::capi {
namespace {

// Everything up to fill values, except for threads, asynchronous calls and maps.
constexpr std::uint64_t native_capabilities =
    ((std::uint64_t{H5VL_CAP_FLAG_FILL_VALUES} << 1) - 1) &
    ~std::uint64_t{H5VL_CAP_FLAG_THREADSAFE | H5VL_CAP_FLAG_ASYNC | H5VL_CAP_FLAG_MAP_BASIC |
                   H5VL_CAP_FLAG_MAP_MORE};

herr_t get_class(void*, H5VL_get_conn_lvl_t, const H5VL_class_t** found) {
  *found = &native_class();
  return 0;
}

herr_t get_capabilities(const void*, uint64_t* found) {
  *found = native_capabilities;
  return 0;
}

/// Flags of the optional operations of one subclass, by number. Zero: no such operation.
std::span<const std::uint8_t> operation_flags(H5VL_subclass_t subclass) {
  constexpr std::uint8_t known = H5VL_OPT_QUERY_SUPPORTED;
  constexpr std::uint8_t reads = known | H5VL_OPT_QUERY_READ_DATA,
                         asks = known | H5VL_OPT_QUERY_QUERY_METADATA;
  constexpr std::uint8_t changes = known | H5VL_OPT_QUERY_MODIFY_METADATA;
  constexpr std::uint8_t writes = known | H5VL_OPT_QUERY_WRITE_DATA, waits = known | H5VL_OPT_QUERY_NO_ASYNC;
  static constexpr std::uint8_t attribute[] = {waits};
  static constexpr std::uint8_t dataset[] = {changes, asks,  asks,   asks, asks,
                                             asks,    reads, writes, asks, asks};
  static constexpr std::uint8_t file[] = {
      changes, asks | reads, asks,  asks,    asks,    asks,  asks,
      asks,    asks,         asks,  changes, changes, asks,  changes | writes | waits,
      known,   known,        known, known,   known,   known, known,
      known,   known,        known, known,   known,   0,     0,
      known};
  static constexpr std::uint8_t group[] = {waits, asks};
  static constexpr std::uint8_t object[] = {asks, changes, known, known, known, asks};
  switch (subclass) {
    case H5VL_SUBCLS_ATTR:
      return attribute;
    case H5VL_SUBCLS_DATASET:
      return dataset;
    case H5VL_SUBCLS_FILE:
      return file;
    case H5VL_SUBCLS_GROUP:
      return group;
    case H5VL_SUBCLS_OBJECT:
      return object;
    default:
      return {};
  }
}

herr_t query_optional(void*, H5VL_subclass_t subclass, int operation, uint64_t* flags) {
  const auto known = operation_flags(subclass);
  const auto number = static_cast<std::size_t>(operation);
  *flags = H5VL_OPT_QUERY_SUPPORTED;  // HDF5 sets this even for operations that it refuses
  if (operation < 0 || number >= known.size() || known[number] == 0) return -1;
  *flags = known[number];
  return 0;
}

herr_t compare_tokens(void*, const H5O_token_t* a, const H5O_token_t* b, int* result) {
  *result = std::memcmp(a, b, sizeof *a);
  return 0;
}

herr_t token_to_text(void* object, H5I_type_t, const H5O_token_t* token, char** text) {
  return native_call(herr_t{-1}, [&] {
    *text = new_string(fmt::format("{}", native_address(native_id(object), *token)));
    return 0;
  });
}

herr_t text_to_token(void* object, H5I_type_t, const char* text, H5O_token_t* token) {
  return native_call(herr_t{-1}, [&] {
    std::uint64_t address = 0;
    const char* const end = text + std::strlen(text);
    if (std::from_chars(text, end, address).ptr != end || text == end) bad_value("token_str is no number");
    *token = native_token(native_id(object), address);
    return 0;
  });
}

H5VL_class_t make_class() {
  H5VL_class_t made{};
  made.version = H5VL_VERSION;
  made.value = H5VL_NATIVE_VALUE;
  made.name = H5VL_NATIVE_NAME;
  made.conn_version = H5VL_NATIVE_VERSION;
  made.cap_flags = native_capabilities;
  made.attr_cls = native_attributes;
  made.dataset_cls = native_datasets;
  made.datatype_cls = native_datatypes;
  made.file_cls = native_files;
  made.group_cls = native_groups;
  made.link_cls = native_links;
  made.object_cls = native_object_calls;
  made.introspect_cls = {get_class, get_capabilities, query_optional};
  made.token_cls = {compare_tokens, token_to_text, text_to_token};
  return made;
}

}  // namespace

const H5VL_class_t& native_class() {
  static const H5VL_class_t native = make_class();
  return native;
}

unsigned address_bytes(hid_t id) { return object_in_file(id)->open()->file.creation_options().offset_bytes; }

H5O_token_t native_token(hid_t id, haddr_t address) {
  H5O_token_t token{};
  store_word(reinterpret_cast<std::byte*>(&token), address, address_bytes(id));
  return token;
}

haddr_t native_address(hid_t id, const H5O_token_t& token) {
  const unsigned width = address_bytes(id);
  const std::uint64_t address = load_word(reinterpret_cast<const std::byte*>(&token), width);
  return address == widest_word(width) ? HADDR_UNDEF : address;
}

std::uint64_t capabilities(const H5VL_class_t& functions, const void* info) {
  if (functions.introspect_cls.get_cap_flags == nullptr)
    throw NestedFailure({&H5E_VOL_g, &H5E_UNSUPPORTED_g},
                        fmt::format("the VOL connector '{}' does not tell its capabilities", functions.name));
  std::uint64_t found = 0;
  if (functions.introspect_cls.get_cap_flags(info, &found) < 0)
    throw NestedFailure(
        {&H5E_VOL_g, &H5E_CANTGET_g},
        fmt::format("the VOL connector '{}' failed to tell its capabilities", functions.name));
  return found;
}

}  // namespace filigree::capi
