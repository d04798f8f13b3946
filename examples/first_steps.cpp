// SPDX-License-Identifier: Apache-2.0
//
// The quick start: creates a small file with groups, attributes, a dataset and links, opens it again, and
// prints its contents. Usage: example_first_steps [FILE]   (default: first_steps.h5)
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "first_steps.h5";
  try {
    filigree::File file = filigree::File::create(path, filigree::CreateMode::truncate);
    filigree::Group run = file.root().require_group("beamline/run_042");
    run.set_attribute("energy_keV", 12.4);
    run.set_attribute("detector", std::string("1 megapixel, 2 kHz"));
    run.set_attribute("beam_centre", std::vector<double>{512.5, 498.25});
    run.write_dataset("counts", std::vector<std::uint16_t>{3, 1, 4, 1, 5});
    run.link_soft("latest", "/beamline/run_042/counts");
    file.root().link_external("calibration", "calibration.h5", "/dark");
    file.close();

    file = filigree::File::open(path);
    run = file.root().open_group("beamline/run_042");
    std::printf("energy: %g keV\n", run.get_attribute<double>("energy_keV"));
    double sum = 0;
    for (const double count : run.read_dataset<std::vector<double>>("latest"))
      sum += count;  // converted by the read
    std::printf("sum of counts: %g\n", sum);
    file.root().visit([](const filigree::Visited& v) {
      std::printf("%s\n", v.path.c_str());
      return true;
    });
    return sum == 14 ? 0 : 1;
  } catch (const filigree::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
