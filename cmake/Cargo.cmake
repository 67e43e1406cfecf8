# Runs cargo, and makes of its static library one object in which only zarrc_* is global.
# Both libraries are ordinary targets made of that object. Sets
#   ZARRC_OBJECT          the object
#   ZARRC_VERSION_SCRIPT  the linker's list of what the shared library exports
#   ZARRC_SYSLIBS         the system libraries that Rust's runtime needs
find_program(CARGO cargo HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin REQUIRED)
find_program(RUSTC rustc HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin REQUIRED)

if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(_profile dev)
  set(_out debug)
else()
  set(_profile release)
  set(_out release)
endif()
if(ZARRC_CARGO_TARGET)
  set(_target --target ${ZARRC_CARGO_TARGET})
  set(_out ${ZARRC_CARGO_TARGET}/${_out})
endif()

include(${CMAKE_CURRENT_LIST_DIR}/Features.cmake) # ZARRC_FEATURE_FLAGS

# rustc knows which system libraries its programs need.
set(_probe ${CMAKE_CURRENT_BINARY_DIR}/probe.a)
execute_process(
  COMMAND ${RUSTC} ${_target} --crate-type staticlib --crate-name probe -o ${_probe}
          --print native-static-libs -
  INPUT_FILE /dev/null ERROR_VARIABLE _said RESULT_VARIABLE _failed)
if(_failed OR NOT _said MATCHES "native-static-libs: ([^\n]*)")
  message(FATAL_ERROR "rustc did not name its native-static-libs:\n${_said}")
endif()
separate_arguments(ZARRC_SYSLIBS UNIX_COMMAND "${CMAKE_MATCH_1}")
file(REMOVE ${_probe})

# cargo runs in every build: it knows what is stale, and finds out in a tenth of a second.
set(_archive ${ZARRC_CARGO_TARGET_DIR}/${_out}/libzarrc.a)
set(ZARRC_SYSLIBS_FILE ${ZARRC_CARGO_TARGET_DIR}/native-static-libs-${_profile}.txt)
add_custom_target(zarrc_cargo
  COMMAND ${CMAKE_COMMAND} -E env "CC=${CMAKE_C_COMPILER}"
          ${CARGO} rustc --lib --locked --profile ${_profile} --crate-type staticlib ${_target}
          --manifest-path ${CMAKE_CURRENT_SOURCE_DIR}/Cargo.toml
          --target-dir ${ZARRC_CARGO_TARGET_DIR} ${ZARRC_FEATURE_FLAGS} ${ZARRC_CARGO_FLAGS}
          -- --print native-static-libs=${ZARRC_SYSLIBS_FILE}
  BYPRODUCTS ${_archive}
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  COMMENT "Building the Rust library"
  USES_TERMINAL VERBATIM)

set(ZARRC_OBJECT ${CMAKE_CURRENT_BINARY_DIR}/zarrc.o)
add_custom_command(OUTPUT ${ZARRC_OBJECT}
  COMMAND ${CMAKE_COMMAND}
          -DIN=${_archive} -DOUT=${ZARRC_OBJECT} -DSTRIP=$<CONFIG:Release>
          -DLD=${CMAKE_LINKER} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY}
          -P ${CMAKE_CURRENT_LIST_DIR}/localise.cmake
  DEPENDS ${_archive} zarrc_cargo ${CMAKE_CURRENT_LIST_DIR}/localise.cmake
  COMMENT "Keeping only zarrc_* global" VERBATIM)
# Two libraries use the object; without a target of its own, make -j would build it twice at once.
add_custom_target(zarrc_object DEPENDS ${ZARRC_OBJECT})

set(ZARRC_VERSION_SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/zarrc.map)
file(CONFIGURE OUTPUT ${ZARRC_VERSION_SCRIPT}
  CONTENT "ZARRC_${ZARRC_ABI} { global: zarrc_*; local: *; };\n")
