// SPDX-License-Identifier: Apache-2.0
#include "io/memory/memory_driver.hpp"

#include "io/memory/memory_file.hpp"
#include "io/posix/posix_driver.hpp"

namespace filigree::io {
namespace {

bool saves(const DriverChoice& choice) {
  const MemoryDriver* const options = choice.options<MemoryDriver>();
  return options == nullptr || options->save;
}

}  // namespace

DriverKind memory_driver() {
  DriverKind kind;
  kind.name = MemoryDriver::driver_name;
  kind.open = [](const DriverRequest& request) {
    const MemoryDriver* const options = request.access.driver.options<MemoryDriver>();
    return open_memory_file(request.path, request.mode, saves(request.access.driver),
                            posix_options(request.access), options == nullptr ? 0 : options->page_bytes);
  };
  // A file that is in memory only is not the file at its path.
  kind.identity = [](const std::string& path, const DriverChoice& choice) {
    return saves(choice) ? find_file_identity(path) : std::nullopt;
  };
  return kind;
}

}  // namespace filigree::io
