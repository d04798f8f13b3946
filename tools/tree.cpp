// SPDX-License-Identifier: Apache-2.0
//
// `filigree tree`: the objects of a file as a tree.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "describe.hpp"
#include "details.hpp"
#include "json.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "tree.hpp"
#include "type_text.hpp"
#include "values.hpp"

namespace filigree::tools {
namespace {

/// One line, in columns. Its path and the lines of the tree in front of it are those of the rows above:
/// deeply nested groups would need far more memory than the file if each row had them.
struct Row {
  std::size_t parent = 0;  ///< the row of the group; the first row is its own
  std::size_t level = 0;
  bool is_last = false;  ///< of its group
  std::string link;      ///< its name in the file
  std::string name;
  std::array<std::string, 4> columns = {};
  std::string rest = {};  ///< not aligned
  std::optional<std::size_t> same_as = {};  ///< the row of an object that was shown before
};

/// A group whose links are being shown.
struct Level {
  std::size_t row = 0;
  std::size_t prefix_bytes = 0;  ///< of the path in front of the links
  std::vector<Link> links;
  std::size_t next = 0;
};

constexpr std::uint64_t most_values = 8;

class Tree {
 public:
  Tree(const TreeOptions& options, const OpenTarget& target)
      : options_(options),
        target_(target),
        style_(make_style(options.color, output_facts())),
        paths_(target.file),
        values_(paths_, style_) {}

  void collect() {
    Row top{0, 0, false, "", style_.bold(style_.safe(target_.name()))};
    json_.begin_object().name("file", target_.file.name());
    if (target_.path == "/") describe_file(top);
    json_.key("objects").begin_array();
    prefix_ = target_.path;
    show_object(target_.object, std::move(top));
    while (!levels_.empty()) {
      Level& level = levels_.back();
      prefix_.resize(level.prefix_bytes);
      if (level.next == level.links.size())
        levels_.pop_back();
      else
        show_link(level);
    }
    json_.end_array().end_object();
  }

  void print() {
    if (options_.json) return json_.finish();
    std::array<std::size_t, 5> widths{};
    constexpr std::size_t widest = 60;
    for (const Row& row : rows_) {
      if (!row.rest.empty() && row.columns[0].empty()) continue;
      widths[0] = std::max(widths[0], std::min(widest, branch_columns * row.level + shown_columns(row.name)));
      for (std::size_t i = 0; i < row.columns.size(); ++i)
        widths[i + 1] = std::max(widths[i + 1], std::min(widest, shown_columns(row.columns[i])));
    }
    for (const Row& row : rows_) print_row(row, widths);
  }

  bool complete() const { return complete_; }

 private:
  static void pad(std::string& line, const std::string& text, std::size_t columns) {
    line += text;
    const std::size_t width = shown_columns(text);
    line.append((width < columns ? columns - width : 0) + 2, ' ');
  }

  void print_row(const Row& row, const std::array<std::size_t, 5>& widths) const {
    std::string line;
    if (row.columns[0].empty() && !row.rest.empty()) {
      line = lead(row) + row.name + "  " + row.rest;
      if (row.same_as) line += style_.safe(path_of(*row.same_as));
    } else {
      pad(line, lead(row) + row.name, widths[0]);
      for (std::size_t i = 0; i < row.columns.size(); ++i) pad(line, row.columns[i], widths[i + 1]);
      line += row.rest;
      line.erase(line.find_last_not_of(' ') + 1);
    }
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
  }

  static constexpr std::size_t branch_columns = 3;

  /// The lines of the tree in front of a name.
  std::string lead(const Row& row) const {
    if (row.level == 0) return "";
    std::vector<bool> last_above;
    for (const Row* at = &rows_[row.parent]; at->level > 0; at = &rows_[at->parent])
      last_above.push_back(at->is_last);
    std::string text;
    for (auto is_last = last_above.rbegin(); is_last != last_above.rend(); ++is_last) text += stem(*is_last);
    return text + branch(row.is_last);
  }

  std::string branch(bool is_last) const {
    if (style_.boxes) return style_.dim(is_last ? "\u2514\u2500 " : "\u251c\u2500 ");
    return is_last ? "`- " : "|- ";
  }
  std::string stem(bool is_last) const {
    if (is_last) return "   ";
    return style_.boxes ? style_.dim("\u2502  ") : "|  ";
  }

  std::string path_of(std::size_t row) const {
    std::vector<const std::string*> names;
    for (; rows_[row].level > 0; row = rows_[row].parent) names.push_back(&rows_[row].link);
    std::string path = target_.path == "/" && !names.empty() ? "" : target_.path;
    for (auto name = names.rbegin(); name != names.rend(); ++name) path.append("/").append(**name);
    return path;
  }

  /// What a row shows is not kept for JSON, and the other way round.
  void add(Row row) {
    if (options_.json) {
      row.name.clear();
      row.columns = {};
      row.rest.clear();
      json_.flush_if_long();
    } else {
      json_.drop();
    }
    rows_.push_back(std::move(row));
  }

  void describe_file(Row& top) {
    const std::uint64_t bytes = target_.file.info().file_bytes;
    const std::vector<std::string> needed = needs(target_.file.requirements(), false);
    top.rest = bytes_text(bytes);
    if (!needed.empty()) top.rest += fmt::format("  needs: {}", fmt::join(needed, ", "));
    json_.key("bytes").number(bytes).key("needs").begin_array();
    for (const std::string& need : needed) json_.text(need);
    json_.end_array();
  }

  void mark_error(Row& row, const Error& error) {
    complete_ = false;
    const std::string text = error_text(error, target_.file.name());
    row.rest = style_.red(fmt::format("[error: {}]", style_.safe(text)));
    json_.key("error").text(text);
  }

  void show_link(Level& level) {
    const Link link = std::move(level.links[level.next++]);
    prefix_ += link.name;
    Row row{level.row, rows_[level.row].level + 1, level.next == level.links.size(), link.name,
            style_.safe(link.name)};
    if (link.kind != LinkKind::hard) return show_soft(link, std::move(row));
    try {
      const Object object = Group(target_.file.root()).open(link).with_path(prefix_);
      return show_object(object, std::move(row));
    } catch (const Error& error) {
      json_.begin_object().name("path", prefix_);
      mark_error(row, error);
      json_.end_object();
      add(std::move(row));
    }
  }

  void show_soft(const Link& link, Row row) {
    json_.begin_object().name("path", prefix_);
    if (link.kind == LinkKind::user) {
      row.columns[0] = fmt::format("-> user-defined link of class {}", link.user_kind);
      json_.key("kind").text("user-defined link");
    } else {
      const bool is_soft = link.kind == LinkKind::soft;
      row.rest = "-> " + (is_soft ? "" : style_.safe(link.file) + "::") + style_.safe(link.target);
      json_.key("kind").text(is_soft ? "soft link" : "external link").name("target", link.target);
      if (!is_soft) json_.name("target_file", link.file);
    }
    json_.end_object();
    add(std::move(row));
  }

  /// Shows the object whose path is `prefix_`, and prepares to show its links.
  void show_object(const Object& object, Row row) {
    json_.begin_object().name("path", prefix_);
    const std::size_t number = rows_.size(), level = row.level;
    const auto [first, is_new] = seen_.try_emplace(object.address(), number);
    std::vector<Link> links;
    try {
      if (object.kind() == ObjectKind::group) row.name = level == 0 ? row.name : style_.blue(row.name);
      if (!is_new) {
        row.rest = "same as ";
        row.same_as = first->second;
        if (options_.json) json_.name("same_as", path_of(first->second));
      } else {
        links = describe_object(object, row);
      }
    } catch (const Error& error) {
      mark_error(row, error);
    }
    add(std::move(row));
    if (is_new && options_.attributes) show_attributes(object, number, !links.empty());
    json_.end_object();
    if (links.empty()) return;
    if (prefix_ != "/") prefix_ += '/';
    levels_.push_back({number, prefix_.size(), std::move(links)});
  }

  /// Fills the row, and returns the links to show below it.
  std::vector<Link> describe_object(const Object& object, Row& row) {
    const std::uint64_t attributes = object.info().attributes;
    switch (object.kind()) {
      case ObjectKind::group:
        json_.key("kind").text("group").key("attributes").number(attributes);
        return describe_group(Group(object), row);
      case ObjectKind::datatype:
        json_.key("kind").text("datatype").key("attributes").number(attributes);
        row.columns[0] = "type " + style_.safe(type_text(CommittedDatatype(object).datatype()));
        json_.key("type").text(type_text(CommittedDatatype(object).datatype()));
        break;
      case ObjectKind::dataset: {
        json_.key("kind").text("dataset").key("attributes").number(attributes);
        const DatasetFacts facts = describe(Dataset(object));
        row.columns = {style_.safe(type_text(facts.type)) + " " + shape_text(facts.space), layout_text(facts),
                       bytes_text(facts.stored_bytes), chunks_text(facts)};
        add_json(json_, facts);
        break;
      }
    }
    if (attributes > 0 && !options_.attributes) row.rest = attributes_text(attributes);
    return {};
  }

  static std::string attributes_text(std::uint64_t count) {
    return fmt::format("{} attribute{}", grouped(count), count == 1 ? "" : "s");
  }

  std::vector<Link> describe_group(const Group& group, Row& row) {
    if (row.level > 0) {
      if (const auto matrix = find_convention(group)) {
        row.columns[0] = type_text(*matrix->type) + " " + fmt::format("({})", fmt::join(matrix->shape, ", "));
        row.columns[1] =
            fmt::format("{} ({}), {} stored", matrix->kind, matrix->software, grouped(matrix->stored));
        json_.key("convention").text(matrix->software).key("matrix").text(matrix->kind);
        json_.key("type").text(type_text(*matrix->type)).key("shape").numbers(matrix->shape);
        json_.key("stored").number(matrix->stored);
        return {};
      }
      const std::uint64_t attributes = group.info().attributes;
      if (attributes > 0 && !options_.attributes) row.columns[1] = attributes_text(attributes);
    }
    if (row.level < options_.levels) return group.links();
    const std::uint64_t links = group.size();
    if (links > 0) row.columns[0] = fmt::format("{} link{}", grouped(links), links == 1 ? "" : "s");
    return {};
  }

  /// Shows the attributes of the object in a row.
  void show_attributes(const Object& object, std::size_t number, bool has_children) {
    std::vector<Attribute> all;
    const std::size_t level = rows_[number].level + 1;
    json_.key("attribute_values").begin_object();
    try {
      all = object.attributes();
    } catch (const Error& error) {
      Row row{number, level, !has_children, "", "@"};
      mark_error(row, error);
      add(std::move(row));
    }
    for (const Attribute& attribute : all) {
      const bool is_last = !has_children && &attribute == &all.back();
      Row row{number, level, is_last, "", "@" + style_.safe(attribute.name())};
      json_.key(attribute.name());
      describe_attribute(attribute, row);
      add(std::move(row));
    }
    json_.end_object();
  }

  void describe_attribute(const Attribute& attribute, Row& row) {
    try {
      const Dataspace space = attribute.space();
      row.columns[0] = style_.safe(type_text(attribute.datatype())) + " " + shape_text(space);
      if (space.kind() == Dataspace::Kind::null) return void(json_.null());
      const std::uint64_t count = attribute.elements();
      if (count > most_values) {
        row.rest = fmt::format("{} values", grouped(count));
        return void(json_.begin_object().key("shape").numbers(space.dims()).end_object());
      }
      const Elements elements(attribute);
      if (count != 1 || space.kind() != Dataspace::Kind::scalar) json_.begin_array();
      for (std::size_t i = 0; i < count; ++i) {
        row.rest += (i > 0 ? ", " : "= ") + values_.text(elements.type(), elements.at(i));
        values_.json(json_, elements.type(), elements.at(i));
      }
      if (count != 1 || space.kind() != Dataspace::Kind::scalar) json_.end_array();
    } catch (const Error& error) {
      complete_ = error.kind() == ErrorKind::unsupported && complete_;
      row.rest = style_.red(fmt::format("[error: {}]", style_.safe(error_text(error, target_.file.name()))));
      json_.begin_object().key("error").text(error.what()).end_object();
    }
  }

  const TreeOptions& options_;
  const OpenTarget& target_;
  const Style style_;
  PathFinder paths_;
  const ValueWriter values_;
  std::vector<Row> rows_;
  std::vector<Level> levels_;
  std::string prefix_;                                   ///< the path of what is shown now
  std::unordered_map<std::uint64_t, std::size_t> seen_;  ///< the first rows of objects, by their address
  JsonWriter json_;
  bool complete_ = true;
};

}  // namespace

Exit show_trees(const TreeOptions& options) {
  return for_each_target(options.targets, Slices::refused, [&](const OpenTarget& target) {
    Tree tree(options, target);
    tree.collect();
    tree.print();
    return tree.complete() ? Exit::ok : report_incomplete(target.argument);
  });
}

namespace {

constexpr const char* explanation =
    R"(Each line has a name; for a dataset also its type and shape, its layout, the bytes that its
elements take in the file, and its chunks: those that are stored, of those that the shape has.
For a sparse dataset the layout has the share of elements that are defined. Matrices of AnnData
and 10x, which are groups with three arrays, are one line; name the group to see its members.
'filigree FILE' does the same.

Examples:
  filigree data.h5                   all objects
  filigree tree -L 1 data.h5/run     the members of a group
  filigree tree -a data.h5           attributes, too)";

}  // namespace

void set_up_tree(CLI::App& command, Run& run) {
  static TreeOptions options;
  command.add_flag("-a,--attributes", options.attributes, "Show attributes with their values");
  command.add_option("-L,--levels", options.levels, "Show so many levels of groups")->type_name("N");
  command.add_flag("--json", options.json, "Print one JSON document for each target");
  add_color_option(command, options.color);
  command.add_option("TARGET", options.targets, "FILE[/path]")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return show_trees(options); }; });
}

}  // namespace filigree::tools
