// SPDX-License-Identifier: Apache-2.0
//
// Conversions that programs have registered, and what a transfer list says of conversions.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capi/H5T/type_tools.hpp"
#include "type/conversion.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {

/// A function of a program for one pair of types, set up.
class UserPath {
 public:
  /// Calls the function to set itself up. Null when it refuses the pair.
  static std::shared_ptr<UserPath> make(H5T_conv_t function, const DatatypeMessage& from,
                                        const DatatypeMessage& to);
  ~UserPath();
  UserPath(const UserPath&) = delete;
  UserPath& operator=(const UserPath&) = delete;

  /// In place, one element after the other. Throws CallbackFailure.
  void convert(std::size_t count, void* buffer, void* background, hid_t plist) const;
  bool is_for(const DatatypeMessage& from, const DatatypeMessage& to) const;

  const H5T_conv_t function;
  H5T_cdata_t data{};

 private:
  UserPath(H5T_conv_t called, const DatatypeMessage& from, const DatatypeMessage& to);
  const DatatypeMessage from_, to_;
  hid_t from_id_, to_id_;
};

/// All of the process.
class UserConversions final : public type::CustomConversions {
 public:
  struct Entry {
    bool hard = false;  ///< for this pair of types only; else for all of their classes
    std::string name;
    DatatypeMessage from, to;
    H5T_conv_t function = nullptr;
    std::shared_ptr<UserPath> path;  ///< of hard ones
  };

  /// Throws CallbackFailure when a hard one refuses.
  void add(Entry entry);
  /// Whichever match; null and empty mean any.
  void remove(H5T_pers_t hardness, const char* name, const DatatypeMessage* from, const DatatypeMessage* to,
              H5T_conv_t function);
  void clear();
  /// Without a lock: most programs have none.
  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  type::ConversionPointer find(const DatatypeMessage& from, const DatatypeMessage& to) const override;

 private:
  std::shared_ptr<UserPath> find_path(const DatatypeMessage& from, const DatatypeMessage& to) const;
  std::shared_ptr<UserPath> find_soft(const DatatypeMessage& from, const DatatypeMessage& to) const;

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the newest last
  struct SoftPath {
    H5T_conv_t function;
    std::string name;
    std::shared_ptr<UserPath> path;
  };
  mutable std::vector<SoftPath> soft_paths_;
  std::atomic<std::size_t> count_ = 0;  ///< of entries_
};
UserConversions& user_conversions();
/// The program's function that a conversion as a whole is; null for ours.
std::shared_ptr<const UserPath> path_of(const type::Conversion& conversion);

/// While it lives, functions of the program that this thread calls are given that transfer list.
class TransferPlistScope {
 public:
  explicit TransferPlistScope(hid_t plist);
  ~TransferPlistScope();
  TransferPlistScope(const TransferPlistScope&) = delete;
  TransferPlistScope& operator=(const TransferPlistScope&) = delete;

 private:
  hid_t before_;
};

/// The program's function for values that do not fit, as our conversions call it; empty when there is none.
type::FaultHandler fault_handler(const TransferSettings& settings);

/// Frees what elements of the selection hold: variable-length values, references of HDF5 1.12.
void reclaim_values(const DatatypeMessage& type, const SpaceValue& space, const TransferSettings& settings,
                    void* buffer);

}  // namespace filigree::capi
