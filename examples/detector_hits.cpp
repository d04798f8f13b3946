// SPDX-License-Identifier: Apache-2.0
//
// Datasets of numbers and of structs: a struct is described once, written, and read back completely and in
// part.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

struct Hit {
  std::uint32_t pixel = 0;
  float energy = 0;
  std::string label;
};
inline void describe(filigree::Members& members, Hit& hit) {
  members("pixel", hit.pixel)("energy", hit.energy)("label", hit.label);
}

/// A struct with only some members reads only these.
struct Energy {
  double energy = 0;
};
inline void describe(filigree::Members& members, Energy& e) { members("energy", e.energy); }

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "detector_hits.h5";
  try {
    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    auto run = file.root().create_group("run1");

    // A frame of 16-bit counts, with a fill value for pixels that were not written.
    filigree::DatasetOptions options;
    options.fill = filigree::Fill::of(std::uint16_t{65535});
    auto frame = run.create_dataset<std::uint16_t>("frame", filigree::Dataspace::simple({512, 512}), options);
    frame.write(std::vector<int>(64 * 64, 100), filigree::Selection::box({128, 128}, {64, 64}));
    frame.set_attribute("exposure", 0.25);

    // Structs, which may contain strings.
    run.write_dataset("hits", std::vector<Hit>{{17, 8.5f, "first"}, {99, 3.25f, "second"}});
    file.close();

    const auto again = filigree::File::open(path);
    const auto read = again.root().open_group("run1");
    const auto row = read.open_dataset("frame").read<std::vector<double>>(
        filigree::Selection::strided({128, 120}, {1, 8}, {1, 3}));
    std::cout << "every 8th pixel from (128, 120) on: " << row[0] << ' ' << row[1] << ' ' << row[2] << '\n';
    for (const Hit& hit : read.read_dataset<std::vector<Hit>>("hits"))
      std::cout << hit.label << ": pixel " << hit.pixel << '\n';
    double total = 0;
    for (const Energy& e : read.read_dataset<std::vector<Energy>>("hits")) total += e.energy;
    std::cout << "energy in total: " << total << '\n';
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
