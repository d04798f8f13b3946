// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/format_setup.hpp"

namespace filigree::chunk {

filter::Pipeline bind_filters(std::span<const format::PipelineFilter> filters,
                              const filter::ElementLayout& layout) {
  std::vector<filter::FilterSpec> specs;
  for (const format::PipelineFilter& f : filters) specs.push_back({f.id, f.name, f.optional(), f.parameters});
  return filter::Pipeline(specs, layout);
}

std::vector<SectionRule> make_section_rules(const FormatSetup& setup) {
  const format::ChunkComposition& composition = setup.layout.composition;
  std::vector<SectionRule> rules;
  for (std::uint8_t i = 0; i < composition.sections; ++i) {
    const format::SectionPipeline* const filters = setup.section_filters.find(i);
    SectionRule rule;
    if (filters != nullptr) rule.pipeline = bind_filters(filters->filters, {setup.type.size, 0});
    rule.checked = composition.has_checksum(i);
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace filigree::chunk
