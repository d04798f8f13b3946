// SPDX-License-Identifier: Apache-2.0
//
// Raster images and their palettes: datasets of bytes with attributes, as the HDF5 Image and Palette
// Specification says.
#include <algorithm>
#include <string_view>

#include <hdf5_hl.h>

#include "capi/hl/attributes.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

constexpr const char* image_class = "IMAGE";
constexpr const char* palette_class = "PALETTE";
constexpr const char* palette_list = "PALETTE";  ///< the attribute of images that refers to palettes
constexpr std::string_view by_pixel = "INTERLACE_PIXEL", by_plane = "INTERLACE_PLANE";
constexpr int max_image_rank = 3;

/// Makes a dataset of bytes, and returns its id.
OwnedId make_bytes(hid_t loc_id, const char* path, const std::vector<hsize_t>& dims,
                   const unsigned char* data) {
  checked(
      H5LTmake_dataset(loc_id, path, static_cast<int>(dims.size()), dims.data(), H5T_NATIVE_UCHAR_g, data));
  return open_dataset(loc_id, path);
}

OwnedId make_image(hid_t loc_id, const char* path, const std::vector<hsize_t>& dims,
                   const unsigned char* data) {
  OwnedId image = make_bytes(loc_id, path, dims, data);
  set_text_attribute(image, "CLASS", image_class);
  set_text_attribute(image, "IMAGE_VERSION", "1.2");
  return image;
}

/// Returns whether the CLASS of a dataset is `expected`. As in HDF5, the shorter of both strings decides.
bool is_of_class(hid_t dataset, std::string_view expected) {
  if (!has_attribute(dataset, "CLASS")) return false;
  const OwnedId attribute = open_attribute(dataset, "CLASS");
  const OwnedId type(H5Aget_type(attribute));
  if (H5Tget_class(type) != H5T_STRING || H5Tget_strpad(type) != H5T_STR_NULLTERM)
    refuse("CLASS is not a text that ends with a null character");
  if (element_count(attribute) == 0) refuse("CLASS is empty");
  if (checked(H5Tis_variable_str(type)) > 0) return false;
  const std::string text = get_text_attribute(dataset, "CLASS");
  const std::size_t length = std::min(text.size(), expected.size());
  return std::string_view(text).substr(0, length) == expected.substr(0, length);
}

/// The dimensions of an image. Those that the dataset does not have are 0.
struct ImageDims {
  explicit ImageDims(hid_t dataset) {
    const OwnedId space(H5Dget_space(dataset));
    if (checked(H5Sget_simple_extent_ndims(space)) > max_image_rank)
      refuse("an image has at most " + std::to_string(max_image_rank) + " dimensions");
    checked(H5Sget_simple_extent_dims(space, size, nullptr));
  }
  hsize_t size[max_image_rank] = {};
};

struct ImageSize {
  hsize_t width, height, planes;
};

ImageSize arrange(const ImageDims& dims, std::string_view interlace) {
  const auto& size = dims.size;
  if (interlace.empty()) return {size[1], size[0], 1};
  if (interlace.starts_with(by_pixel)) return {size[1], size[0], size[2]};
  if (interlace.starts_with(by_plane)) return {size[2], size[1], size[0]};
  refuse("unknown INTERLACE_MODE " + std::string(interlace));
}

hssize_t count_palettes(hid_t image) {
  if (!has_attribute(image, palette_list)) return 0;
  const OwnedId attribute = open_attribute(image, palette_list);
  const OwnedId type(H5Aget_type(attribute));
  return H5Tget_class(type) == H5T_REFERENCE ? static_cast<hssize_t>(element_count(attribute)) : 0;
}

std::vector<hobj_ref_t> palettes_of(hid_t image) {
  const OwnedId attribute = open_attribute(image, palette_list);
  const OwnedId type(H5Aget_type(attribute));
  if (checked(H5Tequal(type, H5T_STD_REF_OBJ_g)) == 0)
    refuse("PALETTE does not consist of object references");
  std::vector<hobj_ref_t> palettes(element_count(attribute));
  checked(H5Aread(attribute, type, palettes.data()));
  return palettes;
}

/// Opens a palette of an image.
OwnedId open_palette(hid_t image, int number) {
  const std::vector<hobj_ref_t> palettes = palettes_of(image);
  if (number < 0 || static_cast<std::size_t>(number) >= palettes.size())
    refuse("the image has " + std::to_string(palettes.size()) + " palettes: there is no number " +
           std::to_string(number));
  return OwnedId(
      H5Rdereference2(image, H5P_DEFAULT, H5R_OBJECT, &palettes[static_cast<std::size_t>(number)]));
}

/// Writes the references to palettes. A single one is a scalar, as in HDF5.
void write_palettes(hid_t image, const std::vector<hobj_ref_t>& palettes) {
  const hsize_t count = palettes.size();
  const OwnedId space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr));
  remove_attribute(image, palette_list);
  const OwnedId attribute(
      H5Acreate2(image, palette_list, H5T_STD_REF_OBJ_g, space, H5P_DEFAULT, H5P_DEFAULT));
  checked(H5Awrite(attribute, H5T_STD_REF_OBJ_g, palettes.data()));
}

}  // namespace

herr_t H5IMmake_image_8bit(hid_t loc_id, const char* dset_name, hsize_t width, hsize_t height,
                           const unsigned char* buffer) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId image = make_image(loc_id, dset_name, {height, width}, buffer);
    set_text_attribute(image, "IMAGE_SUBCLASS", "IMAGE_INDEXED");
  });
}

herr_t H5IMmake_image_24bit(hid_t loc_id, const char* dset_name, hsize_t width, hsize_t height,
                            const char* interlace, const unsigned char* buffer) {
  return high_level(outer(__func__), [&](auto&) {
    const std::string_view mode = required_argument(interlace, "interlace");
    constexpr hsize_t colors = 3;
    std::vector<hsize_t> dims{height, width, colors};
    if (mode.starts_with(by_plane)) {
      dims = {colors, height, width};
    } else if (!mode.starts_with(by_pixel)) {
      refuse("interlace must be INTERLACE_PIXEL or INTERLACE_PLANE");
    }
    const OwnedId image = make_image(loc_id, dset_name, dims, buffer);
    set_text_attribute(image, "IMAGE_SUBCLASS", "IMAGE_TRUECOLOR");
    set_text_attribute(image, "INTERLACE_MODE", interlace);
  });
}

herr_t H5IMget_image_info(hid_t loc_id, const char* dset_name, hsize_t* width, hsize_t* height,
                          hsize_t* planes, char* interlace, hssize_t* npals) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(dset_name, "dset_name");
    required_argument(interlace, "interlace");
    *required_argument(npals, "npals") = 0;
    const OwnedId image = open_dataset(loc_id, dset_name);
    std::string mode;
    if (has_attribute(image, "INTERLACE_MODE")) {
      mode = get_text_attribute(image, "INTERLACE_MODE");
      // Programs have buffers for the two valid modes.
      if (mode.empty() || mode.size() > by_pixel.size()) refuse("unknown INTERLACE_MODE " + mode);
      std::copy_n(mode.c_str(), mode.size() + 1, interlace);
    }
    const ImageSize size = arrange(ImageDims(image), mode);
    *required_argument(height, "height") = size.height;
    *required_argument(width, "width") = size.width;
    *required_argument(planes, "planes") = size.planes;
    *npals = count_palettes(image);
  });
}

herr_t H5IMread_image(hid_t loc_id, const char* dset_name, unsigned char* buffer) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId image = open_dataset(loc_id, dset_name);
    checked(H5Dread(image, H5T_NATIVE_UCHAR_g, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer));
  });
}

herr_t H5IMis_image(hid_t loc_id, const char* dset_name) {
  return high_level(herr_t{-1}, outer(__func__),
                    [&](auto&) { return is_of_class(open_dataset(loc_id, dset_name), image_class) ? 1 : 0; });
}

herr_t H5IMis_palette(hid_t loc_id, const char* dset_name) {
  return high_level(herr_t{-1}, outer(__func__), [&](auto&) {
    return is_of_class(open_dataset(loc_id, dset_name), palette_class) ? 1 : 0;
  });
}

herr_t H5IMmake_palette(hid_t loc_id, const char* pal_name, const hsize_t* pal_dims,
                        const unsigned char* pal_data) {
  return high_level(outer(__func__), [&](auto&) {
    // As in HDF5, a link of that name is reason enough to do nothing.
    if (H5LTfind_dataset(loc_id, required_argument(pal_name, "pal_name")) == 1) return;
    required_argument(pal_dims, "pal_dims");
    const OwnedId palette = make_bytes(loc_id, pal_name, {pal_dims[0], pal_dims[1]}, pal_data);
    set_text_attribute(palette, "CLASS", palette_class);
    set_text_attribute(palette, "PAL_VERSION", "1.2");
  });
}

herr_t H5IMlink_palette(hid_t loc_id, const char* image_name, const char* pal_name) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(image_name, "image_name");
    required_argument(pal_name, "pal_name");
    const OwnedId image = open_dataset(loc_id, image_name);
    std::vector<hobj_ref_t> palettes;
    if (has_attribute(image, palette_list)) palettes = palettes_of(image);
    hobj_ref_t added = 0;
    checked(H5Rcreate(&added, loc_id, pal_name, H5R_OBJECT, H5I_INVALID_HID));
    palettes.push_back(added);
    write_palettes(image, palettes);
  });
}

herr_t H5IMunlink_palette(hid_t loc_id, const char* image_name, const char* pal_name) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(image_name, "image_name");
    if (H5LTfind_dataset(loc_id, required_argument(pal_name, "pal_name")) == 0)
      refuse(std::string("there is no palette ") + pal_name);
    const OwnedId image = open_dataset(loc_id, image_name);
    if (!has_attribute(image, palette_list)) refuse("the image has no palettes");
    const OwnedId type(H5Aget_type(open_attribute(image, palette_list)));
    // As in HDF5, the image then has no palette at all.
    if (H5Tget_class(type) == H5T_REFERENCE) checked(H5Adelete(image, palette_list));
  });
}

herr_t H5IMget_npalettes(hid_t loc_id, const char* image_name, hssize_t* npals) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(image_name, "image_name");
    *required_argument(npals, "npals") = 0;
    *npals = count_palettes(open_dataset(loc_id, image_name));
  });
}

herr_t H5IMget_palette_info(hid_t loc_id, const char* image_name, int pal_number, hsize_t* pal_dims) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId image = open_dataset(loc_id, image_name, "image_name");
    if (!has_attribute(image, palette_list)) return;
    const OwnedId space(H5Dget_space(open_palette(image, pal_number)));
    if (checked(H5Sget_simple_extent_ndims(space)) > 2) refuse("a palette has two dimensions");
    checked(H5Sget_simple_extent_dims(space, required_argument(pal_dims, "pal_dims"), nullptr));
  });
}

herr_t H5IMget_palette(hid_t loc_id, const char* image_name, int pal_number, unsigned char* pal_data) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(image_name, "image_name");
    required_argument(pal_data, "pal_data");
    const OwnedId image = open_dataset(loc_id, image_name);
    if (!has_attribute(image, palette_list)) return;
    const OwnedId palette = open_palette(image, pal_number);
    const OwnedId type(H5Dget_type(palette));
    checked(H5Dread(palette, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pal_data));
  });
}
