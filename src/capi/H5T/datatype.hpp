// SPDX-License-Identifier: Apache-2.0
//
// Datatypes of programs. They are kept as they stand in memory, variable-length parts as C programs hold
// them; files get the stored form.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include <filigree/datatype.hpp>
#include <filigree/object.hpp>

#include "capi/H5F/file_ids.hpp"
#include "capi/core/guarded.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::capi {

enum class TypeState : std::uint8_t {
  transient,  ///< may be changed
  read_only,  ///< given out by the library; may be closed
  immutable,  ///< predefined, or locked by H5Tlock
  named,      ///< committed, and open
};

class TypeHandle final : public InFileHandle {
 public:
  TypeHandle(format::DatatypeMessage message, TypeState how)
      : InFileHandle(nullptr), value(std::move(message)), state(how) {}
  TypeHandle(const std::shared_ptr<OpenFile>& open, const CommittedDatatype& reached);
  H5I_type_t type() const override { return H5I_DATATYPE; }
  bool permanent() const override { return state == TypeState::immutable; }

  /// The type has got a name in a file, and keeps its id.
  void become_named(const std::shared_ptr<OpenFile>& open, const CommittedDatatype& made);

  Guarded<format::DatatypeMessage> value;
  std::atomic<TypeState> state;
  /// With TypeState::named. Set once, when a transient type is committed (H5Tcommit keeps its id).
  std::shared_ptr<const CommittedDatatype> committed;

 private:
  void take_name();
};

/// Throws bad_type().
std::shared_ptr<TypeHandle> get_type(hid_t id);
/// The type for the C++ API: as elements stand in memory, or (with its name in the file) as they are stored.
Datatype memory_datatype(const TypeHandle& type);
Datatype file_datatype(const TypeHandle& type);
/// The type as C programs hold its values, from any other form.
format::DatatypeMessage held_form(const format::DatatypeMessage& type);
/// A new id for a type that the library gives out.
hid_t add_type(const Datatype& type, TypeState state = TypeState::transient);
hid_t add_type(format::DatatypeMessage message, TypeState state = TypeState::transient);
/// The type of a dataset or attribute of that file: named when it is a committed one, or else read-only.
hid_t add_type_of(const std::shared_ptr<OpenFile>& open, const Datatype& type);

/// How C programs hold references of HDF5 1.12 (H5R_ref_t).
extern const Container c_reference;

}  // namespace filigree::capi
