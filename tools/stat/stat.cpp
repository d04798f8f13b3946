// SPDX-License-Identifier: Apache-2.0
//
// `filigree stat`: numbers and sizes of what is in a file, in the format of h5stat.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "../command.hpp"
#include "../details.hpp"
#include "../target.hpp"
#include "../text.hpp"
#include "file_statistics.hpp"
#include "report.hpp"

namespace filigree::tools {
namespace {

struct StatOptions {
  std::vector<std::string> files;
  ReportParts parts;
};

Exit print_file(const StatOptions& options, const std::string& path) {
  std::string text = fmt::format("Filename: {}\n", printable(path));
  const File file = File::open(path, OpenMode::read_only, access_for_one_visit());
  const FileStatistics found = collect_statistics(file);
  text += report_text(options.parts, found, file);
  std::fwrite(text.data(), 1, text.size(), stdout);
  for (const std::string& fault : found.faults) complain(path, fault);
  return found.faults.empty() ? Exit::ok : Exit::failed;
}

Exit print_files(StatOptions& options) {
  if (!options.parts.any()) options.parts.choose_default();
  Exit result = Exit::ok;
  for (const std::string& path : options.files) {
    try {
      result = std::max(result, print_file(options, path));
    } catch (const Error& error) {
      complain(path, error_text(error, path));
      result = Exit::failed;
    }
  }
  return result;
}

void add_thresholds(CLI::App& command, ReportParts& parts) {
  const auto add = [&](const char* names, std::uint64_t& threshold, const char* help) {
    constexpr std::uint64_t most = 1'000'000;
    command.add_option(names, threshold, help)->check(CLI::Range(std::uint64_t{1}, most))->type_name("N");
  };
  add("-l,--links", parts.small_groups, "Groups with fewer links are small (10)");
  add("-m,--dims", parts.small_dims, "Smaller dimensions are small (10)");
  add("-a,--numattrs", parts.small_attributes, "So many attributes are a small number (10)");
}

constexpr const char* explanation =
    R"(Output and options are those of h5stat 1.10. Without options everything but -G and -D is printed. No
elements are read. What cannot be read is reported on standard error, and left out of the numbers; the
exit code is 1.

Examples:
  filigree stat data.h5         everything
  filigree stat -S data.h5      what takes the space of the file
  filigree stat -g -l 5 data.h5 groups; those with fewer than five links one by one)";

}  // namespace

void set_up_stat(CLI::App& command, Run& run) {
  static StatOptions options;
  ReportParts& parts = options.parts;
  command.add_flag("-f,--file", parts.file, "Numbers of objects and links");
  command.add_flag("-F,--filemetadata", parts.file_metadata, "Sizes of metadata");
  command.add_flag("-g,--group", parts.groups, "Groups by their number of links");
  command.add_flag("-G,--groupmetadata", parts.group_metadata, "Sizes of the metadata of groups");
  command.add_flag("-d,--dset", parts.datasets, "Datasets by shape, layout and filters");
  command.add_flag("-D,--dsetmetadata", parts.dataset_metadata, "Sizes of the metadata of datasets");
  command.add_flag("-T,--dtypemetadata", parts.types, "Datatypes of datasets");
  command.add_flag("-A,--attribute", parts.attributes, "Objects by their number of attributes");
  command.add_flag("-s,--freespace", parts.free_space, "Free space");
  command.add_flag("-S,--summary", parts.summary, "What takes the space of the file");
  add_thresholds(command, parts);
  static bool ignored = false;
  command.add_flag("-E,--enable-error-stack", ignored, "Has no effect: messages are complete")->group("");
  command.add_option("FILE", options.files, "The files")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return print_files(options); }; });
}

}  // namespace filigree::tools
