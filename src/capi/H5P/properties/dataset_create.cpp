// SPDX-License-Identifier: Apache-2.0
//
// Properties of dataset creation.
#include <algorithm>
#include <tuple>

#include "api/type_access.hpp"
#include "capi/H5P/fill_values.hpp"
#include "capi/H5P/properties/tables.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/H5T/type_tools.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {
namespace {

using Dcpl = DatasetCreationSettings;

constexpr std::size_t most_entries = 4096;

bool same_space(const SpaceValue& a, const SpaceValue& b) {
  if (a.extent != b.extent || a.unlimited != b.unlimited || a.offset != b.offset) return false;
  if (a.selection.has_value() != b.selection.has_value()) return false;
  return !a.selection || space::same_elements(*a.selection, *b.selection);
}

bool same_mapping(const MappingSetting& a, const MappingSetting& b) {
  return a.file == b.file && a.dataset == b.dataset && same_space(a.virtual_space, b.virtual_space) &&
         same_space(a.source_space, b.source_space);
}

bool same_layout(const Settings& a, const Settings& b) {
  const auto& x = dynamic_cast<const Dcpl&>(a);
  const auto& y = dynamic_cast<const Dcpl&>(b);
  const auto values = [](const Dcpl& s) {
    return std::tie(s.layout, s.chunk, s.chunk_options, s.structured_kind, s.heap);
  };
  return values(x) == values(y) && std::ranges::equal(x.mappings, y.mappings, same_mapping);
}

bool same_external_files(const Settings& a, const Settings& b) {
  const auto same = [](const ExternalFile& x, const ExternalFile& y) {
    return std::tie(x.path, x.offset, x.bytes) == std::tie(y.path, y.offset, y.bytes);
  };
  return std::ranges::equal(dynamic_cast<const Dcpl&>(a).external, dynamic_cast<const Dcpl&>(b).external,
                            same);
}

bool same_fill_value(const Settings& a, const Settings& b) {
  const auto values = [](const Settings& s) {
    const auto& dataset = dynamic_cast<const Dcpl&>(s);
    return std::tie(dataset.allocation, dataset.fill_time, dataset.fill.state, dataset.fill.type,
                    dataset.fill.value);
  };
  return values(a) == values(b);
}

void encode_dataspace(PlistCoder& coder, SpaceValue& space) {
  if (coder.writing()) {
    std::vector<std::byte> bytes = encode_space(space);
    return coder.copy(bytes.data(), bytes.size());
  }
  DecodedSpace decoded = decode_space(coder.at());
  space = std::move(decoded.space);
  std::vector<std::byte> skipped(decoded.bytes);
  coder.copy(skipped.data(), skipped.size());
}

void encode_mappings(PlistCoder& coder, std::vector<MappingSetting>& mappings) {
  std::size_t count = mappings.size();
  coder.raw(count, 8);
  if (count > most_entries * 16) PlistCoder::refuse("too many mappings");
  mappings.resize(count);
  for (MappingSetting& mapping : mappings) {
    coder.terminated(mapping.file);
    coder.terminated(mapping.dataset);
    encode_dataspace(coder, mapping.source_space);
    encode_dataspace(coder, mapping.virtual_space);
  }
}

void encode_chunk(PlistCoder& coder, std::vector<hsize_t>& chunk, std::size_t extent_bytes) {
  std::size_t rank = chunk.size();
  coder.byte(rank);
  if (rank == 0 || rank > H5S_MAX_RANK) PlistCoder::refuse("chunks of an impossible rank");
  chunk.resize(rank);
  for (hsize_t& extent : chunk) coder.raw(extent, extent_bytes);
}

/// Whether the list has what only Filigree has.
bool is_extended(const Dcpl& dataset) {
  return dataset.layout == H5D_STRUCT_CHUNK || (dataset.layout != H5D_VIRTUAL && dataset.expects_sparse);
}

/// Structured chunks, the expected density and the pipelines of further sections. HDF5 has none of them; see
/// docs/format/structured-chunks.md for the bytes.
void encode_extended_layout(PlistCoder& coder, Dcpl& dataset) {
  constexpr unsigned all_kinds = H5D_SPARSE_CHUNK | H5D_VL_CHUNK;
  std::uint8_t version = 0;
  coder.choice(version, 0);
  coder.choice(dataset.layout, H5D_STRUCT_CHUNK);
  coder.choice(dataset.structured_kind, all_kinds);
  coder.choice(dataset.expects_sparse, 1);
  dataset.layout_is_hint = dataset.expects_sparse && dataset.layout == H5D_STRUCT_CHUNK;
  coder.choice(dataset.chunk_options, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  if (dataset.chunk_options != 0 && dataset.chunk_options != H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS)
    PlistCoder::refuse("an unknown option of chunks");
  const bool structured = dataset.layout == H5D_STRUCT_CHUNK;
  if (dataset.layout == H5D_VIRTUAL || (structured && dataset.structured_kind == 0))
    PlistCoder::refuse("sections of chunks that cannot have them");
  if (structured || dataset.layout == H5D_CHUNKED) {
    encode_chunk(coder, dataset.chunk, 8);
    if (std::ranges::count(dataset.chunk, hsize_t{0}) != 0) PlistCoder::refuse("chunks without elements");
  }
  encode_pipeline(coder, dataset.filters[Dcpl::selection_section]);
  encode_pipeline(coder, dataset.filters[Dcpl::heap_section]);
}

void encode_layout(PlistCoder& coder, Settings& settings) {
  auto& dataset = dynamic_cast<Dcpl&>(settings);
  H5D_layout_t form = is_extended(dataset) ? H5D_STRUCT_CHUNK : dataset.layout;
  coder.choice(form, H5D_STRUCT_CHUNK);
  if (form == H5D_STRUCT_CHUNK) return encode_extended_layout(coder, dataset);
  dataset.layout = form;
  if (dataset.layout == H5D_CHUNKED) encode_chunk(coder, dataset.chunk, 4);
  if (dataset.layout == H5D_VIRTUAL) encode_mappings(coder, dataset.mappings);
}

void encode_external_files(PlistCoder& coder, Settings& settings) {
  auto& files = dynamic_cast<Dcpl&>(settings).external;
  std::size_t count = files.size();
  coder.count(count, most_entries);
  files.resize(count);
  for (ExternalFile& file : files) {
    coder.text(file.path, true);
    coder.number(file.offset);
    coder.number(file.bytes);
  }
}

void encode_allocation_state(PlistCoder& coder, Settings& settings) {
  auto& dataset = dynamic_cast<Dcpl&>(settings);
  unsigned by_layout = dataset.allocation_given ? 0 : 1;
  coder.word(by_layout);
  dataset.allocation_given = by_layout == 0;
}

void encode_fill_value(PlistCoder& coder, Settings& settings) {
  constexpr std::int64_t undefined = -1, most_bytes = 1 << 16;
  auto& dataset = dynamic_cast<Dcpl&>(settings);
  FillSetting& fill = dataset.fill;
  coder.choice(dataset.allocation, H5D_ALLOC_TIME_INCR);
  coder.choice(dataset.fill_time, H5D_FILL_TIME_IFSET);
  std::int64_t bytes =
      fill.state == H5D_FILL_VALUE_UNDEFINED ? undefined : static_cast<std::int64_t>(fill.value.size());
  coder.raw(bytes, 8);
  if (bytes > most_bytes || bytes < undefined) PlistCoder::refuse("a fill value of an impossible size");
  if (bytes <= 0) {
    if (!coder.writing()) fill = {};
    if (bytes == undefined) fill.state = H5D_FILL_VALUE_UNDEFINED;
    return;
  }
  std::vector<std::byte> value = fill.value;
  value.resize(static_cast<std::size_t>(bytes));
  coder.copy(value.data(), value.size());
  std::vector<std::byte> encoded;
  if (coder.writing()) encoded = encode_type(api::TypeAccess::impl(*fill.type).message);
  std::size_t encoded_bytes = encoded.size();
  coder.count(encoded_bytes, static_cast<std::size_t>(most_bytes));
  encoded.resize(encoded_bytes);
  coder.copy(encoded.data(), encoded.size());
  if (coder.writing()) return;
  const format::DatatypeMessage message = decode_type(encoded.data(), encoded.size());
  if (message.size != value.size() || type::has_variable_parts(message))
    PlistCoder::refuse("a fill value that is not of its type");
  fill = copy_fill(api::TypeAccess::make(message), value.data());
}

constexpr LibraryProperty dataset_create[] = {
    opaque("layout", 2256).compared(same_layout).encoded(encode_layout).kept_on_copy(),
    opaque("efl", 32).compared(same_external_files).encoded(encode_external_files).kept_on_copy(),
    scalar<bool, FILIGREE_FIELD(Dcpl, minimised_header), Encoding::byte>("dset_oh_minimize"),
    opaque("alloc_time_state", 4)
        .compared<FILIGREE_FIELD(Dcpl, allocation_given)>()
        .encoded(encode_allocation_state),
    opaque("fill_value", 88).compared(same_fill_value).encoded(encode_fill_value).kept_on_copy(),
};

}  // namespace

std::span<const LibraryProperty> dataset_create_properties() { return dataset_create; }

}  // namespace filigree::capi
