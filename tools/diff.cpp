// SPDX-License-Identifier: Apache-2.0
//
// `filigree diff`: differences of two files, with the exit codes of h5diff.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "compare.hpp"
#include "details.hpp"
#include "json.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "value_diff.hpp"

namespace filigree::tools {
namespace {

struct DiffOptions {
  std::string a, b;
  bool quiet = false, report = false, verbose = false, contents = false;
  bool defined = false;
  bool json = false;
  std::uint64_t most = 0;  ///< differences to report for an object; 0: all
  Tolerance tolerance;
  std::vector<std::string> excluded;
};

/// What was found in a pair of objects or attributes.
struct PairResult {
  std::uint64_t differences = 0;
  std::uint64_t only_in_a = 0, only_in_b = 0;  ///< elements that are defined in one of the datasets
  std::string not_comparable;                  ///< the reason
  std::vector<std::string> lines;              ///< of a report

  bool same() const { return differences == 0 && only_in_a == 0 && only_in_b == 0; }
};

/// An object or a link below the compared group, by its path.
struct Item {
  std::optional<Object> object;
  std::optional<Link> link;  ///< one that is not hard
};

class Diff {
 public:
  Diff(const DiffOptions& options, const OpenTarget& a, const OpenTarget& b)
      : options_(options),
        a_(a),
        b_(b),
        paths_a_(a.file),
        paths_b_(b.file),
        elements_(paths_a_, paths_b_, options.tolerance),
        style_(make_style(ColorChoice::never, output_facts())) {}

  /// Returns the exit code.
  Exit run() {
    if (options_.json) json_.begin_object().key("pairs").begin_array();
    if (a_.object.kind() == ObjectKind::group && b_.object.kind() == ObjectKind::group)
      compare_trees();
    else
      compare_items(a_.path, {a_.object, {}}, b_.path, {b_.object, {}});
    return finish();
  }

 private:
  using Items = std::map<std::string, Item>;

  void put(const std::string& text) const {
    if (!options_.quiet && !options_.json) std::fwrite(text.data(), 1, text.size(), stdout);
  }

  std::string named(const char* kind, const std::string& a, const std::string& b) const {
    return fmt::format("{}: <{}> and <{}>\n", kind, style_.safe(a), style_.safe(b));
  }

  bool is_excluded(const std::string& path) const {
    return std::ranges::any_of(options_.excluded, [&](const std::string& one) {
      return path == one || path.starts_with(one + "/");
    });
  }

  Items items_of(const OpenTarget& target) const {
    Items items;
    Group(target.object).visit([&](const Visited& visited) {
      const std::string path = visited.path == "." ? "/" : "/" + visited.path;
      if (is_excluded(path)) return true;
      const bool is_link = visited.link != nullptr && visited.link->kind != LinkKind::hard;
      items[path] = {visited.object, is_link ? std::optional(*visited.link) : std::nullopt};
      return true;
    });
    return items;
  }

  void compare_trees() {
    const Items in_a = items_of(a_), in_b = items_of(b_);
    if (options_.verbose) list(in_a, in_b);
    for (const auto& [path, item] : in_a) {
      const auto other = in_b.find(path);
      if (other != in_b.end())
        compare_items(path, item, path, other->second);
      else
        report_missing(path, true);
    }
    for (const auto& [path, item] : in_b)
      if (!in_a.contains(path)) report_missing(path, false);
  }

  void list(const Items& in_a, const Items& in_b) const {
    std::set<std::string> all;
    for (const auto& [path, item] : in_a) all.insert(path);
    for (const auto& [path, item] : in_b) all.insert(path);
    put("file1     file2\n---------------------------------------\n");
    for (const std::string& path : all)
      put(fmt::format("{}      {}    {}\n", in_a.contains(path) ? "    x" : "     ",
                      in_b.contains(path) ? "x" : " ", style_.safe(path)));
    put("\n");
  }

  void report_missing(const std::string& path, bool in_a) {
    is_different_ = true;
    if (options_.verbose || options_.contents)
      put(fmt::format("Only in {}: {}\n", style_.safe(in_a ? options_.a : options_.b), style_.safe(path)));
    if (options_.json) {
      json_.begin_object().name("path", path).key("only_in").text(in_a ? "a" : "b").end_object();
    }
  }

  void compare_items(const std::string& path_a, const Item& a, const std::string& path_b, const Item& b) {
    PairResult result;
    const char* kind = "object";
    try {
      result = compare_pair(a, b, kind);
    } catch (const Error& error) {
      has_failed_ = true;
      complain(path_a, error.what());
      return;
    }
    report(kind, path_a, path_b, result);
    // As h5diff, which compares nothing of objects of different kinds.
    if (a.object && b.object && a.object->kind() == b.object->kind())
      compare_attributes(path_a, *a.object, path_b, *b.object);
  }

  PairResult compare_pair(const Item& a, const Item& b, const char*& kind) {
    PairResult result;
    if (a.link.has_value() != b.link.has_value()) return not_comparable("one is a link, the other an object");
    if (a.link) {
      kind = "link   ";
      if (a.link->kind != b.link->kind) return not_comparable("the links have different types");
      const bool same = a.link->target == b.link->target && a.link->file == b.link->file &&
                        a.link->user_kind == b.link->user_kind && a.link->user_data == b.link->user_data;
      result.differences = same ? 0 : 1;
      return result;
    }
    if (!a.object || !b.object) return not_comparable("an object cannot be opened");
    if (a.object->kind() != b.object->kind()) return not_comparable("the objects have different types");
    switch (a.object->kind()) {
      case ObjectKind::group:
        kind = "group  ";
        return result;
      case ObjectKind::datatype:
        kind = "datatype";
        result.differences =
            CommittedDatatype(*a.object).datatype() == CommittedDatatype(*b.object).datatype() ? 0 : 1;
        return result;
      case ObjectKind::dataset:
        kind = "dataset";
        return compare_datasets(Dataset(*a.object), Dataset(*b.object));
    }
    return result;
  }

  static PairResult not_comparable(std::string reason) {
    PairResult result;
    result.not_comparable = std::move(reason);
    return result;
  }

  PairResult compare_datasets(const Dataset& a, const Dataset& b) {
    const Dataspace in_a = a.space(), in_b = b.space();
    if (in_a.dims() != in_b.dims() || in_a.kind() != in_b.kind())
      return not_comparable(fmt::format("the shapes are {} and {}", in_a.text(), in_b.text()));
    const auto type = common_type(a.datatype(), b.datatype());
    if (!type) return not_comparable("the datatypes cannot be compared");
    PairResult result;
    if (in_a.kind() == Dataspace::Kind::null) return result;
    const bool any_sparse = a.dataset_info().sparse || b.dataset_info().sparse;
    for_each_box(a, b, [&](const Selection& box) {
      if (any_sparse)
        compare_defined_elements(a, b, *type, box, result);
      else
        compare_elements(a, b, *type, box, result);
    });
    return result;
  }

  /// Compares the elements that are defined in one of the datasets; all others are fill values.
  void compare_defined_elements(const Dataset& a, const Dataset& b, const Datatype& type,
                                const Selection& box, PairResult& result) {
    const Selection in_a = a.defined(box).within(a.space().dims());
    const Selection in_b = b.defined(box).within(b.space().dims());
    if (options_.defined) {
      const std::uint64_t common = (in_a & in_b).elements();
      result.only_in_a += in_a.elements() - common;
      result.only_in_b += in_b.elements() - common;
    }
    compare_elements(a, b, type, in_a | in_b, result);
  }

  void compare_elements(const Dataset& a, const Dataset& b, const Datatype& type, const Selection& part,
                        PairResult& result) {
    Elements in_a(type), in_b(type);
    const auto read = [&](const Dataset& data, Elements& into) {
      data.read_allocated(type, part, {}, [&](std::size_t count) {
        return Dataset::ElementBuffer{into.resize(count), count};
      });
    };
    read(a, in_a);
    read(b, in_b);
    if (ElementComparison::same_bytes_are_equal(type) && in_a.size() > 0 &&
        std::memcmp(in_a.at(0), in_b.at(0), in_a.size() * type.size()) == 0)
      return;
    const std::vector<std::uint64_t> dims = a.space().dims();
    std::vector<std::uint64_t> coordinates;
    for (std::size_t i = 0; i < in_a.size(); ++i) {
      if (elements_.equal(type, in_a.at(i), in_b.at(i))) continue;
      ++result.differences;
      if (!options_.report || (options_.most > 0 && result.lines.size() >= options_.most)) continue;
      if (coordinates.empty() && !dims.empty()) coordinates = part.within(dims).coordinates();
      const auto first = coordinates.begin() + static_cast<std::ptrdiff_t>(i * dims.size());
      const std::vector<std::uint64_t> at(first, first + static_cast<std::ptrdiff_t>(dims.size()));
      result.lines.push_back(fmt::format("[ {} ]          {}               {}\n", fmt::join(at, " "),
                                         elements_.text_a(type, in_a.at(i)),
                                         elements_.text_b(type, in_b.at(i))));
    }
  }

  void compare_attributes(const std::string& path_a, const Object& a, const std::string& path_b,
                          const Object& b) {
    try {
      std::set<std::string> names;
      for (const Attribute& attribute : a.attributes()) names.insert(attribute.name());
      for (const Attribute& attribute : b.attributes()) names.insert(attribute.name());
      for (const std::string& name : names) {
        const auto in_a = a.find_attribute(name), in_b = b.find_attribute(name);
        if (!in_a || !in_b) {
          report_missing(path_a + "@" + name, in_a.has_value());
          continue;
        }
        report("attribute", fmt::format("{} of <{}>", name, path_a), fmt::format("{} of <{}>", name, path_b),
               compare_attribute(*in_a, *in_b));
      }
    } catch (const Error& error) {
      has_failed_ = true;
      complain(path_a, error.what());
    }
  }

  PairResult compare_attribute(const Attribute& a, const Attribute& b) {
    if (a.space().dims() != b.space().dims() || a.space().kind() != b.space().kind())
      return not_comparable("the shapes differ");
    const auto type = common_type(a.datatype(), b.datatype());
    if (!type) return not_comparable("the datatypes cannot be compared");
    PairResult result;
    if (a.space().kind() == Dataspace::Kind::null) return result;
    Elements in_a(*type), in_b(*type);
    const std::uint64_t count = a.elements();
    a.read_elements(*type, in_a.resize(count), count);
    b.read_elements(*type, in_b.resize(count), count);
    for (std::size_t i = 0; i < count; ++i)
      if (!elements_.equal(*type, in_a.at(i), in_b.at(i))) ++result.differences;
    return result;
  }

  void report(const char* kind, const std::string& a, const std::string& b, const PairResult& result) {
    if (options_.json) add_json(kind, a, result);
    if (!result.not_comparable.empty()) {
      has_incomparable_ = true;
      if (options_.verbose || options_.contents)
        put(fmt::format("Not comparable: <{}> and <{}>: {}\n", style_.safe(a), style_.safe(b),
                        style_.safe(result.not_comparable)));
      return;
    }
    if (result.same() && !options_.verbose) return;
    if (!result.same()) is_different_ = true;
    put(named(kind, a, b));
    for (const std::string& line : result.lines) put(line);
    const bool is_link = std::string_view(kind).starts_with("link");
    if (!is_link) put(fmt::format("{} differences found\n", result.differences));
    if (options_.defined && (result.only_in_a > 0 || result.only_in_b > 0))
      put(fmt::format("{} elements are defined only in the first, {} only in the second\n", result.only_in_a,
                      result.only_in_b));
  }

  void add_json(const char* kind, const std::string& path, const PairResult& result) {
    std::string word(kind);
    word.erase(word.find_last_not_of(' ') + 1);
    json_.begin_object().name("path", path).key("kind").text(word);
    json_.key("differences").number(result.differences);
    if (options_.defined)
      json_.key("only_in_a").number(result.only_in_a).key("only_in_b").number(result.only_in_b);
    if (!result.not_comparable.empty()) json_.key("not_comparable").text(result.not_comparable);
    json_.end_object();
  }

  Exit finish() {
    if (has_incomparable_)
      put("--------------------------------\nSome objects are not "
          "comparable\n--------------------------------\n"
          "Use -c for a list of objects.\n");
    if (options_.json) json_.end_array().key("different").boolean(is_different_).end_object().finish();
    if (has_failed_) return Exit::usage;
    return is_different_ ? Exit::failed : Exit::ok;
  }

  const DiffOptions& options_;
  const OpenTarget& a_;
  const OpenTarget& b_;
  PathFinder paths_a_, paths_b_;
  const ElementComparison elements_;
  const Style style_;
  JsonWriter json_;
  bool is_different_ = false, has_incomparable_ = false, has_failed_ = false;
};

Exit diff(const DiffOptions& options) {
  for (const std::string* argument : {&options.a, &options.b}) {
    try {
      if (open_target(*argument).slice)
        throw SliceError("diff compares whole datasets", argument->rfind('['));
    } catch (const SliceError& error) {
      complain_about_slice(*argument, error);
      return Exit::usage;
    } catch (const Error& error) {
      complain(*argument, error_text(error, split_target(*argument).file));
      return Exit::usage;
    }
  }
  try {
    const OpenTarget a = open_target(options.a), b = open_target(options.b);
    return Diff(options, a, b).run();
  } catch (const Error& error) {
    complain("diff", error.what());
    return Exit::usage;
  }
}

constexpr const char* explanation =
    R"(Compares objects of the same path, their attributes, and the values of datasets. As h5diff, it
returns 0 for no differences, 1 for some, and 2 if something could not be read. Objects of
different shapes or types are not comparable, which is no difference: -c lists them. Numbers are
equal if their bits are; all NaNs are equal. Sparse datasets are compared by the elements that
one of them defines; with --defined, an element that only one of them defines is a difference.

Examples:
  filigree diff a.h5 b.h5
  filigree diff -r a.h5/run/energy b.h5/run/energy
  filigree diff --defined frames.h5 for-everybody.h5)";

}  // namespace

void set_up_diff(CLI::App& command, Run& run) {
  static DiffOptions options;
  command.add_flag("-q,--quiet", options.quiet, "Print nothing");
  command.add_flag("-r,--report", options.report, "Print the values that differ");
  command.add_flag("-v,--verbose", options.verbose, "List all objects and attributes");
  command.add_flag("-c,--compare", options.contents,
                   "List objects that are not comparable, or only in one file");
  command.add_flag("--defined", options.defined, "Compare which elements are defined, too");
  command.add_option("-n,--count", options.most, "Print at most so many differences of an object")
      ->type_name("N");
  command.add_option("-d,--delta", options.tolerance.absolute, "Ignore differences up to this")
      ->type_name("D");
  command.add_option("-p,--relative", options.tolerance.relative, "Ignore relative differences up to this")
      ->type_name("R");
  command.add_option("--exclude-path", options.excluded, "Skip the object with this path, and all below it")
      ->type_name("PATH");
  command.add_flag("--json", options.json, "Print one JSON document");
  command.add_option("A", options.a, "FILE[/path]")->required();
  command.add_option("B", options.b, "FILE[/path]")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return diff(options); }; });
}

}  // namespace filigree::tools
