// SPDX-License-Identifier: Apache-2.0
//
// `filigree portable-filter`: the filter by which HDF5 and h5py create portable sparse datasets.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>
#include <filigree/sparse.hpp>

#include "command.hpp"
#include "filter_text.hpp"
#include "json.hpp"
#include "type_text.hpp"

namespace filigree::tools {
namespace {

struct FilterRequest {
  std::string type, chunk;
  std::string values, selection;
  std::string fill;
  bool words = false;
  bool json = false;
};

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view why) {
  throw Error(ErrorKind::invalid_argument, fmt::format("{} {}: {}", option, text, why));
}

/// "1x256x256" or "1,256,256".
std::vector<std::uint64_t> parse_chunk(std::string_view text) {
  std::vector<std::uint64_t> dims;
  std::string_view rest = text;
  while (true) {
    const std::size_t end = std::min(rest.find_first_of("x,"), rest.size());
    std::uint64_t dim = 0;
    const auto [last, error] = std::from_chars(rest.data(), rest.data() + end, dim);
    if (error != std::errc() || last != rest.data() + end || dim == 0)
      refuse("--chunk", text, "these are no chunk dimensions; an example: 1x256x256");
    dims.push_back(dim);
    if (end == rest.size()) return dims;
    rest.remove_prefix(end + 1);
  }
}

template <class T>
Fill parse_integer(const std::string& text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) refuse("--fill", text, "this is no integer");
  return Fill::of(value);
}

/// Whether an integer of this type has the value of `fill`.
void check_range(const Datatype& type, const std::string& text) {
  const std::uint32_t bits = 8 * type.size();
  if (!type.is_signed()) {
    const std::uint64_t value = std::strtoull(text.c_str(), nullptr, 10);
    if (text.starts_with('-') || (bits < 64 && value >> bits != 0))
      refuse("--fill", text, "the type cannot represent this number");
    return;
  }
  const std::int64_t value = std::strtoll(text.c_str(), nullptr, 10);
  if (bits < 64 && (value >> (bits - 1)) != 0 && (value >> (bits - 1)) != -1)
    refuse("--fill", text, "the type cannot represent this number");
}

Fill parse_fill(const Datatype& type, const std::string& text) {
  if (text.empty()) return {};
  if (type.type_class() == TypeClass::integer) {
    const Fill fill = type.is_signed() || text.starts_with('-') ? parse_integer<std::int64_t>(text)
                                                                : parse_integer<std::uint64_t>(text);
    check_range(type, text);
    return fill;
  }
  if (type.type_class() != TypeClass::floating_point)
    refuse("--fill", text, "only numbers have a fill value here");
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) refuse("--fill", text, "this is no number");
  return Fill::of(value);
}

/// A type as numpy writes it.
std::string numpy_name(const Datatype& type, const std::string& given) {
  const TypeClass kind = type.type_class();
  if (kind != TypeClass::integer && kind != TypeClass::floating_point) return given;
  const char letter = kind == TypeClass::floating_point ? 'f' : type.is_signed() ? 'i' : 'u';
  return fmt::format("{}{}{}", type.order() == ByteOrder::big ? '>' : '<', letter, type.size());
}

/// The value as Python writes it.
std::string python_fill(const std::string& fill) {
  const bool is_number = fill.find_first_not_of("+-.eE0123456789") == std::string::npos;
  return is_number ? fill : fmt::format("float('{}')", fill);
}

void print_json(const FilterRequest& request, const DatasetOptions& options, const FilterChoice& filter) {
  JsonWriter json;
  json.begin_object().key("filter").number(std::uint64_t{filter.id}).key("type").text(request.type);
  json.key("chunk").numbers(options.chunk).key("words").begin_array();
  for (const std::uint32_t word : filter.parameters) json.number(std::uint64_t{word});
  json.end_array().end_object().finish();
}

Exit print_filter(const FilterRequest& request) {
  const auto type = parse_type(request.type);
  if (!type) refuse("--type", request.type, "no such type; examples: u2, <f4, >i8, S10, uint16");
  DatasetOptions options = sparse_chunks(parse_chunk(request.chunk))
                               .values(parse_filters(request.values, false))
                               .selection(parse_filters(request.selection, true))
                               .fill(parse_fill(*type, request.fill));
  options.portable = true;
  if (!request.values.empty() || !request.selection.empty()) options.choose_section_filters = false;
  const FilterChoice filter = portable_filter(*type, options);
  if (request.json) {
    print_json(request, options, filter);
  } else if (request.words) {
    fmt::print("{}\n", fmt::join(filter.parameters, " "));
  } else {
    fmt::print("dtype='{}', chunks=({},), {}compression={}, compression_opts=({},)\n",
               numpy_name(*type, request.type), fmt::join(options.chunk, ", "),
               request.fill.empty() ? "" : fmt::format("fillvalue={}, ", python_fill(request.fill)),
               filter.id, fmt::join(filter.parameters, ", "));
  }
  return Exit::ok;
}

Exit portable_filter_command(const FilterRequest& request) {
  try {
    return print_filter(request);
  } catch (const Error& error) {
    complain("portable-filter", error.what());
    return Exit::usage;
  }
}

constexpr const char* explanation =
    R"(HDF5 and h5py create portable sparse datasets by a filter whose parameters describe the chunks.
The command prints the arguments of h5py's create_dataset(); --words prints the parameters alone,
for H5Pset_filter(). Chunk dimensions, type and fill value of the dataset must be the same.

TYPE is a name of numpy: u2, <f4, >i8, c16, S10, V12; or uint16, float32. Filters have commas
between them and parameters after '=': shuffle, deflate=6, zstd=3, lz4, lzf, bitshuffle,
fletcher32, nbit, scaleoffset, packed, none, or a number (32015=3). Without any, the filters are
chosen for the type.

Example:
  filigree portable-filter --type u2 --chunk 1x256x256 --values shuffle,zstd=3)";

}  // namespace

void set_up_portable_filter(CLI::App& command, Run& run) {
  static FilterRequest request;
  command.add_option("-t,--type", request.type, "The type of an element")->required()->type_name("TYPE");
  command.add_option("-c,--chunk", request.chunk, "Chunk dimensions, as in 1x256x256")
      ->required()
      ->type_name("DIMS");
  command.add_option("--values", request.values, "Filters of the values of elements")->type_name("FILTERS");
  command.add_option("--selection", request.selection, "Filters of the selection of defined elements")
      ->type_name("FILTERS");
  command.add_option("--fill", request.fill, "The fill value, a number")->type_name("VALUE");
  command.add_flag("--words", request.words, "Print the parameters alone");
  command.add_flag("--json", request.json, "Print one JSON document");
  command.footer(explanation);
  command.callback([&run] { run = [] { return portable_filter_command(request); }; });
}

}  // namespace filigree::tools
