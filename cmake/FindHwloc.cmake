# hwloc 2, without pkg-config. Defines the target Hwloc::hwloc.
find_path(Hwloc_INCLUDE_DIR hwloc.h)
find_library(Hwloc_LIBRARY hwloc)

if(Hwloc_INCLUDE_DIR)
  # Such as 0x00020800 for 2.8.
  file(STRINGS "${Hwloc_INCLUDE_DIR}/hwloc.h" line REGEX "define HWLOC_API_VERSION 0x")
  if(line MATCHES "0x([0-9a-f][0-9a-f][0-9a-f][0-9a-f])([0-9a-f][0-9a-f])")
    math(EXPR major "0x${CMAKE_MATCH_1}")
    math(EXPR minor "0x${CMAKE_MATCH_2}")
    set(Hwloc_VERSION ${major}.${minor})
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hwloc REQUIRED_VARS Hwloc_LIBRARY Hwloc_INCLUDE_DIR
  VERSION_VAR Hwloc_VERSION)

if(Hwloc_FOUND AND NOT TARGET Hwloc::hwloc)
  add_library(Hwloc::hwloc UNKNOWN IMPORTED)
  set_target_properties(Hwloc::hwloc PROPERTIES
    IMPORTED_LOCATION "${Hwloc_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Hwloc_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES m)
endif()
mark_as_advanced(Hwloc_INCLUDE_DIR Hwloc_LIBRARY)
