// SPDX-License-Identifier: Apache-2.0
//
// Attributes, and the values that elements refer to.
#include <algorithm>

#include <fmt/format.h>

#include "base/context.hpp"
#include "format/btrees/btree2_records.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"
#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/heap/heap_values.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {

using format::DatatypeMessage;
using format::MessageType;
using format::ReferenceKind;

namespace {

/// Follows what stored elements refer to. The budget of HeapFileValues bounds the work: a small file can
/// refer to one object of the heap any number of times.
class ValueVisit {
 public:
  ValueVisit(FileWalk& walk, std::uint64_t elements) : walk_(walk), values_(walk.file(), elements) {}

  void visit(const DatatypeMessage& type, Bytes elements) {
    visit_indirect_values(type, elements, [&](const DatatypeMessage& inner, Bytes element) {
      if (inner.type_class == format::TypeClass::reference) {
        visit_reference(inner, element);
      } else {
        visit_sequence(inner, element);
      }
    });
  }

 private:
  type::FileValues::Content fetch(Address collection, std::uint32_t index) {
    if (!walk_.visit_collection(collection)) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("object {} is in the global heap collection at {}, which is damaged", index,
                              to_string(collection)));
    }
    return values_.fetch({collection, index});
  }

  void visit_sequence(const DatatypeMessage& type, Bytes element) {
    const HeapValue value = load_heap_value(element.data(), walk_.widths().offset_bytes);
    if (!value.stored()) return;
    if (value.length == 0) return void(walk_.visit_collection(value.collection));
    const auto content = fetch(value.collection, value.index);
    const DatatypeMessage& base = type.base.at(0);
    if (content.bytes.size() / std::max<std::uint32_t>(base.size, 1) < value.length) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("object {} of the global heap collection at {} has {} bytes, too few for {} elements",
                      value.index, to_string(value.collection), content.bytes.size(), value.length));
    }
    if (!has_heap_values(base) && !has_references(base)) return;
    visit(base, content.bytes.first(std::size_t{value.length} * base.size));
  }

  void visit_reference(const DatatypeMessage& type, Bytes element) {
    const unsigned width = walk_.widths().offset_bytes;
    switch (type.reference) {
      case ReferenceKind::object:
        if (element.size() >= width) visit_address(element);
        return;
      case ReferenceKind::region:
        if (element.size() >= width + 4u) visit_stored(element, false);
        return;
      case ReferenceKind::revised_object:
      case ReferenceKind::revised_region:
      case ReferenceKind::revised_attribute:
        if (element.size() >= width + 10u) visit_revised(element);
    }
  }

  void visit_address(Bytes address) {
    const unsigned width = walk_.widths().offset_bytes;
    const std::uint64_t at = load_word(address.data(), width);
    if (at != 0 && at != widest_word(width)) walk_.refer_to_object(to_address(at));
  }

  /// A heap identifier; the object begins with an address, after its length in revised references.
  void visit_stored(Bytes id, bool has_length) {
    const unsigned width = walk_.widths().offset_bytes;
    const std::uint64_t at = load_word(id.data(), width);
    if (at == 0 || at == widest_word(width)) return;
    const auto index = static_cast<std::uint32_t>(load_word(id.data() + width, 4));
    if (index == 0) return;
    const auto content = fetch(to_address(at), index);
    const Bytes token = has_length && !content.bytes.empty() ? content.bytes.subspan(1) : content.bytes;
    if (token.size() < width) throw Error(ErrorKind::corrupt, "a reference in the global heap is too short");
    visit_address(token);
  }

  /// Kind and flags, then the token with its length, or the identifier of a heap object; see the translation
  /// of references in copy_references.cpp.
  void visit_revised(Bytes element) {
    constexpr std::byte object{2}, external{1};
    const unsigned width = walk_.widths().offset_bytes;
    if (element[0] == std::byte{0}) return;
    if (element[0] == object && element[1] == std::byte{0}) {
      if (element[2] == std::byte{static_cast<unsigned char>(width)}) visit_address(element.subspan(3));
      return;
    }
    const bool leads_elsewhere = (element[1] & external) != std::byte{0};
    if (leads_elsewhere) {
      const std::uint64_t at = load_word(element.data() + 6, width);
      if (at != 0 && at != widest_word(width)) walk_.visit_collection(to_address(at));
      return;
    }
    visit_stored(element.subspan(6), true);
  }

  FileWalk& walk_;
  HeapFileValues values_;
};

}  // namespace

void visit_values(FileWalk& walk, std::string_view structure, Address where, const DatatypeMessage& type,
                  Bytes elements) {
  if (type.size == 0 || (!has_heap_values(type) && !has_references(type))) return;
  const std::uint64_t count = elements.size() / type.size;
  try {
    return ValueVisit(walk, count).visit(type, elements);
  } catch (const Error&) {
    // Element by element, a damaged one does not hide the others.
  }
  ValueVisit visit(walk, count);
  for (std::uint64_t i = 0; i < count; ++i) {
    walk.guarded(structure, where, [&] {
      in_context([&] { return fmt::format("element {}", i); },
                 [&] { visit.visit(type, elements.subspan(i * type.size, type.size)); });
    });
  }
}

namespace {

/// Counts the use of the shared messages of an attribute.
void see_shared_part(FileWalk& walk, bool is_shared, const Buffer& part) {
  if (!is_shared) return;
  const auto reference = format::decode<format::SharedReference>(part, walk.widths());
  if (reference.kind == format::SharedKind::header) walk.refer_to_type(reference.header);
}

}  // namespace

void visit_attribute(FileWalk& walk, Address where, const format::AttributeMessage& attribute) {
  walk.guarded(format::AttributeMessage::structure, where, [&] {
    in_context([&] { return fmt::format("attribute '{}'", attribute.name); },
               [&] {
                 see_shared_part(walk, attribute.shared_datatype, attribute.datatype);
                 see_shared_part(walk, attribute.shared_dataspace, attribute.dataspace);
                 const DatatypeMessage type = attribute_datatype(walk.file(), attribute);
                 const Bytes elements =
                     format::attribute_elements(attribute, type, attribute_dataspace(walk.file(), attribute));
                 ValueVisit(walk, type.size == 0 ? 0 : elements.size() / type.size).visit(type, elements);
               });
  });
}

void visit_dense_attributes(FileWalk& walk, const format::AttributeInfo& info) {
  if (!is_valid(info.heap)) return;
  const bool has_heap = visit_fractal_heap(walk, info.heap);
  std::uint64_t names = 0, orders = 0;
  const auto see_name = [&](Bytes bytes) {
    ++names;
    walk.guarded(format::AttributeNameRecord::structure, info.name_tree, [&] {
      const auto record = format::decode<format::AttributeNameRecord>(bytes, walk.widths(), info.name_tree);
      const bool is_shared = (record.message_flags & format::message_flag::shared) != 0;
      Buffer body;
      if (is_shared) {
        if (walk.file().shared_messages() == nullptr)
          throw Error(ErrorKind::corrupt, "an attribute is shared, but the file has no shared message table");
        body = walk.file().shared_messages()->read(MessageType::attribute, record.heap_id);
      } else {
        body = store::FractalHeap(walk.store(), info.heap).read(record.heap_id);
      }
      visit_attribute(walk, info.heap,
                      format::decode<format::AttributeMessage>(body, walk.widths(), info.heap));
    });
  };
  const bool sound =
      visit_btree2(walk, info.name_tree, format::AttributeNameRecord::type, see_name) && has_heap;
  if (!is_valid(info.order_tree)) return;
  const bool ordered =
      visit_btree2(walk, info.order_tree, format::AttributeOrderRecord::type, [&](Bytes) { ++orders; });
  if (sound && ordered && names != orders) {
    walk.damage("attribute info message", info.order_tree,
                fmt::format("{} attributes are indexed by name, but {} by creation order", names, orders));
  }
}

}  // namespace filigree::model
