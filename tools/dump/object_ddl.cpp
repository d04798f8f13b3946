// SPDX-License-Identifier: Apache-2.0
#include "object_ddl.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../text.hpp"
#include "data_ddl.hpp"
#include "property_ddl.hpp"
#include "structured_ddl.hpp"
#include "type_ddl.hpp"

namespace filigree::tools {

namespace {

/// "/a" and "b" become "/a/b".
std::string joined(const std::string& path, const std::string& name) {
  return (path == "/" ? "" : path) + "/" + name;
}

/// External links lead from file to file. Not more of them are followed one after another.
constexpr std::size_t most_files = 8;
/// Groups are printed up to this depth.
constexpr std::size_t most_levels = 1000;

IndexBy index_of(const DumpOptions& options, bool tracked) {
  return options.by_creation_order && tracked ? IndexBy::creation_order : IndexBy::name;
}

Direction direction_of(const DumpOptions& options) {
  return options.descending ? Direction::descending : Direction::ascending;
}

}  // namespace

std::vector<CommittedDatatype> unnamed_types(const File& file, PathFinder& paths) {
  std::vector<CommittedDatatype> types;
  std::set<std::uint64_t> seen;
  VisitOptions options;
  options.keep_going = true;
  file.root().visit(
      [&](const Visited& visited) {
        if (visited.seen_before || !visited.object || visited.object->kind() != ObjectKind::dataset)
          return true;
        try {
          const auto address = Dataset(*visited.object).datatype().committed_address();
          if (address && !paths.find(*address) && seen.insert(*address).second)
            types.emplace_back(file.open_object(ObjectReference{*address}));
        } catch (const Error&) {
          // The dump of the dataset reports it.
        }
        return true;
      },
      options);
  return types;
}

bool ObjectDump::is_written(const Object& object) {
  WrittenObjects& written = *context_.written;
  const bool is_root = object.address() == context_.file.root().address();
  const bool is_new = written.objects.emplace(context_.file.name(), object.address()).second;
  return !is_new && (is_root || written.followed_links || object.info().link_count > 1);
}

void ObjectDump::dump(const Object& object, std::string_view name) {
  switch (object.kind()) {
    case ObjectKind::group:
      return dump_group(Group(object), name);
    case ObjectKind::dataset:
      return dump_dataset(Dataset(object), name);
    case ObjectKind::datatype:
      return dump_datatype(CommittedDatatype(object), name);
  }
}

void ObjectDump::dump_comment(const Object& object) {
  const auto comment = object.comment();
  if (comment) context_.out.line(fmt::format("COMMENT \"{}\"", printable(*comment)));
}

void ObjectDump::dump_attribute(const Attribute& attribute, const std::string& owner) {
  context_.out.open(fmt::format("ATTRIBUTE \"{}\" {{", printable(attribute.name())));
  const std::string subject = fmt::format("{}@{}", owner, attribute.name());
  context_.attempt(subject, [&] {
    dump_form(context_, attribute.datatype(), attribute.space());
    if (!context_.options.header_only) dump_data(context_, attribute, subject);
  });
  context_.out.close();
}

void ObjectDump::dump_attributes(const Object& object) {
  if (context_.options.attributes == AttributeChoice::hidden) return;
  context_.attempt(object.path(), [&] {
    const IndexBy by = index_of(context_.options, object.attribute_storage().track_order);
    for (const Attribute& attribute : object.attributes(by, direction_of(context_.options)))
      dump_attribute(attribute, object.path());
  });
}

void ObjectDump::dump_link(const Link& link, std::string_view name, const Object* target) {
  DdlOutput& out = context_.out;
  switch (link.kind) {
    case LinkKind::hard:
      return;
    case LinkKind::soft:
      out.open(fmt::format("SOFTLINK \"{}\" {{", printable(name)));
      out.line(fmt::format("LINKTARGET \"{}\"", printable(link.target)));
      break;
    case LinkKind::external:
      out.open(fmt::format("EXTERNAL_LINK \"{}\" {{", printable(name)));
      out.line(fmt::format("TARGETFILE \"{}\"", printable(link.file)));
      out.line(fmt::format("TARGETPATH \"{}\"", printable(link.target)));
      if (target != nullptr) dump_target(*target, link.target);
      break;
    case LinkKind::user:
      out.open(fmt::format("USERDEFINED_LINK \"{}\" {{", printable(name)));
      out.line(fmt::format("LINKCLASS {}", link.user_kind));
      break;
  }
  out.close();
}

/// Returns what an external link leads to; null for other links, and for those that lead nowhere.
std::unique_ptr<Object> ObjectDump::find_target(const Group& group, const Link& link) const {
  if (link.kind != LinkKind::external || context_.files.size() >= most_files) return nullptr;
  try {
    auto target = std::make_unique<Object>(group.open(link));
    // A way back to a file that is being printed ends here.
    const bool is_back = std::ranges::find(context_.files, target->file()) != context_.files.end();
    return is_back ? nullptr : std::move(target);
  } catch (const Error&) {
    return nullptr;
  }
}

void ObjectDump::dump_target(const Object& target, const std::string& name) {
  DumpContext inner(context_, target.file());
  context_.written->followed_links = true;
  inner.out.deeper();
  ObjectDump(inner).dump(target, name);
  context_.failed |= inner.failed;
}

void ObjectDump::dump_links(const Group& group) {
  const IndexBy by = index_of(context_.options, group.group_info().order_tracked);
  group.for_each(
      [&](const Link& link) {
        const std::string path = joined(group.path(), link.name);
        if (link.kind != LinkKind::hard) {
          dump_link(link, link.name, find_target(group, link).get());
          return true;
        }
        context_.attempt(path, [&] { dump(group.open(link).with_path(path), link.name); });
        return true;
      },
      by, direction_of(context_.options));
}

void ObjectDump::dump_unnamed_types() {
  for (const CommittedDatatype& type : unnamed_types(context_.file, context_.paths))
    dump_datatype(type, fmt::format("#{}", type.address()));
}

void ObjectDump::dump_group(const Group& group, std::string_view name) {
  DdlOutput& out = context_.out;
  out.open(fmt::format("GROUP \"{}\" {{", printable(name)));
  if (out.level() > most_levels) {
    context_.report(group.path(), fmt::format("groups are nested deeper than {} levels", most_levels));
    return out.close();
  }
  dump_comment(group);
  if (is_written(group)) {
    out.line(fmt::format("HARDLINK \"{}\"", printable(context_.paths.path(group.address()))));
  } else {
    if (context_.options.addresses) out.line(fmt::format("OBJECTID {{ {} }}", group.address()));
    if (group.address() == context_.file.root().address()) dump_unnamed_types();
    dump_attributes(group);
    context_.attempt(group.path(), [&] { dump_links(group); });
  }
  out.close();
}

void ObjectDump::dump_subset(const Dataset& data, const std::vector<Selection::Range>& subset) {
  const auto list = [&](const char* name, std::uint64_t Selection::Range::*member) {
    std::vector<std::uint64_t> numbers;
    for (const Selection::Range& range : subset) numbers.push_back(range.*member);
    context_.out.line(fmt::format("{} ( {} );", name, fmt::join(numbers, ", ")));
  };
  context_.out.open("SUBSET {");
  list("START", &Selection::Range::start);
  list("STRIDE", &Selection::Range::stride);
  list("COUNT", &Selection::Range::count);
  list("BLOCK", &Selection::Range::block);
  dump_subset_data(context_, data, subset);
  context_.out.close();
}

void ObjectDump::dump_values(const Dataset& data,
                             const std::optional<std::vector<Selection::Range>>& subset) {
  const DumpOptions& options = context_.options;
  if (options.header_only || options.attributes == AttributeChoice::only) return;
  const bool wants_defined = options.sparse_locations || options.sparse_data;
  if (wants_defined && data.dataset_info().sparse)
    return dump_defined(context_, data, subset ? *subset : all_of(data.space().dims()));
  if (subset) return dump_subset(data, *subset);
  dump_data(context_, data, all_of(data.space().dims()));
}

void ObjectDump::dump_dataset(const Dataset& data, std::string_view name,
                              const std::optional<std::vector<Selection::Range>>& subset) {
  DdlOutput& out = context_.out;
  out.open(fmt::format("DATASET \"{}\" {{", printable(name)));
  if (is_written(data)) {
    out.line(fmt::format("HARDLINK \"{}\"", printable(context_.paths.path(data.address()))));
    return out.close();
  }
  context_.attempt(data.path(), [&] {
    out.higher();  // as h5dump
    dump_comment(data);
    out.deeper();
    dump_form(context_, data.datatype(), data.space());
    if (context_.options.addresses) out.line(fmt::format("OBJECTID {{ {} }}", data.address()));
    if (context_.options.properties) dump_properties(context_, data);
    dump_values(data, subset);
  });
  dump_attributes(data);
  out.close();
}

void ObjectDump::dump_datatype(const CommittedDatatype& type, std::string_view name) {
  DdlOutput& out = context_.out;
  if (is_written(type)) {
    out.open(fmt::format("DATATYPE \"{}\" {{", printable(name)));
    out.line(fmt::format("HARDLINK \"{}\"", printable(context_.paths.path(type.address()))));
    return out.close();
  }
  const Datatype described = type.datatype();
  const bool is_compound = described.type_class() == TypeClass::compound;
  out.line(fmt::format("DATATYPE \"{}\" {}{}", printable(name), type_ddl(described, out.level()),
                       is_compound ? "" : ";"));
  out.deeper();
  dump_attributes(type);
  out.higher();
}

}  // namespace filigree::tools
