# A toolchain that builds for Linux with glibc 2.17 or later, on this machine or for another:
#   pip install cargo-zigbuild ziglang && rustup target add aarch64-unknown-linux-gnu
#   cmake -S . -B build-aarch64 --toolchain cmake/zig.cmake -DZARRC_MACHINE=aarch64
# With qemu-user and the libraries of libc6-arm64-cross, its programs and tests run here.
set(ZARRC_MACHINE x86_64 CACHE STRING "The machine: x86_64 or aarch64")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZARRC_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${ZARRC_MACHINE})
set(ZARRC_CARGO_TARGET ${ZARRC_MACHINE}-unknown-linux-gnu)

# One program each, because cargo and C build scripts take a path. cargo-zigbuild drops the flags of
# rustc and gcc that zig lacks.
find_program(ZARRC_ZIGBUILD cargo-zigbuild REQUIRED)
set(_tools ${CMAKE_BINARY_DIR}/zig)
if(NOT EXISTS ${_tools}/${ZARRC_MACHINE}-c++)
  foreach(_tool cc c++)
    file(WRITE ${_tools}/${ZARRC_MACHINE}-${_tool}
      "#!/bin/sh\nexec ${ZARRC_ZIGBUILD} zig ${_tool} -- -target ${ZARRC_MACHINE}-linux-gnu.2.17 \"$@\"\n")
    file(CHMOD ${_tools}/${ZARRC_MACHINE}-${_tool}
      PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE)
  endforeach()
endif()
set(CMAKE_C_COMPILER ${_tools}/${ZARRC_MACHINE}-cc)
set(CMAKE_CXX_COMPILER ${_tools}/${ZARRC_MACHINE}-c++)
# gcc adds an unwinder by itself; this one is linked in, so that libgcc_s is not needed
set(CMAKE_C_STANDARD_LIBRARIES_INIT -lunwind)
find_program(ZARRC_OBJCOPY ${ZARRC_MACHINE}-linux-gnu-objcopy REQUIRED)

find_program(ZARRC_QEMU qemu-${ZARRC_MACHINE})
if(ZARRC_QEMU AND NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL ZARRC_MACHINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${ZARRC_QEMU} -L /usr/${ZARRC_MACHINE}-linux-gnu)
endif()
