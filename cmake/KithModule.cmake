# Modules of lib: what each is made of, and which others it may include.

option(KITH_UNITY "Compile several sources of a module at once: quicker from nothing" ON)

# kith_include_root(NAME FOLDER): a folder that holds nothing but a link NAME to FOLDER, so that
# "NAME/file.hpp" is found where NAME is declared, and nothing else of what lies beside FOLDER.
function(kith_include_root name folder)
  set(root "${PROJECT_BINARY_DIR}/include_roots/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${folder}" "${root}/${name}" SYMBOLIC)
endfunction()

# kith_may_include(TARGET NAMES...): TARGET finds the headers of these modules, and is listed by the
# target `modules`.
function(kith_may_include target)
  foreach(name IN LISTS ARGN)
    target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/include_roots/${name}")
  endforeach()
endfunction()

# kith_declare(NAME MODULES...): what depends on what, for the target `modules`.
function(kith_declare name)
  set_property(GLOBAL APPEND PROPERTY KITH_MODULES ${name})
  set_property(GLOBAL PROPERTY KITH_MODULE_${name}_DEPENDS ${ARGN})
endfunction()

# kith_module(NAME DEPENDS MODULES... SOURCES FILES... [LIBRARIES TARGETS...]): the folder NAME of
# lib, a part of the engine. An include of a module that it does not depend on is not found.
function(kith_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;SOURCES;LIBRARIES" ${ARGN})
  kith_include_root(${name} "${CMAKE_CURRENT_SOURCE_DIR}")
  add_library(kith_${name} OBJECT ${arg_SOURCES})
  set_target_properties(kith_${name} PROPERTIES
    UNITY_BUILD ${KITH_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  target_include_directories(kith_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  kith_may_include(kith_${name} ${name} ${arg_DEPENDS})
  target_compile_definitions(kith_${name} PRIVATE KITH_VERSION="${PROJECT_VERSION}")
  target_link_libraries(kith_${name} PRIVATE kith_warnings ${arg_LIBRARIES})
  target_sources(kith_engine PRIVATE $<TARGET_OBJECTS:kith_${name}>)
  kith_declare(${name} ${arg_DEPENDS})
endfunction()

# kith_shared_module(...): the same for a module that libkith.so is linked with as well, where
# nothing of it is visible. An archive, in sections: libkith.so keeps what it needs.
function(kith_shared_module name)
  kith_module(${name} ${ARGN})
  set_target_properties(kith_${name} PROPERTIES
    UNITY_BUILD OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # Without errno, a square root is one instruction and no call into libm.
  target_compile_options(kith_${name} PRIVATE -fno-math-errno -ffunction-sections -fdata-sections)
  add_library(kith_${name}_archive STATIC $<TARGET_OBJECTS:kith_${name}>)
endfunction()

# kith_part(NAME DEPENDS MODULES... SOURCES FILES...): the folder NAME of lib/preload, a part of
# libkith.so, which needs nothing but the C library at run time. APART: sources of these whose local names
# another one has as well. KITH_KIND: the ending of all its targets, as several MPI libraries may be built for.
function(kith_part name)
  cmake_parse_arguments(arg "" "" "DEPENDS;SOURCES;APART" ${ARGN})
  set(target kith_${name}${KITH_KIND})
  add_library(${target} OBJECT ${arg_SOURCES})
  add_dependencies(${target} kith_generated_mpi${KITH_KIND})
  set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${KITH_UNITY} UNITY_BUILD_BATCH_SIZE 8
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${KITH_GENERATED_DIR}")
  target_include_directories(${target} SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
  kith_may_include(${target} ${name} ${arg_DEPENDS})
  target_compile_definitions(${target} PRIVATE KITH_VERSION="${PROJECT_VERSION}"
    ${KITH_MPI_DEFINITIONS} OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_compile_options(${target} PRIVATE
    -ftls-model=initial-exec          # the hot path reads a thread-local pointer
    -Wno-deprecated-declarations      # removed MPI-1 functions are wrapped as well
    -Wno-cast-function-type -Wno-old-style-cast)
  target_link_libraries(${target} PRIVATE kith_warnings)
  target_sources(kith${KITH_KIND} PRIVATE $<TARGET_OBJECTS:${target}>)
  if(NOT KITH_KIND)
    kith_include_root(${name} "${CMAKE_CURRENT_SOURCE_DIR}")
    kith_declare(${name} ${arg_DEPENDS})
  endif()
endfunction()

# After all modules: the target `modules` prints what depends on what.
function(kith_print_modules)
  get_property(modules GLOBAL PROPERTY KITH_MODULES)
  set(lines "")
  foreach(module IN LISTS modules)
    get_property(depends GLOBAL PROPERTY KITH_MODULE_${module}_DEPENDS)
    list(JOIN depends " " depends)
    list(APPEND lines COMMAND "${CMAKE_COMMAND}" -E echo "${module}: ${depends}")
  endforeach()
  add_custom_target(modules ${lines} VERBATIM)
endfunction()
