// SPDX-License-Identifier: Apache-2.0
#include "format/messages/fill_value.hpp"

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

namespace {

constexpr unsigned undefined_flag = 0x10;
constexpr unsigned value_flag = 0x20;

template <class Io, class M>
void describe_value(Io& io, M& m) {
  std::uint64_t bytes = m.value.size();
  io.u32("value bytes", bytes);
  io.blob("value", m.value, bytes);
}

template <class Io, class M>
void describe_times(Io& io, M& m) {
  io.range("allocation time", m.allocation, 0, 3);
  io.range("write time", m.write, 0, 2);
}

template <class Io, class M>
void describe_unpacked(Io& io, M& m) {
  io.u8("allocation time", m.allocation);
  io.u8("write time", m.write);
  describe_times(io, m);
  bool defined = m.state != FillState::undefined;
  io.u8("defined", defined);
  if constexpr (Io::decodes) m.state = FillState::undefined;
  if (!defined) return;
  std::uint32_t bytes = m.state == FillState::user ? static_cast<std::uint32_t>(m.value.size()) : 0;
  io.u32("value bytes", bytes);
  // The size is signed in the file: -1 means that the value is undefined, and zero the default value.
  const bool no_value = bytes == 0xffffffff;
  if (bytes > 0x7fffffff) bytes = 0;
  if constexpr (Io::decodes) {
    m.state = no_value ? FillState::undefined : bytes > 0 ? FillState::user : FillState::default_value;
  }
  if (m.state == FillState::user) io.blob("value", m.value, bytes);
}

template <class Io, class M>
void describe_packed(Io& io, M& m) {
  unsigned flags = static_cast<unsigned>(m.allocation) | static_cast<unsigned>(m.write) << 2;
  if (m.state == FillState::undefined) flags |= undefined_flag;
  if (m.state == FillState::user) flags |= value_flag;
  io.u8("flags", flags);
  io.require((flags & 0xc0) == 0, "flags", "has unknown bits");
  const bool is_undefined = (flags & undefined_flag) != 0;
  const bool has_value = (flags & value_flag) != 0;
  io.require(!(is_undefined && has_value), "flags", "gives an undefined value");
  if constexpr (Io::decodes) {
    m.allocation = static_cast<AllocationTime>(flags & 3);
    m.write = static_cast<FillTime>(flags >> 2 & 3);
    m.state = is_undefined ? FillState::undefined : has_value ? FillState::user : FillState::default_value;
  }
  describe_times(io, m);
  if (has_value) describe_value(io, m);
}

}  // namespace

template <class Io, Model<FillValueOld> M>
void describe(Io& io, M& m) {
  describe_value(io, m);
}

template <class Io, Model<FillValue> M>
void describe(Io& io, M& m) {
  io.u8("version", m.version);
  io.range("version", m.version, 1, 3);
  if constexpr (Io::decodes) m.value.clear();
  if (m.version < 3) {
    describe_unpacked(io, m);
  } else {
    describe_packed(io, m);
  }
}

FILIGREE_DESCRIBED(FillValueOld);
FILIGREE_DESCRIBED(FillValue);

}  // namespace filigree::format
