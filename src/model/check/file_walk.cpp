// SPDX-License-Identifier: Apache-2.0
#include "model/check/file_walk.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "model/check/visitors.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {
namespace {

constexpr std::uint64_t progress_step = 1u << 20;
constexpr std::uint64_t most_structure_bytes = std::uint64_t{128} << 20;
/// Paths of deeply nested objects are shortened: many findings would need far more memory than the file.
constexpr std::size_t most_path_bytes = 4096;

}  // namespace

FileWalk::FileWalk(File& file, const CheckOptions& options)
    : file_(file), store_(file.store()), options_(options) {
  objects_.emplace_back();  // the file itself
}

void FileWalk::run() {
  objects_[add_object(file_.root(), "/")].found = 1;
  visit_file_structures(*this);
  visit_objects();
  set_owner(the_file);
  follow_references();
  compare_links();
  if (!wanted_) examine_space();
}

// Findings.

void FileWalk::find(Severity severity, std::string_view structure, Address at, std::uint64_t bytes,
                    std::string message) {
  switch (severity) {
    case Severity::information:
      ++report_.informations;
      break;
    case Severity::unused:
      ++report_.unused;
      break;
    case Severity::leak:
      ++report_.leaks;
      break;
    case Severity::damage:
      ++report_.damages;
      break;
  }
  if (report_.findings.size() >= options_.most_findings) return;
  report_.findings.push_back({severity, std::string(structure), is_valid(at) ? to_number(at) : 0, bytes,
                              path(owner_), std::move(message)});
}

void FileWalk::note_error(std::string_view structure, Address at, const Error& error) {
  if (error.kind() == ErrorKind::unsupported)
    return find(Severity::information, structure, at, 0, std::string("cannot be checked: ") + error.what());
  damage(structure, at, error.what());
}

// Structures.

std::uint16_t FileWalk::number_of(std::string_view structure) {
  const auto number = std::ranges::find(structures_, structure) - structures_.begin();
  if (static_cast<std::size_t>(number) == structures_.size()) structures_.push_back(structure);
  return static_cast<std::uint16_t>(number);
}

void FileWalk::use(std::string_view structure, Address at, std::uint64_t bytes) {
  if (!is_valid(at) || bytes == 0) return;
  if (!try_add(to_number(at), bytes)) return damage(structure, at, "ends beyond the largest address");
  space_.add({to_number(at), bytes, owner_, number_of(structure)});
  if (wants(at, bytes)) describe(structure, at, bytes, {});
  progress_ += bytes;
  if (progress_ - reported_progress_ < progress_step || !options_.on_progress) return;
  reported_progress_ = progress_;
  options_.on_progress(progress_);
}

bool FileWalk::enter(std::string_view structure, Address at, std::uint64_t bytes) {
  if (!is_valid(at)) {
    damage(structure, at, fmt::format("{}: its address is undefined", structure));
    return false;
  }
  if (!visited_.try_emplace(at).second) {
    damage(structure, at,
           fmt::format("{} at {}: another pointer leads there, too", structure, to_string(at)));
    return false;
  }
  ++report_.structures;
  use(structure, at, bytes);
  return true;
}

bool FileWalk::is_too_large(std::string_view structure, Address at, std::uint64_t bytes) {
  if (bytes <= most_structure_bytes) return false;
  find(Severity::information, structure, at, bytes,
       fmt::format("{} at {}: its {} bytes are more than are read of one structure", structure, to_string(at),
                   bytes));
  elements_are_known = false;
  return true;
}

void FileWalk::describe(std::string_view structure, Address at, std::uint64_t bytes,
                        format::Inspection inspection) {
  const bool has_fields = !inspection.fields.empty() || !inspection.fault.empty();
  if (description_ && (description_->bytes < bytes || (description_->bytes == bytes && !has_fields))) return;
  StructureDescription description;
  description.structure = structure;
  description.address = to_number(at);
  description.bytes = bytes;
  description.path = path(owner_);
  description.is_linked = true;
  for (format::InspectedField& field : inspection.fields)
    description.fields.push_back({field.offset, field.bytes, std::move(field.name), std::move(field.value)});
  description.fault = std::move(inspection.fault);
  description_ = std::move(description);
}

bool FileWalk::visit_collection(Address at) {
  constexpr std::string_view structure = format::GlobalHeapHeader::structure;
  const auto [state, is_new] = collections_.try_emplace(at);
  if (!is_new) return *state == 1;
  std::uint8_t result = 2;
  guarded(structure, at, [&] {
    const auto collection = file_.global_heap().collection(at);
    result = 1;
    if (!enter(structure, at, collection->bytes())) return;
    if (wants(at, collection->bytes())) {
      format::GlobalHeapHeader header;
      describe(structure, at, collection->bytes(), format::inspect(header, *collection->buffer(), widths()));
    }
  });
  *collections_.find(at) = result;
  return result == 1;
}

// Objects.

std::string FileWalk::path(Owner owner) const {
  std::string text;
  for (; owner != the_file; owner = objects_[owner].parent) {
    const ObjectRecord& object = objects_[owner];
    if (object.parent == the_file) return text.empty() ? object.name : text;
    text = "/" + object.name + text;
    if (text.size() > most_path_bytes) return "..." + text;
  }
  return text;
}

Owner FileWalk::add_object(Address at, const std::string& name) {
  const auto [number, is_new] = object_numbers_.try_emplace(at);
  if (is_new) {
    *number = static_cast<Owner>(objects_.size());
    objects_.push_back({.at = at, .parent = owner_, .name = name});
  }
  return *number;
}

void FileWalk::link(const std::string& name, Address target) {
  if (!is_valid(target))
    return damage("link", objects_[owner_].at, fmt::format("hard link '{}' has no target", name));
  ++objects_[add_object(target, name)].found;
}

void FileWalk::refer_to_type(Address target) {
  const Owner type = add_object(target, fmt::format("<committed datatype at {}>", to_string(target)));
  ++objects_[type].found;
  objects_[type].is_type = true;
}

void FileWalk::refer_to_object(Address target) {
  if (object_numbers_.find(target) != nullptr) return;
  if (referenced_.try_emplace(target).second) references_.push_back({target, owner_});
}

void FileWalk::declare_links(std::uint32_t count) {
  objects_[owner_].declared = count;
  objects_[owner_].is_read = true;
}

void FileWalk::visit_objects() {
  for (Owner next = 1; next < objects_.size(); ++next) {
    set_owner(next);
    if (visit_object(*this, objects_[next].at)) ++report_.objects;
  }
}

/// References may lead to objects that were deleted: then their bytes may be still there, or something else.
void FileWalk::follow_references() {
  for (const Reference& reference : references_) {
    if (object_numbers_.find(reference.target) != nullptr) continue;
    set_owner(reference.owner);
    const std::string where = to_string(reference.target);
    try {
      object_kind(file_, reference.target);
      find(Severity::information, "object reference", reference.target, 0,
           fmt::format("refers to the object at {}, to which no link leads", where));
    } catch (const Error& error) {
      damage("object reference", reference.target,
             fmt::format("refers to {}, where there is no object: {}", where, error.message()));
    }
  }
  set_owner(the_file);
}

void FileWalk::compare_links() {
  for (Owner number = 1; number < objects_.size(); ++number) {
    const ObjectRecord& object = objects_[number];
    if (!object.is_read || object.found == object.declared) continue;
    // Links in damaged groups were not found, and attributes that are shared use their datatype only once.
    if (has_damage_ && object.found < object.declared) continue;
    if (has_shared_messages && object.is_type) continue;
    set_owner(number);
    const std::string text = fmt::format("object header at {}: it counts {} links, but {} lead to it",
                                         to_string(object.at), object.declared, object.found);
    find(Severity::damage, "object header", object.at, 0, text);
  }
  set_owner(the_file);
}

}  // namespace filigree::model
