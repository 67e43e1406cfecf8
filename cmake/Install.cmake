# What `cmake --install` puts where, and `cpack`: the libraries and the header, the CMake package,
# zarrc.pc, the licences, the command. The component lib is what programs need to run, dev what
# building them takes, tools the command.
include(CMakePackageConfigHelpers)
set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/zarrc)
install(TARGETS zarrc zarrc_static EXPORT zarrcTargets
  LIBRARY       DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lib NAMELINK_COMPONENT dev
  ARCHIVE       DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT zarrcTargets NAMESPACE zarrc:: DESTINATION ${_package} COMPONENT dev)
set(ZARRC_FORTRAN_INSTALL_DIR ${CMAKE_INSTALL_DATAROOTDIR}/zarrc/fortran)
configure_package_config_file(cmake/zarrcConfig.cmake.in zarrcConfig.cmake
  INSTALL_DESTINATION ${_package} PATH_VARS ZARRC_FORTRAN_INSTALL_DIR)
write_basic_package_version_file(zarrcConfigVersion.cmake COMPATIBILITY ${_compatible})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/zarrcConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/zarrcConfigVersion.cmake
  DESTINATION ${_package} COMPONENT dev)

# zarrc.pc finds its prefix from where it lies: as many steps up as the path has names. Under /usr it
# names that, which pkg-config knows for the system's and leaves out: plain -lzarrc.
list(JOIN ZARRC_SYSLIBS " " ZARRC_PC_LIBS)
string(REGEX REPLACE "[^/]+" ".." _up "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
set(ZARRC_PC_PREFIX "\${pcfiledir}/${_up}")
configure_file(cmake/zarrc.pc.in pkgconfig/zarrc.pc @ONLY)
set(ZARRC_PC_PREFIX /usr)
configure_file(cmake/zarrc.pc.in pkgconfig/usr/zarrc.pc @ONLY)
install(CODE "
  set(zarrc_pc pkgconfig)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(zarrc_pc pkgconfig/usr)
  endif()
  file(INSTALL \"${CMAKE_CURRENT_BINARY_DIR}/\${zarrc_pc}/zarrc.pc\"
    DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")"
  COMPONENT dev)

# by the ABI's name, so that two of them may be installed side by side
install(FILES LICENSE-MIT LICENSE-APACHE LICENSE-BUNDLED
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libzarrc${ZARRC_ABI} COMPONENT lib)

if(ZARRC_COMMAND)
  install(PROGRAMS ${ZARRC_PROGRAM} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(DIRECTORY ${ZARRC_PAGES}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
  set(_share ${CMAKE_INSTALL_DATAROOTDIR})
  install(DIRECTORY ${ZARRC_PAGES}/bash/ DESTINATION ${_share}/bash-completion/completions COMPONENT tools)
  install(DIRECTORY ${ZARRC_PAGES}/zsh/ DESTINATION ${_share}/zsh/site-functions COMPONENT tools)
  install(DIRECTORY ${ZARRC_PAGES}/fish/ DESTINATION ${_share}/fish/vendor_completions.d COMPONENT tools)
endif()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall
    COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
    COMMENT "Deleting what the last installation from here has put there" VERBATIM)

  # A tarball that runs wherever it is unpacked: cd build && cpack. The Debian packages: debian/.
  string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" _machine)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_NAME zarrc)
  set(CPACK_PACKAGE_FILE_NAME zarrc-${PROJECT_VERSION}-${_machine})
  set(CPACK_STRIP_FILES ON)
  include(CPack)
endif()
