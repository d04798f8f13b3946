// SPDX-License-Identifier: Apache-2.0
//
// Datasets: creation, opening, and information on them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5D/dataset_ids.hpp"
#include "capi/H5G/traverse.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/H5Z/filters.hpp"
#include "capi/core/nested_error.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_create() { return {&H5E_DATASET_g, &H5E_CANTINIT_g}; }
Code cannot_open() { return {&H5E_DATASET_g, &H5E_CANTOPENOBJ_g}; }
Code cannot_get() { return {&H5E_DATASET_g, &H5E_CANTGET_g}; }

/// The C++ API chooses chunks for datasets that need them. Programs written for HDF5 must ask for them.
void check_layout(const DatasetCreationSettings& settings, const Dataspace& extent) {
  const bool in_chunks = settings.layout == H5D_CHUNKED || settings.layout == H5D_STRUCT_CHUNK;
  const bool filtered =
      std::ranges::any_of(settings.filters, [](const auto& section) { return !section.empty(); });
  const auto create = cannot_create();
  if (in_chunks) {
    if (extent.kind() != Dataspace::Kind::simple)
      throw NestedFailure(create, "chunks need an extent with dimensions");
    return;
  }
  if (filtered)
    throw NestedFailure({&H5E_DATASET_g, &H5E_BADVALUE_g}, "filters can only be used with chunked layout");
  if (settings.layout == H5D_VIRTUAL || !settings.external.empty()) return;
  if (extent.max_dims() != extent.dims())
    throw NestedFailure({&H5E_DATASET_g, &H5E_UNSUPPORTED_g},
                        "extendible contiguous or compact dataset not allowed");
}

/// Checks that append boundaries are only set for dimensions that can grow.
void check_append_boundary(const std::vector<hsize_t>& boundary, const Dataspace& extent) {
  const auto dims = extent.dims();
  const auto max_dims = extent.max_dims();
  if (boundary.size() != dims.size())
    throw NestedFailure({&H5E_DATASET_g, &H5E_BADVALUE_g},
                        "append boundary of another rank than the dataset");
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (boundary[d] != 0 && max_dims[d] == dims[d])
      throw NestedFailure({&H5E_DATASET_g, &H5E_BADVALUE_g}, "append boundary for a dimension of fixed size");
}

std::shared_ptr<const DatasetAccessSettings> dataset_access_of(hid_t id) {
  return as_nested_error(
      [&] { return get_settings<DatasetAccessSettings>(id, "a dataset access property list"); });
}

/// Returns the settings with the layout that they have without the expected density.
std::shared_ptr<const DatasetCreationSettings> without_hint(const DatasetCreationSettings& settings) {
  using Creation = DatasetCreationSettings;
  const auto made = std::make_shared<Creation>(settings);
  made->layout = settings.chunk.empty() ? H5D_CONTIGUOUS : H5D_CHUNKED;
  made->structured_kind = 0;
  made->layout_is_hint = false;
  if (!made->allocation_given) made->allocation = usual_allocation(made->layout);
  made->filters[Creation::selection_section].clear();
  made->filters[Creation::heap_section].clear();
  return made;
}

struct NewDataset {
  NewDataset(hid_t type_id, hid_t space_id, hid_t creation_id, hid_t access_id)
      : type(get_type(type_id)),
        space(get_space(space_id)),
        creation(get_settings<DatasetCreationSettings>(creation_id, "a dataset creation property list")),
        access(dataset_access_of(access_id)) {
    if (!space->has_extent) bad_value("dataspace extent has not been set");
    const bool cannot_be_sparse =
        space->extent.kind() != Dataspace::Kind::simple || !creation->external.empty();
    if (creation->layout_is_hint && cannot_be_sparse) creation = without_hint(*creation);
    check_layout(*creation, space->extent);
    if (creation->layout == H5D_CHUNKED && !access->append_boundary.empty())
      check_append_boundary(access->append_boundary, space->extent);
    const bool sparse = creation->layout == H5D_STRUCT_CHUNK;
    creation = prepared_filters(creation_id, type_id);
    if (creation->layout_is_hint && !sparse) creation = without_hint(*creation);
  }
  /// Calls `create` with the options. If the layout is sparse as a hint only, a failure leads to the layout
  /// without the hint.
  template <class Create>
  auto create_with(const OpenFile& open, Create&& create) {
    if (!creation->layout_is_hint) return create(options(open));
    try {
      return create(options(open));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::invalid_argument && error.kind() != ErrorKind::unsupported &&
          error.kind() != ErrorKind::limit)
        throw;
    }
    creation = without_hint(*creation);
    check_layout(*creation, space->extent);
    return create(options(open));
  }
  Datatype file_type() const { return file_datatype(*type); }
  DatasetOptions options(const OpenFile& open) const {
    DatasetOptions made = dataset_options(*creation, file_type().has_variable_parts());
    made.minimised_header = made.minimised_header || open.shared->minimises_headers.load();
    // As in HDF5, such files decide themselves: processes cannot allocate what they write independently.
    if (open.is_parallel()) made.allocation = AllocationTime::by_layout;
    return made;
  }

  std::shared_ptr<TypeHandle> type;
  std::shared_ptr<const SpaceValue> space;
  std::shared_ptr<const DatasetCreationSettings> creation;
  std::shared_ptr<const DatasetAccessSettings> access;
};

/// Returns another id of the dataset, or null.
std::shared_ptr<DatasetHandle> find_open(const Location& at) {
  for (const hid_t id : ids().of_type(H5I_DATASET)) {
    auto other = ids().peek_as<DatasetHandle>(id);
    if (other == nullptr || !(other->object == at.object)) continue;
    if (const auto open = other->open(); open != nullptr && open->shared == at.open->shared) return other;
  }
  return nullptr;
}

/// Sets the view of a virtual dataset and returns the access settings of the new id. As in HDF5, all ids of a
/// dataset have the view of the first.
std::shared_ptr<const DatasetAccessSettings> set_view(
    const Location& at, Dataset& dataset, const std::shared_ptr<const DatasetAccessSettings>& access) {
  if (const auto other = find_open(at)) {
    const auto shared = std::make_shared<DatasetAccessSettings>(*access);
    shared->view = other->access->view;
    shared->printf_gap = other->access->printf_gap;
    return shared;
  }
  const bool own_view = access->view != H5D_VDS_LAST_AVAILABLE || access->printf_gap != 0;
  const DatasetAccess wanted = dataset_access(*access, *at.open->access);
  dataset.set_virtual_view(own_view ? wanted.virtual_view : std::nullopt);
  return access;
}

hid_t add_dataset(const Location& at, std::shared_ptr<const DatasetAccessSettings> access,
                  const std::shared_ptr<const DatasetCreationSettings>& creation = nullptr) {
  Dataset dataset(at.object);
  // As in HDF5, a dataset whose messages cannot be decoded is not opened. The header keeps them when decoded.
  if (creation == nullptr) static_cast<void>(dataset.fill_bytes());
  const DatasetAccess wanted = dataset_access(*access, *at.open->access);
  if (wanted.chunk_cache) dataset.set_chunk_cache(wanted.chunk_cache);
  const bool is_virtual =
      creation == nullptr || creation->layout == H5D_VIRTUAL ? dataset.is_virtual() : false;
  if (is_virtual) access = set_view(at, dataset, access);
  dataset.set_virtual_prefix(wanted.virtual_prefix);
  dataset.set_external_data_prefix(wanted.external_data_prefix);
  const auto handle = std::make_shared<DatasetHandle>(at.open, dataset, access, is_virtual);
  handle->set_name(at.name);
  handle->creation = creation;
  return ids().add(handle);
}

/// Returns the prefix of external files or source files. The environment variable wins over the property, and
/// "${ORIGIN}" stands for the folder of the file.
std::string prefix_in_use(const char* variable, std::string given, const std::string& file) {
  constexpr std::string_view origin = "${ORIGIN}";
  const char* environment = std::getenv(variable);
  if (environment != nullptr && *environment != '\0') given = environment;
  if (!given.starts_with(origin)) return given;
  return std::filesystem::absolute(file).parent_path().string() + given.substr(origin.size());
}

hid_t create(hid_t loc, const char* name, hid_t type, hid_t space, hid_t lcpl_id, hid_t creation,
             hid_t access) {
  const Location start = location(loc);
  required_string(name, "name");
  const auto link = link_creation(lcpl_id);
  NewDataset made(type, space, creation, access);
  const auto create_at = [&](const LinkLocation& link_location) {
    const Dataset dataset = made.create_with(*start.open, [&](const DatasetOptions& options) {
      return link_location.group().create_dataset(link_location.name, made.file_type(), made.space->extent,
                                                  options, link_options_of(*link));
    });
    return new_object_location(link_location, dataset);
  };
  return add_dataset(create_at_new_link(start, name, link_access(access), *link, create_at), made.access,
                     made.creation);
}

hid_t open(hid_t loc, const char* name, hid_t access) {
  const Location start = location(loc);
  required_string(name, "name");
  const auto settings = dataset_access_of(access);
  const Location at = traverse(start, name, link_access(access));
  if (at.object.kind() != ObjectKind::dataset)
    throw NestedFailure({&H5E_DATASET_g, &H5E_BADTYPE_g}, "not a dataset");
  return add_dataset(at, settings);
}

H5D_space_status_t space_status(const Dataset& dataset) {
  const DatasetInfo info = dataset.dataset_info();
  if (info.layout == Layout::compact || info.layout == Layout::virtual_dataset || !info.external.empty())
    return H5D_SPACE_STATUS_ALLOCATED;
  // Contiguous datasets without elements never get space.
  if (info.layout == Layout::contiguous)
    return dataset.stored_bytes() == 0 ? H5D_SPACE_STATUS_NOT_ALLOCATED : H5D_SPACE_STATUS_ALLOCATED;
  const std::uint64_t stored = dataset.chunk_count();
  std::uint64_t chunks = 1;
  const Dataspace extent = dataset.space();
  for (std::size_t d = 0; d < info.chunk.size(); ++d)
    chunks *= (extent.dims()[d] + info.chunk[d] - 1) / info.chunk[d];
  if (stored == 0) return H5D_SPACE_STATUS_NOT_ALLOCATED;
  return stored >= chunks ? H5D_SPACE_STATUS_ALLOCATED : H5D_SPACE_STATUS_PART_ALLOCATED;
}

void set_extent(Dataset dataset, const hsize_t* size) {
  if (size == nullptr) bad_value("no size specified");
  const std::size_t rank = dataset.space().dims().size();
  dataset.resize({size, size + rank});
}

}  // namespace

hid_t H5Dcreate2(hid_t loc_id, const char* name, hid_t type_id, hid_t space_id, hid_t lcpl_id, hid_t dcpl_id,
                 hid_t dapl_id) {
  return api_call({__func__, cannot_create(), "unable to create dataset"},
                  [&] { return create(loc_id, name, type_id, space_id, lcpl_id, dcpl_id, dapl_id); });
}

hid_t H5Dcreate1(hid_t loc_id, const char* name, hid_t type_id, hid_t space_id, hid_t dcpl_id) {
  return api_call({__func__, cannot_create(), "unable to create dataset"},
                  [&] { return create(loc_id, name, type_id, space_id, H5P_DEFAULT, dcpl_id, H5P_DEFAULT); });
}

hid_t H5Dcreate_anon(hid_t loc_id, hid_t type_id, hid_t space_id, hid_t dcpl_id, hid_t dapl_id) {
  return api_call({__func__, cannot_create(), "unable to create dataset"}, [&] {
    const Location at = location(loc_id);
    NewDataset made(type_id, space_id, dcpl_id, dapl_id);
    File file = at.open->file;
    const Dataset dataset = made.create_with(*at.open, [&](const DatasetOptions& options) {
      return file.create_unlinked_dataset(made.file_type(), made.space->extent, options);
    });
    return add_dataset({at.open, dataset, ""}, made.access, made.creation);
  });
}

hid_t H5Dopen2(hid_t loc_id, const char* name, hid_t dapl_id) {
  return api_call({__func__, cannot_open(), "unable to open dataset"},
                  [&] { return open(loc_id, name, dapl_id); });
}

hid_t H5Dopen1(hid_t loc_id, const char* name) {
  return api_call({__func__, cannot_open(), "unable to open dataset"},
                  [&] { return open(loc_id, name, H5P_DEFAULT); });
}

herr_t H5Dclose(hid_t dset_id) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTDEC_g}, "can't decrement count on dataset ID"}, [&] {
    get_dataset(dset_id, "a dataset ID");
    ids().release(dset_id);
  });
}

hid_t H5Dget_space(hid_t dset_id) {
  return api_call({__func__, cannot_get(), "unable to get dataspace"},
                  [&] { return add_space(space_of(get_dataset(dset_id)->dataset.space())); });
}

hid_t H5Dget_type(hid_t dset_id) {
  return api_call({__func__, cannot_get(), "unable to get datatype"}, [&] {
    const auto handle = get_dataset(dset_id);
    return add_type_of(handle->open(), handle->dataset.datatype());
  });
}

hid_t H5Dget_create_plist(hid_t dset_id) {
  return api_call({__func__, cannot_get(), "unable to get creation properties"}, [&] {
    const auto handle = get_dataset(dset_id);
    auto settings = creation_settings(handle->dataset);
    // Some settings of a creation property list are not stored in the file.
    if (handle->creation != nullptr) {
      settings->allocation_given = handle->creation->allocation_given;
      settings->object.track_times = handle->creation->object.track_times;
      settings->minimised_header = handle->creation->minimised_header;
      settings->mappings = handle->creation->mappings;
      settings->set_kept_names(handle->creation->kept_names());
    }
    const bool usual = settings->layout == H5D_CONTIGUOUS;
    return add_object_plist(std::move(settings), usual ? PropertyNames{} : PropertyNames{"alloc_time_state"});
  });
}

hid_t H5Dget_access_plist(hid_t dset_id) {
  return api_call({__func__, cannot_get(), "unable to get access properties"}, [&] {
    const auto handle = get_dataset(dset_id);
    auto settings = std::make_unique<DatasetAccessSettings>(*handle->access);
    if (settings->view == H5D_VDS_FIRST_MISSING) settings->printf_gap = 0;  // has no meaning in this view
    const ChunkCacheValues cache = chunk_cache(*settings, *handle->open()->access);
    settings->cache_slots = cache.slots;
    settings->cache_bytes = cache.bytes;
    settings->cache_w0 = cache.w0;
    settings->virtual_prefix =
        prefix_in_use("HDF5_VDS_PREFIX", settings->virtual_prefix, handle->open()->file.name());
    settings->external_prefix =
        prefix_in_use("HDF5_EXTFILE_PREFIX", settings->external_prefix, handle->open()->file.name());
    return add_object_plist(std::move(settings), {"rdcc_w0", "rdcc_nbytes", "rdcc_nslots", "append_flush",
                                                  "vds_view", "vds_printf_gap"});
  });
}

hsize_t H5Dget_storage_size(hid_t dset_id) {
  return api_call_or(hsize_t{0}, {__func__, cannot_get(), "unable to get storage size"},
                     [&] { return hsize_t{get_dataset(dset_id)->dataset.stored_bytes()}; });
}

haddr_t H5Dget_offset(hid_t dset_id) {
  return api_call_or(HADDR_UNDEF, {__func__, cannot_get(), "unable to get offset"}, [&] {
    return haddr_t{get_dataset(dset_id)->dataset.dataset_info().data_address.value_or(HADDR_UNDEF)};
  });
}

herr_t H5Dget_space_status(hid_t dset_id, H5D_space_status_t* allocation) {
  return api_call({__func__, cannot_get(), "unable to get space status"}, [&] {
    const auto handle = get_dataset(dset_id);
    const H5D_space_status_t status = space_status(handle->dataset);
    if (allocation != nullptr) *allocation = status;
  });
}

herr_t H5Dset_extent(hid_t dset_id, const hsize_t size[]) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTSET_g}, "unable to set dataset extent"},
                  [&] { set_extent(get_dataset(dset_id)->dataset, size); });
}

herr_t H5Dextend(hid_t dset_id, const hsize_t size[]) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTSET_g}, "unable to extend dataset"}, [&] {
    Dataset dataset = get_dataset(dset_id)->dataset;
    if (size == nullptr) bad_value("no size specified");
    // H5Dextend never makes a dimension smaller.
    std::vector<std::uint64_t> dims = dataset.space().dims();
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = std::max<std::uint64_t>(dims[d], size[d]);
    dataset.resize(dims);
  });
}

herr_t H5Dflush(hid_t dset_id) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTFLUSH_g}, "unable to flush dataset"}, [&] {
    const auto handle = get_dataset(dset_id);
    flush_object(dset_id, *handle->open());
  });
}

herr_t H5Drefresh(hid_t dset_id) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTLOAD_g}, "unable to refresh dataset"},
                  [&] { get_dataset(dset_id)->open()->refresh(); });
}
