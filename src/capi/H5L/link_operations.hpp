// SPDX-License-Identifier: Apache-2.0
//
// Operations on links that H5L and the deprecated functions of H5G share.
#pragma once

#include "capi/H5G/traverse.hpp"
#include "capi/core/scoped_id.hpp"

namespace filigree::capi {

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
