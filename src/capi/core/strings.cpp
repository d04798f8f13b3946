// SPDX-License-Identifier: Apache-2.0
#include "capi/core/strings.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace filigree::capi {

ssize_t copy_string(std::string_view text, char* to, std::size_t bytes) {
  if (to != nullptr && bytes > 0) {
    const std::size_t copied = std::min(text.size(), bytes - 1);
    std::memcpy(to, text.data(), copied);
    to[copied] = '\0';
  }
  return static_cast<ssize_t>(text.size());
}

ssize_t copy_comment(std::string_view text, char* to, std::size_t bytes) {
  if (to != nullptr) {
    const std::size_t copied = std::min(text.size(), bytes);
    std::memcpy(to, text.data(), copied);
    if (copied < bytes) to[copied] = '\0';
  }
  return static_cast<ssize_t>(text.size());
}

char* new_string(std::string_view text) {
  char* const made = static_cast<char*>(std::malloc(text.size() + 1));
  if (made == nullptr) throw std::bad_alloc();
  std::memcpy(made, text.data(), text.size());
  made[text.size()] = '\0';
  return made;
}

}  // namespace filigree::capi
