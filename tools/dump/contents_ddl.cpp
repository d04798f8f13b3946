// SPDX-License-Identifier: Apache-2.0
#include "contents_ddl.hpp"

#include <fmt/format.h>

#include "../details.hpp"
#include "../hdf5_terms.hpp"
#include "../text.hpp"
#include "object_ddl.hpp"

namespace filigree::tools {

namespace {

const char* kind_text(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::group:
      return "group";
    case ObjectKind::dataset:
      return "dataset";
    case ObjectKind::datatype:
      return "datatype";
  }
  return "unknown";
}

/// Returns a line: the kind in ten columns, and the path.
std::string item(std::string_view kind, const std::string& path) {
  return fmt::format(" {:<10} {}", kind, path);
}

std::string link_line(const Link& link, const std::string& path) {
  switch (link.kind) {
    case LinkKind::soft:
      return fmt::format("{} -> {}", item("link", path), printable(link.target));
    case LinkKind::external:
      return fmt::format("{} -> {} {}", item("ext link", path), printable(link.file), printable(link.target));
    case LinkKind::user:
    case LinkKind::hard:
      break;
  }
  return fmt::format("{} -> ??? ???", item("UD link", path));
}

void list_attributes(DumpContext& context, const Object& object, const std::string& path) {
  for (const Attribute& attribute : object.attributes())
    context.out.line(item("attribute", (path == "/" ? "" : path) + "/" + printable(attribute.name())));
}

void list(DumpContext& context, const Visited& visited) {
  const std::string path = visited.path == "." ? "/" : "/" + printable(visited.path);
  if (visited.error != nullptr) context.report(path, error_text(*visited.error, context.file.name()));
  if (!visited.object) {
    if (visited.link != nullptr && visited.link->kind != LinkKind::hard)
      context.out.line(link_line(*visited.link, path));
    return;
  }
  std::string line = item(kind_text(visited.object->kind()), path);
  if (visited.seen_before)
    line += " -> " + (visited.first_path == "." ? "/" : "/" + printable(visited.first_path));
  context.out.line(line);
  if (context.options.contents_attributes && !visited.seen_before)
    context.attempt(path, [&] { list_attributes(context, *visited.object, path); });
}

}  // namespace

void dump_contents(DumpContext& context) {
  context.out.put("FILE_CONTENTS {\n");
  for (const CommittedDatatype& type : unnamed_types(context.file, context.paths))
    context.out.line(item("datatype", fmt::format("/#{}", type.address())));
  VisitOptions options;
  options.keep_going = true;
  context.file.root().visit(
      [&](const Visited& visited) {
        list(context, visited);
        return true;
      },
      options);
  context.out.put(" }\n");
}

void dump_superblock(DumpContext& context) {
  const FileInfo info = context.file.info();
  const CreateOptions created = context.file.creation_options();
  DdlOutput& out = context.out;
  out.open("SUPER_BLOCK {");
  out.line(fmt::format("SUPERBLOCK_VERSION {}", info.superblock_version));
  out.line("FREELIST_VERSION 0");
  out.line("SYMBOLTABLE_VERSION 0");
  out.line("OBJECTHEADER_VERSION 0");
  out.line(fmt::format("OFFSET_SIZE {}", info.offset_bytes));
  out.line(fmt::format("LENGTH_SIZE {}", info.length_bytes));
  out.line(fmt::format("BTREE_RANK {}", created.group_internal_k));
  out.line(fmt::format("BTREE_LEAF {}", created.group_leaf_k));
  out.line(fmt::format("ISTORE_K {}", created.chunk_k));
  out.line(fmt::format("FILE_SPACE_STRATEGY {}", strategy_name(info.space.strategy)));
  out.line(fmt::format("FREE_SPACE_PERSIST {}", info.space.persist ? "TRUE" : "FALSE"));
  out.line(fmt::format("FREE_SPACE_SECTION_THRESHOLD {}", info.space.threshold));
  out.line(fmt::format("FILE_SPACE_PAGE_SIZE {}", info.space.page_bytes));
  out.open("USER_BLOCK {");
  out.line(fmt::format("USERBLOCK_SIZE {}", info.user_block_bytes));
  out.close();
  out.close();
}

}  // namespace filigree::tools
