// SPDX-License-Identifier: Apache-2.0
//
// `filigree find`: the paths of objects with given properties.
#include <fnmatch.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "describe.hpp"
#include "filter_text.hpp"
#include "json.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "type_text.hpp"
#include "values.hpp"

namespace filigree::tools {
namespace {

struct FindOptions {
  std::vector<std::string> targets;
  std::string name, path, kind, attribute, type, shape, filter;
  bool sparse = false, dense = false;
  bool zero = false;
  bool json = false;
};

/// A condition on an attribute: its name, and its value if one was given.
struct AttributeCondition {
  std::string name;
  std::optional<std::string> value;
};

AttributeCondition parse_attribute(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// A pattern of the shell.
bool matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// Whether a shape is like "100,*,3": a number or '*' for each dimension, or '...' for the rest.
bool shape_matches(std::string_view pattern, const std::vector<std::uint64_t>& dims) {
  std::size_t d = 0;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find_first_of(",x"), pattern.size());
    const std::string_view one = pattern.substr(0, end);
    if (one == "...") return true;
    if (d == dims.size() || (one != "*" && one != std::to_string(dims[d]))) return false;
    ++d;
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return d == dims.size();
}

class Finder {
 public:
  Finder(const FindOptions& options, std::optional<std::uint16_t> filter, const OpenTarget& target)
      : options_(options),
        target_(target),
        paths_(target.file),
        values_(paths_, Style{.ascii = false}),
        filter_(filter) {
    if (!options.attribute.empty()) attribute_ = parse_attribute(options.attribute);
  }

  void run() {
    if (options_.json) json_.begin_array();
    if (target_.object.kind() == ObjectKind::group) {
      VisitOptions visit;
      visit.keep_going = true;
      Group(target_.object)
          .visit(
              [&](const Visited& visited) {
                see(visited);
                return true;
              },
              visit);
    } else {
      consider(target_.path, nullptr, target_.object);
    }
    if (options_.json) json_.end_array().finish();
  }

  std::uint64_t unreadable() const { return unreadable_; }

 private:
  void see(const Visited& visited) {
    if (visited.error != nullptr) ++unreadable_;
    const std::string top = target_.path == "/" ? "" : target_.path;
    const std::string path = visited.path == "." ? target_.path : top + "/" + visited.path;
    consider(path, visited.link, visited.object);
  }

  void consider(const std::string& path, const Link* link, const std::optional<Object>& object) {
    try {
      if (fits(path, link, object)) report(path);
    } catch (const Error&) {
      ++unreadable_;
    }
  }

  void report(const std::string& path) {
    if (options_.json) {
      json_.begin_object().name("path", path).end_object().flush_if_long();
      return;
    }
    // With -0 names are for programs; other lines are for people, one per name whatever characters it has.
    const std::string line = options_.zero ? path + '\0' : style_.safe(path) + '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
  }

  static const char* kind_of(const Link* link, const std::optional<Object>& object) {
    if (link != nullptr && link->kind == LinkKind::soft) return "soft";
    if (link != nullptr && link->kind == LinkKind::external) return "external";
    if (link != nullptr && link->kind == LinkKind::user) return "user";
    if (!object) return "";
    switch (object->kind()) {
      case ObjectKind::group:
        return "group";
      case ObjectKind::dataset:
        return "dataset";
      case ObjectKind::datatype:
        return "datatype";
    }
    return "";
  }

  bool fits(const std::string& path, const Link* link, const std::optional<Object>& object) {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (!options_.name.empty() && !matches(options_.name, name)) return false;
    if (!options_.path.empty() && !matches(options_.path, path)) return false;
    if (!options_.kind.empty() && options_.kind != kind_of(link, object)) return false;
    if (attribute_ && !(object && has_attribute(*object))) return false;
    const bool about_data = options_.sparse || options_.dense || filter_ || !options_.shape.empty();
    if (!about_data && options_.type.empty()) return true;
    if (!object) return false;
    if (object->kind() == ObjectKind::datatype)
      return !about_data && type_fits(CommittedDatatype(*object).datatype());
    return object->kind() == ObjectKind::dataset && data_fits(Dataset(*object));
  }

  bool type_fits(const Datatype& type) const {
    if (options_.type.empty()) return true;
    const auto wanted = parse_type(options_.type);
    return wanted ? *wanted == type : matches(options_.type, type_text(type));
  }

  bool data_fits(const Dataset& data) const {
    if (!type_fits(data.datatype())) return false;
    if (!options_.shape.empty()) {
      const Dataspace space = data.space();
      if (space.kind() == Dataspace::Kind::null || !shape_matches(options_.shape, space.dims())) return false;
    }
    if (!options_.sparse && !options_.dense && !filter_) return true;
    const DatasetInfo info = data.dataset_info();
    if (options_.sparse && !info.sparse) return false;
    if (options_.dense && info.sparse) return false;
    if (!filter_) return true;
    for (const auto* filters :
         {&info.filters, &info.value_filters, &info.selection_filters, &info.heap_filters})
      for (const FilterChoice& filter : *filters)
        if (filter.id == *filter_) return true;
    return false;
  }

  /// Whether the object has the attribute, and one of its elements has the value.
  bool has_attribute(const Object& object) const {
    for (const Attribute& attribute : object.attributes()) {
      if (!matches(attribute_->name, attribute.name())) continue;
      if (!attribute_->value) return true;
      if (attribute.space().kind() != Dataspace::Kind::null && has_value(attribute)) return true;
    }
    return false;
  }

  bool has_value(const Attribute& attribute) const {
    const Elements elements(attribute);
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (matches(*attribute_->value, unescaped(elements.type(), elements.at(i)))) return true;
    return false;
  }

  /// The value as users write it: strings and enumerators without quotes and escapes.
  std::string unescaped(const Datatype& type, const std::byte* element) const {
    if (type.type_class() == TypeClass::string) {
      if (const auto found = string_of(type, element)) return std::string(*found);
    }
    if (type.type_class() == TypeClass::enumeration) {
      if (auto found = enumerator_of(type, element)) return std::move(*found);
    }
    return values_.text(type, element);
  }

  const FindOptions& options_;
  const OpenTarget& target_;
  PathFinder paths_;
  const ValueWriter values_;
  const Style style_ = make_style(ColorChoice::never, output_facts());
  const std::optional<std::uint16_t> filter_;
  std::optional<AttributeCondition> attribute_;
  JsonWriter json_;
  std::uint64_t unreadable_ = 0;
};

Exit find_targets(const FindOptions& options) {
  std::optional<std::uint16_t> filter;
  try {
    if (!options.filter.empty()) filter = parse_filters(options.filter, false).at(0).id;
  } catch (const Error& error) {
    complain("--filter", error.message());
    return Exit::usage;
  }
  return for_each_target(options.targets, Slices::refused, [&](const OpenTarget& target) {
    Finder finder(options, filter, target);
    finder.run();
    if (finder.unreadable() == 0) return Exit::ok;
    complain(target.argument, fmt::format("{} objects could not be read", finder.unreadable()));
    return Exit::failed;
  });
}

constexpr const char* explanation =
    R"(Prints the paths of objects and links that fulfil all conditions, one per line. Patterns are
those of the shell (*, ?, [abc]); quote them. Links are not followed.

Examples:
  filigree find data.h5 --kind dataset --name 'image*'
  filigree find data.h5 --attribute NX_class=NXdetector
  filigree find data.h5 --type float64 --shape '*,1024,1024'
  filigree find data.h5 --filter zstd
  filigree find data.h5/run1 --sparse)";

}  // namespace

void set_up_find(CLI::App& command, Run& run) {
  static FindOptions options;
  command.add_option("--name", options.name, "The last component of the path")->type_name("PATTERN");
  command.add_option("--path", options.path, "The whole path, in which * matches '/', too")
      ->type_name("PATTERN");
  command.add_option("--kind", options.kind, "group, dataset, datatype; soft, external or user for links")
      ->check(CLI::IsMember({"group", "dataset", "datatype", "soft", "external", "user"}))
      ->type_name("KIND");
  command.add_option("--attribute", options.attribute, "Has this attribute, with this value if one is given")
      ->type_name("NAME[=VALUE]");
  command.add_option("--type", options.type, "The datatype, such as u2, float64, 'string*'")
      ->type_name("TYPE");
  command.add_option("--shape", options.shape, "The shape, such as 100,*,3 or 5,...")->type_name("DIMS");
  command.add_option("--filter", options.filter, "A filter of the dataset, by name or number")
      ->type_name("FILTER");
  CLI::Option* const sparse = command.add_flag("--sparse", options.sparse, "Sparse datasets");
  command.add_flag("--dense", options.dense, "Datasets that are not sparse")->excludes(sparse);
  command.add_flag("-0,--print0", options.zero, "End each path with a NUL character, and escape nothing");
  command.add_flag("--json", options.json, "Print one JSON document for each target");
  command.add_option("TARGET", options.targets, "FILE[/path]")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return find_targets(options); }; });
}

}  // namespace filigree::tools
