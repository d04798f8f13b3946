// SPDX-License-Identifier: Apache-2.0
//
// filigree_bench: every scenario runs Filigree and HDF5 on the same work and checks the answers.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench.hpp"
#include "results.hpp"

namespace fs = std::filesystem;

namespace bench {

namespace {

struct ScratchFolder {
  fs::path path = fs::temp_directory_path() / fmt::format("filigree-bench-{}", ::getpid());
  ScratchFolder() { fs::create_directories(path); }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

ScratchFolder& folder() {
  static ScratchFolder one;
  return one;
}

}  // namespace

double seconds(const std::function<void()>& work, int repeats) {
  double best = 0;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i == 0 || took < best) best = took;
  }
  return best;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void require(bool holds, std::string_view what) {
  if (!holds) throw WrongAnswer(std::string(what));
}

std::string scratch(std::string_view name) { return (folder().path / name).string(); }

std::uint64_t file_bytes(const std::string& path) { return fs::file_size(path); }

std::string program(std::string_view name) {
  return (fs::read_symlink("/proc/self/exe").parent_path() / name).string();
}

std::string output_of(const std::string& command) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  char part[4096];
  for (std::size_t got; (got = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, got);
  if (::pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
  return text;
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {"metadata", "20,000 small objects, a million links", run_metadata},
      {"datasets", "contiguous datasets, whole and converted; strings", run_datasets},
      {"drivers", "strided slabs and columns, system calls counted", run_drivers},
      {"latency", "round trips to a file with high latency", run_latency},
      {"selections", "sets of elements: built, combined, walked, cut", run_selections},
      {"filters", "filters alone; bytes of packed selections", run_filters},
      {"packed", "values and selections of counts, filtered", run_packed},
      {"chunks", "detector frames, many small chunks, scattered points", run_chunks},
      {"direct", "chunks that are already compressed, with fsync", run_direct},
      {"readers", "1, 2 and 4 threads that read one file", run_readers},
      {"sparse", "sparse frames against dense chunks and against lists", run_sparse},
      {"matrix", "rows, columns and all of a matrix of single-cell counts", run_matrix},
      {"capi", "cost of a call of the HDF5 C API", run_capi},
  };
  return all;
}

namespace {

void run(const Scenario& scenario) {
  try {
    scenario.run();
  } catch (const std::exception& error) {
    results().fail(error.what());
    fmt::print(stderr, "filigree_bench: {}: wrong answer or failure: {}\n", scenario.name, error.what());
  }
}

/// Runs a scenario in a process of its own, so that its heap, caches and threads do not affect the next one.
void run_in_child(const Scenario& scenario) {
  results().begin(scenario.name);
  std::fflush(nullptr);  // otherwise both processes would print the buffered text
  std::array<int, 2> pipe;
  if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::close(pipe[0]);
    results().start_anew();
    run(scenario);
    const std::string text = results().sent();
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t some = ::write(pipe[1], text.data() + sent, text.size() - sent);
      if (some <= 0) std::exit(1);
      sent += static_cast<std::size_t>(some);
    }
    std::exit(0);
  }
  ::close(pipe[1]);
  std::string text;
  char part[4096];
  for (ssize_t got; (got = ::read(pipe[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(got));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  results().receive(text);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    results().fail("the process ended early");
    fmt::print(stderr, "filigree_bench: {}: the process ended early\n", scenario.name);
  }
}

bool is_selected(const Scenario& scenario, const std::vector<std::string>& only, bool otherwise) {
  return only.empty() ? otherwise : std::ranges::find(only, scenario.name) != only.end();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  CLI::App app("Measures Filigree and HDF5 on the same work, interleaved, and checks every result.");
  std::vector<std::string> only;
  std::string json, svg;
  bool list = false, scale = false, none = false;
  std::vector<std::string> names;
  for (const auto* group : {&scenarios(), &curves()}) {
    for (const Scenario& scenario : *group) names.emplace_back(scenario.name);
  }
  app.add_option("--only,scenario", only, "Run only this scenario; may be given several times")
      ->check(CLI::IsMember(names));
  app.add_option("--json", json, "Write all results to this file");
  app.add_option("--svg", svg, "Write charts of the results to this folder (needs --json and python3)");
  app.add_flag("--list", list, "List the scenarios");
  app.add_flag("--scale", scale,
               "Measure cost curves instead: elements, chunks, links, threads, round trips");
  app.add_flag("--none", none, "Run nothing: the JSON file then describes only machine and versions");
  CLI11_PARSE(app, argc, argv);
  if (list) {
    for (const auto* group : {&scenarios(), &curves()}) {
      for (const Scenario& scenario : *group) fmt::print("{:<16}{}\n", scenario.name, scenario.about);
    }
    return 0;
  }
  if (!svg.empty() && json.empty()) {
    fmt::print(stderr, "filigree_bench: --svg needs --json\n");
    return 2;
  }
  std::string command = "filigree_bench";
  for (int i = 1; i < argc; ++i) command += fmt::format(" {}", argv[i]);
  for (const Scenario& scenario : curves()) {
    if (!none && is_selected(scenario, only, scale)) run_in_child(scenario);
  }
  for (const Scenario& scenario : scenarios()) {
    if (!none && is_selected(scenario, only, !scale)) run_in_child(scenario);
  }
  if (!json.empty()) results().write_json(json, command);
  if (!svg.empty())
    fmt::print("\n{}",
               output_of(fmt::format("'{}/scripts/plot-bench' '{}' '{}'", FILIGREE_SOURCE_DIR, json, svg)));
  return results().failed() ? 1 : 0;
}
