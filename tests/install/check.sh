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

# The tutorial's first program, built by the tutorial's own line.
tutorial=$(dirname "$(realpath "$0")")/../../docs/tutorial.md
mkdir "$scratch/tutorial"
awk '/^```cpp$/ {copy = 1; next} /^```$/ && copy {exit} copy' "$tutorial" >"$scratch/tutorial/first.cpp"
line=$(grep -m1 '^g++ .*first\.cpp' "$tutorial")
if [[ -z $sanitize ]]; then
  (cd "$scratch/tutorial" && bash -euc "$line")
  [[ -s $scratch/tutorial/first.h5 ]] || { echo "the tutorial's first program wrote no file" >&2; exit 1; }
  echo "tutorial: ok"
fi

# Licences, and the list of files that uninstalling needs.
for file in LICENSE third-party.md licenses/libzstd-dev.txt; do
  [[ -s $prefix/share/doc/filigree/$file ]] || { echo "$file is not in the prefix" >&2; exit 1; }
done
diff <(cd "$prefix" && find . ! -type d | sed 's|^\./||' | sort) <(sort "$prefix/share/filigree/install_manifest.txt") || {
  echo "the list of installed files differs from those that are there" >&2
  exit 1
}
echo "licences and list of files: ok"

# The HDF5 C API, in the three ways in which programs find HDF5.
hdf5=$libdir/filigree/hdf5
if [[ -d $hdf5 ]]; then
  expected="1 2 3"
  run_in() { (cd "$1" && "$2"); }
  export CFLAGS="-Wall -Wextra -Werror ${sanitize:+-fsanitize=$sanitize}"
  # shellcheck disable=SC2086
  "$hdf5/bin/h5cc" $CFLAGS "$consumer/h5/consumer.c" -o "$scratch/by_h5cc"
  expect "filigree-cc" run_in "$scratch" "$scratch/by_h5cc"
  # Libraries may be named, also after folders that have others of these names.
  mkdir "$scratch/other"
  echo 'int H5open(void) { return -1; }' >"$scratch/other.c"
  cc -shared -fPIC "$scratch/other.c" -o "$scratch/other/libhdf5.so"
  cp "$scratch/other/libhdf5.so" "$scratch/other/libhdf5_hl.so"
  for compiler_script in "$hdf5/bin/h5cc" "$prefix/bin/filigree-cc"; do
    # shellcheck disable=SC2086
    "$compiler_script" -shlib $CFLAGS "$consumer/h5/consumer.c" -L"$scratch/other" -lhdf5_hl -lhdf5 -o "$scratch/named"
    expect "$(basename "$compiler_script") -lhdf5_hl -lhdf5" run_in "$scratch" "$scratch/named"
    if ldd "$scratch/named" | grep -q 'libhdf5'; then
      echo "a program of $compiler_script is linked with another HDF5" >&2
      exit 1
    fi
  done
  # shellcheck disable=SC2046,SC2086
  PKG_CONFIG_PATH=$hdf5/lib/pkgconfig cc $CFLAGS "$consumer/h5/consumer.c" -o "$scratch/by_hdf5_pc" \
    $(PKG_CONFIG_PATH=$hdf5/lib/pkgconfig pkg-config --cflags --libs hdf5)
  expect "pkg-config hdf5" run_in "$scratch" "$scratch/by_hdf5_pc"
  cmake -S "$consumer/h5" -B "$scratch/h5" -DCMAKE_PREFIX_PATH="$hdf5" >"$scratch/h5.log"
  cmake --build "$scratch/h5" >>"$scratch/h5.log" || { cat "$scratch/h5.log"; exit 1; }
  expect "find_package(HDF5)" run_in "$scratch" "$scratch/h5/consumer"
  # Other languages are refused by name; their libraries are never taken from elsewhere.
  for languages in "C CXX" "C Fortran" "CXX" "C HL CXX"; do
    for mode in "" CONFIG; do
      mkdir -p "$scratch/languages"
      printf 'cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES C CXX)\nfind_package(HDF5 %s REQUIRED COMPONENTS %s)\n' \
        "$mode" "$languages" >"$scratch/languages/CMakeLists.txt"
      if cmake -S "$scratch/languages" -B "$scratch/languages/build" -DCMAKE_PREFIX_PATH="$hdf5" >"$scratch/languages.log" 2>&1; then
        echo "find_package(HDF5 $mode COMPONENTS $languages) found something" >&2
        exit 1
      fi
      tr -s ' \n' ' ' <"$scratch/languages.log" | grep -q "Filigree.* has no .*only C and HL" ||
        { cat "$scratch/languages.log"; exit 1; }
      rm -r "$scratch/languages"
    done
  done
  echo "find_package(HDF5) with other languages: ok"
fi

# The same for each MPI. The macros and functions of parallel builds are there, and in these prefixes only.
for mpi in openmpi mpich; do
  parallel=$libdir/filigree/hdf5-$mpi
  [[ -d $parallel && -z $sanitize ]] || continue
  expected="1 2 3 in parallel"
  source=$consumer/h5/parallel.c
  "$parallel/bin/h5pcc" $CFLAGS "$source" -o "$scratch/by_h5pcc"
  expect "h5pcc for $mpi" run_in "$scratch" "$scratch/by_h5pcc"
  "$parallel/bin/h5pcc" -shlib $CFLAGS "$source" -L"$scratch/other" -lhdf5_hl -lhdf5 -o "$scratch/named"
  expect "h5pcc for $mpi -lhdf5_hl -lhdf5" run_in "$scratch" "$scratch/named"
  "$parallel/bin/h5pcc" -showconfig | grep -q "Parallel HDF5: yes"
  for name in hdf5 "hdf5-$mpi"; do
    # shellcheck disable=SC2046,SC2086
    PKG_CONFIG_PATH=$parallel/lib/pkgconfig cc $CFLAGS "$source" -o "$scratch/by_hdf5_pc" \
      $(PKG_CONFIG_PATH=$parallel/lib/pkgconfig pkg-config --cflags --libs "$name")
    expect "pkg-config $name for $mpi" run_in "$scratch" "$scratch/by_hdf5_pc"
  done
  for mode in "" CONFIG; do
    rm -rf "$scratch/parallel"
    cmake -S "$consumer/h5" -B "$scratch/parallel" -DPARALLEL=1 -DMODE="$mode" -DCMAKE_PREFIX_PATH="$parallel" \
      >"$scratch/parallel.log" 2>&1 || { cat "$scratch/parallel.log"; exit 1; }
    cmake --build "$scratch/parallel" >>"$scratch/parallel.log" || { cat "$scratch/parallel.log"; exit 1; }
    expect "find_package(HDF5 $mode) for $mpi" run_in "$scratch" "$scratch/parallel/consumer"
  done
  ldd "$scratch/parallel/consumer" | grep -q "libfiligree_hdf5_$mpi" || { echo "not linked with $mpi" >&2; exit 1; }
done

if [[ -x $build/bin/filigree ]]; then
  "$prefix/bin/filigree" --help >/dev/null
  for page in filigree filigree-show; do
    grep -q '^\.SH OPTIONS' "$prefix/share/man/man1/$page.1"
  done
  for script in bash-completion/completions/filigree zsh/site-functions/_filigree fish/vendor_completions.d/filigree.fish; do
    grep -q "complete --" "$prefix/share/$script"
  done
  echo "installed command: ok"
fi

# Uninstalling removes what was installed, and nothing else.
echo kept >"$prefix/lib/kept.txt"
uninstall=$(dirname "$(realpath "$0")")/../../scripts/uninstall
"$uninstall" "$prefix"
left=$(cd "$prefix" && find . -mindepth 1 | sort | tr '\n' ' ')
[[ $left == "./lib ./lib/kept.txt " ]] || { echo "after uninstalling there are: $left" >&2; exit 1; }
if "$uninstall" "$prefix" 2>/dev/null; then
  echo "an empty prefix was uninstalled" >&2
  exit 1
fi
echo "uninstall: ok"
