// SPDX-License-Identifier: Apache-2.0
//
// Operations on links that H5L and the deprecated functions of H5G share.
#pragma once

#include "capi/H5G/traverse.hpp"
#include "capi/core/scoped_id.hpp"

namespace filigree::capi {

/// Returns `result`. *Throws* CallbackFailure when it is negative.
herr_t checked_result(herr_t result);

/// Create links, with the checks and the order of checks of H5Lcreate_hard and H5Lcreate_soft.
void create_hard_link(hid_t from, const char* target, hid_t to, const char* name, hid_t creation,
                      hid_t access);
void create_soft_link(const char* target, hid_t to, const char* name, hid_t creation, hid_t access);
/// Delete a link, and notify the class of a user-defined link before. *Throws* Failure and Error.
void delete_link(const Location& start, std::string_view path, const LinkAccess& access);
void delete_link(const Location& group, const Link& link);

/// The property lists of a move or copy.
struct MoveOptions {
  hid_t creation = H5P_DEFAULT, access = H5P_DEFAULT;
  bool keep = false;  ///< copies the link instead of moving it
};
/// Moves or copies a link. *Throws* Failure when the new name exists.
void move_link(hid_t from, const char* name, hid_t to, const char* new_name, const MoveOptions& options);

}  // namespace filigree::capi
