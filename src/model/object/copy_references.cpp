// SPDX-License-Identifier: Apache-2.0
#include "model/object/copy_references.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <filigree/error.hpp>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "chunk/table/chunk_table.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/layout.hpp"
#include "space/excerpt.hpp"
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

/// Whether an element has a reference that is not null. A fill value that nobody has chosen has no bytes.
bool refers(const DatatypeMessage& type, Bytes element) {
  if (element.size() < type.size) return false;
  switch (type.type_class) {
    case format::TypeClass::reference:
      return any(element);
    case format::TypeClass::compound:
      return std::ranges::any_of(type.members, [&](const format::CompoundMember& member) {
        return refers(format::member_type(member),
                      element.subspan(member.byte_offset, format::member_bytes(member)));
      });
    case format::TypeClass::array: {
      const DatatypeMessage& base = type.base.at(0);
      for (std::size_t at = 0; at + base.size <= element.size() && base.size != 0; at += base.size)
        if (refers(base, element.subspan(at, base.size))) return true;
      return false;
    }
    default:
      return false;
  }
}

/// Whether only stored chunks may have references: as in HDF5, other chunks stay unallocated in the copy.
bool is_translated_by_chunks(const DatasetMessages& parts) {
  const bool has_chunks = parts.layout.layout == format::LayoutClass::chunked ||
                          parts.layout.layout == format::LayoutClass::structured;
  return has_chunks && (parts.is_sparse() || !refers(parts.type, parts.fill.value));
}

/// Translates elements of datasets as `type`.
class ElementTranslation {
 public:
  using Translate = FunctionRef<void(MutableBytes)>;

  ElementTranslation(const Dataset& original, const DatatypeMessage& type, File& to, Address made)
      : original_(original), type_(type), to_(to), made_(made) {}

  /// Calls `translate` with the elements that may have references, and stores what it leaves in the copy.
  /// What is undefined or not stored stays so.
  void run(Translate translate) const {
    const DatasetMessages& parts = original_.messages();
    if (is_translated_by_chunks(parts)) return run_by_chunks(translate);
    original_.require_data(parts.elements, parts.type.size);
    run(original_, Dataset(to_, made_), space::Selection::all(space::Frame(parts.space.dims)), translate);
  }

 private:
  void run_by_chunks(Translate translate) const {
    const auto table = original_.layout().open_chunks(original_);
    std::vector<std::uint64_t> coordinates;
    chunk::for_each_chunk(*table, [&](std::span<const std::uint64_t> at, const index::ChunkLocation&,
                                      const chunk::DecodedChunkPointer&) {
      coordinates.insert(coordinates.end(), at.begin(), at.end());
    });
    const std::span<const std::uint64_t> all(coordinates);
    const std::vector<std::uint64_t>& dims = table->grid().chunk().dims();
    for (std::size_t i = 0; i < all.size(); i += dims.size())
      run_chunk(all.subspan(i, dims.size()), dims, translate);
  }

  void run_chunk(std::span<const std::uint64_t> at, const std::vector<std::uint64_t>& dims,
                 Translate translate) const {
    const std::vector<std::uint64_t>& extent = original_.messages().space.dims;
    if (original_.is_huge()) {
      std::vector<std::vector<space::Excerpt::Interval>> only;
      for (const std::uint64_t chunk : at) only.push_back({{chunk, chunk}});
      const auto excerpt = std::make_shared<const space::Excerpt>(extent, dims, std::move(only));
      return run(Dataset(original_, excerpt), Dataset(Dataset(to_, made_), excerpt),
                 space::Selection::all(excerpt->frame()), translate);
    }
    std::vector<space::SlabDimension> box;
    for (std::size_t d = 0; d < at.size(); ++d) {
      const std::uint64_t start = at[d] * dims[d];
      box.push_back({start, 1, 1, std::min(dims[d], extent[d] - start)});
    }
    run(original_, Dataset(to_, made_), space::Selection::regular(space::Frame(extent), std::move(box)),
        translate);
  }

  void run(const Dataset& from, Dataset copy, const space::Selection& part, Translate translate) const {
    Buffer values;
    // A sparse copy of a dataset that is not sparse defines some of its elements only.
    const bool by_copy = copy.messages().is_sparse() && !from.messages().is_sparse();
    const space::Selection wanted = by_copy ? copy.defined(part) : part;
    const space::Selection elements = from.read_defined(wanted, type_, [&](std::uint64_t count) {
      values.resize(
          static_cast<std::size_t>(checked_multiply(count, type_.size, "the elements of a dataset")));
      return values.data();
    });
    if (!any(values)) return;
    translate(values);
    const auto all = space::Selection::all(space::Frame({elements.elements()}));
    copy.write({elements, all, type_}, values.data());
  }

  const Dataset& original_;
  const DatatypeMessage& type_;
  File& to_;
  const Address made_;
};

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
  ElementTranslation(original, type, to, made).run([&](MutableBytes values) {
    translator.translate(type, values);
  });
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
  ElementTranslation(original, type, to, made).run([&](MutableBytes values) {
    copy_with_references(from, to, type, values, copy_of);
  });
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
