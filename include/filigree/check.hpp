// SPDX-License-Identifier: Apache-2.0
//
// Checking the structures of a file, and printing one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// How bad a finding is. `leak` and `damage` are faults of the file; the others are not.
enum class Severity : std::uint8_t {
  information,  ///< something worth knowing, or something that could not be checked
  unused,       ///< bytes that nothing uses, in a file that does not store its free space
  leak,         ///< bytes or objects that nothing leads to, although the file stores its free space
  damage,       ///< a structure or a reference is wrong
};

/// Returns the word for a severity, such as "damage".
FILIGREE_EXPORT std::string_view to_string(Severity severity) noexcept;

/// Something that File::check() has found.
struct Finding {
  Severity severity = Severity::damage;
  std::string structure;      ///< such as "fractal heap header"
  std::uint64_t address = 0;  ///< relative to the base address
  std::uint64_t bytes = 0;    ///< 0 if the size is not known
  std::string path;           ///< of the object that the structure belongs to; empty for the file itself
  std::string message;
};

/// What File::check() looks at.
struct CheckOptions {
  /// Also decode all chunks, and follow the references and heap values in elements of datasets.
  bool data = false;
  /// Chunks with more bytes before filters are not decoded; an information says so.
  std::uint64_t most_chunk_bytes = std::uint64_t{64} << 20;
  /// The number of findings that are listed; the others are counted.
  std::size_t most_findings = 1000;
  /// Called now and then with the number of bytes in the file that were looked at. It must not use the file.
  std::function<void(std::uint64_t)> on_progress;
};

/// The result of File::check().
struct CheckReport {
  std::vector<Finding> findings;  ///< in the order in which they were found
  // Numbers of all findings, listed or not.
  std::uint64_t damages = 0, leaks = 0, unused = 0, informations = 0;
  std::uint64_t objects = 0;       ///< object headers that were read
  std::uint64_t structures = 0;    ///< structures of metadata that were read
  std::uint64_t chunks = 0;        ///< chunks that the indexes list
  std::uint64_t chunks_read = 0;   ///< chunks that were decoded
  std::uint64_t used_bytes = 0;    ///< that objects and the file itself use
  std::uint64_t unused_bytes = 0;  ///< that nothing uses and no free-space manager knows
  std::uint64_t free_bytes = 0;    ///< that free-space managers know

  /// Returns whether the file has no fault.
  bool is_sound() const { return damages == 0 && leaks == 0; }
};

/// A field of a structure.
struct StructureField {
  std::uint64_t offset = 0;  ///< in the structure
  std::uint64_t bytes = 0;   ///< 0 for a remark that has no bytes of its own
  std::string name, value;
};

/// A structure of a file, as far as it can be decoded; see File::describe().
struct StructureDescription {
  std::string structure;      ///< such as "object header"
  std::uint64_t address = 0;  ///< of the structure, which may begin before the address that was asked for
  std::uint64_t bytes = 0;    ///< that it takes in the file
  std::string path;           ///< of the object that it belongs to; empty if that is not known
  bool is_linked = false;     ///< whether the walk through the file leads to it
  std::vector<StructureField> fields;
  std::string fault;  ///< why not all fields could be decoded; empty if they could
};

}  // namespace filigree
