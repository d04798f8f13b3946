// SPDX-License-Identifier: Apache-2.0
#include "model/file/superblock_extension.hpp"

#include <vector>

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {

using format::MessageType;
namespace flag = format::message_flag;

namespace {

format::SharedMessageTableInfo create_shared_messages(store::FileStore& store, const CreateOptions& options) {
  std::vector<store::SharedIndexShape> shapes;
  for (const auto& index : options.shared_messages) {
    std::uint16_t types = 0;
    for (const SharedMessage type : index.types) types |= static_cast<std::uint16_t>(type);
    shapes.push_back({types, index.least_bytes});
  }
  format::SharedMessageTableInfo info;
  info.indexes = static_cast<std::uint8_t>(shapes.size());
  info.table =
      store::SharedMessages::create(store, shapes, options.shared_list_max, options.shared_btree_min);
  return info;
}

}  // namespace

bool has_own_btree_k(const CreateOptions& options) {
  return options.group_leaf_k != 4 || options.group_internal_k != 16 || options.chunk_k != 32;
}

NewExtension create_extension(store::FileStore& store, std::uint8_t version, const CreateOptions& options) {
  store::HeaderShape shape;
  shape.version = version;
  auto header = store::ObjectHeader::create(store, shape, 0);
  NewExtension made{header.address(), std::nullopt};
  if (!options.shared_messages.empty()) {
    made.shared_messages = create_shared_messages(store, options);
    header.add(MessageType::shared_message_table, flag::constant | flag::dont_share,
               format::encode(*made.shared_messages, store.widths()));
  }
  if (has_own_btree_k(options)) {
    const format::BTreeK k{options.chunk_k, options.group_internal_k, options.group_leaf_k};
    header.add(MessageType::btree_k, flag::constant | flag::dont_share, format::encode(k, store.widths()));
  }
  return made;
}

void write_driver_info(store::FileStore& store, Address extension, const DriverInfo& info) {
  const Buffer body = format::encode(format::DriverInfoMessage{info.id, info.info}, store.widths());
  store::ObjectHeader header(store, extension);
  if (const auto stored = header.find(MessageType::driver_info); stored && *stored == body) return;
  header.set(MessageType::driver_info, flag::dont_share, body);
}

}  // namespace filigree::model
