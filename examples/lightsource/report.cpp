// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

namespace lightsource {

namespace {

double per_second(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }

/// One word for the shell, whatever is in it.
std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void print_row(const Result& r) {
  const auto frames = static_cast<double>(r.frames), dense = static_cast<double>(r.dense_bytes);
  const auto bytes = static_cast<double>(r.bytes), defined = static_cast<double>(r.defined);
  std::printf("%-12s %6.0f %11.0f %8.2f %% %9.0f %8.0f %8.1f %9.0f %9.2f %9.2f %8.1f x\n", r.name.c_str(),
              frames, defined, 100 * defined * sizeof(std::uint16_t) / dense, per_second(frames, r.written),
              per_second(dense / 1e6, r.written), per_second(bytes / 1e6, r.written),
              per_second(frames, r.read), dense / 1e6, bytes / 1e6, dense / bytes);
}

void print_comparison(const Result& ours, const Result& reference) {
  const auto bytes = static_cast<double>(ours.bytes), reference_bytes = static_cast<double>(reference.bytes);
  const double speed = per_second(static_cast<double>(ours.frames), ours.written);
  const double reference_speed = per_second(static_cast<double>(reference.frames), reference.written);
  std::printf("%-12s %9.0f %9.0f %8.1f x %11.2f %9.2f %8.1f x\n", ours.name.c_str(), speed, reference_speed,
              speed / reference_speed, bytes / 1e6, reference_bytes / 1e6, reference_bytes / bytes);
}

}  // namespace

std::vector<Result> run_reference(const Options& options) {
  std::vector<Result> results;
  if (options.reference.empty()) return results;
  std::string command;
  for (const std::string& word :
       {std::filesystem::absolute(options.reference).string(), std::string("--frames"),
        std::to_string(options.frames), std::string("--size"), std::to_string(options.side),
        std::string("--kind"), options.kind, std::string("--seed"), std::to_string(options.seed),
        std::string("--output"), options.folder.string()})
    command += quoted(word) + ' ';
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  char kind[16];
  unsigned long long frames = 0, bytes = 0;
  double seconds = 0;
  while (std::fscanf(pipe, "%15s %llu %lf %llu", kind, &frames, &seconds, &bytes) == 4)
    results.push_back({.name = kind, .frames = frames, .bytes = bytes, .written = seconds});
  if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
  return results;
}

void print_results(const std::vector<Result>& results, const std::vector<Result>& reference,
                   const Options& options) {
  const auto side = static_cast<unsigned long long>(options.side);
  std::printf(
      "Frames of %llu x %llu uint16, %llu threads, values filtered with %s. MB are 10^6 bytes. The size on\n"
      "disk includes the metadata of the chunks.\n\n",
      side, side, static_cast<unsigned long long>(options.threads),
      options.filter == "deflate" ? "shuffle and deflate 1" : "bitshuffle and LZ4");
  const auto heading = [](std::initializer_list<const char*> words) {
    constexpr int widths[] = {-12, 6, 11, 10, 9, 8, 8, 9, 9, 9, 10};
    for (int column = 0; const char* word : words) std::printf("%*s ", widths[column++], word);
    std::printf("\n");
  };
  heading({"", "frames", "defined", "of", "frames/s", "MB/s", "MB/s", "frames/s", "MB", "MB on", "times"});
  heading({"", "", "pixels", "all pixels", "written", "dense", "stored", "read", "dense", "disk", "smaller"});
  for (const Result& result : results) print_row(result);
  if (reference.empty()) {
    std::printf("\nNot compared with HDF5: no program for it was given (--reference).\n");
    return;
  }
  std::printf(
      "\nAgainst HDF5, which writes the same frames filled with zeros and deflated (level 1):\n\n"
      "              frames/s      HDF5    faster  MB on disk      HDF5    smaller\n");
  for (const Result& theirs : reference) {
    const auto ours = std::ranges::find(results, theirs.name, &Result::name);
    if (ours != results.end()) print_comparison(*ours, theirs);
  }
}

}  // namespace lightsource
