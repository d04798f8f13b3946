// SPDX-License-Identifier: Apache-2.0
#include "target.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "details.hpp"
#include "text.hpp"

namespace filigree::tools {

namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

Target make_target(const std::string& argument, std::size_t file_end, std::size_t path_start) {
  const std::size_t at = std::min(argument.size(), path_start);
  const bool rooted = at < argument.size() && argument[at] == '/';
  return {argument.substr(0, file_end), (rooted ? "" : "/") + argument.substr(at)};
}

}  // namespace

Target split_target(const std::string& argument) {
  for (std::size_t end = argument.size(); end != std::string::npos && end > 0;) {
    const std::size_t slash = argument.rfind('/', end - 1);
    const std::size_t colons = end >= 2 ? argument.rfind("::", end - 1) : std::string::npos;
    if (is_file(argument.substr(0, end))) {
      const bool by_colons = argument.compare(end, 2, "::") == 0;
      return make_target(argument, end, end + (by_colons ? 2 : 1));
    }
    if (slash == std::string::npos && colons == std::string::npos) break;
    if (slash == std::string::npos || (colons != std::string::npos && colons > slash))
      end = colons;
    else
      end = slash;
  }
  const std::size_t colons = argument.find("::");
  if (colons != std::string::npos && colons > 0) return make_target(argument, colons, colons + 2);
  return {argument, "/"};
}

std::string normalised(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size();) {
    const std::size_t end = std::min(path.find('/', i), path.size());
    const std::string_view part = path.substr(i, end - i);
    if (!part.empty() && part != ".") out.append("/").append(part);
    i = end + 1;
  }
  return out.empty() ? "/" : out;
}

AccessOptions access_for_one_visit() {
  AccessOptions access;
  access.metadata_cache_bytes = 8u << 20;
  return access;
}

File open_unclosed(const std::string& path, bool& not_closed) {
  AccessOptions access = access_for_one_visit();
  try {
    return File::open(path, OpenMode::read_only, access);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::locked) throw;
  }
  access.ignore_write_mark = true;
  not_closed = true;
  return File::open(path, OpenMode::read_only, access);
}

std::string OpenTarget::name() const {
  if (path == "/") return std::filesystem::path(file.name()).filename().string();
  return path.substr(path.rfind('/') + 1);
}

OpenTarget open_target(const std::string& argument, const AccessOptions& access) {
  const Target target = split_target(argument);
  const File file = File::open(target.file, OpenMode::read_only, access);
  const Group root = file.root();
  const std::string path = normalised(target.path);
  const std::size_t bracket = target.path.rfind('[');
  if (bracket == std::string::npos || root.has_link(path))
    return {argument, file, path, path == "/" ? Object(root) : root.open(path), std::nullopt};
  const std::size_t position = argument.rfind('[') + 1;
  if (!argument.ends_with(']')) throw SliceError("expected ']'", argument.size());
  const std::string text = argument.substr(position, argument.size() - position - 1);
  std::vector<SliceItem> items;
  try {
    items = parse_slice(text);
  } catch (const SliceError& error) {
    throw SliceError(error.what(), position + error.position());
  }
  const std::string sliced = normalised(target.path.substr(0, bracket));
  return {argument, file, sliced, sliced == "/" ? Object(root) : root.open(sliced), items, position};
}

std::vector<SliceRange> slice_of(const OpenTarget& target, const Dataspace& space) {
  try {
    return resolve_slice(target.slice.value_or(std::vector<SliceItem>{}), space.dims());
  } catch (const SliceError& error) {
    throw SliceError(error.what(), target.slice_position + error.position());
  }
}

namespace {

Exit run_target(const std::string& argument, Slices slices,
                const std::function<Exit(const OpenTarget&)>& work) {
  try {
    const OpenTarget target = open_target(argument);
    if (target.slice && slices == Slices::refused)
      throw SliceError("a slice is for the command show", target.slice_position);
    return work(target);
  } catch (const SliceError& error) {
    complain_about_slice(argument, error);
    return Exit::usage;
  } catch (const Error& error) {
    complain(argument, error_text(error, split_target(argument).file));
    return Exit::failed;
  }
}

}  // namespace

Exit for_each_target(const std::vector<std::string>& arguments, Slices slices,
                     const std::function<Exit(const OpenTarget&)>& work) {
  Exit result = Exit::ok;
  for (const std::string& argument : arguments) result = std::max(result, run_target(argument, slices, work));
  return result;
}

Exit report_incomplete(const std::string& argument) {
  complain(argument, "some of it could not be read; see [error: ...] above");
  return Exit::failed;
}

void complain_about_slice(const std::string& argument, const SliceError& error) {
  complain(argument, error.what());
  const std::size_t columns = columns_of(printable(argument.substr(0, error.position())));
  const std::string lines = fmt::format("  {}\n  {}^\n", printable(argument), std::string(columns, ' '));
  std::fwrite(lines.data(), 1, lines.size(), stderr);
}

}  // namespace filigree::tools
