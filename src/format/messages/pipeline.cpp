// SPDX-License-Identifier: Apache-2.0
#include "format/messages/pipeline.hpp"

#include <algorithm>
#include <bitset>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

namespace {

constexpr unsigned max_filters = 32;
constexpr unsigned first_named_id = 256;

std::size_t least_name_bytes(const PipelineFilter& filter, unsigned version) {
  if (filter.name.empty()) return 0;
  return version == 1 ? pad8(filter.name.size() + 1) : filter.name.size() + 1;
}

/// The field is padded with NUL to `bytes`; an absent name takes none.
template <class Io, class M>
void describe_name(Io& io, M& m, std::uint64_t bytes, unsigned version) {
  std::string field(m.name);
  field.resize(static_cast<std::size_t>(Io::decodes ? 0 : bytes));
  io.characters("filter name", field, bytes);
  if constexpr (Io::decodes) {
    const auto end = field.find('\0');
    io.require(field.empty() || end != std::string::npos, "filter name", "is not NUL-terminated");
    m.name = field.substr(0, end);
    m.name_bytes = static_cast<std::uint16_t>(bytes > least_name_bytes(m, version) ? bytes : 0);
  }
}

template <class Io, class M>
void describe_filter(Io& io, M& m, unsigned version) {
  io.u16("filter id", m.id);
  const bool named = version == 1 || m.id >= first_named_id;
  std::uint64_t name_bytes = named ? std::max<std::uint64_t>(m.name_bytes, least_name_bytes(m, version)) : 0;
  std::uint64_t parameters = m.parameters.size();
  if (named) {
    io.u16("name bytes", name_bytes);
    if (version == 1) io.require(name_bytes % 8 == 0, "name bytes", "is not a multiple of 8");
  }
  io.u16("filter flags", m.flags);
  io.u16("parameters", parameters);
  if (named) describe_name(io, m, name_bytes, version);
  io.resize("parameters", m.parameters, parameters, 4);
  for (auto& parameter : m.parameters) io.u32("parameter", parameter);
  if (version == 1 && parameters % 2 != 0) io.reserved(4);
}

constexpr unsigned section_filter_version = 2;

std::uint64_t described_bytes(const std::vector<PipelineFilter>& filters) {
  Sizer sizer({});  // no field has the width of an offset or a length
  for (const PipelineFilter& filter : filters) describe_filter(sizer, filter, section_filter_version);
  return sizer.position();
}

using SectionSet = std::bitset<256>;

template <class Io, class M>
void describe_section(Io& io, M& m, SectionSet& seen) {
  std::uint64_t filters = m.filters.size();
  std::uint64_t bytes = Io::decodes ? 0 : described_bytes(m.filters);
  io.u8("section", m.section);
  io.require(!seen[m.section], "section", "is listed twice");
  seen.set(m.section);
  io.u8("filters", filters);
  io.range("filters", filters, 1, max_filters);
  io.u16("list bytes", bytes);
  const std::size_t start = io.position();
  io.resize("filters", m.filters, filters, 6);
  for (auto& filter : m.filters) describe_filter(io, filter, section_filter_version);
  io.require(io.position() - start == bytes, "list bytes", "does not match the filters");
}

}  // namespace

template <class Io, Model<SectionPipelinesMessage> M>
void describe(Io& io, M& m) {
  std::uint64_t sections = m.sections.size();
  io.constant("version", m.version);
  io.u8("sections", sections);
  io.resize("sections", m.sections, sections, 4);
  SectionSet seen;
  for (auto& section : m.sections) describe_section(io, section, seen);
}

template <class Io, Model<PipelineMessage> M>
void describe(Io& io, M& m) {
  std::uint64_t filters = m.filters.size();
  io.u8("version", m.version);
  io.range("version", m.version, 1, 2);
  io.u8("filters", filters);
  io.range("filters", filters, 0, max_filters);
  if (m.version == 1) io.reserved(6);
  io.resize("filters", m.filters, filters, 6);
  for (auto& filter : m.filters) describe_filter(io, filter, m.version);
}

FILIGREE_DESCRIBED(PipelineMessage);
FILIGREE_DESCRIBED(SectionPipelinesMessage);

}  // namespace filigree::format
