# Enables Fortran, with its MPI, where there is a compiler: MPI_Fortran_FOUND says whether.
include(CheckLanguage)
# A compiler that was installed since an earlier configuration is looked for again.
if(CMAKE_Fortran_COMPILER MATCHES "NOTFOUND$")
  unset(CMAKE_Fortran_COMPILER CACHE)
endif()
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  find_package(MPI COMPONENTS Fortran)
endif()
