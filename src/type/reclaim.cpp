// SPDX-License-Identifier: Apache-2.0
//
// Freeing the memory of variable-length values in C programs.
#include <cstdlib>
#include <cstring>

#include "type/datatypes.hpp"

namespace filigree::type {

using format::CompoundMember;
using format::TypeClass;

namespace {

void release(void* block, const CMemory* memory) {
  if (memory != nullptr && memory->release != nullptr) return memory->release(block, memory->release_info);
  // Without a custom free function, HDF5 uses free() even if there is a custom allocator.
  std::free(block);
}

void reclaim_strided(const DatatypeMessage& type, std::byte* elements, std::size_t count, std::size_t stride,
                     const CMemory* memory);

void reclaim_value(const DatatypeMessage& type, std::byte* value, const CMemory* memory) {
  if (type.container == nullptr || !type.container->is_c) return;
  // The pointer is the first member of c_string, and follows the length in c_sequence.
  void* block = nullptr;
  std::memcpy(&block, value + type.container->bytes - sizeof block, sizeof block);
  if (block == nullptr) return;
  if (type.variable == format::VariableKind::sequence) {
    const Container::View view = type.container->view(value);
    reclaim(type.base.at(0), static_cast<std::byte*>(block), view.count, memory);
  }
  type.container->clear(value);
  release(block, memory);
}

void reclaim_array(const DatatypeMessage& type, std::byte* elements, std::size_t count, std::size_t stride,
                   const CMemory* memory) {
  const DatatypeMessage& base = type.base.at(0);
  for (std::size_t i = 0; i < count; ++i) {
    reclaim_strided(base, elements + i * stride, type.size / base.size, base.size, memory);
  }
}

void reclaim_strided(const DatatypeMessage& type, std::byte* elements, std::size_t count, std::size_t stride,
                     const CMemory* memory) {
  if (count == 0 || !has_variable_parts(type)) return;
  if (type.type_class == TypeClass::array) return reclaim_array(type, elements, count, stride, memory);
  for (const CompoundMember& member : type.members) {
    reclaim_strided(format::member_type(member), elements + member.byte_offset, count, stride, memory);
  }
  if (type.type_class != TypeClass::variable_length) return;
  for (std::size_t i = 0; i < count; ++i) reclaim_value(type, elements + i * stride, memory);
}

}  // namespace

void reclaim(const DatatypeMessage& type, std::byte* elements, std::size_t count, const CMemory* memory) {
  reclaim_strided(type, elements, count, type.size, memory);
}

}  // namespace filigree::type
