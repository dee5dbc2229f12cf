# A relocatable install: the program, the preload library, the engine, headers, a CMake package
# `kith` with the components `kith` (kith::kith), `engine` (kith::engine) and `accesses`
# (kith::accesses), and a pkg-config file.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/kith")

if(TARGET kith_program)
  install(TARGETS kith_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

if(KITH_MANUAL)
  install(DIRECTORY "${KITH_MANUAL}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
  install(FILES "${KITH_MANUAL}/bash/kith"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${KITH_MANUAL}/zsh/_kith" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

# The programs that Kith itself starts.
foreach(program kith_engine_program kith_probe)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/kith")
  endif()
endforeach()

install(TARGETS kith_engine EXPORT kith_engine_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
set_target_properties(kith_engine PROPERTIES EXPORT_NAME engine)
install(EXPORT kith_engine_targets NAMESPACE kith:: FILE kithEngineTargets.cmake
  DESTINATION "${package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kith" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "reordered.hpp" EXCLUDE)

# What was built here, for projects that link the engine.
if(kith_engine_dependencies)
  install(DIRECTORY "${KITH_DEPENDENCIES_DIR}/lib" "${KITH_DEPENDENCIES_DIR}/include"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/kith/dependencies" PATTERN "*.la" EXCLUDE)
endif()

install(TARGETS kith_accesses EXPORT kith_accesses_targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
set_target_properties(kith_accesses PROPERTIES EXPORT_NAME accesses)
install(EXPORT kith_accesses_targets NAMESPACE kith:: FILE kithAccessesTargets.cmake
  DESTINATION "${package_dir}")

if(TARGET kith)
  install(TARGETS kith EXPORT kith_targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  foreach(kind mpich standard)
    if(TARGET kith_${kind})
      install(TARGETS kith_${kind} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    endif()
  endforeach()
  install(EXPORT kith_targets NAMESPACE kith:: FILE kithTargets.cmake DESTINATION "${package_dir}")
  install(FILES "${PROJECT_SOURCE_DIR}/include/kith/kith.h" "${PROJECT_SOURCE_DIR}/include/kith/version.h"
    "${PROJECT_SOURCE_DIR}/include/kith/reordered.hpp"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/kith")
  # The prefix as seen from the file itself, so that the tree can be moved.
  file(RELATIVE_PATH KITH_PREFIX_FROM_PKGCONFIG
    "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  # A program finds the library where it was linked, except where the system looks anyway.
  set(KITH_PC_RPATH " -Wl,-rpath,\${libdir}")
  if(CMAKE_INSTALL_FULL_LIBDIR MATCHES "^(/usr)?/lib")
    set(KITH_PC_RPATH "")
  endif()
  configure_file("${CMAKE_CURRENT_LIST_DIR}/kith.pc.in" "${PROJECT_BINARY_DIR}/kith.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/kith.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  if(TARGET kith_fortran)
    configure_file("${CMAKE_CURRENT_LIST_DIR}/kith-fortran.pc.in"
      "${PROJECT_BINARY_DIR}/kith-fortran.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/kith-fortran.pc"
      DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  endif()
endif()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/kithConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/kithConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/kithConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/kithConfig.cmake"
              "${PROJECT_BINARY_DIR}/kithConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/FindScotch64.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/FindHwloc.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/KithMpiLibrary.cmake"
  DESTINATION "${package_dir}")
