// SPDX-License-Identifier: Apache-2.0
#include "filter/limits.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::filter {

void check_fits(std::uint64_t bytes, std::size_t max_bytes) {
  if (bytes > max_bytes) {
    throw Error(ErrorKind::corrupt, fmt::format("{} bytes of data, expected at most {}", bytes, max_bytes));
  }
}

void check_holds(std::uint64_t available, std::uint64_t needed, std::string_view what) {
  if (available < needed) {
    throw Error(ErrorKind::truncated,
                fmt::format("{} needs {} bytes, but {} are stored", what, needed, available));
  }
}

}  // namespace filigree::filter
