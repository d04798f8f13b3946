// SPDX-License-Identifier: Apache-2.0
//
// References of HDF5 1.12 as C programs hold them: 64 bytes that lead to a description of our own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5S/dataspace.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// What a reference says. Its bytes are those that files keep, with addresses of 8 bytes: kind, flags, then
/// u1 token bytes | token | [external: u2 length, file name] | [region: u4 bytes, u4 rank, selection] |
/// [attribute: u2 length, name].
class HeldReference {
 public:
  explicit HeldReference(std::size_t bytes) : bytes_(bytes) {}
  static HeldReference to_object(std::uint64_t address);
  static HeldReference to_region(std::uint64_t address, const Dataspace& extent,
                                 const space::Selection& selection);

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte>& bytes() { return bytes_; }
  // Throw Error(corrupt) for bytes from a file that make no sense.
  H5R_type_t kind() const;
  std::uint64_t address() const;
  /// Of the dataset's extent as it is now.
  space::Selection selection(const space::Frame& frame) const;

  std::shared_ptr<OpenFile> home;  ///< the file that it leads into, where known

 private:
  std::vector<std::byte> bytes_;
};

/// Throws bad_value() for null and for references that hold nothing.
HeldReference& held(const H5R_ref_t* reference);
/// Replaces what is there without a look at it.
void put(H5R_ref_t* reference, HeldReference value);
/// Frees what the reference holds, and makes it hold nothing.
void destroy(H5R_ref_t* reference);

/// While it lives, references that this thread reads, as elements of that type, keep the file open.
class ReferenceHome {
 public:
  ReferenceHome(const std::shared_ptr<OpenFile>& open, const format::DatatypeMessage& read);
  ~ReferenceHome();
  ReferenceHome(const ReferenceHome&) = delete;
  ReferenceHome& operator=(const ReferenceHome&) = delete;

 private:
  std::shared_ptr<OpenFile> before_;
};

/// Destroys the references among packed elements.
void reclaim_references(const format::DatatypeMessage& type, std::byte* elements, std::size_t count);

}  // namespace filigree::capi
