// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/external_files.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/heaps/local_heap.hpp"

namespace filigree::model {

using format::MessageType;

Buffer make_external_message(File& file, std::span<const ExternalSegment> segments) {
  std::uint64_t heap_bytes = 8;  // the empty string
  for (const ExternalSegment& segment : segments) heap_bytes += pad8(segment.path.size() + 1);
  store::LocalHeap heap(file.store(), store::LocalHeap::create(file.store(), heap_bytes));
  try {
    format::ExternalFiles message;
    message.heap = heap.address();
    message.allocated = static_cast<std::uint16_t>(segments.size());
    for (const ExternalSegment& segment : segments)
      message.files.push_back({heap.insert(segment.path), segment.offset, segment.bytes});
    return format::encode(message, file.store().widths());
  } catch (...) {
    heap.destroy();
    throw;
  }
}

void destroy_external_names(File& file, Bytes message) {
  const auto decoded = format::decode<format::ExternalFiles>(message, file.store().widths());
  store::LocalHeap(file.store(), decoded.heap).destroy();
}

std::vector<ExternalSegment> load_external(File& file, Address header) {
  const auto body = find_message(file, header, MessageType::external_files);
  if (!body) return {};
  const auto message = format::decode<format::ExternalFiles>(*body, file.store().widths(), header);
  std::vector<ExternalSegment> segments;
  if (message.files.empty()) return segments;
  const auto names = store::LocalHeap(file.store(), message.heap).entry();
  for (const format::ExternalFile& stored : message.files) {
    ExternalSegment& segment = segments.emplace_back();
    segment.path = names->string_at(stored.name_offset);
    segment.offset = stored.file_offset;
    segment.bytes = stored.bytes;
    if (segment.path.empty()) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("dataset at {}: one of its external files has no name", to_string(header)));
    }
  }
  return segments;
}

std::uint64_t external_bytes(std::span<const ExternalSegment> segments) {
  std::uint64_t sum = 0;
  for (const ExternalSegment& segment : segments) {
    if (segment.bytes == format::unlimited) return format::unlimited;
    checked_add(segment.offset, segment.bytes, "the end of an external file");
    sum = checked_add(sum, segment.bytes, "the bytes of the external files");
  }
  return sum;
}

}  // namespace filigree::model
