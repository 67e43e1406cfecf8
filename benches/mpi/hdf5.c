/* The job with parallel HDF5: collective transfers into chunks, as compressed datasets need them. */
#include "job.h"

#include <hdf5.h>

#define OK(call) ((call) >= 0 ? (void)0 : fail(#call, "HDF5 has failed"))

int main(int argc, char **argv) {
  begin(argc, argv);
  int writes = is("op", "write");
  hsize_t shape[3] = {edge, edge, edge}, chunks[3] = {chunk, chunk, chunk}, start[3], count[3];
  for (int d = 0; d < 3; d++)
    start[d] = start_[d], count[d] = count_[d];
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER), file, set;
  OK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  OK(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  OK(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE));
  if (writes) {
    hid_t space = H5Screate_simple(3, shape, NULL), create = H5Pcreate(H5P_DATASET_CREATE);
    OK(file = H5Fcreate(text("path"), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    if (!is("layout", "contiguous"))
      OK(H5Pset_chunk(create, 3, chunks));
    if (is("codec", "gzip"))
      OK(H5Pset_deflate(create, 5));
    OK(H5Pset_fill_time(create, H5D_FILL_TIME_NEVER));
    OK(set = H5Dcreate2(file, "a", H5T_IEEE_F32LE, space, H5P_DEFAULT, create, H5P_DEFAULT));
  } else {
    OK(file = H5Fopen(text("path"), H5F_ACC_RDONLY, access));
    OK(set = H5Dopen2(file, "a", H5P_DEFAULT));
  }
  hid_t memory = H5Screate_simple(3, count, NULL), where = H5Dget_space(set);
  OK(H5Sselect_hyperslab(where, H5S_SELECT_SET, start, NULL, count, NULL));
  start_clock();
  if (writes)
    OK(H5Dwrite(set, H5T_NATIVE_FLOAT, memory, where, transfer, mine));
  else
    OK(H5Dread(set, H5T_NATIVE_FLOAT, memory, where, transfer, mine));
  OK(H5Dclose(set));
  OK(H5Fclose(file));
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - began;
  finish(seconds);
  return 0;
}
