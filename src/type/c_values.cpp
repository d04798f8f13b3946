// SPDX-License-Identifier: Apache-2.0
//
// Variable-length values in the memory of C programs.
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/checked.hpp"
#include "type/datatypes.hpp"

namespace filigree::type {
namespace {

struct Sequence {
  std::size_t length;
  void* elements;
};

void* allocate(std::size_t bytes, const void* memory) {
  const auto* custom = static_cast<const CMemory*>(memory);
  void* block = custom != nullptr && custom->allocate != nullptr
                    ? custom->allocate(bytes, custom->allocate_info)
                    : std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

Container::View view_sequence(const void* value) {
  Sequence sequence;
  std::memcpy(&sequence, value, sizeof sequence);
  const bool missing = sequence.length == 0 || sequence.elements == nullptr;
  return {sequence.elements, missing ? 0 : sequence.length, missing};
}

void* resize_sequence(void* value, std::size_t count, std::size_t element_bytes, void* memory) {
  Sequence sequence{count, nullptr};
  if (count != 0) {
    const std::size_t bytes = checked_multiply(count, element_bytes, "a variable-length value");
    sequence.elements = std::memset(allocate(bytes, memory), 0, bytes);
  }
  std::memcpy(value, &sequence, sizeof sequence);
  return sequence.elements;
}

void clear_sequence(void* value) { std::memset(value, 0, sizeof(Sequence)); }

Container::View view_string(const void* value) {
  const char* text = nullptr;
  std::memcpy(&text, value, sizeof text);
  return {text, text == nullptr ? 0 : std::strlen(text), text == nullptr};
}

void* resize_string(void* value, std::size_t count, std::size_t, void* memory) {
  char* text = static_cast<char*>(allocate(count + 1, memory));
  text[count] = '\0';
  std::memcpy(value, &text, sizeof text);
  return text;
}

void clear_string(void* value) { std::memset(value, 0, sizeof(char*)); }

}  // namespace

const Container c_sequence{sizeof(Sequence), alignof(Sequence), view_sequence,
                           resize_sequence,  clear_sequence,    true};
const Container c_string{sizeof(char*), alignof(char*), view_string, resize_string, clear_string, true};

}  // namespace filigree::type
