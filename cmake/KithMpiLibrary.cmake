# kith_mpi_library(VARIABLE): the MPI library whose mpi.h this build uses, as people call it:
# "Open MPI 4.1.4"; empty where the header does not say. To be called where MPI was found for C.
# Read from the header, so that nothing of the library has to run.
function(kith_mpi_library variable)
  list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE include_flags)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/kith_mpi_version.c")
  file(WRITE "${source}" "#include <mpi.h>\n")
  execute_process(
    COMMAND ${CMAKE_C_COMPILER} -E -dM ${include_flags} "${source}"
    OUTPUT_VARIABLE macros ERROR_QUIET)
  set(name "")
  # The first that fits: what stands below builds on MPICH and defines MPICH's macro as well.
  foreach(known "I_MPI_VERSION=Intel MPI" "MVAPICH2_VERSION=MVAPICH2" "MVAPICH_VERSION=MVAPICH"
                "CRAY_MPICH_VERSION=Cray MPICH" "MPICH_VERSION=MPICH")
    string(REGEX REPLACE "=.*" "" macro "${known}")
    string(REGEX REPLACE ".*=" "" family "${known}")
    if(macros MATCHES "#define ${macro} \"?([0-9][^\"\n]*)")
      set(name "${family} ${CMAKE_MATCH_1}")
      break()
    endif()
  endforeach()
  if(macros MATCHES "#define OMPI_MAJOR_VERSION ([0-9]+)")
    set(name "Open MPI ${CMAKE_MATCH_1}")
    foreach(part MINOR RELEASE)
      if(macros MATCHES "#define OMPI_${part}_VERSION ([0-9]+)")
        string(APPEND name ".${CMAKE_MATCH_1}")
      endif()
    endforeach()
  endif()
  set(${variable} "${name}" PARENT_SCOPE)
endfunction()
