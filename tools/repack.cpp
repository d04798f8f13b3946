// SPDX-License-Identifier: Apache-2.0
//
// `filigree repack`: copies a file, and stores its datasets in another way.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "changes.hpp"
#include "command.hpp"
#include "details.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "repack_choices.hpp"
#include "repack_copy.hpp"
#include "repack_plan.hpp"
#include "repack_report.hpp"

namespace filigree::tools {
namespace {

/// The arguments as the user writes them.
struct RepackOptions {
  std::string input, output;
  bool portable = false, structured = false;
  std::vector<std::string> layouts, filters, defined;
  std::optional<std::string> excluded, low, high;
  std::string sparse;
  std::uint64_t minimum_bytes = 0;
  bool keep_defined = false, verify = false, force = false, json = false;
  Effect effect = Effect::made;
};

/// Throws: Error(invalid_argument) for arguments that say nothing.
RepackChoices parse_choices(const RepackOptions& options) {
  RepackChoices choices;
  if (options.portable) choices.form = SparseForm::portable;
  if (options.structured) choices.form = SparseForm::structured;
  for (const std::string& text : options.layouts) choices.layouts.push_back(parse_layout_choice(text));
  for (const std::string& text : options.filters) choices.filters.push_back(parse_section_filters(text));
  for (const std::string& text : options.defined) choices.defined.push_back(parse_defined_choice(text));
  choices.excluded = options.excluded;
  choices.sparse_auto = !options.sparse.empty();
  choices.keep_defined = options.keep_defined;
  choices.minimum_bytes = options.minimum_bytes;
  const bool makes_sparse =
      choices.sparse_auto || std::ranges::any_of(choices.layouts, [](const LayoutChoice& choice) {
        return choice.kind == LayoutChoice::Kind::sparse_chunks;
      });
  if (!makes_sparse && (choices.excluded || !choices.defined.empty()))
    throw Error(ErrorKind::invalid_argument,
                "--exclude and --defined-elements need -l OBJ:SPARSECHUNK or --sparse auto");
  return choices;
}

AccessOptions output_access(const RepackOptions& options, const File& input) {
  AccessOptions access;
  access.versions.low = options.low ? parse_version(*options.low) : input.info().versions.low;
  if (options.high) access.versions.high = parse_version(*options.high);
  return access;
}

/// Prints what was done, or would be, and returns the exit code.
Exit print(const RepackOptions& options, const Repacking& repacking, bool is_done) {
  const RepackReport report{options.input, options.output, repacking.input_bytes(), repacking.output_bytes(),
                            is_done};
  const RepackPlan& plan = repacking.plan();
  options.json ? print_json_report(report, plan) : print_report(report, plan);
  const bool refused =
      std::ranges::any_of(plan.datasets(), [](const DatasetPlan& p) { return p.is_refused; });
  return refused ? Exit::failed : Exit::ok;
}

Exit repack_to(const RepackOptions& options, Repacking& repacking, OutputFile& output) {
  repacking.make_plan();
  {
    const Progress progress("repack", repacking.input_bytes(),
                            [path = output.temporary_path()] { return file_bytes(path); });
    repacking.run(output.temporary_path());
  }
  output.commit();
  return print(options, repacking, true);
}

Exit repack(const RepackOptions& options) {
  RepackChoices choices;
  try {
    choices = parse_choices(options);
    for (const auto& version : {options.low, options.high})
      if (version) parse_version(*version);
  } catch (const Error& error) {
    complain("repack", error.what());
    return Exit::usage;
  }
  if (is_same_file(options.input, options.output)) {
    complain(options.output, "this is the input; repack writes another file");
    return Exit::usage;
  }
  try {
    const File input = File::open(options.input);
    Repacking repacking(input, choices, output_access(options, input), options.verify);
    if (options.effect == Effect::told) {
      repacking.make_plan();
      return print(options, repacking, false);
    }
    OutputFile output(options.output, options.force);
    return repack_to(options, repacking, output);
  } catch (const Error& error) {
    complain(options.input, OutputFile::with_final_name(error_text(error, options.input)));
    return Exit::failed;
  }
}

constexpr const char* explanation =
    R"(Everything in IN is copied to OUT: groups, attributes, links of all kinds, committed datatypes,
references, and datasets. Chunks of datasets that do not change are not decoded. OUT has no free
space, and appears when it is complete: a failure leaves nothing behind. IN is only read.

-l and -f apply to all datasets, or to those that are named in front of a colon: datasets, and
groups with all below them, with commas between. The closest name decides.
  -l CHUNK=20x30         chunks           -l SPARSECHUNK=1x256   sparse chunks
  -l CONTI               contiguous       -l COMPA               in the object header
  -f shuffle,zstd=3      filters of values, as h5repack's SHUF, GZIP=6, NBIT, SZIP=8,NN, UD=..., NONE
  -f selection=packed    filters of another section of sparse chunks: selection, heap
CHUNK and SPARSECHUNK without numbers keep the chunks, or choose them. A dataset that becomes
sparse defines the elements that differ from its fill value, bit by bit, or what
--defined-elements or --exclude say.

A dataset that cannot be stored as you want stays as it is; the command says so, and its exit code
is 1. Datasets that were or become sparse are compared before OUT gets its name.

Examples:
  filigree repack fragmented.h5 compact.h5
  filigree repack -f shuffle,deflate=6 -l /run1:CHUNK=1x512x512 raw.h5 small.h5
  filigree repack --sparse auto dense.h5 sparse.h5
  filigree repack --portable frames.h5 for-everybody.h5)";

void add_storage_options(CLI::App& command, RepackOptions& options) {
  const auto add_list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return command.add_option(name, values, help)->allow_extra_args(false);
  };
  add_list("-l,--layout", options.layouts, "Store datasets in this layout")->type_name("[OBJ:]LAYOUT");
  add_list("-f,--filter", options.filters, "Store chunks with these filters")->type_name("[OBJ:]FILTERS");
  command.add_option("-m,--minimum", options.minimum_bytes, "Keep the filters of datasets of fewer bytes")
      ->type_name("BYTES");
  command.add_option("--sparse", options.sparse, "auto: make datasets sparse that are mostly fill value")
      ->check(CLI::IsMember({"auto"}));
  CLI::Option* const excluded =
      command.add_option("--exclude", options.excluded, "Define elements other than this one")
          ->type_name("VALUE");
  add_list("--defined-elements", options.defined,
           "Define these: BLOCK (2,2)-(4,7) POINT (5,9), or those that are not 0 in a mask")
      ->type_name("[OBJ:]ELEMENTS|MASK")
      ->excludes(excluded);
  command.add_flag("--keep-defined", options.keep_defined,
                   "Store masks of what is defined beside datasets that become dense");
}

}  // namespace

void set_up_repack(CLI::App& command, Run& run) {
  static RepackOptions options;
  add_storage_options(command, options);
  CLI::Option* const portable =
      command.add_flag("--portable", options.portable, "Store sparse datasets in the portable form");
  command.add_flag("--structured", options.structured, "Store sparse datasets as structured chunks")
      ->excludes(portable);
  command.add_option("--low", options.low, "The oldest HDF5 that has to read new structures")
      ->type_name("VERSION");
  command.add_option("--high", options.high, "The newest format that is used")->type_name("VERSION");
  command.add_flag("--verify", options.verify, "Compare all datasets that change");
  add_dry_run_option(command, options.effect);
  command.add_flag("--force", options.force, "Replace OUT if it exists");
  command.add_flag("--json", options.json, "Print one JSON document");
  command.add_option("IN", options.input, "The file to copy")->required();
  command.add_option("OUT", options.output, "The new file")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return repack(options); }; });
}

}  // namespace filigree::tools
