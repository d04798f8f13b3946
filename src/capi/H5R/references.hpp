// SPDX-License-Identifier: Apache-2.0
//
// References of HDF5 1.12 in memory: 64 bytes (H5R_ref_t) that point to a HeldReference.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5S/dataspace.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// A reference. Its bytes are those that files store, with addresses of 8 bytes:
/// type, flags, u1 size of the token | token | [external: u2 length, file name] |
/// [region: u4 bytes, u4 rank, selection] | [attribute: u2 length, name].
class Reference {
 public:
  explicit Reference(std::size_t bytes) : bytes_(bytes) {}
  static Reference to_object(std::uint64_t address);
  static Reference to_region(std::uint64_t address, const Dataspace& extent,
                             const space::Selection& selection);

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte>& bytes() { return bytes_; }
  // These *throw* Error(corrupt) for invalid bytes from a file.
  H5R_type_t kind() const;
  std::uint64_t address() const;
  /// Returns the selection within the current extent of the dataset.
  space::Selection selection(const space::Frame& frame) const;

  std::shared_ptr<OpenFile> file;  ///< the file that the reference leads into, if known

 private:
  std::vector<std::byte> bytes_;
};

/// Returns the reference in the 64 bytes. *Throws* bad_value() for null, for empty references, and for memory
/// that holds none.
Reference& get_reference(const H5R_ref_t* reference);
/// Stores a reference and overwrites the 64 bytes, without freeing what they held.
void store_reference(H5R_ref_t* reference, Reference value);
/// Frees the reference in the 64 bytes, and makes them empty. *Throws* bad_value() for memory that holds
/// none.
void destroy_reference(H5R_ref_t* reference);

/// A scope in which references that this thread reads, as elements of `read`, keep their file open.
class ReferenceFileScope {
 public:
  ReferenceFileScope(const std::shared_ptr<OpenFile>& open, const format::DatatypeMessage& read);
  ~ReferenceFileScope();
  ReferenceFileScope(const ReferenceFileScope&) = delete;
  ReferenceFileScope& operator=(const ReferenceFileScope&) = delete;

 private:
  std::shared_ptr<OpenFile> before_;
};

/// Destroys the references in packed elements.
void reclaim_references(const format::DatatypeMessage& type, std::byte* elements, std::size_t count);

}  // namespace filigree::capi
