// SPDX-License-Identifier: Apache-2.0
//
// User-defined conversions (H5Tregister), and the conversion properties of a transfer property list.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "capi/H5T/type_tools.hpp"
#include "type/conversion.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {

/// A user-defined conversion function, initialised for one pair of types.
class UserPath {
 public:
  /// Calls the function with H5T_CONV_INIT. Returns null when it refuses the pair.
  static std::shared_ptr<UserPath> make(H5T_conv_t function, const DatatypeMessage& from,
                                        const DatatypeMessage& to);
  ~UserPath();
  UserPath(const UserPath&) = delete;
  UserPath& operator=(const UserPath&) = delete;

  /// Converts packed elements in place. *Throws* CallbackFailure.
  void convert(std::size_t count, void* buffer, void* background, hid_t plist) const;
  bool is_for(const DatatypeMessage& from, const DatatypeMessage& to) const;

  const H5T_conv_t function;
  H5T_cdata_t data{};

 private:
  UserPath(H5T_conv_t called, const DatatypeMessage& from, const DatatypeMessage& to);
  const DatatypeMessage from_, to_;
  hid_t from_id_, to_id_;
};

/// The user-defined conversions of the process.
/// *Thread safety*: all functions may be called concurrently.
class UserConversions final : public type::CustomConversions {
 public:
  struct Entry {
    bool hard = false;  ///< for this pair of types; otherwise for all types of their classes
    std::string name;
    DatatypeMessage from, to;
    H5T_conv_t function = nullptr;
    std::shared_ptr<UserPath> path;  ///< set for hard conversions
  };

  /// Registers a conversion. *Throws* CallbackFailure when a hard conversion refuses its pair.
  void add(Entry entry);
  /// Removes all conversions that match. Null and empty arguments match any.
  void remove(H5T_pers_t hardness, const char* name, const DatatypeMessage* from, const DatatypeMessage* to,
              H5T_conv_t function);
  void clear();
  /// Takes no lock, because most programs have no user-defined conversions.
  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  type::ConversionPointer find(const DatatypeMessage& from, const DatatypeMessage& to) const override;
  /// Whether a hard conversion is registered for the pair.
  bool has_hard(const DatatypeMessage& from, const DatatypeMessage& to) const;

 private:
  std::shared_ptr<UserPath> find_path(const DatatypeMessage& from, const DatatypeMessage& to) const;
  std::shared_ptr<UserPath> find_soft(const DatatypeMessage& from, const DatatypeMessage& to) const;

  mutable Mutex mutex_;
  std::vector<Entry> entries_ FILIGREE_GUARDED_BY(mutex_);  ///< the newest last
  struct SoftPath {
    H5T_conv_t function;
    std::string name;
    std::shared_ptr<UserPath> path;
  };
  mutable std::vector<SoftPath> soft_paths_ FILIGREE_GUARDED_BY(mutex_);
  std::atomic<std::size_t> count_ = 0;  ///< size of entries_
};
UserConversions& user_conversions();
/// Returns the user-defined function that does the whole conversion, or null.
std::shared_ptr<const UserPath> path_of(const type::Conversion& conversion);

/// A scope in which this thread passes a transfer property list to user-defined conversion functions.
class TransferPlistScope {
 public:
  explicit TransferPlistScope(hid_t plist);
  ~TransferPlistScope();
  TransferPlistScope(const TransferPlistScope&) = delete;
  TransferPlistScope& operator=(const TransferPlistScope&) = delete;

 private:
  hid_t before_;
};

/// Returns the conversion exception callback (H5Pset_type_conv_cb) for the library's conversions. It is empty
/// when the list has none.
type::FaultHandler fault_handler(const TransferSettings& settings);

/// Frees the variable-length data and the references of HDF5 1.12 in the selected elements.
void reclaim_values(const DatatypeMessage& type, const SpaceValue& space, const TransferSettings& settings,
                    void* buffer);

}  // namespace filigree::capi
