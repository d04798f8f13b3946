// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the API have in common.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace filigree {

/// A new empty folder, removed at the end.
class Scratch {
 public:
  Scratch() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("filigree_api_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directory(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline AccessOptions bounds(Version low, Version high = Version::latest) {
  AccessOptions access;
  access.versions = {low, high};
  return access;
}

inline File reopened(const File& file, OpenMode mode = OpenMode::read_only,
                     const AccessOptions& access = {}) {
  return File::open_image(file.image(), mode, access);
}

/// The kind of the Error that `work` throws; a failure when it throws none.
template <class Work>
ErrorKind error_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::internal;
}

template <class Work>
std::string message_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline std::vector<std::string> names(const Group& group, IndexBy by = IndexBy::name,
                                      Direction direction = Direction::ascending) {
  std::vector<std::string> all;
  for (const Link& link : group.links(by, direction)) all.push_back(link.name);
  return all;
}

}  // namespace filigree
