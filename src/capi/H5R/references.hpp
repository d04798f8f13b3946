// SPDX-License-Identifier: Apache-2.0
//
// References of HDF5 1.12 in memory: 64 bytes (H5R_ref_t) that point to a Reference.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5S/dataspace.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// One count of a file's id. As in HDF5, the id stays open while a reference leads into the file.
class FileIdCount {
 public:
  FileIdCount() = default;
  /// Adopts a count that the caller has.
  explicit FileIdCount(hid_t id) : id_(id) {}
  FileIdCount(const FileIdCount& other);
  FileIdCount(FileIdCount&& other) noexcept;
  FileIdCount& operator=(FileIdCount other) noexcept;
  ~FileIdCount();

  bool empty() const { return id_ == H5I_INVALID_HID; }
  /// Returns the file. *Throws* bad_type() after the program has closed the id too often.
  std::shared_ptr<OpenFile> open() const;

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// A reference. Its bytes are those that files store, with addresses of 8 bytes:
/// type, flags, u1 size of the token | token | [external: u2 length, file name] |
/// [region: u4 bytes, u4 rank, selection] | [attribute: u2 length, name].
class Reference {
 public:
  explicit Reference(std::size_t bytes) : bytes_(bytes) {}
  static Reference to_object(std::uint64_t address);
  static Reference to_region(std::uint64_t address, const SpaceValue& space);
  /// *Throws* Failure for names that are too long.
  static Reference to_attribute(std::uint64_t address, std::string_view name);

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte>& bytes() { return bytes_; }
  // These *throw* Error(corrupt) for invalid bytes from a file.
  H5R_type_t kind() const;
  std::uint64_t address() const;
  /// Whether the reference was stored in another file than the one that it leads into.
  bool is_external() const;
  /// Returns the name of the file, if the reference was stored in another one.
  std::optional<std::string_view> file_name() const;
  /// *Requires* a reference to an attribute.
  std::string_view attribute_name() const;
  /// Returns the selection within the current extent of the dataset.
  space::Selection selection(const space::Frame& frame) const;
  /// Returns the bytes to store in a file. `name` is that of the file that the reference leads into, or null
  /// if that is the file that stores them.
  std::vector<std::byte> stored_bytes(const std::string* name) const;
  /// Compares like H5Requal: of regions only the extents, which references from files do not have.
  bool equals(const Reference& other) const;

  FileIdCount file;  ///< the file that the reference leads into, if it is open

 private:
  std::size_t region_rank() const;

  std::vector<std::byte> bytes_;
  std::optional<Dataspace> extent_;  ///< of the dataspace that a region was created from
};

/// Whether the 64 bytes are all zero: a reference to nothing.
bool is_empty(const H5R_ref_t& reference);
/// Returns the reference in the 64 bytes. *Throws* bad_value() for null, for empty references, and for memory
/// that holds none.
Reference& get_reference(const H5R_ref_t* reference);
/// Stores a reference and overwrites the 64 bytes, without freeing what they held.
void store_reference(H5R_ref_t* reference, Reference value);
/// Frees the reference in the 64 bytes, and makes them empty. *Throws* bad_value() for memory that holds
/// none.
void destroy_reference(H5R_ref_t* reference);

/// A scope in which this thread transfers references between memory and a file. References that it reads keep
/// the file open. References that it stores have a file name if they lead into another file.
class ReferenceFileScope {
 public:
  ReferenceFileScope(const std::shared_ptr<OpenFile>& open, const format::DatatypeMessage& memory_type);
  explicit ReferenceFileScope(const std::shared_ptr<OpenFile>& open);  ///< null: no references
  ~ReferenceFileScope();
  ReferenceFileScope(const ReferenceFileScope&) = delete;
  ReferenceFileScope& operator=(const ReferenceFileScope&) = delete;

  std::shared_ptr<OpenFile> file;       ///< null for elements without references
  std::unordered_set<Reference*> made;  ///< references that were read in this scope
  std::vector<std::byte> stored;        ///< the bytes of the last reference that was viewed

 private:
  ReferenceFileScope* before_;
};

/// Returns a new id for the dataspace of a dataset, with that selection.
hid_t add_region(const Dataset& dataset, space::Selection selection);
/// Destroys the references in packed elements.
void reclaim_references(const format::DatatypeMessage& type, std::byte* elements, std::size_t count);

}  // namespace filigree::capi
