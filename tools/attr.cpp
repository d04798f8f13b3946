// SPDX-License-Identifier: Apache-2.0
//
// `filigree attr`: shows, sets and removes attributes.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "changes.hpp"
#include "command.hpp"
#include "describe.hpp"
#include "json.hpp"
#include "references.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "type_text.hpp"
#include "value_text.hpp"
#include "values.hpp"

namespace filigree::tools {
namespace {

struct AttributeCommand {
  std::string target;
  std::vector<std::string> names;   ///< of get and rm
  std::string name;                 ///< of set
  std::vector<std::string> values;  ///< of set
  std::string type, shape;
  bool json = false;
  Effect effect = Effect::made;
};

/// Prints attributes of one object.
class AttributePrinter {
 public:
  explicit AttributePrinter(const OpenTarget& target)
      : target_(target), paths_(target.file), values_(paths_, style_) {}

  /// The values alone, each in a line, as other programs take them.
  void print_values(const Attribute& attribute) const {
    if (attribute.space().kind() == Dataspace::Kind::null) return;
    const Elements elements(attribute);
    for (std::size_t i = 0; i < elements.size(); ++i)
      fmt::print("{}\n", plain(elements.type(), elements.at(i)));
  }

  void print_lines(const std::vector<Attribute>& attributes) const {
    for (const Attribute& attribute : attributes) {
      fmt::print("{}  {} {} = {}\n", style_.safe(attribute.name()),
                 style_.safe(type_text(attribute.datatype())), shape_text(attribute.space()),
                 list(attribute));
    }
  }

  void print_json(const std::vector<Attribute>& attributes) {
    json_.begin_object().name("path", target_.path).key("attributes").begin_array();
    for (const Attribute& attribute : attributes) {
      const Dataspace space = attribute.space();
      const bool is_null = space.kind() == Dataspace::Kind::null;
      json_.begin_object().name("name", attribute.name());
      json_.key("type").text(type_text(attribute.datatype())).key("shape");
      is_null ? json_.null() : json_.numbers(space.dims());
      json_.key("values").begin_array();
      if (!is_null) json_values(attribute);
      json_.end_array().end_object().flush_if_long();
    }
    json_.end_array().end_object().finish();
  }

 private:
  void json_values(const Attribute& attribute) {
    const Elements elements(attribute);
    for (std::size_t i = 0; i < elements.size(); ++i) values_.json(json_, elements.type(), elements.at(i));
  }

  std::string list(const Attribute& attribute) const {
    if (attribute.space().kind() == Dataspace::Kind::null) return "null";
    const Elements elements(attribute);
    std::string text;
    for (std::size_t i = 0; i < elements.size(); ++i)
      text += (i == 0 ? "" : ", ") + values_.text(elements.type(), elements.at(i));
    return text;
  }

  /// Strings without quotes.
  std::string plain(const Datatype& type, const std::byte* element) const {
    if (type.type_class() == TypeClass::string) {
      if (const auto found = string_of(type, element)) return style_.safe(*found);
    }
    return values_.text(type, element);
  }

  const OpenTarget& target_;
  const Style style_ = make_style(ColorChoice::never, output_facts());
  PathFinder paths_;
  const ValueWriter values_;
  JsonWriter json_;
};

Exit get_attributes(const AttributeCommand& command) {
  return for_each_target({command.target}, Slices::refused, [&](const OpenTarget& target) {
    std::vector<Attribute> found;
    for (const std::string& name : command.names) found.push_back(target.object.attribute(name));
    if (command.names.empty()) found = target.object.attributes();
    AttributePrinter printer(target);
    if (command.json)
      printer.print_json(found);
    else if (command.names.size() == 1)
      printer.print_values(found.front());
    else
      printer.print_lines(found);
    return Exit::ok;
  });
}

std::vector<std::uint64_t> parse_shape(const std::string& text) {
  std::vector<std::uint64_t> dims;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(",x", begin), text.size());
    std::uint64_t dim = 0;
    const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, dim);
    if (error != std::errc() || stop != text.data() + end)
      throw Error(ErrorKind::invalid_argument, fmt::format("--shape {}: expected numbers such as 2,3", text));
    dims.push_back(dim);
    begin = end + 1;
  }
  return dims;
}

/// The dataspace of new values: as asked for, else that of the old ones if it has as many, else a scalar or a
/// list.
Dataspace space_of(const AttributeCommand& command, std::size_t values, const std::optional<Attribute>& old) {
  if (!command.shape.empty()) {
    const Dataspace space = Dataspace::simple(parse_shape(command.shape));
    if (space.elements() != values)
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("--shape {} has {} elements, not {}", command.shape, space.elements(), values));
    return space;
  }
  if (old && old->space().kind() != Dataspace::Kind::null && old->elements() == values) return old->space();
  return values == 1 ? Dataspace::scalar() : Dataspace::simple({values});
}

ParsedValues parse_values(const AttributeCommand& command, const std::optional<Attribute>& old) {
  if (command.type == "string") return {command.values, Datatype::of<std::string>()};
  if (!command.type.empty()) {
    const auto type = parse_type(command.type);
    if (!type) throw Error(ErrorKind::invalid_argument, fmt::format("--type {}: no such type", command.type));
    return {command.values, *type};
  }
  if (old) return {command.values, old->datatype()};
  return ParsedValues(command.values);
}

/// Values that do not fit are refused instead of changed.
ConversionOptions exact_conversion() {
  ConversionOptions options;
  options.on_fault = [](const ConversionProblem& problem) {
    const bool loses =
        problem.fault != ConversionFault::precision && problem.fault != ConversionFault::positive_infinity &&
        problem.fault != ConversionFault::negative_infinity && problem.fault != ConversionFault::not_a_number;
    return loses ? FaultHandling::abort : FaultHandling::unhandled;
  };
  return options;
}

std::string unused_name(const Object& object, const std::string& name) {
  for (unsigned n = 0;; ++n)
    if (std::string found = fmt::format("{}.new{}", name, n); !object.has_attribute(found)) return found;
}

void write_new(Object& object, const std::string& name, const ParsedValues& values, const Dataspace& space) {
  Attribute attribute = object.create_attribute(name, values.stored_type(), space);
  try {
    attribute.write_elements(values.memory_type(), values.data(), values.size(), exact_conversion());
  } catch (...) {
    object.remove_attribute(name);
    throw;
  }
}

[[noreturn]] void refuse_values(const std::string& name, const Datatype& type) {
  throw Error(ErrorKind::conversion,
              fmt::format("attribute '{}': type {} cannot hold all of these values", name, type_text(type)));
}

/// An old attribute stays until the new one is complete.
void write_attribute(Object& object, const std::string& name, const ParsedValues& values,
                     const Dataspace& space) {
  const bool replaces = object.has_attribute(name);
  const std::string made = replaces ? unused_name(object, name) : name;
  try {
    write_new(object, made, values, space);
  } catch (const Error& error) {
    const bool does_not_fit = error.kind() == ErrorKind::conversion || error.kind() == ErrorKind::limit;
    if (does_not_fit) refuse_values(name, values.stored_type());
    throw;
  }
  if (!replaces) return;
  object.remove_attribute(name);
  object.rename_attribute(made, name);
}

Object object_at(const File& file, const std::string& path) {
  return path == "/" ? Object(file.root()) : file.root().open(path);
}

std::string shown(const std::string& path, const std::string& name) {
  return fmt::format("{}@{}", path == "/" ? "/" : path + " ", name);
}

Exit set_attribute(const AttributeCommand& command) {
  const Target target = split_target(command.target);
  return change_file(command.target, target.file, command.effect, [&](File& file) {
    const std::string path = normalised(target.path);
    Object object = object_at(file, path);
    const auto old = object.find_attribute(command.name);
    const ParsedValues values = parse_values(command, old);
    const Dataspace space = space_of(command, values.size(), old);
    if (command.effect == Effect::made) write_attribute(object, command.name, values, space);
    const std::string what = fmt::format("{}, {} {}", shown(path, command.name),
                                         type_text(values.stored_type()), shape_text(space));
    tell(command.effect, target.file, (old ? "changed " : "created ") + what,
         (old ? "change " : "create ") + what);
  });
}

Exit remove_attributes(const AttributeCommand& command) {
  const Target target = split_target(command.target);
  return change_file(command.target, target.file, command.effect, [&](File& file) {
    const std::string path = normalised(target.path);
    Object object = object_at(file, path);
    for (const std::string& name : command.names)
      static_cast<void>(object.attribute(name));  // all or none are removed
    for (const std::string& name : command.names) {
      if (command.effect == Effect::made) object.remove_attribute(name);
      tell(command.effect, target.file, "removed " + shown(path, name), "remove " + shown(path, name));
    }
  });
}

constexpr const char* explanation =
    R"(Without a name, 'attr get' shows all attributes of an object; with one name, its values alone, one a line.
'attr set' keeps the datatype of an attribute that exists, unless --type gives another. A new one gets that of
its values: 64-bit integers, doubles, or strings. One value makes a scalar, several make a list, and --shape
an array. Values that the type cannot hold are refused.

Examples:
  filigree attr get run.h5/entry
  filigree attr get run.h5/entry/data units
  filigree attr set run.h5/entry/data units mm
  filigree attr set run.h5/entry/data offset 0.5 -1.25 --type float32
  filigree attr rm run.h5/entry/data draft)";

void set_up_get(CLI::App& command, AttributeCommand& options, Run& run) {
  command.add_option("TARGET", options.target, "FILE[/path]")->required();
  command.add_option("NAME", options.names, "Attributes to show; all without one");
  command.add_flag("--json", options.json, "Print one JSON document");
  command.callback([&options, &run] { run = [&options] { return get_attributes(options); }; });
}

void set_up_set(CLI::App& command, AttributeCommand& options, Run& run) {
  command.add_option("TARGET", options.target, "FILE[/path]")->required();
  command.add_option("NAME", options.name, "The attribute to set")->required();
  command.add_option("VALUE", options.values, "Its values; after '--', they may begin with '-'")->required();
  command.add_option("--type", options.type, "The datatype, such as u2, float64, S10 or string")
      ->type_name("TYPE");
  command.add_option("--shape", options.shape, "The shape, such as 2,3")->type_name("DIMS");
  add_dry_run_option(command, options.effect);
  command.callback([&options, &run] { run = [&options] { return set_attribute(options); }; });
}

void set_up_remove(CLI::App& command, AttributeCommand& options, Run& run) {
  command.add_option("TARGET", options.target, "FILE[/path]")->required();
  command.add_option("NAME", options.names, "Attributes to remove")->required();
  add_dry_run_option(command, options.effect);
  command.callback([&options, &run] { run = [&options] { return remove_attributes(options); }; });
}

}  // namespace

void set_up_attr(CLI::App& command, Run& run) {
  static AttributeCommand get, set, remove;
  command.require_subcommand(1);
  set_up_get(*command.add_subcommand("get", "Show attributes; --json prints a document"), get, run);
  set_up_set(*command.add_subcommand("set", "Create or change an attribute"), set, run);
  set_up_remove(*command.add_subcommand("rm", "Remove attributes"), remove, run);
  command.footer(explanation);
}

}  // namespace filigree::tools
