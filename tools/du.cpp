// SPDX-License-Identifier: Apache-2.0
//
// `filigree du`: what the bytes of a file are used for.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <span>
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

void measure_object(const Object& object, ObjectUsage& usage) {
  usage.bytes[header] = object.info().header_bytes;
  const ObjectMetadata metadata = object.metadata();
  usage.bytes[index] = metadata.object.index;
  usage.bytes[heap] = metadata.object.heap;
  usage.bytes[attributes] = metadata.attributes.index + metadata.attributes.heap;
  if (object.kind() == ObjectKind::dataset) add_elements(Dataset(object), usage.bytes);
}

/// Measures one target and prints each object as it is found: paths of deeply nested groups would need far
/// more memory than the file.
class Usage {
 public:
  Usage(const OpenTarget& target, bool json)
      : target_(target),
        prints_json_(json),
        style_(make_style(ColorChoice::never, output_facts())),
        info_(target.file.info()) {}

  Exit run() {
    begin();
    if (target_.object.kind() == ObjectKind::group)
      visit(Group(target_.object));
    else
      see(target_.path, target_.object, nullptr);
    if (prints_json_) json_.end_array();
    if (target_.path == "/")
      finish_file();
    else if (!prints_json_)
      row(total(sum_), &sum_, "sum of " + style_.safe(target_.path));
    if (prints_json_) json_.end_object().finish();
    return is_broken_ ? report_incomplete(target_.argument) : Exit::ok;
  }

 private:
  void visit(const Group& group) {
    VisitOptions options;
    options.keep_going = true;
    group.visit(
        [&](const Visited& visited) {
          const std::string top = target_.path == "/" ? "" : target_.path;
          const std::string path = visited.path == "." ? target_.path : top + "/" + visited.path;
          const bool is_new = visited.object && !visited.seen_before;
          if (is_new || visited.error != nullptr)
            see(path, is_new ? visited.object : std::nullopt, visited.error);
          return true;
        },
        options);
  }

  void see(const std::string& path, const std::optional<Object>& object, const Error* error) {
    ObjectUsage usage{path, {}, error != nullptr ? error_text(*error, target_.file.name()) : ""};
    try {
      if (object) measure_object(*object, usage);
    } catch (const Error& broken) {
      usage.error = error_text(broken, target_.file.name());
    }
    is_broken_ = is_broken_ || !usage.error.empty();
    for (std::size_t i = 0; i < uses; ++i) sum_[i] += usage.bytes[i];
    prints_json_ ? add_json(usage) : print(usage);
  }

  void begin() {
    if (prints_json_) {
      json_.begin_object().name("file", target_.file.name()).key("file_bytes").number(info_.file_bytes);
      json_.key("objects").begin_array();
      return;
    }
    std::string line = fmt::format("{:>12}", "total");
    for (const char* name : use_names) line += fmt::format(" {:>11}", name);
    put(line + "  object\n");
  }

  void add_json(const ObjectUsage& usage) {
    json_.begin_object().name("path", usage.path).key("total").number(total(usage.bytes));
    for (std::size_t i = 0; i < uses; ++i) json_.key(use_names[i]).number(usage.bytes[i]);
    if (!usage.error.empty()) json_.key("error").text(usage.error);
    json_.end_object().flush_if_long();
  }

  void print(const ObjectUsage& usage) const {
    const std::string mark =
        usage.error.empty() ? "" : fmt::format("  [error: {}]", style_.safe(usage.error));
    row(total(usage.bytes), &usage.bytes, style_.safe(usage.path) + mark);
  }

  static void put(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stdout); }

  static void row(std::uint64_t sum, const Bytes* bytes, const std::string& name) {
    std::string line = fmt::format("{:>12}", sum);
    for (std::size_t i = 0; i < uses; ++i)
      line += bytes == nullptr || (*bytes)[i] == 0 ? fmt::format(" {:>11}", "")
                                                   : fmt::format(" {:>11}", (*bytes)[i]);
    put(line + "  " + name + "\n");
  }

  /// Adds what the file uses for itself, so that all parts sum to its size.
  void finish_file() {
    const FilePart parts[] = {
        {"user_block", "(user block)", info_.user_block_bytes},
        {"superblock", "(superblock)", info_.superblock_bytes + info_.extension_bytes},
        {"shared_messages", "(shared messages)",
         info_.shared_message_table_bytes + info_.shared_message_index_bytes +
             info_.shared_message_heap_bytes},
        {"free_space_managers", "(free-space managers)", info_.free_space_metadata_bytes},
        {"free", "(free)", info_.reusable_bytes},
    };
    std::uint64_t known = total(sum_);
    for (const FilePart& part : parts) known += part.bytes;
    // The rest is global heaps, space that no structure uses, and what could not be read.
    const std::uint64_t rest = info_.file_bytes - std::min(known, info_.file_bytes);
    const std::uint64_t surplus = known - std::min(known, info_.file_bytes);
    prints_json_ ? add_json(parts, rest, surplus) : print(parts, rest, surplus);
  }

  /// A part of the file that belongs to no object.
  struct FilePart {
    const char *key, *name;
    std::uint64_t bytes;
  };

  void add_json(std::span<const FilePart> parts, std::uint64_t rest, std::uint64_t surplus) {
    for (const FilePart& part : parts) json_.key(part.key).number(part.bytes);
    json_.key("rest").number(rest).key("counted_twice").number(surplus);
  }

  void print(std::span<const FilePart> parts, std::uint64_t rest, std::uint64_t surplus) const {
    for (const FilePart& part : parts)
      if (part.bytes > 0) row(part.bytes, nullptr, part.name);
    if (rest > 0) row(rest, nullptr, "(global heaps, and space that no object uses)");
    if (surplus > 0) {
      put(fmt::format("{:>12}{:{}}  (counted twice: objects share bytes, or run past the end of the file)\n",
                      "-" + std::to_string(surplus), "", 12 * uses));
    }
    row(info_.file_bytes, nullptr, "sum: size of the file");
  }

  const OpenTarget& target_;
  const bool prints_json_;
  const Style style_;
  const FileInfo info_;
  Bytes sum_{};  ///< of all objects
  bool is_broken_ = false;
  JsonWriter json_;
};

Exit measure_targets(const UsageOptions& options) {
  return for_each_target(options.targets, Slices::refused,
                         [&](const OpenTarget& target) { return Usage(target, options.json).run(); });
}

constexpr const char* explanation =
    R"(Each object has its header, its index (B-trees and other indexes of links or chunks), heaps,
attributes outside of the header, and its elements. Of structured chunks the section with the
selection of defined elements is counted on its own. Objects with several links count once. The
rest of the file is listed below, so that all rows sum to its size. Of a path in the file, the
object and what is below it are listed; links at the end of the path are followed.

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
