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

#include "command.hpp"
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

/// Ordinals of the items of a long list that are shown: its head and its tail.
struct Excerpt {
  std::uint64_t head = 0, tail_from = 0, end = 0;

  Excerpt(std::uint64_t count, std::uint64_t most) : head(count), tail_from(count), end(count) {
    if (most == 0 || count <= most) return;
    head = (most + 1) / 2;
    tail_from = count - most / 2;
  }
  bool is_cut() const { return tail_from > head; }
  std::vector<std::uint64_t> items() const {
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < end; i = i + 1 == head && is_cut() ? tail_from : i + 1) all.push_back(i);
    return all;
  }
};

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
    if (options_.stats) return print_statistics(measure(data_, selection_));
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

  void print_statistics(const Statistics& s) const {
    const auto line = [](const char* label, const std::string& text) {
      put(fmt::format("{:<10}{}\n", label, text));
    };
    line("count", fmt::format("{:.0f}", selected()));
    line("defined", fmt::format("{}", s.defined));
    if (!s.is_numeric) return;
    line("NaN", fmt::format("{}", s.nans));
    if (s.numbers == 0) return;
    line("min", s.least_text);
    line("max", s.most_text);
    line("mean", fmt::format("{}", s.mean));
    line("std", fmt::format("{}", s.deviation));
    if (s.sample > 0) put(fmt::format("quantiles of a sample of {} elements\n", s.sample));
    for (std::size_t i = 0; i < s.quantiles.size(); ++i)
      line(quantile_labels[i], fmt::format("{}", s.quantiles[i]));
  }

  // Elements in coordinates and values.

  struct Sparse {
    std::vector<Coordinates> coordinates;
    Elements values;
  };

  /// Reads all defined elements of the selection.
  Sparse read_sparse() {
    Sparse found{{}, Elements(data_.datatype())};
    const Selection defined = data_.read_defined_elements(
        found.values.type(), selection_, [&](std::size_t count) { return found.values.resize(count); });
    if (found.values.size() == 0) return found;
    const std::size_t rank = ranges_.size();
    const Coordinates flat = defined.within(space_.dims()).coordinates();
    for (std::size_t i = 0; i < found.values.size(); ++i) {
      found.coordinates.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(i * rank),
                                     flat.begin() + static_cast<std::ptrdiff_t>((i + 1) * rank));
    }
    return found;
  }

  void print_sparse() {
    const Sparse found = read_sparse();
    const Excerpt rows(found.values.size(), options_.lines);
    for (const std::uint64_t i : rows.items()) {
      put(fmt::format("({})  {}\n", fmt::join(found.coordinates[i], ", "),
                      values_.text(found.values.type(), found.values.at(i))));
      if (rows.is_cut() && i + 1 == rows.head) put(fmt::format("... {} more\n", rows.tail_from - rows.head));
    }
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
    const std::vector<std::string> cells = read_cells(wanted, row_items.size() * column_items.size());
    std::vector<std::string> row_labels, column_labels;
    for (const std::uint64_t r : row_items)
      row_labels.push_back(has_rows ? fmt::format("{}", down.at(r)) : "");
    for (const std::uint64_t c : column_items)
      column_labels.push_back(has_columns ? fmt::format("{}", across.at(c)) : "");
    print_cells(cells, row_labels, column_labels, rows, columns);
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

  static void print_cells(const std::vector<std::string>& cells, const std::vector<std::string>& rows,
                          const std::vector<std::string>& columns, const Excerpt& down,
                          const Excerpt& across) {
    std::size_t label_width = 0;
    for (const std::string& label : rows) label_width = std::max(label_width, label.size());
    const std::size_t per_row = columns.size();
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < per_row; ++c) {
      std::size_t width = columns[c].size();
      for (std::size_t r = 0; r < rows.size(); ++r)
        width = std::max(width, columns_of(cells[r * per_row + c]));
      widths.push_back(width);
    }
    const auto line = [&](const std::string& label, const auto& cell) {
      std::string text = label_width > 0 ? fmt::format("{:>{}}", label, label_width) : "";
      for (std::size_t c = 0; c < per_row; ++c) {
        const std::string& one = cell(c);
        if (!text.empty()) text += "  ";
        text += std::string(widths[c] - std::min(widths[c], columns_of(one)), ' ') + one;
        if (across.is_cut() && c + 1 == across.head) text += "  ...";
      }
      put(text + "\n");
    };
    if (per_row > 1 || (per_row == 1 && !columns[0].empty()))
      line("", [&](std::size_t c) -> const std::string& { return columns[c]; });
    for (std::size_t r = 0; r < rows.size(); ++r) {
      line(rows[r], [&](std::size_t c) -> const std::string& { return cells[r * per_row + c]; });
      if (down.is_cut() && r + 1 == down.head) put(fmt::format("{:>{}}\n", "...", label_width));
    }
  }

  // CSV.

  static std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
  }

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
    const std::vector<std::uint64_t> dims = space_.dims();
    for (const Selection& part : partition_defined(data_, selection_, std::uint64_t{1} << 16)) {
      Elements found(data_.datatype());
      const Selection defined = data_.read_defined_elements(
          found.type(), part, [&](std::size_t count) { return found.resize(count); });
      if (found.size() == 0) continue;
      const Coordinates flat = defined.within(dims).coordinates();
      std::string lines;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const auto first = flat.begin() + static_cast<std::ptrdiff_t>(i * dims.size());
        lines +=
            fmt::format("{},{}\n", fmt::join(first, first + static_cast<std::ptrdiff_t>(dims.size()), ","),
                        csv_value(found, i));
      }
      put(lines);
    }
  }

  // JSON.

  void print_json() {
    json_.begin_object().name("path", target_.path).key("type").text(type_text(data_.datatype()));
    json_.key("slice").text(slice_text(ranges_)).key("shape").numbers(shape());
    json_.key("defined").number(defined_);
    if (options_.stats) {
      add_statistics(measure(data_, selection_));
    } else if (options_.sparse || data_.dataset_info().sparse) {
      const Sparse found = read_sparse();
      json_.key("coordinates").begin_array();
      for (const Coordinates& at : found.coordinates) json_.numbers(at);
      json_.end_array();
      add_values(found.values);
    } else {
      add_values(Elements(data_, selection_));
    }
    json_.end_object().finish();
  }

  void add_values(const Elements& elements) {
    json_.key("values").begin_array();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      values_.json(json_, elements.type(), elements.at(i));
      if (json_.pending().size() > 1u << 16) json_.flush();
    }
    json_.end_array();
  }

  void add_statistics(const Statistics& s) {
    json_.key("count").number(selected());
    if (!s.is_numeric) return;
    json_.key("nan").number(s.nans);
    if (s.numbers == 0) return;
    json_.key("min").number(s.least).key("max").number(s.most).key("mean").number(s.mean);
    json_.key("std").number(s.deviation).key("sample").number(s.sample).key("quantiles").begin_array();
    for (const double quantile : s.quantiles) json_.number(quantile);
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
