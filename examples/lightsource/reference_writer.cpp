// SPDX-License-Identifier: Apache-2.0
//
// The same frames as example_lightsource_stream makes, written with HDF5 as one has to: zeros for all
// that does not count, deflated. Prints a line for each kind: name, frames, seconds, bytes. Frames are filled
// with zeros before the clock runs.
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <hdf5.h>

#include "frames.hpp"
#include "options.hpp"
#include "report.hpp"

namespace {

using namespace lightsource;

template <class T>
T checked(T result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + " failed");
  return result;
}

/// Chunks as the stream has them, and what served HDF5 best: level 1, and shuffled where most pixels of a
/// chunk count.
hid_t create(hid_t file, const Stream& stream, hsize_t tile) {
  const hsize_t side = stream.side(), none[]{0, side, side}, most[]{H5S_UNLIMITED, side, side},
                chunk[]{1, tile, tile};
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk(creation, 3, chunk);
  if (stream.kind() == Kind::region) H5Pset_shuffle(creation);
  H5Pset_deflate(creation, 1);
  H5Pset_chunk_cache(access, 521, 4 * side * side * sizeof(std::uint16_t), 1);  // two frames
  const hid_t space = H5Screate_simple(3, none, most);
  const hid_t data = checked(H5Dcreate2(file, std::string(name(stream.kind())).c_str(), H5T_STD_U16LE, space,
                                        H5P_DEFAULT, creation, access),
                             "making the dataset");
  H5Sclose(space), H5Pclose(access), H5Pclose(creation);
  return data;
}

void append(hid_t data, hsize_t number, hsize_t side, const std::vector<std::uint16_t>& dense) {
  const hsize_t dims[]{number + 1, side, side}, start[]{number, 0, 0}, one[]{1, side, side};
  checked(H5Dset_extent(data, dims), "growing the dataset");
  const hid_t space = H5Dget_space(data), memory = H5Screate_simple(3, one, nullptr);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, one, nullptr);
  checked(H5Dwrite(data, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, dense.data()), "writing a frame");
  H5Sclose(memory), H5Sclose(space);
}

hsize_t size_of(hid_t file) {
  hsize_t bytes = 0;
  checked(H5Fget_filesize(file, &bytes), "asking for the size of the file");
  return bytes;
}

void write(hid_t file, Kind kind, const Options& options) {
  const Stream stream(kind, options.side, options.seed);
  const hsize_t before = size_of(file);
  const hid_t data = create(file, stream, options.tile());
  Progress progress("HDF5 writes " + std::string(name(kind)), options.frames);
  Clock clock;
  std::vector<std::uint16_t> dense;
  for (hsize_t n = 0; n < options.frames; ++n) {
    stream.zero_filled(stream.frame(n), dense);
    clock.run([&] { append(data, n, options.side, dense); });
    progress.show(n + 1);
  }
  clock.run([&] {
    H5Dclose(data);
    checked(H5Fflush(file, H5F_SCOPE_GLOBAL), "flushing");
  });
  std::printf("%s %llu %.6f %llu\n", std::string(name(kind)).c_str(),
              static_cast<unsigned long long>(options.frames), clock.seconds(),
              static_cast<unsigned long long>(size_of(file) - before));
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse_options(
      argc, argv,
      "Writes the frames of example_lightsource_stream with HDF5: filled with zeros and deflated.");
  try {
    std::filesystem::create_directories(options.folder);
    const auto path = options.folder / "reference.h5";
    const hid_t file =
        checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "making the file");
    for (const Kind kind : options.kinds()) write(file, kind, options);
    checked(H5Fclose(file), "closing the file");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lightsource_reference: %s\n", error.what());
    return 1;
  }
}
