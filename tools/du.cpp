// SPDX-License-Identifier: Apache-2.0
//
// `filigree du`: what the bytes of a file are used for.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "details.hpp"
#include "json.hpp"
#include "sections.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

struct UsageOptions {
  std::vector<std::string> targets;
  bool json = false;
};

/// The columns of the table.
enum Use { header, index, heap, attributes, selection, elements, uses };
constexpr std::array<const char*, uses> use_names{"header",     "index",     "heap",
                                                  "attributes", "selection", "elements"};

using Bytes = std::array<std::uint64_t, uses>;

std::uint64_t total(const Bytes& bytes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t part : bytes) sum += part;
  return sum;
}

struct ObjectUsage {
  std::string path;
  Bytes bytes{};
  std::string error;
};

/// Adds the stored elements, section by section where the chunk index has the sizes.
void add_elements(const Dataset& data, Bytes& bytes) {
  const DatasetInfo info = data.dataset_info();
  if (info.layout == Layout::compact || info.layout == Layout::virtual_dataset || !info.external.empty())
    return;  // in the header, or in other files
  const std::uint64_t stored = data.stored_bytes();
  const std::vector<SectionKind> kinds = section_kinds(info);
  const std::vector<SectionSizes> sizes = section_sizes(data, info);
  std::uint64_t known = 0;
  for (std::size_t i = 0; i < sizes.size() && i < kinds.size(); ++i) {
    const Use use = kinds[i] == SectionKind::selection ? selection
                    : kinds[i] == SectionKind::heap    ? heap
                                                       : elements;
    bytes[use] += sizes[i].stored_bytes;
    known += sizes[i].stored_bytes;
  }
  bytes[elements] += stored - std::min(stored, known);
}

ObjectUsage measure_object(const Object& object, std::string path, const std::string& file) {
  ObjectUsage usage;
  usage.path = std::move(path);
  try {
    usage.bytes[header] = object.info().header_bytes;
    const ObjectMetadata metadata = object.metadata();
    usage.bytes[index] = metadata.object.index;
    usage.bytes[heap] = metadata.object.heap;
    usage.bytes[attributes] = metadata.attributes.index + metadata.attributes.heap;
    if (object.kind() == ObjectKind::dataset) add_elements(Dataset(object), usage.bytes);
  } catch (const Error& error) {
    usage.error = error_text(error, file);
  }
  return usage;
}

/// What the file uses for itself, so that all parts sum to its size.
struct FileUsage {
  std::vector<ObjectUsage> objects;
  std::uint64_t superblock = 0, user_block = 0, shared_messages = 0, free = 0, free_space_managers = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t rest = 0;     ///< global heaps, space that no structure uses, and what could not be read
  std::uint64_t surplus = 0;  ///< bytes that several objects claim

  std::uint64_t known() const {
    std::uint64_t sum = superblock + user_block + shared_messages + free + free_space_managers;
    for (const ObjectUsage& object : objects) sum += total(object.bytes);
    return sum;
  }
};

FileUsage measure_file(const OpenTarget& target) {
  FileUsage usage;
  const FileInfo info = target.file.info();
  usage.file_bytes = info.file_bytes;
  usage.user_block = info.user_block_bytes;
  usage.superblock = info.superblock_bytes + info.extension_bytes;
  usage.shared_messages =
      info.shared_message_table_bytes + info.shared_message_index_bytes + info.shared_message_heap_bytes;
  usage.free = info.reusable_bytes;
  usage.free_space_managers = info.free_space_metadata_bytes;
  VisitOptions options;
  options.keep_going = true;
  target.file.root().visit(
      [&](const Visited& visited) {
        const std::string path = visited.path == "." ? "/" : "/" + visited.path;
        if (visited.object && !visited.seen_before)
          usage.objects.push_back(measure_object(*visited.object, path, target.file.name()));
        if (visited.error != nullptr) {
          if (!visited.object) usage.objects.push_back({path, {}, ""});
          usage.objects.back().error = error_text(*visited.error, target.file.name());
        }
        return true;
      },
      options);
  const std::uint64_t known = usage.known();
  if (known <= usage.file_bytes)
    usage.rest = usage.file_bytes - known;
  else
    usage.surplus = known - usage.file_bytes;
  return usage;
}

bool is_below(const std::string& path, const std::string& top) {
  return top == "/" || path == top || path.starts_with(top + "/");
}

void print_usage(const FileUsage& usage, const std::string& top, const Style& style) {
  std::string line = fmt::format("{:>12}", "total");
  for (const char* name : use_names) line += fmt::format(" {:>11}", name);
  line += "  object\n";
  const auto put = [&] { std::fwrite(line.data(), 1, line.size(), stdout); };
  put();
  const auto row = [&](std::uint64_t sum, const Bytes* bytes, const std::string& name) {
    line = fmt::format("{:>12}", sum);
    for (std::size_t i = 0; i < uses; ++i)
      line += bytes == nullptr || (*bytes)[i] == 0 ? fmt::format(" {:>11}", "")
                                                   : fmt::format(" {:>11}", (*bytes)[i]);
    line += "  " + name + "\n";
    put();
  };
  Bytes below{};
  for (const ObjectUsage& object : usage.objects) {
    if (!is_below(object.path, top)) continue;
    for (std::size_t i = 0; i < uses; ++i) below[i] += object.bytes[i];
    const std::string mark =
        object.error.empty() ? "" : fmt::format("  [error: {}]", style.safe(object.error));
    row(total(object.bytes), &object.bytes, style.safe(object.path) + mark);
  }
  if (top != "/") return row(total(below), &below, "sum of " + style.safe(top));
  const auto part = [&](std::uint64_t bytes, const char* name) {
    if (bytes > 0) row(bytes, nullptr, name);
  };
  part(usage.user_block, "(user block)");
  part(usage.superblock, "(superblock)");
  part(usage.shared_messages, "(shared messages)");
  part(usage.free_space_managers, "(free-space managers)");
  part(usage.free, "(free)");
  part(usage.rest, "(global heaps, and space that no object uses)");
  if (usage.surplus > 0) {
    line = fmt::format("{:>12}{:{}}  (counted twice: objects share bytes, or run past the end of the file)\n",
                       "-" + std::to_string(usage.surplus), "", 12 * uses);
    put();
  }
  row(usage.file_bytes, nullptr, "sum: size of the file");
}

void print_json(const FileUsage& usage, const OpenTarget& target) {
  JsonWriter json;
  json.begin_object().name("file", target.file.name()).key("file_bytes").number(usage.file_bytes);
  json.key("objects").begin_array();
  for (const ObjectUsage& object : usage.objects) {
    if (!is_below(object.path, target.path)) continue;
    json.begin_object().name("path", object.path).key("total").number(total(object.bytes));
    for (std::size_t i = 0; i < uses; ++i) json.key(use_names[i]).number(object.bytes[i]);
    if (!object.error.empty()) json.key("error").text(object.error);
    json.end_object();
  }
  json.end_array();
  json.key("user_block").number(usage.user_block).key("superblock").number(usage.superblock);
  json.key("shared_messages").number(usage.shared_messages);
  json.key("free_space_managers").number(usage.free_space_managers).key("free").number(usage.free);
  json.key("rest").number(usage.rest).key("counted_twice").number(usage.surplus).end_object().finish();
}

Exit measure_targets(const UsageOptions& options) {
  const Style style = make_style(ColorChoice::never, output_facts());
  return for_each_target(options.targets, Slices::refused, [&](const OpenTarget& target) {
    const FileUsage usage = measure_file(target);
    options.json ? print_json(usage, target) : print_usage(usage, target.path, style);
    const bool is_broken = std::ranges::any_of(usage.objects, [&](const ObjectUsage& object) {
      return !object.error.empty() && is_below(object.path, target.path);
    });
    return is_broken ? report_incomplete(target.argument) : Exit::ok;
  });
}

constexpr const char* explanation =
    R"(Each object has its header, its index (B-trees and other indexes of links or chunks), heaps,
attributes outside of the header, and its elements. Of structured chunks the section with the
selection of defined elements is counted on its own. Objects with several links count once. The
rest of the file is listed below, so that all rows sum to its size.

Examples:
  filigree du data.h5
  filigree du data.h5/run1        the objects below a group)";

}  // namespace

void set_up_du(CLI::App& command, Run& run) {
  static UsageOptions options;
  command.add_flag("--json", options.json, "Print one JSON document for each target");
  command.add_option("TARGET", options.targets, "FILE[/path]")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return measure_targets(options); }; });
}

}  // namespace filigree::tools
