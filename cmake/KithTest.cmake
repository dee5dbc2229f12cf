# How tests are registered.
include(GoogleTest)

# kith_unit_test(MODULE): all *_test.cpp below tests/unit/MODULE as one GoogleTest program.
function(kith_unit_test module)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${module}/*_test.cpp")
  if(NOT sources)
    return()
  endif()
  set(target unit_${module})
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/lib"
    "${PROJECT_SOURCE_DIR}/lib/preload" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE kith::engine kith_warnings GTest::gmock_main)
  # Most of the time goes into GoogleTest's headers and into optimising what runs once.
  target_precompile_headers(${target} PRIVATE <gtest/gtest.h> <algorithm> <random> <string> <vector>)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_compile_definitions(${target} PRIVATE
    KITH_CORPUS_DIR="${PROJECT_SOURCE_DIR}/tests/corpus")
  gtest_discover_tests(${target} TEST_PREFIX "${module}." PROPERTIES TIMEOUT 900 LABELS unit)
endfunction()

# kith_script_test(NAME SCRIPT [PROCESSORS n] [TIMEOUT s] [LABELS l...] [ENVIRONMENT k=v...]):
# a shell or Python script that gets KITH, KITH_LIB and KITH_SOURCE; exit 77 means skipped.
function(kith_script_test name script)
  cmake_parse_arguments(arg "" "PROCESSORS;TIMEOUT" "LABELS;ENVIRONMENT;ARGS" ${ARGN})
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 400)
  endif()
  add_test(NAME ${name} COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${arg_ARGS})
  set_tests_properties(${name} PROPERTIES
    SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS} LABELS "${arg_LABELS}"
    ENVIRONMENT "KITH=$<TARGET_FILE:kith_program>;KITH_LIB=${PROJECT_BINARY_DIR}/lib/libkith.so;KITH_SOURCE=${PROJECT_SOURCE_DIR};KITH_BINARY=${PROJECT_BINARY_DIR};${arg_ENVIRONMENT}")
endfunction()
