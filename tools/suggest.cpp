// SPDX-License-Identifier: Apache-2.0
//
// `filigree suggest`: chunk dimensions for a dataset that is to be created.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "json.hpp"

namespace filigree::tools {
namespace {

struct Request {
  std::string dims;
  std::uint32_t element_bytes = 4;
  bool sparse = false;
  std::optional<double> density;
  std::optional<double> per_slice;
  ChunkAccess access = ChunkAccess::anything;
  bool json = false;

  bool is_sparse() const { return sparse || density || per_slice; }
};

/// "100" or "Inf".
std::optional<std::uint64_t> parse_size(std::string_view text) {
  if (text == "Inf" || text == "inf") return unlimited;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Sizes as `filigree ls` prints them, with commas or "x" between them: "100/Inf,512,512".
std::optional<Dataspace> parse_dims(std::string_view text) {
  std::vector<std::uint64_t> dims, most;
  while (true) {
    const std::size_t end = std::min(text.find_first_of(",x"), text.size());
    const std::string_view one = text.substr(0, end);
    const std::size_t slash = std::min(one.find('/'), one.size());
    const auto now = parse_size(one.substr(0, slash));
    const auto limit = slash == one.size() ? now : parse_size(one.substr(slash + 1));
    if (!now || !limit || *now == unlimited) return std::nullopt;
    dims.push_back(*now);
    most.push_back(*limit);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  return Dataspace::simple(std::move(dims), std::move(most));
}

double elements_of(const std::vector<std::uint64_t>& chunk) {
  double elements = 1;
  for (const std::uint64_t n : chunk) elements *= static_cast<double>(n);
  return elements;
}

std::string size_text(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} bytes", bytes);
  if (bytes < 1024 * 1024) return fmt::format("{:.0f} KiB", bytes / 1024);
  return fmt::format("{:.1f} MiB", bytes / (1024 * 1024));
}

Exit print_suggestion(const Request& request) {
  const auto space = parse_dims(request.dims);
  if (!space) {
    complain(request.dims, "these are no dimensions; an example: 0/Inf,2048,2048");
    return Exit::usage;
  }
  const ExpectedDensity density = request.per_slice ? ExpectedDensity::per_slice(*request.per_slice)
                                  : request.density ? ExpectedDensity::of(*request.density)
                                                    : ExpectedDensity();
  const Datatype type = Datatype::opaque(request.element_bytes, "");
  const auto chunk = request.is_sparse() ? suggest_sparse_chunks(*space, density, request.access)
                                         : suggest_chunks(*space, type, request.access);
  const double elements = elements_of(chunk);
  if (request.json) {
    JsonWriter json;
    json.begin_object().key("chunk").numbers(chunk).key("elements").number(elements);
    if (request.is_sparse()) json.key("defined").number(elements * density.share(*space));
    json.end_object().finish();
    return Exit::ok;
  }
  fmt::print("{}\n", fmt::join(chunk, " x "));
  if (request.is_sparse()) {
    fmt::print("{:.0f} elements per chunk, about {:.0f} of them defined\n", elements,
               elements * density.share(*space));
  } else {
    fmt::print("{:.0f} elements per chunk, {} before compression\n", elements,
               size_text(elements * static_cast<double>(request.element_bytes)));
  }
  return Exit::ok;
}

Exit suggest(const Request& request) {
  try {
    return print_suggestion(request);
  } catch (const Error& error) {
    complain(request.dims, error.what());
    return Exit::usage;
  }
}

constexpr const char* explanation =
    R"(DIMS are the sizes of the dimensions, with commas between them. A dimension that grows has its
maximum after a slash, or Inf: 0/Inf,2048,2048. No file is opened.)";

}  // namespace

void set_up_suggest(CLI::App& command, Run& run) {
  static Request request;
  static const std::map<std::string, ChunkAccess> accesses{{"anything", ChunkAccess::anything},
                                                           {"rows", ChunkAccess::rows},
                                                           {"columns", ChunkAccess::columns},
                                                           {"frames", ChunkAccess::frames}};
  command.add_option("DIMS", request.dims, "The dimensions of the dataset")->required();
  command.add_option("-b,--element-bytes", request.element_bytes, "The size of an element (4)")
      ->check(CLI::Range(1, 1 << 30));
  command.add_option("-a,--access", request.access, "What is read together: anything, rows, columns, frames")
      ->transform(CLI::CheckedTransformer(accesses));
  command.add_flag("-s,--sparse", request.sparse, "For a sparse dataset");
  CLI::Option* const density =
      command.add_option("-d,--density", request.density, "The share of defined elements (0.01); implies -s");
  command
      .add_option("-p,--per-slice", request.per_slice,
                  "Defined elements of a frame, or of a row of a matrix; implies -s")
      ->excludes(density);
  command.add_flag("--json", request.json, "Print one JSON document");
  command.footer(explanation);
  command.callback([&run] { run = [] { return suggest(request); }; });
}

}  // namespace filigree::tools
