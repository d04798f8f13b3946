// SPDX-License-Identifier: Apache-2.0
#include "store/corrupt.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::store {

void throw_corrupt(std::string_view structure, Address at, std::string_view what) {
  throw Error(ErrorKind::corrupt, fmt::format("{} at {}: {}", structure, to_string(at), what));
}

}  // namespace filigree::store
