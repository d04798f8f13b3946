// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/sections.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "base/context.hpp"

namespace filigree::chunk {
namespace {

constexpr std::size_t sum_bytes = 4;

[[noreturn]] void corrupt(std::string message) { throw Error(ErrorKind::corrupt, std::move(message)); }

Buffer with_sum(Bytes content) {
  Buffer summed;
  summed.reserve(content.size() + sum_bytes);
  summed.assign(content.begin(), content.end());
  summed.resize(content.size() + sum_bytes);
  store_word(summed.data() + content.size(), lookup3(content), sum_bytes);
  return summed;
}

/// The content before the checksum. *Requires*: the section is not empty.
Bytes checked_content(Bytes section) {
  if (section.size() < sum_bytes)
    corrupt(fmt::format("{} bytes are too small for a checksum", section.size()));
  const Bytes content = section.first(section.size() - sum_bytes);
  const std::uint64_t stored = load_word(content.data() + content.size(), sum_bytes);
  const std::uint32_t computed = lookup3(content);
  if (!checksum_holds(stored, computed))
    corrupt(fmt::format("its checksum is {:#010x}, that of its content {:#010x}", stored, computed));
  return content;
}

[[noreturn]] void refuse(std::size_t section, const std::string& why) {
  throw Error(ErrorKind::invalid_argument, fmt::format("section {}: {}", section, why));
}

}  // namespace

Sections::Sections(std::vector<SectionRule> rules, bool filter_partial_edges)
    : rules_(std::move(rules)), filter_partial_edges_(filter_partial_edges) {
  if (rules_.empty() || rules_.size() > format::SectionTable::most) {
    throw Error(ErrorKind::unsupported, fmt::format("chunks of {} sections; there may be 1 to {}",
                                                    rules_.size(), std::size_t{format::SectionTable::most}));
  }
}

bool Sections::filtered() const {
  return std::ranges::any_of(rules_, [](const SectionRule& rule) { return !rule.pipeline.empty(); });
}

StoredChunk Sections::pack(std::span<const Bytes> contents, ChunkEdge edge, Packed* first) const {
  StoredChunk chunk;
  format::SectionTable& table = chunk.info.sections;
  table.count = static_cast<std::uint8_t>(count());
  for (std::size_t i = 0; i < count(); ++i) {
    table.offsets[i] = chunk.bytes.size();
    if (i == 0 && first != nullptr) {
      chunk.bytes = std::move(first->bytes);
      table.unfiltered_bytes[i] = first->content_bytes;
      continue;
    }
    if (contents[i].empty()) continue;
    Buffer made;
    Bytes section = contents[i];
    if (rules_[i].checked) section = made = with_sum(section);
    if (filtered()) table.unfiltered_bytes[i] = section.size();
    if (filters(i, edge)) section = made = rules_[i].pipeline.encode(section, table.filter_masks[i]);
    if (i == 0 && section.data() == made.data()) {
      chunk.bytes = std::move(made);
    } else {
      chunk.bytes.insert(chunk.bytes.end(), section.begin(), section.end());
    }
  }
  return chunk;
}

space::Run Sections::extent(std::size_t section, const StoredChunkInfo& info,
                            std::uint64_t stored_bytes) const {
  const format::SectionTable& table = info.sections;
  if (table.count != count())
    corrupt(fmt::format("a chunk of {} sections where {} belong", table.count, count()));
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    if ((i == 0 && table.offsets[i] != 0) || table.offsets[i] < before || table.offsets[i] > stored_bytes) {
      corrupt(fmt::format("section {} of a chunk of {} bytes starts at {}, the one before it at {}", i,
                          stored_bytes, table.offsets[i], before));
    }
    before = table.offsets[i];
  }
  return {table.offsets[section], table.bytes(section, stored_bytes)};
}

std::uint64_t Sections::content_bytes(std::size_t section, const StoredChunkInfo& info,
                                      std::uint64_t stored_bytes, ChunkEdge edge) const {
  std::uint64_t bytes = extent(section, info, stored_bytes).length;
  if (bytes == 0) return 0;
  if (filters(section, edge)) bytes = info.sections.unfiltered_bytes[section];
  if (!rules_[section].checked) return bytes;
  if (bytes < sum_bytes)
    corrupt(fmt::format("section {}: {} bytes are too small for a checksum", section, bytes));
  return bytes - sum_bytes;
}

Buffer Sections::unfilter(std::size_t section, Bytes stored, const StoredChunkInfo& info,
                          std::uint64_t most_bytes) const {
  const std::uint64_t bytes = info.sections.unfiltered_bytes[section];
  if (bytes > most_bytes)
    corrupt(fmt::format("it declares {} bytes; at most {} make sense", bytes, most_bytes));
  return rules_[section].pipeline.decode(stored, info.sections.filter_masks[section],
                                         static_cast<std::size_t>(bytes), info.decoding);
}

Buffer Sections::unpack(std::size_t section, Bytes stored, const StoredChunkInfo& info, ChunkEdge edge,
                        std::uint64_t most_bytes) const {
  if (stored.empty()) return {};
  return in_context([&] { return fmt::format("section {}", section); },
                    [&] {
                      const bool checked = rules_[section].checked;
                      const std::uint64_t most =
                          checked ? most_bytes + std::min<std::uint64_t>(sum_bytes, ~most_bytes) : most_bytes;
                      Buffer content = filters(section, edge) ? unfilter(section, stored, info, most)
                                                              : Buffer(stored.begin(), stored.end());
                      if (checked) content.resize(checked_content(content).size());
                      return content;
                    });
}

// Sections for callers that run the filters themselves.

bool Sections::transformed(std::size_t section, std::uint32_t mask, ChunkEdge edge) const {
  const std::size_t most = rules_[section].pipeline.size();
  const std::uint32_t all = most >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << most) - 1;
  return filters(section, edge) && (mask & all) != all;
}

void Sections::check_raw(std::size_t section, const RawSection& given, bool transformed) const {
  const std::size_t filters = rules_[section].pipeline.size();
  if (filters < 32 && given.filter_mask >> filters != 0)
    refuse(section, fmt::format("a mask of {:#x}, but {} filters", given.filter_mask, filters));
  if (given.bytes.empty() && (given.original_bytes != 0 || given.filter_mask != 0))
    refuse(section, "an empty section has no filters and no size before them");
  if (given.bytes.empty()) return;
  if (!transformed && given.original_bytes != 0 && given.original_bytes != given.bytes.size())
    refuse(section, fmt::format("{} bytes, said to have been {}, but no filter ran", given.bytes.size(),
                                given.original_bytes));
}

Buffer Sections::decode_raw(std::size_t section, const RawSection& given, SectionSize size) const {
  return in_context(
      [&] { return fmt::format("section {}", section); },
      [&] {
        const filter::Pipeline& pipeline = rules_[section].pipeline;
        const std::uint64_t bytes = given.original_bytes != 0 ? given.original_bytes : size.most;
        if (bytes > size.most)
          corrupt(fmt::format("it declares {} bytes; at most {} make sense", bytes, size.most));
        return given.original_bytes != 0 || size.exact
                   ? pipeline.decode(given.bytes, given.filter_mask, static_cast<std::size_t>(bytes))
                   : pipeline.decode_unsized(given.bytes, given.filter_mask, static_cast<std::size_t>(bytes));
      });
}

Sections::Assembled Sections::assemble_one(std::size_t section, const RawSection& given, bool transformed,
                                           SizeOf size_of, Bytes first) const {
  Assembled made{{}, given.original_bytes, given.filter_mask};
  if (transformed && rules_[section].checked) {
    made.content = decode_raw(section, given, size_of(section, first));
    made.original_bytes = made.content.size() + sum_bytes;
    made.bytes = rules_[section].pipeline.encode_without(with_sum(made.content), made.filter_mask);
    return made;
  }
  made.bytes =
      rules_[section].checked ? with_sum(given.bytes) : Buffer(given.bytes.begin(), given.bytes.end());
  if (!transformed) made.original_bytes = made.bytes.size();
  if (made.original_bytes == 0)
    made.original_bytes = unfiltered_bytes(section, given, size_of(section, first));
  return made;
}

StoredChunk Sections::assemble(std::span<const RawSection> sections, ChunkEdge edge, SizeOf size_of) const {
  if (sections.size() != count()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} sections for a chunk that has {}", sections.size(), count()));
  }
  StoredChunk chunk;
  format::SectionTable& table = chunk.info.sections;
  table.count = static_cast<std::uint8_t>(count());
  Buffer first;
  for (std::size_t i = 0; i < count(); ++i) {
    const RawSection& given = sections[i];
    const bool runs_filters = transformed(i, given.filter_mask, edge);
    check_raw(i, given, runs_filters);
    table.offsets[i] = chunk.bytes.size();
    if (given.bytes.empty()) continue;
    Assembled made =
        assemble_one(i, given, runs_filters, size_of, i == 0 || !first.empty() ? first : sections[0].bytes);
    if (i == 0) {
      chunk.bytes = std::move(made.bytes);
      first = std::move(made.content);
    } else {
      chunk.bytes.insert(chunk.bytes.end(), made.bytes.begin(), made.bytes.end());
    }
    if (!filtered()) continue;
    table.unfiltered_bytes[i] = made.original_bytes;
    if (filters(i, edge)) table.filter_masks[i] = made.filter_mask;
  }
  return chunk;
}

bool Sections::decodable(const StoredChunkInfo& info, ChunkEdge edge) const {
  for (std::size_t i = 0; i < count(); ++i)
    if (!decodable(i, info, edge)) return false;
  return true;
}

bool Sections::decodable(std::size_t section, const StoredChunkInfo& info, ChunkEdge edge) const {
  return !filters(section, edge) ||
         !rules_[section].pipeline.lacks_filter(info.sections.filter_masks[section]);
}

bool Sections::is_recoded(std::size_t section, const StoredChunkInfo& info, ChunkEdge edge) const {
  return rules_[section].checked && transformed(section, info.sections.filter_masks[section], edge);
}

RawSectionFacts Sections::raw_facts(std::size_t section, const StoredChunkInfo& info,
                                    std::uint64_t stored_bytes, ChunkEdge edge) const {
  RawSectionFacts facts;
  facts.bytes = extent(section, info, stored_bytes).length;
  if (facts.bytes == 0) return facts;
  if (filters(section, edge)) facts.filter_mask = info.sections.filter_masks[section];
  const bool filtered_here = transformed(section, facts.filter_mask, edge);
  const std::uint64_t sum = rules_[section].checked ? sum_bytes : 0;
  if (!filtered_here) facts.bytes -= std::min(facts.bytes, sum);
  facts.original_bytes = filtered_here ? info.sections.unfiltered_bytes[section] : facts.bytes;
  if (filtered_here) facts.original_bytes -= std::min(facts.original_bytes, sum);
  return facts;
}

RawSection Sections::raw(std::size_t section, const StoredChunkView& part, SectionSize size) const {
  const RawSectionFacts facts = raw_facts(section, part.info, part.stored_bytes, part.edge);
  RawSection found{part.bytes, facts.filter_mask, facts.original_bytes};
  if (part.bytes.empty() || !rules_[section].checked) return found;
  if (!is_recoded(section, part.info, part.edge)) {
    found.bytes = in_context([&] { return fmt::format("section {}", section); },
                             [&] { return checked_content(part.bytes); });
    return found;
  }
  const Buffer content = unpack(section, part.bytes, part.info, part.edge, size.most);
  found.made =
      std::make_shared<const Buffer>(rules_[section].pipeline.encode_without(content, found.filter_mask));
  found.bytes = *found.made;
  return found;
}

}  // namespace filigree::chunk
