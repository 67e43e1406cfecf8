# Runs cargo, and makes of its static library one object in which only zarrc_* is global.
# Both libraries are ordinary targets made of that object. Sets
#   ZARRC_ARCHIVE         cargo's static library
#   ZARRC_OBJECT          the object
#   ZARRC_VERSION_SCRIPT  the linker's list of what the shared library exports
#   ZARRC_SYSLIBS         the system libraries that Rust's runtime needs
#   ZARRC_PROGRAM         the command, with the option ZARRC_COMMAND
find_program(CARGO cargo HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin REQUIRED)
find_program(RUSTC rustc HINTS $ENV{CARGO_HOME}/bin $ENV{HOME}/.cargo/bin REQUIRED)
include(CheckCCompilerFlag)

# ---- what cargo is told ----------------------------------------------------

# Cargo's profile by that of CMake, one for each where a generator has several (Ninja Multi-Config).
set(_profile $<IF:$<CONFIG:Debug>,dev,release>)
set(_out $<IF:$<CONFIG:Debug>,debug,release>)
if(ZARRC_CARGO_PROFILE)
  set(_profile ${ZARRC_CARGO_PROFILE})
  string(REGEX REPLACE "^dev$" "debug" _out "${ZARRC_CARGO_PROFILE}")
endif()

set(_target "")
set(_for "")
if(ZARRC_CARGO_TARGET)
  set(_target --target ${ZARRC_CARGO_TARGET})
  set(_out ${ZARRC_CARGO_TARGET}/${_out})
  string(REPLACE "-" "_" _for "_${ZARRC_CARGO_TARGET}")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/Features.cmake) # ZARRC_FEATURE_FLAGS
separate_arguments(_more UNIX_COMMAND "${ZARRC_CARGO_FLAGS}")
set(_always --locked --profile ${_profile} ${_target}
  --manifest-path ${CMAKE_CURRENT_SOURCE_DIR}/Cargo.toml --target-dir ${ZARRC_CARGO_TARGET_DIR} ${_more})

# No path of the builder's stands in the library, so that two builds of one source are equal; but in Debug,
# where debuggers want it. The last flag that fits is taken.
set(_home $ENV{CARGO_HOME})
if(NOT _home)
  set(_home $ENV{HOME}/.cargo)
endif()
separate_arguments(_rustflags UNIX_COMMAND "$ENV{RUSTFLAGS}")
set(_cflags ${CMAKE_C_FLAGS})
if(_cflags MATCHES "-flto") # the C code becomes part of an object, for which it must be compiled
  string(APPEND _cflags " -fno-lto")
endif()
set(_maps "")
check_c_compiler_flag(-ffile-prefix-map=a=b ZARRC_HAS_FILE_PREFIX_MAP)
foreach(_place ${_home}=/cargo ${CMAKE_CURRENT_SOURCE_DIR}=/zarrc ${ZARRC_CARGO_TARGET_DIR}=/target)
  list(APPEND _rustflags --remap-path-prefix=${_place})
  if(ZARRC_HAS_FILE_PREFIX_MAP)
    string(APPEND _maps " -ffile-prefix-map=${_place}")
  endif()
endforeach()
string(ASCII 31 _separator)
list(JOIN _rustflags "${_separator}" _rustflags)

# What is as cargo has it by itself is not said: then `cargo test` and this share what they build.
set(_environment "$<$<NOT:$<CONFIG:Debug>>:CFLAGS${_for}=${_cflags}${_maps}>"
  "$<$<NOT:$<CONFIG:Debug>>:CARGO_ENCODED_RUSTFLAGS=${_rustflags}>")
if(_cflags)
  list(APPEND _environment "$<$<CONFIG:Debug>:CFLAGS${_for}=${_cflags}>")
endif()
find_program(ZARRC_USUAL_CC cc)
if(NOT CMAKE_C_COMPILER STREQUAL ZARRC_USUAL_CC OR ZARRC_CARGO_TARGET)
  list(APPEND _environment CC${_for}=${CMAKE_C_COMPILER})
endif()
if(ZARRC_CARGO_TARGET) # some crates are also shared libraries, which cargo links
  string(TOUPPER CARGO_TARGET${_for}_LINKER _linker)
  list(APPEND _environment ${_linker}=${CMAKE_C_COMPILER})
endif()

# ---- the system libraries --------------------------------------------------

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
# These two the compiler adds by itself, as the kind of link wants them: -static has no libgcc_s.
list(REMOVE_ITEM ZARRC_SYSLIBS -lgcc_s -lc)

# ---- the object ------------------------------------------------------------

# cargo runs in every build: it knows what is stale, and finds out in a tenth of a second.
set(ZARRC_ARCHIVE ${ZARRC_CARGO_TARGET_DIR}/${_out}/libzarrc.a)
set(ZARRC_SYSLIBS_FILE ${ZARRC_CARGO_TARGET_DIR}/native-static-libs-${_profile}.txt)
add_custom_target(zarrc_cargo
  COMMAND ${CMAKE_COMMAND} -E env "${_environment}"
          ${CARGO} rustc --lib --crate-type staticlib ${_always} ${ZARRC_FEATURE_FLAGS}
          -- --print native-static-libs=${ZARRC_SYSLIBS_FILE}
  BYPRODUCTS ${ZARRC_ARCHIVE}
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  COMMENT "Building the Rust library"
  COMMAND_EXPAND_LISTS USES_TERMINAL VERBATIM)

# The compiler links, for it knows what its linker must be told.
set(_link ${CMAKE_C_COMPILER})
if(CMAKE_C_COMPILER_TARGET)
  list(APPEND _link --target=${CMAKE_C_COMPILER_TARGET})
endif()
# GNU's objcopy, also beside clang: what llvm-objcopy 14 writes of so many sections, GNU ld cannot read.
execute_process(COMMAND ${_link} -print-prog-name=objcopy
  OUTPUT_VARIABLE _objcopy OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
find_program(ZARRC_OBJCOPY NAMES ${_objcopy} ${CMAKE_OBJCOPY} REQUIRED)
set(_folder ${CMAKE_CURRENT_BINARY_DIR})
get_property(_multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(_multi)
  set(_folder ${CMAKE_CURRENT_BINARY_DIR}/$<CONFIG>)
endif()
set(ZARRC_OBJECT ${_folder}/zarrc.o)
add_custom_command(OUTPUT ${ZARRC_OBJECT}
  COMMAND ${CMAKE_COMMAND}
          -DIN=${ZARRC_ARCHIVE} -DOUT=${ZARRC_OBJECT} -DSTRIP=$<CONFIG:Release,MinSizeRel>
          -DHEADER=${CMAKE_CURRENT_SOURCE_DIR}/include/zarrc.h
          "-DLINK=${_link}" -DOBJCOPY=${ZARRC_OBJCOPY}
          -P ${CMAKE_CURRENT_LIST_DIR}/localise.cmake
  DEPENDS ${ZARRC_ARCHIVE} zarrc_cargo ${CMAKE_CURRENT_LIST_DIR}/localise.cmake
          ${CMAKE_CURRENT_SOURCE_DIR}/include/zarrc.h
  COMMENT "Keeping only zarrc_* global" VERBATIM)
# Two libraries use the object; without a target of its own, make -j would build it twice at once.
add_custom_target(zarrc_object DEPENDS ${ZARRC_OBJECT})

set(ZARRC_VERSION_SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/zarrc.map)
file(CONFIGURE OUTPUT ${ZARRC_VERSION_SCRIPT}
  CONTENT "ZARRC_${ZARRC_ABI} { global: zarrc_*; local: *; };\n")

# ---- the command -----------------------------------------------------------

# After the library: a second cargo would wait for the first.
if(ZARRC_COMMAND)
  set(_built ${ZARRC_CARGO_TARGET_DIR}/${_out}/zarrc${CMAKE_EXECUTABLE_SUFFIX})
  add_custom_target(zarrc_cargo_command
    COMMAND ${CMAKE_COMMAND} -E env "${_environment}"
            ${CARGO} build --package zarrc-cli ${_always} ${ZARRC_COMMAND_FLAGS}
    BYPRODUCTS ${_built}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Building the command"
    COMMAND_EXPAND_LISTS USES_TERMINAL VERBATIM)
  add_dependencies(zarrc_cargo_command zarrc_cargo)

  # Its manual pages and completions it writes itself.
  set(ZARRC_PROGRAM ${_folder}/command/zarrc${CMAKE_EXECUTABLE_SUFFIX})
  set(ZARRC_PAGES ${_folder}/command/pages)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " _emulator)
  add_custom_command(OUTPUT ${ZARRC_PROGRAM}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${_folder}/command
    COMMAND ${ZARRC_OBJCOPY} $<$<CONFIG:Release,MinSizeRel>:--strip-debug> ${_built} ${ZARRC_PROGRAM}
    COMMAND ${CMAKE_COMMAND} "-DEMULATOR=${_emulator}" -DPROGRAM=${ZARRC_PROGRAM} -DOUT=${ZARRC_PAGES}
            -P ${CMAKE_CURRENT_LIST_DIR}/pages.cmake
    DEPENDS ${_built} zarrc_cargo_command ${CMAKE_CURRENT_LIST_DIR}/pages.cmake
    COMMENT "Writing the command's manual pages and completions"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(zarrc_command ALL DEPENDS ${ZARRC_PROGRAM})
endif()
