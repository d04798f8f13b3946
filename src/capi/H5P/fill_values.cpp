// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/fill_values.hpp"

#include <cstring>

#include "api/type_access.hpp"
#include "capi/H5T/conversions.hpp"
#include "type/conversion.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {
namespace {

const format::DatatypeMessage& message_of(const Datatype& type) {
  return api::TypeAccess::impl(type).message;
}

/// Converts one element. Variable-length data is copied.
void convert_one(const format::DatatypeMessage& from, const void* value, const format::DatatypeMessage& to,
                 void* result) {
  // Only the natural rules copy the data that C pointers point to.
  const auto conversion = type::prepare(from, to, {type::Rules::natural, &user_conversions()});
  std::memset(result, 0, to.size);
  conversion->apply(
      {static_cast<const std::byte*>(value), from.size, static_cast<std::byte*>(result), to.size, 1}, {});
}

struct OwnedValue {
  OwnedValue(const Datatype& of, std::size_t size) : type(of), bytes(size) {}
  OwnedValue(const OwnedValue&) = delete;
  OwnedValue& operator=(const OwnedValue&) = delete;
  ~OwnedValue() { type::reclaim(message_of(type), bytes.data(), 1, nullptr); }
  Datatype type;
  std::vector<std::byte> bytes;
};

}  // namespace

FillSetting copy_fill(const Datatype& type, const void* element) {
  FillSetting fill;
  fill.state = H5D_FILL_VALUE_USER_DEFINED;
  fill.type = type;
  const auto* const bytes = static_cast<const std::byte*>(element);
  if (!type.has_variable_parts()) {
    fill.value.assign(bytes, bytes + type.size());
    return fill;
  }
  const auto owned = std::make_shared<OwnedValue>(type, type.size());
  convert_one(message_of(type), element, message_of(type), owned->bytes.data());
  fill.value = owned->bytes;
  fill.keep = owned;
  return fill;
}

void read_fill(const FillSetting& fill, const Datatype& type, void* element) {
  const format::DatatypeMessage& to = message_of(type);
  // The default value is zeros in every datatype, whether there is a conversion or not.
  if (fill.state != H5D_FILL_VALUE_USER_DEFINED) return void(std::memset(element, 0, to.size));
  convert_one(message_of(*fill.type), fill.value.data(), to, element);
}

}  // namespace filigree::capi
