/* Statuses of zarrc as those of netCDF, and the message behind the last one. */
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last[sizeof((zarrc_error *)0)->message];

const char *zarrc_netcdf_error(void) { return last; }

int zn_fail(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last, sizeof last, format, arguments);
  va_end(arguments);
  return status;
}

int zn_status(const zarrc_error *err) {
  if (err->status == ZARRC_OK)
    return NC_NOERR;
  memcpy(last, err->message, sizeof last);
  switch (err->status) {
  case ZARRC_INVALID_ARGUMENT:
    return NC_EINVAL;
  case ZARRC_OUT_OF_BOUNDS:
    return NC_EEDGE;
  case ZARRC_NOT_FOUND:
    return ENOENT; /* netCDF gives numbers of the system as they are */
  case ZARRC_ALREADY_EXISTS:
    return NC_EEXIST;
  case ZARRC_INVALID_METADATA:
    return NC_ENOTNC;
  case ZARRC_UNSUPPORTED:
    return NC_ENOTBUILT;
  case ZARRC_TYPE_MISMATCH:
    return NC_ERANGE;
  case ZARRC_PERMISSION_DENIED:
    return err->system_code > 0 && err->system_code < 200 ? err->system_code : NC_EPERM;
  case ZARRC_OUT_OF_MEMORY:
  case ZARRC_LIMIT_EXCEEDED:
    return NC_ENOMEM;
  default:
    return err->system_code > 0 && err->system_code < 200 ? err->system_code : NC_EIO;
  }
}
