// SPDX-License-Identifier: Apache-2.0
//
// Properties of dataset creation for elements in other files: external files and virtual datasets.
#include <string_view>

#include "capi/H5P/plist_calls.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Creation = DatasetCreationSettings;

std::shared_ptr<const SpaceValue> mapped_space(hid_t id) {
  const auto handle = ids().find_as<SpaceHandle>(id);
  if (handle == nullptr) throw Failure({&H5E_PLIST_g, &H5E_BADTYPE_g}, "not a dataspace");
  return handle->value.get();
}

bool selects_points(const SpaceValue& space) {
  return space.selection && space.selection->kind() == space::Selection::Kind::points;
}

/// Returns whether a name contains the number of a block (%b). *Throws* Failure for other uses of %.
bool has_block_number(std::string_view name) {
  bool found = false;
  for (std::size_t at = name.find('%'); at != name.npos; at = name.find('%', at + 2)) {
    const std::string_view mark = name.substr(at, 2);
    if (mark != "%b" && mark != "%%")
      throw Failure({&H5E_PLIST_g, &H5E_CANTINIT_g}, "a % in a source name is followed by neither b nor %");
    found = found || mark == "%b";
  }
  return found;
}

/// Checks a mapping in which every block has a source of its own.
void check_blocks(const space::UnlimitedSlab& slab, const SpaceValue& source_space) {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < slab.dims().size(); ++d) {
    const space::SlabDimension& dim = slab.dims()[d];
    if (dim.block == H5S_UNLIMITED) bad_value("a block without limit cannot have a source of its own");
    elements *= d == slab.dimension() ? dim.block : dim.count * dim.block;
  }
  if (elements != selected_elements(source_space))
    bad_value("a block and its source have different numbers of elements");
}

/// Checks what can be checked before the extents of the datasets are known.
void check_mapping(const SpaceValue& virtual_space, const SpaceValue& source_space, bool numbered) {
  const Code unfit{&H5E_PLIST_g, &H5E_BADVALUE_g};
  if (selects_points(virtual_space) || selects_points(source_space))
    throw Failure(unfit, "mappings of points are not supported");
  if (source_space.unlimited && !virtual_space.unlimited)
    throw Failure(unfit, "a source without limit needs virtual elements without limit");
  if (!virtual_space.unlimited && selected_elements(virtual_space) != selected_elements(source_space))
    throw Failure(unfit, "the selections of virtual and source have different numbers of elements");
  const bool has_blocks = virtual_space.unlimited && !source_space.unlimited;
  if (numbered && !has_blocks) bad_value("%b needs virtual elements without limit and a source with one");
  if (!has_blocks) return;
  if (!numbered) bad_value("virtual elements without limit need %b, or a source without limit");
  check_blocks(*virtual_space.unlimited, source_space);
}

/// *Throws* bad_value() when the list has no mapping with that index.
MappingSetting mapping(hid_t id, std::size_t index) {
  const auto settings = get_settings<Creation>(id);
  if (settings->layout != H5D_VIRTUAL) bad_value("not a virtual storage layout");
  if (index >= settings->mappings.size()) out_of_range("there is no mapping of that number");
  return settings->mappings[index];
}

}  // namespace

herr_t H5Pset_external(hid_t plist_id, const char* name, off_t offset, hsize_t size) {
  return api_call(plist_call("H5Pset_external"), [&] {
    if (name == nullptr || *name == '\0') bad_value("no name given");
    if (offset < 0) bad_value("the offset in an external file is not negative");
    if (size == 0) bad_value("an external file has at least one byte");
    change_settings<Creation>(plist_id, {"efl"}, [&](auto& s) {
      std::uint64_t total = 0;
      for (const ExternalFile& file : s.external) {
        if (file.bytes == unlimited) bad_value("the previous file is without limit");
        total += file.bytes;
      }
      if (size != H5F_UNLIMITED && total + size < total)
        throw Failure({&H5E_EFL_g, &H5E_OVERFLOW_g}, "the external files are too large together");
      s.external.push_back({name, static_cast<std::uint64_t>(offset), size});
    });
  });
}

int H5Pget_external_count(hid_t plist_id) {
  return api_call(plist_call("H5Pget_external_count"),
                  [&] { return static_cast<int>(get_settings<Creation>(plist_id)->external.size()); });
}

herr_t H5Pget_external(hid_t plist_id, unsigned idx, size_t name_size, char* name, off_t* offset,
                       hsize_t* size) {
  return api_call(plist_call("H5Pget_external"), [&] {
    const auto settings = get_settings<Creation>(plist_id);
    if (idx >= settings->external.size()) out_of_range("there is no external file of that number");
    const ExternalFile& file = settings->external[idx];
    // Like strncpy: a name that fills the buffer has no NUL.
    if (name_size > 0 && name != nullptr) {
      file.path.copy(name, name_size);
      if (file.path.size() < name_size) name[file.path.size()] = '\0';
    }
    store_if(offset, file.offset);
    store_if(size, file.bytes);
  });
}

herr_t H5Pset_virtual(hid_t dcpl_id, hid_t vspace_id, const char* src_file_name, const char* src_dset_name,
                      hid_t src_space_id) {
  return api_call(plist_call("H5Pset_virtual"), [&] {
    const auto virtual_space = mapped_space(vspace_id);
    const auto source_space = mapped_space(src_space_id);
    if (src_file_name == nullptr) throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "no name of a source file");
    if (src_dset_name == nullptr)
      throw Failure({&H5E_PLIST_g, &H5E_BADRANGE_g}, "no name of a source dataset");
    const bool file_numbered = has_block_number(src_file_name),
               set_numbered = has_block_number(src_dset_name);
    check_mapping(*virtual_space, *source_space, file_numbered || set_numbered);
    change_settings<Creation>(dcpl_id, {"layout"}, [&](auto& s) {
      s.mappings.push_back({*virtual_space, *source_space, src_file_name, src_dset_name});
      // As in HDF5, the allocation time stays. It has no meaning for virtual datasets.
      s.layout = H5D_VIRTUAL;
      s.chunk.clear();
      s.chunk_options = s.structured_kind = 0;
    });
  });
}

herr_t H5Pget_virtual_count(hid_t dcpl_id, size_t* count) {
  return api_call(plist_call("H5Pget_virtual_count"), [&] {
    const auto settings = get_settings<Creation>(dcpl_id);
    if (count == nullptr) return;
    if (settings->layout != H5D_VIRTUAL) bad_value("not a virtual storage layout");
    store_if(count, settings->mappings.size());
  });
}

hid_t H5Pget_virtual_vspace(hid_t dcpl_id, size_t index) {
  return api_call(plist_call("H5Pget_virtual_vspace"),
                  [&] { return add_space(mapping(dcpl_id, index).virtual_space); });
}

hid_t H5Pget_virtual_srcspace(hid_t dcpl_id, size_t index) {
  return api_call(plist_call("H5Pget_virtual_srcspace"),
                  [&] { return add_space(mapping(dcpl_id, index).source_space); });
}

ssize_t H5Pget_virtual_filename(hid_t dcpl_id, size_t index, char* name, size_t size) {
  return api_call(plist_call("H5Pget_virtual_filename"),
                  [&] { return copy_string(mapping(dcpl_id, index).file, name, size); });
}

ssize_t H5Pget_virtual_dsetname(hid_t dcpl_id, size_t index, char* name, size_t size) {
  return api_call(plist_call("H5Pget_virtual_dsetname"),
                  [&] { return copy_string(mapping(dcpl_id, index).dataset, name, size); });
}
