// SPDX-License-Identifier: Apache-2.0
//
// `filigree diff`: differences of two files, with the exit codes of h5diff.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "dataset_diff.hpp"
#include "details.hpp"
#include "json.hpp"
#include "pair_walk.hpp"
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

/// What is compared now, with the names of both in reports.
struct PairNames {
  const char* kind;
  std::string a, b;
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
  /// Whether there is a report as text.
  bool prints() const { return !options_.quiet && !options_.json; }
  void put(const std::string& text) const {
    if (prints()) std::fwrite(text.data(), 1, text.size(), stdout);
  }

  bool is_excluded(const std::string& path) const {
    return std::ranges::any_of(options_.excluded, [&](const std::string& one) {
      return path == one || path.starts_with(one + "/");
    });
  }

  void compare_trees() {
    if (options_.verbose && prints()) list();
    PairVisitor visitor = quiet_visitor();
    visitor.visit = [this](const std::string& path, const Item* a, const Item* b) {
      if (a == nullptr || b == nullptr) return report_missing(path, a != nullptr);
      if (!a->is_broken() && !b->is_broken()) compare_items(path, *a, path, *b);
    };
    visitor.fail = [this](const std::string& path, bool in_a, const Error& error) {
      const OpenTarget& target = in_a ? a_ : b_;
      has_failed_ = true;
      complain((in_a ? options_.a : options_.b) + path, error_text(error, target.file.name()));
    };
    PairWalk(Group(a_.object), Group(b_.object), std::move(visitor)).run();
  }

  PairVisitor quiet_visitor() const {
    return {nullptr, [](const std::string&, bool, const Error&) {},
            [this](const std::string& path) { return is_excluded(path); }};
  }

  void list() const {
    put("file1     file2\n---------------------------------------\n");
    PairVisitor visitor = quiet_visitor();
    visitor.visit = [this](const std::string& path, const Item* a, const Item* b) {
      put(fmt::format("{}      {}    {}\n", a != nullptr ? "    x" : "     ", b != nullptr ? "x" : " ",
                      style_.safe(path)));
    };
    PairWalk(Group(a_.object), Group(b_.object), std::move(visitor)).run();
    put("\n");
  }

  void report_missing(const std::string& path, bool in_a) {
    is_different_ = true;
    if (options_.verbose || options_.contents)
      put(fmt::format("Only in {}: {}\n", style_.safe(in_a ? options_.a : options_.b), style_.safe(path)));
    if (options_.json) {
      json_.begin_object().name("path", path).key("only_in").text(in_a ? "a" : "b").end_object();
      json_.flush_if_long();
    }
  }

  void compare_items(const std::string& path_a, const Item& a, const std::string& path_b, const Item& b) {
    const PairNames names{kind_text(a, b), path_a, path_b};
    is_named_ = false;
    try {
      report(names, compare_pair(a, b, names));
    } catch (const Error& error) {
      has_failed_ = true;
      complain(path_a, error.what());
      return;
    }
    // As h5diff, which compares nothing of objects of different kinds.
    if (a.object && b.object && a.object->kind() == b.object->kind())
      compare_all_attributes(path_a, *a.object, path_b, *b.object);
  }

  static const char* kind_text(const Item& a, const Item& b) {
    if (a.link && b.link) return "link   ";
    if (!a.object || !b.object || a.object->kind() != b.object->kind()) return "object";
    switch (a.object->kind()) {
      case ObjectKind::group:
        return "group  ";
      case ObjectKind::datatype:
        return "datatype";
      case ObjectKind::dataset:
        return "dataset";
    }
    return "object";
  }

  PairResult compare_pair(const Item& a, const Item& b, const PairNames& names) {
    if (a.link.has_value() != b.link.has_value()) return not_comparable("one is a link, the other an object");
    if (a.link) return compare_links(*a.link, *b.link);
    if (a.object->kind() != b.object->kind()) return not_comparable("the objects have different types");
    PairResult result;
    switch (a.object->kind()) {
      case ObjectKind::group:
        break;
      case ObjectKind::datatype:
        result.differences =
            CommittedDatatype(*a.object).datatype() == CommittedDatatype(*b.object).datatype() ? 0 : 1;
        break;
      case ObjectKind::dataset: {
        ElementReport elements{options_.defined, options_.most, nullptr};
        if (options_.report && prints()) {
          elements.put = [&](const std::string& lines) {
            name(names);
            put(lines);
          };
        }
        return compare_datasets(Dataset(*a.object), Dataset(*b.object), elements_, elements);
      }
    }
    return result;
  }

  static PairResult compare_links(const Link& a, const Link& b) {
    if (a.kind != b.kind) return not_comparable("the links have different types");
    const bool same =
        a.target == b.target && a.file == b.file && a.user_kind == b.user_kind && a.user_data == b.user_data;
    PairResult result;
    result.differences = same ? 0 : 1;
    return result;
  }

  void compare_all_attributes(const std::string& path_a, const Object& a, const std::string& path_b,
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
        is_named_ = false;
        report(
            {"attribute", fmt::format("{} of <{}>", name, path_a), fmt::format("{} of <{}>", name, path_b)},
            compare_attributes(*in_a, *in_b, elements_));
      }
    } catch (const Error& error) {
      has_failed_ = true;
      complain(path_a, error.what());
    }
  }

  /// Prints what is compared, once.
  void name(const PairNames& names) {
    if (!is_named_)
      put(fmt::format("{}: <{}> and <{}>\n", names.kind, style_.safe(names.a), style_.safe(names.b)));
    is_named_ = true;
  }

  void report(const PairNames& names, const PairResult& result) {
    if (options_.json) add_json(names.kind, names.a, result);
    if (!result.not_comparable.empty()) {
      has_incomparable_ = true;
      if (options_.verbose || options_.contents)
        put(fmt::format("Not comparable: <{}> and <{}>: {}\n", style_.safe(names.a), style_.safe(names.b),
                        style_.safe(result.not_comparable)));
      return;
    }
    if (result.same() && !options_.verbose) return;
    if (!result.same()) is_different_ = true;
    name(names);
    const bool is_link = std::string_view(names.kind).starts_with("link");
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
    json_.end_object().flush_if_long();
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
  bool is_named_ = false;  ///< name() was called for the current pair
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
