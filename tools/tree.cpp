// SPDX-License-Identifier: Apache-2.0
//
// `filigree tree`: the objects of a file as a tree.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
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
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "tree.hpp"
#include "type_text.hpp"
#include "values.hpp"

namespace filigree::tools {
namespace {

/// One line, in columns.
struct Row {
  std::string lead;  ///< the lines of the tree
  std::string name;
  std::array<std::string, 4> columns;
  std::string rest;  ///< not aligned
};

/// A link that is still to be shown.
struct Pending {
  std::string lead;  ///< the lines of the tree in front of the name
  std::string path;
  Link link;
  std::size_t level = 0;
  bool is_last = false;
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
    const Requirements requirements = target_.file.requirements();
    const std::uint64_t bytes = target_.file.info().file_bytes;
    const std::vector<std::string> needed = needs(requirements, false);
    Row top{"", style_.bold(style_.safe(target_.name())), {}, ""};
    if (target_.path == "/") {
      top.rest = bytes_text(bytes);
      if (!needed.empty()) top.rest += fmt::format("  needs: {}", fmt::join(needed, ", "));
      json_.begin_object().name("file", target_.file.name()).key("bytes").number(bytes);
      json_.key("needs").begin_array();
      for (const std::string& need : needed) json_.text(need);
      json_.end_array().key("objects").begin_array();
    } else {
      json_.begin_object().name("file", target_.file.name()).key("objects").begin_array();
    }
    show_object(target_.object, target_.path, std::move(top), "", 0, true);
    while (!pending_.empty()) {
      const Pending next = std::move(pending_.back());
      pending_.pop_back();
      show_link(next);
    }
    json_.end_array().end_object();
  }

  void print() {
    if (options_.json) return json_.finish();
    std::array<std::size_t, 5> widths{};
    constexpr std::size_t widest = 60;
    for (const Row& row : rows_) {
      if (!row.rest.empty() && row.columns[0].empty()) continue;
      widths[0] = std::max(widths[0], std::min(widest, shown_columns(row.lead + row.name)));
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

  static void print_row(const Row& row, const std::array<std::size_t, 5>& widths) {
    std::string line;
    if (row.columns[0].empty() && !row.rest.empty()) {
      line = row.lead + row.name + "  " + row.rest;
    } else {
      pad(line, row.lead + row.name, widths[0]);
      for (std::size_t i = 0; i < row.columns.size(); ++i) pad(line, row.columns[i], widths[i + 1]);
      line += row.rest;
      line.erase(line.find_last_not_of(' ') + 1);
    }
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
  }

  std::string branch(bool is_last) const {
    if (style_.boxes) return style_.dim(is_last ? "\u2514\u2500 " : "\u251c\u2500 ");
    return is_last ? "`- " : "|- ";
  }
  std::string stem(bool is_last) const {
    if (is_last) return "   ";
    return style_.boxes ? style_.dim("\u2502  ") : "|  ";
  }

  void mark_error(Row& row, const Error& error) {
    complete_ = false;
    const std::string text = error_text(error, target_.file.name());
    row.rest = style_.red(fmt::format("[error: {}]", style_.safe(text)));
    json_.key("error").text(text);
  }

  void show_link(const Pending& at) {
    Row row{at.lead + branch(at.is_last), style_.safe(at.link.name), {}, ""};
    const std::string below = at.lead + stem(at.is_last);
    if (at.link.kind != LinkKind::hard) return show_soft(at, std::move(row));
    try {
      const Object object = Group(target_.file.root()).open(at.link).with_path(at.path);
      return show_object(object, at.path, std::move(row), below, at.level, false);
    } catch (const Error& error) {
      json_.begin_object().name("path", at.path);
      mark_error(row, error);
      json_.end_object();
      rows_.push_back(std::move(row));
    }
  }

  void show_soft(const Pending& at, Row row) {
    json_.begin_object().name("path", at.path);
    if (at.link.kind == LinkKind::user) {
      row.columns[0] = fmt::format("-> user-defined link of class {}", at.link.user_kind);
      json_.key("kind").text("user-defined link");
    } else {
      const bool is_soft = at.link.kind == LinkKind::soft;
      row.rest = "-> " + (is_soft ? "" : style_.safe(at.link.file) + "::") + style_.safe(at.link.target);
      json_.key("kind").text(is_soft ? "soft link" : "external link").name("target", at.link.target);
      if (!is_soft) json_.name("target_file", at.link.file);
    }
    json_.end_object();
    rows_.push_back(std::move(row));
  }

  void show_object(const Object& object, const std::string& path, Row row, const std::string& below,
                   std::size_t level, bool is_top) {
    json_.begin_object().name("path", path);
    const auto [first, is_new] = seen_.try_emplace(object.address(), path);
    std::vector<Link> links;
    try {
      if (object.kind() == ObjectKind::group) row.name = is_top ? row.name : style_.blue(row.name);
      if (!is_new) {
        row.rest = "same as " + style_.safe(first->second);
        json_.name("same_as", first->second);
      } else {
        links = describe_object(object, row, level, is_top);
      }
    } catch (const Error& error) {
      mark_error(row, error);
    }
    rows_.push_back(std::move(row));
    if (is_new && options_.attributes) show_attributes(object, below, !links.empty());
    json_.end_object();
    push(links, path, below, level);
  }

  void push(const std::vector<Link>& links, const std::string& path, const std::string& below,
            std::size_t level) {
    for (std::size_t i = links.size(); i-- > 0;) {
      const std::string child = (path == "/" ? "" : path) + "/" + links[i].name;
      pending_.push_back({below, child, links[i], level + 1, i + 1 == links.size()});
    }
  }

  /// Fills the row, and returns the links to show below it.
  std::vector<Link> describe_object(const Object& object, Row& row, std::size_t level, bool is_top) {
    const std::uint64_t attributes = object.info().attributes;
    switch (object.kind()) {
      case ObjectKind::group:
        json_.key("kind").text("group").key("attributes").number(attributes);
        return describe_group(Group(object), row, level, is_top);
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

  std::vector<Link> describe_group(const Group& group, Row& row, std::size_t level, bool is_top) {
    if (!is_top) {
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
    if (level < options_.levels) return group.links();
    const std::uint64_t links = group.size();
    if (links > 0) row.columns[0] = fmt::format("{} link{}", grouped(links), links == 1 ? "" : "s");
    return {};
  }

  void show_attributes(const Object& object, const std::string& below, bool has_children) {
    std::vector<Attribute> all;
    json_.key("attribute_values").begin_object();
    try {
      all = object.attributes();
    } catch (const Error& error) {
      Row row{below + branch(!has_children), "@", {}, ""};
      mark_error(row, error);
      rows_.push_back(std::move(row));
    }
    for (const Attribute& attribute : all) {
      const bool is_last = !has_children && &attribute == &all.back();
      Row row{below + branch(is_last), "@" + style_.safe(attribute.name()), {}, ""};
      json_.key(attribute.name());
      describe_attribute(attribute, row);
      rows_.push_back(std::move(row));
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
  std::vector<Pending> pending_;  ///< the next one is the last
  std::map<std::uint64_t, std::string> seen_;
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
