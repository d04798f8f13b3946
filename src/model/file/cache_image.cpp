// SPDX-License-Identifier: Apache-2.0
#include "model/file/cache_image.hpp"

#include "format/codec/codec.hpp"
#include "format/messages/file_messages.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

void CacheImage::read(store::FileStore& store, const format::CacheImageMessage& message) {
  if (!is_valid(message.block)) return;
  const Buffer bytes = store.read(message.block, message.bytes, "cache image");
  const auto image = format::decode<format::CacheImage>(bytes, store.widths(), message.block);
  store::EncodedBlocks overlay;
  for (const auto& entry : image.entries) overlay.push_back({entry.address, entry.bytes});
  // The extension was read without the cache image, which may hold a newer version; its messages stay valid.
  store.set_overlay(std::move(overlay));
  present_ = true;
  at_ = message.block;
  bytes_ = message.bytes;
}

void CacheImage::replace_by_structures(store::FileStore& store, Address extension) {
  if (!present_) return;
  store.write_overlay();
  store::ObjectHeader(store, extension).remove(format::MessageType::cache_image);
  present_ = false;
}

}  // namespace filigree::model
