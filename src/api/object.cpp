// SPDX-License-Identifier: Apache-2.0
#include <filigree/object.hpp>

#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>

#include "api/inside.hpp"
#include "api/object_access.hpp"
#include "api/type_access.hpp"
#include "format/codec/codec.hpp"
#include "model/attribute/attribute_io.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree {

void api::require_kind(const Object& object, ObjectKind wanted) {
  const ObjectKind found = object.kind();
  if (found == wanted) return;
  throw Error(ErrorKind::wrong_type,
              fmt::format("'{}' of '{}' is not a {}: it is a {}", object.path(), object.file().name(),
                          model::to_string(wanted), model::to_string(found)));
}

namespace {

void check_attribute_name(std::string_view name) {
  if (name.empty()) throw Error(ErrorKind::invalid_argument, "an attribute needs a name");
  if (name.find('\0') != std::string_view::npos)
    throw Error(ErrorKind::invalid_argument, "an attribute's name cannot hold a NUL character");
}

}  // namespace

ObjectKind Object::kind() const {
  return in_context([&] { return fmt::format("looking at {}", impl_->text()); },
                    [&] { return impl_->kind(); });
}

ObjectInfo Object::info() const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("looking at {}", impl_->text()); },
      [&] { return model::object_info(*impl_->file(), impl_->header()); });
}

ObjectMetadata Object::metadata() const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("measuring the metadata of {}", impl_->text()); },
      [&] { return model::object_metadata(*impl_->file(), impl_->header()); });
}

std::uint64_t Object::address() const { return to_number(impl_->header()); }

const std::string& Object::path() const { return impl_->path(); }

File Object::file() const { return File(impl_->file()); }

Object Object::with_path(std::string path) const {
  return Object(std::make_shared<model::OpenObject>(impl_->file(), impl_->header(), std::move(path)));
}

void Object::increment_reference_count() {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("counting a link to {}", impl_->text()); },
      [&] {
        const model::Change change(*impl_->file(), "count a link");
        model::add_link_to(*impl_->file(), impl_->header());
      });
}

void Object::decrement_reference_count() {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("dropping a link to {}", impl_->text()); },
      [&] {
        const model::Change change(*impl_->file(), "drop a link");
        model::drop_link_to(*impl_->file(), impl_->header());
      });
}

std::optional<Attribute> Object::find_attribute(std::string_view name) const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("looking for attribute '{}' of {}", name, impl_->text()); },
      [&]() -> std::optional<Attribute> {
        if (!model::AttributeTable(*impl_->file(), impl_->header()).find(name)) return std::nullopt;
        return Attribute(std::make_shared<model::OpenAttribute>(impl_, std::string(name)));
      });
}

bool Object::has_attribute(std::string_view name) const { return find_attribute(name).has_value(); }

Attribute Object::attribute(std::string_view name) const {
  if (auto found = find_attribute(name)) return *found;
  throw Error(ErrorKind::not_found, fmt::format("{} has no attribute '{}'", impl_->text(), name));
}

Attribute Object::named_attribute(std::string_view name) const {
  return Attribute(std::make_shared<model::OpenAttribute>(impl_, std::string(name)));
}

namespace {

/// Returns a new attribute whose elements are zero.
struct NewAttribute {
  format::DatatypeMessage type;
  format::AttributeMessage message;

  NewAttribute(model::File& file, std::string_view name, const Datatype& public_type, const Dataspace& space)
      : type(api::TypeAccess::message(public_type, file.store().widths().offset_bytes)),
        message(model::make_attribute(file, name, type, api::to_message(space),
                                      api::TypeAccess::committed_in(public_type, file))) {}
};

/// Runs `put`, which stores the message, after incrementing the counts of its shared messages. A failure
/// decrements them again.
template <class Put>
void with_parts(model::File& file, const format::AttributeMessage& message, Put&& put) {
  model::acquire_attribute_parts(file, message);
  try {
    put();
  } catch (...) {
    model::release_attribute_parts(file, message);
    throw;
  }
}

}  // namespace

Attribute Object::create_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                                   std::optional<CharacterSet> charset) {
  return api::exclusively(
      *impl_->file(), [&] { return fmt::format("creating attribute '{}' of {}", name, impl_->text()); },
      [&] {
        model::File& file = *impl_->file();
        check_attribute_name(name);
        const model::Change change(file, "create an attribute");
        model::AttributeTable table(file, impl_->header());
        if (table.find(name)) throw Error(ErrorKind::already_exists, "there is one of that name already");
        NewAttribute made(file, name, type, space);
        if (charset) model::set_charset(file, made.message, static_cast<format::CharacterSet>(*charset));
        Buffer body;
        with_parts(file, made.message, [&] { body = table.insert(made.message); });
        model::touch(file, impl_->header());
        body.resize(body.size() - made.message.data.size());
        const auto open = std::make_shared<model::OpenAttribute>(impl_, std::string(name));
        open->form = std::make_shared<const model::AttributeForm>(
            model::AttributeForm{std::move(body), std::move(made.type), space.elements()});
        return Attribute(open);
      });
}

void Object::put_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                           const Datatype& memory_type, const void* elements) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("writing attribute '{}' of {}", name, impl_->text()); },
      [&] {
        model::File& file = *impl_->file();
        check_attribute_name(name);
        const model::Change change(file, "write an attribute");
        NewAttribute made(file, name, type, space);
        model::write_attribute(file, made.type, made.message.data, api::TypeAccess::impl(memory_type).message,
                               static_cast<const std::byte*>(elements), space.elements());
        model::AttributeTable table(file, impl_->header());
        const auto old = table.find(name);
        // An attribute without references is replaced in place and keeps its creation order.
        const bool plain = old && !old->shared && !old->message.shared_datatype &&
                           !old->message.shared_dataspace &&
                           !model::has_heap_values(model::attribute_datatype(file, old->message));
        with_parts(file, made.message, [&] {
          if (plain) return table.replace(name, made.message);
          if (old) table.remove(name);
          table.insert(made.message);
        });
        model::touch(file, impl_->header());
      });
}

std::vector<Attribute> Object::attributes(IndexBy by, Direction direction) const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("listing the attributes of {}", impl_->text()); },
      [&] {
        std::vector<Attribute> all;
        model::AttributeTable(*impl_->file(), impl_->header())
            .for_each(by, direction, [&](const model::StoredAttribute& attribute) {
              all.push_back(Attribute(std::make_shared<model::OpenAttribute>(impl_, attribute.message.name)));
              return true;
            });
        return all;
      });
}

void Object::remove_attribute(std::string_view name) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("removing attribute '{}' of {}", name, impl_->text()); },
      [&] {
        const model::Change change(*impl_->file(), "remove an attribute");
        if (!model::AttributeTable(*impl_->file(), impl_->header()).remove(name))
          throw Error(ErrorKind::not_found, "there is no such attribute");
        model::touch(*impl_->file(), impl_->header());
      });
}

void Object::rename_attribute(std::string_view from, std::string_view to) {
  api::exclusively(
      *impl_->file(),
      [&] { return fmt::format("renaming attribute '{}' of {} to '{}'", from, impl_->text(), to); },
      [&] {
        check_attribute_name(to);
        model::File& file = *impl_->file();
        const model::Change change(file, "rename an attribute");
        model::AttributeTable table(file, impl_->header());
        const auto old = table.find(from);
        if (!old) throw Error(ErrorKind::not_found, "there is no such attribute");
        if (from == to) return;
        if (table.find(to)) throw Error(ErrorKind::already_exists, "there is one of that name already");
        table.replace(from, model::renamed_attribute(file, old->message, to));
        model::touch(file, impl_->header());
      });
}

std::optional<std::string> Object::comment() const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("reading the comment of {}", impl_->text()); },
      [&] { return model::object_comment(*impl_->file(), impl_->header()); });
}

void Object::set_comment(std::string_view text) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("commenting {}", impl_->text()); },
      [&] {
        const model::Change change(*impl_->file(), "set a comment");
        model::set_object_comment(*impl_->file(), impl_->header(), text);
      });
}

bool operator==(const Object& a, const Object& b) {
  return a.impl_->file() == b.impl_->file() && a.impl_->header() == b.impl_->header();
}

CommittedDatatype::CommittedDatatype(const Object& object) : Object(object) {
  api::require_kind(object, ObjectKind::datatype);
}

Datatype CommittedDatatype::datatype() const {
  return api::TypeAccess::make(model::object_datatype(*impl_->file(), impl_->header()), impl_->file(),
                               impl_->header());
}

}  // namespace filigree
