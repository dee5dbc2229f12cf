# Enables Fortran, with its MPI, where there is a compiler: MPI_Fortran_FOUND says whether.
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  find_package(MPI COMPONENTS Fortran)
endif()
