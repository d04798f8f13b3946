! SPDX-License-Identifier: Apache-2.0
! What programs do with HDF5 for Fortran and MPI.
program tour
  use hdf5
  use mpi
  implicit none
  integer :: ierr, rank, ranks, comm, info
  integer(hid_t) :: fapl, file, space, mem, dset, dxpl
  integer(hsize_t) :: dims(1), start(1), cnt(1)
  integer :: values(4), i, mode
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  call h5open_f(ierr)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, ierr)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, ierr)
  if (rank == 0) print *, 'set', ierr
  call h5pget_fapl_mpio_f(fapl, comm, info, ierr)
  if (rank == 0) print *, 'get', ierr
  call h5fcreate_f('tour.h5', H5F_ACC_TRUNC_F, file, ierr, access_prp=fapl)
  if (rank == 0) print *, 'create', ierr
  dims(1) = 4 * ranks
  call h5screate_simple_f(1, dims, space, ierr)
  call h5dcreate_f(file, 'data', H5T_STD_I32LE, space, dset, ierr)
  cnt(1) = 4
  start(1) = 4 * rank
  call h5screate_simple_f(1, cnt, mem, ierr)
  call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, start, cnt, ierr)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, ierr)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, ierr)
  call h5pget_dxpl_mpio_f(dxpl, mode, ierr)
  if (rank == 0) print *, 'mode', mode == H5FD_MPIO_COLLECTIVE_F
  values = [(10 * rank + i, i = 1, 4)]
  call h5dwrite_f(dset, H5T_NATIVE_INTEGER, values, cnt, ierr, mem, space, dxpl)
  if (rank == 0) print *, 'write', ierr
  values = 0
  call h5dread_f(dset, H5T_NATIVE_INTEGER, values, cnt, ierr, mem, space, dxpl)
  if (rank == 0) print *, 'read', ierr, values
  call h5dclose_f(dset, ierr)
  call h5fclose_f(file, ierr)
  if (rank == 0) print *, 'close', ierr
  call h5close_f(ierr)
  call mpi_finalize(ierr)
end program
