// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/options.hpp"

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "base/mutex.hpp"
#include "capi/H5FD/drivers.hpp"
#include "capi/H5T/datatype.hpp"

namespace filigree::capi {
namespace {

std::uint16_t narrow(unsigned value) { return static_cast<std::uint16_t>(value); }

std::vector<FilterChoice> to_choices(const std::vector<FilterSetting>& settings) {
  std::vector<FilterChoice> choices;
  for (const FilterSetting& s : settings) {
    FilterChoice& made = choices.emplace_back();
    made.id = static_cast<std::uint16_t>(s.id);
    made.parameters.assign(s.parameters.begin(), s.parameters.end());
    made.optional = (s.flags & H5Z_FLAG_OPTIONAL) != 0;
    made.name = s.name;
  }
  return choices;
}

std::vector<FilterSetting> to_settings(const std::vector<FilterChoice>& choices) {
  std::vector<FilterSetting> settings;
  for (const FilterChoice& c : choices) {
    FilterSetting& made = settings.emplace_back();
    made.id = c.id;
    made.flags = c.optional ? H5Z_FLAG_OPTIONAL : H5Z_FLAG_MANDATORY;
    made.parameters.assign(c.parameters.begin(), c.parameters.end());
    made.name = c.name;
  }
  return settings;
}

void fill_group_options(const GroupCreationSettings& from, GroupOptions& to) {
  to.track_order = (from.creation_order & H5P_CRT_ORDER_TRACKED) != 0;
  to.index_order = (from.creation_order & H5P_CRT_ORDER_INDEXED) != 0;
  to.max_compact = narrow(from.max_compact);
  to.min_dense = narrow(from.min_dense);
  to.expected_links = narrow(from.expected_links);
  to.expected_name_bytes = narrow(from.expected_name_bytes);
  to.local_heap_bytes = from.local_heap_bytes;
  to.track_times = from.object.track_times;
  to.attributes = from.object.attributes;
  to.filters = to_choices(from.filters[ObjectCreationSettings::fixed_section]);
}

void fill_group_settings(const GroupOptions& from, GroupCreationSettings& to) {
  to.creation_order =
      (from.track_order ? H5P_CRT_ORDER_TRACKED : 0u) | (from.index_order ? H5P_CRT_ORDER_INDEXED : 0u);
  to.max_compact = from.max_compact;
  to.min_dense = from.min_dense;
  to.expected_links = from.expected_links;
  to.expected_name_bytes = from.expected_name_bytes;
  to.local_heap_bytes = from.local_heap_bytes;
  to.object.track_times = from.track_times;
  to.object.attributes = from.attributes;
  to.filters[ObjectCreationSettings::fixed_section] = to_settings(from.filters);
}

Selection to_selection(const SpaceValue& value) {
  if (value.unlimited) {
    std::vector<Selection::Range> ranges;
    for (const auto& d : value.unlimited->dims()) ranges.push_back({d.start, d.stride, d.count, d.block});
    return Selection::blocks(std::move(ranges));
  }
  if (value.huge)
    throw Error(ErrorKind::limit, "a mapping cannot select elements of an extent of 2^64 elements or more");
  if (!value.selection || value.selection->kind() == space::Selection::Kind::all) return Selection::all();
  if (value.selection->kind() == space::Selection::Kind::none) return Selection::none();
  return api::SelectionAccess::make(*value.selection);
}

/// Returns a dataspace with the selection. Without a known extent, it is just large enough.
SpaceValue to_space_value(const Selection& selection, std::optional<Dataspace> extent) {
  SpaceValue value;
  if (selection.kind() == Selection::Kind::all && !selection.extent()) {
    value.extent = extent.value_or(Dataspace::scalar());
    return value;
  }
  if (selection.kind() == Selection::Kind::none) {
    value.extent = extent.value_or(Dataspace::scalar());
    value.selection = space::Selection::none(space::Frame(value.extent.dims()));
    return value;
  }
  std::vector<space::SlabDimension> slab;
  if (selection.kind() == Selection::Kind::regular)
    for (const auto& r : selection.ranges()) slab.push_back({r.start, r.stride, r.count, r.block});
  if (!slab.empty() && space::UnlimitedSlab::needed(slab)) {
    value.unlimited.emplace(slab);
    std::vector<std::uint64_t> dims, max_dims;
    for (const auto& d : slab) {
      const bool open = d.count == unlimited || d.block == unlimited;
      dims.push_back(open ? d.start : d.last() + 1);
      max_dims.push_back(open ? unlimited : dims.back());
    }
    value.extent = extent ? *extent : Dataspace::simple(dims, max_dims);
    value.selection = value.unlimited->clip(space::Frame(value.extent.dims()));
    return value;
  }
  if (!extent) {
    std::vector<std::uint64_t> dims;
    if (const auto bounds = selection.bounds())
      for (const std::uint64_t high : bounds->high) dims.push_back(high + 1);
    extent = Dataspace::simple(std::move(dims));
  }
  value.extent = *extent;
  value.selection = api::to_space(selection, extent->dims());
  return value;
}

/// The ids of the types that a conversion callback gets. They are created once for many values.
class CallbackTypes {
 public:
  CallbackTypes() = default;
  CallbackTypes(const CallbackTypes&) = delete;
  CallbackTypes& operator=(const CallbackTypes&) = delete;
  ~CallbackTypes() { forget(); }

  FaultHandling call(const TransferSettings& settings, const ConversionProblem& problem) {
    const MutexLock lock(mutex_);
    if (!from_ || *from_ != problem.from || *to_ != problem.to) {
      forget();
      from_id_ = add_type(problem.from);
      to_id_ = add_type(problem.to);
      from_ = problem.from;
      to_ = problem.to;
    }
    const auto answer = settings.conversion_callback(static_cast<H5T_conv_except_t>(problem.fault), from_id_,
                                                     to_id_, const_cast<void*>(problem.value), problem.result,
                                                     settings.conversion_data);
    return static_cast<FaultHandling>(answer);
  }

 private:
  void forget() FILIGREE_REQUIRES(mutex_) {
    for (hid_t* id : {&from_id_, &to_id_}) {
      if (*id >= 0 && ids().find(*id) != nullptr) ids().release(*id);
      *id = H5I_INVALID_HID;
    }
    from_.reset();
    to_.reset();
  }

  Mutex mutex_;
  std::optional<Datatype> from_ FILIGREE_GUARDED_BY(mutex_), to_ FILIGREE_GUARDED_BY(mutex_);
  hid_t from_id_ FILIGREE_GUARDED_BY(mutex_) = H5I_INVALID_HID;
  hid_t to_id_ FILIGREE_GUARDED_BY(mutex_) = H5I_INVALID_HID;
};

H5D_layout_t from_layout(Layout layout) { return static_cast<H5D_layout_t>(layout); }

}  // namespace

Version to_version(H5F_libver_t version) {
  return version >= H5F_LIBVER_V200 ? Version::v2_0 : static_cast<Version>(version);
}

H5F_libver_t from_version(Version version) { return static_cast<H5F_libver_t>(version); }

CreateOptions create_options(const FileCreationSettings& settings) {
  CreateOptions options = settings.options;
  fill_group_options(settings, options.root);
  return options;
}

AccessOptions access_options(const FileAccessSettings& settings) {
  AccessOptions options = settings.options;
  options.versions = {to_version(settings.low), to_version(settings.high)};
  if (settings.locking_given) {
    options.locking = !settings.use_locking            ? Locking::off
                      : settings.ignore_disabled_locks ? Locking::automatic
                                                       : Locking::on;
  }
  choose_driver(settings, options);
  return options;
}

GroupOptions group_options(const GroupCreationSettings& settings) {
  GroupOptions options;
  fill_group_options(settings, options);
  return options;
}

LinkOptions link_options(const LinkCreationSettings& settings) {
  LinkOptions options;
  options.create_parents = settings.create_parents;
  options.charset = settings.charset == H5T_CSET_UTF8 ? CharacterSet::utf8 : CharacterSet::ascii;
  return options;
}

DatasetOptions dataset_options(const DatasetCreationSettings& settings, bool variable_parts) {
  using Object = ObjectCreationSettings;
  DatasetOptions options;
  options.layout = static_cast<Layout>(settings.layout);
  options.allocation = static_cast<AllocationTime>(settings.allocation);
  options.fill_time = static_cast<FillTime>(settings.fill_time);
  if (settings.fill.state == H5D_FILL_VALUE_UNDEFINED) options.fill = Fill::undefined();
  if (settings.fill.state == H5D_FILL_VALUE_USER_DEFINED)
    options.fill = Fill::of(*settings.fill.type, settings.fill.value.data());
  options.external = settings.external;
  if (settings.layout == H5D_CHUNKED || settings.layout == H5D_STRUCT_CHUNK) options.chunk = settings.chunk;
  options.filters = to_choices(settings.filters[Object::fixed_section]);
  options.filter_partial_chunks = (settings.chunk_options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) == 0;
  if (settings.layout == H5D_STRUCT_CHUNK) {
    options.sparse = (settings.structured_kind & H5D_SPARSE_CHUNK) != 0;
    // An explicit layout is what the program says. A hint at the density leaves the rest to the library.
    options.choose_section_filters = settings.layout_is_hint;
    options.portable = options.sparse && settings.portable;
    options.heap_in_chunks = (settings.structured_kind & H5D_VL_CHUNK) != 0;
    options.selection_filters = to_choices(settings.filters[Object::selection_section]);
    if (variable_parts) options.heap_filters = to_choices(settings.filters[Object::heap_section]);
    options.heap_sets = variable_parts && options.sparse && settings.heap == H5D_STRUCT_HEAP_SET;
    options.layout = Layout::chunked;  // without dimensions in the list, the C++ API chooses them
  }
  for (const MappingSetting& m : settings.mappings) {
    options.virtual_sources.push_back({m.file, m.dataset, to_selection(with_offset_applied(m.source_space)),
                                       to_selection(with_offset_applied(m.virtual_space))});
  }
  options.track_times = settings.object.track_times;
  options.attributes = settings.object.attributes;
  options.minimised_header = settings.minimised_header;
  return options;
}

ChunkCacheValues chunk_cache(const DatasetAccessSettings& settings, const FileAccessSettings& of_file) {
  ChunkCacheValues values{settings.cache_slots, settings.cache_bytes, settings.cache_w0};
  if (values.slots == H5D_CHUNK_CACHE_NSLOTS_DEFAULT) values.slots = of_file.cache_slots;
  if (values.bytes == H5D_CHUNK_CACHE_NBYTES_DEFAULT) values.bytes = of_file.cache_bytes;
  if (values.w0 < 0) values.w0 = of_file.cache_w0;
  return values;
}

DatasetAccess dataset_access(const DatasetAccessSettings& settings, const FileAccessSettings& of_file) {
  static const auto& usual = *new FileAccessSettings;  // exit handlers use it, too
  const ChunkCacheValues wanted = chunk_cache(settings, of_file);
  ChunkCacheOptions cache;
  if (wanted.slots != usual.cache_slots) cache.chunks = wanted.slots;
  if (wanted.bytes != usual.cache_bytes) cache.bytes = wanted.bytes;
  if (wanted.w0 < usual.cache_w0 || wanted.w0 > usual.cache_w0) cache.preemption = wanted.w0;
  DatasetAccess access;
  access.virtual_view =
      VirtualView{settings.view == H5D_VDS_FIRST_MISSING ? VirtualView::Extent::first_missing
                                                         : VirtualView::Extent::last_available,
                  settings.printf_gap};
  if (!settings.virtual_prefix.empty()) access.virtual_prefix = settings.virtual_prefix;
  if (!settings.external_prefix.empty()) access.external_data_prefix = settings.external_prefix;
  if (cache.chunks || cache.bytes || cache.preemption) access.chunk_cache = cache;
  return access;
}

TransferOptions transfer_options(const TransferSettings& settings) {
  TransferOptions options;
  options.rules = ConversionRules::hdf5;
  options.verify_checksums = settings.edc == H5Z_ENABLE_EDC;
  options.selection_io = settings.selection_io != H5D_SELECTION_IO_MODE_OFF;
  options.collective = settings.transfer_mode == H5FD_MPIO_COLLECTIVE;
  if (settings.filter_callback != nullptr) {
    options.on_filter_fault = [call = settings.filter_callback, data = settings.filter_data](
                                  std::uint16_t filter, std::span<const std::byte> bytes) {
      return call(filter, const_cast<std::byte*>(bytes.data()), bytes.size(), data) != H5Z_CB_FAIL;
    };
  }
  if (settings.conversion_callback != nullptr) {
    options.on_fault = [settings, types = std::make_shared<CallbackTypes>()](
                           const ConversionProblem& problem) { return types->call(settings, problem); };
  }
  return options;
}

CopyOptions copy_options(const ObjectCopySettings& settings, const LinkCreationSettings& link) {
  CopyOptions options;
  options.shallow = (settings.flags & H5O_COPY_SHALLOW_HIERARCHY_FLAG) != 0;
  options.expand_soft = (settings.flags & H5O_COPY_EXPAND_SOFT_LINK_FLAG) != 0;
  options.expand_external = (settings.flags & H5O_COPY_EXPAND_EXT_LINK_FLAG) != 0;
  options.without_attributes = (settings.flags & H5O_COPY_WITHOUT_ATTR_FLAG) != 0;
  options.create_parents = link.create_parents;
  options.expand_references = (settings.flags & H5O_COPY_EXPAND_REFERENCE_FLAG) != 0;
  options.merge_datatypes = (settings.flags & H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG) != 0;
  options.merge_paths = settings.merge_paths;
  if (settings.merge_callback != nullptr) {
    options.merge_search = [call = settings.merge_callback, data = settings.merge_data] {
      const H5O_mcdt_search_ret_t answer = call(data);
      if (answer != H5O_MCDT_SEARCH_CONT && answer != H5O_MCDT_SEARCH_STOP)
        throw CallbackFailure({&H5E_OHDR_g, &H5E_CALLBACK_g},
                              "the function that is asked about the search failed");
      return answer == H5O_MCDT_SEARCH_CONT;
    };
  }
  return options;
}

std::unique_ptr<FileCreationSettings> creation_settings(const File& file) {
  auto settings = std::make_unique<FileCreationSettings>();
  settings->options = file.creation_options();
  settings->superblock_version = file.info().superblock_version;
  fill_group_settings(settings->options.root, *settings);
  return settings;
}

std::unique_ptr<GroupCreationSettings> creation_settings(const Group& group) {
  auto settings = std::make_unique<GroupCreationSettings>();
  fill_group_settings(group.creation_options(), *settings);
  return settings;
}

std::unique_ptr<DatasetCreationSettings> creation_settings(const Dataset& dataset) {
  using Object = ObjectCreationSettings;
  const DatasetOptions options = dataset.creation_options();
  auto settings = std::make_unique<DatasetCreationSettings>();
  settings->layout = from_layout(options.layout);
  settings->chunk.assign(options.chunk.begin(), options.chunk.end());
  if (!options.filter_partial_chunks) settings->chunk_options = H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS;
  if (options.layout == Layout::structured)
    settings->structured_kind =
        (options.sparse ? H5D_SPARSE_CHUNK : 0) | (options.heap_in_chunks ? H5D_VL_CHUNK : 0);
  if (options.heap_sets) settings->heap = H5D_STRUCT_HEAP_SET;
  settings->allocation = static_cast<H5D_alloc_time_t>(options.allocation);
  settings->fill_time = static_cast<H5D_fill_time_t>(options.fill_time);
  if (options.fill.state() == Fill::State::undefined) settings->fill.state = H5D_FILL_VALUE_UNDEFINED;
  if (options.fill.state() == Fill::State::value) {
    settings->fill.state = H5D_FILL_VALUE_USER_DEFINED;
    settings->fill.type = options.fill.type();
    settings->fill.value.assign(options.fill.bytes().begin(), options.fill.bytes().end());
    settings->fill.keep = options.fill.owner();
  }
  // HDF5 derives the flag from the stored allocation time, unless all of the fill value message is default.
  const bool is_default_fill = settings->allocation == H5D_ALLOC_TIME_LATE &&
                               settings->fill_time == H5D_FILL_TIME_IFSET &&
                               settings->fill.state == H5D_FILL_VALUE_DEFAULT;
  settings->allocation_given = !is_default_fill && settings->allocation != usual_allocation(settings->layout);
  settings->external = options.external;
  // The portable form is an ordinary filter for HDF5.
  settings->filters[Object::fixed_section] =
      to_settings(options.portable ? dataset.dataset_info().filters : options.filters);
  if (!options.portable)
    settings->filters[Object::selection_section] = to_settings(options.selection_filters);
  settings->filters[Object::heap_section] = to_settings(options.heap_filters);
  for (const VirtualSource& s : options.virtual_sources) {
    settings->mappings.push_back({to_space_value(s.selection, dataset.space()),
                                  to_space_value(s.source, std::nullopt), s.file, s.dataset});
  }
  settings->object = {options.attributes, dataset.tracks_times()};
  return settings;
}

std::unique_ptr<TypeCreationSettings> creation_settings(const CommittedDatatype& type) {
  auto settings = std::make_unique<TypeCreationSettings>();
  settings->object = {type.attribute_storage(), type.tracks_times()};
  return settings;
}

}  // namespace filigree::capi
