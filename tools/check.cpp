// SPDX-License-Identifier: Apache-2.0
//
// `filigree check`: walks through the structures of a file.
#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "details.hpp"
#include "json.hpp"
#include "progress.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  CheckOptions check;
  bool lists_unused = false;
  bool json = false;
};

/// What was found in one file.
struct Checked {
  CheckReport report;
  std::uint64_t file_bytes = 0;
  bool not_closed = false;

  bool is_sound() const { return report.is_sound() && !not_closed; }
};

Checked check_file(const std::string& path, const CheckArguments& arguments) {
  Checked checked;
  const File file = open_unclosed(path, checked.not_closed);
  checked.file_bytes = file.info().file_bytes;
  CheckOptions options = arguments.check;
  std::atomic<std::uint64_t> done = 0;
  options.on_progress = [&done](std::uint64_t bytes) { done = bytes; };
  const Progress progress("check", checked.file_bytes, [&done] { return done.load(); });
  checked.report = file.check(options);
  return checked;
}

void print(const Finding& finding, const std::string& path, const Style& style) {
  const std::string word = fmt::format("{:<12}", to_string(finding.severity));
  const bool is_fault = finding.severity >= Severity::leak;
  // The message may name the file, which is printed above.
  std::string text = finding.message;
  const std::string frame = fmt::format("checking '{}': ", path);
  if (text.starts_with(frame)) text.erase(0, frame.size());
  fmt::print("  {}{}{}\n", is_fault ? style.red(word) : word,
             finding.path.empty() ? "" : style.safe(finding.path) + ": ", style.safe(text));
}

/// "1 leak", "3 leaks".
std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

/// "3 damages, 1 leak", or that there are none.
std::string verdict(const Checked& checked) {
  std::string text;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + counted(count, what);
  };
  add(checked.report.damages, "damage");
  add(checked.report.leaks, "leak");
  if (checked.not_closed) text += text.empty() ? "not closed" : ", not closed";
  return text.empty() ? "sound" : text;
}

void print(const std::string& path, const Checked& checked, const CheckArguments& arguments) {
  const Style style = make_style(ColorChoice::never, output_facts());
  const CheckReport& report = checked.report;
  fmt::print("{}: {}\n", style.safe(path), verdict(checked));
  std::uint64_t listed = 0;
  for (const Finding& finding : report.findings) {
    ++listed;
    if (finding.severity != Severity::unused || arguments.lists_unused) print(finding, path, style);
  }
  const std::uint64_t all = report.damages + report.leaks + report.unused + report.informations;
  if (all > listed) fmt::print("  {} further findings\n", grouped(all - listed));
  std::string chunks = counted(report.chunks, "chunk");
  if (arguments.check.data) chunks += fmt::format(" ({} decoded)", grouped(report.chunks_read));
  fmt::print("  {}, {}, {}; {} used, {} free, {} unused\n", counted(report.objects, "object"),
             counted(report.structures, "structure"), chunks, bytes_text(report.used_bytes),
             bytes_text(report.free_bytes), bytes_text(report.unused_bytes));
}

void print_json(const std::string& path, const Checked& checked) {
  const CheckReport& report = checked.report;
  JsonWriter json;
  json.begin_object().name("file", path).key("sound").boolean(checked.is_sound());
  json.key("not_closed").boolean(checked.not_closed).key("findings").begin_array();
  for (const Finding& finding : report.findings) {
    json.begin_object().key("severity").text(to_string(finding.severity));
    json.key("structure").text(finding.structure).key("address").number(finding.address);
    json.key("bytes")
        .number(finding.bytes)
        .name("path", finding.path)
        .key("message")
        .text(printable(finding.message));
    json.end_object().flush_if_long();
  }
  json.end_array().key("damages").number(report.damages).key("leaks").number(report.leaks);
  json.key("unused").number(report.unused).key("informations").number(report.informations);
  json.key("objects").number(report.objects).key("structures").number(report.structures);
  json.key("chunks").number(report.chunks).key("chunks_read").number(report.chunks_read);
  json.key("used_bytes").number(report.used_bytes).key("free_bytes").number(report.free_bytes);
  json.key("unused_bytes").number(report.unused_bytes).end_object().finish();
}

Exit check_files(const CheckArguments& arguments) {
  Exit result = Exit::ok;
  for (const std::string& path : arguments.files) {
    try {
      const Checked checked = check_file(path, arguments);
      arguments.json ? print_json(path, checked) : print(path, checked, arguments);
      if (!checked.is_sound()) result = Exit::failed;
    } catch (const Error& error) {
      complain(path, error_text(error, path));
      result = Exit::failed;
    }
  }
  return result;
}

constexpr const char* explanation =
    R"(Reads every structure of each file, verifies checksums, references and the counts of links, and
compares the bytes that structures take. A finding is one of these:
  damage       a structure or a reference is wrong, or two structures share bytes
  leak         bytes or objects that nothing leads to, in a file that stores its free space
  unused       the same in a file that does not store its free space, where it is usual; see -u
  information  something that is no fault, or that cannot be checked
The exit code is 1 for damage, leaks and files that were not closed or cannot be opened.

Examples:
  filigree check data.h5
  filigree check --data data.h5   decodes all chunks, too)";

}  // namespace

void set_up_check(CLI::App& command, Run& run) {
  static CheckArguments arguments;
  command.add_flag("-d,--data", arguments.check.data, "Decode all chunks, and follow references in elements");
  command.add_flag("-u,--unused", arguments.lists_unused, "List bytes that nothing uses");
  command.add_option("--most-chunk-bytes", arguments.check.most_chunk_bytes,
                     "Do not decode larger chunks (default: 64 MiB)");
  command.add_option("--most-findings", arguments.check.most_findings,
                     "List so many findings (default: 1000)");
  command.add_flag("--json", arguments.json, "Print one JSON document for each file");
  command.add_option("FILE", arguments.files, "The files")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return check_files(arguments); }; });
}

}  // namespace filigree::tools
