// SPDX-License-Identifier: Apache-2.0
#include "base/checked.hpp"

#include <string>

#include <filigree/error.hpp>

namespace filigree {

void throw_overflow(std::string_view what) {
  throw Error(ErrorKind::limit, std::string(what) + " does not fit in 64 bits");
}

}  // namespace filigree
