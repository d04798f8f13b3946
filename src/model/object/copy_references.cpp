// SPDX-License-Identifier: Apache-2.0
#include "model/object/copy_references.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <filigree/error.hpp>

#include "base/bytes.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/heap/heap_values.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::DatatypeMessage;
using format::ReferenceKind;

namespace {

/// Translates elements of one reference type between files with the same size of addresses.
class Translator {
 public:
  Translator(File& from, File& to, CopyOf copy_of)
      : from_(from), to_(to), width_(from.store().widths().offset_bytes), copy_of_(copy_of) {}

  bool can(const DatatypeMessage& type) const {
    return type.type_class == format::TypeClass::reference && to_.store().widths().offset_bytes == width_ &&
           type.size == reference_bytes(type.reference);
  }

  void translate(const DatatypeMessage& type, MutableBytes elements) {
    HeapFileValues source(from_, elements.size() / type.size);
    HeapFileValues target(to_);
    for (std::size_t at = 0; at + type.size <= elements.size(); at += type.size)
      translate_one(source, target, type, elements.subspan(at, type.size));
  }

  /// Clears a reference that leads to no copy.
  void translate_one(HeapFileValues& source, HeapFileValues& target, const DatatypeMessage& type,
                     MutableBytes element) {
    const bool made =
        can(type) && (type.reference == ReferenceKind::object   ? translate_address(element)
                      : type.reference == ReferenceKind::region ? translate_region(source, target, element)
                                                                : translate_revised(source, target, element));
    if (!made) std::ranges::fill(element, std::byte{0});
  }

 private:
  std::uint32_t reference_bytes(ReferenceKind kind) const {
    if (kind == ReferenceKind::object) return width_;
    return kind == ReferenceKind::region ? width_ + 4u : width_ + 10u;
  }

  bool translate_address(MutableBytes place) {
    const std::uint64_t at = load_word(place.data(), width_);
    if (at == 0 || at == widest_word(width_)) return false;
    const Address copy = copy_of_(to_address(at));
    if (!is_valid(copy)) return false;
    store_word(place.data(), to_number(copy), width_);
    return true;
  }

  bool translate_region(HeapFileValues& source, HeapFileValues& target, MutableBytes element) {
    const std::uint64_t collection = load_word(element.data(), width_);
    if (collection == 0 || collection == widest_word(width_)) return false;
    const auto index = static_cast<std::uint32_t>(load_word(element.data() + width_, 4));
    const auto content = source.fetch({to_address(collection), index});
    if (content.bytes.size() < width_) return false;
    Buffer region(content.bytes.begin(), content.bytes.end());
    if (!translate_address(MutableBytes(region).first(width_))) return false;
    const auto stored = target.store(region);
    store_word(element.data(), to_number(stored.collection), width_);
    store_word(element.data() + width_, stored.index, 4);
    return true;
  }

  /// References of HDF5 1.12: kind, flags, then the token with its length, or the identifier of a heap object
  /// that begins with both.
  bool translate_revised(HeapFileValues& source, HeapFileValues& target, MutableBytes element) {
    constexpr std::byte object{2}, external{1};
    if (element[0] == std::byte{0}) return false;
    if (element[0] == object && element[1] == std::byte{0}) return translate_token(element.subspan(2));
    const std::uint64_t collection = load_word(element.data() + 6, width_);
    if (collection == 0 || collection == widest_word(width_)) return false;
    const auto index = static_cast<std::uint32_t>(load_word(element.data() + 6 + width_, 4));
    const auto content = source.fetch({to_address(collection), index});
    Buffer reference(content.bytes.begin(), content.bytes.end());
    // The target of a reference to another file is not copied.
    const bool leads_elsewhere = (element[1] & external) != std::byte{0};
    if (!leads_elsewhere && !translate_token(reference)) return false;
    const auto stored = target.store(reference);
    store_word(element.data() + 6, to_number(stored.collection), width_);
    store_word(element.data() + 6 + width_, stored.index, 4);
    return true;
  }

  bool translate_token(MutableBytes sized) {
    if (sized.size() < 1u + width_ || sized[0] != std::byte{width_}) return false;
    return translate_address(sized.subspan(1, width_));
  }

  File& from_;
  File& to_;
  const std::uint8_t width_;
  CopyOf copy_of_;
};

bool any(Bytes elements) {
  return std::ranges::any_of(elements, [](std::byte b) { return b != std::byte{0}; });
}

/// Whether this file stores elements of the dataset.
bool has_elements(const DatasetMessages& parts) {
  return parts.elements > 0 && !parts.is_virtual() && parts.external.empty();
}

/// Calls `translate` with all elements of a dataset as `type`, and stores what it leaves in the copy.
void translate_elements(const Dataset& original, const DatatypeMessage& type, File& to, Address made,
                        FunctionRef<void(MutableBytes)> translate) {
  const DatasetMessages& parts = original.messages();
  original.require_data(parts.elements, parts.type.size);
  Buffer values(parts.data_bytes);
  const auto all = space::Selection::all(space::Frame(parts.space.dims));
  original.read({all, all, type}, values.data());
  if (!any(values)) return;
  translate(values);
  Dataset(to, made).write({all, all, type}, values.data());
}

/// Returns the type with those members of compounds only that contain references and nothing in a heap. Other
/// members of elements in a file stay when such elements are written.
DatatypeMessage references_alone(const DatatypeMessage& type) {
  if (!has_heap_values(type)) return type;
  if (type.type_class != format::TypeClass::compound) {
    throw Error(ErrorKind::unsupported,
                "references within elements of variable length cannot be copied to another file");
  }
  DatatypeMessage reduced = type;
  std::erase_if(reduced.members, [](const auto& member) { return !has_references(member.type); });
  for (auto& member : reduced.members) member.type = references_alone(member.type);
  return reduced;
}

}  // namespace

void translate_dataset_references(File& from, Address source, File& to, Address made, CopyOf copy_of) {
  const Dataset original(from, source);
  const DatatypeMessage& type = original.messages().type;
  Translator translator(from, to, copy_of);
  if (!translator.can(type) || !has_elements(original.messages())) return;
  translate_elements(original, type, to, made,
                     [&](MutableBytes values) { translator.translate(type, values); });
}

void copy_with_references(File& from, File& to, const DatatypeMessage& type, MutableBytes elements,
                          CopyOf copy_of) {
  Translator translator(from, to, copy_of);
  HeapFileValues source(from, elements.size() / std::max(1u, type.size));
  HeapFileValues target(to);
  copy_heap_values(from, to, type, elements, [&](const DatatypeMessage& inner, MutableBytes element) {
    translator.translate_one(source, target, inner, element);
  });
}

void translate_contained_references(File& from, Address source, File& to, Address made, CopyOf copy_of) {
  const Dataset original(from, source);
  const DatasetMessages& parts = original.messages();
  if (!has_references(parts.type) || !has_elements(parts)) return;
  const DatatypeMessage type = references_alone(parts.type);
  translate_elements(original, type, to, made,
                     [&](MutableBytes values) { copy_with_references(from, to, type, values, copy_of); });
}

void translate_attribute_references(File& from, Address source, File& to, Address made, CopyOf copy_of) {
  Translator translator(from, to, copy_of);
  std::vector<std::pair<std::string, Buffer>> found;
  AttributeTable(from, source).for_each_stored([&](const StoredAttribute& attribute) {
    const DatatypeMessage type = attribute_datatype(from, attribute.message);
    if (!translator.can(type)) return true;
    const Bytes elements =
        format::attribute_elements(attribute.message, type, attribute_dataspace(from, attribute.message));
    if (any(elements)) found.emplace_back(attribute.message.name, Buffer(elements.begin(), elements.end()));
    return true;
  });
  for (auto& [name, elements] : found) {
    AttributeTable target(to, made);
    auto copied = target.find(name);
    if (!copied) continue;
    translator.translate(attribute_datatype(to, copied->message), elements);
    copied = AttributeTable(to, made).find(name);  // the translation may have modified the header
    copied->message.data.assign(elements.begin(), elements.end());
    AttributeTable(to, made).replace(name, copied->message);
  }
}

}  // namespace filigree::model
