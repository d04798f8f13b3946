// SPDX-License-Identifier: Apache-2.0
//
// Encoded datatypes: the datatype message of a file after two bytes. Variable-length types have their size in
// memory.
#include <algorithm>
#include <cstring>
#include <vector>

#include <filigree/error.hpp>

#include "capi/H5T/type_tools.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/held_datatype.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {
namespace {

constexpr std::byte datatype_message{3};
constexpr std::byte encoding_version{0};
constexpr std::size_t prefix_bytes = 2;
constexpr format::Widths widths{8, 8};

// The caller does not pass the number of bytes, but the encoded type determines where it ends.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

Code cannot_encode() { return {&H5E_DATATYPE_g, &H5E_CANTENCODE_g}; }
Code cannot_decode() { return {&H5E_DATATYPE_g, &H5E_CANTDECODE_g}; }

}  // namespace

std::vector<std::byte> encode_type(const DatatypeMessage& type) {
  format::HeldDatatype held{type};
  type::set_versions(held.type, 1);
  const Buffer body = format::encode(held, widths);
  std::vector<std::byte> bytes{datatype_message, encoding_version};
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

DatatypeMessage decode_type(const std::byte* bytes, std::size_t count) {
  if (count < prefix_bytes || bytes[0] != datatype_message)
    throw Failure(cannot_decode(), "not an encoded datatype");
  if (bytes[1] != encoding_version) throw Failure(cannot_decode(), "an unknown version of encoded datatypes");
  format::HeldDatatype held;
  format::decode(held, Bytes(bytes + prefix_bytes, count - prefix_bytes), widths);
  return memory_form(held.type);
}

}  // namespace filigree::capi

using namespace filigree::capi;

herr_t H5Tencode(hid_t obj_id, void* buf, size_t* nalloc) {
  return api_call({"H5Tencode", cannot_encode(), "unable to encode the datatype"}, [&] {
    const auto type = get_type(obj_id);
    required(nalloc, "nalloc");
    const std::vector<std::byte> bytes = encode_type(*type->value.get());
    if (buf != nullptr && *nalloc >= bytes.size())
      std::memcpy(buf, bytes.data(), bytes.size());
    else
      *nalloc = bytes.size();
  });
}

namespace {

hid_t decode(const char* function, const void* buf, std::size_t count) {
  return api_call({function, cannot_decode(), "unable to decode the datatype"}, [&] {
    const auto* const bytes = static_cast<const std::byte*>(required(buf, "buf"));
    return add_type(decode_type(bytes, std::min(count, most_bytes)));
  });
}

}  // namespace

hid_t H5Tdecode(const void* buf) { return decode(__func__, buf, most_bytes); }
hid_t H5Tdecode1(const void* buf) { return decode(__func__, buf, most_bytes); }
hid_t H5Tdecode2(const void* buf, size_t buf_size) { return decode(__func__, buf, buf_size); }
