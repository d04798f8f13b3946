// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>

namespace lightsource {

namespace {

/// How one option is explained and taken. `take` throws std::invalid_argument.
struct Option {
  std::string name, about, now;
  std::function<void(const std::string&)> take;
};

Option number(std::string name, std::string about, std::uint64_t& value, std::uint64_t least,
              std::uint64_t most) {
  return {std::move(name), std::move(about), std::to_string(value),
          [&value, least, most](const std::string& text) {
            const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (fault != std::errc{} || end != text.data() + text.size() || value < least || value > most)
              throw std::invalid_argument("is not a number from " + std::to_string(least) + " to " +
                                          std::to_string(most));
          }};
}

Option choice(std::string name, std::string about, std::string& value, std::vector<std::string> choices) {
  return {std::move(name), std::move(about), value, [&value, choices](const std::string& text) {
            if (std::ranges::find(choices, text) == choices.end()) {
              std::string all;
              for (const std::string& each : choices) all += (all.empty() ? "" : ", ") + each;
              throw std::invalid_argument("is none of " + all);
            }
            value = text;
          }};
}

std::vector<Option> options_of(Options& o) {
  return {
      number("--frames", "frames of each kind", o.frames, 1, 1'000'000),
      number("--size", "pixels of a side of a frame: 1024 for 1 Mpixel, 2048 for 4", o.side, 64, 8192),
      choice("--kind", "what counts of a frame: region, peaks, or both kinds", o.kind,
             {"region", "peaks", "both"}),
      number("--every", "of so many frames one is kept in full", o.every, 1, 1'000'000),
      number("--seed", "other seeds, other frames", o.seed, 0, ~std::uint64_t{0}),
      number("--threads", "threads that hand over frames", o.threads, 1, 256),
      choice("--filter", "of values: bitshuffle (with LZ4), or deflate (shuffled, level 1)", o.filter,
             {"bitshuffle", "deflate"}),
      {"--output", "folder for file and pictures, made when it is not there", o.folder.string(),
       [&o](const std::string& text) {
         if (text.empty()) throw std::invalid_argument("is no folder");
         o.folder = text;
       }},
      {"--reference", "program that writes the same frames with HDF5, to compare", "none",
       [&o](const std::string& text) {
         if (!std::filesystem::is_regular_file(text)) throw std::invalid_argument("is no program");
         o.reference = text;
       }},
      number("--expect-seed", "compare with frames of this seed, to see that wrong ones are found",
             o.expected_seed, 0, ~std::uint64_t{0}),
  };
}

void help(const char* program, const char* about, const std::vector<Option>& options) {
  std::printf("%s\n\nUsage: %s [OPTION VALUE]...\n\n", about,
              std::filesystem::path(program).filename().c_str());
  for (const Option& option : options)
    std::printf("  %-14s %s [%s]\n", option.name.c_str(), option.about.c_str(), option.now.c_str());
}

}  // namespace

Options parse_options(int argc, char** argv, const char* about) {
  Options result;
  const std::vector<Option> options = options_of(result);
  const auto fail = [&](const std::string& what) {
    std::fprintf(stderr, "%s: %s (try --help)\n", std::filesystem::path(argv[0]).filename().c_str(),
                 what.c_str());
    std::exit(2);
  };
  bool expected = false;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      help(argv[0], about, options);
      std::exit(0);
    }
    const auto option = std::ranges::find(options, name, &Option::name);
    if (option == options.end()) fail("there is no option '" + name + "'");
    if (i + 1 == argc) fail(name + " needs a value");
    try {
      option->take(argv[i + 1]);
    } catch (const std::invalid_argument& fault) {
      fail(name + ": '" + argv[i + 1] + "' " + fault.what());
    }
    expected = expected || name == "--expect-seed";
  }
  if (!expected) result.expected_seed = result.seed;
  return result;
}

}  // namespace lightsource
