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

struct SmallAttribute : SmallConversion {
  Buffer elements;
};

}  // namespace model

namespace {

/// An attribute with its decoded datatype and dataspace.
struct Taken {
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

Taken take(const model::OpenAttribute& attribute) {
  model::File& file = *attribute.object->file();
  const model::AttributeTable table(file, attribute.object->header());
  auto stored = table.find(attribute.name);
  // An iteration also lists attributes that an index which is out of order does not find.
  if (!stored) stored = table.find_listed(attribute.name);
  if (!stored) throw Error(ErrorKind::not_found, "there is no such attribute");
  Taken taken{file, std::move(*stored), {}, {}, 0};
  taken.type = model::attribute_datatype(file, taken.stored.message);
  taken.space = model::attribute_dataspace(file, taken.stored.message);
  taken.count = format::element_count(taken.space);
  return taken;
}

template <class Work>
decltype(auto) with(const model::OpenAttribute& attribute, const char* doing, Work&& work) {
  return api::inside(
      *attribute.object->file(),
      [&] { return fmt::format("{} attribute '{}' of {}", doing, attribute.name, attribute.object->text()); },
      std::forward<Work>(work));
}

/// Replaces the stored elements of an attribute.
void put(const model::OpenAttribute& attribute, Taken& taken, Buffer elements) {
  taken.stored.message.data = std::move(elements);
  model::AttributeTable(taken.file, attribute.object->header()).replace(attribute.name, taken.stored.message);
  model::touch(taken.file, attribute.object->header());
}

}  // namespace

const std::string& Attribute::name() const { return impl_->name; }

Dataspace Attribute::space() const {
  return with(*impl_, "looking at", [&] { return api::to_public(take(*impl_).space); });
}

std::uint64_t Attribute::elements() const {
  return with(*impl_, "looking at", [&] {
    const Taken taken = take(*impl_);
    (void)taken.elements();  // checks
    return taken.count;
  });
}

Datatype Attribute::datatype() const {
  return with(*impl_, "looking at", [&] {
    const Taken taken = take(*impl_);
    if (taken.stored.message.shared_datatype) {
      const auto reference =
          format::decode<format::SharedReference>(taken.stored.message.datatype, taken.file.store().widths());
      if (reference.kind == format::SharedKind::header)
        return api::TypeAccess::make(taken.type, impl_->object->file(), reference.header);
    }
    return api::TypeAccess::make(taken.type);
  });
}

std::optional<std::uint32_t> Attribute::creation_order() const {
  return with(*impl_, "looking at", [&]() -> std::optional<std::uint32_t> {
    const Taken taken = take(*impl_);
    if (!model::AttributeTable(taken.file, impl_->object->header()).order_tracked()) return std::nullopt;
    return taken.stored.order;
  });
}

CharacterSet Attribute::charset() const {
  return with(*impl_, "looking at",
              [&] { return static_cast<CharacterSet>(take(*impl_).stored.message.character_set); });
}

std::vector<std::byte> Attribute::read_raw() const {
  return with(*impl_, "reading", [&] {
    const Taken taken = take(*impl_);
    const Bytes elements = taken.elements();
    return std::vector<std::byte>(elements.begin(), elements.end());
  });
}

void Attribute::write_raw(std::span<const std::byte> bytes) {
  with(*impl_, "writing", [&] {
    const model::Change change(*impl_->object->file(), "write an attribute");
    Taken taken = take(*impl_);
    if (bytes.size() != taken.elements().size()) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("it holds {} bytes, not {}", taken.elements().size(), bytes.size()));
    }
    if (model::has_heap_values(taken.type))
      throw Error(ErrorKind::unsupported, "variable-length values cannot be written as raw bytes");
    put(*impl_, taken, Buffer(bytes.begin(), bytes.end()));
  });
}

void Attribute::read_elements(const Datatype& memory_type, void* elements, std::uint64_t count,
                              const ConversionOptions& options) const {
  with(*impl_, "reading", [&] {
    const Taken taken = take(*impl_);
    taken.require_count(count);
    model::read_attribute(taken.file, taken.type, taken.elements(),
                          api::TypeAccess::impl(memory_type).message, static_cast<std::byte*>(elements),
                          count, api::Conversions(options).choice());
  });
}

bool Attribute::read_small(const Datatype& memory_type, void* elements) const {
  const auto& identity = api::TypeAccess::identity(memory_type);
  return with(*impl_, "reading", [&] {
    const std::uint64_t revision = impl_->object->file()->store().cache().revision();
    auto read = impl_->small.find(revision);
    if (read == nullptr || read->memory_type != identity) {
      const Taken taken = take(*impl_);
      auto conversion = model::prepare_small(taken.type, identity->message, taken.count);
      if (!conversion) return false;
      conversion->memory_type = identity;
      const Bytes stored = taken.elements();
      read = std::make_shared<const model::SmallAttribute>(
          model::SmallAttribute{*std::move(conversion), Buffer(stored.begin(), stored.end())});
      impl_->small.set(revision, read);
    }
    read->apply(read->elements.data(), static_cast<std::byte*>(elements));
    return true;
  });
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
    Taken taken = take(*impl_);
    taken.require_count(count);
    const Bytes old = taken.elements();
    const Buffer before(old.begin(), old.end());
    Buffer after = before;
    model::write_attribute(taken.file, taken.type, after, api::TypeAccess::impl(memory_type).message,
                           static_cast<const std::byte*>(elements), count,
                           api::Conversions(options).choice());
    put(*impl_, taken, after);
    model::release_replaced_values(taken.file, taken.type, before, after);
  });
}

}  // namespace filigree
