// SPDX-License-Identifier: Apache-2.0
#include "describe.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "filter_text.hpp"
#include "sections.hpp"
#include "text.hpp"
#include "type_text.hpp"

namespace filigree::tools {

namespace {

bool has_chunks(const DatasetInfo& info) {
  return info.layout == Layout::chunked || info.layout == Layout::structured;
}

std::optional<double> element_count(const Dataspace& space) {
  double count = 1;
  for (const std::uint64_t dim : space.dims()) count *= static_cast<double>(dim);
  return count > 0 ? std::optional(count) : std::nullopt;
}

}  // namespace

std::optional<double> DatasetFacts::percent_defined() const {
  const auto all = element_count(space);
  if (!defined || !all) return std::nullopt;
  return 100.0 * static_cast<double>(*defined) / *all;
}

DatasetFacts describe(const Dataset& data) {
  DatasetFacts facts{data.datatype(), data.space(), data.dataset_info(), 0, {}, {}, {}, {}};
  if (facts.info.layout != Layout::virtual_dataset) facts.stored_bytes = data.stored_bytes();
  if (!has_chunks(facts.info)) return facts;
  facts.chunks = data.chunk_count();
  facts.all_chunks = chunks_in(facts.space, facts.info.chunk);
  if (facts.info.sparse && (!facts.info.portable || *facts.chunks <= most_counted_envelopes))
    facts.defined = data.defined_count();
  if (facts.info.portable && *facts.chunks <= most_counted_envelopes)
    facts.from_hdf5 = data.hdf5_chunk_count();
  return facts;
}

std::string shape_text(const Dataspace& space) {
  if (space.kind() == Dataspace::Kind::null) return "null";
  if (space.kind() == Dataspace::Kind::scalar) return "scalar";
  std::vector<std::string> sizes;
  for (std::size_t d = 0; d < space.dims().size(); ++d) {
    const std::uint64_t now = space.dims()[d], most = space.max_dims()[d];
    sizes.push_back(now == most         ? fmt::format("{}", now)
                    : most == unlimited ? fmt::format("{}/Inf", now)
                                        : fmt::format("{}/{}", now, most));
  }
  return fmt::format("({})", fmt::join(sizes, ", "));
}

std::string percent_text(double percent) {
  if (percent == 0) return "0 %";
  return percent >= 99.95 ? fmt::format("{:.4g} %", percent) : fmt::format("{:.2g} %", percent);
}

std::string layout_text(const DatasetFacts& facts) {
  const DatasetInfo& info = facts.info;
  switch (info.layout) {
    case Layout::compact:
      return "compact";
    case Layout::contiguous:
      return info.external.empty() ? "contiguous" : "external";
    case Layout::virtual_dataset:
      return "virtual";
    case Layout::chunked:
    case Layout::structured:
      break;
  }
  if (info.sparse) {
    const auto percent = facts.percent_defined();
    return fmt::format("{}sparse{}", info.portable ? "portable " : "",
                       percent ? " " + percent_text(*percent) : "");
  }
  const std::string filters = filters_text(info.filters);
  return fmt::format("chunked{}{}", filters.empty() ? "" : ", ", filters);
}

std::string chunks_text(const DatasetFacts& facts) {
  if (!facts.chunks) return "";
  if (!facts.all_chunks) return fmt::format("{} chunks", grouped(*facts.chunks));
  if (*facts.chunks == *facts.all_chunks)
    return fmt::format("{} chunk{}", grouped(*facts.chunks), *facts.chunks == 1 ? "" : "s");
  return fmt::format("{} of {} chunks", grouped(*facts.chunks), grouped(*facts.all_chunks));
}

const char* layout_name(const DatasetInfo& info) {
  switch (info.layout) {
    case Layout::compact:
      return "compact";
    case Layout::contiguous:
      return info.external.empty() ? "contiguous" : "external";
    case Layout::virtual_dataset:
      return "virtual";
    case Layout::chunked:
      return info.portable ? "portable" : "chunked";
    case Layout::structured:
      return "structured";
  }
  return "unknown";
}

void add_json(JsonWriter& json, const DatasetFacts& facts) {
  json.key("type").text(type_text(facts.type));
  if (facts.space.kind() == Dataspace::Kind::null) {
    json.key("shape").null();
  } else {
    json.key("shape").numbers(facts.space.dims()).key("max_shape").begin_array();
    for (const std::uint64_t dim : facts.space.max_dims()) dim == unlimited ? json.null() : json.number(dim);
    json.end_array();
  }
  json.key("layout").text(layout_name(facts.info)).key("sparse").boolean(facts.info.sparse);
  json.key("stored_bytes").number(facts.stored_bytes);
  if (facts.chunks) json.key("chunk").numbers(facts.info.chunk).key("chunks").number(*facts.chunks);
  if (facts.defined) json.key("defined").number(*facts.defined);
  if (facts.from_hdf5) json.key("chunks_from_hdf5").number(*facts.from_hdf5);
  json.key("filters").begin_array();
  for (const FilterChoice& filter : facts.info.filters) json.number(std::uint64_t{filter.id});
  json.end_array();
}

namespace {

std::optional<Convention> find_anndata(const Group& group) {
  const auto encoding = group.find_attribute("encoding-type");
  if (!encoding || encoding->datatype().type_class() != TypeClass::string || encoding->elements() != 1)
    return std::nullopt;
  const std::string kind = encoding->read<std::string>();
  if (kind != "csr_matrix" && kind != "csc_matrix") return std::nullopt;
  Convention found{kind, "AnnData", 0, {}, {}};
  const auto shape = group.find_attribute("shape");
  if (shape && shape->datatype().type_class() == TypeClass::integer && shape->elements() == 2)
    found.shape = shape->read<std::vector<std::uint64_t>>();
  return found;
}

/// Matrices of 10x Genomics have barcodes beside the arrays, and the shape in a dataset.
std::optional<Convention> find_10x(const Group& group) {
  for (const char* name : {"barcodes", "indices", "indptr", "shape"})
    if (!group.has_link(name)) return std::nullopt;
  Convention found{"csc_matrix", "10x", 0, {}, {}};
  const Dataset shape = group.open_dataset("shape");
  if (shape.datatype().type_class() == TypeClass::integer && shape.space().elements() == 2)
    found.shape = shape.read<std::vector<std::uint64_t>>();
  return found;
}

}  // namespace

std::optional<Convention> find_convention(const Group& group) {
  try {
    auto found = find_anndata(group);
    if (!found) found = find_10x(group);
    if (!found || found->shape.size() != 2) return std::nullopt;
    const Dataset data = group.open_dataset("data");
    if (data.space().dims().size() != 1) return std::nullopt;
    found->stored = data.space().elements();
    found->type = data.datatype();
    return found;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<std::string> needs(const Requirements& requirements, bool with_names) {
  std::vector<std::string> all;
  static constexpr const char* versions[] = {"",          "HDF5 1.8",  "HDF5 1.10",
                                             "HDF5 1.12", "HDF5 1.14", "HDF5 2.0"};
  const std::string version = versions[static_cast<std::size_t>(requirements.version)];
  if (requirements.version >= Version::v1_10 || (with_names && !version.empty())) all.push_back(version);
  if (requirements.structured_chunks) all.push_back("structured chunks");
  constexpr std::uint16_t last_of_hdf5 = 6;
  for (const FilterChoice& filter : requirements.filters) {
    if (filter.id <= last_of_hdf5) continue;
    std::string text = fmt::format("filter {}", filter.id);
    const auto known = filters::find(filter.id);
    const std::string name = known ? known->name : filter.name;
    if (with_names && !name.empty()) text += " " + printable(name);
    if (with_names) text += known ? " (plug-in)" : " (plug-in; not available here)";
    all.push_back(std::move(text));
  }
  if (with_names && all.empty()) all.push_back("any HDF5");
  return all;
}

}  // namespace filigree::tools
