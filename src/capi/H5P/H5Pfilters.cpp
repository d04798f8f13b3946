// SPDX-License-Identifier: Apache-2.0
//
// Filter pipelines. Structured chunks have a pipeline for each section; other layouts have one pipeline.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/filters.hpp>

#include "capi/H5P/plist_calls.hpp"
#include "capi/H5Z/filters.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Pipeline = std::vector<FilterSetting>;
using Creation = ObjectCreationSettings;

/// Returns the indexes of the pipelines that chunks of this list have, in the order of the sections.
std::vector<std::size_t> sections_of(const Creation& settings) {
  const auto* const dataset = dynamic_cast<const DatasetCreationSettings*>(&settings);
  if (dataset == nullptr || dataset->layout != H5D_STRUCT_CHUNK) return {Creation::fixed_section};
  // Sparse chunks of a type with variable-length parts always have a heap section.
  if ((dataset->structured_kind & H5D_SPARSE_CHUNK) != 0)
    return {Creation::selection_section, Creation::fixed_section, Creation::heap_section};
  return {Creation::fixed_section, Creation::heap_section};
}

bool is_structured(const Creation& settings) { return sections_of(settings).size() > 1; }

bool is_every_section(std::uint64_t section) { return section == H5_SECTION_NUM; }

std::size_t pipeline_of(const Creation& settings, std::uint64_t section) {
  const auto sections = sections_of(settings);
  if (sections.size() == 1) return sections[0];
  if (section >= sections.size()) bad_value("the chunks have no such section");
  return sections[static_cast<std::size_t>(section)];
}

/// Returns the filters of a section, or those of all sections one after the other.
Pipeline filters_of(const Creation& settings, std::uint64_t section) {
  if (!is_every_section(section) || !is_structured(settings))
    return settings.filters[pipeline_of(settings, section)];
  Pipeline all;
  for (const std::size_t i : sections_of(settings))
    all.insert(all.end(), settings.filters[i].begin(), settings.filters[i].end());
  return all;
}

void append(Pipeline& pipeline, FilterSetting filter) {
  if (pipeline.size() >= H5Z_MAX_NFILTERS)
    throw Failure({&H5E_PLINE_g, &H5E_CANTINIT_g}, "a pipeline has at most 32 filters");
  pipeline.push_back(std::move(filter));
}

/// Appends a filter to the pipeline of every section that it fits, for functions such as H5Pset_deflate.
void append_everywhere(hid_t id, const FilterSetting& filter) {
  change_settings<Creation>(id, {"pline"}, [&](auto& s) {
    for (const std::size_t section : sections_of(s))
      if (section == Creation::fixed_section || !needs_elements(filter.id))
        append(s.filters[section], filter);
  });
}

void check_filter(H5Z_filter_t id, std::uint64_t flags, std::size_t count, const void* values) {
  if (id < 0 || id > H5Z_FILTER_MAX) bad_value("invalid filter identifier");
  if ((flags & ~std::uint64_t{H5Z_FLAG_DEFMASK}) != 0) bad_value("invalid filter flags");
  if (count > 0 && values == nullptr) bad_value("no client data values supplied");
}

FilterSetting make_filter(H5Z_filter_t id, unsigned flags, std::size_t count, const unsigned* values) {
  FilterSetting filter;
  filter.id = id;
  filter.flags = flags;
  if (count != 0) filter.parameters.assign(values, values + count);
  return filter;
}

/// Returns a filter whose parameters are given in bytes, as the functions on sections do.
FilterSetting make_filter(H5Z_filter_t id, std::uint64_t flags, std::size_t bytes, const void* buffer) {
  if (bytes % sizeof(unsigned) != 0) {
    bad_value(
        fmt::format("buf_size, {}, is no whole number of parameters of 4 bytes: this form takes their size "
                    "in bytes, the one of H5_USE_SPARSE_PROTOTYPE_API takes their number",
                    bytes));
  }
  return make_filter(id, static_cast<unsigned>(flags), bytes / sizeof(unsigned),
                     static_cast<const unsigned*>(buffer));
}

const FilterSetting* find_filter(const Pipeline& pipeline, H5Z_filter_t id) {
  const auto found = std::ranges::find(pipeline, id, &FilterSetting::id);
  return found == pipeline.end() ? nullptr : &*found;
}

const FilterSetting& get_filter(const Pipeline& pipeline, H5Z_filter_t id) {
  if (const FilterSetting* found = find_filter(pipeline, id)) return *found;
  throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "the filter is not in the pipeline");
}

const FilterSetting& nth_filter(const Pipeline& pipeline, unsigned n) {
  if (n >= pipeline.size()) bad_value("there is no filter of that number");
  return pipeline[n];
}

std::string filter_name(H5Z_filter_t id) {
  if (const auto found = filters::find(static_cast<std::uint16_t>(id))) return found->name;
  return id < H5Z_FILTER_RESERVED ? "Unknown library filter" : "";
}

struct FilterResult {
  std::size_t* count;  ///< capacity of `values` on entry
  unsigned* values;
  std::size_t name_bytes;
  char* name;
  unsigned* configuration;
};

void check_result(const FilterResult& to) {
  if (to.count != nullptr && *to.count > 256) bad_value("the number of client data values is not set");
  if (to.count != nullptr && *to.count > 0 && to.values == nullptr)
    bad_value("client data values not supplied");
}

void store_filter(const FilterSetting& filter, const FilterResult& to) {
  if (to.count != nullptr) {
    if (to.values != nullptr)
      std::copy_n(filter.parameters.begin(), std::min(*to.count, filter.parameters.size()), to.values);
    *to.count = filter.parameters.size();
  }
  if (to.name_bytes > 0 && to.name != nullptr)
    copy_string(filter.name.empty() ? filter_name(filter.id) : filter.name, to.name, to.name_bytes);
  // As in HDF5, the value stays as it was if the filter is not available.
  if (to.configuration != nullptr)
    *to.configuration = filter_configuration(filter.id).value_or(*to.configuration);
}

/// Stores a filter whose parameters are counted in bytes.
void store_filter_bytes(const FilterSetting& filter, std::size_t* bytes, FilterResult to) {
  std::size_t count = bytes == nullptr ? 0 : *bytes / sizeof(unsigned);
  if (bytes != nullptr) to.count = &count;
  check_result(to);
  store_filter(filter, to);
  if (bytes != nullptr) *bytes = count * sizeof(unsigned);
}

void remove_filter(Pipeline& pipeline, H5Z_filter_t id) {
  if (id == H5Z_FILTER_ALL) return pipeline.clear();
  if (pipeline.empty()) return;  // as in HDF5
  if (std::erase_if(pipeline, [&](const FilterSetting& f) { return f.id == id; }) == 0)
    throw NestedFailure({&H5E_PLINE_g, &H5E_NOTFOUND_g}, "the filter is not in the pipeline");
}

void modify_filter(Pipeline& pipeline, const FilterSetting& filter) {
  // Like HDF5, this ignores a filter that is not in the pipeline.
  const auto found = std::ranges::find(pipeline, filter.id, &FilterSetting::id);
  if (found == pipeline.end()) return;
  found->flags = filter.flags;
  found->parameters = filter.parameters;
}

/// Reports an id that is no such list, and other nested errors as those of the pipeline.
template <class Work>
auto pipeline_call(const char* function, Work&& work) {
  return api_call(plist_call(function), std::forward<Work>(work));
}

Pipeline pipeline_for_reading(hid_t id) {
  return get_settings<Creation>(id)->filters[Creation::fixed_section];
}

ApiFunction get_call(const char* function, const char* text) {
  return property_call(function, &H5E_CANTGET_g, text);
}

/// *Throws* Failure with that code for ids of other lists.
template <class Settings = Creation>
void require_creation(hid_t id, Code code) {
  try {
    find_plist<Settings>(id);
  } catch (const Failure& failure) {
    throw Failure(code, failure.what());
  }
}
Code not_a_plist() { return {&H5E_ARGS_g, &H5E_BADTYPE_g}; }
Code no_such_id() { return {&H5E_ID_g, &H5E_BADID_g}; }

}  // namespace

herr_t H5Pset_filter(hid_t plist_id, H5Z_filter_t filter, unsigned flags, size_t cd_nelmts,
                     const unsigned c_values[]) {
  return pipeline_call("H5Pset_filter", [&] {
    check_filter(filter, flags, cd_nelmts, c_values);
    append_everywhere(plist_id, make_filter(filter, flags, cd_nelmts, c_values));
  });
}

herr_t H5Pset_filter2(hid_t plist, uint64_t section, H5Z_filter_t filter, uint64_t flags, size_t buf_size,
                      const void* buf) {
  return pipeline_call("H5Pset_filter2", [&] {
    check_filter(filter, flags, buf_size, buf);
    const FilterSetting made = make_filter(filter, flags, buf_size, buf);
    if (is_every_section(section)) return append_everywhere(plist, made);
    change_settings<Creation>(plist, {"pline"}, [&](auto& s) {
      const std::size_t to = pipeline_of(s, section);
      if (to != Creation::fixed_section && needs_elements(filter))
        bad_value(fmt::format("{} works on elements, which this section does not hold", filter_name(filter)));
      append(s.filters[to], made);
    });
  });
}

herr_t H5Pmodify_filter(hid_t plist_id, H5Z_filter_t filter, unsigned flags, size_t cd_nelmts,
                        const unsigned cd_values[]) {
  return pipeline_call("H5Pmodify_filter", [&] {
    check_filter(filter, flags, cd_nelmts, cd_values);
    const FilterSetting made = make_filter(filter, flags, cd_nelmts, cd_values);
    change_settings<Creation>(plist_id, {"pline"}, [&](auto& s) {
      for (const std::size_t section : sections_of(s)) modify_filter(s.filters[section], made);
    });
  });
}

herr_t H5Pmodify_filter2(hid_t plist, uint64_t section, H5Z_filter_t filter, uint64_t flags, size_t buf_size,
                         const void* buf) {
  return pipeline_call("H5Pmodify_filter2", [&] {
    check_filter(filter, flags, buf_size, buf);
    const FilterSetting made = make_filter(filter, flags, buf_size, buf);
    change_settings<Creation>(plist, {"pline"}, [&](auto& s) {
      if (find_filter(filters_of(s, section), filter) == nullptr)
        bad_value("the filter is not in the pipeline");
      if (!is_every_section(section)) return modify_filter(s.filters[pipeline_of(s, section)], made);
      for (const std::size_t each : sections_of(s)) modify_filter(s.filters[each], made);
    });
  });
}

herr_t H5Premove_filter(hid_t plist_id, H5Z_filter_t filter) {
  return api_call(get_call("H5Premove_filter", "can't delete filter"), [&] {
    require_creation(plist_id, no_such_id());
    // As in HDF5, a pipeline without filters is left alone.
    const bool nothing = std::ranges::all_of(get_settings<Creation>(plist_id)->filters, &Pipeline::empty);
    change_settings<Creation>(plist_id, nothing ? PropertyNames{} : PropertyNames{"pline"}, [&](auto& s) {
      if (!is_structured(s)) return remove_filter(s.filters[Creation::fixed_section], filter);
      for (const std::size_t section : sections_of(s))
        if (filter == H5Z_FILTER_ALL || find_filter(s.filters[section], filter) != nullptr)
          remove_filter(s.filters[section], filter);
    });
  });
}

herr_t H5Premove_filter2(hid_t plist, uint64_t section, H5Z_filter_t filter) {
  if (is_every_section(section)) return H5Premove_filter(plist, filter);
  return api_call(get_call("H5Premove_filter2", "can't delete filter"), [&] {
    change_settings<Creation>(plist, {"pline"},
                              [&](auto& s) { remove_filter(s.filters[pipeline_of(s, section)], filter); });
  });
}

int H5Pget_nfilters(hid_t plist_id) {
  return pipeline_call("H5Pget_nfilters",
                       [&] { return static_cast<int>(pipeline_for_reading(plist_id).size()); });
}

herr_t H5Pget_nfilter2(hid_t plist, uint64_t section, int* num_filters) {
  return pipeline_call("H5Pget_nfilter2", [&] {
    required(num_filters, "num_filters");
    const auto settings = get_settings<Creation>(plist);
    *num_filters = static_cast<int>(filters_of(*settings, section).size());
  });
}

H5Z_filter_t H5Pget_filter2(hid_t plist_id, unsigned idx, unsigned* flags, size_t* cd_nelmts,
                            unsigned cd_values[], size_t namelen, char name[], unsigned* filter_config) {
  return pipeline_call("H5Pget_filter2", [&] {
    const FilterResult to{cd_nelmts, cd_values, namelen, name, filter_config};
    check_result(to);
    const Pipeline pipeline = pipeline_for_reading(plist_id);
    const FilterSetting& filter = nth_filter(pipeline, idx);
    store_if(flags, filter.flags);
    store_filter(filter, to);
    return filter.id;
  });
}

H5Z_filter_t H5Pget_filter1(hid_t plist_id, unsigned filter, unsigned* flags, size_t* cd_nelmts,
                            unsigned cd_values[], size_t namelen, char name[]) {
  return H5Pget_filter2(plist_id, filter, flags, cd_nelmts, cd_values, namelen, name, nullptr);
}

H5Z_filter_t H5Pget_filter3(hid_t plist, uint64_t section, unsigned idx, uint64_t* flags, size_t* buf_size,
                            void* buf, size_t namelen, char name[], unsigned* filter_config) {
  return pipeline_call("H5Pget_filter3", [&] {
    const auto settings = get_settings<Creation>(plist);
    const Pipeline pipeline = filters_of(*settings, section);
    const FilterSetting& filter = nth_filter(pipeline, idx);
    store_if(flags, filter.flags);
    store_filter_bytes(filter, buf_size,
                       {nullptr, static_cast<unsigned*>(buf), namelen, name, filter_config});
    return filter.id;
  });
}

herr_t H5Pget_filter_by_id2(hid_t plist_id, H5Z_filter_t filter_id, unsigned* flags, size_t* cd_nelmts,
                            unsigned cd_values[], size_t namelen, char name[], unsigned* filter_config) {
  return api_call(get_call("H5Pget_filter_by_id2", "can't get filter info"), [&] {
    const FilterResult to{cd_nelmts, cd_values, namelen, name, filter_config};
    check_result(to);
    require_creation(plist_id, no_such_id());
    const Pipeline pipeline = pipeline_for_reading(plist_id);
    const FilterSetting& filter = get_filter(pipeline, filter_id);
    store_if(flags, filter.flags);
    store_filter(filter, to);
  });
}

herr_t H5Pget_filter_by_id1(hid_t plist_id, H5Z_filter_t id, unsigned* flags, size_t* cd_nelmts,
                            unsigned cd_values[], size_t namelen, char name[]) {
  return H5Pget_filter_by_id2(plist_id, id, flags, cd_nelmts, cd_values, namelen, name, nullptr);
}

H5Z_filter_t H5Pget_filter_by_id3(hid_t plist, uint64_t section, H5Z_filter_t filter, uint64_t* flags,
                                  size_t* buf_size, void* buf, size_t namelen, char name[],
                                  unsigned* filter_config) {
  return api_call(get_call("H5Pget_filter_by_id3", "can't get filter info"), [&] {
    const auto settings = get_settings<Creation>(plist);
    const Pipeline pipeline = filters_of(*settings, section);
    const FilterSetting& found = get_filter(pipeline, filter);
    store_if(flags, found.flags);
    store_filter_bytes(found, buf_size, {nullptr, static_cast<unsigned*>(buf), namelen, name, filter_config});
    return found.id;
  });
}

htri_t H5Pall_filters_avail(hid_t plist_id) {
  return pipeline_call("H5Pall_filters_avail", [&] {
    const auto settings = get_settings<Creation>(plist_id);
    for (const Pipeline& pipeline : settings->filters)
      for (const FilterSetting& filter : pipeline)
        if (!filters::find(static_cast<std::uint16_t>(filter.id))) return htri_t{0};
    return htri_t{1};
  });
}

herr_t H5Pset_deflate(hid_t plist_id, unsigned level) {
  return pipeline_call("H5Pset_deflate", [&] {
    if (level > 9) bad_value("the level of deflate is from 0 to 9");
    append_everywhere(plist_id, {H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, {level}});
  });
}

herr_t H5Pset_shuffle(hid_t plist_id) {
  return pipeline_call("H5Pset_shuffle", [&] {
    require_creation<DatasetCreationSettings>(plist_id, not_a_plist());
    append_everywhere(plist_id, {H5Z_FILTER_SHUFFLE, H5Z_FLAG_OPTIONAL, {}});
  });
}

herr_t H5Pset_fletcher32(hid_t plist_id) {
  return pipeline_call("H5Pset_fletcher32", [&] {
    append_everywhere(plist_id, {H5Z_FILTER_FLETCHER32, H5Z_FLAG_MANDATORY, {}});
  });
}

herr_t H5Pset_nbit(hid_t plist_id) {
  return pipeline_call("H5Pset_nbit", [&] {
    require_creation<DatasetCreationSettings>(plist_id, not_a_plist());
    append_everywhere(plist_id, {H5Z_FILTER_NBIT, H5Z_FLAG_OPTIONAL, {}});
  });
}

herr_t H5Pset_scaleoffset(hid_t plist_id, H5Z_SO_scale_type_t scale_type, int scale_factor) {
  return pipeline_call("H5Pset_scaleoffset", [&] {
    require_creation<DatasetCreationSettings>(plist_id, not_a_plist());
    if (scale_factor < 0) bad_value("the scale factor is not negative");
    if (scale_type != H5Z_SO_FLOAT_DSCALE && scale_type != H5Z_SO_FLOAT_ESCALE && scale_type != H5Z_SO_INT)
      bad_type("unknown scale type");
    append_everywhere(plist_id, {H5Z_FILTER_SCALEOFFSET,
                                 H5Z_FLAG_OPTIONAL,
                                 {static_cast<unsigned>(scale_type), static_cast<unsigned>(scale_factor)}});
  });
}

herr_t H5Pset_szip(hid_t plist_id, unsigned options_mask, unsigned pixels_per_block) {
  return pipeline_call("H5Pset_szip", [&] {
    // The filter sets these bits itself: byte order, hardware form, no header.
    constexpr unsigned lsb = 8, msb = 16, raw = 128;
    if (pixels_per_block % 2 != 0) bad_value("pixels_per_block is not even");
    if (pixels_per_block > H5_SZIP_MAX_PIXELS_PER_BLOCK) bad_value("pixels_per_block is at most 32");
    require_creation<DatasetCreationSettings>(plist_id, no_such_id());
    const unsigned mask =
        (options_mask & ~(H5_SZIP_CHIP_OPTION_MASK | lsb | msb)) | H5_SZIP_ALLOW_K13_OPTION_MASK | raw;
    append_everywhere(plist_id, {H5Z_FILTER_SZIP, H5Z_FLAG_OPTIONAL, {mask, pixels_per_block}});
  });
}
