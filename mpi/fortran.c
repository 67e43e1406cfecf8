/* Communicators of Fortran, which are integers there, for the module zarrc_mpi. */
#include "zarrc_mpi.h"

zarrc_status zarrc_mpi_store_open_f(MPI_Fint comm, const char *url, zarrc_mode mode,
                                    const zarrc_options *options, zarrc_mpi_store **store,
                                    zarrc_error *err) {
  return zarrc_mpi_store_open(MPI_Comm_f2c(comm), url, mode, options, store, err);
}
