// SPDX-License-Identifier: Apache-2.0
#include "filter_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "text.hpp"

namespace filigree::tools {

namespace {

/// A filter that users choose by name. `levels` of its parameters, from the first one, are theirs.
struct NamedFilter {
  const char* name;
  std::uint16_t id;
  std::size_t levels;
  FilterChoice (*make)(const std::vector<std::uint32_t>& parameters);
};

FilterChoice with_level(FilterChoice filter, const std::vector<std::uint32_t>& parameters) {
  if (!parameters.empty()) filter.parameters = parameters;
  return filter;
}

using Words = const std::vector<std::uint32_t>&;
constexpr NamedFilter named[] = {
    {"deflate", 1, 1, [](Words w) { return with_level(filters::deflate(), w); }},
    {"gzip", 1, 1, [](Words w) { return with_level(filters::deflate(), w); }},
    {"shuffle", 2, 0, [](Words) { return filters::shuffle(); }},
    {"fletcher32", 3, 0, [](Words) { return filters::fletcher32(); }},
    {"nbit", 5, 0, [](Words) { return filters::nbit(); }},
    {"scaleoffset", 6, 1, [](Words w) { return filters::scale_offset(w.empty() ? 0 : w[0]); }},
    {"lzf", 32000, 0, [](Words) { return filters::lzf(); }},
    {"lz4", 32004, 0, [](Words) { return filters::lz4(); }},
    {"bitshuffle", 32008, 0, [](Words) { return filters::bitshuffle_lz4(); }},
    {"zstd", 32015, 1, [](Words w) { return with_level(filters::zstd(), w); }},
};

[[noreturn]] void refuse(std::string_view part, std::string_view why) {
  std::string names;
  for (const NamedFilter& filter : named) names += fmt::format("{}, ", filter.name);
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("'{}': {}; there are {}packed, none, and numbers such as 32015=3", part, why, names));
}

std::uint32_t parse_word(std::string_view text, std::string_view part) {
  std::uint32_t word = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), word);
  if (error != std::errc() || end != text.data() + text.size()) refuse(part, "a parameter is a number");
  return word;
}

/// "3" or "0:2".
std::vector<std::uint32_t> parse_words(std::string_view text, std::string_view part) {
  std::vector<std::uint32_t> words;
  while (true) {
    const std::size_t end = std::min(text.find(':'), text.size());
    words.push_back(parse_word(text.substr(0, end), part));
    if (end == text.size()) return words;
    text.remove_prefix(end + 1);
  }
}

FilterChoice parse_filter(std::string_view part, bool selection_section) {
  const std::size_t equals = std::min(part.find('='), part.size());
  const std::string_view name = part.substr(0, equals);
  std::vector<std::uint32_t> words;
  if (equals < part.size()) words = parse_words(part.substr(equals + 1), part);
  if (name == "packed") return selection_section ? filters::packed_selection() : filters::packed_values();
  const auto* const found =
      std::ranges::find(named, name, [](const NamedFilter& f) { return std::string_view(f.name); });
  if (found != std::end(named)) {
    if (words.size() > found->levels) refuse(part, "too many parameters");
    return found->make(words);
  }
  if (name.empty() || name.find_first_not_of("0123456789") != std::string_view::npos)
    refuse(part, "no such filter");
  const std::uint32_t id = parse_word(name, part);
  if (id == 0 || id > 0xffff) refuse(part, "filters have numbers up to 65535");
  return {static_cast<std::uint16_t>(id), words, true};
}

}  // namespace

std::vector<FilterChoice> parse_filters(std::string_view text, bool selection_section) {
  std::vector<FilterChoice> filters;
  if (text == "none" || text.empty()) return filters;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    filters.push_back(parse_filter(text.substr(0, end), selection_section));
    if (end == text.size()) return filters;
    text.remove_prefix(end + 1);
  }
}

std::string filter_text(const FilterChoice& filter) {
  if (filter.id == 500) return "filigree packed selection";
  if (filter.id == 501) return "filigree packed values";
  const auto* const found = std::ranges::find(named, filter.id, &NamedFilter::id);
  if (found != std::end(named)) {
    if (found->levels == 0 || filter.id == 6 || filter.parameters.empty()) return found->name;
    return fmt::format("{} {}", found->name, filter.parameters[0]);
  }
  const auto known = filters::find(filter.id);
  if (known) return printable(known->name);
  if (!filter.name.empty()) return fmt::format("filter {} ({})", filter.id, printable(filter.name));
  return fmt::format("filter {}", filter.id);
}

std::string filters_text(const std::vector<FilterChoice>& filters) {
  std::string text;
  for (const FilterChoice& filter : filters) text += (text.empty() ? "" : ", ") + filter_text(filter);
  return text;
}

}  // namespace filigree::tools
