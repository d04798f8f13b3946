# Language level, warnings, sanitizers, ccache and where the products go.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(FILIGREE_CCACHE ccache)
if(FILIGREE_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${FILIGREE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FILIGREE_CCACHE})
endif()

add_library(filigree_compile_options INTERFACE)
target_compile_options(filigree_compile_options INTERFACE -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor -Wswitch)
# gcc 12 sees overflows inside std::vector and std::string that are not there (its bugs 105329, 105651).
target_compile_options(filigree_compile_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-array-bounds -Wno-restrict>)
target_include_directories(filigree_compile_options INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>)

# filigree_precompile(TARGET [HEADERS...]): reads these and the usual headers of the standard library once, if wanted.
# Sanitizer builds go without, so that a source which forgets an #include is found there.
function(filigree_precompile target)
  if(NOT FILIGREE_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <functional> <memory> <optional> <span> <string> <vector>
    <fmt/format.h> ${ARGN})
  target_link_libraries(${target} PRIVATE fmt::fmt)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # or ccache would not know it
endfunction()

# filigree_compile_lightly(TARGET): for tests, which take longer to optimise than to run, and for what only hands over.
function(filigree_compile_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

if(FILIGREE_SANITIZE)
  add_compile_options(-fsanitize=${FILIGREE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FILIGREE_SANITIZE})
endif()
if(FILIGREE_BUILD_FUZZERS)
  # Everything reports its coverage to the fuzzer, and takes wrong checksums (base/checksum.hpp).
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_compile_definitions(FILIGREE_FUZZING)
endif()
