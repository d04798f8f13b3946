// SPDX-License-Identifier: Apache-2.0
//
// What H5L does, for the older functions that do the same.
#pragma once

#include "capi/H5G/traverse.hpp"

namespace filigree::capi {

/// An id for the time of a callback.
class BorrowedId {
 public:
  explicit BorrowedId(hid_t id) : id_(id) {}
  ~BorrowedId();
  BorrowedId(const BorrowedId&) = delete;
  BorrowedId& operator=(const BorrowedId&) = delete;
  hid_t get() const { return id_; }

 private:
  hid_t id_;
};

/// Throws CallbackFailure when a program's function has returned a negative value.
herr_t checked_result(herr_t result);

void create_hard_link(hid_t from, const char* target, hid_t to, const char* name, hid_t creation,
                      hid_t access);
void create_soft_link(const char* target, hid_t to, const char* name, hid_t creation, hid_t access);
void delete_link(const Location& start, std::string_view path, const LinkAccess& access);
void delete_link(const Location& group, const Link& link);

struct MoveOptions {
  hid_t creation = H5P_DEFAULT, access = H5P_DEFAULT;
  bool keep = false;  ///< a copy: the old link stays
};
void move_link(hid_t from, const char* name, hid_t to, const char* new_name, const MoveOptions& options);

}  // namespace filigree::capi
