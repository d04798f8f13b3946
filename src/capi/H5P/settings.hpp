// SPDX-License-Identifier: Apache-2.0
//
// The values that property lists of HDF5's own classes hold, in types of the C++ API where there are such.
// The classes inherit from each other like the classes of property lists.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <filigree/dataset.hpp>
#include <filigree/options.hpp>

#include <hdf5.h>

#include "capi/H5FD/file_image.hpp"
#include "capi/H5S/dataspace.hpp"

namespace filigree::capi {

/// Names of properties of the library.
using PropertyNames = std::vector<const char*>;
using NameSet = std::set<std::string, std::less<>>;

/// The classes of the library, with the numbers that encoded lists have for them.
enum class PlistType : std::uint8_t {
  user,
  root,
  object_create,
  file_create,
  file_access,
  dataset_create,
  dataset_access,
  dataset_transfer,
  file_mount,
  group_create,
  group_access,
  datatype_create,
  datatype_access,
  string_create,
  attribute_create,
  object_copy,
  link_create,
  link_access,
  attribute_access,
  vol_initialize,
  map_create,
  map_access,
  reference_access,
};

/// The classes whose properties the settings of a list hold, from the class of the list to its oldest
/// ancestor.
struct PlistLineage {
  PlistType type;
  const PlistLineage* parent;
};

/// The values that a property list has for the properties of HDF5's own classes. Which properties there are,
/// and how they are compared, copied and encoded, is described in properties/.
class Settings {
 public:
  virtual ~Settings() = default;
  virtual std::unique_ptr<Settings> clone() const = 0;
  virtual const PlistLineage& lineage() const = 0;

  /// Whether all properties are equal. *Requires* settings of the same class.
  bool same(const Settings& other) const;
  /// Copies what a clone shares with its original and HDF5 copies with a list.
  void make_own_copies();

  /// The properties that the list itself keeps, even with the default value. HDF5 iterates over these first.
  const NameSet& kept_names() const { return kept_names_; }
  void set_kept_names(NameSet names) { kept_names_ = std::move(names); }
  void keep(const PropertyNames& names) { kept_names_.insert(names.begin(), names.end()); }
  /// Keeps the properties that HDF5 has a create callback for.
  void keep_created();
  /// Keeps the properties that HDF5 has a copy callback for.
  void keep_copied();

 protected:
  Settings() = default;
  Settings(const Settings&) = default;
  Settings& operator=(const Settings&) = default;

 private:
  NameSet kept_names_;
};

/// The part of a settings class that follows from its name and the class of lists that it is for.
template <class Derived, PlistType Type, class Base = Settings>
class SettingsOf : public Base {
 public:
  std::unique_ptr<Settings> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
  const PlistLineage& lineage() const override { return own_lineage; }

 protected:
  static constexpr const PlistLineage* base_lineage() {
    if constexpr (std::is_same_v<Base, Settings>) {
      return nullptr;
    } else {
      return &Base::own_lineage;
    }
  }
  static constexpr PlistLineage own_lineage{Type, base_lineage()};
};

/// Settings of classes without properties of the library, user-defined classes among them.
class EmptySettings final : public SettingsOf<EmptySettings, PlistType::root> {};

/// Attribute storage and times of new objects (object header).
struct ObjectCreationValues {
  AttributeStorage attributes;
  bool track_times = true;
};

/// A filter of a pipeline, with the flags of H5Pset_filter.
struct FilterSetting {
  H5Z_filter_t id = 0;
  unsigned flags = 0;
  std::vector<unsigned> parameters;
  std::string name = {};  ///< in the file that the list comes from; empty: that of the registered filter
  /// The name says nothing about what the filter does.
  bool operator==(const FilterSetting& other) const {
    return id == other.id && flags == other.flags && parameters == other.parameters;
  }
};

/// Returns whether a filter needs elements, which only the fixed section contains.
bool needs_elements(H5Z_filter_t id);

/// Object creation properties, which groups, datasets and committed datatypes share.
class ObjectCreationSettings : public SettingsOf<ObjectCreationSettings, PlistType::object_create> {
 public:
  ObjectCreationValues object;
  /// The pipelines of the sections. Unstructured chunks use that of `fixed_section`.
  std::array<std::vector<FilterSetting>, 3> filters;
  static constexpr std::size_t selection_section = 0, fixed_section = 1, heap_section = 2;
};

/// Group creation properties: local heap, link storage and creation order.
class GroupCreationSettings
    : public SettingsOf<GroupCreationSettings, PlistType::group_create, ObjectCreationSettings> {
 public:
  std::uint64_t local_heap_bytes = 0;
  unsigned max_compact = 8, min_dense = 6;
  unsigned expected_links = 4, expected_name_bytes = 8;
  unsigned creation_order = 0;  ///< H5P_CRT_ORDER_*
};

/// File creation properties. The root group has the group creation properties.
class FileCreationSettings final
    : public SettingsOf<FileCreationSettings, PlistType::file_create, GroupCreationSettings> {
 public:
  CreateOptions options;            ///< `root` is not used; the members of the base class are
  unsigned superblock_version = 0;  ///< known for open files only
};

/// A fill value, with its type.
struct FillSetting {
  H5D_fill_value_t state = H5D_FILL_VALUE_DEFAULT;
  std::optional<Datatype> type;      ///< memory type of the value
  std::vector<std::byte> value;      ///< one element of `type`
  std::shared_ptr<const void> keep;  ///< owns the variable-length data of the value
};

/// A mapping of a virtual dataset.
struct MappingSetting {
  SpaceValue virtual_space, source_space;
  std::string file, dataset;
};

/// Returns the default allocation time of a layout.
H5D_alloc_time_t usual_allocation(H5D_layout_t layout);

/// Dataset creation properties: layout, chunks, fill value, external files and mappings.
class DatasetCreationSettings final
    : public SettingsOf<DatasetCreationSettings, PlistType::dataset_create, ObjectCreationSettings> {
 public:
  H5D_layout_t layout = H5D_CONTIGUOUS;
  std::vector<hsize_t> chunk;
  unsigned chunk_options = 0;
  unsigned structured_kind = 0;  ///< of H5Pset_struct_chunk: H5D_SPARSE_CHUNK, H5D_VL_CHUNK
  H5D_struct_heap_t heap = H5D_STRUCT_HEAP_FLAT;
  bool portable = false;        ///< H5Pset_sparse_portable: sparse chunks are ordinary chunks with a filter
  bool expects_sparse = false;  ///< H5Pset_density: the chunks are created as sparse chunks
  /// The layout is sparse because of the expected density only, so a dataset may get another one.
  bool layout_is_hint = false;
  H5D_alloc_time_t allocation = H5D_ALLOC_TIME_LATE;
  bool allocation_given = false;  ///< false: setting the layout sets the allocation time
  H5D_fill_time_t fill_time = H5D_FILL_TIME_IFSET;
  FillSetting fill;
  std::vector<ExternalFile> external;
  std::vector<MappingSetting> mappings;
  bool minimised_header = false;
};

/// Creation properties of committed datatypes.
class TypeCreationSettings final
    : public SettingsOf<TypeCreationSettings, PlistType::datatype_create, ObjectCreationSettings> {};

/// The character set of names.
class StringCreationSettings : public SettingsOf<StringCreationSettings, PlistType::string_create> {
 public:
  H5T_cset_t charset = H5T_CSET_ASCII;
};

/// Link creation properties.
class LinkCreationSettings final
    : public SettingsOf<LinkCreationSettings, PlistType::link_create, StringCreationSettings> {
 public:
  bool create_parents = false;
};

class AttributeCreationSettings final
    : public SettingsOf<AttributeCreationSettings, PlistType::attribute_create, StringCreationSettings> {};

class FileAccessSettings;
class MpioParameters;

/// Link access properties: limits and external links.
class LinkAccessSettings : public SettingsOf<LinkAccessSettings, PlistType::link_access> {
 public:
  std::size_t max_links = 16;
  std::string external_prefix;
  std::shared_ptr<const FileAccessSettings>
      external_access;  ///< null: the access property list of the parent file
  unsigned external_flags = H5F_ACC_DEFAULT;
  H5L_elink_traverse_t external_callback = nullptr;
  void* external_callback_data = nullptr;
  bool collective_metadata = false;
};

class GroupAccessSettings final
    : public SettingsOf<GroupAccessSettings, PlistType::group_access, LinkAccessSettings> {};

class TypeAccessSettings final
    : public SettingsOf<TypeAccessSettings, PlistType::datatype_access, LinkAccessSettings> {};

/// Dataset access properties: chunk cache, virtual datasets, prefixes and append flush.
class DatasetAccessSettings final
    : public SettingsOf<DatasetAccessSettings, PlistType::dataset_access, LinkAccessSettings> {
 public:
  // H5D_CHUNK_CACHE_*_DEFAULT stands for the value of the file.
  std::size_t cache_slots = H5D_CHUNK_CACHE_NSLOTS_DEFAULT;
  std::size_t cache_bytes = H5D_CHUNK_CACHE_NBYTES_DEFAULT;
  double cache_w0 = H5D_CHUNK_CACHE_W0_DEFAULT;
  H5D_vds_view_t view = H5D_VDS_LAST_AVAILABLE;
  hsize_t printf_gap = 0;
  bool spatial_tree = true;  ///< of HDF5 2.0; only kept
  std::string virtual_prefix, external_prefix;
  std::vector<hsize_t> append_boundary;
  H5D_append_cb_t append_callback = nullptr;
  void* append_data = nullptr;
};

/// The choice of a driver. `driver` is the id under which the driver is registered.
struct DriverSetting {
  hid_t driver = H5I_INVALID_HID;    ///< invalid: the default driver
  std::shared_ptr<const void> info;  ///< in the driver's own form (see drivers.hpp), copied by the driver
  std::string configuration;
  /// Infos of user-defined drivers are compared bytewise, over the size that the driver declares.
  bool operator==(const DriverSetting& other) const;
};

/// The VOL connector of a file access property list.
struct ConnectorSetting {
  hid_t id = H5I_INVALID_HID;        ///< invalid: the default connector
  std::shared_ptr<const void> info;  ///< in the connector's own form, copied by the connector; keeps its id
  /// The connector compares its infos.
  bool operator==(const ConnectorSetting& other) const;
  /// Returns a setting with an info of its own.
  ConnectorSetting copied() const;
};

/// The communicator and the hints of a file access property list, as a library for an MPI made them.
struct MpioSetting {
  std::shared_ptr<const MpioParameters> parameters;  ///< null: none
  /// Communicators of the same processes are equal, and hints with the same keys and values.
  bool operator==(const MpioSetting& other) const;
};

/// File access properties.
class FileAccessSettings final : public SettingsOf<FileAccessSettings, PlistType::file_access> {
 public:
  /// Options of the C++ API: versions, driver, page buffer, alignment, block sizes, locking.
  AccessOptions options;
  DriverSetting driver;
  MpioSetting mpio;  ///< for the driver "mpio"
  ConnectorSetting connector;
  // The default chunk cache of the datasets of the file.
  std::size_t cache_slots = 521;
  std::size_t cache_bytes = 1048576;
  double cache_w0 = 0.75;
  int metadata_elements = 0;
  H5F_close_degree_t close_degree = H5F_CLOSE_DEFAULT;
  H5F_libver_t low = H5F_LIBVER_EARLIEST, high = H5F_LIBVER_LATEST;
  unsigned garbage_references = 0;
  hsize_t family_offset = 0;
  std::size_t sieve_bytes = 64 * 1024;
  unsigned metadata_read_attempts = 0;
  unsigned external_file_cache = 0;
  std::optional<H5AC_cache_config_t> mdc_config;
  std::optional<H5AC_cache_image_config_t> cache_image;
  ImageSetting image;  ///< initial contents, and functions for their memory (H5Pset_file_image)
  bool use_locking = true, ignore_disabled_locks = true;
  bool locking_given = false;
  bool evict_on_close = false;
  bool collective_metadata_read = false, collective_metadata_write = false;
  bool log_on_start = false, log_use = false;
  std::optional<std::string> log_location;  ///< of the log of the metadata cache
  bool tracks_writes = false;               ///< of the core driver: only changed pages are written back
  std::size_t tracked_page_bytes = 524288;
  H5FD_mem_t multi_type = H5FD_MEM_DEFAULT;
  std::uint64_t relaxed_checks = 0;  ///< H5F_RFIC_*
  H5F_flush_cb_t flush_callback = nullptr;
  void* flush_data = nullptr;
};

/// One call of H5Pset_dataset_io_hyperslab_selection.
struct SlabOperation {
  H5S_seloper_t op = H5S_SELECT_SET;
  std::vector<space::SlabDimension> slab;
  bool operator==(const SlabOperation& other) const;
};

/// Dataset transfer properties.
class TransferSettings final : public SettingsOf<TransferSettings, PlistType::dataset_transfer> {
 public:
  std::size_t buffer_bytes = 1024 * 1024;
  void* conversion_buffer = nullptr;
  void* background_buffer = nullptr;
  H5T_bkg_t background = H5T_BKG_NO;
  std::array<double, 3> btree_ratios{0.1F, 0.5F, 0.9F};  ///< HDF5's defaults, rounded to float
  H5MM_allocate_t allocate = nullptr;
  void* allocate_info = nullptr;
  H5MM_free_t release = nullptr;
  void* release_info = nullptr;
  H5Z_EDC_t edc = H5Z_ENABLE_EDC;
  H5Z_filter_func_t filter_callback = nullptr;
  void* filter_data = nullptr;
  H5T_conv_except_func_t conversion_callback = nullptr;
  void* conversion_data = nullptr;
  std::size_t vector_size = 1024;
  std::string expression;  ///< of H5Pset_data_transform
  bool preserve = false;
  bool modify_write_buffer = false;
  std::vector<SlabOperation> dataset_io_selection;  ///< for H5S_PLIST; empty: not set
  H5D_selection_io_mode_t selection_io = H5D_SELECTION_IO_MODE_DEFAULT;
  H5FD_mpio_xfer_t transfer_mode = H5FD_MPIO_INDEPENDENT;
  // How HDF5 is to make collective requests. They are only kept: there is always one request.
  H5FD_mpio_collective_opt_t collective_opt = H5FD_MPIO_COLLECTIVE_IO;
  H5FD_mpio_chunk_opt_t chunk_opt = H5FD_MPIO_CHUNK_DEFAULT;
  unsigned chunk_opt_num = H5D_ONE_LINK_CHUNK_IO_THRESHOLD;
  unsigned chunk_opt_ratio = H5D_MULTI_CHUNK_IO_COL_THRESHOLD;
  // What the last transfer with the list did.
  std::uint32_t no_selection_io_cause = 0;  ///< H5D_SEL_IO_*
  std::uint32_t actual_selection_io = 0;    ///< H5D_SCALAR_IO, H5D_VECTOR_IO, H5D_SELECTION_IO
  H5D_mpio_actual_chunk_opt_mode_t actual_chunk_opt = H5D_MPIO_NO_CHUNK_OPTIMIZATION;
  H5D_mpio_actual_io_mode_t actual_io_mode = H5D_MPIO_NO_COLLECTIVE;
  std::uint32_t local_no_collective_cause = 0, global_no_collective_cause = 0;  ///< H5D_MPIO_*
};

/// Object copy properties.
class ObjectCopySettings final : public SettingsOf<ObjectCopySettings, PlistType::object_copy> {
 public:
  unsigned flags = 0;
  std::vector<std::string> merge_paths;
  H5O_mcdt_search_cb_t merge_callback = nullptr;
  void* merge_data = nullptr;
};

/// File mount properties.
class MountSettings final : public SettingsOf<MountSettings, PlistType::file_mount> {
 public:
  bool local = false;
};

}  // namespace filigree::capi
