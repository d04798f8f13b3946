// SPDX-License-Identifier: Apache-2.0
//
// A datatype message: its codec, its description in words, and comparison.
#include <cstdint>

#include "format/messages/datatype.hpp"
#include "round_trip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace filigree;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const format::Widths widths;
  if (!fuzz::round_trip(format::DatatypeMessage{}, bytes, widths)) return 0;
  const auto type = format::decode<format::DatatypeMessage>(bytes, widths);
  (void)format::describe_type(type);
  if (!format::same_type(type, type)) std::abort();
  for (const format::CompoundMember& member : type.members) {
    fuzz::survives([&] { (void)format::member_bytes(member); });
    fuzz::survives([&] { (void)format::describe_type(format::member_type(member)); });
  }
  return 0;
}
