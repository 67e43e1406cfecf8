/* Opening, creating and closing files, and the dispatch table. */
#include "dispatch.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* Removes the name of a document from a URL: netCDF-C detects a store by that file. */
static void strip_document(char *url) {
  static const char *const names[] = {"zarr.json", ".zgroup", ".zarray", ".zmetadata"};
  char *slash = strrchr(url, '/');
  for (size_t i = 0; slash && i < sizeof names / sizeof *names; i++)
    if (strcmp(slash + 1, names[i]) == 0) {
      slash[slash == url] = 0;
      return;
    }
}

/* Splits a path of netCDF into zarrc's URL and the options behind "#". */
static int parse(const char *path, char **url, zarrc_options **options) {
  static const char prefix[] = "zarrc:";
  zarrc_error err;
  *options = zarrc_options_new();
  *url = strdup(strncmp(path, prefix, sizeof prefix - 1) == 0 ? path + sizeof prefix - 1 : path);
  int status = *url && *options ? NC_NOERR : NC_ENOMEM;
  char *fragment = status ? NULL : strrchr(*url, '#'), *rest = NULL;
  if (fragment && !strchr(fragment, '=')) /* part of a name */
    fragment = NULL;
  if (fragment)
    *fragment++ = 0;
  for (char *item = fragment ? strtok_r(fragment, "&", &rest) : NULL; item && !status;
       item = strtok_r(NULL, "&", &rest)) {
    char *value = strchr(item, '=');
    if (value)
      *value++ = 0;
    if (strcmp(item, "mode") != 0 &&
        zarrc_options_set(*options, item, value ? value : "", &err) != ZARRC_OK)
      status = zn_status(&err);
  }
  if (status) {
    free(*url);
    zarrc_options_free(*options);
  } else {
    strip_document(*url);
  }
  return status;
}

/* Returns whether new arrays are Zarr v2, which has a document of its own at the root. */
static bool is_v2(const zarrc_store *store) {
  zarrc_error err;
  uint8_t *value = NULL;
  size_t size = 0;
  bool found = zarrc_store_get(store, ".zgroup", &value, &size, &err) == ZARRC_OK;
  zarrc_value_free(value, size);
  return found;
}

static int begin(const char *path, zarrc_mode mode, int ncid, zn_file **begun, char **url) {
  zarrc_error err;
  zarrc_options *options;
  int status = parse(path, url, &options);
  if (status)
    return status;
  zn_file *file = calloc(1, sizeof *file);
  if (!file) {
    status = NC_ENOMEM;
  } else if (zarrc_store_open(*url, mode, options, &file->store, &err) != ZARRC_OK) {
    status = zn_status(&err);
    free(file);
  } else {
    file->ncid = ncid;
    file->writable = mode != ZARRC_READ;
    *begun = file;
  }
  zarrc_options_free(options);
  if (status)
    free(*url);
  return status;
}

/* Closes all handles of a file. The file is closed even if an error is returned. */
static int end(zn_file *file, int status) {
  zarrc_error err;
  zarrc_store *store = file->store;
  zn_free_file(file);
  if (zarrc_store_close(store, &err) != ZARRC_OK && !status)
    status = zn_status(&err);
  return status;
}

int zn_open(const char *path, int mode, int basepe, size_t *hint, void *parameters,
            const NC_Dispatch *table, int ncid) {
  (void)basepe, (void)hint, (void)table;
  zn_file *file;
  char *url;
  if (parameters)
    return NC_ENOPAR;
  int status = begin(path, mode & NC_WRITE ? ZARRC_READ_WRITE : ZARRC_READ, ncid, &file, &url);
  if (status)
    return status;
  status = zn_load(file, url);
  free(url);
  if (!status)
    status = zn_register_file(file);
  file->v2 = file->writable && is_v2(file->store);
  return status ? end(file, status) : NC_NOERR;
}

int zn_create(const char *path, int mode, size_t initial, int basepe, size_t *hint,
              void *parameters, const NC_Dispatch *table, int ncid) {
  (void)initial, (void)basepe, (void)hint, (void)table;
  zarrc_error err;
  zn_file *file;
  zn_group *root;
  char *url;
  if (parameters)
    return NC_ENOPAR;
  int status = begin(path, mode & NC_NOCLOBBER ? ZARRC_CREATE : ZARRC_OVERWRITE, ncid, &file, &url);
  if (status)
    return status;
  free(url);
  file->created = true;
  status = zn_add_group(file, NULL, "/", &root);
  if (!status &&
      zarrc_group_create(file->store, "", ZARRC_FORMAT_ANY, &root->handle, &err) != ZARRC_OK)
    status = zn_status(&err);
  if (!status)
    status = zn_register_file(file);
  file->v2 = is_v2(file->store);
  return status ? end(file, status) : NC_NOERR;
}

int zn_close(int ncid, void *parameters) {
  (void)parameters;
  zn_file *file;
  int status = zn_find(ncid, &file, NULL);
  return status ? status : end(file, zn_sync(file));
}

int zn_abort(int ncid) {
  zn_file *file;
  zarrc_error err;
  int status = zn_find(ncid, &file, NULL);
  if (status)
    return status;
  /* a file that never left define mode is taken away again */
  if (file->created && zarrc_node_delete(file->store, "", &err) != ZARRC_OK)
    status = zn_status(&err);
  return end(file, status);
}

int zn_redef(int ncid) {
  zn_file *file;
  int status = zn_find(ncid, &file, NULL);
  return status ? status : file->writable ? NC_NOERR : NC_EPERM;
}

int zn_sync_file(int ncid) {
  zn_file *file;
  int status = zn_find(ncid, &file, NULL);
  return status ? status : file->writable ? zn_sync(file) : zn_refresh(file);
}

int zn_enddef(int ncid, size_t a, size_t b, size_t c, size_t d) {
  (void)a, (void)b, (void)c, (void)d;
  return zn_sync_file(ncid);
}

int zn_set_fill(int ncid, int mode, int *old) {
  zn_file *file;
  int status = zn_find(ncid, &file, NULL);
  if (status)
    return status;
  if (mode != NC_FILL && mode != NC_NOFILL)
    return NC_EINVAL;
  if (old)
    *old = file->no_fill ? NC_NOFILL : NC_FILL;
  file->no_fill = mode == NC_NOFILL;
  return NC_NOERR;
}

static NC_Dispatch table = {
    .model = NC_FORMATX_UDF0,
    .dispatch_version = NC_DISPATCH_VERSION,
    .create = zn_create,
    .open = zn_open,
    .redef = zn_redef,
    ._enddef = zn_enddef,
    .sync = zn_sync_file,
    .abort = zn_abort,
    .close = zn_close,
    .set_fill = zn_set_fill,
    .inq_format = zn_inq_format,
    .inq_format_extended = zn_inq_format_extended,
    .inq = zn_inq,
    .inq_type = zn_inq_type,
    .def_dim = zn_def_dim,
    .inq_dimid = zn_inq_dimid,
    .inq_dim = zn_inq_dim,
    .inq_unlimdim = zn_inq_unlimdim,
    .rename_dim = zn_rename_dim,
    .inq_att = zn_inq_att,
    .inq_attid = zn_inq_attid,
    .inq_attname = zn_inq_attname,
    .rename_att = zn_rename_att,
    .del_att = zn_del_att,
    .get_att = zn_get_att,
    .put_att = zn_put_att,
    .def_var = zn_def_var,
    .inq_varid = zn_inq_varid,
    .rename_var = zn_rename_var,
    .get_vara = zn_get_vara,
    .put_vara = zn_put_vara,
    .get_vars = zn_get_vars,
    .put_vars = zn_put_vars,
    .get_varm = zn_get_varm,
    .put_varm = zn_put_varm,
    .inq_var_all = zn_inq_var_all,
    .var_par_access = NC_NOTNC4_var_par_access,
    .def_var_fill = zn_def_var_fill,
    .show_metadata = zn_show_metadata,
    .inq_unlimdims = zn_inq_unlimdims,
    .inq_ncid = zn_inq_ncid,
    .inq_grps = zn_inq_grps,
    .inq_grpname = zn_inq_grpname,
    .inq_grpname_full = zn_inq_grpname_full,
    .inq_grp_parent = zn_inq_grp_parent,
    .inq_grp_full_ncid = zn_inq_grp_full_ncid,
    .inq_varids = zn_inq_varids,
    .inq_dimids = zn_inq_dimids,
    .inq_typeids = zn_inq_typeids,
    .inq_type_equal = zn_inq_type_equal,
    .def_grp = zn_def_grp,
    .rename_grp = NC_NOTNC4_rename_grp,
    .inq_user_type = NC_NOTNC4_inq_user_type,
    .inq_typeid = zn_inq_typeid,
    .def_compound = NC_NOTNC4_def_compound,
    .insert_compound = NC_NOTNC4_insert_compound,
    .insert_array_compound = NC_NOTNC4_insert_array_compound,
    .inq_compound_field = NC_NOTNC4_inq_compound_field,
    .inq_compound_fieldindex = NC_NOTNC4_inq_compound_fieldindex,
    .def_vlen = NC_NOTNC4_def_vlen,
    .put_vlen_element = NC_NOTNC4_put_vlen_element,
    .get_vlen_element = NC_NOTNC4_get_vlen_element,
    .def_enum = NC_NOTNC4_def_enum,
    .insert_enum = NC_NOTNC4_insert_enum,
    .inq_enum_member = NC_NOTNC4_inq_enum_member,
    .inq_enum_ident = NC_NOTNC4_inq_enum_ident,
    .def_opaque = NC_NOTNC4_def_opaque,
    .def_var_deflate = zn_def_var_deflate,
    .def_var_fletcher32 = zn_def_var_fletcher32,
    .def_var_chunking = zn_def_var_chunking,
    .def_var_endian = zn_def_var_endian,
    .def_var_filter = zn_def_var_filter,
    .set_var_chunk_cache = zn_set_var_chunk_cache,
    .get_var_chunk_cache = zn_get_var_chunk_cache,
    .inq_var_filter_ids = zn_inq_var_filter_ids,
    .inq_var_filter_info = zn_inq_var_filter_info,
    .def_var_quantize = NC_NOTNC4_def_var_quantize,
    .inq_var_quantize = zn_inq_var_quantize,
    .inq_filter_avail = zn_inq_filter_avail,
};

NC_Dispatch *zarrc_netcdf_dispatch(void) { return &table; }

int zarrc_netcdf_register(void) {
  static char magic[] = "{"; /* documents are JSON objects */
  return nc_def_user_format(NC_UDF0, &table, magic);
}
