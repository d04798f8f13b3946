// SPDX-License-Identifier: Apache-2.0
#include "base/address.hpp"

#include <fmt/format.h>

namespace filigree {

std::string to_string(Address a) { return is_valid(a) ? fmt::format("{:#x}", to_number(a)) : "undefined"; }

}  // namespace filigree
