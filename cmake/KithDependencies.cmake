# What Kith is built with beside a compiler and an MPI library: taken from the system, else built
# here, before Kith, in the build folder's `dependencies`. Nothing of it needs root.
#
# The archives are fetched, or lie in the folder KITH_ARCHIVES, by whatever names: they are known by
# their SHA-256. All that is missing and can not be had is named at once.
include(KithArchives)
include(ProcessorCount)

set(KITH_FETCH AUTO CACHE STRING
  "Dependencies: AUTO (build here what the system lacks), ON (build all here: programs that need no library of the system), OFF")
set_property(CACHE KITH_FETCH PROPERTY STRINGS AUTO ON OFF)
if(NOT KITH_FETCH MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "KITH_FETCH: expected AUTO, ON or OFF, found '${KITH_FETCH}'")
endif()
set(KITH_ARCHIVES "" CACHE PATH "A folder with the archives of dependencies, for machines without network")
set(KITH_DEPENDENCIES_DIR "${PROJECT_BINARY_DIR}/dependencies")
set(kith_work "${PROJECT_BINARY_DIR}/dependencies-work")

# kith_has_sum(FILE RESULT SUMS...): whether FILE is there and has one of these SHA-256.
function(kith_has_sum file result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS "${file}")
    file(SHA256 "${file}" sum)
    if(sum IN_LIST ARGN)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# kith_archive(NAME RESULT): the file with one of the known sums, or a reason that begins with "-".
function(kith_archive name result)
  set(sources ${KITH_SOURCES_${name}})
  if(KITH_ARCHIVES)
    file(GLOB candidates "${KITH_ARCHIVES}/*.tar.*" "${KITH_ARCHIVES}/*.tgz")
    foreach(candidate IN LISTS candidates)
      kith_has_sum("${candidate}" is_it ${sources})
      if(is_it)
        set(${result} "${candidate}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endif()
  set(reasons "")
  while(sources)
    list(POP_FRONT sources url sum)
    get_filename_component(file "${url}" NAME)
    set(file "${kith_work}/${name}-${file}")
    kith_has_sum("${file}" is_it ${sum})
    if(is_it)
      set(${result} "${file}" PARENT_SCOPE)
      return()
    endif()
    message(STATUS "Fetching ${url}")
    file(DOWNLOAD "${url}" "${file}.part" STATUS status INACTIVITY_TIMEOUT 30)
    list(POP_FRONT status code reason)
    kith_has_sum("${file}.part" is_it ${sum})
    if(is_it)
      file(RENAME "${file}.part" "${file}")
      set(${result} "${file}" PARENT_SCOPE)
      return()
    elseif(code EQUAL 0)
      set(reason "its SHA-256 is not ${sum}")
    endif()
    file(REMOVE "${file}.part")
    string(APPEND reasons "\n    ${url}: ${reason}")
  endwhile()
  set(${result} "-${reasons}" PARENT_SCOPE)
endfunction()

# kith_step(NAME FOLDER COMMAND...): one command of a build; its output is shown where it fails.
function(kith_step name folder)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(APPEND "${kith_work}/${name}.log" "${output}")
  if(NOT status EQUAL 0)
    string(LENGTH "${output}" length)
    if(length GREATER 1500)
      math(EXPR start "${length} - 1500")
      string(SUBSTRING "${output}" ${start} -1 output)
    endif()
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${name} could not be built by: ${command}\n${output}\n(log in ${kith_work}/${name}.log)")
  endif()
endfunction()

# kith_by_cmake(NAME FOLDER OPTIONS...), kith_by_configure(NAME FOLDER OPTIONS...): configured,
# built and installed into the folder of dependencies.
function(kith_by_cmake name folder)
  kith_step(${name} "${folder}" "${CMAKE_COMMAND}" -S . -B kith-build
    "-DCMAKE_INSTALL_PREFIX=${KITH_DEPENDENCIES_DIR}" -DCMAKE_INSTALL_LIBDIR=lib
    "-DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
    -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON ${ARGN})
  kith_step(${name} "${folder}" "${CMAKE_COMMAND}" --build kith-build --target install
    --parallel ${kith_processors})
endfunction()
function(kith_by_configure name folder)
  kith_step(${name} "${folder}" "${CMAKE_COMMAND}" -E env "CC=${CMAKE_C_COMPILER}"
    "CXX=${CMAKE_CXX_COMPILER}" "PATH=${KITH_DEPENDENCIES_DIR}/bin:$ENV{PATH}"
    "CFLAGS=-O2 -fPIC -D_GNU_SOURCE" ./configure "--prefix=${KITH_DEPENDENCIES_DIR}"
    "--libdir=${KITH_DEPENDENCIES_DIR}/lib" --disable-shared --enable-static --disable-nls
    --disable-dependency-tracking ${ARGN})
endfunction()
function(kith_make name folder)
  kith_step(${name} "${folder}" "${CMAKE_COMMAND}" -E env
    "PATH=${KITH_DEPENDENCIES_DIR}/bin:$ENV{PATH}" "${kith_make_program}" -j${kith_processors} ${ARGN})
endfunction()

# What is special about each.
function(kith_build_CLI11 folder)
  file(COPY "${folder}/include/" DESTINATION "${KITH_DEPENDENCIES_DIR}/include")
endfunction()
function(kith_build_nlohmann_json folder)
  file(COPY "${folder}/include/" DESTINATION "${KITH_DEPENDENCIES_DIR}/include")
endfunction()
function(kith_build_fmt folder)
  kith_by_cmake(fmt "${folder}" -DFMT_TEST=OFF -DFMT_DOC=OFF)
endfunction()
function(kith_build_hwloc folder)
  # Linux' own files tell what Kith asks for: no other library is needed.
  kith_by_configure(hwloc "${folder}" --disable-libxml2 --disable-pci --disable-libudev
    --disable-io-plugins --disable-opencl --disable-cuda --disable-nvml --disable-rsmi
    --disable-levelzero --disable-gl --disable-cairo --without-x --disable-doxygen)
  kith_make(hwloc "${folder}/hwloc" install)
  kith_make(hwloc "${folder}/include" install)
endfunction()
function(kith_build_m4 folder)
  kith_by_configure(m4 "${folder}")
  kith_make(m4 "${folder}" install)
endfunction()
function(kith_build_flex folder)
  kith_by_configure(flex "${folder}")
  kith_make(flex "${folder}/src" install)
endfunction()
function(kith_build_bison folder)
  # The program alone: manual and examples need more than there may be.
  kith_by_configure(bison "${folder}")
  file(WRITE "${folder}/built.mk" "include Makefile\nkith-built: \$(filter lib/% src/%,\$(BUILT_SOURCES))\n")
  kith_make(bison "${folder}" -f built.mk kith-built)
  kith_make(bison "${folder}" src/bison)
  file(COPY "${folder}/src/bison" DESTINATION "${KITH_DEPENDENCIES_DIR}/bin")
  file(COPY "${folder}/data/" DESTINATION "${KITH_DEPENDENCIES_DIR}/share/bison")
endfunction()
function(kith_build_Scotch folder)
  # By Scotch's makefiles: its CMake project asks for a Fortran compiler.
  file(WRITE "${folder}/src/Makefile.inc" "EXE =
LIB = .a
OBJ = .o
MAKE = ${kith_make_program}
AR = ar
ARFLAGS = -ruv
CAT = cat
CCS = ${CMAKE_C_COMPILER}
CCD = ${CMAKE_C_COMPILER}
CFLAGS = -O2 -fPIC -DCOMMON_RANDOM_FIXED_SEED -DINTSIZE64 -DIDXSIZE64 -DSCOTCH_RENAME -DSCOTCH_PTHREAD -DCOMMON_PTHREAD -DSCOTCH_DETERMINISTIC -Drestrict=__restrict
CLIBFLAGS =
LDFLAGS = -lm -lrt -pthread
CP = cp
FLEX = flex
LEX = flex
LN = ln
MKDIR = mkdir -p
MV = mv
RANLIB = ranlib
BISON = bison
YACC = bison -y
")
  kith_make(Scotch "${folder}/src" libscotch -j1)
  file(COPY "${folder}/include/scotch.h" DESTINATION "${KITH_DEPENDENCIES_DIR}/include")
  file(GLOB libraries "${folder}/lib/libscotch.a" "${folder}/lib/libscotcherr.a")
  file(COPY ${libraries} DESTINATION "${KITH_DEPENDENCIES_DIR}/lib")
endfunction()

# kith_build(NAME): a later call of cmake finds it done. What fails is added to kith_missing.
function(kith_build name)
  set(done "${KITH_DEPENDENCIES_DIR}/${name}-${KITH_VERSION_${name}}.done")
  if(EXISTS "${done}")
    return()
  endif()
  kith_archive(${name} archive)
  if(archive MATCHES "^-(.*)")
    set(kith_missing "${kith_missing}\n  ${name} ${KITH_VERSION_${name}}:${CMAKE_MATCH_1}" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Building ${name} ${KITH_VERSION_${name}}")
  set(folder "${kith_work}/${name}")
  file(REMOVE_RECURSE "${folder}")
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${folder}")
  file(GLOB inner LIST_DIRECTORIES ON "${folder}/*")
  cmake_language(CALL kith_build_${name} "${inner}")
  file(REMOVE_RECURSE "${folder}")
  file(WRITE "${done}" "")
endfunction()

# kith_dependency(NAME ARGUMENTS_OF_FIND_PACKAGE...): a macro, as what is found is for its caller.
macro(kith_dependency name)
  set(kith_found FALSE)
  if(NOT KITH_FETCH STREQUAL ON)
    find_package(${ARGN} QUIET)
    set(kith_found ${${ARGV1}_FOUND})
  endif()
  if(NOT kith_found AND KITH_FETCH STREQUAL OFF)
    string(APPEND kith_missing "\n  ${name} is not installed")
  elseif(NOT kith_found)
    if(${name} STREQUAL Scotch)
      kith_build_tools()
    endif()
    kith_build(${name})
    list(APPEND kith_built ${name})
  endif()
endmacro()

# Scotch's parser is made by these.
macro(kith_build_tools)
  find_program(KITH_M4 m4)
  find_program(KITH_BISON bison)
  find_program(KITH_FLEX flex)
  mark_as_advanced(KITH_M4 KITH_BISON KITH_FLEX)
  foreach(tool m4 bison flex)
    string(TOUPPER ${tool} variable)
    if(NOT KITH_${variable} AND NOT EXISTS "${KITH_DEPENDENCIES_DIR}/lib/libscotch.a")
      kith_build(${tool})
    endif()
  endforeach()
endmacro()

# A library of headers alone, as its own CMake package defines it.
function(kith_headers_only target)
  if(NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${KITH_DEPENDENCIES_DIR}/include")
  endif()
endfunction()

ProcessorCount(kith_processors)
if(kith_processors EQUAL 0)
  set(kith_processors 1)
endif()
find_program(kith_make_program NAMES gmake make)
mark_as_advanced(kith_make_program)

set(kith_missing "")
set(kith_built "")
kith_dependency(CLI11 CLI11)
kith_dependency(nlohmann_json nlohmann_json)
kith_dependency(fmt fmt)
kith_dependency(hwloc Hwloc 2.0)
kith_dependency(Scotch Scotch64)
if(kith_missing)
  set(kith_hint "put these archives into a folder, on a machine that has a network, and configure with -DKITH_ARCHIVES=FOLDER.")
  if(KITH_FETCH STREQUAL OFF)
    set(kith_hint "configure with -DKITH_FETCH=AUTO, which fetches and builds it.")
  endif()
  message(FATAL_ERROR "Kith is built with what is missing here:${kith_missing}\n"
    "Install it (Debian: tools/install-packages), or ${kith_hint}")
endif()
if(kith_built)
  list(PREPEND CMAKE_PREFIX_PATH "${KITH_DEPENDENCIES_DIR}")
  if(CLI11 IN_LIST kith_built)
    kith_headers_only(CLI11::CLI11)
  endif()
  if(nlohmann_json IN_LIST kith_built)
    kith_headers_only(nlohmann_json::nlohmann_json)
  endif()
  if(fmt IN_LIST kith_built)
    find_package(fmt REQUIRED PATHS "${KITH_DEPENDENCIES_DIR}" NO_DEFAULT_PATH)
  endif()
  find_package(Hwloc 2.0 REQUIRED)
  find_package(Scotch64 REQUIRED)
endif()
# The engine needs them where it is linked with.
set(kith_engine_dependencies ${kith_built})
list(FILTER kith_engine_dependencies INCLUDE REGEX "^(fmt|hwloc|Scotch)$")

if(KITH_FETCH STREQUAL ON)
  # Nothing of the system: Slurm's topology.yaml and pictures as PNG are left out.
  set(yaml-cpp_FOUND FALSE)
  set(PNG_FOUND FALSE)
else()
  # Without it everything but Slurm's topology.yaml can be read.
  find_package(yaml-cpp QUIET)
  find_package(PNG QUIET)
endif()
# Without it all is done on one thread.
if(KITH_FETCH STREQUAL ON AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libgomp.a
    OUTPUT_VARIABLE kith_gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(IS_ABSOLUTE "${kith_gomp}")
    set(OpenMP_gomp_LIBRARY "${kith_gomp}" CACHE FILEPATH "GCC's OpenMP, as an archive")
  endif()
endif()
find_package(OpenMP QUIET COMPONENTS CXX)
