// SPDX-License-Identifier: Apache-2.0
//
// Flags for opening files. The macros of the public headers would call into the library each time.
#pragma once

namespace filigree::capi::flags {

inline constexpr unsigned read_only = 0x00;
inline constexpr unsigned read_write = 0x01;
inline constexpr unsigned truncate = 0x02;
inline constexpr unsigned exclusive = 0x04;
inline constexpr unsigned creat = 0x10;
inline constexpr unsigned swmr_write = 0x20;
inline constexpr unsigned swmr_read = 0x40;
inline constexpr unsigned by_default = 0xffff;

}  // namespace filigree::capi::flags
