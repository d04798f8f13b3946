// SPDX-License-Identifier: Apache-2.0
#include <filigree/group.hpp>

#include <functional>

#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>

#include "api/inside.hpp"
#include "api/new_dataset.hpp"
#include "api/section_filters.hpp"
#include "api/selection_access.hpp"
#include "api/type_access.hpp"
#include "model/attribute/attribute_io.hpp"
#include "model/dataset/create.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/link/names.hpp"
#include "model/link/path.hpp"
#include "model/object/copy.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree {

namespace {

using model::LinkLocation;
using model::ObjectLocation;

ObjectLocation location_of(const model::OpenObject& object) {
  return {object.file(), object.header(), object.path()};
}

std::shared_ptr<model::OpenObject> open_at(const ObjectLocation& location) {
  // The header is read now, so that a damaged object is reported here and not at its first use.
  const FileLock::Shared shared(location.file->lock());  // a link may lead to another file
  const ObjectKind kind = model::object_kind(*location.file, location.header);
  return std::make_shared<model::OpenObject>(location.file, location.header, location.path, kind);
}

std::string join(const std::string& path, const std::string& name) {
  return path == "/" ? "/" + name : path + "/" + name;
}

Link to_link(const format::LinkMessage& message) {
  Link link;
  link.name = message.name;
  link.charset = static_cast<CharacterSet>(message.charset);
  link.creation_order = message.creation_order;
  switch (message.kind) {
    case format::LinkKind::hard:
      link.kind = LinkKind::hard;
      link.address = to_number(message.header);
      return link;
    case format::LinkKind::soft:
      link.kind = LinkKind::soft;
      link.target = message.target;
      return link;
    case format::LinkKind::external:
      if (message.external.file.empty()) break;  // the value is not that of an external link
      link.kind = LinkKind::external;
      link.file = message.external.file;
      link.target = message.external.path;
      return link;
  }
  link.kind = LinkKind::user;
  link.user_kind = static_cast<std::uint8_t>(message.kind);
  link.user_data = message.user_data;
  return link;
}

/// Returns the location of a new link.
/// Throws: Error(already_exists) if the name is in use or empty.
LinkLocation free_location(const ObjectLocation& start, std::string_view path, const LinkOptions& options) {
  if (path.empty()) throw Error(ErrorKind::invalid_argument, "the path is empty");
  if (path.find('\0') != std::string_view::npos)
    throw Error(ErrorKind::invalid_argument, "a path cannot hold a NUL character");
  // A name that is in use is no reason to begin a change, unless groups on the way may be created.
  if (options.create_parents) start.file->begin_change("create a link");
  start.file->store().require_writable("create a link");
  LinkLocation location = model::locate(start, path, options.create_parents);
  if (location.name.empty() || location.link)
    throw Error(ErrorKind::already_exists, fmt::format("'{}' exists already", path));
  location.parent.file->begin_change("create a link");
  return location;
}

void insert_link(const LinkLocation& location, format::LinkMessage link, const LinkOptions& options) {
  link.name = location.name;
  link.charset = options.charset ? static_cast<format::CharacterSet>(*options.charset)
                                 : model::charset_of(location.name);
  model::LinkTable(*location.parent.file, location.parent.header).insert(std::move(link));
  model::touch(*location.parent.file, location.parent.header);
}

/// Links a new object, which has no links yet.
std::shared_ptr<model::OpenObject> link_new(const LinkLocation& location, Address header, ObjectKind kind,
                                            const LinkOptions& options) {
  format::LinkMessage link;
  link.header = header;
  insert_link(location, std::move(link), options);
  return std::make_shared<model::OpenObject>(location.parent.file, header,
                                             join(location.parent.path, location.name), kind);
}

/// Returns the location of an existing link.
LinkLocation existing_location(const ObjectLocation& start, std::string_view path) {
  LinkLocation location = model::locate(start, path);
  if (location.name.empty())
    throw Error(ErrorKind::invalid_argument, fmt::format("'{}' names a group, not a link in one", path));
  if (!location.link)
    throw Error(ErrorKind::not_found, fmt::format("there is no '{}' in group '{}' of '{}'", location.name,
                                                  location.parent.path, location.parent.file->name()));
  return location;
}

void remove_link(const LinkLocation& location) {
  model::File& file = *location.parent.file;
  const auto removed = model::LinkTable(file, location.parent.header).remove(location.name);
  model::touch(file, location.parent.header);
  if (removed && removed->kind == format::LinkKind::hard) model::drop_link_to(file, removed->header);
}

}  // namespace

Group::Group(const Object& object) : Object(object) {
  const ObjectKind found = object.kind();
  if (found == ObjectKind::group) return;
  throw Error(ErrorKind::wrong_type,
              fmt::format("{} is not a group: it is a {}", impl_->text(), model::to_string(found)));
}

GroupInfo Group::group_info() const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("looking at group {}", impl_->text()); },
      [&] {
        const model::LinkTable table(*impl_->file(), impl_->header());
        const model::GroupState state = table.state();
        GroupInfo info;
        info.storage = state.storage;
        info.links = table.size();
        info.order_tracked = state.info.tracks_order;
        info.order_indexed = state.info.indexes_order;
        info.next_order = state.info.next_order;
        return info;
      });
}

Group Group::create_group(std::string_view path, const GroupOptions& options, const LinkOptions& link) {
  return api::exclusively(
      *impl_->file(), [&] { return fmt::format("creating group '{}' in {}", path, impl_->text()); },
      [&] {
        const LinkLocation location = free_location(location_of(*impl_), path, link);
        const model::Change change(*location.parent.file, "create a group");
        const Address header = model::LinkTable::create_group(*location.parent.file, options);
        return Group(Object(link_new(location, header, ObjectKind::group, link)));
      });
}

Group Group::require_group(std::string_view path, const GroupOptions& options) {
  if (const auto found = find(path)) return Group(*found);
  LinkOptions link;
  link.create_parents = true;
  return create_group(path, options, link);
}

CommittedDatatype Group::commit(std::string_view path, const Datatype& type, const LinkOptions& link,
                                const CommitOptions& options) {
  return api::exclusively(
      *impl_->file(), [&] { return fmt::format("committing datatype '{}' in {}", path, impl_->text()); },
      [&] {
        const LinkLocation location = free_location(location_of(*impl_), path, link);
        model::File& file = *location.parent.file;
        const model::Change change(file, "commit a datatype");
        const auto message = api::TypeAccess::message(type, file.store().widths().offset_bytes);
        const Address header = model::create_committed_datatype(file, message, options);
        return CommittedDatatype(Object(link_new(location, header, ObjectKind::datatype, link)));
      });
}

namespace {

std::vector<format::PipelineFilter> to_filters(const std::vector<FilterChoice>& choices) {
  std::vector<format::PipelineFilter> filters;
  for (const FilterChoice& f : choices)
    filters.push_back({f.id, static_cast<std::uint16_t>(f.optional ? 1 : 0), f.name, f.parameters, 0});
  return filters;
}

/// Returns the chunk dimensions if the caller needs chunks without giving dimensions.
std::vector<std::uint64_t> chunk_of(const Datatype& type, const Dataspace& space,
                                    const DatasetOptions& options) {
  const bool chunked = options.layout == Layout::chunked;
  const bool may_be = chunked || (options.layout == Layout::contiguous && options.external.empty());
  const bool needed = chunked || options.sparse || options.heap_in_chunks || !options.filters.empty() ||
                      space.max_dims() != space.dims();
  if (!options.chunk.empty() || !may_be || !needed) return options.chunk;
  if (options.sparse) return suggest_sparse_chunks(space, options.density, options.access);
  return suggest_chunks(space, type, options.access);
}

}  // namespace

model::NewDataset api::to_new_dataset(model::File& file, const Datatype& type, const Dataspace& space,
                                      const DatasetOptions& given) {
  model::NewDataset made;
  made.type = api::TypeAccess::message(type, file.store().widths().offset_bytes);
  const DatasetOptions options = api::with_section_filters(made.type, given);
  made.committed = api::TypeAccess::committed_in(type, file);
  made.space = api::to_message(space);
  made.layout = static_cast<format::LayoutClass>(options.layout);
  made.allocation = static_cast<format::AllocationTime>(options.allocation);
  made.fill_time = static_cast<format::FillTime>(options.fill_time);
  made.chunk = chunk_of(type, space, options);
  if (!made.chunk.empty()) made.layout = format::LayoutClass::chunked;
  if (options.portable && !options.sparse)
    throw Error(ErrorKind::invalid_argument, "only sparse datasets have a portable form");
  const bool structured = !options.portable && (options.sparse || options.heap_in_chunks);
  if (structured) made.layout = format::LayoutClass::structured;
  made.sparse = options.sparse;
  made.filters = to_filters(options.filters);
  made.filter_partial_chunks = options.filter_partial_chunks;
  made.selection_filters = to_filters(options.selection_filters);
  made.heap_filters = to_filters(options.heap_filters);
  made.heap_set = options.heap_sets;
  if (made.chunk.empty() && !made.filters.empty())
    throw Error(ErrorKind::invalid_argument, "filters work on chunks: the dataset needs chunk dimensions");
  if (!options.virtual_sources.empty()) made.layout = format::LayoutClass::virtual_dataset;
  for (const VirtualSource& s : options.virtual_sources) {
    auto elements = api::to_mapped(s.selection);
    // A selection of no elements has no rank.
    if (s.selection.kind() == Selection::Kind::none)
      elements.fixed = api::to_space(Selection::none(), made.space.dims);
    made.sources.push_back({s.file, s.dataset, api::to_mapped(s.source), std::move(elements)});
  }
  made.track_times = options.track_times;
  made.attributes = options.attributes;
  made.minimised_header = options.minimised_header;
  for (const ExternalFile& e : options.external) made.external.push_back({e.path, e.offset, e.bytes});
  switch (options.fill.state()) {
    case Fill::State::standard:
      break;
    case Fill::State::undefined:
      made.fill_state = format::FillState::undefined;
      break;
    case Fill::State::value:
      made.fill_state = format::FillState::user;
      made.fill.resize(made.type.size);
      model::write_attribute(file, made.type, made.fill, api::TypeAccess::impl(*options.fill.type()).message,
                             options.fill.bytes().data(), 1);
      break;
  }
  return made;
}

Dataset Group::create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                              const DatasetOptions& options, const LinkOptions& link) {
  return api::exclusively(
      *impl_->file(), [&] { return fmt::format("creating dataset '{}' in {}", path, impl_->text()); },
      [&] {
        const LinkLocation location = free_location(location_of(*impl_), path, link);
        model::File& file = *location.parent.file;
        const model::Change change(file, "create a dataset");
        const Address header = model::create_dataset(file, api::to_new_dataset(file, type, space, options));
        return Dataset(Object(link_new(location, header, ObjectKind::dataset, link)));
      });
}

namespace {

/// Returns a handle to a new object without links.
std::shared_ptr<model::OpenObject> open_unlinked(const std::shared_ptr<model::File>& file, Address header) {
  auto made = std::make_shared<model::OpenObject>(file, header, fmt::format("<{:#x}>", to_number(header)));
  file->unlinked().add(header);
  return made;
}

}  // namespace

Group File::create_unlinked_group(const GroupOptions& options) {
  const model::Change change(*impl_, "create a group");
  return Group(Object(open_unlinked(impl_, model::LinkTable::create_group(*impl_, options))));
}

Dataset File::create_unlinked_dataset(const Datatype& type, const Dataspace& space,
                                      const DatasetOptions& options) {
  const model::Change change(*impl_, "create a dataset");
  const auto made = api::to_new_dataset(*impl_, type, space, options);
  return Dataset(Object(open_unlinked(impl_, model::create_dataset(*impl_, made))));
}

CommittedDatatype File::commit_unlinked(const Datatype& type, const CommitOptions& options) {
  const model::Change change(*impl_, "commit a datatype");
  const auto message = api::TypeAccess::message(type, impl_->store().widths().offset_bytes);
  return CommittedDatatype(
      Object(open_unlinked(impl_, model::create_committed_datatype(*impl_, message, options))));
}

Dataset Group::open_dataset(std::string_view path, const DatasetAccess& access) const {
  Dataset dataset(open(path));
  if (access.chunk_cache) dataset.set_chunk_cache(access.chunk_cache);
  if (access.virtual_view) dataset.set_virtual_view(access.virtual_view);
  if (access.virtual_prefix) dataset.set_virtual_prefix(access.virtual_prefix);
  if (access.external_data_prefix) dataset.set_external_data_prefix(access.external_data_prefix);
  return dataset;
}

Object Group::open(std::string_view path) const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("opening '{}' of '{}'", path, impl_->file()->name()); },
      [&] { return Object(open_at(model::get_object(location_of(*impl_), path))); });
}

Object Group::open(const Link& link) const {
  if (link.kind != LinkKind::hard) return open(link.name);
  const std::string path = join(impl_->path(), link.name);
  return api::inside(
      *impl_->file(), [&] { return fmt::format("opening '{}' of '{}'", path, impl_->file()->name()); },
      [&] {
        return Object(open_at({impl_->file(), to_address(link.address), path}));
      });
}

Group Group::open_group(std::string_view path) const { return Group(open(path)); }

std::optional<Object> Group::find(std::string_view path) const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("opening '{}' of '{}'", path, impl_->file()->name()); },
      [&]() -> std::optional<Object> {
        const auto location = model::find_object(location_of(*impl_), path);
        if (!location) return std::nullopt;
        return Object(open_at(*location));
      });
}

std::optional<Link> Group::find_link(std::string_view path) const {
  try {
    const LinkLocation location = model::locate(location_of(*impl_), path);
    if (!location.link) return std::nullopt;
    return to_link(*location.link);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::not_found) return std::nullopt;
    throw;
  }
}

bool Group::has_link(std::string_view path) const { return find_link(path).has_value(); }

Link Group::link(std::string_view path) const {
  return to_link(*existing_location(location_of(*impl_), path).link);
}

void Group::link_hard(std::string_view path, const Object& object, const LinkOptions& options) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("linking '{}' in {}", path, impl_->text()); },
      [&] {
        const LinkLocation location = free_location(location_of(*impl_), path, options);
        if (object.impl_->file() != location.parent.file)
          throw Error(ErrorKind::invalid_argument, "a hard link cannot lead to another file");
        model::File& file = *location.parent.file;
        const model::Change change(file, "create a link");
        format::LinkMessage link;
        link.header = object.impl_->header();
        insert_link(location, std::move(link), options);
        model::add_link_to(file, object.impl_->header());
      });
}

void Group::link_soft(std::string_view path, std::string_view target, const LinkOptions& options) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("linking '{}' in {}", path, impl_->text()); },
      [&] {
        if (target.empty()) throw Error(ErrorKind::invalid_argument, "a soft link needs a target");
        const LinkLocation location = free_location(location_of(*impl_), path, options);
        const model::Change change(*location.parent.file, "create a link");
        format::LinkMessage link;
        link.kind = format::LinkKind::soft;
        link.target = target;
        insert_link(location, std::move(link), options);
      });
}

void Group::link_external(std::string_view path, std::string_view file, std::string_view target,
                          const LinkOptions& options) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("linking '{}' in {}", path, impl_->text()); },
      [&] {
        if (file.empty() || target.empty())
          throw Error(ErrorKind::invalid_argument, "an external link needs a file and a path in it");
        const LinkLocation location = free_location(location_of(*impl_), path, options);
        const model::Change change(*location.parent.file, "create a link");
        format::LinkMessage link;
        link.kind = format::LinkKind::external;
        link.external = {std::string(file), std::string(target)};
        insert_link(location, std::move(link), options);
      });
}

void Group::link_user(std::string_view path, std::uint8_t kind, std::span<const std::byte> data,
                      const LinkOptions& options) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("linking '{}' in {}", path, impl_->text()); },
      [&] {
        if (kind < 64)
          throw Error(ErrorKind::invalid_argument, "user-defined kinds of links are numbered from 64 to 255");
        const LinkLocation location = free_location(location_of(*impl_), path, options);
        const model::Change change(*location.parent.file, "create a link");
        format::LinkMessage link;
        link.kind = static_cast<format::LinkKind>(kind);
        link.user_data.assign(data.begin(), data.end());
        insert_link(location, std::move(link), options);
      });
}

void Group::remove(std::string_view path) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("removing '{}' from {}", path, impl_->text()); },
      [&] {
        const LinkLocation location = existing_location(location_of(*impl_), path);
        const model::Change change(*location.parent.file, "remove a link");
        remove_link(location);
      });
}

void Group::rename(std::string_view from, std::string_view to, const LinkOptions& options) {
  move(from, *this, to, options);
}

void Group::move(std::string_view from, const Group& to_group, std::string_view to,
                 const LinkOptions& options) {
  api::exclusively(
      *impl_->file(), [&] { return fmt::format("moving '{}' of {} to '{}'", from, impl_->text(), to); },
      [&] {
        const LinkLocation source = existing_location(location_of(*impl_), from);
        const LinkLocation target = free_location(location_of(*to_group.impl_), to, options);
        if (source.parent.file != target.parent.file)
          throw Error(ErrorKind::invalid_argument, "a link cannot move to another file");
        const model::Change change(*source.parent.file, "move a link");
        // The new link is created first, so that a failure leaves the old one.
        insert_link(target, *source.link, options);
        model::LinkTable(*source.parent.file, source.parent.header).remove(source.name);
        model::touch(*source.parent.file, source.parent.header);
      });
}

void Group::copy(std::string_view from, Group to_group, std::string_view to,
                 const CopyOptions& options) const {
  LinkOptions link;
  link.create_parents = options.create_parents;
  open(from).copy_to(to_group, to, options, link);
}

void Object::copy_to(const Group& group, std::string_view path, const CopyOptions& options,
                     const LinkOptions& link) const {
  // All copies lock files in the same order, so that two copies in opposite directions cannot deadlock.
  model::File& one = *impl_->file();
  model::File& other = *group.impl_->file();
  const FileLock::Exclusive first(std::less<>()(&one, &other) ? one.lock() : other.lock());
  api::exclusively(
      std::less<>()(&one, &other) ? other : one,
      [&] { return fmt::format("copying {} to '{}' of {}", impl_->text(), path, group.impl_->text()); },
      [&] {
        const LinkLocation target = free_location(location_of(*group.impl_), path, link);
        const model::Change change(*target.parent.file, "copy an object");
        const Address header = model::copy_object(location_of(*impl_), *target.parent.file, options);
        link_new(target, header, model::object_kind(*target.parent.file, header), link);
      });
}

bool Group::for_each(const std::function<bool(const Link&)>& fn, IndexBy by, Direction direction) const {
  return api::inside(
      *impl_->file(), [&] { return fmt::format("listing {}", impl_->text()); },
      [&] {
        return model::LinkTable(*impl_->file(), impl_->header())
            .for_each(by, direction, [&](const format::LinkMessage& link) { return fn(to_link(link)); });
      });
}

Link Group::link_at(std::uint64_t position, IndexBy by, Direction direction) const {
  std::optional<Link> found;
  std::uint64_t left = position;
  for_each(
      [&](const Link& link) {
        if (left-- == 0) found = link;
        return !found;
      },
      by, direction);
  if (found) return *std::move(found);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{} has no link at position {}", impl_->text(), position));
}

std::vector<Link> Group::links(IndexBy by, Direction direction) const {
  std::vector<Link> all;
  for_each(
      [&](const Link& link) {
        all.push_back(link);
        return true;
      },
      by, direction);
  return all;
}

}  // namespace filigree
