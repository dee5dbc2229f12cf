# Scotch with 64-bit numbers: edge weights are bytes and do not fit 32 bits.
# Defines the target Scotch64::scotch.
#
# The static archives where there are any: Debian's shared libraries of 32-bit and 64-bit numbers
# share one SONAME, so that which one a program gets is up to its search path at run time.
find_path(Scotch64_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch-int64 scotch)
find_library(Scotch64_LIBRARY NAMES libscotch.a scotch PATH_SUFFIXES scotch-int64)
find_library(Scotch64_ERROR_LIBRARY NAMES libscotcherr.a scotcherr PATH_SUFFIXES scotch-int64)

# A system's plain Scotch has 32 bits.
if(Scotch64_INCLUDE_DIR)
  file(STRINGS "${Scotch64_INCLUDE_DIR}/scotch.h" Scotch64_NUMBER REGEX "typedef[ \t].*SCOTCH_Num;")
  if(NOT Scotch64_NUMBER MATCHES "int64_t|long")
    unset(Scotch64_INCLUDE_DIR CACHE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Scotch64
  REQUIRED_VARS Scotch64_LIBRARY Scotch64_ERROR_LIBRARY Scotch64_INCLUDE_DIR)

if(Scotch64_FOUND AND NOT TARGET Scotch64::scotch)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  add_library(Scotch64::scotch UNKNOWN IMPORTED)
  set_target_properties(Scotch64::scotch PROPERTIES
    IMPORTED_LOCATION "${Scotch64_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Scotch64_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Scotch64_ERROR_LIBRARY};m;Threads::Threads")
endif()
mark_as_advanced(Scotch64_INCLUDE_DIR Scotch64_LIBRARY Scotch64_ERROR_LIBRARY)
