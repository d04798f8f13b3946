// SPDX-License-Identifier: Apache-2.0
//
// The values of fields as text, for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace filigree::format {

/// A number in decimal and hexadecimal digits. All bits set, as undefined addresses have them, are "all
/// ones".
std::string word_text(std::uint64_t v, unsigned width);
/// The first numbers of a list.
std::string words_text(std::span<const std::uint64_t> list, unsigned width);
/// A string up to its first NUL, which would end the line for C programs.
std::string quoted_text(std::string_view text);
/// The number of bytes, and the first of them.
std::string blob_text(Bytes bytes);

}  // namespace filigree::format
