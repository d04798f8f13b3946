// SPDX-License-Identifier: Apache-2.0
#include "base/failures.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree {

void Failures::rethrow() {
  const std::vector<std::exception_ptr> failures = std::exchange(failures_, {});
  if (failures.empty()) return;
  if (failures.size() == 1) std::rethrow_exception(failures.front());
  std::vector<std::string> messages;
  std::optional<ErrorKind> kind;
  for (const std::exception_ptr& failure : failures) {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      if (!kind) kind = error.kind();
      if (std::ranges::find(messages, error.what()) == messages.end()) messages.emplace_back(error.what());
    }
  }
  throw Error(*kind, fmt::format("{} operations failed: {}", failures.size(), fmt::join(messages, "; ")));
}

}  // namespace filigree
