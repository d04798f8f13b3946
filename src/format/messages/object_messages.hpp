// SPDX-License-Identifier: Apache-2.0
//
// Small messages that any object may carry, and the external files of a dataset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"

namespace filigree::format {

/// Message 0x0D.
struct Comment {
  static constexpr std::string_view structure = "comment message";
  std::string text;
};

/// Message 0x0E, of releases before 1.4: fourteen digits YYYYMMDDhhmmss, UTC.
struct ModificationTimeOld {
  static constexpr std::string_view structure = "old modification time message";
  std::string digits = "19700101000000";
};

/// Seconds since 1970; nothing when the digits are no date.
std::optional<std::int64_t> find_seconds(const ModificationTimeOld& time);

/// Message 0x12.
struct ModificationTime {
  static constexpr std::string_view structure = "modification time message";
  std::uint32_t seconds = 0;  ///< since 1970
};

/// Message 0x16: the hard links of an object with a version 2 header. Absent means one.
struct ReferenceCount {
  static constexpr std::string_view structure = "reference count message";
  std::uint32_t links = 1;
};

/// Message 0x10: where more messages of this header are.
struct Continuation {
  static constexpr std::string_view structure = "continuation message";
  Address block = Address::undefined;
  std::uint64_t bytes = 0;  ///< in version 2 with signature and checksum
};

/// A stretch of a file that holds raw data.
struct ExternalFile {
  std::uint64_t name_offset = 0;  ///< in the message's local heap
  std::uint64_t file_offset = 0;
  std::uint64_t bytes = 0;  ///< `unlimited` is allowed in the last file
};

/// Message 0x07.
struct ExternalFiles {
  static constexpr std::string_view structure = "external files message";
  std::uint16_t allocated = 1;  ///< slots, of which `files` are used
  Address heap = Address::undefined;
  std::vector<ExternalFile> files;
};

}  // namespace filigree::format
