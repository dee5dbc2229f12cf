# A second MPI library, of the other kind than the first: handles are addresses in Open MPI and
# numbers in MPICH's family. With both, libkith.so is built for Open MPI, and hands over to
# libkith-mpich.so beside it where a program brings MPICH. Only the header is needed, nothing of the
# library is linked.
set(KITH_OTHER_MPI AUTO CACHE STRING
  "C compiler wrapper of a second MPI library; AUTO: mpicc.mpich or mpicc.openmpi where there is one; OFF: none")

# kith_mpi_kind(VARIABLE LIBRARY): "openmpi" or "mpich".
function(kith_mpi_kind variable library)
  if(library MATCHES "^Open MPI")
    set(${variable} openmpi PARENT_SCOPE)
  else()
    set(${variable} mpich PARENT_SCOPE)
  endif()
endfunction()

# kith_find_other_mpi(): sets KITH_OTHER_KIND, KITH_OTHER_INCLUDE_DIRS and KITH_OTHER_LIBRARY, or
# none of them.
function(kith_find_other_mpi)
  if(NOT KITH_OTHER_MPI)
    return()
  endif()
  kith_mpi_kind(first "${KITH_MPI_LIBRARY}")
  if(KITH_OTHER_MPI STREQUAL "AUTO")
    if(CMAKE_CROSSCOMPILING)
      return()  # a compiler that is found would be this machine's
    endif()
    set(name mpicc.openmpi)
    if(first STREQUAL "openmpi")
      set(name mpicc.mpich)
    endif()
    find_program(compiler NAMES ${name} NO_CACHE)
    if(NOT compiler)
      return()
    endif()
  else()
    find_program(compiler NAMES "${KITH_OTHER_MPI}" NO_CACHE)
    if(NOT compiler)
      message(FATAL_ERROR "KITH_OTHER_MPI: expected the compiler wrapper of an MPI library, AUTO or OFF, found '${KITH_OTHER_MPI}'")
    endif()
  endif()
  # MPICH's wrapper and Open MPI's print the command that they would run.
  foreach(option -show --showme)
    execute_process(COMMAND "${compiler}" ${option} OUTPUT_VARIABLE command ERROR_QUIET RESULT_VARIABLE status)
    separate_arguments(flags UNIX_COMMAND "${command}")
    list(FILTER flags INCLUDE REGEX "^-I.")
    if(status EQUAL 0 AND flags)
      break()
    endif()
  endforeach()
  list(TRANSFORM flags REPLACE "^-I" "" OUTPUT_VARIABLE MPI_C_INCLUDE_DIRS)
  kith_mpi_library(library)
  kith_mpi_kind(kind "${library}")
  if(NOT library OR kind STREQUAL first)
    if(NOT KITH_OTHER_MPI STREQUAL "AUTO")
      message(FATAL_ERROR "KITH_OTHER_MPI: expected an MPI library of another kind than ${KITH_MPI_LIBRARY}, found '${library}' with ${compiler}")
    endif()
    return()
  endif()
  set(KITH_OTHER_KIND "${kind}" PARENT_SCOPE)
  set(KITH_OTHER_LIBRARY "${library}" PARENT_SCOPE)
  set(KITH_OTHER_INCLUDE_DIRS "${MPI_C_INCLUDE_DIRS}" PARENT_SCOPE)
endfunction()
