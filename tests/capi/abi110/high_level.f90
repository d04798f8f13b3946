! SPDX-License-Identifier: Apache-2.0
!
! Tables and raster images of HDF5's Fortran library, which Debian builds on the C library of 1.10.
program high_level
  use hdf5
  use h5tb
  use h5im
  implicit none

  integer(hid_t) :: file, type_ids(2)
  integer(hsize_t) :: fields, records, start, width, height, planes, palettes_dims(2)
  integer(hsize_t), parameter :: two = 2, four = 4, chunk = 3
  integer(size_t) :: type_size, offsets(2), sizes(2), bytes
  integer :: error, numbers(4), read_numbers(6), i, pixels(12), read_pixels(12), colors(6), is_image
  integer(hsize_t) :: palettes
  double precision :: reals(4), read_reals(6)
  character(len=8) :: names(2), found_names(2)
  character(len=16) :: interlace

  call h5open_f(error)
  call h5fcreate_f("high_level_f.h5", H5F_ACC_TRUNC_F, file, error)
  type_ids = (/H5T_NATIVE_INTEGER, H5T_NATIVE_DOUBLE/)
  names = (/"number  ", "real    "/)
  call h5tget_size_f(H5T_NATIVE_INTEGER, sizes(1), error)
  call h5tget_size_f(H5T_NATIVE_DOUBLE, sizes(2), error)
  offsets = (/int(0, size_t), sizes(1)/)
  type_size = sizes(1) + sizes(2)
  call h5tbmake_table_f("A title", file, "table", two, four, type_size, names, offsets, type_ids, chunk, 0, error)
  print *, "make", error
  numbers = (/(10 * i, i = 1, 4)/)
  reals = (/(0.5d0 * i, i = 1, 4)/)
  start = 0
  call h5tbwrite_field_name_f(file, "table", "number", start, four, sizes(1), numbers, error)
  print *, "write", error
  call h5tbwrite_field_index_f(file, "table", 2, start, four, sizes(2), reals, error)
  print *, "write", error
  call h5tbinsert_field_f(file, "table", "late", H5T_NATIVE_INTEGER, 2, numbers, error)
  print *, "insert", error
  call h5tbread_field_name_f(file, "table", "late", start, four, sizes(1), read_numbers(1:4), error)
  print *, "read", error, read_numbers(1:4)
  call h5tbdelete_field_f(file, "table", "late", error)
  print *, "delete", error
  call h5tbget_table_info_f(file, "table", fields, records, error)
  print *, "info", error, fields, records
  call h5tbget_field_info_f(file, "table", two, found_names, sizes, offsets, bytes, error)
  print *, "fields", error, found_names, sizes, offsets, bytes
  call h5tbread_field_index_f(file, "table", 2, start, four, sizes(2), read_reals(1:4), error)
  print *, "read", error, read_reals(1:4)

  pixels = (/(i, i = 1, 12)/)
  colors = (/(i + 100, i = 1, 6)/)
  width = 4
  height = 3
  call h5immake_image_8bit_f(file, "image", width, height, pixels, error)
  print *, "image", error
  palettes_dims = (/2, 3/)
  call h5immake_palette_f(file, "palette", palettes_dims, colors, error)
  call h5imlink_palette_f(file, "image", "palette", error)
  print *, "palette", error
  call h5imget_image_info_f(file, "image", width, height, planes, interlace, palettes, error)
  print *, "info", error, width, height, planes, palettes
  call h5imread_image_f(file, "image", read_pixels, error)
  print *, "read", error, read_pixels
  is_image = h5imis_image_f(file, "image")
  print *, "is image", is_image, h5imis_palette_f(file, "palette")
  call h5imget_palette_info_f(file, "image", 0, palettes_dims, error)
  print *, "palette", error, palettes_dims
  call h5imget_palette_f(file, "image", 0, colors, error)
  print *, "colors", error, colors
  call h5imunlink_palette_f(file, "image", "palette", error)
  call h5imget_npalettes_f(file, "image", palettes, error)
  print *, "palettes", error, palettes
  call h5fclose_f(file, error)
  call h5close_f(error)
end program high_level
