# cmake -DIN=lib.a -DOUT=one.o -DSTRIP=0|1 -DLD= -DNM= -DOBJCOPY= -P localise.cmake
# Makes of a Rust static library one object in which only the functions zarrc_* are global, so that
# the compression libraries inside it never meet a program's own.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE out ERROR_VARIABLE said)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${said}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

run(${NM} --defined-only --extern-only ${IN})
string(REGEX MATCHALL " T zarrc_[a-z0-9_]+" api "${out}")
if(NOT api)
  message(FATAL_ERROR "${IN} defines no zarrc_ function")
endif()
list(TRANSFORM api REPLACE " T " "")
list(SORT api)
list(JOIN api "\n" keep)
file(WRITE ${OUT}.keep "${keep}\n")

# --undefined pulls in the members that the API needs. Not --gc-sections: with -r, GNU ld makes
# weak references of dropped code local, and objcopy then makes them strong.
list(TRANSFORM api PREPEND "--undefined=")
run(${LD} -r ${api} -o ${OUT} ${IN})
# .llvmbc, .llvmcmd: bitcode in Rust's own objects, on which an LLVM plugin of ar and nm can die.
set(flags --remove-section=.llvmbc --remove-section=.llvmcmd --keep-global-symbols=${OUT}.keep)
if(STRIP)
  list(APPEND flags --strip-debug)
endif()
run(${OBJCOPY} ${flags} ${OUT})
