// SPDX-License-Identifier: Apache-2.0
//
// `filigree repack`: copies a file, and stores its sparse datasets in another form.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "compare.hpp"
#include "details.hpp"
#include "json.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

struct RepackOptions {
  std::string input, output;
  bool portable = false, structured = false;
  bool force = false;
  bool json = false;
};

/// What happened to one sparse dataset.
struct Outcome {
  std::string path;
  SparseForm form = SparseForm::structured;
  bool converted = false;
  std::uint64_t elements = 0;  ///< that are defined and were compared
  std::uint64_t bytes_before = 0, bytes_after = 0;
  std::string reason;  ///< why it keeps its form
};

/// Copies the user block, which belongs to other programs.
void copy_first_bytes(const std::string& from, const std::string& to, std::uint64_t bytes) {
  std::ifstream input(from, std::ios::binary);
  std::fstream output(to, std::ios::binary | std::ios::in | std::ios::out);
  std::vector<char> block(std::size_t{1} << 20);
  for (std::uint64_t done = 0; done < bytes;) {
    const auto step = static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), bytes - done));
    if (!input.read(block.data(), step) || !output.write(block.data(), step))
      throw Error(ErrorKind::io, fmt::format("the user block of '{}' cannot be copied", from));
    done += static_cast<std::uint64_t>(step);
  }
}

const char* form_text(SparseForm form) { return form == SparseForm::portable ? "portable" : "structured"; }

/// Copies the file and collects what it does.
class Repacking {
 public:
  explicit Repacking(const RepackOptions& options) : options_(options), input_(File::open(options.input)) {
    if (options.portable) contents_.sparse_form = SparseForm::portable;
    if (options.structured) contents_.sparse_form = SparseForm::structured;
    contents_.on_dataset = [this](const CopiedDataset& copied) { see(copied); };
  }

  void run(OutputFile& output) {
    AccessOptions access;
    access.versions.low = input_.info().versions.low;
    File made =
        File::create(output.temporary_path(), CreateMode::truncate, input_.creation_options(), access);
    copy_user_block(output.temporary_path());
    input_.copy_contents_to(made, contents_);
    made.close();
    verify(output.temporary_path());
    bytes_after_ = std::filesystem::file_size(output.temporary_path());
  }

  std::uint64_t input_bytes() const { return input_.info().file_bytes; }

  /// Returns whether every sparse dataset has the form that the user wants.
  bool all_converted() const {
    return std::ranges::all_of(outcomes_, [](const Outcome& o) { return o.converted; });
  }

  void print() const {
    for (const Outcome& o : outcomes_) {
      if (!o.converted) continue;
      fmt::print("{}: {} to {}, {} to {}, {} defined elements equal\n", printable(o.path), other(o.form),
                 form_text(o.form), bytes_text(o.bytes_before), bytes_text(o.bytes_after),
                 grouped(o.elements));
    }
    fmt::print("{}: {}, {} before\n", printable(options_.output), bytes_text(bytes_after_),
               bytes_text(input_bytes()));
    for (const Outcome& o : outcomes_)
      if (!o.converted) complain(o.path, fmt::format("stays {}: {}", other(o.form), o.reason));
  }

  void print_json() const {
    JsonWriter json;
    json.begin_object().name("input", options_.input).name("output", options_.output);
    json.key("input_bytes").number(input_bytes()).key("output_bytes").number(bytes_after_);
    json.key("datasets").begin_array();
    for (const Outcome& o : outcomes_) {
      json.begin_object().name("path", o.path).key("converted").boolean(o.converted);
      json.key("form").text(o.converted ? form_text(o.form) : other(o.form));
      if (o.converted) {
        json.key("stored_bytes_before").number(o.bytes_before).key("stored_bytes").number(o.bytes_after);
        json.key("defined").number(o.elements);
      } else {
        json.key("reason").text(o.reason);
      }
      json.end_object();
    }
    json.end_array().end_object().finish();
  }

 private:
  static const char* other(SparseForm form) {
    return form_text(form == SparseForm::portable ? SparseForm::structured : SparseForm::portable);
  }

  void see(const CopiedDataset& copied) {
    if (copied.converted == nullptr && copied.refused == nullptr) return;
    Outcome outcome;
    outcome.path = copied.source.path();
    outcome.form = *contents_.sparse_form;
    outcome.converted = copied.converted != nullptr;
    if (copied.refused != nullptr) outcome.reason = copied.refused->message();
    outcomes_.push_back(std::move(outcome));
  }

  /// Compares what was converted with the input, from the file as it is now on disk.
  void verify(const std::string& path) {
    const File made = File::open(path);
    PathFinder paths_before(input_), paths_after(made);
    const ElementComparison elements(paths_before, paths_after, {}, Unlinked::null);
    for (Outcome& outcome : outcomes_) {
      if (!outcome.converted) continue;
      const Dataset before = input_.root().open_dataset(outcome.path);
      const Dataset after = made.root().open_dataset(outcome.path);
      const DefinedComparison found = compare_defined(before, after, elements);
      if (!found.equal()) {
        throw Error(ErrorKind::internal,
                    fmt::format("'{}' differs after it was converted: {} elements", outcome.path,
                                found.only_in_a + found.only_in_b + found.different));
      }
      outcome.elements = found.equal_elements;
      outcome.bytes_before = before.stored_bytes();
      outcome.bytes_after = after.stored_bytes();
    }
  }

  void copy_user_block(const std::string& path) {
    const std::uint64_t bytes = input_.info().user_block_bytes;
    if (bytes > 0) copy_first_bytes(options_.input, path, bytes);
  }

  const RepackOptions& options_;
  const File input_;
  ContentsOptions contents_;
  std::vector<Outcome> outcomes_;
  std::uint64_t bytes_after_ = 0;
};

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

Exit repack(const RepackOptions& options) {
  if (!options.portable && !options.structured) {
    complain("repack", "choose --portable or --structured; see filigree repack --help");
    return Exit::usage;
  }
  if (is_same_file(options.input, options.output)) {
    complain(options.output, "this is the input; repack writes another file");
    return Exit::usage;
  }
  std::string temporary;
  try {
    Repacking repacking(options);
    OutputFile output(options.output, options.force);
    temporary = output.temporary_path();
    {
      const auto written = [path = output.temporary_path()]() -> std::uint64_t {
        struct stat facts {};
        return stat(path.c_str(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
      };
      const Progress progress("repack", repacking.input_bytes(), written);
      repacking.run(output);
    }
    output.commit();
    options.json ? repacking.print_json() : repacking.print();
    return repacking.all_converted() ? Exit::ok : Exit::failed;
  } catch (const Error& error) {
    std::string text = error_text(error, options.input);
    // Users know the file by the name that it would have got.
    if (const std::size_t at = temporary.empty() ? std::string::npos : text.find(temporary);
        at != std::string::npos)
      text.replace(at, temporary.size(), options.output);
    complain(options.input, text);
    return Exit::failed;
  }
}

constexpr const char* explanation =
    R"(Everything in IN is copied to OUT: groups, attributes, links of all kinds, committed datatypes,
references, and datasets of all layouts, whose chunks are not decoded. Sparse datasets get the
form that the options name:
  --portable     ordinary chunks with one filter, which every HDF5 since 1.8.11 lists and copies,
                 and reads and writes with the plug-in libh5z_filigree
  --structured   structured chunks, which Filigree reads
Values and defined elements of these datasets are compared before OUT gets its name. A dataset
that has no portable form (elements of variable length, chunks of 4 GiB and more when dense, fill
values above 16 KiB) stays structured; the command says so, and its exit code is 1. OUT appears
when it is complete, so that a failure leaves nothing behind. IN is only read.

Examples:
  filigree repack --portable frames.h5 for-everybody.h5
  filigree repack --structured for-everybody.h5 frames.h5)";

}  // namespace

void set_up_repack(CLI::App& command, Run& run) {
  static RepackOptions options;
  CLI::Option* const portable =
      command.add_flag("--portable", options.portable, "Store sparse datasets in the portable form");
  command.add_flag("--structured", options.structured, "Store sparse datasets as structured chunks")
      ->excludes(portable);
  command.add_flag("-f,--force", options.force, "Replace OUT if it exists");
  command.add_flag("--json", options.json, "Print one JSON document");
  command.add_option("IN", options.input, "The file to copy")->required();
  command.add_option("OUT", options.output, "The new file")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return repack(options); }; });
}

}  // namespace filigree::tools
