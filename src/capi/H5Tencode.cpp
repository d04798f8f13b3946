// SPDX-License-Identifier: Apache-2.0
//
// Datatypes as bytes: the message of files, with two bytes in front, and values of variable length in their
// size in memory.
#include <cstring>

#include <filigree/error.hpp>

#include "capi/type_tools.hpp"
#include "format/codec.hpp"
#include "format/held_datatype.hpp"
#include "type/forms.hpp"

namespace filigree::capi {
namespace {

constexpr std::byte datatype_message{3};
constexpr std::byte encoding_version{0};
constexpr std::size_t prefix_bytes = 2;
constexpr format::Widths widths{8, 8};

// The caller does not say how many bytes there are; a type says itself where it ends.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

Code cannot_encode() { return {&H5E_DATATYPE_g, &H5E_CANTENCODE_g}; }
Code cannot_decode() { return {&H5E_DATATYPE_g, &H5E_CANTDECODE_g}; }

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;
using filigree::format::HeldDatatype;

herr_t H5Tencode(hid_t obj_id, void* buf, size_t* nalloc) {
  return enter({"H5Tencode", cannot_encode(), "unable to encode the datatype"}, [&] {
    const auto type = get_type(obj_id);
    required(nalloc, "nalloc");
    HeldDatatype held{*type->value.get()};
    filigree::type::set_versions(held.type, 1);
    const filigree::Buffer body = filigree::format::encode(held, widths);
    const std::size_t need = prefix_bytes + body.size();
    if (buf == nullptr || *nalloc < need) {
      *nalloc = need;
      return;
    }
    auto* const out = static_cast<std::byte*>(buf);
    out[0] = datatype_message;
    out[1] = encoding_version;
    std::memcpy(out + prefix_bytes, body.data(), body.size());
  });
}

hid_t H5Tdecode(const void* buf) {
  return enter({"H5Tdecode", cannot_decode(), "unable to decode the datatype"}, [&] {
    const auto* const bytes = static_cast<const std::byte*>(required(buf, "buf"));
    if (bytes[0] != datatype_message) throw Failure(cannot_decode(), "not an encoded datatype");
    if (bytes[1] != encoding_version)
      throw Failure(cannot_decode(), "an unknown version of encoded datatypes");
    HeldDatatype held;
    filigree::format::decode(held, filigree::Bytes(bytes + prefix_bytes, most_bytes), widths);
    return add_type(held_form(held.type));
  });
}
