// SPDX-License-Identifier: Apache-2.0
#include "property_ddl.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/sparse.hpp>

#include "../hdf5_terms.hpp"
#include "../text.hpp"
#include "../values.hpp"
#include "structured_ddl.hpp"

namespace filigree::tools {

namespace {

/// A parameter of a filter; 0 if the file stores fewer.
std::uint32_t parameter(const FilterChoice& filter, std::size_t i) {
  return i < filter.parameters.size() ? filter.parameters[i] : 0;
}

// Numbers of the filters that HDF5 has.
constexpr std::uint16_t deflate = 1, shuffle = 2, fletcher32 = 3, szip = 4, nbit = 5, scale_offset = 6;

void dump_szip(DumpContext& context, const FilterChoice& filter) {
  // Bits of the first parameter.
  constexpr std::uint32_t k13 = 1, chip = 2, entropy = 4, lsb = 8, msb = 16, nearest_neighbour = 32,
                          raw = 128;
  const std::uint32_t bits = parameter(filter, 0);
  context.out.open("COMPRESSION SZIP {");
  context.out.line(fmt::format("PIXELS_PER_BLOCK {}", parameter(filter, 1)));
  if ((bits & chip) != 0)
    context.out.line("MODE HARDWARE");
  else if ((bits & k13) != 0)
    context.out.line("MODE K13");
  if ((bits & entropy) != 0)
    context.out.line("CODING ENTROPY");
  else if ((bits & nearest_neighbour) != 0)
    context.out.line("CODING NEAREST NEIGHBOUR");
  if ((bits & lsb) != 0)
    context.out.line("BYTE_ORDER LSB");
  else if ((bits & msb) != 0)
    context.out.line("BYTE_ORDER MSB");
  if ((bits & raw) != 0) context.out.line("HEADER RAW");
  context.out.close();
}

void dump_filter(DumpContext& context, const FilterChoice& filter) {
  switch (filter.id) {
    case deflate:
      return context.out.line(fmt::format("COMPRESSION DEFLATE {{ LEVEL {} }}", parameter(filter, 0)));
    case shuffle:
      return context.out.line("PREPROCESSING SHUFFLE");
    case fletcher32:
      return context.out.line("CHECKSUM FLETCHER32");
    case szip:
      return dump_szip(context, filter);
    case nbit:
      return context.out.line("COMPRESSION NBIT");
    case scale_offset:
      return context.out.line(fmt::format("COMPRESSION SCALEOFFSET {{ MIN BITS {} }}", parameter(filter, 0)));
    default:
      break;
  }
  context.out.open("USER_DEFINED_FILTER {");
  context.out.line(fmt::format("FILTER_ID {}", filter.id));
  context.out.line(fmt::format("COMMENT {}", printable(filter.name)));
  if (!filter.parameters.empty())
    context.out.line(fmt::format("PARAMS {{ {} }}", fmt::join(filter.parameters, " ")));
  context.out.close();
}

std::string number_or_unlimited(std::uint64_t number) {
  return number == unlimited ? "H5S_UNLIMITED" : fmt::format("{}", number);
}

void dump_ranges(DumpContext& context, const std::vector<Selection::Range>& ranges) {
  const auto list = [&](const char* name, std::uint64_t Selection::Range::*member) {
    std::vector<std::string> numbers;
    for (const Selection::Range& range : ranges) numbers.push_back(number_or_unlimited(range.*member));
    context.out.line(fmt::format("{} ({})", name, fmt::join(numbers, ",")));
  };
  context.out.open("SELECTION REGULAR_HYPERSLAB { ");
  list("START", &Selection::Range::start);
  list("STRIDE", &Selection::Range::stride);
  list("COUNT", &Selection::Range::count);
  list("BLOCK", &Selection::Range::block);
  context.out.close();
}

void dump_selection(DumpContext& context, const Selection& selection) {
  switch (selection.kind()) {
    case Selection::Kind::none:
      return context.out.line("SELECTION NONE");
    case Selection::Kind::all:
      return context.out.line("SELECTION ALL");
    case Selection::Kind::points:
      return context.out.line("SELECTION POINT");
    case Selection::Kind::regular:
      return dump_ranges(context, selection.ranges());
    case Selection::Kind::set:
      break;
  }
  if (const auto ranges = selection.regular()) return dump_ranges(context, *ranges);
  context.out.line("SELECTION IRREGULAR_HYPERSLAB");
}

void dump_mapping(DumpContext& context, const VirtualSource& source, std::size_t i) {
  context.out.open(fmt::format("MAPPING {} {{ ", i));
  context.out.open("VIRTUAL {");
  dump_selection(context, source.selection);
  context.out.close();
  context.out.open("SOURCE {");
  context.out.line(fmt::format("FILE \"{}\"", printable(source.file)));
  context.out.line(fmt::format("DATASET \"{}\"", printable(source.dataset)));
  dump_selection(context, source.source);
  context.out.close();
  context.out.close();
}

void dump_contiguous(DumpContext& context, const Dataset& data, const DatasetInfo& info) {
  context.out.line("CONTIGUOUS");
  if (info.external.empty()) {
    context.out.line(size_ddl(data.stored_bytes(), 0, false));
    context.out.line(fmt::format("OFFSET {}", info.data_address.value_or(~std::uint64_t{0})));
    return;
  }
  context.out.open("EXTERNAL {");
  for (const ExternalFile& file : info.external)
    context.out.line(
        fmt::format("FILENAME {} SIZE {} OFFSET {}", printable(file.path), file.bytes, file.offset));
  context.out.close();
}

/// The size of all elements of a dataset, each with its held_size().
std::uint64_t held_bytes(const Dataset& data, const DatasetInfo& info) {
  const Datatype type = data.datatype();
  return type.has_variable_parts() ? info.data_bytes / type.size() * held_size(type) : info.data_bytes;
}

void dump_layout(DumpContext& context, const Dataset& data, const DatasetInfo& info) {
  context.out.open("STORAGE_LAYOUT {");
  switch (info.layout) {
    case Layout::compact:
      context.out.line("COMPACT");
      context.out.line(size_ddl(data.stored_bytes(), 0, false));
      break;
    case Layout::contiguous:
      dump_contiguous(context, data, info);
      break;
    case Layout::chunked:
      context.out.line(fmt::format("CHUNKED ( {} )", fmt::join(info.chunk, ", ")));
      context.out.line(size_ddl(data.stored_bytes(), held_bytes(data, info), !info.filters.empty()));
      break;
    case Layout::virtual_dataset:
      for (std::size_t i = 0; i < info.virtual_sources.size(); ++i)
        dump_mapping(context, info.virtual_sources[i], i);
      break;
    case Layout::structured:
      dump_structured_layout(context, data, info);
      break;
  }
  context.out.close();
}

const char* fill_time_ddl(FillTime time) {
  switch (time) {
    case FillTime::on_allocation:
      return "H5D_FILL_TIME_ALLOC";
    case FillTime::never:
      return "H5D_FILL_TIME_NEVER";
    case FillTime::if_set:
      return "H5D_FILL_TIME_IFSET";
  }
  return "INVALID";
}

const char* allocation_ddl(AllocationTime time) {
  switch (time) {
    case AllocationTime::early:
      return "H5D_ALLOC_TIME_EARLY";
    case AllocationTime::late:
      return "H5D_ALLOC_TIME_LATE";
    case AllocationTime::incremental:
      return "H5D_ALLOC_TIME_INCR";
    case AllocationTime::by_layout:
      break;
  }
  return "INVALID";
}

std::string fill_ddl(DumpContext& context, const Dataset& data, Fill::State state) {
  switch (state) {
    case Fill::State::standard:
      return "H5D_FILL_VALUE_DEFAULT";
    case Fill::State::undefined:
      return "H5D_FILL_VALUE_UNDEFINED";
    case Fill::State::value:
      break;
  }
  const Elements fill(fill_element(data), Selection::all());
  std::string text;
  ElementText(fill.type(), context.elements, context.paths).append(text, fill.at(0), context.out.level());
  return text;
}

}  // namespace

std::string size_ddl(std::uint64_t stored, std::uint64_t original, bool filtered) {
  if (!filtered) return fmt::format("SIZE {}", stored);
  const double ratio = stored == 0 ? 0.0 : static_cast<double>(original) / static_cast<double>(stored);
  return fmt::format("SIZE {} ({:.3f}:1 COMPRESSION)", stored, ratio);
}

void dump_filters(DumpContext& context, const std::vector<FilterChoice>& filters) {
  context.out.open("FILTERS {");
  if (filters.empty()) context.out.line("NONE");
  for (const FilterChoice& filter : filters) dump_filter(context, filter);
  context.out.close();
}

void dump_properties(DumpContext& context, const Dataset& data) {
  const DatasetInfo info = data.dataset_info();
  dump_layout(context, data, info);
  if (info.layout != Layout::structured && info.layout != Layout::virtual_dataset)
    dump_filters(context, info.filters);
  context.out.open("FILLVALUE {");
  context.out.line(fmt::format("FILL_TIME {}", fill_time_ddl(info.fill_time)));
  context.out.line(fmt::format("VALUE  {}", fill_ddl(context, data, info.fill)));
  context.out.close();
  if (info.layout == Layout::virtual_dataset) return;
  context.out.open("ALLOCATION_TIME {");
  context.out.line(allocation_ddl(info.allocation));
  context.out.close();
}

}  // namespace filigree::tools
