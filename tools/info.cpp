// SPDX-License-Identifier: Apache-2.0
//
// `filigree info`: a file on one screen.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "describe.hpp"
#include "details.hpp"
#include "json.hpp"
#include "sections.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "type_text.hpp"

namespace filigree::tools {
namespace {

struct InfoOptions {
  std::vector<std::string> files;
  bool json = false;
};

struct Largest {
  std::string path;
  Object object;
  DatasetFacts facts;
};

/// What one screen shows of a file.
struct Summary {
  FileInfo info;
  Requirements requirements;
  std::map<std::string, std::uint64_t> counts;  ///< of objects and links, by their kind
  std::vector<Largest> largest;
  std::map<std::string, std::uint64_t> conventions;
  /// Chunks that HDF5 has stored, and their datasets. `uncounted` datasets had too many envelopes.
  std::uint64_t chunks_from_hdf5 = 0, datasets_from_hdf5 = 0, uncounted = 0;
  std::uint64_t envelopes_left = most_counted_envelopes;
  /// Datasets whose chunks cannot be read, though their headers can.
  std::set<std::uint64_t> damaged;
  bool not_closed = false;

  std::uint64_t unreadable() const { return requirements.unreadable + damaged.size(); }
};

constexpr std::size_t most_largest = 5;

/// Counts the chunks that HDF5 has stored, unless one is damaged.
void see_portable(const Dataset& data, Summary& summary) {
  try {
    const std::uint64_t chunks = data.chunk_count();
    if (chunks > summary.envelopes_left) return void(++summary.uncounted);
    summary.envelopes_left -= chunks;
    const std::uint64_t marked = data.hdf5_chunk_count();
    summary.chunks_from_hdf5 += marked;
    if (marked > 0) ++summary.datasets_from_hdf5;
  } catch (const Error&) {
    summary.damaged.insert(data.address());
  }
}

/// Adds what is not in the header, unless a chunk is damaged.
void complete(Largest& one, Summary& summary) {
  try {
    one.facts = describe(Dataset(one.object));
  } catch (const Error&) {
    summary.damaged.insert(one.object.address());
  }
}

void see_dataset(const Object& object, const std::string& path, Summary& summary) {
  const Dataset data(object);
  const DatasetInfo info = data.dataset_info();
  ++summary.counts["dataset"];
  if (info.sparse) ++summary.counts[info.portable ? "portable sparse dataset" : "sparse dataset"];
  if (info.portable) see_portable(data, summary);
  DatasetFacts facts{data.datatype(), data.space(), info, 0, {}, {}, {}, {}};
  if (info.layout != Layout::virtual_dataset) facts.stored_bytes = data.stored_bytes();
  auto& largest = summary.largest;
  const auto smaller = std::ranges::find_if(
      largest, [&](const Largest& l) { return l.facts.stored_bytes < facts.stored_bytes; });
  if (smaller == largest.end() && largest.size() == most_largest) return;
  largest.insert(smaller, {path, object, std::move(facts)});
  if (largest.size() > most_largest) largest.pop_back();
}

void see(const Visited& visited, Summary& summary) {
  if (visited.link != nullptr && visited.link->kind != LinkKind::hard)
    return void(++summary.counts["other link"]);
  if (!visited.object || visited.seen_before) return;
  const std::string path = visited.path == "." ? "/" : "/" + visited.path;
  try {
    switch (visited.object->kind()) {
      case ObjectKind::group:
        ++summary.counts["group"];
        if (const auto matrix = find_convention(Group(*visited.object)))
          ++summary.conventions[fmt::format("{} ({})", matrix->kind, matrix->software)];
        return;
      case ObjectKind::datatype:
        return void(++summary.counts["committed datatype"]);
      case ObjectKind::dataset:
        return see_dataset(*visited.object, path, summary);
    }
  } catch (const Error&) {
    // The requirements count objects that cannot be read.
  }
}

Summary summarise(const std::string& path) {
  Summary summary;
  const File file = open_unclosed(path, summary.not_closed);
  summary.info = file.info();
  summary.requirements = file.requirements();
  VisitOptions options;
  options.keep_going = true;
  file.root().visit(
      [&](const Visited& visited) {
        see(visited, summary);
        return true;
      },
      options);
  for (Largest& one : summary.largest) complete(one, summary);
  return summary;
}

const char* strategy_text(SpaceStrategy strategy) {
  switch (strategy) {
    case SpaceStrategy::free_list:
      return "free list";
    case SpaceStrategy::paged:
      return "paged";
    case SpaceStrategy::aggregated:
      return "aggregated";
    case SpaceStrategy::none:
      return "none";
  }
  return "unknown";
}

void print_largest(const Summary& summary, const Style& style) {
  const char* label = "Largest:";
  for (const Largest& one : summary.largest) {
    if (one.facts.stored_bytes == 0) continue;
    fmt::print("{:<13}{:>8}  {}  {} {}, {}\n", label, bytes_text(one.facts.stored_bytes),
               style.safe(one.path), style.safe(type_text(one.facts.type)), shape_text(one.facts.space),
               layout_text(one.facts));
    label = "";
  }
}

/// HDF5 defines only elements that differ from the fill value, which a user of sparse data has to know.
std::string from_hdf5_text(const Summary& summary) {
  std::string text;
  if (summary.chunks_from_hdf5 > 0)
    text = fmt::format(
        "{} chunks of {} portable sparse datasets; no element with the fill value is defined there",
        grouped(summary.chunks_from_hdf5), grouped(summary.datasets_from_hdf5));
  if (summary.uncounted > 0)
    text += fmt::format("{}{} datasets have too many portable chunks to look at each",
                        text.empty() ? "" : "; ", grouped(summary.uncounted));
  return text;
}

void print_summary(const std::string& path, const Summary& summary) {
  const Style style = make_style(ColorChoice::never, output_facts());
  const FileInfo& info = summary.info;
  const auto line = [](const char* label, const std::string& text) {
    if (!text.empty()) fmt::print("{:<13}{}\n", label, text);
  };
  line("File:", fmt::format("{}, {} ({} bytes)", style.safe(path), bytes_text(info.file_bytes),
                            grouped(info.file_bytes)));
  std::string format =
      fmt::format("superblock version {}, offsets of {} bytes", info.superblock_version, info.offset_bytes);
  if (info.user_block_bytes > 0) format += fmt::format(", user block of {} bytes", info.user_block_bytes);
  line("Format:", format);
  line("Needs:", fmt::format("{}", fmt::join(needs(summary.requirements, true), ", ")));
  std::vector<std::string> counts;
  for (const auto& [what, count] : summary.counts)
    counts.push_back(fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s"));
  line("Objects:", fmt::format("{}", fmt::join(counts, ", ")));
  std::vector<std::string> conventions;
  for (const auto& [what, count] : summary.conventions)
    conventions.push_back(fmt::format("{} {}", grouped(count), what));
  line("Conventions:", fmt::format("{}", fmt::join(conventions, ", ")));
  print_largest(summary, style);
  line("From HDF5:", from_hdf5_text(summary));
  line("Free space:",
       fmt::format("{}, strategy {}{}", bytes_text(info.reusable_bytes), strategy_text(info.space.strategy),
                   info.space.persist ? ", persistent" : ""));
  if (summary.not_closed) line("Not closed:", "a program has the file open for writing, or did not close it");
  if (summary.unreadable() > 0) line("Unreadable:", fmt::format("{} objects", grouped(summary.unreadable())));
}

void print_json(const std::string& path, const Summary& summary) {
  JsonWriter json;
  json.begin_object().name("file", path).key("bytes").number(summary.info.file_bytes);
  json.key("superblock_version").number(std::uint64_t{summary.info.superblock_version});
  json.key("user_block").number(summary.info.user_block_bytes).key("needs").begin_array();
  for (const std::string& need : needs(summary.requirements, false)) json.text(need);
  json.end_array().key("filters").begin_array();
  for (const FilterChoice& filter : summary.requirements.filters) json.number(std::uint64_t{filter.id});
  json.end_array().key("objects").begin_object();
  for (const auto& [what, count] : summary.counts) json.key(what).number(count);
  json.end_object().key("conventions").begin_object();
  for (const auto& [what, count] : summary.conventions) json.key(what).number(count);
  json.end_object().key("largest").begin_array();
  for (const Largest& one : summary.largest) {
    json.begin_object().name("path", one.path);
    add_json(json, one.facts);
    json.end_object();
  }
  json.end_array().key("free").number(summary.info.reusable_bytes);
  json.key("chunks_from_hdf5").number(summary.chunks_from_hdf5);
  json.key("not_closed").boolean(summary.not_closed);
  json.key("unreadable").number(summary.unreadable()).end_object().finish();
}

Exit show_files(const InfoOptions& options) {
  Exit result = Exit::ok;
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    const std::string& path = options.files[i];
    try {
      const Summary summary = summarise(path);
      if (i > 0 && !options.json) fmt::print("\n");
      options.json ? print_json(path, summary) : print_summary(path, summary);
      if (summary.not_closed || summary.unreadable() > 0) result = Exit::failed;
    } catch (const Error& error) {
      complain(path, error_text(error, path));
      result = Exit::failed;
    }
  }
  return result;
}

constexpr const char* explanation =
    R"(Size, format, what a reader needs beside HDF5, numbers of objects, the largest datasets, free
space, sparse matrices by the conventions of other software, and whether the file was closed. The
exit code is 1 if it was not, or if an object cannot be read. No chunk is read but the first bytes of
portable sparse chunks, which say whether HDF5 has stored them (of at most 10,000 chunks).

Example:
  filigree info data.h5)";

}  // namespace

void set_up_info(CLI::App& command, Run& run) {
  static InfoOptions options;
  command.add_flag("--json", options.json, "Print one JSON document for each file");
  command.add_option("FILE", options.files, "The files")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return show_files(options); }; });
}

}  // namespace filigree::tools
