/* The functions of the dispatch table; their meaning is netCDF-C's. */
#ifndef ZARRC_NETCDF_DISPATCH_H
#define ZARRC_NETCDF_DISPATCH_H

#include "internal.h"

enum { ZN_FILTER_ZSTD = 32015 };

/* attribute.c */
int zn_natts(int ncid, int varid, int *count);
int zn_inq_att(int, int, const char *, nc_type *, size_t *);
int zn_inq_attid(int, int, const char *, int *);
int zn_inq_attname(int, int, int, char *);
int zn_get_att(int, int, const char *, void *, nc_type);
int zn_put_att(int, int, const char *, nc_type, size_t, const void *, nc_type);
int zn_del_att(int, int, const char *);
int zn_rename_att(int, int, const char *, const char *);

/* inquire.c */
int zn_inq_format(int, int *);
int zn_inq_format_extended(int, int *, int *);
int zn_show_metadata(int);
int zn_inq(int, int *, int *, int *, int *);
int zn_inq_dimid(int, const char *, int *);
int zn_inq_dim(int, int, char *, size_t *);
int zn_inq_unlimdim(int, int *);
int zn_inq_unlimdims(int, int *, int *);
int zn_inq_dimids(int, int *, int *, int);
int zn_inq_ncid(int, const char *, int *);
int zn_inq_grp_full_ncid(int, const char *, int *);
int zn_inq_grps(int, int *, int *);
int zn_inq_grpname(int, char *);
int zn_inq_grpname_full(int, size_t *, char *);
int zn_inq_grp_parent(int, int *);
int zn_inq_typeids(int, int *, int *);
int zn_inq_type(int, nc_type, char *, size_t *);
int zn_inq_typeid(int, const char *, nc_type *);
int zn_inq_type_equal(int, nc_type, int, nc_type, int *);
int zn_inq_varid(int, const char *, int *);
int zn_inq_varids(int, int *, int *);
int zn_inq_var_all(int, int, char *, nc_type *, int *, int *, int *, int *, int *, int *, int *,
                   int *, size_t *, int *, void *, int *, unsigned *, size_t *, unsigned *);
int zn_inq_var_filter_ids(int, int, size_t *, unsigned *);
int zn_inq_var_filter_info(int, int, unsigned, size_t *, unsigned *);
int zn_inq_filter_avail(int, unsigned);
int zn_inq_var_quantize(int, int, int *, int *);
int zn_set_var_chunk_cache(int, int, size_t, size_t, float);
int zn_get_var_chunk_cache(int, int, size_t *, size_t *, float *);

/* define.c */
int zn_def_dim(int, const char *, size_t, int *);
int zn_rename_dim(int, int, const char *);
int zn_def_grp(int, const char *, int *);
int zn_def_var(int, const char *, nc_type, int, const int *, int *);
int zn_rename_var(int, int, const char *);
int zn_def_var_fill(int, int, int, const void *);
int zn_def_var_deflate(int, int, int, int, int);
int zn_def_var_fletcher32(int, int, int);
int zn_def_var_chunking(int, int, int, const size_t *);
int zn_def_var_endian(int, int, int);
int zn_def_var_filter(int, int, unsigned, size_t, const unsigned *);

/* transfer.c */
int zn_get_vara(int, int, const size_t *, const size_t *, void *, nc_type);
int zn_put_vara(int, int, const size_t *, const size_t *, const void *, nc_type);
int zn_get_vars(int, int, const size_t *, const size_t *, const ptrdiff_t *, void *, nc_type);
int zn_put_vars(int, int, const size_t *, const size_t *, const ptrdiff_t *, const void *, nc_type);
int zn_get_varm(int, int, const size_t *, const size_t *, const ptrdiff_t *, const ptrdiff_t *,
                void *, nc_type);
int zn_put_varm(int, int, const size_t *, const size_t *, const ptrdiff_t *, const ptrdiff_t *,
                const void *, nc_type);

#endif
