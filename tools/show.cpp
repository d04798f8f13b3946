// SPDX-License-Identifier: Apache-2.0
//
// `filigree show`: values of a dataset or attribute list, as tables.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>
#include <filigree/sparse.hpp>

#include "cell_table.hpp"
#include "command.hpp"
#include "defined_rows.hpp"
#include "describe.hpp"
#include "json.hpp"
#include "statistics.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "type_text.hpp"
#include "values.hpp"

namespace filigree::tools {
namespace {

struct ShowOptions {
  std::vector<std::string> targets;
  std::size_t lines = 20;
  bool sparse = false;
  bool stats = false;
  bool json = false;
  bool csv = false;
};

using Coordinates = std::vector<std::uint64_t>;

constexpr std::uint64_t part_elements = std::uint64_t{1} << 16;

/// Prints one dataset.
class Show {
 public:
  Show(const ShowOptions& options, const OpenTarget& target, const Dataset& data)
      : options_(options),
        target_(target),
        data_(data),
        style_(make_style(ColorChoice::never, output_facts())),
        paths_(target.file),
        values_(paths_, style_),
        space_(data.space()),
        ranges_(slice_of(target, space_)),
        selection_(to_selection(ranges_)) {}

  void run() {
    if (space_.kind() == Dataspace::Kind::null) return print_null();
    defined_ = data_.defined_count(selection_);
    if (options_.json) return print_json();
    if (options_.csv) return print_csv();
    print_header();
    if (options_.stats) return print_statistics();
    if (options_.sparse) return print_sparse();
    print_table();
  }

 private:
  static void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

  /// The dimensions that are not dropped.
  std::vector<std::size_t> kept() const {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < ranges_.size(); ++d)
      if (!ranges_[d].dropped) dims.push_back(d);
    return dims;
  }

  std::vector<std::uint64_t> shape() const {
    std::vector<std::uint64_t> counts;
    for (const std::size_t d : kept()) counts.push_back(ranges_[d].count);
    return counts;
  }

  double selected() const {
    double count = 1;
    for (const SliceRange& range : ranges_) count *= static_cast<double>(range.count);
    return count;
  }

  std::string fill_text() {
    const Elements fill(fill_element(data_), Selection::all());
    return values_.text(fill.type(), fill.at(0));
  }

  void print_null() const {
    if (!options_.json)
      return put(fmt::format("{}  {} null\n", style_.safe(target_.name()), type_text(data_.datatype())));
    JsonWriter json;
    json.begin_object().name("path", target_.path).key("type").text(type_text(data_.datatype()));
    json.key("shape").null().end_object().finish();
  }

  void print_header() {
    std::string line = style_.safe(target_.name());
    if (target_.slice) line += fmt::format("[{}]", slice_text(ranges_));
    line += fmt::format("  {} {}", style_.safe(type_text(data_.datatype())),
                        space_.dims().empty() ? "scalar" : fmt::format("{{{}}}", fmt::join(shape(), ", ")));
    if (data_.dataset_info().sparse)
      line += fmt::format(", {} of {:.0f} defined, fill {}", defined_, selected(), fill_text());
    put(line + "\n");
  }

  void print_statistics() const {
    const Statistics found = measure(data_, selection_);
    put(fmt::format("{:<10}{:.0f}\n{:<10}{}\n", "count", selected(), "defined", found.defined));
    put(statistics_text(found, values_));
  }

  // Elements in coordinates and values.

  void print_sparse() const {
    const Excerpt rows(defined_, options_.lines);
    if (rows.is_cut() && !data_.dataset_info().sparse) return print_dense_excerpt(rows);
    const std::vector<Selection> parts = partition_defined(data_, selection_, part_elements);
    std::uint64_t shown = 0;
    for (std::size_t p = 0; p < parts.size() && shown < rows.head; ++p) {
      const DefinedRows found(data_, parts[p]);
      const std::size_t count = std::min<std::uint64_t>(found.size(), rows.head - shown);
      put(found.lines(0, count, values_));
      shown += count;
    }
    if (!rows.is_cut()) return;
    put(fmt::format("... {} more\n", rows.left_out()));
    print_tail(parts, rows.end - rows.tail_from);
  }

  /// Prints the last `count` elements. Parts in front of them are not read.
  void print_tail(const std::vector<Selection>& parts, std::uint64_t count) const {
    std::vector<std::string> tail;
    for (std::size_t p = parts.size(); p-- > 0 && count > 0;) {
      const DefinedRows found(data_, parts[p]);
      const std::size_t here = std::min<std::uint64_t>(found.size(), count);
      tail.push_back(found.lines(found.size() - here, here, values_));
      count -= here;
    }
    for (auto lines = tail.rbegin(); lines != tail.rend(); ++lines) put(*lines);
  }

  /// All elements of a dense dataset are defined, so that their ordinals lead to their coordinates.
  void print_dense_excerpt(const Excerpt& rows) const {
    const std::vector<std::uint64_t> items = rows.items();
    Coordinates wanted;
    for (std::uint64_t item : items) {
      wanted.resize(wanted.size() + ranges_.size());
      for (std::size_t d = ranges_.size(); d-- > 0; item /= ranges_[d].count)
        wanted[wanted.size() - ranges_.size() + d] = ranges_[d].at(item % ranges_[d].count);
    }
    const DefinedRows found(data_, Selection::of_coordinates(space_.dims(), wanted));
    put(found.lines(0, rows.head, values_));
    put(fmt::format("... {} more\n", rows.left_out()));
    put(found.lines(rows.head, found.size() - rows.head, values_));
  }

  // Tables.

  void print_table() {
    const std::vector<std::size_t> dims = kept();
    if (selected() == 0) return;
    if (dims.size() <= 2) return print_page(dims, fixed_start());
    const std::vector<std::size_t> outer(dims.begin(), dims.end() - 2);
    double pages = 1;
    for (const std::size_t d : outer) pages *= static_cast<double>(ranges_[d].count);
    Coordinates page(outer.size(), 0);
    constexpr int most_pages = 4;
    for (int shown = 0;; ++shown) {
      if (options_.lines != 0 && shown == most_pages) {
        put(fmt::format("... {:.0f} more pages; -n 0 prints all\n", pages - shown));
        return;
      }
      print_outer(dims, outer, page);
      if (!next(outer, page)) return;
    }
  }

  bool next(const std::vector<std::size_t>& outer, Coordinates& page) const {
    for (std::size_t d = outer.size(); d-- > 0;) {
      if (++page[d] < ranges_[outer[d]].count) return true;
      page[d] = 0;
    }
    return false;
  }

  Coordinates fixed_start() const {
    Coordinates at;
    for (const SliceRange& range : ranges_) at.push_back(range.start);
    return at;
  }

  void print_outer(const std::vector<std::size_t>& dims, const std::vector<std::size_t>& outer,
                   const Coordinates& page) {
    Coordinates at = fixed_start();
    std::vector<std::string> items(ranges_.size(), ":");
    for (std::size_t d = 0; d < ranges_.size(); ++d)
      if (ranges_[d].dropped) items[d] = fmt::format("{}", ranges_[d].start);
    for (std::size_t i = 0; i < outer.size(); ++i) {
      at[outer[i]] = ranges_[outer[i]].at(page[i]);
      items[outer[i]] = fmt::format("{}", at[outer[i]]);
    }
    put(fmt::format("[{}]\n", fmt::join(items, ", ")));
    print_page({dims[dims.size() - 2], dims.back()}, at);
  }

  /// Prints the elements along at most two dimensions; the other coordinates are those of `at`.
  void print_page(const std::vector<std::size_t>& dims, const Coordinates& at) {
    const SliceRange single{0, 1, 1, false};
    const bool has_rows = !dims.empty(), has_columns = dims.size() == 2;
    const SliceRange& down = has_rows ? ranges_[dims[0]] : single;
    const SliceRange& across = has_columns ? ranges_[dims[1]] : single;
    const Excerpt rows(down.count, options_.lines);
    const Excerpt columns(across.count, has_columns ? options_.lines : 0);
    const std::vector<std::uint64_t> row_items = rows.items(), column_items = columns.items();
    Coordinates wanted;
    for (const std::uint64_t r : row_items) {
      for (const std::uint64_t c : column_items) {
        Coordinates element(at);
        if (has_rows) element[dims[0]] = down.at(r);
        if (has_columns) element[dims[1]] = across.at(c);
        wanted.insert(wanted.end(), element.begin(), element.end());
      }
    }
    CellTable table{read_cells(wanted, row_items.size() * column_items.size()), {}, {}, rows, columns};
    for (const std::uint64_t r : row_items)
      table.rows.push_back(has_rows ? fmt::format("{}", down.at(r)) : "");
    for (const std::uint64_t c : column_items)
      table.columns.push_back(has_columns ? fmt::format("{}", across.at(c)) : "");
    print_cells(table);
  }

  /// The texts of the elements at these coordinates, which ascend; "." if they are not defined.
  std::vector<std::string> read_cells(const Coordinates& wanted, std::size_t count) {
    std::vector<std::string> cells(count, ".");
    if (ranges_.empty()) {
      const Elements found(data_, Selection::all());
      cells[0] = values_.text(found.type(), found.at(0));
      return cells;
    }
    const Selection all = Selection::of_coordinates(space_.dims(), wanted);
    Elements found(data_.datatype());
    const Selection defined = data_.read_defined_elements(
        found.type(), all, [&](std::size_t elements) { return found.resize(elements); });
    const std::size_t rank = ranges_.size();
    const bool is_complete = found.size() == count;
    const Selection present = is_complete || found.size() == 0 ? Selection() : defined.within(space_.dims());
    std::size_t next = 0;
    for (std::size_t i = 0; i < count && next < found.size(); ++i) {
      const std::span<const std::uint64_t> at(wanted.data() + i * rank, rank);
      if (is_complete || present.contains(at)) {
        cells[i] = values_.text(found.type(), found.at(next));
        ++next;
      }
    }
    return cells;
  }

  // CSV.

  /// A string is a field without quotes of its own.
  std::string csv_value(const Elements& elements, std::size_t i) const {
    std::string text = values_.text(elements.type(), elements.at(i));
    if (elements.type().type_class() == TypeClass::string && text.starts_with('"'))
      text = text.substr(1, text.size() - 2);
    return csv_field(text);
  }

  /// One line for each element that is defined: its coordinates, and its value.
  void print_csv() {
    std::string header;
    for (std::size_t d = 0; d < ranges_.size(); ++d) header += fmt::format("dim{},", d);
    put(header + "value\n");
    if (ranges_.empty()) {
      const Elements found(data_, Selection::all());
      return put(csv_value(found, 0) + "\n");
    }
    for (const Selection& part : partition_defined(data_, selection_, part_elements)) {
      const DefinedRows found(data_, part);
      std::string lines;
      for (std::size_t i = 0; i < found.size(); ++i)
        lines += fmt::format("{},{}\n", found.coordinates_text(i, ","), csv_value(found.values(), i));
      put(lines);
    }
  }

  // JSON.

  void print_json() {
    json_.begin_object().name("path", target_.path).key("type").text(type_text(data_.datatype()));
    json_.key("slice").text(slice_text(ranges_)).key("shape").numbers(shape());
    json_.key("defined").number(defined_);
    if (options_.stats) {
      json_.key("count").number(selected());
      add_json(json_, measure(data_, selection_), values_);
    } else if (options_.sparse || data_.dataset_info().sparse) {
      const DefinedRows found(data_, selection_);
      json_.key("coordinates").begin_array();
      for (std::size_t i = 0; i < found.size(); ++i) json_.numbers(found.coordinates(i)).flush_if_long();
      json_.end_array();
      add_values(found.values());
    } else {
      add_values(Elements(data_, selection_));
    }
    json_.end_object().finish();
  }

  void add_values(const Elements& elements) {
    json_.key("values").begin_array();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      values_.json(json_, elements.type(), elements.at(i));
      json_.flush_if_long();
    }
    json_.end_array();
  }

  const ShowOptions& options_;
  const OpenTarget& target_;
  const Dataset& data_;
  const Style style_;
  PathFinder paths_;
  const ValueWriter values_;
  const Dataspace space_;
  const std::vector<SliceRange> ranges_;
  const Selection selection_;
  std::uint64_t defined_ = 0;
  JsonWriter json_;
};

Exit show_targets(const ShowOptions& options) {
  return for_each_target(options.targets, Slices::accepted, [&](const OpenTarget& target) {
    if (target.object.kind() != ObjectKind::dataset) {
      complain(target.argument, "this is no dataset; 'filigree tree -a' shows groups and attributes");
      return Exit::usage;
    }
    const Dataset data(target.object);
    Show(options, target, data).run();
    return Exit::ok;
  });
}

constexpr const char* explanation =
    R"(A slice is that of numpy: integers, ranges with a step, and '...'; negative numbers count from
the end, and ranges are cut at the extent. Quote it, because shells expand brackets. Undefined
elements of a sparse dataset are '.', defined zeros are 0. Of long dimensions the head and the
tail are shown, of more than two dimensions page by page.

Examples:
  filigree show 'frames.h5/run1/frames[7, 500:503, 599:605]'
  filigree show -n 6 data.h5/energy         three values of the head, three of the tail
  filigree show --sparse 'm.h5::X[:100]'    coordinates and values of what is defined
  filigree show --stats data.h5/energy)";

}  // namespace

void set_up_show(CLI::App& command, Run& run) {
  static ShowOptions options;
  command.add_option("-n,--lines", options.lines, "Show so many rows and columns (20); 0: all")
      ->type_name("N");
  command.add_flag("--sparse", options.sparse, "List coordinates and values of defined elements");
  command.add_flag("--stats", options.stats, "Print count, minimum, maximum, mean and so on");
  command.add_flag("--csv", options.csv, "Print coordinates and values of all defined elements as CSV");
  command.add_flag("--json", options.json, "Print one JSON document for each target");
  command.add_option("TARGET", options.targets, "FILE/path[slice]")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return show_targets(options); }; });
}

}  // namespace filigree::tools
