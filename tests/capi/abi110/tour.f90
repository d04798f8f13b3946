! SPDX-License-Identifier: Apache-2.0
!
! A tour of HDF5's Fortran library, which Debian builds on the C library of 1.10.
program tour
  use hdf5
  use h5lt
  use iso_c_binding
  implicit none

  integer(hid_t) :: file, space, set, plist, attribute, group, type, memory
  integer(hsize_t) :: dims(2), chunk(2), found(2), most(2), start(2), counts(2), one(1)
  integer :: error, values(6, 4), part(3, 2), i, k, kind, links, layout, filters, number(1)
  real(c_double) :: real_values(3)
  character(len=20) :: text
  character(len=80) :: name
  integer(size_t) :: length
  logical :: exists

  call h5open_f(error)
  call show("open", error)
  call h5fcreate_f("tour_f.h5", H5F_ACC_TRUNC_F, file, error)
  call show("create", error)
  do k = 1, 4
    do i = 1, 6
      values(i, k) = 10 * i + k
    end do
  end do
  dims = (/6, 4/)
  chunk = (/3, 2/)
  call h5screate_simple_f(2, dims, space, error)
  call h5pcreate_f(H5P_DATASET_CREATE_F, plist, error)
  call h5pset_chunk_f(plist, 2, chunk, error)
  call h5pset_deflate_f(plist, 4, error)
  call h5dcreate_f(file, "numbers", H5T_STD_I32BE, space, set, error, plist)
  call show("dataset", error)
  call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, dims, error)
  call show("write", error)
  call h5screate_f(H5S_SCALAR_F, memory, error)
  call h5tcopy_f(H5T_FORTRAN_S1, type, error)
  length = 5
  call h5tset_size_f(type, length, error)
  call h5acreate_f(set, "unit", type, memory, attribute, error)
  call h5awrite_f(attribute, type, "metre", one, error)
  call show("attribute", error)
  call h5iget_type_f(attribute, kind, error)
  print *, "is an attribute:", kind == H5I_ATTR_F
  call h5aclose_f(attribute, error)
  call h5iget_type_f(plist, kind, error)
  print *, "is a property list:", kind == H5I_GENPROP_LST_F
  call h5iget_type_f(set, kind, error)
  print *, "is a dataset:", kind == H5I_DATASET_F
  call h5dclose_f(set, error)
  call h5gcreate_f(file, "group", group, error)
  real_values = (/1.5d0, 2.5d0, 3.5d0/)
  one = (/3/)
  call h5ltmake_dataset_f(group, "reals", 1, one, H5T_NATIVE_DOUBLE, real_values, error)
  call show("high level", error)
  number = (/42/)
  length = 1
  call h5ltset_attribute_int_f(group, "reals", "answer", number, length, error)
  call show("high level attribute", error)
  call h5gclose_f(group, error)
  call h5fclose_f(file, error)

  call h5fopen_f("tour_f.h5", H5F_ACC_RDONLY_F, file, error)
  call h5dopen_f(file, "numbers", set, error)
  call h5dget_space_f(set, space, error)
  call h5sget_simple_extent_dims_f(space, found, most, error)
  print *, "extent", found, most
  start = (/2, 1/)
  counts = (/3, 2/)
  call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, start, counts, error)
  call h5screate_simple_f(2, counts, memory, error)
  call h5dread_f(set, H5T_NATIVE_INTEGER, part, counts, error, memory, space)
  print *, "part", part
  call h5dget_create_plist_f(set, plist, error)
  call h5pget_layout_f(plist, layout, error)
  call h5pget_nfilters_f(plist, filters, error)
  print *, "chunked:", layout == H5D_CHUNKED_F, "filters", filters
  call h5aopen_f(set, "unit", attribute, error)
  call h5aread_f(attribute, type, text, one, error)
  print *, "unit ", text(1:5)
  call h5aclose_f(attribute, error)
  length = 80
  call h5iget_name_f(set, name, length, length, error)
  print *, "name ", trim(name(1:length))
  call h5gn_members_f(file, "/", links, error)
  print *, "members", links
  call h5lexists_f(file, "group", exists, error)
  print *, "group exists:", exists
  one = (/3/)
  call h5ltread_dataset_f(file, "group/reals", H5T_NATIVE_DOUBLE, real_values, one, error)
  print *, "reals", real_values
  call h5ltget_attribute_int_f(file, "group/reals", "answer", number, error)
  print *, "answer", number
  call h5eset_auto_f(0, error)
  call h5dopen_f(file, "nothing", group, error)
  call show("nothing", error)
  call h5dclose_f(set, error)
  call h5fclose_f(file, error)
  call h5close_f(error)

contains

  subroutine show(what, code)
    character(len=*), intent(in) :: what
    integer, intent(in) :: code
    print *, what, code
  end subroutine show
end program tour
