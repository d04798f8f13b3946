// SPDX-License-Identifier: Apache-2.0
//
// Properties of dataset creation: layout, chunks, fill value, allocation time.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5D/dataset_ids.hpp"
#include "capi/H5P/fill_values.hpp"
#include "capi/H5P/plist_calls.hpp"
#include "capi/H5T/datatype.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Creation = DatasetCreationSettings;

constexpr int max_rank = 32;
constexpr std::uint64_t max_chunk = 0xffffffff;

/// Filters that were set before the layout reach the sections that they would reach after it.
void spread_filters(Creation& settings) {
  auto& pipelines = settings.filters;
  auto& selection = pipelines[Creation::selection_section];
  auto& heap = pipelines[Creation::heap_section];
  if (!selection.empty() || !heap.empty()) return;
  for (const FilterSetting& filter : pipelines[Creation::fixed_section])
    if (!needs_elements(filter.id)) selection.push_back(filter);
  heap = selection;
}

/// Mappings belong to the layout that is replaced, even by another virtual one.
void set_layout(Creation& settings, H5D_layout_t layout, bool is_hint = false) {
  settings.layout_is_hint = is_hint && layout == H5D_STRUCT_CHUNK;
  if (!settings.allocation_given) settings.allocation = usual_allocation(layout);
  if (layout == H5D_STRUCT_CHUNK && settings.layout != H5D_STRUCT_CHUNK) spread_filters(settings);
  settings.layout = layout;
  settings.mappings.clear();
}

std::vector<hsize_t> checked_dims(int ndims, const hsize_t* dim) {
  if (ndims <= 0) out_of_range("chunks have at least one dimension");
  if (ndims > max_rank) out_of_range("chunks have at most 32 dimensions");
  if (dim == nullptr) bad_value("no chunk dimensions specified");
  for (int i = 0; i < ndims; ++i)
    if (dim[i] == 0) out_of_range("all chunk dimensions must be positive");
  return {dim, dim + ndims};
}

std::vector<hsize_t> checked_chunk(int ndims, const hsize_t* dim) {
  auto chunk = checked_dims(ndims, dim);
  std::uint64_t elements = 1;
  for (const hsize_t n : chunk) {
    if (n > max_chunk) out_of_range("all chunk dimensions must be less than 2^32");
    // The product fits: neither factor exceeds 32 bits.
    elements *= n;
    if (elements > max_chunk) out_of_range("a chunk has less than 2^32 elements");
  }
  return chunk;
}

/// Structured chunks may have more than 2^32 - 1 elements, but their number fits 64 bits.
std::vector<hsize_t> checked_structured_chunk(int ndims, const hsize_t* dim) {
  auto chunk = checked_dims(ndims, dim);
  std::uint64_t elements = 1;
  for (const hsize_t n : chunk) {
    if (elements > std::numeric_limits<std::uint64_t>::max() / n)
      out_of_range("a structured chunk has less than 2^64 elements");
    elements *= n;
  }
  return chunk;
}

int store_chunk(const std::vector<hsize_t>& chunk, int max_ndims, hsize_t* dim) {
  const int rank = static_cast<int>(chunk.size());
  if (dim != nullptr && max_ndims > 0) std::copy_n(chunk.begin(), std::min(rank, max_ndims), dim);
  return rank;
}

/// Returns the properties that a new layout sets. Unless the program has set it, the allocation time, which
/// is part of the fill value, follows the layout.
PropertyNames set_with_layout(hid_t id) {
  if (get_settings<Creation>(id)->allocation_given) return {"layout"};
  return {"layout", "fill_value"};
}

void make_structured(Creation& settings, unsigned kind) {
  settings.structured_kind = kind;
  set_layout(settings, H5D_STRUCT_CHUNK);
}

/// Makes the layout sparse as far as the program has not chosen one that cannot be.
void follow_density(Creation& settings) {
  if (settings.layout == H5D_COMPACT || settings.layout == H5D_VIRTUAL) return;
  const bool chosen = settings.layout == H5D_STRUCT_CHUNK && !settings.layout_is_hint;
  settings.structured_kind |= H5D_SPARSE_CHUNK;
  set_layout(settings, H5D_STRUCT_CHUNK, !chosen);
}

}  // namespace

herr_t H5Pset_layout(hid_t plist_id, H5D_layout_t layout) {
  return api_call(plist_call("H5Pset_layout"), [&] {
    if (layout < H5D_COMPACT || layout >= H5D_NLAYOUTS) out_of_range("unknown layout");
    change_settings<Creation>(plist_id, set_with_layout(plist_id), [&](auto& s) {
      if (layout == H5D_STRUCT_CHUNK && s.structured_kind == 0) s.structured_kind = H5D_SPARSE_CHUNK;
      set_layout(s, layout);
    });
  });
}

H5D_layout_t H5Pget_layout(hid_t plist_id) {
  return api_call(plist_call("H5Pget_layout"), [&] { return get_settings<Creation>(plist_id)->layout; });
}

herr_t H5Pset_chunk(hid_t plist_id, int ndims, const hsize_t dim[]) {
  return api_call(plist_call("H5Pset_chunk"), [&] {
    const auto chunk = checked_chunk(ndims, dim);
    change_settings<Creation>(plist_id, set_with_layout(plist_id), [&](auto& s) {
      s.chunk = chunk;
      // A layout of structured chunks only gets its dimensions here.
      if (s.layout == H5D_STRUCT_CHUNK) return;
      set_layout(s, H5D_CHUNKED);
      if (s.expects_sparse) follow_density(s);
    });
  });
}

int H5Pget_chunk(hid_t plist_id, int max_ndims, hsize_t dim[]) {
  return api_call(plist_call("H5Pget_chunk"), [&] {
    const auto settings = get_settings<Creation>(plist_id);
    if (settings->layout != H5D_CHUNKED) bad_value("not a chunked storage layout");
    return store_chunk(settings->chunk, max_ndims, dim);
  });
}

herr_t H5Pset_chunk_opts(hid_t plist_id, unsigned opts) {
  return api_call(plist_call("H5Pset_chunk_opts"), [&] {
    if ((opts & ~H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0) out_of_range("unknown chunk options");
    change_settings<Creation>(plist_id, {"layout"}, [&](auto& s) {
      if (s.layout != H5D_CHUNKED && s.layout != H5D_STRUCT_CHUNK) bad_value("not a chunked storage layout");
      s.chunk_options = opts;
    });
  });
}

herr_t H5Pget_chunk_opts(hid_t plist_id, unsigned* opts) {
  return api_call(plist_call("H5Pget_chunk_opts"), [&] {
    const auto settings = get_settings<Creation>(plist_id);
    if (settings->layout != H5D_CHUNKED && settings->layout != H5D_STRUCT_CHUNK)
      bad_value("not a chunked storage layout");
    store_if(opts, settings->chunk_options);
  });
}

herr_t H5Pset_struct_chunk(hid_t plist, int ndims, const hsize_t dim[], unsigned flag) {
  return api_call(plist_call("H5Pset_struct_chunk"), [&] {
    const auto chunk = checked_structured_chunk(ndims, dim);
    if (flag == 0 || (flag & ~(H5D_SPARSE_CHUNK | H5D_VL_CHUNK)) != 0)
      bad_value("flag is H5D_SPARSE_CHUNK, H5D_VL_CHUNK or both");
    change_settings<Creation>(plist, {"layout", "fill_value"}, [&](auto& s) {
      s.chunk = chunk;
      make_structured(s, flag);
    });
  });
}

int H5Pget_struct_chunk(hid_t plist, int max_ndims, hsize_t dim[], unsigned* flag) {
  return api_call(plist_call("H5Pget_struct_chunk"), [&] {
    const auto settings = get_settings<Creation>(plist);
    if (settings->layout != H5D_STRUCT_CHUNK) bad_value("not a layout of structured chunks");
    store_if(flag, settings->structured_kind);
    return store_chunk(settings->chunk, max_ndims, dim);
  });
}

herr_t H5Pget_struct_chunk_sections(hid_t plist, int* num, H5_section_type_t sections[]) {
  return api_call(plist_call("H5Pget_struct_chunk_sections"), [&] {
    required(num, "num");
    const auto settings = get_settings<Creation>(plist);
    if (settings->layout != H5D_STRUCT_CHUNK) bad_value("not a layout of structured chunks");
    std::vector<H5_section_type_t> found;
    if ((settings->structured_kind & H5D_SPARSE_CHUNK) != 0) found.push_back(H5_SECTION_SELECTION);
    found.push_back(H5_SECTION_FIXED);
    if ((settings->structured_kind & H5D_VL_CHUNK) != 0) found.push_back(H5_SECTION_VL);
    *num = static_cast<int>(found.size());
    if (sections != nullptr) std::ranges::copy(found, sections);
  });
}

herr_t H5Pget_struct_sections_info(hid_t dset, int* num, H5_section_type_t sections[]) {
  return api_call(property_call("H5Pget_struct_sections_info", &H5E_CANTGET_g, "can't get sections"), [&] {
    const auto handle = get_dataset(dset, "a dataset ID");
    required(num, "num");
    std::vector<SectionKind> kinds = handle->dataset.dataset_info().sections;
    if (kinds.empty()) kinds = {SectionKind::elements};
    *num = static_cast<int>(kinds.size());
    if (sections == nullptr) return;
    // The numbers of the two enumerations are the same.
    for (const SectionKind kind : kinds) *sections++ = static_cast<H5_section_type_t>(kind);
  });
}

herr_t H5Pset_struct_chunk_heap(hid_t plist, H5D_struct_heap_t heap) {
  return api_call(plist_call("H5Pset_struct_chunk_heap"), [&] {
    if (heap != H5D_STRUCT_HEAP_FLAT && heap != H5D_STRUCT_HEAP_SET)
      bad_value("heap is H5D_STRUCT_HEAP_FLAT or H5D_STRUCT_HEAP_SET");
    change_settings<Creation>(plist, {"layout"}, [&](auto& s) { s.heap = heap; });
  });
}

herr_t H5Pget_struct_chunk_heap(hid_t plist, H5D_struct_heap_t* heap) {
  return api_call(plist_call("H5Pget_struct_chunk_heap"), [&] {
    required(heap, "heap");
    *heap = get_settings<Creation>(plist)->heap;
  });
}

herr_t H5Pset_sparse_chunk(hid_t plist, int ndims, const hsize_t dim[]) {
  return api_call(plist_call("H5Pset_sparse_chunk"), [&] {
    const auto chunk = checked_structured_chunk(ndims, dim);
    change_settings<Creation>(plist, {"layout", "fill_value"}, [&](auto& s) {
      s.chunk = chunk;
      make_structured(s, H5D_SPARSE_CHUNK);
    });
  });
}

int H5Pget_sparse_chunk(hid_t plist, int max_ndims, hsize_t dim[]) {
  return api_call(plist_call("H5Pget_sparse_chunk"), [&] {
    const auto settings = get_settings<Creation>(plist);
    if (settings->layout != H5D_STRUCT_CHUNK || (settings->structured_kind & H5D_SPARSE_CHUNK) == 0)
      bad_value("not a layout of sparse chunks");
    return store_chunk(settings->chunk, max_ndims, dim);
  });
}

herr_t H5Pset_sparse_portable(hid_t plist, hbool_t portable) {
  return api_call(plist_call("H5Pset_sparse_portable"), [&] {
    change_settings<Creation>(plist, {"layout"}, [&](auto& s) { s.portable = portable; });
  });
}

herr_t H5Pget_sparse_portable(hid_t plist, hbool_t* portable) {
  return api_call(plist_call("H5Pget_sparse_portable"), [&] {
    required(portable, "portable");
    *portable = get_settings<Creation>(plist)->portable;
  });
}

herr_t H5Pset_density(hid_t plist, unsigned type) {
  return api_call(plist_call("H5Pset_density"), [&] {
    if (type != H5D_DENSITY_DENSE && type != H5D_DENSITY_SPARSE) bad_value("unknown density");
    change_settings<Creation>(plist, {"layout"}, [&](auto& s) {
      s.expects_sparse = type == H5D_DENSITY_SPARSE;
      if (s.expects_sparse) return follow_density(s);
      s.structured_kind &= ~H5D_SPARSE_CHUNK;
      if (s.layout == H5D_STRUCT_CHUNK && s.structured_kind == 0)
        set_layout(s, s.chunk.empty() ? H5D_CONTIGUOUS : H5D_CHUNKED);
    });
  });
}

herr_t H5Pget_density(hid_t plist, unsigned* type) {
  return api_call(plist_call("H5Pget_density"), [&] {
    const auto settings = get_settings<Creation>(plist);
    const bool sparse =
        settings->layout == H5D_STRUCT_CHUNK && (settings->structured_kind & H5D_SPARSE_CHUNK) != 0;
    store_if(required(type, "type"), sparse ? H5D_DENSITY_SPARSE : H5D_DENSITY_DENSE);
  });
}

herr_t H5Pset_alloc_time(hid_t plist_id, H5D_alloc_time_t alloc_time) {
  return api_call(plist_call("H5Pset_alloc_time"), [&] {
    if (alloc_time < H5D_ALLOC_TIME_DEFAULT || alloc_time > H5D_ALLOC_TIME_INCR)
      bad_value("unknown time of allocation");
    change_settings<Creation>(plist_id, {"alloc_time_state", "fill_value"}, [&](auto& s) {
      s.allocation_given = alloc_time != H5D_ALLOC_TIME_DEFAULT;
      s.allocation = s.allocation_given ? alloc_time : usual_allocation(s.layout);
    });
  });
}

herr_t H5Pget_alloc_time(hid_t plist_id, H5D_alloc_time_t* alloc_time) {
  return api_call(plist_call("H5Pget_alloc_time"),
                  [&] { store_if(alloc_time, get_settings<Creation>(plist_id)->allocation); });
}

herr_t H5Pset_fill_time(hid_t plist_id, H5D_fill_time_t fill_time) {
  return api_call(plist_call("H5Pset_fill_time"), [&] {
    if (fill_time < H5D_FILL_TIME_ALLOC || fill_time > H5D_FILL_TIME_IFSET)
      bad_value("unknown time of filling");
    change_settings<Creation>(plist_id, {"fill_value"}, [&](auto& s) { s.fill_time = fill_time; });
  });
}

herr_t H5Pget_fill_time(hid_t plist_id, H5D_fill_time_t* fill_time) {
  return api_call(plist_call("H5Pget_fill_time"),
                  [&] { store_if(fill_time, get_settings<Creation>(plist_id)->fill_time); });
}

herr_t H5Pset_fill_value(hid_t plist_id, hid_t type_id, const void* value) {
  return api_call(plist_call("H5Pset_fill_value"), [&] {
    const auto plist = find_plist<Creation>(plist_id);
    FillSetting fill;
    fill.state = H5D_FILL_VALUE_UNDEFINED;
    // The datatype of a value that is not given may be invalid.
    if (value != nullptr)
      fill = copy_fill(memory_datatype(*ids().get<TypeHandle>(type_id, "a datatype")), value);
    plist->change<Creation>({"fill_value"}, [&](auto& s) { s.fill = fill; });
  });
}

herr_t H5Pget_fill_value(hid_t plist_id, hid_t type_id, void* value) {
  ApiFunction entry = plist_call("H5Pget_fill_value");
  return api_call(entry, [&] {
    const auto type = ids().get<TypeHandle>(type_id, "a datatype");
    if (value == nullptr) bad_value("no fill value output buffer");
    const auto settings = get_settings<Creation>(plist_id);
    entry.code = {&H5E_PLIST_g, &H5E_CANTGET_g};
    entry.text = "can't get fill value";
    if (settings->fill.state == H5D_FILL_VALUE_UNDEFINED)
      throw NestedFailure(entry.code, "fill value is undefined");
    try {
      read_fill(settings->fill, memory_datatype(*type), value);
    } catch (const Error& error) {
      throw NestedFailure(entry.code, error.what());
    }
  });
}

herr_t H5Pfill_value_defined(hid_t plist, H5D_fill_value_t* status) {
  return api_call(plist_call("H5Pfill_value_defined"), [&] {
    const auto settings = get_settings<Creation>(plist);
    required(status, "status");
    *status = settings->fill.state;
  });
}

herr_t H5Pset_dset_no_attrs_hint(hid_t dcpl_id, hbool_t minimize) {
  return api_call(plist_call("H5Pset_dset_no_attrs_hint"), [&] {
    change_settings<DatasetCreationSettings>(dcpl_id, {"dset_oh_minimize"},
                                             [&](auto& s) { s.minimised_header = minimize; });
  });
}

herr_t H5Pget_dset_no_attrs_hint(hid_t dcpl_id, hbool_t* minimize) {
  return api_call(plist_call("H5Pget_dset_no_attrs_hint"), [&] {
    required(minimize, "minimize");
    *minimize = get_settings<DatasetCreationSettings>(dcpl_id)->minimised_header;
  });
}
