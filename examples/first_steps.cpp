// SPDX-License-Identifier: Apache-2.0
//
// Groups, links and attributes: makes a small file, reopens it and prints what is in it.
// Usage: example_first_steps [FILE]   (first_steps.h5 when no file is named)
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
    run.create_group("frames");
    run.link_soft("latest", "/beamline/run_042/frames");
    file.root().link_external("calibration", "calibration.h5", "/dark");
    file.close();

    file = filigree::File::open(path);
    const filigree::Object latest = file.open_object("beamline/run_042");
    std::printf("energy: %g keV\n", latest.get_attribute<double>("energy_keV"));
    file.root().visit([](const filigree::Visited& v) {
      std::printf("%s\n", v.path.c_str());
      return true;
    });
  } catch (const filigree::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
