// SPDX-License-Identifier: Apache-2.0
//
// Selections: the bright pixels of a frame as a set, combined with regions, read and written in one call.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "bright_pixels.h5";
  const std::vector<std::uint64_t> extent{256, 256};
  try {
    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    std::vector<float> pixels(256 * 256, 1.0f);
    for (std::size_t i = 0; i < pixels.size(); i += 997) pixels[i] = 100.0f;
    auto frame = file.root().create_dataset<float>("frame", filigree::Dataspace::simple(extent));
    frame.write(pixels);

    // A set from a mask, without the border, where the detector is blind.
    std::vector<std::uint8_t> mask;
    for (const float value : pixels) mask.push_back(value > 50.0f);
    const auto inside = filigree::Selection::box({8, 8}, {240, 240});
    const auto bright = filigree::Selection::of_mask(extent, mask) & inside;
    std::cout << bright.elements() << " bright pixels inside\n";

    // Reads only these elements, in row-major order. coordinates() has the same order.
    double sum = 0;
    for (const double value : frame.read<std::vector<double>>(bright)) sum += value;
    std::cout << "they add up to " << sum << '\n';
    const auto coordinates = bright.coordinates();
    std::cout << "the first one is at " << coordinates[0] << ", " << coordinates[1] << '\n';

    // All other elements get a new value.
    const auto dark = filigree::Selection::all() - bright;
    frame.write(std::vector<float>(dark.elements(), 0.0f), dark);

    // Points are a list: they keep their order and may repeat.
    const std::vector<std::uint64_t> chosen{0, 0, coordinates[0], coordinates[1], 0, 0};
    for (const float value : frame.read<std::vector<float>>(filigree::Selection::points(extent, chosen)))
      std::cout << value << '\n';
    file.close();
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
