// SPDX-License-Identifier: Apache-2.0
//
// `filigree debug`: the fields of one structure.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "details.hpp"
#include "json.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

struct DebugOptions {
  std::string file, address, as;
  bool json = false;
};

/// Reads a decimal number, or a hexadecimal one after "0x".
std::optional<std::uint64_t> parse_address(const std::string& text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const char* const first = text.data() + (is_hex ? 2 : 0);
  const char* const last = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(first, last, value, is_hex ? 16 : 10);
  if (fault != std::errc() || end != last) return std::nullopt;
  return value;
}

void print(const StructureDescription& found, const Style& style) {
  fmt::print("{} at {:#x}", style.safe(found.structure), found.address);
  if (found.bytes > 0) fmt::print(", {} bytes", grouped(found.bytes));
  if (!found.path.empty()) fmt::print(", of {}", style.safe(found.path));
  fmt::print("{}\n", found.is_linked ? "" : ", nothing leads to it");
  std::size_t width = 0;
  for (const StructureField& field : found.fields) width = std::max(width, columns_of(field.name));
  for (const StructureField& field : found.fields)
    fmt::print("{:>8}  {}  {}\n", field.offset, padded(style.safe(field.name), width),
               style.safe(field.value));
  if (!found.fault.empty()) fmt::print("  fault:  {}\n", style.safe(found.fault));
}

void print_json(const std::string& path, const StructureDescription& found) {
  JsonWriter json;
  json.begin_object().name("file", path).key("structure").text(found.structure);
  json.key("address").number(found.address).key("bytes").number(found.bytes).name("path", found.path);
  json.key("linked").boolean(found.is_linked).key("fields").begin_array();
  for (const StructureField& field : found.fields) {
    json.begin_object().key("offset").number(field.offset).key("bytes").number(field.bytes);
    json.key("name").text(printable(field.name)).key("value").text(printable(field.value)).end_object();
  }
  json.end_array();
  if (!found.fault.empty()) json.key("fault").text(printable(found.fault));
  json.end_object().finish();
}

Exit show_structure(const DebugOptions& options) {
  const std::optional<std::uint64_t> address = parse_address(options.address);
  if (!address) {
    complain(options.address, "expected an address, such as 800 or 0x320");
    return Exit::usage;
  }
  const std::vector<std::string> kinds = File::structure_kinds();
  if (!options.as.empty() && std::ranges::find(kinds, options.as) == kinds.end()) {
    complain(options.as, fmt::format("no kind of structure; there are: {}", fmt::join(kinds, ", ")));
    return Exit::usage;
  }
  try {
    bool not_closed = false;
    const File file = open_unclosed(options.file, not_closed);
    const StructureDescription found = file.describe(*address, options.as);
    options.json ? print_json(options.file, found)
                 : print(found, make_style(ColorChoice::never, output_facts()));
    return found.fault.empty() ? Exit::ok : Exit::failed;
  } catch (const Error& error) {
    complain(options.file, error_text(error, options.file));
    return Exit::failed;
  }
}

constexpr const char* explanation =
    R"(Prints the fields of the structure at an address, one in a line: offset, name, value. Addresses are
relative to the base address, as 'filigree check' and 'filigree ls -v' print them; 0 is the
superblock. Any address within a structure will do. What is there is found by a walk through the
file; where nothing leads to, by its signature. --as NAME decodes the bytes as that structure. Of a
damaged structure, the fields before the fault are printed, and the exit code is 1.

Example:
  filigree debug data.h5 0x320)";

}  // namespace

void set_up_debug(CLI::App& command, Run& run) {
  static DebugOptions options;
  command.add_option("--as", options.as, "The kind of structure, such as 'object header'");
  command.add_flag("--json", options.json, "Print one JSON document");
  command.add_option("FILE", options.file, "The file")->required();
  command.add_option("ADDRESS", options.address, "In bytes; hexadecimal after 0x")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return show_structure(options); }; });
}

}  // namespace filigree::tools
