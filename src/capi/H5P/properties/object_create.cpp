// SPDX-License-Identifier: Apache-2.0
//
// Properties of object creation, group creation and object copy.
#include <array>

#include "capi/H5P/properties/tables.hpp"

namespace filigree::capi {
namespace {

using Ocpl = ObjectCreationSettings;
using Gcpl = GroupCreationSettings;
using Ocpypl = ObjectCopySettings;

void encode_filter(PlistCoder& coder, FilterSetting& filter) {
  constexpr std::size_t name_bytes = 12, most_parameters = 65535;
  coder.raw(filter.id, 4);
  coder.raw(filter.flags, 4);
  std::uint8_t named = 0;
  coder.byte(named);
  std::array<char, name_bytes> name{};
  if (named != 0) coder.copy(name.data(), name.size());
  std::size_t parameters = filter.parameters.size();
  coder.count(parameters, most_parameters);
  filter.parameters.resize(parameters);
  for (unsigned& parameter : filter.parameters) coder.raw(parameter, 4);
}

/// HDF5 knows one pipeline, that of the elements. The layout has those of other sections.
void encode_fixed_pipeline(PlistCoder& coder, Settings& settings) {
  coder.size_mark(4);
  encode_pipeline(coder, dynamic_cast<Ocpl&>(settings).filters[Ocpl::fixed_section]);
}

void encode_header_flags(PlistCoder& coder, Settings& settings) {
  constexpr unsigned tracked = 4, indexed = 8, times = 32;
  ObjectCreationValues& object = dynamic_cast<Ocpl&>(settings).object;
  unsigned flags = (object.attributes.track_order ? tracked : 0u) |
                   (object.attributes.index_order ? indexed : 0u) | (object.track_times ? times : 0u);
  coder.byte(flags);
  object.attributes.track_order = (flags & tracked) != 0;
  object.attributes.index_order = (flags & indexed) != 0;
  object.track_times = (flags & times) != 0;
}

constexpr LibraryProperty object_create[] = {
    opaque("pline", 72)
        .compared<FILIGREE_FIELD(Ocpl, filters)>()
        .encoded(encode_fixed_pipeline)
        .kept_on_copy(),
    scalar<unsigned, FILIGREE_FIELD(Ocpl, object.attributes.min_dense), Encoding::word>("min dense attr"),
    scalar<unsigned, FILIGREE_FIELD(Ocpl, object.attributes.max_compact), Encoding::word>("max compact attr"),
    opaque("object header flags", 1)
        .compared<FILIGREE_FIELD(Ocpl, object.attributes.track_order),
                  FILIGREE_FIELD(Ocpl, object.attributes.index_order),
                  FILIGREE_FIELD(Ocpl, object.track_times)>()
        .encoded(encode_header_flags),
};

void encode_group_info(PlistCoder& coder, Settings& settings) {
  auto& group = dynamic_cast<Gcpl&>(settings);
  coder.raw(group.local_heap_bytes, 4);
  coder.raw(group.max_compact, 2);
  coder.raw(group.min_dense, 2);
  coder.raw(group.expected_links, 2);
  coder.raw(group.expected_name_bytes, 2);
}

constexpr LibraryProperty group_create[] = {
    opaque("link info", 48)
        .compared<FILIGREE_FIELD(Gcpl, creation_order)>()
        .encoded(encode_field<FILIGREE_FIELD(Gcpl, creation_order), Encoding::word>),
    opaque("group info", 16)
        .compared<FILIGREE_FIELD(Gcpl, local_heap_bytes), FILIGREE_FIELD(Gcpl, max_compact),
                  FILIGREE_FIELD(Gcpl, min_dense), FILIGREE_FIELD(Gcpl, expected_links),
                  FILIGREE_FIELD(Gcpl, expected_name_bytes)>()
        .encoded(encode_group_info),
};

/// The paths in reverse, each with a NUL, and an empty path at the end.
void encode_merge_paths(PlistCoder& coder, Settings& settings) {
  constexpr std::size_t most_paths = 4096;
  auto& paths = dynamic_cast<Ocpypl&>(settings).merge_paths;
  std::string end;
  if (coder.writing()) {
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) coder.terminated(*path);
    return coder.terminated(end);
  }
  paths.clear();
  for (std::string path; coder.terminated(path), !path.empty();) {
    if (paths.size() == most_paths) PlistCoder::refuse("too many paths");
    paths.insert(paths.begin(), path);
  }
}

constexpr LibraryProperty object_copy[] = {
    opaque("committed dtype list search", 16)
        .compared<FILIGREE_FIELD(Ocpypl, merge_callback), FILIGREE_FIELD(Ocpypl, merge_data)>(),
    opaque("merge committed dtype list", 8)
        .compared<FILIGREE_FIELD(Ocpypl, merge_paths)>()
        .encoded(encode_merge_paths)
        .kept_on_copy(),
    scalar<unsigned, FILIGREE_FIELD(Ocpypl, flags), Encoding::word>("copy object"),
};

}  // namespace

void encode_pipeline(PlistCoder& coder, std::vector<FilterSetting>& filters) {
  std::size_t count = filters.size();
  coder.count(count, H5Z_MAX_NFILTERS);
  filters.resize(count);
  for (FilterSetting& filter : filters) encode_filter(coder, filter);
}

std::span<const LibraryProperty> object_create_properties() { return object_create; }
std::span<const LibraryProperty> group_create_properties() { return group_create; }
std::span<const LibraryProperty> object_copy_properties() { return object_copy; }

}  // namespace filigree::capi
