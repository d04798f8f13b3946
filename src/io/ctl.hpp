// SPDX-License-Identifier: Apache-2.0
//
// Operations beyond reading and writing, named by a number, that pass through stacked drivers.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace filigree::io {

/// Operation codes. Whoever defines one says what its input and result hold, and keeps to a range:
namespace ctl_op {
inline constexpr std::uint64_t invalid = 0;
/// 1 to 511: this library.
inline constexpr std::uint64_t cobegin = 1;          ///< begins a concurrent section of the calling thread
inline constexpr std::uint64_t coend = 2;            ///< waits for all that the section has issued
inline constexpr std::uint64_t file_descriptor = 3;  ///< result: an int, the system's handle of the file

/// Brings what drivers hold back to the files behind them; no sync.
inline constexpr std::uint64_t write_back = 4;

inline constexpr std::uint64_t first_public = 512;  ///< to 65,535: drivers of third parties that others know
inline constexpr std::uint64_t first_private = 65536;  ///< from here on: within one program, and experiments
inline constexpr std::uint64_t last_of_library = first_public - 1;
}  // namespace ctl_op

/// What to do where the code means nothing.
enum class CtlUnknown : std::uint8_t {
  fail,    ///< throw Error(unsupported)
  ignore,  ///< do nothing
};
enum class CtlRoute : std::uint8_t {
  here,         ///< this driver only
  to_terminal,  ///< a driver that passes requests on, and does not know the code, passes it on too
};

struct CtlCall {
  std::uint64_t op = ctl_op::invalid;
  CtlUnknown unknown = CtlUnknown::fail;
  CtlRoute route = CtlRoute::to_terminal;
  Bytes input = {};
  MutableBytes result = {};
};

}  // namespace filigree::io
