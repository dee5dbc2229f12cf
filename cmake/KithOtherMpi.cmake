# The kinds of MPI libraries: handles are addresses in Open MPI, numbers in MPICH's family, and both below
# the standard's own interface (libmpi_abi of MPI 5). libkith.so is built for Open MPI, and hands over
# to libkith-mpich.so beside it, or libkith-standard.so, where a program brings one of those. Only headers
# are needed, nothing of the libraries is linked; a kind without a header here is built with ours
# (lib/preload/mpi/interfaces).
set(KITH_OTHER_MPI AUTO CACHE STRING
  "C compiler wrapper of a second MPI library; AUTO: mpicc.mpich or mpicc.openmpi where there is one; BUILTIN: no header of it is read; OFF: the first library alone")

option(KITH_STANDARD_MPI
  "Build libkith-standard.so as well, for libmpi_abi of MPI 5 (not with KITH_OTHER_MPI=OFF)" ON)

# kith_mpi_kind(VARIABLE LIBRARY): "openmpi" or "mpich".
function(kith_mpi_kind variable library)
  if(library MATCHES "^Open MPI")
    set(${variable} openmpi PARENT_SCOPE)
  else()
    set(${variable} mpich PARENT_SCOPE)
  endif()
endfunction()

# kith_find_mpi_wrapper(VARIABLE FIRST_KIND): the compiler wrapper that KITH_OTHER_MPI asks for; empty where
# AUTO finds none, and for BUILTIN.
function(kith_find_mpi_wrapper variable first)
  unset(compiler)
  if(KITH_OTHER_MPI STREQUAL "BUILTIN")
    set(${variable} "" PARENT_SCOPE)
    return()
  endif()
  if(NOT KITH_OTHER_MPI STREQUAL "AUTO")
    find_program(compiler NAMES "${KITH_OTHER_MPI}" NO_CACHE)
    if(NOT compiler)
      message(FATAL_ERROR "KITH_OTHER_MPI: expected the compiler wrapper of an MPI library, AUTO, BUILTIN or OFF, found '${KITH_OTHER_MPI}'")
    endif()
  elseif(NOT CMAKE_CROSSCOMPILING)  # one that is found would be this machine's
    set(name mpicc.openmpi)
    if(first STREQUAL "openmpi")
      set(name mpicc.mpich)
    endif()
    find_program(compiler NAMES ${name} NO_CACHE)
  endif()
  set(${variable} "${compiler}" PARENT_SCOPE)
endfunction()

# kith_read_mpi_wrapper(COMPILER): MPI_C_INCLUDE_DIRS of that wrapper.
function(kith_read_mpi_wrapper compiler)
  # MPICH's wrapper and Open MPI's print the command that they would run.
  foreach(option -show --showme)
    execute_process(COMMAND "${compiler}" ${option} OUTPUT_VARIABLE command ERROR_QUIET RESULT_VARIABLE status)
    separate_arguments(flags UNIX_COMMAND "${command}")
    list(FILTER flags INCLUDE REGEX "^-I.")
    if(status EQUAL 0 AND flags)
      break()
    endif()
  endforeach()
  list(TRANSFORM flags REPLACE "^-I" "")
  set(MPI_C_INCLUDE_DIRS "${flags}" PARENT_SCOPE)
endfunction()

# kith_own_mpi_header(KIND NAME): KIND without any header here.
function(kith_own_mpi_header kind name)
  set(interfaces "${PROJECT_SOURCE_DIR}/lib/preload/mpi/interfaces")
  set(generated "${PROJECT_BINARY_DIR}/generated/interfaces")
  file(MAKE_DIRECTORY "${generated}")
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -B "${interfaces}/generate.py" "${interfaces}/functions.table"
            "${generated}/mpi_functions.new"
    COMMAND_ERROR_IS_FATAL ANY)
  # What is as before stays as old as it is: half of libkith.so is built anew otherwise.
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${generated}/mpi_functions.new" "${generated}/mpi_functions.h"
    COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${interfaces}/generate.py" "${interfaces}/functions.table")
  set(KITH_INCLUDE_DIRS_${kind} "${interfaces}/${kind}" "${interfaces}" "${generated}" PARENT_SCOPE)
  set(KITH_LIBRARY_${kind} "${name}" PARENT_SCOPE)
endfunction()

# kith_find_mpi_kinds(): sets KITH_MPI_KINDS, that of libkith.so first, and of each
# KITH_INCLUDE_DIRS_<kind> and KITH_LIBRARY_<kind>. MPI was found, its library is KITH_MPI_LIBRARY.
function(kith_find_mpi_kinds)
  kith_mpi_kind(first "${KITH_MPI_LIBRARY}")
  set(KITH_INCLUDE_DIRS_${first} "${MPI_C_INCLUDE_DIRS}")
  set(KITH_LIBRARY_${first} "${KITH_MPI_LIBRARY}")
  set(KITH_MPI_KINDS ${first})
  if(KITH_OTHER_MPI)
    # In front is Open MPI's: its handles are as wide as registers, so that its wrappers pass those of all
    # kinds on whole.
    set(KITH_MPI_KINDS openmpi mpich)
    set(library "")
    kith_find_mpi_wrapper(compiler ${first})
    if(compiler)
      kith_read_mpi_wrapper("${compiler}")
      kith_mpi_library(library)
    endif()
    kith_mpi_kind(kind "${library}")
    if(library AND NOT kind STREQUAL first)
      set(KITH_INCLUDE_DIRS_${kind} "${MPI_C_INCLUDE_DIRS}")
      set(KITH_LIBRARY_${kind} "${library}")
    elseif(NOT KITH_OTHER_MPI MATCHES "^(AUTO|BUILTIN)$")
      message(FATAL_ERROR "KITH_OTHER_MPI: expected an MPI library of another kind than ${KITH_MPI_LIBRARY}, found '${library}' with ${compiler}")
    elseif(first STREQUAL "openmpi")
      kith_own_mpi_header(mpich "MPICH 3.2 to 4")
    else()
      kith_own_mpi_header(openmpi "Open MPI 4 and 5")
    endif()
    if(KITH_STANDARD_MPI)
      list(APPEND KITH_MPI_KINDS standard)
      kith_own_mpi_header(standard "the standard's interface (libmpi_abi)")
    endif()
  endif()
  set(KITH_MPI_KINDS "${KITH_MPI_KINDS}" PARENT_SCOPE)
  foreach(kind IN LISTS KITH_MPI_KINDS)
    set(KITH_INCLUDE_DIRS_${kind} "${KITH_INCLUDE_DIRS_${kind}}" PARENT_SCOPE)
    set(KITH_LIBRARY_${kind} "${KITH_LIBRARY_${kind}}" PARENT_SCOPE)
  endforeach()
endfunction()
