# zarrc::fortran: the module zarrc, compiled by the compiler of the project that uses it.
if(TARGET zarrc_fortran)
  return()
endif()
if(NOT DEFINED ZARRC_FORTRAN_DIR)
  set(ZARRC_FORTRAN_DIR ${PACKAGE_PREFIX_DIR}/share/zarrc/fortran)
endif()
add_library(zarrc_fortran STATIC EXCLUDE_FROM_ALL
  ${ZARRC_FORTRAN_DIR}/zarrc_c.f90 ${ZARRC_FORTRAN_DIR}/zarrc_memory.f90 ${ZARRC_FORTRAN_DIR}/zarrc.f90)
set_target_properties(zarrc_fortran PROPERTIES
  POSITION_INDEPENDENT_CODE ON Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/zarrc_fortran)
target_include_directories(zarrc_fortran PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/zarrc_fortran)
target_link_libraries(zarrc_fortran PUBLIC zarrc::zarrc)
add_library(zarrc::fortran ALIAS zarrc_fortran)
