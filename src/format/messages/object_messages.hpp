// SPDX-License-Identifier: Apache-2.0
//
// Small messages of any object, and the external files of a dataset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"

namespace filigree::format {

/// Message 0x0D: the comment of an object.
struct Comment {
  static constexpr std::string_view structure = "comment message";
  std::string text;
};

/// Message 0x0E, written before release 1.4: the modification time as fourteen digits YYYYMMDDhhmmss in UTC.
struct ModificationTimeOld {
  static constexpr std::string_view structure = "old modification time message";
  std::string digits = "19700101000000";
};

/// The time in seconds since 1970, or nothing if the digits are not a date.
std::optional<std::int64_t> find_seconds(const ModificationTimeOld& time);

/// Message 0x12: the modification time.
struct ModificationTime {
  static constexpr std::string_view structure = "modification time message";
  std::uint32_t seconds = 0;  ///< since 1970
};

/// Message 0x16: the number of hard links of an object with a version 2 header; absent if it is one.
struct ReferenceCount {
  static constexpr std::string_view structure = "reference count message";
  std::uint32_t links = 1;
};

/// Message 0x10: a continuation block with more messages of the object header.
struct Continuation {
  static constexpr std::string_view structure = "continuation message";
  Address block = Address::undefined;
  std::uint64_t bytes = 0;  ///< size; in version 2 including signature and checksum
};

/// A range of an external file that holds raw data.
struct ExternalFile {
  std::uint64_t name_offset = 0;  ///< in the local heap of the message
  std::uint64_t file_offset = 0;
  std::uint64_t bytes = 0;  ///< `unlimited` is allowed in the last file
};

/// Message 0x07: the external files of a dataset.
struct ExternalFiles {
  static constexpr std::string_view structure = "external files message";
  std::uint16_t allocated = 1;  ///< number of slots, of which `files` are used
  Address heap = Address::undefined;
  std::vector<ExternalFile> files;
};

}  // namespace filigree::format
