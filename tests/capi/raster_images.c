/* SPDX-License-Identifier: Apache-2.0 */
/* H5IM: raster images of 8 and 24 bits, and palettes. */
#include <hdf5_hl.h>

#include "show.h"

enum { width = 4, height = 3 };

static unsigned char pixels[width * height * 3];

static void show_image(hid_t file, const char* name) {
  hsize_t wide = 77, high = 77, planes = 77;
  hssize_t palettes = 77;
  char interlace[32] = "unchanged";
  int code = H5IMget_image_info(file, name, &wide, &high, &planes, interlace, &palettes);
  printf("%s: %d, %d x %d x %d, %s, %d palettes\n", name, code, (int)wide, (int)high, (int)planes, interlace,
         (int)palettes);
}

static void images(hid_t file) {
  unsigned char read[width * height * 3] = {0};
  hsize_t size;
  hssize_t palettes = 5;
  char interlace[32];
  TRY(H5IMmake_image_8bit(file, "indexed", width, height, pixels));
  TRY(H5IMmake_image_8bit(file, "unwritten", width, height, NULL));
  TRY(H5IMmake_image_8bit(file, "g/inner", width, height, pixels));
  TRY(H5IMmake_image_8bit(file, "indexed", width, height, pixels));
  TRY(H5IMmake_image_8bit(file, NULL, width, height, pixels));
  TRY(H5IMmake_image_8bit(-1, "no", width, height, pixels));
  TRY(H5IMmake_image_24bit(file, "pixels", width, height, "INTERLACE_PIXEL", pixels));
  TRY(H5IMmake_image_24bit(file, "planes", width, height, "INTERLACE_PLANE", pixels));
  TRY(H5IMmake_image_24bit(file, "no", width, height, "INTERLACE_LINE", pixels));
  TRY(H5IMmake_image_24bit(file, "no", width, height, NULL, pixels));
  TRY(H5IMmake_image_24bit(file, NULL, width, height, "INTERLACE_PLANE", pixels));
  TRY(H5IMmake_image_24bit(file, "planes", width, height, "INTERLACE_PLANE", pixels));
  show_image(file, "indexed");
  show_image(file, "g/inner");
  show_image(file, "pixels");
  show_image(file, "planes");
  show_image(file, "absent");
  show_image(file, "g");
  TRY(H5IMget_image_info(file, NULL, &size, &size, &size, interlace, &palettes));
  TRY(H5IMget_image_info(file, "planes", &size, &size, &size, NULL, &palettes));
  TRY(H5IMread_image(file, "indexed", read));
  show_bytes("indexed", read, width * height);
  TRY(H5IMread_image(file, "planes", read));
  show_bytes("planes", read, sizeof read);
  TRY(H5IMread_image(file, NULL, read));
  TRY(H5IMread_image(file, "indexed", NULL));
  SHOW_FAILURE(H5IMread_image(file, "absent", read));
}

static void classes(hid_t file) {
  const char* names[] = {"indexed", "pixels", "planes", "palette", "number", "g",
                         "absent",  "short",  "long",   "numeric", "padded", "other"};
  unsigned i;
  int one = 1;
  hid_t set, type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), attribute;
  new_dataset(file, "short");
  H5LTset_attribute_string(file, "short", "CLASS", "IMA");
  new_dataset(file, "long");
  H5LTset_attribute_string(file, "long", "CLASS", "PALETTES");
  new_dataset(file, "numeric");
  H5LTset_attribute_int(file, "numeric", "CLASS", &one, 1);
  new_dataset(file, "other");
  H5LTset_attribute_string(file, "other", "CLASS", "TABLE");
  new_dataset(file, "padded");
  H5Tset_size(type, 8);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  set = H5Dopen2(file, "padded", NONE);
  attribute = H5Acreate2(set, "CLASS", type, space, NONE, NONE);
  H5Awrite(attribute, type, "IMAGE\0\0");
  H5Aclose(attribute);
  H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
  for (i = 0; i < sizeof names / sizeof *names; ++i) {
    int image, palette;
    H5E_BEGIN_TRY {
      image = H5IMis_image(file, names[i]);
      palette = H5IMis_palette(file, names[i]);
    }
    H5E_END_TRY
    printf("%s: image %d, palette %d\n", names[i], image, palette);
  }
  TRY(H5IMis_image(file, NULL));
  TRY(H5IMis_palette(file, NULL));
  TRY(H5IMis_image(-1, "indexed"));
}

static void show_palettes(hid_t file, const char* name) {
  hssize_t count = 66, i;
  int code = H5IMget_npalettes(file, name, &count);
  printf("%s: %d, %d palettes\n", name, code, (int)count);
  for (i = 0; i < count; ++i) {
    hsize_t dims[2] = {0, 0};
    unsigned char data[64] = {0};
    code = H5IMget_palette_info(file, name, (int)i, dims);
    printf("  %d %d x %d", code, (int)dims[0], (int)dims[1]);
    code = H5IMget_palette(file, name, (int)i, data);
    printf(" %d: %d %d\n", code, data[0], data[5]);
  }
}

static void palettes(hid_t file) {
  hsize_t dims[2] = {4, 3}, small[2] = {2, 3}, found[2] = {55, 55};
  unsigned char data[64];
  hssize_t count;
  TRY(H5IMmake_palette(file, "palette", dims, pixels + 1));
  TRY(H5IMmake_palette(file, "small", small, pixels + 9));
  TRY(H5IMmake_palette(file, "small", dims, pixels));
  TRY(H5IMmake_palette(file, "g", dims, pixels));
  TRY(H5IMmake_palette(file, NULL, dims, pixels));
  TRY(H5IMmake_palette(-1, "no", dims, pixels));
  show_palettes(file, "indexed");
  TRY(H5IMget_palette_info(file, "indexed", 0, found));
  TRY(H5IMget_palette(file, "indexed", 0, data));
  SHOW(found[0]);
  TRY(H5IMunlink_palette(file, "indexed", "palette"));
  TRY(H5IMlink_palette(file, "indexed", "palette"));
  show_palettes(file, "indexed");
  TRY(H5IMlink_palette(file, "indexed", "small"));
  TRY(H5IMlink_palette(file, "indexed", "palette"));
  show_palettes(file, "indexed");
  show_image(file, "indexed");
  TRY(H5IMlink_palette(file, "g/inner", "palette"));
  TRY(H5IMlink_palette(file, "pixels", "small"));
  TRY(H5IMlink_palette(file, NULL, "palette"));
  TRY(H5IMlink_palette(file, "indexed", NULL));
  TRY(H5IMlink_palette(file, "absent", "palette"));
  TRY(H5IMunlink_palette(file, "pixels", "absent"));
  TRY(H5IMunlink_palette(file, "absent", "small"));
  TRY(H5IMunlink_palette(file, NULL, "small"));
  TRY(H5IMunlink_palette(file, "pixels", NULL));
  TRY(H5IMunlink_palette(file, "pixels", "small"));
  show_palettes(file, "pixels");
  TRY(H5IMlink_palette(file, "planes", "palette"));
  TRY(H5IMlink_palette(file, "planes", "small"));
  TRY(H5IMunlink_palette(file, "planes", "small"));
  show_palettes(file, "planes");
  TRY(H5IMget_npalettes(file, NULL, &count));
  TRY(H5IMget_npalettes(file, "absent", &count));
  TRY(H5IMget_palette_info(file, NULL, 0, found));
  TRY(H5IMget_palette_info(file, "absent", 0, found));
  TRY(H5IMget_palette(file, NULL, 0, data));
  TRY(H5IMget_palette(file, "indexed", 0, NULL));
  TRY(H5IMget_palette(file, "absent", 0, data));
}

int main(void) {
  unsigned i;
  hid_t file;
  quiet();
  for (i = 0; i < sizeof pixels; ++i) pixels[i] = (unsigned char)(i * 7 + 1);
  file = new_file("raster_images.h5");
  new_group(file, "g");
  new_dataset(file, "number");
  images(file);
  palettes(file);
  classes(file);
  H5Fclose(file);
  return 0;
}
