// SPDX-License-Identifier: Apache-2.0
#include "format/messages/link.hpp"

#include <algorithm>
#include <bit>

#include "format/codec/codec_instantiate.hpp"
#include "format/codec/presence.hpp"
#include "format/messages/order_flags.hpp"

namespace filigree::format {

namespace {

namespace link_flag {
constexpr unsigned length_width = 0x03;  // log2 of the width of the name length
constexpr unsigned creation_order = 0x04;
constexpr unsigned kind = 0x08;
constexpr unsigned charset = 0x10;
constexpr unsigned known = 0x1f;
}  // namespace link_flag

std::uint8_t flags_of(const LinkMessage& m) {
  // bytes_to_hold 1, 2, 3-4, 5-8 become the codes 0, 1, 2, 3.
  unsigned flags = std::bit_width(bytes_to_hold(m.name.size()) - 1u);
  if (m.creation_order) flags |= link_flag::creation_order;
  if (m.kind != LinkKind::hard) flags |= link_flag::kind;
  if (m.charset != CharacterSet::ascii) flags |= link_flag::charset;
  return static_cast<std::uint8_t>(flags);
}

/// Whether the value of an external link is a version, then two terminated strings, the first not empty.
/// H5Lcreate_ud stores any value.
bool is_external_value(Bytes value) {
  if (value.empty()) return false;
  const auto version = std::to_integer<unsigned>(value[0]);
  if (version != 0 && version < ' ') return false;
  const Bytes names = value.subspan(version == 0 ? 1 : 0);
  const auto end = std::ranges::find(names, std::byte{0});
  return end != names.begin() && end != names.end() &&
         std::find(end + 1, names.end(), std::byte{0}) != names.end();
}

/// Describes a value that is kept as it is, and returns whether it is one.
template <class Io, class M>
bool describe_kept_value(Io& io, M& m, std::uint64_t bytes) {
  const std::size_t start = io.position();
  if constexpr (Io::decodes) {
    io.blob("external value", m.user_data, bytes);
    if (!is_external_value(m.user_data)) return true;
    m.user_data.clear();
    io.skip_to(start);
    return false;
  } else {
    if (m.external.file.empty()) io.blob("external value", m.user_data, bytes);
    return m.external.file.empty();
  }
}

template <class Io, class M>
void describe_external(Io& io, M& m) {
  if constexpr (Io::decodes) m.external = {};
  std::uint64_t value_bytes =
      m.external.file.empty() ? m.user_data.size() : m.external.file.size() + m.external.path.size() + 3;
  io.u16("external target bytes", value_bytes);
  const std::size_t end = io.position() + value_bytes;
  if (describe_kept_value(io, m, value_bytes)) return;
  std::uint8_t version = 0;
  io.u8("external link version", version);
  if constexpr (Io::decodes) {
    // Beta versions of release 1.8.0 have no version byte: the file name begins there.
    if (version >= ' ') io.skip_to(io.position() - 1);
  }
  io.terminated("external file", m.external.file);
  io.terminated("external path", m.external.path);
  if constexpr (Io::decodes) {
    io.require(io.position() <= end, "external path", "extends beyond the value of the link");
    io.skip_to(end);
  }
}

template <class Io, class M>
void describe_value(Io& io, M& m) {
  switch (m.kind) {
    case LinkKind::hard:
      return io.address("object header", m.header);
    case LinkKind::soft: {
      std::uint64_t target_bytes = m.target.size();
      io.u16("target bytes", target_bytes);
      io.require(target_bytes >= 1, "target bytes", "is zero");
      return io.characters("target", m.target, target_bytes);
    }
    case LinkKind::external:
      return describe_external(io, m);
  }
  std::uint64_t user_bytes = m.user_data.size();
  io.u16("user data bytes", user_bytes);
  io.blob("user data", m.user_data, user_bytes);
}

}  // namespace

template <class Io, Model<LinkMessage> M>
void describe(Io& io, M& m) {
  io.constant("version", 1);
  std::uint8_t flags = flags_of(m);
  io.u8("flags", flags);
  io.require((flags & ~link_flag::known) == 0, "flags", "has unknown bits");
  if constexpr (Io::decodes) {
    m.kind = LinkKind::hard;
    m.charset = CharacterSet::ascii;
  }
  if (flags & link_flag::kind) io.u8("kind", m.kind);
  io.require(m.kind <= LinkKind::soft || m.kind >= LinkKind::external, "kind", "is reserved");
  presence(io, m.creation_order, flags & link_flag::creation_order);
  if (m.creation_order) io.u64("creation order", *m.creation_order);
  if (flags & link_flag::charset) io.u8("charset", m.charset);
  io.range("charset", m.charset, 0, 1);
  std::uint64_t name_bytes = m.name.size();
  io.word("name bytes", name_bytes, 1u << (flags & link_flag::length_width));
  io.require(name_bytes >= 1, "name bytes", "is zero");
  io.characters("name", m.name, name_bytes);
  describe_value(io, m);
}

template <class Io, Model<LinkInfo> M>
void describe(Io& io, M& m) {
  describe_order_flags(io, m);
  if (m.tracks_order) {
    io.u64("next creation order", m.next_order);
    io.require(m.next_order >= 0, "next creation order", "is negative");
  }
  io.address("fractal heap", m.heap);
  io.address("name B-tree", m.name_tree);
  if (m.indexes_order) io.address("creation order B-tree", m.order_tree);
}

template <class Io, Model<GroupInfo> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  std::uint8_t flags = (m.phase ? 1 : 0) | (m.estimate ? 2 : 0);
  io.u8("flags", flags);
  io.require((flags & ~3u) == 0, "flags", "has unknown bits");
  presence(io, m.phase, flags & 1);
  presence(io, m.estimate, flags & 2);
  if (m.phase) {
    io.u16("max compact links", m.phase->max_compact);
    io.u16("min dense links", m.phase->min_dense);
  }
  if (m.estimate) {
    io.u16("estimated entries", m.estimate->entries);
    io.u16("estimated name bytes", m.estimate->name_bytes);
  }
}

template <class Io, Model<SymbolTableMessage> M>
void describe(Io& io, M& m) {
  io.address("B-tree", m.btree);
  io.address("local heap", m.heap);
}

FILIGREE_DESCRIBED(LinkMessage);
FILIGREE_DESCRIBED(LinkInfo);
FILIGREE_DESCRIBED(GroupInfo);
FILIGREE_DESCRIBED(SymbolTableMessage);

}  // namespace filigree::format
