// SPDX-License-Identifier: Apache-2.0
//
// What can be said on the command line, the same for the stream and for its rival.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "frames.hpp"

namespace lightsource {

struct Options {
  std::uint64_t frames = 400, side = 1024, every = 50, seed = 1;
  std::string kind = "both";
  std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::string filter = "bitshuffle";
  std::filesystem::path folder = "demo";
  std::filesystem::path reference;  ///< program that writes the same with HDF5; empty: no comparison
  std::uint64_t expected_seed = 1;  ///< of the frames that are expected when the file is read

  std::vector<Kind> kinds() const {
    if (kind == "both") return {Kind::region, Kind::peaks};
    return {kind == "region" ? Kind::region : Kind::peaks};
  }
  std::uint64_t tile() const { return (side + 3) / 4; }  ///< pixels of a side of a chunk
};

/// With --help it prints `about` and the options, and with what is wrong it says so; the program ends then.
Options parse_options(int argc, char** argv, const char* about);

}  // namespace lightsource
