// SPDX-License-Identifier: Apache-2.0
#include "io/splitter/splitter_driver.hpp"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "io/drivers.hpp"
#include "io/splitter/splitter_file.hpp"

namespace filigree::io {
namespace {

/// The options, with the default path of the copy: "name_wo.h5" for "name.h5".
SplitterDriver options_of(const DriverRequest& request) {
  const SplitterDriver* const chosen = request.access.driver.options<SplitterDriver>();
  SplitterDriver options = chosen == nullptr ? SplitterDriver() : *chosen;
  if (!options.copy_path.empty()) return options;
  std::filesystem::path path(request.path);
  options.copy_path =
      path.replace_filename(path.stem().string() + "_wo" + path.extension().string()).string();
  return options;
}

std::function<void(std::string_view)> log_to(const std::string& path) {
  if (path.empty()) return nullptr;
  using Output = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  struct Log {
    explicit Log(Output to) : out(std::move(to)) {}
    Mutex mutex;
    Output out FILIGREE_GUARDED_BY(mutex);
  };
  Output out(std::fopen(path.c_str(), "w"), &std::fclose);
  if (out == nullptr)
    throw Error(ErrorKind::io, fmt::format("cannot create the log file '{}' of the splitter driver", path));
  return [log = std::make_shared<Log>(std::move(out))](std::string_view line) {
    const MutexLock lock(log->mutex);
    fmt::print(log->out.get(), "{}\n", line);
    std::fflush(log->out.get());
  };
}

AccessOptions through(const DriverChoice& driver, AccessOptions access) {
  access.driver = driver;
  access.log.reset();
  return access;
}

/// The copy is opened as the file is: it must exist if the file must.
std::unique_ptr<VirtualFile> open_splitter(const DriverRequest& request) {
  const SplitterDriver options = options_of(request);
  CopyFaults faults{log_to(options.log_path), options.ignore_copy_faults};
  auto file = open_driver(request.path, request.mode, through(options.file, request.access));
  try {
    auto copy = open_driver(options.copy_path, request.mode, through(options.copy, request.access));
    return std::make_unique<SplitterFile>(std::move(file), std::move(copy), std::move(faults));
  } catch (const Error& error) {
    if (faults.log) faults.log(fmt::format("opening '{}': {}", options.copy_path, error.what()));
    if (!options.ignore_copy_faults) throw;
    return file;
  }
}

}  // namespace

DriverKind splitter_driver() {
  DriverKind kind;
  kind.name = SplitterDriver::driver_name;
  kind.open = open_splitter;
  kind.opens_linked_files = false;
  return kind;
}

}  // namespace filigree::io
