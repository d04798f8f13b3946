// SPDX-License-Identifier: Apache-2.0
//
// The conditions of a run: machine, versions, date.
#include <ctime>
#include <filesystem>
#include <fstream>

#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <hdf5.h>

#include "results.hpp"

namespace bench {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// The file system of the scratch folder.
std::string file_system() {
  struct statfs info {};
  if (::statfs(scratch("").c_str(), &info) != 0) return "unknown";
  switch (static_cast<unsigned long>(info.f_type)) {
    case 0xEF53:
      return "ext4";
    case 0x01021994:
      return "tmpfs";
    case 0x58465342:
      return "xfs";
    case 0x9123683E:
      return "btrfs";
    case 0x794C7630:
      return "overlay";
    case 0x2FC12FC1:
      return "zfs";
    case 0x6969:
      return "nfs";
  }
  return fmt::format("{:#x}", info.f_type);
}

std::string commit() {
  try {
    std::string text = output_of("git -C '" FILIGREE_SOURCE_DIR "' describe --always --dirty 2>/dev/null");
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace

std::string circumstances(const std::string& command) {
  utsname system{};
  ::uname(&system);
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  std::string text = fmt::format(
      "  \"machine\": {{\"processor\": {}, \"cores\": {}, \"memory_bytes\": {:.0f}, \"kernel\": {}, "
      "\"file_system\": {}}},\n",
      json_text(processor()), ::sysconf(_SC_NPROCESSORS_ONLN), memory,
      json_text(fmt::format("{} {} {}", system.sysname, system.release, system.machine)),
      json_text(file_system()));
  text +=
      fmt::format("  \"versions\": {{\"Filigree\": {}, \"commit\": {}, \"HDF5\": {}, \"compiler\": {}}},\n",
                  json_text(FILIGREE_VERSION), json_text(commit()),
                  json_text(fmt::format("{}.{}.{}", major, minor, release)), json_text(FILIGREE_COMPILER));
  text += fmt::format("  \"command\": {},\n  \"date\": \"{:%Y-%m-%d %H:%M} UTC\",\n", json_text(command),
                      fmt::gmtime(std::time(nullptr)));
  return text;
}

}  // namespace bench
