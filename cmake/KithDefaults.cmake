# Build type, output folders, warnings: what every target of the project shares.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

add_library(kith_warnings INTERFACE)
target_compile_options(kith_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${KITH_WERROR}>:-Werror>)

# kith_stand_alone(TARGET): where nothing is taken from the system, an executable brings the C++
# library along as well. It then needs the C library alone.
function(kith_stand_alone target)
  if(KITH_FETCH STREQUAL ON)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# kith_remember_libraries(TARGET FILES...): once installed, TARGET finds these libraries without
# LD_LIBRARY_PATH, where they lie in a prefix of their own. By their real places: a system's libmpi
# is in a folder of its own by a link only.
function(kith_remember_libraries target)
  set(system_folders ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
  list(TRANSFORM system_folders REPLACE "^/lib" "/usr/lib" OUTPUT_VARIABLE merged)
  foreach(file IN LISTS ARGN)
    if(IS_ABSOLUTE "${file}")
      file(REAL_PATH "${file}" real)
      cmake_path(GET real PARENT_PATH folder)
      if(NOT folder IN_LIST system_folders AND NOT folder IN_LIST merged)
        set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "${folder}")
      endif()
    endif()
  endforeach()
endfunction()
