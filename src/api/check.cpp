// SPDX-License-Identifier: Apache-2.0
//
// Checking a file, and describing one of its structures.
#include <filigree/check.hpp>

#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>

#include "api/inside.hpp"
#include "model/check/describe.hpp"
#include "model/check/file_walk.hpp"
#include "model/file/file.hpp"
#include "store/file_store.hpp"

namespace filigree {

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::information:
      return "information";
    case Severity::unused:
      return "unused";
    case Severity::leak:
      return "leak";
    case Severity::damage:
      return "damage";
  }
  return "unknown";
}

namespace {

/// Runs `work` on a file without unsaved changes.
template <class Work>
auto on_flushed(model::File& file, Work work) {
  file.store();  // throws for a closed file
  if (!file.writable()) {
    const FileLock::Shared shared(file.lock());
    return work();
  }
  const FileLock::Exclusive exclusive(file.lock());
  file.flush();
  return work();
}

}  // namespace

CheckReport File::check(const CheckOptions& options) const {
  return on_flushed(*impl_, [&] {
    return in_context([&] { return fmt::format("checking '{}'", name()); },
                      [&] {
                        model::FileWalk walk(*impl_, options);
                        walk.run();
                        return walk.take_report();
                      });
  });
}

StructureDescription File::describe(std::uint64_t address, std::string_view as) const {
  return on_flushed(*impl_, [&] {
    return in_context([&] { return fmt::format("describing what is at {:#x} in '{}'", address, name()); },
                      [&] { return model::describe_structure(*impl_, address, as); });
  });
}

std::vector<std::string> File::structure_kinds() { return model::structure_kinds(); }

}  // namespace filigree
