// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/immortal.hpp"
#include "format/chunk_index/portable_chunk.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/filter_facts.hpp"
#include "model/file/file.hpp"
#include "model/layout/chunked_layout.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

constexpr std::uint64_t most_chunk_bytes = 0xffffffff;

/// The parameters of the filter, which say all that a plug-in needs to know.
format::PortableParameters portable_parameters(const NewDataset& made) {
  format::PortableParameters parameters;
  for (const std::uint64_t dim : made.chunk) parameters.dims.push_back(static_cast<std::uint32_t>(dim));
  parameters.element_bytes = made.type.size;
  const auto is_set = [](std::byte b) { return b != std::byte{0}; };
  if (made.fill_state == format::FillState::user && std::ranges::any_of(made.fill, is_set))
    parameters.fill = made.fill;
  const format::SectionPipelinesMessage prepared = prepare_section_filters(made);
  for (std::uint8_t section = 0; section < parameters.filters.size(); ++section)
    if (const format::SectionPipeline* const found = prepared.find(section))
      parameters.filters[section] = found->filters;
  return parameters;
}

/// Whether a program gives the parameters itself, as programs of HDF5 do.
bool has_parameters(const NewDataset& made) {
  return made.filters.size() == 1 && format::is_portable_filter(made.filters[0].id);
}

/// Parameters that a program gives must be those of the dataset.
void check_parameters(const NewDataset& made) {
  format::PortableParameters given;
  try {
    given = format::from_words(made.filters[0].parameters);
  } catch (const Error& error) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the parameters of the filter of portable sparse chunks: {}", error.what()));
  }
  require(std::ranges::equal(given.dims, made.chunk) && given.element_bytes == made.type.size,
          "the parameters of the filter of portable sparse chunks are for other chunks or elements");
  Buffer fill = made.fill_state == format::FillState::user ? made.fill : Buffer();
  fill.resize(made.type.size);
  given.fill.resize(made.type.size);
  require(given.fill == fill,
          "the parameters of the filter of portable sparse chunks have another fill value");
}

void check_chunk_bytes(const NewDataset& made) {
  std::uint64_t bytes = made.type.size;
  for (const std::uint64_t dim : made.chunk) bytes = try_multiply(bytes, dim).value_or(~std::uint64_t{0});
  if (bytes <= most_chunk_bytes) return;
  throw Error(
      ErrorKind::invalid_argument,
      "portable sparse chunks of 4 GiB and more are not possible, because HDF5 expands a chunk: choose "
      "smaller chunks, or the structured form");
}

}  // namespace

const Layout& portable_layout() {
  static const Immortal<PortableLayout> layout;
  return *layout;
}

void PortableLayout::check_new(File& file, const NewDataset& made, std::uint64_t bytes) const {
  ChunkedLayout::check_new(file, made, bytes);
  require(!type::has_variable_parts(made.type),
          "portable sparse chunks have elements of a fixed size: for others, use the structured form");
  require(made.filter_partial_chunks, "portable sparse chunks are filtered at the edges, too");
  require(made.allocation == format::AllocationTime::by_layout ||
              made.allocation == format::AllocationTime::incremental,
          "sparse chunks get their space when they are written");
  require(made.selection_filters.size() <= 32, "at most 32 filters are possible");
  if (made.fill.size() > format::PortableParameters::most_fill_bytes) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a fill value of {} bytes: that of portable sparse chunks has at most {}",
                            made.fill.size(), format::PortableParameters::most_fill_bytes));
  }
  check_chunk_bytes(made);
  if (has_parameters(made)) check_parameters(made);
}

void PortableLayout::describe_new(File& file, const NewDataset& made, DatasetMessages& messages) const {
  format::PipelineFilter filter;
  filter.id = format::portable_filter_id;
  filter.name = format::portable_filter_name;
  filter.parameters =
      has_parameters(made) ? made.filters[0].parameters : format::to_words(portable_parameters(made));
  messages.pipeline.version = file.formats().pipeline();
  messages.pipeline.filters = {std::move(filter)};
  choose_index(file, made, messages);
}

}  // namespace filigree::model
