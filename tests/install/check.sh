#!/usr/bin/env bash
# Installs a build into a fresh prefix and builds and runs a program from there, once with find_package and once
# with pkg-config. Arguments: build folder, C++ compiler, sanitizers of the build (may be empty).
set -euo pipefail

build=$1
compiler=$2
sanitize=${3:-}
consumer=$(dirname "$(realpath "$0")")/consumer
expected="not found"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset DESTDIR PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
export CXXFLAGS="-Wall -Wextra -Werror ${sanitize:+-fsanitize=$sanitize}"

expect() {
  local found
  found=$("${@:2}")
  if [[ $found != "$expected" ]]; then
    echo "$1 printed '$found' instead of '$expected'" >&2
    exit 1
  fi
  echo "$1: ok"
}

cmake --install "$build" --prefix "$scratch/first" >"$scratch/install.log" || { cat "$scratch/install.log"; exit 1; }
# The prefix is moved, so that any absolute path in it would cause an error.
prefix=$scratch/moved
mv "$scratch/first" "$prefix"
if grep -rIl --fixed-strings -e "$build" -e "$scratch/first" "$prefix"; then
  echo "the files above name the build folder or the prefix they were first installed to" >&2
  exit 1
fi
libdir=$(dirname "$(find "$prefix" -name libfiligree.so)")

cmake -S "$consumer" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  >"$scratch/cmake.log"
cmake --build "$scratch/cmake" >>"$scratch/cmake.log" || { cat "$scratch/cmake.log"; exit 1; }
expect "find_package" "$scratch/cmake/consumer"

export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++20 $CXXFLAGS "$consumer/consumer.cpp" -o "$scratch/by_pkg_config" \
  $(pkg-config --cflags --libs filigree) -Wl,-rpath,"$libdir"
expect "pkg-config" "$scratch/by_pkg_config"

# The HDF5 C API, in the three ways in which programs find HDF5.
hdf5=$libdir/filigree/hdf5
if [[ -d $hdf5 ]]; then
  expected="1 2 3"
  run_in() { (cd "$1" && "$2"); }
  export CFLAGS="-Wall -Wextra -Werror ${sanitize:+-fsanitize=$sanitize}"
  # shellcheck disable=SC2086
  "$hdf5/bin/h5cc" $CFLAGS "$consumer/h5/consumer.c" -o "$scratch/by_h5cc"
  expect "filigree-cc" run_in "$scratch" "$scratch/by_h5cc"
  # shellcheck disable=SC2046,SC2086
  PKG_CONFIG_PATH=$hdf5/lib/pkgconfig cc $CFLAGS "$consumer/h5/consumer.c" -o "$scratch/by_hdf5_pc" \
    $(PKG_CONFIG_PATH=$hdf5/lib/pkgconfig pkg-config --cflags --libs hdf5)
  expect "pkg-config hdf5" run_in "$scratch" "$scratch/by_hdf5_pc"
  cmake -S "$consumer/h5" -B "$scratch/h5" -DCMAKE_PREFIX_PATH="$hdf5" >"$scratch/h5.log"
  cmake --build "$scratch/h5" >>"$scratch/h5.log" || { cat "$scratch/h5.log"; exit 1; }
  expect "find_package(HDF5)" run_in "$scratch" "$scratch/h5/consumer"
fi

if [[ -x $build/bin/filigree ]]; then
  "$prefix/bin/filigree" --help >/dev/null
  echo "installed command: ok"
fi
