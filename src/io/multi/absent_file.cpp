// SPDX-License-Identifier: Apache-2.0
#include "io/multi/absent_file.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {

void AbsentFile::refuse() const {
  throw Error(ErrorKind::not_found, fmt::format("'{}', a file of the set, does not exist", path_));
}

}  // namespace filigree::io
