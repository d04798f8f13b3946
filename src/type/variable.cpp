// SPDX-License-Identifier: Apache-2.0
#include "type/variable.hpp"

#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::type {

VariableStorage::VariableStorage(const DatatypeMessage& type)
    : container_(type.container),
      bytes_(container_ != nullptr ? container_->bytes : type.size),
      element_bytes_(type.base.empty() ? 1 : type.base.front().size) {}

void VariableStorage::check(FileValues* file) const {
  if (!in_file()) return;
  if (file == nullptr)
    throw Error(ErrorKind::internal,
                "variable-length values in a file need the file, but the context has none");
  if (bytes_ != 8u + file->offset_bytes()) {
    throw Error(ErrorKind::internal,
                fmt::format("a variable-length value has {} bytes in its datatype, but {} in its file",
                            bytes_, 8u + file->offset_bytes()));
  }
}

VariableValue VariableStorage::get(const std::byte* element, FileValues* file) const {
  VariableValue value;
  if (!in_file()) {
    const Container::View view = container_->view(element);
    value.elements = static_cast<const std::byte*>(view.elements);
    value.count = view.count;
    value.missing = view.missing;
    return value;
  }
  const unsigned width = bytes_ - 8;
  const std::uint64_t at = load_word(element + 4, width);
  if (at == 0 || at == widest_word(width)) return value;
  value.missing = false;
  value.count = load_word(element, 4);
  if (value.count == 0) return value;
  const HeapObject object{to_address(at), static_cast<std::uint32_t>(load_word(element + 4 + width, 4))};
  FileValues::Content content = file->fetch(object);
  if (content.bytes.size() / element_bytes_ < value.count) {
    throw Error(ErrorKind::corrupt,
                fmt::format("a variable-length value declares {} elements of {} bytes, but object {} of the "
                            "heap at {} has {} bytes",
                            value.count, element_bytes_, object.index, to_string(object.collection),
                            content.bytes.size()));
  }
  value.elements = content.bytes.data();
  value.owner = std::move(content.owner);
  return value;
}

void VariableStorage::store(std::byte* element, std::size_t count, Bytes content, FileValues* file) const {
  if (count > 0xffffffffu) {
    throw Error(ErrorKind::limit, fmt::format("a variable-length value has {} elements; a file can hold {}",
                                              count, 0xffffffffu));
  }
  const HeapObject object = file->store(content);
  const unsigned width = bytes_ - 8;
  store_word(element, count, 4);
  store_word(element + 4, to_number(object.collection), width);
  store_word(element + 4 + width, object.index, 4);
}

void VariableStorage::clear(std::byte* element) const {
  if (in_file()) {
    std::memset(element, 0, bytes_);
  } else {
    container_->clear(element);
  }
}

}  // namespace filigree::type
