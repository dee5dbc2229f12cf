# Packages by CPack: `cpack -G DEB` and `cpack -G TGZ` in the build folder. For Debian's own layout
# (libraries in /usr/lib/<architecture>) configure with the preset `package`.
set(CPACK_PACKAGE_NAME kith)
set(CPACK_PACKAGE_VENDOR "the Kith authors")
set(CPACK_PACKAGE_CONTACT "the Kith authors <kith@example.org>" CACHE STRING
  "Who answers for packages that are built here")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "orders MPI ranks so that those that talk live close together")
string(JOIN "\n" CPACK_PACKAGE_DESCRIPTION
  "Kith records who sends how much to whom in an MPI program, without changing"
  "the program, computes an order of the ranks that suits the machine, and starts"
  "the program in that order.")
if(KITH_MPI)
  string(APPEND CPACK_PACKAGE_DESCRIPTION "\nThis package is built for ${KITH_MPI_LIBRARY}")
  foreach(other IN LISTS KITH_OTHER_LIBRARIES)
    string(APPEND CPACK_PACKAGE_DESCRIPTION "\nand ${other}")
  endforeach()
  string(APPEND CPACK_PACKAGE_DESCRIPTION ".")
endif()
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3:any")  # of the Python package; others are found out
# For programs that are linked with kith::kith or kith::engine.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "cmake, pkgconf | pkg-config, libfmt-dev, libhwloc-dev, libopenmpi-dev | libmpich-dev, libscotch-dev, libyaml-cpp-dev, python3-mpi4py, python3-scipy")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(TARGET kith)
  get_target_property(KITH_SONAME_VERSION kith SOVERSION)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/debian/shlibs.in" "${PROJECT_BINARY_DIR}/debian/shlibs")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    "${CMAKE_CURRENT_LIST_DIR}/debian/triggers;${PROJECT_BINARY_DIR}/debian/shlibs")
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND EXISTS /etc/debian_version)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/KithDebianFiles.cmake")
include(CPack)
