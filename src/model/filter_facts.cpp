// SPDX-License-Identifier: Apache-2.0
#include "model/filter_facts.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/facts.hpp"
#include "filter/registry.hpp"
#include "type/forms.hpp"

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
      return facts;
    }
  }
}

}  // namespace

format::PipelineMessage prepare_filters(const NewDataset& made, std::uint8_t version) {
  filter::ChunkFacts facts{facts_of(made.type), made.chunk, {}};
  if (made.fill_state == format::FillState::user) facts.fill = made.fill;
  if (made.fill_state == format::FillState::default_value) facts.fill = Buffer(made.type.size);
  // Filters see references into the heap there, and have nothing to prepare.
  const bool opaque = type::has_variable_parts(made.type);
  format::PipelineMessage message;
  message.version = version;
  for (const format::PipelineFilter& wanted : made.filters) {
    const auto kind = filter::builtin_registry().find(wanted.id);
    if (!kind) throw filter::builtin_registry().missing(wanted.id, wanted.name);
    format::PipelineFilter& made_filter = message.filters.emplace_back(wanted);
    made_filter.name = kind->name();
    if (!opaque) made_filter.parameters = kind->prepare(wanted.parameters, facts);
  }
  return message;
}

}  // namespace filigree::model
