# Scotch with 64-bit numbers: edge weights are bytes and do not fit 32 bits.
# Defines the target Scotch64::scotch.
find_path(Scotch64_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch-int64 scotch)
find_library(Scotch64_LIBRARY scotch PATH_SUFFIXES scotch-int64)
find_library(Scotch64_ERROR_LIBRARY scotcherr PATH_SUFFIXES scotch-int64)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Scotch64
  REQUIRED_VARS Scotch64_LIBRARY Scotch64_ERROR_LIBRARY Scotch64_INCLUDE_DIR)

if(Scotch64_FOUND AND NOT TARGET Scotch64::scotch)
  add_library(Scotch64::scotch UNKNOWN IMPORTED)
  set_target_properties(Scotch64::scotch PROPERTIES
    IMPORTED_LOCATION "${Scotch64_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Scotch64_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Scotch64_ERROR_LIBRARY}")
endif()
mark_as_advanced(Scotch64_INCLUDE_DIR Scotch64_LIBRARY Scotch64_ERROR_LIBRARY)
