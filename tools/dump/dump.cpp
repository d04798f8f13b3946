// SPDX-License-Identifier: Apache-2.0
//
// `filigree dump`: objects in HDF5's data description language (DDL), as h5dump prints them.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "../command.hpp"
#include "../details.hpp"
#include "../output_file.hpp"
#include "../target.hpp"
#include "file_dump.hpp"
#include "options.hpp"

namespace filigree::tools {
namespace {

/// What the user wrote, before it is checked.
struct Arguments {
  DumpOptions dump;
  bool contents = false, only_attributes = false, binary = false, xml = false;
  std::string sort_by = "name", sort_order = "ascending";
};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

/// h5dump's options -n, -A and -b take a value only if one follows; it is in front of the files then.
/// Returns such a value, and removes it.
std::optional<std::string> take_value(std::vector<std::string>& files,
                                      std::initializer_list<const char*> values) {
  if (files.size() < 2) return std::nullopt;
  const std::string first = files.front();
  if (std::ranges::find(values, first) == values.end() || std::filesystem::exists(first)) return std::nullopt;
  files.erase(files.begin());
  return first;
}

/// Accepts a format of printf with one conversion of a floating-point number.
std::string checked_format(std::string format) {
  std::size_t conversions = 0;
  for (std::size_t at = format.find('%'); at != std::string::npos; at = format.find('%', at)) {
    if (format.compare(at, 2, "%%") == 0) {
      at += 2;
      continue;
    }
    ++conversions;
    at = format.find_first_not_of("%#0- +.123456789", at);
    while (at != std::string::npos && at < format.size() && (format[at] == 'l' || format[at] == 'L'))
      format.erase(at, 1);
    if (at == std::string::npos || std::string("aAeEfFgG").find(format[at]) == std::string::npos)
      conversions = 2;
    if (conversions > 1) break;
  }
  if (conversions != 1)
    refuse(fmt::format("'{}' is no format of one floating-point number, such as %.3f", format));
  return format;
}

/// Refuses to write to a file that is read.
void check_output(const std::string& output, const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (is_same_file(output, split_target(file).file))
      refuse(fmt::format("'{}' is the file to be dumped", output));
}

void check(Arguments& arguments) {
  DumpOptions& dump = arguments.dump;
  if (arguments.xml) refuse("XML is not supported; the output is DDL");
  if (arguments.contents) {
    dump.contents = true;
    dump.contents_attributes = take_value(dump.files, {"0", "1"}) == "1";
  }
  if (arguments.only_attributes)
    dump.attributes = take_value(dump.files, {"0"}) ? AttributeChoice::hidden : AttributeChoice::only;
  if (arguments.binary) {
    dump.binary = take_value(dump.files, {"NATIVE", "MEMORY", "FILE", "LE", "BE"}).value_or("NATIVE");
    if (dump.data_file.empty()) refuse("-b needs a file for the values: -o FILE");
    dump.attributes = AttributeChoice::hidden;  // as h5dump
  }
  if (arguments.sort_by != "name" && arguments.sort_by != "creation_order")
    refuse("-q is 'name' or 'creation_order'");
  if (arguments.sort_order != "ascending" && arguments.sort_order != "descending")
    refuse("-z is 'ascending' or 'descending'");
  dump.by_creation_order = arguments.sort_by == "creation_order";
  dump.descending = arguments.sort_order == "descending";
  check_output(dump.data_file, dump.files);
  if (dump.ddl_file) check_output(*dump.ddl_file, dump.files);
  constexpr std::size_t most_columns = 65535;
  if (dump.columns == 0) dump.columns = most_columns;
  if (!dump.number_format.empty()) dump.number_format = checked_format(dump.number_format);
}

Exit dump_files(Arguments& arguments) {
  try {
    check(arguments);
  } catch (const Error& error) {
    complain("dump", error.message());
    return Exit::usage;
  }
  const DumpOptions& options = arguments.dump;
  Exit result = Exit::ok;
  try {
    // There can be one file that disappears unless it is finished: that of the values, which is the larger.
    const bool has_data = !options.data_file.empty();
    TextStream ddl = options.ddl_file
                         ? TextStream(*options.ddl_file, has_data ? TextStream::Unfinished::kept
                                                                  : TextStream::Unfinished::removed)
                         : TextStream();
    TextStream data =
        has_data ? TextStream(options.data_file, TextStream::Unfinished::removed) : TextStream();
    for (const std::string& file : options.files) {
      try {
        result = std::max(result, dump_file(options, file, ddl, data));
      } catch (const SliceError& error) {
        complain_about_slice(file, error);
        result = Exit::usage;
      } catch (const Error& error) {
        complain(file, error_text(error, split_target(file).file));
        result = std::max(result, Exit::failed);
      }
    }
    ddl.finish();
    data.finish();
  } catch (const Error& error) {
    complain("dump", error.message());
    return Exit::failed;
  }
  return result;
}

/// Adds an option that may be repeated, whose function sees each value in the order of the command line.
CLI::Option* add_each(CLI::App& command, const char* names, const char* help,
                      const std::function<void(const std::string&)>& take) {
  return command.add_option_function<std::string>(names, take, help)->trigger_on_parse();
}

void add_choices(CLI::App& command, DumpOptions& dump) {
  const auto add = [&](const char* names, Choice::Kind kind, const char* help) {
    add_each(command, names, help, [&dump, kind](const std::string& path) {
      dump.choices.push_back({kind, path, {}});
    })->type_name("PATH");
  };
  add("-d,--dataset", Choice::Kind::dataset, "Print this dataset; also PATH[START;STRIDE;COUNT;BLOCK]");
  add("-g,--group", Choice::Kind::group, "Print this group and its members");
  add("-l,--soft-link", Choice::Kind::soft_link, "Print the value of this link");
  add("-t,--datatype", Choice::Kind::datatype, "Print this committed datatype");
  add("-a,--attribute", Choice::Kind::attribute,
      "Print this attribute: PATH/NAME; a '/' in the name as '\\/'");
  add("-N,--any_path", Choice::Kind::any, "Print objects, links and attributes whose paths end so");
}

void add_subsets(CLI::App& command, DumpOptions& dump) {
  const auto add = [&](const char* names, std::vector<std::uint64_t> SubsetText::*list, const char* help) {
    add_each(command, names, help, [&dump, list](const std::string& text) {
      if (dump.choices.empty() || dump.choices.back().kind != Choice::Kind::dataset)
        throw CLI::ValidationError("a subset belongs behind the option -d of its dataset");
      try {
        dump.choices.back().subset.*list = parse_numbers(text);
      } catch (const Error& error) {
        throw CLI::ValidationError(error.message());
      }
    })->type_name("NUMBERS");
  };
  add("-s,--start", &SubsetText::start, "Subset of the dataset before it: coordinates of its start (0)");
  add("-S,--stride", &SubsetText::stride, "Distance of blocks (1)");
  add("-c,--count", &SubsetText::count, "Number of blocks (1)");
  add("-k,--block", &SubsetText::block, "Size of blocks (1)");
}

void add_facts(CLI::App& command, Arguments& arguments) {
  DumpOptions& dump = arguments.dump;
  command.add_flag("-n,--contents", arguments.contents, "List the paths; with the value 1 also attributes");
  command.add_flag("-B,--superblock", dump.superblock, "Print the superblock");
  command.add_flag("-H,--header", dump.header_only, "Print no values");
  command.add_flag("-A,--onlyattr", arguments.only_attributes,
                   "Print attributes, but no values of datasets; with the value 0 no attributes");
  command.add_flag("-p,--properties", dump.properties,
                   "Print layout, filters, fill value and allocation time");
  command.add_flag("-i,--object-ids", dump.addresses, "Print the addresses of objects");
  command.add_flag("-R,--region", dump.regions, "Print the elements that region references lead to");
  command.add_flag("--sparse-locations", dump.sparse_locations,
                   "Of sparse datasets print which elements are defined");
  command.add_flag("--sparse-data", dump.sparse_data, "Of sparse datasets print defined elements only");
}

void add_formats(CLI::App& command, Arguments& arguments) {
  DumpOptions& dump = arguments.dump;
  command.add_flag("-e,--escape", dump.escape, "Escape characters that are not printable");
  command.add_flag("-r,--string", dump.characters, "Print integers of one byte as characters");
  command.add_flag("-y,--noindex", dump.without_indices, "Print no coordinates");
  command.add_option("-m,--format", dump.number_format, "Print floating-point numbers so: '%.3f'");
  command.add_option("-w,--width", dump.columns, "Columns of a line (80); 0: 65535");
  command.add_option("-q,--sort_by", arguments.sort_by, "Order by name or creation_order");
  command.add_option("-z,--sort_order", arguments.sort_order, "Order ascending or descending");
  command.add_option("-o,--output", dump.data_file, "Write the values of datasets to this file");
  command.add_flag("-b,--binary", arguments.binary,
                   "As bytes; in the form NATIVE, FILE, LE or BE that may follow");
  command.add_option("-O,--ddl", dump.ddl_file, "Write the DDL to this file; '' for none");
  command.add_flag("-x,--xml,-u,--use-dtd", arguments.xml, "Not supported")->group("");
}

constexpr const char* explanation =
    R"(Output and options are those of h5dump 1.10. Instead of options, FILE/path chooses an object, and
FILE/path[slice] elements of a dataset, by a slice as numpy has it. What cannot be read is reported on
standard error; the dump goes on, and its exit code is 1.

Examples:
  filigree dump -H -p data.h5                     everything but values
  filigree dump -d /m -s 0,2 -c 4,1 data.h5       a subset
  filigree dump 'data.h5/m[0:4, 2:3]'             the same
  filigree dump --sparse-locations -d /s data.h5  defined elements of a sparse dataset
  filigree dump -d /m -b LE -o m.bin data.h5      the bytes of a dataset)";

}  // namespace

void set_up_dump(CLI::App& command, Run& run) {
  static Arguments arguments;
  add_choices(command, arguments.dump);
  add_subsets(command, arguments.dump);
  add_facts(command, arguments);
  add_formats(command, arguments);
  command.add_option("FILE", arguments.dump.files, "The files")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return dump_files(arguments); }; });
}

}  // namespace filigree::tools
