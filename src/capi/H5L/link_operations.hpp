// SPDX-License-Identifier: Apache-2.0
//
// Operations on links that H5L and the deprecated functions of H5G share.
#pragma once

#include "capi/H5G/traverse.hpp"

namespace filigree::capi {

/// An id that is passed to a callback, and released when the scope ends.
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

/// Returns `result`. *Throws* CallbackFailure when it is negative.
herr_t checked_result(herr_t result);

void create_hard_link(hid_t from, const char* target, hid_t to, const char* name, hid_t creation,
                      hid_t access);
void create_soft_link(const char* target, hid_t to, const char* name, hid_t creation, hid_t access);
void delete_link(const Location& start, std::string_view path, const LinkAccess& access);
void delete_link(const Location& group, const Link& link);

struct MoveOptions {
  hid_t creation = H5P_DEFAULT, access = H5P_DEFAULT;
  bool keep = false;  ///< copies the link instead of moving it
};
void move_link(hid_t from, const char* name, hid_t to, const char* new_name, const MoveOptions& options);

}  // namespace filigree::capi
