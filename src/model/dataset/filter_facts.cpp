// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/filter_facts.hpp"

#include <fmt/format.h>

#include <filigree/chunks.hpp>
#include <filigree/error.hpp>

#include "filter/facts.hpp"
#include "filter/packed_selection/packed_selection.hpp"
#include "filter/registry.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

using filter::TypeFacts;

TypeFacts facts_of(const format::DatatypeMessage& type);

TypeFacts number_facts(const format::DatatypeMessage& type, TypeFacts::Kind kind) {
  TypeFacts facts;
  facts.kind = kind;
  facts.bytes = type.size;
  facts.order = type.order == format::ByteOrder::big ? TypeFacts::Order::big : TypeFacts::Order::little;
  facts.precision_bits = type.precision;
  facts.offset_bits = type.bit_offset;
  facts.is_signed = type.is_signed;
  return facts;
}

TypeFacts compound_facts(const format::DatatypeMessage& type) {
  TypeFacts facts;
  facts.kind = TypeFacts::Kind::compound;
  facts.bytes = type.size;
  for (const format::CompoundMember& member : type.members) {
    facts.parts.push_back(facts_of(format::member_type(member)));
    facts.parts.back().at = member.byte_offset;
  }
  return facts;
}

TypeFacts facts_of(const format::DatatypeMessage& type) {
  switch (type.type_class) {
    case format::TypeClass::fixed_point:
      return number_facts(type, TypeFacts::Kind::integer);
    case format::TypeClass::floating_point:
      return number_facts(type, TypeFacts::Kind::floating);
    case format::TypeClass::compound:
      return compound_facts(type);
    case format::TypeClass::array: {
      TypeFacts facts;
      facts.kind = TypeFacts::Kind::array;
      facts.bytes = type.size;
      facts.parts.push_back(facts_of(type.base.front()));
      return facts;
    }
    default: {
      TypeFacts facts;
      facts.bytes = type.size;
      facts.is_variable = type.type_class == format::TypeClass::variable_length;
      return facts;
    }
  }
}

filter::ChunkFacts value_facts(const NewDataset& made) {
  filter::ChunkFacts facts{facts_of(made.type), made.chunk, {}};
  if (made.fill_state == format::FillState::user) facts.fill = made.fill;
  if (made.fill_state == format::FillState::default_value) facts.fill = Buffer(made.type.size);
  return facts;
}

/// HDF5 does not set up the filters of variable-length datatypes, and so refuses filters that are mandatory.
void check_variable_length(const std::vector<format::PipelineFilter>& filters) {
  for (const format::PipelineFilter& f : filters) {
    if (f.optional()) continue;
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("filter {} is mandatory, but datasets of variable-length values allow only optional "
                    "filters",
                    f.id));
  }
}

/// `facts` is null if the filters are not set up for the datatype.
std::vector<format::PipelineFilter> prepare(const std::vector<format::PipelineFilter>& filters,
                                            const filter::ChunkFacts* facts) {
  std::vector<format::PipelineFilter> made;
  for (const format::PipelineFilter& wanted : filters) {
    const auto kind = filter::shared_registry().find(wanted.id);
    if (!kind && !wanted.optional()) throw filter::shared_registry().missing(wanted.id, wanted.name);
    format::PipelineFilter& filter = made.emplace_back(wanted);
    if (!kind) continue;  // chunks are stored without it
    if (filter.name.empty()) filter.name = kind->name();
    if (facts != nullptr) filter.parameters = kind->prepare(wanted.parameters, *facts);
  }
  return made;
}

/// Describes contiguous numbers of this size.
filter::ChunkFacts word_facts(std::uint32_t bytes) {
  filter::ChunkFacts facts;
  facts.type.kind = TypeFacts::Kind::integer;
  facts.type.bytes = bytes;
  facts.type.precision_bits = 8 * bytes;
  facts.type.order = TypeFacts::Order::little;
  facts.dims = {1};
  return facts;
}

constexpr std::uint16_t szip = 4;
constexpr std::uint16_t nbit = 5;
constexpr std::uint16_t scale_offset = 6;

bool counts_elements(const format::PipelineFilter& f) { return f.id == nbit || f.id == scale_offset; }

/// Filters that depend on the datatype apply only to the element section; packed-selection applies only to
/// the selection section.
void check_fit(const std::vector<format::PipelineFilter>& filters, SectionKind kind, bool references) {
  for (const format::PipelineFilter& f : filters) {
    const bool typed = f.id == szip || counts_elements(f);
    const bool plain_elements = kind == SectionKind::elements && !references;
    if (typed ? plain_elements : f.id != filter::packed_selection_id || kind == SectionKind::selection) {
      // A section has any number of elements. Only the first filter of a pipeline sees it, as its input size.
      if (!counts_elements(f) || &f == &filters.front()) continue;
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("filter {} has to be the first one of a section", f.id));
    }
    const char* const what = kind == SectionKind::selection ? "selections of sparse chunks"
                             : kind == SectionKind::heap    ? "heaps of variable-length values"
                             : references                   ? "references to variable-length values"
                                                            : "values";
    throw Error(ErrorKind::invalid_argument, fmt::format("filter {} cannot work on {}", f.id, what));
  }
}

}  // namespace

format::PipelineMessage prepare_filters(const NewDataset& made, std::uint8_t version) {
  const filter::ChunkFacts facts = value_facts(made);
  format::PipelineMessage message;
  message.version = version;
  const bool variable = made.type.type_class == format::TypeClass::variable_length;
  if (variable) check_variable_length(made.filters);
  message.filters = prepare(made.filters, variable ? nullptr : &facts);
  return message;
}

format::SectionPipelinesMessage prepare_section_filters(const NewDataset& made) {
  format::SectionPipelinesMessage message;
  std::uint8_t section = 0;
  const bool heap = type::has_variable_parts(made.type);
  const auto add = [&](SectionKind kind, const std::vector<format::PipelineFilter>& filters,
                       const filter::ChunkFacts& facts) {
    check_fit(filters, kind, heap);
    if (!filters.empty()) message.sections.push_back({section, prepare(filters, &facts)});
    ++section;
  };
  // Encoded selections consist mostly of 4-byte words.
  if (made.sparse) add(SectionKind::selection, made.selection_filters, word_facts(4));
  filter::ChunkFacts values = heap ? word_facts(made.type.size) : value_facts(made);
  // 0 elements in the parameters stands for any number.
  if (!made.filters.empty() && counts_elements(made.filters.front())) values.dims = {0};
  add(SectionKind::elements, made.filters, values);
  if (heap) add(SectionKind::heap, made.heap_filters, word_facts(1));
  return message;
}

}  // namespace filigree::model
