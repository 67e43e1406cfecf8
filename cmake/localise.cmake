# cmake -DIN=lib.a -DOUT=one.o -DHEADER=zarrc.h -DSTRIP=0|1 -DLINK=cc -DOBJCOPY= -P localise.cmake
# Makes of a Rust static library one object in which only the header's functions are global, so that
# the compression libraries inside it never meet a program's own.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed ERROR_VARIABLE said)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${said}")
  endif()
endfunction()

# Not by nm: the toolchain's may be too old for the bitcode in Rust's objects.
file(STRINGS ${HEADER} lines REGEX "^[a-z].*[ *]zarrc_[a-z0-9_]+\\(")
set(api "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "zarrc_[a-z0-9_]+\\(" name "${line}")
  string(REPLACE "(" "" name "${name}")
  list(APPEND api ${name})
endforeach()
list(SORT api)
list(JOIN api "\n" keep)
file(WRITE ${OUT}.keep "${keep}\n")

# --undefined pulls in the members that the API needs. Not --gc-sections: with -r, GNU ld makes
# weak references of dropped code local, and objcopy then makes them strong.
list(TRANSFORM api PREPEND "-Wl,--undefined=")
run(${LINK} -r -nostdlib ${api} -o ${OUT} ${IN})
# .llvmbc, .llvmcmd: bitcode in Rust's own objects, on which an LLVM plugin of ar and nm can die.
set(flags --remove-section=.llvmbc --remove-section=.llvmcmd --keep-global-symbols=${OUT}.keep)
if(STRIP)
  list(APPEND flags --strip-debug)
endif()
run(${OBJCOPY} ${flags} ${OUT})
