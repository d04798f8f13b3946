// SPDX-License-Identifier: Apache-2.0
#include "capi/H5R/references.hpp"

#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/bytes.hpp"
#include "capi/H5T/datatype.hpp"
#include "format/codec/codec.hpp"
#include "space/encoding.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {
namespace {

constexpr unsigned token_bytes = 8;
constexpr std::size_t token_at = 3;  // behind type, flags and size of the token
constexpr std::size_t rest_at = token_at + token_bytes;
constexpr std::byte external_flag{1};
constexpr std::size_t longest_name = 65535;
constexpr format::Widths widths{8, 8};

/// The contents of the 64 bytes. All of them are zero for empty references.
struct Slot {
  Reference* value = nullptr;
  std::uint64_t seal = 0;  ///< distinguishes references from memory that was never initialised
};
static_assert(sizeof(Slot) <= sizeof(H5R_ref_t));

/// A number that depends on the pointer and on the process.
std::uint64_t seal_of(const Reference* value) {
  static const std::uint64_t key = reinterpret_cast<std::uintptr_t>(&c_reference) ^ 0x9e3779b97f4a7c15u;
  return (reinterpret_cast<std::uintptr_t>(value) ^ key) * 0xff51afd7ed558ccdu;
}

constexpr const char* no_reference = "the memory holds no reference: it was never initialised";

/// Returns null for an empty reference, and nothing for bytes that hold no reference.
std::optional<Reference*> find_value(const void* reference) {
  Slot slot;
  std::memcpy(&slot, reference, sizeof slot);
  if (slot.value == nullptr && slot.seal == 0) return nullptr;
  if (slot.seal != seal_of(slot.value)) return std::nullopt;
  return slot.value;
}

void set_slot(void* reference, Reference* value) {
  std::memset(reference, 0, sizeof(H5R_ref_t));
  const Slot slot{value, seal_of(value)};
  std::memcpy(reference, &slot, sizeof slot);
}

/// The innermost scope of this thread that transfers references, or null.
thread_local ReferenceFileScope* current = nullptr;

/// Returns the bytes of a reference for the current file. They are valid until the next call of this thread.
const std::vector<std::byte>& bytes_to_store(const Reference& reference) {
  if (current == nullptr) return reference.bytes();
  if (reference.file.empty())
    throw Error(ErrorKind::invalid_argument,
                "the reference leads into a file that is not open: open its object first");
  const auto target = reference.file.open();
  const bool external = target->shared != current->file->shared;
  current->stored = reference.stored_bytes(external ? &target->name : nullptr);
  return current->stored;
}

Container::View view_reference(const void* value) {
  const auto held = find_value(value);
  if (!held) throw Error(ErrorKind::invalid_argument, no_reference);
  if (*held == nullptr) return {nullptr, 0, true};
  const std::vector<std::byte>& bytes = bytes_to_store(**held);
  return {bytes.data(), bytes.size(), false};
}

/// Creates a reference whose bytes the caller will set.
void* resize_reference(void* value, std::size_t count, std::size_t, void*) {
  auto held = std::make_unique<Reference>(count);
  if (current != nullptr) {
    held->file = FileIdCount(current->file->retain_id());
    current->made.insert(held.get());
  }
  std::byte* const bytes = held->bytes().data();
  set_slot(value, held.release());
  return bytes;
}

void clear_reference(void* value) { std::memset(value, 0, sizeof(H5R_ref_t)); }

Reference with_token(format::ReferenceKind kind, std::uint64_t address) {
  Reference made(rest_at);
  made.bytes()[0] = static_cast<std::byte>(kind);
  made.bytes()[2] = std::byte{token_bytes};
  store_word(made.bytes().data() + token_at, address, token_bytes);
  return made;
}

/// Returns the string at the start of `bytes`, behind its length. *Throws* Error(corrupt).
std::string_view sized_string(Bytes bytes, const char* what) {
  const std::size_t length = bytes.size() < 2 ? 0 : load_word(bytes.data(), 2);
  if (bytes.size() < 2 || bytes.size() - 2 < length)
    throw Error(ErrorKind::corrupt, fmt::format("a reference ends in its {}", what));
  return {reinterpret_cast<const char*>(bytes.data()) + 2, length};
}

void append_string(std::vector<std::byte>& to, std::string_view text) {
  const std::size_t at = to.size();
  to.resize(at + 2 + text.size());
  store_word(to.data() + at, text.size(), 2);
  std::memcpy(to.data() + at + 2, text.data(), text.size());
}

bool has_file_name(const std::vector<std::byte>& bytes) {
  return bytes.size() > 1 && (bytes[1] & external_flag) != std::byte{0};
}

Bytes after_token(const std::vector<std::byte>& bytes) {
  return Bytes(bytes).subspan(std::min(rest_at, bytes.size()));
}

/// Returns the bytes behind the token and behind the name of an external file.
Bytes rest_of(const std::vector<std::byte>& bytes) {
  const Bytes rest = after_token(bytes);
  return has_file_name(bytes) ? rest.subspan(2 + sized_string(rest, "file's name").size()) : rest;
}

}  // namespace

FileIdCount::FileIdCount(const FileIdCount& other) : id_(other.id_) {
  if (!empty()) ids().retain(id_);
}

FileIdCount::FileIdCount(FileIdCount&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}

FileIdCount& FileIdCount::operator=(FileIdCount other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

FileIdCount::~FileIdCount() {
  if (empty()) return;
  try {
    ids().release(id_);
  } catch (...) {  // The program has closed the id too often, or the library is closed.
  }
}

std::shared_ptr<OpenFile> FileIdCount::open() const { return get_file(id_); }

const Container c_reference{sizeof(H5R_ref_t), alignof(H5R_ref_t), view_reference, resize_reference,
                            clear_reference};

Reference Reference::to_object(std::uint64_t address) {
  return with_token(format::ReferenceKind::revised_object, address);
}

Reference Reference::to_region(std::uint64_t address, const SpaceValue& space) {
  Reference made = with_token(format::ReferenceKind::revised_region, address);
  const space::Selection selection = selection_without_offset(space);
  const Buffer body = format::encode(space::hdf5_encoding(selection), widths);
  std::array<std::byte, 8> head;
  store_word(head.data(), body.size(), 4);
  store_word(head.data() + 4, space.rank(), 4);
  made.bytes_.insert(made.bytes_.end(), head.begin(), head.end());
  made.bytes_.insert(made.bytes_.end(), body.begin(), body.end());
  made.extent_ = space.extent;
  return made;
}

Reference Reference::to_attribute(std::uint64_t address, std::string_view name) {
  if (name.size() > longest_name)
    throw Failure({&H5E_REFERENCE_g, &H5E_CANTCREATE_g},
                  fmt::format("the attribute's name has {} bytes, more than {}", name.size(), longest_name));
  Reference made = with_token(format::ReferenceKind::revised_attribute, address);
  append_string(made.bytes_, name);
  return made;
}

H5R_type_t Reference::kind() const {
  const int kind = bytes_.empty() ? 0 : std::to_integer<int>(bytes_[0]);
  if (kind < H5R_OBJECT2 || kind > H5R_ATTR)
    throw Error(ErrorKind::corrupt, fmt::format("{} is no kind of reference", kind));
  return static_cast<H5R_type_t>(kind);
}

std::uint64_t Reference::address() const {
  if (bytes_.size() < rest_at || bytes_[2] != std::byte{token_bytes})
    throw Error(ErrorKind::corrupt, "a reference ends in its token");
  return load_word(bytes_.data() + token_at, token_bytes);
}

bool Reference::is_external() const { return has_file_name(bytes_); }

std::optional<std::string_view> Reference::file_name() const {
  if (!is_external()) return std::nullopt;
  return sized_string(after_token(bytes_), "file's name");
}

std::string_view Reference::attribute_name() const {
  return sized_string(rest_of(bytes_), "attribute's name");
}

std::size_t Reference::region_rank() const {
  const Bytes rest = rest_of(bytes_);
  return rest.size() < 8 ? 0 : load_word(rest.data() + 4, 4);
}

std::vector<std::byte> Reference::stored_bytes(const std::string* name) const {
  if (name != nullptr && name->size() > longest_name)
    throw Error(ErrorKind::limit, fmt::format("a reference cannot hold a file name of {} bytes, more than {}",
                                              name->size(), longest_name));
  std::vector<std::byte> made(bytes_.begin(), bytes_.begin() + std::min(rest_at, bytes_.size()));
  made.at(1) = name == nullptr ? std::byte{0} : external_flag;
  if (name != nullptr) append_string(made, *name);
  const Bytes rest = rest_of(bytes_);
  made.insert(made.end(), rest.begin(), rest.end());
  return made;
}

bool Reference::equals(const Reference& other) const {
  if (kind() != other.kind() || address() != other.address() || file_name() != other.file_name())
    return false;
  if (kind() == H5R_ATTR) return attribute_name() == other.attribute_name();
  if (kind() == H5R_DATASET_REGION2)
    return extent_ == other.extent_ && (extent_ || region_rank() == other.region_rank());
  return true;
}

space::Selection Reference::selection(const space::Frame& frame) const {
  const Bytes rest = rest_of(bytes_);
  if (rest.size() < 8) throw Error(ErrorKind::corrupt, "a reference to a region ends before its selection");
  const std::size_t length = load_word(rest.data(), 4);
  if (length > rest.size() - 8)
    throw Error(ErrorKind::corrupt, "a reference to a region ends in its selection");
  return space::decode_selection(rest.subspan(8, length), frame).selection;
}

bool is_empty(const H5R_ref_t& reference) {
  const auto value = find_value(&reference);
  return value.has_value() && *value == nullptr;
}

Reference& get_reference(const H5R_ref_t* reference) {
  const auto value = find_value(required(reference, "the reference"));
  if (!value) bad_value(no_reference);
  if (*value == nullptr) bad_value("the reference refers to nothing");
  return **value;
}

void store_reference(H5R_ref_t* reference, Reference value) {
  set_slot(reference, std::make_unique<Reference>(std::move(value)).release());
}

void destroy_reference(H5R_ref_t* reference) {
  const auto value = find_value(reference);
  if (!value) bad_value(no_reference);
  if (current != nullptr) current->made.erase(*value);
  delete *value;
  clear_reference(reference);
}

ReferenceFileScope::ReferenceFileScope(const std::shared_ptr<OpenFile>& open,
                                       const format::DatatypeMessage& memory_type)
    : ReferenceFileScope(type::has_references(memory_type) ? open : nullptr) {}

ReferenceFileScope::ReferenceFileScope(const std::shared_ptr<OpenFile>& open)
    // Acquired here, because closing a file locks its users first and the file second.
    : file(open == nullptr ? nullptr : in_use(open)),
      before_(std::exchange(current, file == nullptr ? nullptr : this)) {}

ReferenceFileScope::~ReferenceFileScope() {
  current = before_;
  // References into other files do not keep this file open.
  for (Reference* const reference : made)
    if (reference->is_external()) reference->file = {};
}

hid_t add_region(const Dataset& dataset, space::Selection selection) {
  SpaceValue value;
  value.extent = dataset.space();
  if (selection.kind() != space::Selection::Kind::all) value.selection = std::move(selection);
  return add_space(std::move(value));
}

void reclaim_references(const format::DatatypeMessage& type, std::byte* elements, std::size_t count) {
  using format::TypeClass;
  const auto each = [&](const format::DatatypeMessage& part, std::size_t offset, std::size_t times) {
    for (std::size_t i = 0; i < count; ++i)
      reclaim_references(part, elements + i * type.size + offset, times);
  };
  if (type.type_class == TypeClass::reference && type.container == &c_reference) {
    for (std::size_t i = 0; i < count; ++i) {
      H5R_ref_t reference;
      std::memcpy(&reference, elements + i * type.size, sizeof reference);
      destroy_reference(&reference);
      std::memset(elements + i * type.size, 0, sizeof reference);
    }
  } else if (type.type_class == TypeClass::array) {
    each(type.base.at(0), 0, type.size / type.base.at(0).size);
  } else if (type.type_class == TypeClass::variable_length) {
    for (std::size_t i = 0; i < count; ++i) {
      const Container::View view = type.container->view(elements + i * type.size);
      if (!view.missing)
        reclaim_references(type.base.at(0), static_cast<std::byte*>(const_cast<void*>(view.elements)),
                           view.count);
    }
  } else {
    for (const format::CompoundMember& member : type.members)
      each(format::member_type(member), member.byte_offset, 1);
  }
}

}  // namespace filigree::capi
