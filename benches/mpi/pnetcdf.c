/* The job with PnetCDF: one contiguous big-endian variable of a CDF-5 file, without compression. */
#include "job.h"

#include <pnetcdf.h>

static int code;
#define OK(call) ((code = (call)) == NC_NOERR ? (void)0 : fail(#call, ncmpi_strerror(code)))

int main(int argc, char **argv) {
  begin(argc, argv);
  int writes = is("op", "write"), file, variable, dimensions[3];
  MPI_Offset start[3], count[3];
  for (int d = 0; d < 3; d++)
    start[d] = (MPI_Offset)start_[d], count[d] = (MPI_Offset)count_[d];
  if (writes) {
    OK(ncmpi_create(MPI_COMM_WORLD, text("path"), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL,
                    &file));
    for (int d = 0; d < 3; d++)
      OK(ncmpi_def_dim(file, d == 0 ? "z" : d == 1 ? "y" : "x", (MPI_Offset)edge, &dimensions[d]));
    OK(ncmpi_def_var(file, "a", NC_FLOAT, 3, dimensions, &variable));
    OK(ncmpi_enddef(file));
  } else {
    OK(ncmpi_open(MPI_COMM_WORLD, text("path"), NC_NOWRITE, MPI_INFO_NULL, &file));
    OK(ncmpi_inq_varid(file, "a", &variable));
  }
  start_clock();
  if (writes)
    OK(ncmpi_put_vara_float_all(file, variable, start, count, mine));
  else
    OK(ncmpi_get_vara_float_all(file, variable, start, count, mine));
  OK(ncmpi_close(file));
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - began;
  finish(seconds);
  return 0;
}
