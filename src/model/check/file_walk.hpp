// SPDX-License-Identifier: Apache-2.0
//
// The walk over all structures of a file, which File::check() and File::describe() have in common.
//
//  1. The superblock and the messages of its extension lead to structures of the file itself: shared
//     messages, free-space managers, a cache image.
//  2. Objects wait in a list, which starts with the root group. Each is visited once. Its hard links add
//     objects to the list, and count. No function recurses along links, so that depth takes no stack.
//  3. A structure is read and decoded where something points to it, by load(). A fault is noted, and the walk
//     goes on with what does not depend on it. An address that was visited before is not visited again, so
//     that cycles end; its range is noted twice, which is an overlap.
//  4. Each structure, chunk and free section notes its range in the SpaceMap. In the end, overlaps and gaps
//     are found there. Gaps are searched for global heap collections, which only elements lead to, and for
//     object headers that nothing leads to.
//  5. The counts of links in object headers are compared with the links that were found.
//
// A description is a by-product: when the walk meets the structure that holds the wanted address, it keeps
// the fields, because only here is known what nodes and blocks do not store themselves.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/check.hpp>
#include <filigree/error.hpp>

#include "base/address.hpp"
#include "base/address_map.hpp"
#include "base/bytes.hpp"
#include "format/codec/codec.hpp"
#include "format/codec/inspect.hpp"
#include "model/check/space_map.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

class File;

/// Where a structure is. What is read may be less than what it takes: the rest is unused.
struct StructureBytes {
  Address at = Address::undefined;
  std::uint64_t used = 0;       ///< bytes to read
  std::uint64_t allocated = 0;  ///< 0: as many as are decoded
  bool at_most = false;         ///< `used` is an upper bound, and the file may end before
};

/// Who uses a structure: the number of an object in the order of their discovery. 0 is the file itself.
using Owner = std::uint32_t;
inline constexpr Owner the_file = 0;

/// The state of a walk. Visitors of single structures are functions over it, declared in visitors.hpp.
/// Requires: the file lock; a file without unsaved changes.
class FileWalk {
 public:
  FileWalk(File& file, const CheckOptions& options);

  /// Describes the structure at this address instead of looking for gaps.
  void want(std::uint64_t address) { wanted_ = address; }
  /// Walks through the file.
  void run();
  CheckReport take_report() { return std::move(report_); }
  std::optional<StructureDescription>& description() { return description_; }

  File& file() const { return file_; }
  store::FileStore& store() const { return store_; }
  const format::Widths& widths() const { return store_.widths(); }
  const CheckOptions& options() const { return options_; }
  CheckReport& report() { return report_; }

  // Findings. All belong to the current owner.

  void find(Severity severity, std::string_view structure, Address at, std::uint64_t bytes,
            std::string message);
  void damage(std::string_view structure, Address at, std::string message) {
    has_damage_ = true;
    find(Severity::damage, structure, at, 0, std::move(message));
  }
  /// Runs `work` and notes an Error that it throws. Returns whether there was none.
  template <class Work>
  bool guarded(std::string_view structure, Address at, Work&& work) {
    try {
      work();
      return true;
    } catch (const Error& error) {
      note_error(structure, at, error);
    } catch (const std::bad_alloc&) {
      note_error(structure, at, Error(ErrorKind::unsupported, "it needs more memory than there is"));
    }
    return false;
  }
  std::uint64_t damages() const { return report_.damages; }

  // Structures.

  /// Notes that the current owner uses these bytes.
  void use(std::string_view structure, Address at, std::uint64_t bytes);
  /// Returns false, having noted a finding or a range that overlaps, for an address that cannot be visited.
  bool enter(std::string_view structure, Address at, std::uint64_t bytes);
  /// Notes that a structure is too large to be read, and returns whether it is. A file may say anything, and
  /// large files may have few bytes on the disk.
  bool is_too_large(std::string_view structure, Address at, std::uint64_t bytes);
  /// Whether this range holds the address that is to be described.
  bool wants(Address at, std::uint64_t bytes) const {
    return wanted_ && to_number(at) <= *wanted_ && *wanted_ - to_number(at) < bytes;
  }
  /// Keeps a description unless a smaller structure was described before.
  void describe(std::string_view structure, Address at, std::uint64_t bytes, format::Inspection inspection);

  /// Reads and decodes a structure, and notes its range. `value` has what the bytes do not hold. Returns
  /// whether it could be decoded; if not, there is a finding.
  template <class T>
  bool load(T& value, const StructureBytes& where, std::string_view structure = T::structure) {
    if (!enter(structure, where.at, where.allocated)) return false;
    if (is_too_large(structure, where.at, where.used)) return false;
    return guarded(structure, where.at, [&] {
      const Buffer bytes = where.at_most ? store_.read_up_to(where.at, where.used, structure)
                                         : store_.read(where.at, where.used, structure);
      const T blank = value;
      std::size_t decoded = where.allocated;
      std::optional<Error> fault;
      try {
        decoded = format::decode(value, bytes, widths(), where.at);
      } catch (const Error& error) {
        fault = error;
      }
      const std::uint64_t allocated = where.allocated != 0 ? where.allocated : fault ? where.used : decoded;
      if (where.allocated == 0 && !fault) use(structure, where.at, allocated);
      if (wants(where.at, allocated)) {
        T again = blank;
        describe(structure, where.at, allocated, format::inspect(again, bytes, widths()));
      }
      if (fault) throw Error(*fault);
    });
  }

  // Objects.

  Owner owner() const { return owner_; }
  void set_owner(Owner owner) { owner_ = owner; }
  std::string path(Owner owner) const;
  /// Notes a hard link of the current owner.
  void link(const std::string& name, Address target);
  /// Notes that a message refers to a committed datatype, which counts like a link.
  void refer_to_type(Address target);
  /// Notes that an element refers to an object.
  void refer_to_object(Address target);
  /// Notes how many links an object header says that there are.
  void declare_links(std::uint32_t count);

  // What the extension of the superblock says.

  bool persists_free_space = false;  ///< all of it
  bool has_shared_messages = false;
  /// With CheckOptions::data: all elements that may refer to the global heap were looked at.
  bool elements_are_known = true;

  /// Notes the range of a global heap collection once. Returns false if it cannot be read.
  bool visit_collection(Address at);

 private:
  struct ObjectRecord {
    Address at = Address::undefined;
    Owner parent = the_file;
    std::string name;
    std::uint32_t found = 0;     ///< links
    std::uint32_t declared = 0;  ///< by its header
    bool is_read = false;
    bool is_type = false;  ///< a committed datatype that is in use
  };
  struct Reference {
    Address target = Address::undefined;
    Owner owner = the_file;
  };

  void note_error(std::string_view structure, Address at, const Error& error);
  std::uint16_t number_of(std::string_view structure);
  void visit_objects();
  Owner add_object(Address at, const std::string& name);
  void follow_references();
  void compare_links();
  void examine_space();
  std::uint64_t collection_size(std::uint64_t at, std::uint64_t end) const;
  void search_gap(std::uint64_t at, std::uint64_t bytes);
  void search_headers(std::uint64_t at, std::uint64_t bytes, Severity severity);
  void report_overlaps();
  void report_gap(std::uint64_t at, std::uint64_t bytes);

  File& file_;
  store::FileStore& store_;
  const CheckOptions& options_;
  CheckReport report_;
  SpaceMap space_;
  std::vector<std::string_view> structures_;  ///< names by number
  AddressMap<std::uint8_t> visited_;
  std::vector<ObjectRecord> objects_;
  AddressMap<Owner> object_numbers_;
  std::vector<Reference> references_;
  AddressMap<std::uint8_t> referenced_;
  AddressMap<std::uint8_t> collections_;  ///< 1: sound, 2: damaged
  Owner owner_ = the_file;
  bool has_damage_ = false;
  std::uint64_t progress_ = 0, reported_progress_ = 0;
  std::uint64_t searched_bytes_ = 0;
  std::optional<std::uint64_t> wanted_;
  std::optional<StructureDescription> description_;
};

}  // namespace filigree::model
