// SPDX-License-Identifier: Apache-2.0
#include "file_dump.hpp"

#include <fmt/format.h>

#include "../target.hpp"
#include "../text.hpp"
#include "contents_ddl.hpp"
#include "dump_context.hpp"
#include "object_ddl.hpp"

namespace filigree::tools {

namespace {

/// Unescapes "\/" and splits a path before its last slash that is not escaped: the object and the attribute.
std::pair<std::string, std::string> split_attribute(const std::string& path) {
  std::string plain;
  std::size_t slash = std::string::npos;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 1 < path.size() && path[i + 1] == '/') {
      plain += path[++i];
      continue;
    }
    if (path[i] == '/') slash = plain.size();
    plain += path[i];
  }
  if (slash == std::string::npos) return {"/", plain};
  return {slash == 0 ? "/" : plain.substr(0, slash), plain.substr(slash + 1)};
}

class FileDump {
 public:
  FileDump(const DumpOptions& options, const OpenTarget& target, TextStream& ddl, TextStream& data)
      : options_(options), target_(target), context_(options, target.file, ddl, data), objects_(context_) {}

  Exit run() {
    context_.out.put(fmt::format("HDF5 \"{}\" {{\n", printable(target_.file.name())));
    if (options_.superblock) context_.attempt("", [&] { dump_superblock(context_); });
    if (options_.contents)
      context_.attempt("", [&] { dump_contents(context_); });
    else
      dump_objects();
    context_.out.put("}\n");
    return context_.failed ? Exit::failed : Exit::ok;
  }

 private:
  void dump_objects() {
    if (!options_.choices.empty()) {
      for (const Choice& choice : options_.choices)
        context_.attempt(choice.path, [&] { dump_choice(choice); });
    } else if (target_.path != "/") {
      context_.attempt(target_.path, [&] { dump_target(); });
    } else {
      context_.attempt("/", [&] { objects_.dump(target_.object, "/"); });
    }
  }

  void dump_target() {
    if (!target_.slice) return objects_.dump(target_.object, target_.path);
    const Dataset data(target_.object);
    objects_.dump_dataset(data, target_.path, to_ranges(slice_of(target_, data.space())));
  }

  static std::string absolute(const std::string& path) { return normalised("/" + path); }

  Object find(const std::string& path) const {
    const std::string whole = absolute(path);
    return whole == "/" ? Object(context_.file.root()) : context_.file.root().open(whole).with_path(whole);
  }

  template <class Kind>
  Kind find_kind(const std::string& path) const {
    return Kind(find(path));
  }

  void dump_choice(const Choice& choice) {
    switch (choice.kind) {
      case Choice::Kind::dataset:
        return dump_chosen_dataset(choice);
      case Choice::Kind::group:
        return objects_.dump_group(find_kind<Group>(choice.path), choice.path);
      case Choice::Kind::datatype:
        return dump_chosen_type(choice.path);
      case Choice::Kind::soft_link:
        return dump_chosen_link(choice.path);
      case Choice::Kind::attribute:
        return dump_chosen_attribute(choice.path);
      case Choice::Kind::any:
        return dump_matches(choice.path);
    }
  }

  void dump_chosen_dataset(const Choice& choice) {
    std::string path = choice.path;
    SubsetText subset = choice.subset;
    if (subset.is_empty() && !context_.file.root().has_link(absolute(path)))
      subset = take_compact_subset(path);
    const auto data = find_kind<Dataset>(path);
    if (subset.is_empty()) return objects_.dump_dataset(data, path);
    objects_.dump_dataset(data, path, to_ranges(subset, data.space().dims()));
  }

  void dump_chosen_type(const std::string& path) {
    const bool is_address = path.find('#') <= 1;  // "#800" and "/#800" are types without a link
    for (const CommittedDatatype& type :
         is_address ? unnamed_types(context_.file, context_.paths) : std::vector<CommittedDatatype>())
      if (path.ends_with(fmt::format("#{}", type.address()))) return objects_.dump_datatype(type, path);
    objects_.dump_datatype(find_kind<CommittedDatatype>(path), path);
  }

  void dump_chosen_link(const std::string& path) {
    const Link link = context_.file.root().link(absolute(path));
    if (link.kind == LinkKind::hard) throw Error(ErrorKind::wrong_type, "this is no symbolic link");
    objects_.dump_link(link, path);
  }

  void dump_chosen_attribute(const std::string& path) {
    const auto [owner, name] = split_attribute(path);
    objects_.dump_attribute(find(owner).attribute(name), owner);
  }

  /// Whether a path ends in the components that the user gave.
  static bool matches(const std::string& path, const std::string& wanted) {
    const std::string pattern = normalised("/" + wanted);
    return path == pattern || (!wanted.starts_with('/') && path.ends_with(pattern));
  }

  void dump_matches(const std::string& wanted) {
    bool found = false;
    VisitOptions visit;
    visit.keep_going = true;
    context_.file.root().visit(
        [&](const Visited& visited) {
          const std::string path = visited.path == "." ? "/" : "/" + visited.path;
          if (visited.object && !visited.seen_before)
            found |= dump_matching_attributes(*visited.object, path, wanted);
          if (!matches(path, wanted)) return true;
          found = true;
          context_.attempt(path, [&] {
            if (visited.object)
              objects_.dump(visited.object->with_path(path), path);
            else if (visited.link != nullptr)
              objects_.dump_link(*visited.link, path);
          });
          return true;
        },
        visit);
    if (!found) throw Error(ErrorKind::not_found, "nothing has this name");
  }

  bool dump_matching_attributes(const Object& object, const std::string& path, const std::string& wanted) {
    bool found = false;
    context_.attempt(path, [&] {
      for (const Attribute& attribute : object.attributes()) {
        if (!matches((path == "/" ? "" : path) + "/" + attribute.name(), wanted)) continue;
        found = true;
        objects_.dump_attribute(attribute, path);
      }
    });
    return found;
  }

  const DumpOptions& options_;
  const OpenTarget& target_;
  DumpContext context_;
  ObjectDump objects_;
};

}  // namespace

Exit dump_file(const DumpOptions& options, const std::string& argument, TextStream& ddl, TextStream& data) {
  const OpenTarget target = open_target(argument);
  return FileDump(options, target, ddl, data).run();
}

}  // namespace filigree::tools
