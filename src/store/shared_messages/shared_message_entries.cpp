// SPDX-License-Identifier: Apache-2.0
#include "store/shared_messages/shared_message_entries.hpp"

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"

namespace filigree::store {
namespace {

constexpr std::size_t signature_and_checksum = 8;

}  // namespace

SharedTableEntry::SharedTableEntry(format::SharedMessageTable decoded, const format::Widths& widths)
    : Entry(entry_kind), table(std::move(decoded)), widths_(widths) {}

std::size_t SharedTableEntry::memory_bytes() const {
  return sizeof *this + table.indexes.size() * sizeof(format::SharedMessageIndex);
}

void SharedTableEntry::encode(EncodedBlocks& out) const {
  out.push_back({address(), format::encode(table, widths_)});
}

SharedListEntry::SharedListEntry(format::SharedMessageList decoded, std::uint16_t list_maximum,
                                 const format::Widths& widths)
    : Entry(entry_kind),
      list(std::move(decoded)),
      block_bytes_(shared_list_bytes(list_maximum, widths)),
      widths_(widths) {}

std::size_t SharedListEntry::memory_bytes() const {
  return sizeof *this + list.records.size() * sizeof(format::SharedMessageRecord);
}

void SharedListEntry::encode(EncodedBlocks& out) const {
  Buffer block(block_bytes_);
  format::encode(list, MutableBytes(block), widths_);
  out.push_back({address(), std::move(block)});
}

std::size_t shared_list_bytes(std::uint16_t list_maximum, const format::Widths& widths) {
  return signature_and_checksum + list_maximum * format::shared_message_record_bytes(widths);
}

std::shared_ptr<const SharedTableEntry> load_shared_table(const FileStore& store, Address at,
                                                          std::uint8_t index_count) {
  return store.cache().get<SharedTableEntry>(at, [&] {
    const format::Widths& widths = store.widths();
    const std::size_t bytes = signature_and_checksum + index_count * (14u + 2u * widths.offset_bytes);
    format::SharedMessageTable table{.index_count = index_count};
    format::decode(table, Bytes(store.read(at, bytes, table.structure)), widths, at);
    return std::make_shared<SharedTableEntry>(std::move(table), widths);
  });
}

std::shared_ptr<const SharedListEntry> load_shared_list(const FileStore& store,
                                                        const format::SharedMessageIndex& index) {
  return store.cache().get<SharedListEntry>(index.records, [&] {
    const format::Widths& widths = store.widths();
    format::SharedMessageList list{.record_count = index.messages};
    const Buffer used = store.read(index.records, shared_list_bytes(index.messages, widths), list.structure);
    format::decode(list, Bytes(used), widths, index.records);
    return std::make_shared<SharedListEntry>(std::move(list), index.list_maximum, widths);
  });
}

}  // namespace filigree::store
