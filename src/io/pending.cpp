// SPDX-License-Identifier: Apache-2.0
#include "io/pending.hpp"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {

void Failures::rethrow() {
  const std::vector<std::exception_ptr> failures = std::exchange(failures_, {});
  if (failures.empty()) return;
  if (failures.size() == 1) std::rethrow_exception(failures.front());
  std::string text = fmt::format("{} operations failed", failures.size());
  std::optional<ErrorKind> kind;
  for (std::size_t i = 0; i < failures.size(); ++i) {
    try {
      std::rethrow_exception(failures[i]);
    } catch (const Error& error) {
      if (!kind) kind = error.kind();
      text += fmt::format("{} {}", i == 0 ? ":" : ";", error.what());
    } catch (const std::exception& error) {
      text += fmt::format("{} {}", i == 0 ? ":" : ";", error.what());
    }
  }
  throw Error(kind.value_or(ErrorKind::io), std::move(text));
}

void PendingSet::wait() {
  for (std::unique_ptr<Pending>& pending : std::exchange(pending_, {})) {
    try {
      pending->wait();
    } catch (...) {
      failures_.add_current();
    }
  }
  failures_.rethrow();
}

}  // namespace filigree::io
