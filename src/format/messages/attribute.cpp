// SPDX-License-Identifier: Apache-2.0
#include "format/messages/attribute.hpp"

#include <algorithm>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

namespace {

constexpr unsigned shared_datatype_flag = 1;
constexpr unsigned shared_dataspace_flag = 2;

template <class Io, class M>
void describe_flags(Io& io, M& m) {
  unsigned flags =
      (m.shared_datatype ? shared_datatype_flag : 0) | (m.shared_dataspace ? shared_dataspace_flag : 0);
  if (m.version == 1) {
    io.require(flags == 0, "flags", "cannot be stored by version 1");
    io.reserved(1);
    return;
  }
  io.u8("flags", flags);
  io.require((flags & ~(shared_datatype_flag | shared_dataspace_flag)) == 0, "flags", "has unknown bits");
  if constexpr (Io::decodes) {
    m.shared_datatype = (flags & shared_datatype_flag) != 0;
    m.shared_dataspace = (flags & shared_dataspace_flag) != 0;
  }
}

/// The field is padded with at least one NUL.
template <class Io, class M>
void describe_name(Io& io, M& m, std::uint64_t bytes) {
  std::string field(m.name);
  if constexpr (!Io::decodes) {
    io.require(field.find('\0') == std::string::npos, "name", "holds a NUL character");
    field.resize(static_cast<std::size_t>(bytes));
  }
  io.characters("name", field, bytes);
  if constexpr (Io::decodes) {
    const auto end = field.find('\0');
    const bool clean = end != std::string::npos && field.find_first_not_of('\0', end) == std::string::npos;
    io.require(io.faulty() || clean, "name", "does not end at its only NUL");
    m.name = field.substr(0, end);
    m.name_bytes = static_cast<std::uint16_t>(bytes > m.name.size() + 1 ? bytes : 0);
  }
}

}  // namespace

template <class Io, Model<AttributeMessage> M>
void describe(Io& io, M& m) {
  if constexpr (Io::decodes) m = AttributeMessage{};
  std::uint64_t name_bytes = std::max<std::uint64_t>(m.name_bytes, m.name.size() + 1);
  std::uint64_t datatype_bytes = m.datatype.size();
  std::uint64_t dataspace_bytes = m.dataspace.size();
  io.u8("version", m.version);
  io.range("version", m.version, 1, 3);
  describe_flags(io, m);
  io.u16("name bytes", name_bytes);
  io.range("name bytes", name_bytes, 1, 65535);
  io.u16("datatype bytes", datatype_bytes);
  io.u16("dataspace bytes", dataspace_bytes);
  if (m.version == 3) {
    io.u8("name character set", m.character_set);
    io.range("name character set", m.character_set, 0, 1);
  }
  const auto pad = [&](std::uint64_t bytes) {
    if (m.version == 1) io.reserved(static_cast<std::size_t>(pad8(bytes) - bytes));
  };
  describe_name(io, m, name_bytes);
  pad(name_bytes);
  io.blob("datatype", m.datatype, datatype_bytes);
  pad(datatype_bytes);
  io.blob("dataspace", m.dataspace, dataspace_bytes);
  pad(dataspace_bytes);
  io.rest("data", m.data);
}

FILIGREE_DESCRIBED(AttributeMessage);

}  // namespace filigree::format
