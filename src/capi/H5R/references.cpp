// SPDX-License-Identifier: Apache-2.0
#include "capi/H5R/references.hpp"

#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/bytes.hpp"
#include "base/thread_value.hpp"
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

std::shared_ptr<OpenFile>& current_file() { return thread_value<std::shared_ptr<OpenFile>, Reference>(); }

Container::View view_reference(const void* value) {
  const auto held = find_value(value);
  if (!held) throw Error(ErrorKind::invalid_argument, no_reference);
  if (*held == nullptr) return {nullptr, 0, true};
  return {(*held)->bytes().data(), (*held)->bytes().size(), false};
}

void* resize_reference(void* value, std::size_t count, std::size_t, void*) {
  auto held = std::make_unique<Reference>(count);
  if (current_file() != nullptr) held->file = current_file();
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

/// Returns the bytes behind the token and behind the name of an external file.
Bytes rest_of(const std::vector<std::byte>& bytes) {
  Bytes rest = Bytes(bytes).subspan(std::min(rest_at, bytes.size()));
  if ((bytes.at(1) & external_flag) != std::byte{0}) {
    if (rest.size() < 2) throw Error(ErrorKind::corrupt, "a reference ends in its file's name");
    const std::size_t length = load_word(rest.data(), 2) + 2;
    if (rest.size() < length) throw Error(ErrorKind::corrupt, "a reference ends in its file's name");
    rest = rest.subspan(length);
  }
  return rest;
}

}  // namespace

const Container c_reference{sizeof(H5R_ref_t), alignof(H5R_ref_t), view_reference, resize_reference,
                            clear_reference};

Reference Reference::to_object(std::uint64_t address) {
  return with_token(format::ReferenceKind::revised_object, address);
}

Reference Reference::to_region(std::uint64_t address, const Dataspace& extent,
                               const space::Selection& selection) {
  Reference made = with_token(format::ReferenceKind::revised_region, address);
  const Buffer body = format::encode(space::hdf5_encoding(selection), widths);
  std::array<std::byte, 8> head;
  store_word(head.data(), body.size(), 4);
  store_word(head.data() + 4, extent.dims().size(), 4);
  made.bytes_.insert(made.bytes_.end(), head.begin(), head.end());
  made.bytes_.insert(made.bytes_.end(), body.begin(), body.end());
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

space::Selection Reference::selection(const space::Frame& frame) const {
  const Bytes rest = rest_of(bytes_);
  if (rest.size() < 8) throw Error(ErrorKind::corrupt, "a reference to a region ends before its selection");
  const std::size_t length = load_word(rest.data(), 4);
  if (length > rest.size() - 8)
    throw Error(ErrorKind::corrupt, "a reference to a region ends in its selection");
  return space::decode_selection(rest.subspan(8, length), frame).selection;
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
  delete *value;
  clear_reference(reference);
}

ReferenceFileScope::ReferenceFileScope(const std::shared_ptr<OpenFile>& open,
                                       const format::DatatypeMessage& read)
    : before_(std::move(current_file())) {
  // Acquired here, because closing a file locks its users first and the file second.
  current_file() = type::has_references(read) ? in_use(open) : nullptr;
}

ReferenceFileScope::~ReferenceFileScope() { current_file() = std::move(before_); }

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
