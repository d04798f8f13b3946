// SPDX-License-Identifier: Apache-2.0
//
// Datatypes. They are kept in memory form, with variable-length parts as C programs hold them; files get the
// stored form.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include <filigree/datatype.hpp>
#include <filigree/object.hpp>

#include "base/mutex.hpp"
#include "capi/H5F/file_ids.hpp"
#include "capi/core/guarded.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// What a program may do with a datatype.
enum class TypeState : std::uint8_t {
  transient,  ///< can be changed
  read_only,  ///< created by the library; can be closed
  immutable,  ///< predefined, or locked by H5Tlock
  named,      ///< committed and open
};

/// The handle of a datatype id.
class TypeHandle final : public InFileHandle {
 public:
  TypeHandle(format::DatatypeMessage message, TypeState how)
      : InFileHandle(nullptr), value(std::move(message)), state(how) {}
  TypeHandle(const std::shared_ptr<OpenFile>& open, const CommittedDatatype& reached);
  H5I_type_t type() const override { return H5I_DATATYPE; }
  bool permanent() const override { return state == TypeState::immutable; }
  std::optional<std::uint64_t> object_address() const override;

  /// Returns the type in the form of the C++ API, for elements in memory. The result is the same object until
  /// the type is changed.
  Datatype in_memory() const;
  /// Returns the same for stored elements, for a type that is not committed.
  Datatype in_file() const;
  /// Turns the handle into that of a committed datatype. The id stays the same.
  void become_named(const std::shared_ptr<OpenFile>& open, const CommittedDatatype& made);

  Guarded<format::DatatypeMessage> value;
  std::atomic<TypeState> state;
  /// Set with TypeState::named; set once when a transient type is committed.
  std::shared_ptr<const CommittedDatatype> committed;

 private:
  void take_name();

  /// The type in the form of the C++ API.
  struct ApiType {
    std::shared_ptr<const format::DatatypeMessage> source;
    /// Made of the source. Not changed any more once `fixed` is set, so that readers need no lock then.
    std::optional<Datatype> type;
    std::atomic<bool> fixed = false;
  };
  template <class Make>
  Datatype made_by(Make&& make, ApiType& made) const;

  mutable Mutex mutex_;
  mutable ApiType memory_, file_;
};

/// *Throws* bad_type().
std::shared_ptr<TypeHandle> get_type(hid_t id);
/// Return the type in the form of the C++ API: for elements in memory, or for stored elements, with the name
/// that it has in the file.
Datatype memory_datatype(const TypeHandle& type);
Datatype file_datatype(const TypeHandle& type);
/// Returns the type in the memory form of C programs.
format::DatatypeMessage memory_form(const format::DatatypeMessage& type);
/// Returns a new id for a type of the library.
hid_t add_type(const Datatype& type, TypeState state = TypeState::transient);
hid_t add_type(format::DatatypeMessage message, TypeState state = TypeState::transient);
/// Returns the type of a dataset or attribute: named if it is a committed datatype, read-only otherwise.
hid_t add_type_of(const std::shared_ptr<OpenFile>& open, const Datatype& type);

/// The memory form of references of HDF5 1.12 (H5R_ref_t).
extern const Container c_reference;

}  // namespace filigree::capi
