# netCDF::netcdf: netCDF-C whose dispatch table is of the version that libzarrc_netcdf fills in.
if(NOT TARGET netCDF::netcdf)
  find_path(NETCDF_INCLUDE_DIR netcdf_dispatch.h)
  find_library(NETCDF_LIBRARY netcdf)
  if(NETCDF_INCLUDE_DIR AND NETCDF_LIBRARY)
    file(STRINGS ${NETCDF_INCLUDE_DIR}/netcdf_dispatch.h _version
      REGEX "define NC_DISPATCH_VERSION 5" LIMIT_COUNT 1)
    if(_version)
      add_library(netCDF::netcdf UNKNOWN IMPORTED)
      set_target_properties(netCDF::netcdf PROPERTIES IMPORTED_LOCATION ${NETCDF_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${NETCDF_INCLUDE_DIR})
    endif()
  endif()
endif()
