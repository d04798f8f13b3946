# filigree_layer(NAME [LINKS ...]): one folder of src/ as one static library that links
# only the layers named, plus a test program made of every *_test.cpp in it. Sources are
# globbed, so that no file can stand in the tree without being built and run. TEST_HEADERS are read once for
# all tests: what many of them include and takes long.
function(filigree_layer name)
  cmake_parse_arguments(ARG "" "" "LINKS;TEST_HEADERS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  add_library(filigree_${name} STATIC ${sources})
  target_link_libraries(filigree_${name} PUBLIC ${ARG_LINKS} PRIVATE filigree_compile_options)
  target_include_directories(filigree_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>)
  filigree_precompile(filigree_${name})
  if(FILIGREE_BUILD_TESTS AND tests)
    filigree_test(filigree_${name}_test SOURCES ${tests} LINKS filigree_${name} HEADERS ${ARG_TEST_HEADERS})
  endif()
endfunction()

# filigree_test(NAME SOURCES ... LINKS ... [HEADERS ...]): a GoogleTest program, one ctest entry per TEST.
function(filigree_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;HEADERS" ${ARGN})
  include(GoogleTest)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE filigree_compile_options filigree_testing ${ARG_LINKS} GTest::gmock GTest::gtest_main rapidcheck)
  filigree_precompile(${name} <gmock/gmock.h> ${ARG_HEADERS})
  filigree_compile_lightly(${name})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
