// SPDX-License-Identifier: Apache-2.0
#include "capi/H5Z/filters.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/core/library.hpp"
#include "capi/core/scoped_id.hpp"

namespace filigree::capi {
namespace {

/// Registered filter classes by id, with their callbacks.
class FilterClasses {
 public:
  void add(const H5Z_class2_t& filter) {
    const MutexLock lock(mutex_);
    classes_[filter.id] = filter;
  }
  bool remove(H5Z_filter_t id) {
    const MutexLock lock(mutex_);
    return classes_.erase(id) != 0;
  }
  std::optional<H5Z_class2_t> find(H5Z_filter_t id) const {
    const MutexLock lock(mutex_);
    const auto found = classes_.find(id);
    return found == classes_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable Mutex mutex_;
  std::map<H5Z_filter_t, H5Z_class2_t> classes_ FILIGREE_GUARDED_BY(mutex_);
};

FilterClasses& classes() {
  static auto* const all = new FilterClasses;
  return *all;
}

/// The buffer of a filter callback, which may replace it by another one from malloc().
struct Block {
  void* data = nullptr;
  std::size_t bytes = 0;
  explicit Block(std::span<const std::byte> content) : bytes(content.size()) {
    data = std::malloc(std::max<std::size_t>(bytes, 1));
    if (data == nullptr) throw std::bad_alloc();
    if (bytes != 0) std::memcpy(data, content.data(), bytes);
  }
  ~Block() { std::free(data); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
};

std::vector<std::byte> run(const H5Z_class2_t& filter, unsigned flags, std::span<const std::byte> bytes,
                           UserFilter::Parameters parameters) {
  Block block(bytes);
  const std::size_t made =
      filter.filter(flags, parameters.size(), parameters.data(), bytes.size(), &block.bytes, &block.data);
  if (made == 0 || block.data == nullptr || made > block.bytes)
    throw Error(flags == 0 ? ErrorKind::unsupported : ErrorKind::corrupt,
                fmt::format("filter {} failed", filter.id));
  const auto* const first = static_cast<const std::byte*>(block.data);
  return {first, first + made};
}

/// Calls `work` for the filters of a pipeline that have callbacks.
template <class Work>
void for_each_class(const std::vector<FilterSetting>& pipeline, Work&& work) {
  for (const FilterSetting& filter : pipeline)
    if (const auto found = classes().find(filter.id)) work(filter, *found);
}

/// The same for the pipeline of a creation property list of ordinary chunks.
template <class Work>
void for_each_class(hid_t plist, Work&& work) {
  const auto settings = get_settings<DatasetCreationSettings>(plist, "a dataset creation property list");
  for_each_class(settings->filters[DatasetCreationSettings::fixed_section], std::forward<Work>(work));
}

bool has_callbacks(const std::vector<FilterSetting>& pipeline) {
  return std::ranges::any_of(pipeline,
                             [](const FilterSetting& f) { return classes().find(f.id).has_value(); });
}

/// Calls all can_apply callbacks, then all set_local callbacks.
void call_filters(hid_t creation_plist, hid_t type, hid_t space) {
  for_each_class(creation_plist, [&](const FilterSetting& setting, const H5Z_class2_t& filter) {
    if (filter.encoder_present == 0)
      throw NestedFailure({&H5E_PLINE_g, &H5E_NOENCODER_g},
                          fmt::format("filter {} is present, but encoding is disabled", filter.id));
    if (filter.can_apply == nullptr) return;
    const htri_t suits = filter.can_apply(creation_plist, type, space);
    if (suits < 0)
      throw NestedFailure({&H5E_PLINE_g, &H5E_CANAPPLY_g},
                          fmt::format("the can-apply function of filter {} failed", filter.id));
    if (suits == 0 && (setting.flags & H5Z_FLAG_OPTIONAL) == 0)
      throw NestedFailure({&H5E_PLINE_g, &H5E_CANAPPLY_g},
                          fmt::format("filter {} does not suit the dataset", filter.id));
  });
  for_each_class(creation_plist, [&](const FilterSetting&, const H5Z_class2_t& filter) {
    if (filter.set_local != nullptr && filter.set_local(creation_plist, type, space) < 0)
      throw NestedFailure({&H5E_PLINE_g, &H5E_SETLOCAL_g},
                          fmt::format("the set-local function of filter {} failed", filter.id));
  });
}

/// HDF5 does not call the callbacks for such datatypes.
bool is_variable_length(hid_t type) {
  return get_type(type)->value.get()->type_class == format::TypeClass::variable_length;
}

}  // namespace

UserFilter to_user_filter(const H5Z_class2_t& filter) {
  UserFilter made;
  made.id = static_cast<std::uint16_t>(filter.id);
  if (filter.name != nullptr) made.name = filter.name;
  if (filter.encoder_present != 0)
    made.encode = [filter](auto bytes, auto parameters) { return run(filter, 0, bytes, parameters); };
  // As in HDF5, a filter that is declared without a decoder decodes nevertheless.
  made.decode = [filter](auto bytes, auto parameters, std::size_t) {
    return run(filter, H5Z_FLAG_REVERSE, bytes, parameters);
  };
  made.decode_unverified = [filter](auto bytes, auto parameters, std::size_t) {
    return run(filter, H5Z_FLAG_REVERSE | H5Z_FLAG_SKIP_EDC, bytes, parameters);
  };
  made.may_decode_more = true;
  return made;
}

std::optional<unsigned> filter_configuration(H5Z_filter_t id) {
  const auto found = filters::find(static_cast<std::uint16_t>(id));
  if (!found) return std::nullopt;
  bool encodes = found->encodes, decodes = found->decodes;
  if (const auto registered = classes().find(id)) {
    encodes = registered->encoder_present != 0;
    decodes = registered->decoder_present != 0;
  }
  return (encodes ? H5Z_FILTER_CONFIG_ENCODE_ENABLED : 0u) |
         (decodes ? H5Z_FILTER_CONFIG_DECODE_ENABLED : 0u);
}

void register_filter(const H5Z_class2_t& filter) {
  filters::add(to_user_filter(filter));
  classes().add(filter);
}

bool unregister_filter(H5Z_filter_t id) {
  classes().remove(id);
  return filters::remove(static_cast<std::uint16_t>(id));
}

namespace {

/// Calls the callbacks of one pipeline with a copy of the list, and returns its settings. Callbacks ask for
/// the chunk and for the parameters of their filter, so structured chunks look like ordinary ones to them.
std::shared_ptr<const DatasetCreationSettings> prepared_pipeline(hid_t creation_plist, std::size_t section,
                                                                 hid_t type) {
  constexpr const char* what = "a dataset creation property list";
  const ScopedId plist(copy_plist(*get_plist(creation_plist)));
  const auto settings = get_settings<DatasetCreationSettings>(plist.get(), what);
  if (settings->layout == H5D_STRUCT_CHUNK) {
    get_plist(plist.get())->change<DatasetCreationSettings>({}, [&](auto& s) {
      s.layout = H5D_CHUNKED;
      s.filters = {};
      s.filters[DatasetCreationSettings::fixed_section] = settings->filters[section];
    });
  }
  SpaceValue chunk;
  chunk.extent = Dataspace::simple({settings->chunk.begin(), settings->chunk.end()});
  const ScopedId space(add_space(std::move(chunk)));
  call_filters(plist.get(), type, space.get());
  return get_settings<DatasetCreationSettings>(plist.get(), what);
}

}  // namespace

std::shared_ptr<const DatasetCreationSettings> prepared_filters(hid_t creation_plist, hid_t type) {
  constexpr std::size_t fixed = DatasetCreationSettings::fixed_section;
  const auto settings =
      get_settings<DatasetCreationSettings>(creation_plist, "a dataset creation property list");
  const bool any = creation_plist != H5P_DEFAULT && std::ranges::any_of(settings->filters, has_callbacks);
  if (!any || is_variable_length(type)) return settings;
  if (settings->layout != H5D_STRUCT_CHUNK)
    return has_callbacks(settings->filters[fixed]) ? prepared_pipeline(creation_plist, fixed, type)
                                                   : settings;
  const auto prepared = std::make_shared<DatasetCreationSettings>(*settings);
  for (std::size_t section = 0; section < settings->filters.size(); ++section)
    if (has_callbacks(settings->filters[section]))
      prepared->filters[section] = prepared_pipeline(creation_plist, section, type)->filters[fixed];
  return prepared;
}

void set_up_filters() {
  filters::set_finder([](std::uint16_t id) -> std::optional<UserFilter> {
    const auto found = find_plugin_filter(id);
    if (!found) return std::nullopt;
    classes().add(*found);
    return to_user_filter(*found);
  });
  at_library_close([] { filters::set_finder(nullptr); });
}

}  // namespace filigree::capi
