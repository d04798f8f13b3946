// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/header_messages.hpp"

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/file/file.hpp"
#include "store/file_store.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {

using format::MessageType;
namespace flag = format::message_flag;

void add_shareable(File& file, store::ObjectHeader& header, MessageType type, std::uint8_t flags,
                   Bytes body) {
  store::SharedMessages* shared = file.shared_messages();
  const auto id = shared != nullptr ? shared->share(type, body) : std::nullopt;
  if (!id) return header.add(type, flags, body);
  format::SharedReference reference;
  reference.version = 3;
  reference.kind = format::SharedKind::heap;
  reference.heap_id = *id;
  try {
    header.add(type, flags | flag::shared, format::encode(reference, file.store().widths()));
  } catch (...) {
    shared->release(type, *id);
    throw;
  }
}

void replace_body(File& file, Address header, MessageType type, Bytes body) {
  auto handle = store::ObjectHeader::keeping(file.store(), header);
  const auto entry = handle.load();
  const auto* m = entry->find(type);
  if (m == nullptr) throw Error(ErrorKind::internal, "replacing a message that the header does not have");
  const std::uint8_t flags = m->slot.flags;
  Buffer old;
  if ((flags & (flag::shared | flag::shareable)) != 0) {
    const Bytes body_before = entry->body(*m);
    old.assign(body_before.begin(), body_before.end());
  }
  handle.replace(static_cast<std::size_t>(m - entry->messages.data()), body,
                 flags & static_cast<std::uint8_t>(~(flag::shared | flag::shareable)));
  store::SharedMessages* shared = file.shared_messages();
  if (shared == nullptr) return;
  if ((flags & flag::shareable) != 0) shared->forget_in_header(type, header, old);
  if ((flags & flag::shared) == 0) return;
  const auto reference = format::decode<format::SharedReference>(old, file.store().widths(), header);
  if (reference.kind == format::SharedKind::heap) shared->release(type, reference.heap_id);
}

}  // namespace filigree::model
