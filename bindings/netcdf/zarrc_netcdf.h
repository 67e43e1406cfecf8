/**
 * zarrc_netcdf.h - Zarr stores through netCDF-C.
 *
 * Registers zarrc as a user-defined format of netCDF-C 4.9 or later. Programs in C and Fortran then
 * open and create Zarr stores of any version with nc_open() and nc_create():
 *
 *     zarrc_netcdf_register();
 *     nc_open("data/run1.zarr", NC_UDF0, &ncid);
 *     nc_open("https://host/run1.zarr#mode=udf0", NC_NOWRITE, &ncid);
 *     nc_open("zarrc:s3://bucket/run1.zarr#region=eu-west-1", NC_UDF0, &ncid);
 *
 * A path may be any URL of zarrc_store_open(). netCDF-C rewrites URLs with "://" before it hands
 * them on; the prefix "zarrc:" keeps it from that. What follows "#" are options of
 * zarrc_options_set(), joined by "&"; "mode" is netCDF-C's own.
 *
 * As netCDF-C itself, the functions are not safe to call from several threads at once.
 * docs/netcdf.md tells how Zarr's model and netCDF's correspond.
 */
#ifndef ZARRC_NETCDF_H
#define ZARRC_NETCDF_H

#include <netcdf.h>
#include <netcdf_dispatch.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Registers zarrc as the user-defined format NC_UDF0. Its magic number is "{", which Zarr's
 * documents begin with: nc_open("data/run1.zarr/zarr.json", NC_NOWRITE, &ncid) needs no mode flag.
 * May be called again.
 *
 * @return NC_NOERR; NC_EINVAL: the netCDF-C that runs has another version of the dispatch table
 *         than the one that this library was built with.
 * @since 0.2.0
 */
int zarrc_netcdf_register(void);

/**
 * The dispatch table, to register zarrc in another place: nc_def_user_format(NC_UDF1, ..., NULL).
 * It is static: never free it. netCDF-C 4.10 calls this function where its RC file says so:
 *
 *     NETCDF.UDF0.LIBRARY=/usr/lib/libzarrc_netcdf.so
 *     NETCDF.UDF0.INIT=zarrc_netcdf_dispatch
 *     NETCDF.UDF0.MAGIC={
 *
 * @since 0.2.0
 */
NC_Dispatch *zarrc_netcdf_dispatch(void);

/**
 * Tells why the last call that failed in this thread did: zarrc's message, which names the store,
 * the node and the reason. Empty where no call has failed. Valid until the next call that fails.
 *
 * @since 0.2.0
 */
const char *zarrc_netcdf_error(void);

#ifdef __cplusplus
}
#endif
#endif
