// SPDX-License-Identifier: Apache-2.0
//
// Damages a file in memory in many ways and reads every result. Usage: damage_driver FILE CASES
// CASES limits the number of truncations, flipped bits and overwritten words, which are spread evenly.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>

#include "../api/damage.hpp"

namespace {

using namespace filigree;
using damage::Image;

std::mutex output;

template <class Damaged>
bool survives(const char* what, std::size_t all, std::size_t most, Damaged&& damaged) {
  const std::size_t step = std::max<std::size_t>(1, all / most);
  bool good = true;
  damage::judge_all(
      all / step, [&](std::size_t i) { return damaged(i * step); },
      [&](std::size_t i, const std::string& complaint) {
        const std::lock_guard lock(output);
        std::fprintf(stderr, "%s %zu: %s\n", what, i * step, complaint.c_str());
        good = false;
      });
  return good;
}

int run(const char* path, std::size_t cases) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  const Image golden(bytes, bytes + text.size());
  damage::read_everything(golden);
  bool good = survives("cut", golden.size(), cases, [&](std::size_t kept) {
    return Image(golden.begin(), golden.begin() + static_cast<std::ptrdiff_t>(kept));
  });
  good &= survives("flipped bit", golden.size() * 8, cases,
                   [&](std::size_t bit) { return damage::with_flipped_bit(golden, bit); });
  good &= survives("word", golden.size() / 4 * std::size(damage::extreme_words), cases,
                   [&](std::size_t pick) { return damage::with_word(golden, pick); });
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: damage_driver FILE CASES\n");
    return 2;
  }
  try {
    return run(argv[1], std::strtoull(argv[2], nullptr, 10));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "damage_driver: %s\n", error.what());
    return 2;
  }
}
