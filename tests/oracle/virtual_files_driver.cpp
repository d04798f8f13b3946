// SPDX-License-Identifier: Apache-2.0
//
// Makes, extends and checks files through drivers, from the API. Usage:
//   virtual_files_driver make|extend|check|fail DRIVER PATH [member=BYTES] [low=0..4] [log=text|json]
//   [times=off]
// DRIVER is posix, uring, memory, unsaved, family, split or multi. `make` writes the contents that
// drivers_test.py writes with HDF5, `extend` adds and removes some, `check` verifies them, and `fail` prints
// the error of opening. The log goes to standard output. With times=off the datasets that `make` creates
// store no times, so that two files are equal even if they were made in different seconds.
#include <cstdio>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;
using Settings = std::map<std::string, std::string>;

constexpr std::size_t count = 20000;

AccessOptions access_from(const std::string& driver, const Settings& settings) {
  AccessOptions access;
  const auto find = [&](const char* key, const std::string& otherwise) {
    const auto found = settings.find(key);
    return found == settings.end() ? otherwise : found->second;
  };
  access.versions.low = static_cast<Version>(std::stoi(find("low", "0")));
  if (driver == "uring") access.driver = UringDriver{};
  if (driver == "memory") access.driver = MemoryDriver{};
  if (driver == "unsaved") access.driver = MemoryDriver{.save = false};
  if (driver == "family") access.driver = FamilyDriver{.member_bytes = std::stoull(find("member", "0"))};
  if (driver == "split") access.driver = SplitDriver{};
  if (driver == "multi") access.driver = MultiDriver{};
  const std::string log = find("log", "");
  if (!log.empty()) {
    DriverLog to;
    if (log == "json") to.format = DriverLog::Format::json_lines;
    to.sink = [](std::string_view line) {
      std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
    };
    access.log = to;
  }
  return access;
}

std::vector<float> ascending() {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

std::vector<float> descending() {
  const std::vector<float> values = ascending();
  return {values.rbegin(), values.rend()};
}

void make(const std::string& path, const AccessOptions& access, bool times) {
  File file = File::create(path, CreateMode::truncate, {}, access);
  DatasetOptions options;
  options.track_times = times;
  file.root().write_dataset("values", ascending(), options);
  DatasetOptions chunked = options;
  chunked.chunk = {16, 16};
  const std::vector<float> values = ascending();
  file.root()
      .create_dataset<float>("chunks", Dataspace::simple({64, 64}), chunked)
      .write(std::vector<float>(values.begin(), values.begin() + 64 * 64));
  Group group = file.root().create_group("group");
  group.write_dataset("text", std::string("variable length, in the global heap"), options);
  group.set_attribute("number", 42);
  file.close();
}

void extend(const std::string& path, const AccessOptions& access) {
  File file = File::open(path, OpenMode::read_write, access);
  file.root().write_dataset("more", descending());
  file.flush();
  Group group = file.root().open_group("group");
  for (int i = 0; i < 40; ++i) {
    group.write_dataset("text" + std::to_string(i), "value " + std::to_string(i));
    group.set_attribute("number" + std::to_string(i), i);
  }
  for (int i = 0; i < 40; i += 2) group.remove("text" + std::to_string(i));
  file.root().write_dataset("passing", ascending());
  file.root().remove("passing");
  file.close();
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

void check(const std::string& path, const AccessOptions& access) {
  const File file = File::open(path, OpenMode::read_only, access);
  const Group root = file.root();
  const std::vector<float> values = ascending();
  require(root.read_dataset<std::vector<float>>("values") == values, "values");
  require(root.read_dataset<std::vector<float>>("chunks") ==
              std::vector<float>(values.begin(), values.begin() + 64 * 64),
          "chunks");
  require(root.read_dataset<std::string>("group/text") == "variable length, in the global heap", "text");
  require(root.open_group("group").get_attribute<int>("number") == 42, "attribute");
  if (!root.has_link("more")) return;
  require(root.read_dataset<std::vector<float>>("more") == descending(), "more");
  std::puts("more");
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 3) return 2;
  Settings settings;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const std::size_t at = words[i].find('=');
    settings[words[i].substr(0, at)] = words[i].substr(at + 1);
  }
  const AccessOptions access = access_from(words[1], settings);
  if (words[0] == "make") make(words[2], access, settings["times"] != "off");
  if (words[0] == "extend") extend(words[2], access);
  if (words[0] == "check") check(words[2], access);
  if (words[0] == "fail") {
    try {
      File::open(words[2], OpenMode::read_only, access);
      return 3;
    } catch (const Error& error) {
      std::puts(error.what());
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
