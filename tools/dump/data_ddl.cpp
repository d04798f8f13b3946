// SPDX-License-Identifier: Apache-2.0
#include "data_ddl.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../text.hpp"
#include "../values.hpp"
#include "binary_output.hpp"
#include "reference_ddl.hpp"
#include "type_ddl.hpp"

namespace filigree::tools {

namespace {

/// Elements that are read at once take about so many bytes.
constexpr std::uint64_t part_bytes = std::uint64_t{1} << 20;
/// Elements of variable length can be large, so that fewer are read at once.
constexpr std::uint64_t most_variable = 1024;

std::uint64_t most_elements(const Datatype& native) {
  const std::uint64_t most =
      std::max<std::uint64_t>(1, part_bytes / std::max<std::uint32_t>(1, native.size()));
  return native.has_variable_parts() ? std::min(most, most_variable) : most;
}

bool is_character(const DumpContext& context, const Datatype& native) {
  return context.options.characters && native.type_class() == TypeClass::integer && native.size() == 1;
}

/// Writes elements, which come in parts, with their coordinates.
class Sink {
 public:
  Sink(DumpContext& context, const Datatype& native, LineStyle style, std::uint64_t total)
      : context_(context),
        characters_(is_character(context, native)),
        text_(native, context.elements, context.paths),
        lines_(context.out, with_characters(style, characters_), total),
        level_(context.out.level() + 1) {}

  /// The elements of this lattice follow.
  void begin(const Lattice& lattice) {
    walk_.emplace(lattice);
    lines_.begin_rows(lattice.row());
  }

  void add(const Elements& elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      element_.clear();
      if (characters_)
        append_characters(element_, {reinterpret_cast<const char*>(elements.at(i)), 1},
                          context_.elements.escape);
      else
        text_.append(element_, elements.at(i), level_);
      lines_.add(element_, walk_->labels());
      walk_->next();
    }
  }

  void finish() { lines_.finish(); }

 private:
  static LineStyle with_characters(LineStyle style, bool characters) {
    style.is_characters = characters;
    return style;
  }

  DumpContext& context_;
  const bool characters_;
  const ElementText text_;
  ElementLines lines_;
  const std::size_t level_;
  std::optional<LatticeWalk> walk_;
  std::string element_;
};

/// Runs `work`, and writes what the sink has kept, also after a fault.
void run_and_finish(Sink& sink, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    sink.finish();
    throw;
  }
  sink.finish();
}

void read_parts(const Dataset& data, const Datatype& native, const Lattice& lattice,
                const std::function<void(const Elements&)>& use) {
  lattice.for_each_part(most_elements(native), [&](const Selection& part) { use(Elements(data, part)); });
}

/// Writes "DATA {", what `body` writes, and the closing brace.
void in_braces(DumpContext& context, const std::string& subject, const std::function<void()>& body) {
  context.out.put(context.out.indent() + "DATA {");
  context.attempt(subject, body);
  context.out.put("\n" + context.out.indent() + "}\n");
}

/// h5dump does not print times.
bool is_time(DumpContext& context, const Datatype& type) {
  if (type.type_class() != TypeClass::time) return false;
  context.out.put(fmt::format("{}DATA{{ not yet implemented.}}\n", context.out.indent(1)));
  return true;
}

}  // namespace

void dump_elements(DumpContext& context, const Dataset& data, const std::vector<Lattice>& pieces,
                   const LineStyle& style) {
  const Datatype native = memory_type(data.datatype());
  std::uint64_t total = 0;
  for (const Lattice& piece : pieces) total += piece.elements();
  Sink sink(context, native, style, total);
  run_and_finish(sink, [&] {
    for (const Lattice& piece : pieces) {
      sink.begin(piece);
      read_parts(data, native, piece, [&](const Elements& part) { sink.add(part); });
    }
  });
}

void dump_subset_data(DumpContext& context, const Dataset& data,
                      const std::vector<Selection::Range>& ranges) {
  constexpr std::size_t page_rank = 2;
  const auto is_reference = data.datatype().type_class() == TypeClass::reference;
  if (ranges.size() <= page_rank || is_reference || context.options.binary) {
    in_braces(context, data.path(), [&] {
      if (is_reference || context.options.binary) return dump_data_body(context, data, ranges);
      dump_elements(context, data, {Lattice(ranges, true)}, context.lines);
    });
    return;
  }
  in_braces(context, data.path(), [&] {
    const auto inner = ranges.end() - page_rank;
    const Lattice outer(std::vector<Selection::Range>(ranges.begin(), inner));
    LatticeWalk walk(outer);
    for (std::uint64_t page = 0; page < outer.elements(); ++page, walk.next()) {
      std::vector<Selection::Range> piece;
      for (const std::uint64_t at : walk.labels()) piece.push_back({at, 1, 1, 1});
      piece.insert(piece.end(), inner, ranges.end());
      dump_elements(context, data, {Lattice(piece, true)}, context.lines);
    }
  });
}

void dump_data(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges) {
  const Datatype type = data.datatype();
  if (is_time(context, type)) return;
  in_braces(context, data.path(), [&] { dump_data_body(context, data, ranges); });
}

void dump_data_body(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges) {
  if (data.space().kind() == Dataspace::Kind::null) return;
  if (context.options.binary) return write_binary(context, data, ranges);
  const Datatype type = data.datatype();
  if (type.type_class() != TypeClass::reference)
    return dump_elements(context, data, {Lattice(ranges)}, context.lines);
  // A reference may lead back to its dataset, whose elements are not printed again.
  std::vector<std::uint64_t>& on_way = context.references_on_way;
  if (std::ranges::find(on_way, data.address()) != on_way.end()) return;
  on_way.push_back(data.address());
  const Datatype native = memory_type(type);
  ReferenceDump references(context, native);
  read_parts(data, native, Lattice(ranges), [&](const Elements& part) { references.add(part); });
  on_way.pop_back();
}

void dump_data(DumpContext& context, const Attribute& attribute, const std::string& subject) {
  const Datatype type = attribute.datatype();
  if (is_time(context, type)) return;
  const Dataspace space = attribute.space();
  // Values of attributes stay with the DDL, unless they are all that is printed.
  context.out.keep_data_in_ddl(context.options.attributes != AttributeChoice::only);
  in_braces(context, subject, [&] {
    if (space.kind() == Dataspace::Kind::null || space.elements() == 0) return;
    const Elements elements(attribute);
    if (type.type_class() == TypeClass::reference) {
      ReferenceDump(context, elements.type()).add(elements);
      return;
    }
    const Lattice lattice(all_of(space.dims()));
    Sink sink(context, elements.type(), context.lines, lattice.elements());
    sink.begin(lattice);
    run_and_finish(sink, [&] { sink.add(elements); });
  });
  context.out.keep_data_in_ddl(false);
}

std::string space_ddl(const Dataspace& space) {
  if (space.kind() == Dataspace::Kind::null) return "NULL";
  if (space.kind() == Dataspace::Kind::scalar) return "SCALAR";
  std::vector<std::string> most;
  for (const std::uint64_t dim : space.max_dims())
    most.push_back(dim == unlimited ? "H5S_UNLIMITED" : fmt::format("{}", dim));
  return fmt::format("SIMPLE {{ ( {} ) / ( {} ) }}", fmt::join(space.dims(), ", "), fmt::join(most, ", "));
}

std::string type_or_name_ddl(DumpContext& context, const Datatype& type) {
  const auto committed = type.committed_address();
  if (!committed) return type_ddl(type, context.out.level());
  const auto path = context.paths.find(*committed);
  return path ? fmt::format("\"{}\"", printable(*path)) : fmt::format("\"/#{}\"", *committed);
}

void dump_form(DumpContext& context, const Datatype& type, const Dataspace& space) {
  context.out.line("DATATYPE  " + type_or_name_ddl(context, type));
  context.out.line("DATASPACE  " + space_ddl(space));
}

}  // namespace filigree::tools
