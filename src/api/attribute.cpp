// SPDX-License-Identifier: Apache-2.0
#include <filigree/attribute.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/conversion_access.hpp"
#include "api/inside.hpp"
#include "api/type_access.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/attribute/attribute_io.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/dataset/small_read.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree {

namespace model {

/// What is known of an attribute, with its elements if they are few.
struct SmallAttribute {
  Datatype type;
  Dataspace space;
  std::uint64_t count = 0;
  std::optional<Buffer> elements;             ///< nothing for many, and for damaged ones
  std::optional<SmallConversion> conversion;  ///< of the last read_small()
};

}  // namespace model

namespace {

/// An attribute with its decoded datatype and dataspace.
struct DecodedAttribute {
  model::File& file;
  model::StoredAttribute stored;
  format::DatatypeMessage type;
  format::DataspaceMessage space;
  std::uint64_t count = 0;

  Bytes elements() const { return format::attribute_elements(stored.message, type, space); }
  void require_count(std::size_t wanted) const {
    if (wanted != count)
      throw Error(ErrorKind::invalid_argument, fmt::format("it has {} elements, not {}", count, wanted));
  }
};

DecodedAttribute decode_attribute(const model::OpenAttribute& attribute) {
  model::File& file = *attribute.object->file();
  const model::AttributeTable table(file, attribute.object->header());
  auto stored = table.find(attribute.name);
  // An iteration also lists attributes that an index which is out of order does not find.
  if (!stored) stored = table.find_listed(attribute.name);
  if (!stored) throw Error(ErrorKind::not_found, "there is no such attribute");
  DecodedAttribute decoded{file, std::move(*stored), {}, {}, 0};
  decoded.type = model::attribute_datatype(file, decoded.stored.message);
  decoded.space = model::attribute_dataspace(file, decoded.stored.message);
  decoded.count = format::element_count(decoded.space);
  return decoded;
}

template <class Work>
decltype(auto) with(const model::OpenAttribute& attribute, const char* doing, Work&& work) {
  return api::inside(
      *attribute.object->file(),
      [&] { return fmt::format("{} attribute '{}' of {}", doing, attribute.name, attribute.object->text()); },
      std::forward<Work>(work));
}

/// Replaces the stored elements of an attribute.
void put(const model::OpenAttribute& attribute, DecodedAttribute& decoded, Buffer elements) {
  decoded.stored.message.data = std::move(elements);
  model::AttributeTable(decoded.file, attribute.object->header())
      .replace(attribute.name, decoded.stored.message);
  model::touch(decoded.file, attribute.object->header());
}

Datatype public_type(const model::OpenAttribute& attribute, const DecodedAttribute& decoded) {
  if (decoded.stored.message.shared_datatype) {
    const auto reference = format::decode<format::SharedReference>(decoded.stored.message.datatype,
                                                                   decoded.file.store().widths());
    if (reference.kind == format::SharedKind::header)
      return api::TypeAccess::make(decoded.type, attribute.object->file(), reference.header);
  }
  return api::TypeAccess::make(decoded.type);
}

/// The stored elements, unless they are many or damaged.
std::optional<Buffer> few_elements(const DecodedAttribute& decoded) {
  const std::size_t size = std::max<std::size_t>(decoded.type.size, 1);
  if (decoded.count > model::SmallConversion::most_bytes / size) return std::nullopt;
  try {
    const Bytes stored = decoded.elements();
    return Buffer(stored.begin(), stored.end());
  } catch (const Error&) {  // a read reports it
    return std::nullopt;
  }
}

/// What is known of the attribute, decoded once for each revision of the metadata.
std::shared_ptr<const model::SmallAttribute> look_at(model::OpenAttribute& attribute) {
  const std::uint64_t revision = attribute.object->file()->store().cache().revision();
  if (auto known = attribute.small.find(revision)) return known;
  const DecodedAttribute decoded = decode_attribute(attribute);
  auto made = std::make_shared<const model::SmallAttribute>(
      model::SmallAttribute{public_type(attribute, decoded), api::to_public(decoded.space), decoded.count,
                            few_elements(decoded), std::nullopt});
  attribute.small.set(revision, made);
  return made;
}

/// Reads a small attribute; returns false, having done nothing, if it is none or has not `count` elements.
bool read_prepared(model::OpenAttribute& attribute, const Datatype& memory_type, void* elements,
                   std::optional<std::uint64_t> count) {
  const auto& identity = api::TypeAccess::identity(memory_type);
  return with(attribute, "reading", [&] {
    auto known = look_at(attribute);
    if (!known->elements) {
      (void)decode_attribute(attribute).elements();  // throws if they are damaged
      return false;
    }
    if (count && known->count != *count) return false;
    if (!known->conversion || known->conversion->memory_type != identity) {
      auto conversion =
          model::prepare_small(api::TypeAccess::impl(known->type).message, identity->message, known->count);
      if (!conversion) return false;
      conversion->memory_type = identity;
      auto prepared = std::make_shared<model::SmallAttribute>(*known);
      prepared->conversion = std::move(conversion);
      known = std::move(prepared);
      attribute.small.set(attribute.object->file()->store().cache().revision(), known);
    }
    known->conversion->apply(known->elements->data(), static_cast<std::byte*>(elements));
    return true;
  });
}

}  // namespace

const std::string& Attribute::name() const { return impl_->name; }

Dataspace Attribute::space() const {
  return with(*impl_, "looking at", [&] { return look_at(*impl_)->space; });
}

std::uint64_t Attribute::elements() const {
  return with(*impl_, "looking at", [&] {
    const DecodedAttribute decoded = decode_attribute(*impl_);
    (void)decoded.elements();  // checks
    return decoded.count;
  });
}

Datatype Attribute::datatype() const {
  return with(*impl_, "looking at", [&] { return look_at(*impl_)->type; });
}

std::optional<std::uint32_t> Attribute::creation_order() const {
  return with(*impl_, "looking at", [&]() -> std::optional<std::uint32_t> {
    const DecodedAttribute decoded = decode_attribute(*impl_);
    if (!model::AttributeTable(decoded.file, impl_->object->header()).order_tracked()) return std::nullopt;
    return decoded.stored.order;
  });
}

CharacterSet Attribute::charset() const {
  return with(*impl_, "looking at", [&] {
    return static_cast<CharacterSet>(decode_attribute(*impl_).stored.message.character_set);
  });
}

std::vector<std::byte> Attribute::read_raw() const {
  return with(*impl_, "reading", [&] {
    const DecodedAttribute decoded = decode_attribute(*impl_);
    const Bytes elements = decoded.elements();
    return std::vector<std::byte>(elements.begin(), elements.end());
  });
}

void Attribute::write_raw(std::span<const std::byte> bytes) {
  with(*impl_, "writing", [&] {
    const model::Change change(*impl_->object->file(), "write an attribute");
    DecodedAttribute decoded = decode_attribute(*impl_);
    if (bytes.size() != decoded.elements().size()) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("it holds {} bytes, not {}", decoded.elements().size(), bytes.size()));
    }
    if (model::has_heap_values(decoded.type))
      throw Error(ErrorKind::unsupported, "variable-length values cannot be written as raw bytes");
    put(*impl_, decoded, Buffer(bytes.begin(), bytes.end()));
  });
}

void Attribute::read_elements(const Datatype& memory_type, void* elements, std::uint64_t count,
                              const ConversionOptions& options) const {
  with(*impl_, "reading", [&] {
    model::File& file = *impl_->object->file();
    const auto read = [&](const format::DatatypeMessage& type, Bytes stored) {
      model::read_attribute(file, type, stored, api::TypeAccess::impl(memory_type).message,
                            static_cast<std::byte*>(elements), count, api::Conversions(options).choice());
    };
    const auto known = look_at(*impl_);
    if (known->elements && known->count == count)
      return read(api::TypeAccess::impl(known->type).message, *known->elements);
    const DecodedAttribute decoded = decode_attribute(*impl_);
    decoded.require_count(count);
    read(decoded.type, decoded.elements());
  });
}

bool Attribute::read_small(const Datatype& memory_type, void* elements) const {
  return read_prepared(*impl_, memory_type, elements, std::nullopt);
}

bool Attribute::read_small(const Datatype& memory_type, void* elements, std::uint64_t count) const {
  return read_prepared(*impl_, memory_type, elements, count);
}

bool Attribute::write_small(const Datatype& memory_type, const void* elements) {
  model::File& file = *impl_->object->file();
  return api::exclusively(
      file, [&] { return fmt::format("writing attribute '{}' of {}", impl_->name, impl_->object->text()); },
      [&] {
        const auto form = impl_->form;
        if (form == nullptr || !file.store().writable() || model::has_heap_values(form->type) ||
            model::has_references(form->type))
          return false;
        const auto conversion =
            model::prepare_small(api::TypeAccess::impl(memory_type).message, form->type, form->count);
        if (!conversion) return false;
        const model::Change change(file, "write an attribute");
        const auto convert = [&](MutableBytes stored) {
          conversion->apply(static_cast<const std::byte*>(elements), stored.data());
        };
        const std::size_t bytes = form->count * form->type.size;
        if (!model::AttributeTable(file, impl_->object->header())
                 .change_elements(impl_->name, form->head, bytes, convert))
          return false;
        model::touch(file, impl_->object->header());
        return true;
      });
}

void Attribute::write_elements(const Datatype& memory_type, const void* elements, std::uint64_t count,
                               const ConversionOptions& options) {
  with(*impl_, "writing", [&] {
    const model::Change change(*impl_->object->file(), "write an attribute");
    DecodedAttribute decoded = decode_attribute(*impl_);
    decoded.require_count(count);
    const Bytes old = decoded.elements();
    const Buffer before(old.begin(), old.end());
    Buffer after = before;
    model::write_attribute(decoded.file, decoded.type, after, api::TypeAccess::impl(memory_type).message,
                           static_cast<const std::byte*>(elements), count,
                           api::Conversions(options).choice());
    put(*impl_, decoded, after);
    model::release_replaced_values(decoded.file, decoded.type, before, after);
  });
}

}  // namespace filigree
