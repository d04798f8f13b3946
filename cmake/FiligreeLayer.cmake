# The layers of src/ as targets. layers.txt describes which layer may include which; nothing here repeats it.

# Reads layers.txt. Sets filigree_layers, the names of the layers in src/, and filigree_links_LAYER, the targets that
# LAYER links: the other layers of its row that are in src/.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../layers.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../layers.txt layer_rows REGEX "^[^#]")
set(filigree_layers)
foreach(row IN LISTS layer_rows)
  if(NOT row MATCHES "^([a-z0-9_]+)( \\([^)]*\\))?:([a-z0-9_ ]*)$")
    message(FATAL_ERROR "layers.txt: cannot read the row '${row}'")
  endif()
  if(NOT CMAKE_MATCH_2)
    list(APPEND filigree_layers ${CMAKE_MATCH_1})
    string(REGEX MATCHALL "[a-z0-9_]+" filigree_links_${CMAKE_MATCH_1} "${CMAKE_MATCH_3}")
  endif()
endforeach()
foreach(layer IN LISTS filigree_layers)
  set(targets)
  foreach(name IN LISTS filigree_links_${layer})
    if(name IN_LIST filigree_layers)
      list(APPEND targets filigree_${name})
    endif()
  endforeach()
  set(filigree_links_${layer} ${targets})
endforeach()

# filigree_layer(NAME [LINKS ...] [TEST_HEADERS ...]): one folder of src/ as the static library filigree_NAME, which
# links the layers that its row of layers.txt names, and a test program made of every *_test.cpp in it. LINKS are
# libraries from outside of the project. Sources are globbed, so that every file of the tree is built and run.
# TEST_HEADERS are precompiled for the tests: headers that many of them include and that take long to read.
function(filigree_layer name)
  cmake_parse_arguments(ARG "" "" "LINKS;TEST_HEADERS" ${ARGN})
  if(NOT name IN_LIST filigree_layers)
    message(FATAL_ERROR "layers.txt has no row for src/${name}")
  endif()
  foreach(layer IN LISTS filigree_layers)
    if("filigree_${layer}" IN_LIST ARG_LINKS)
      message(FATAL_ERROR "src/${name} links filigree_${layer} itself: layers.txt says which layers it links")
    endif()
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  add_library(filigree_${name} STATIC ${sources})
  target_link_libraries(filigree_${name} PUBLIC ${filigree_links_${name}} ${ARG_LINKS}
    PRIVATE filigree_compile_options)
  target_include_directories(filigree_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>)
  filigree_precompile(filigree_${name})
  if(FILIGREE_BUILD_TESTS AND tests)
    filigree_test(filigree_${name}_test SOURCES ${tests} LINKS filigree_${name} HEADERS ${ARG_TEST_HEADERS})
  endif()
endfunction()

# filigree_private_layers(TARGET NAME): links TARGET, a shared library, with the layers of the row NAME. They stay out
# of its installed interface.
function(filigree_private_layers target name)
  foreach(layer IN LISTS filigree_links_${name})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${layer}>)
  endforeach()
endfunction()

# filigree_test(NAME SOURCES ... LINKS ... [HEADERS ...]): a GoogleTest program, one ctest entry per TEST.
function(filigree_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;HEADERS" ${ARGN})
  include(GoogleTest)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE filigree_compile_options filigree_testing ${ARG_LINKS} GTest::gmock
    GTest::gtest_main rapidcheck)
  filigree_precompile(${name} <gmock/gmock.h> ${ARG_HEADERS})
  filigree_compile_lightly(${name})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 600 PROPERTIES TIMEOUT 1800)
endfunction()
