// SPDX-License-Identifier: Apache-2.0
#include "repack_choices.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "filter_text.hpp"
#include "target.hpp"

namespace filigree::tools {

namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw Error(ErrorKind::invalid_argument, fmt::format("'{}': {}", text, why));
}

std::uint64_t parse_number(std::string_view digits, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    refuse(text, fmt::format("'{}' is not a number", digits));
  return number;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Parses all of the text, or what follows the first colon behind which it can be parsed. What is in front of
/// the colon are the objects, whose names may have colons, too.
template <class Parse>
auto parse_with_objects(const std::string& text, Parse parse) -> decltype(parse(std::string_view())) {
  std::optional<Error> failure;
  for (std::size_t first = 0; first != std::string::npos;) {
    try {
      auto choice = parse(std::string_view(text).substr(first));
      if (first == 1) refuse(text, "there are no objects in front of the colon");
      choice.objects = text.substr(0, first == 0 ? 0 : first - 1);
      return choice;
    } catch (const Error& error) {
      failure = error;
    }
    const std::size_t colon = text.find(':', first);
    first = colon == std::string::npos ? colon : colon + 1;
  }
  throw *failure;
}

LayoutChoice parse_layout(std::string_view text) {
  using Kind = LayoutChoice::Kind;
  constexpr std::pair<std::string_view, Kind> names[] = {{"CHUNK", Kind::chunks},
                                                         {"SPARSECHUNK", Kind::sparse_chunks},
                                                         {"CONTI", Kind::contiguous},
                                                         {"COMPA", Kind::compact}};
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto* const found = std::ranges::find(names, text.substr(0, equals), [](auto& n) { return n.first; });
  if (found == std::end(names)) refuse(text, "there are CHUNK, SPARSECHUNK, CONTI and COMPA");
  LayoutChoice choice;
  choice.kind = found->second;
  if (equals == text.size()) return choice;
  if (choice.kind == Kind::contiguous || choice.kind == Kind::compact) refuse(text, "there is no parameter");
  for (const std::string_view dim : split(text.substr(equals + 1), 'x')) {
    choice.chunk.push_back(parse_number(dim, text));
    if (choice.chunk.back() == 0) refuse(text, "a chunk has at least one element in each dimension");
  }
  return choice;
}

std::vector<std::uint32_t> parse_words(std::string_view text, std::string_view whole) {
  std::vector<std::uint32_t> words;
  for (const std::string_view part : split(text, ',')) {
    const std::uint64_t word = parse_number(part, whole);
    if (word > 0xffffffffu) refuse(whole, fmt::format("{} is too large", word));
    words.push_back(static_cast<std::uint32_t>(word));
  }
  return words;
}

/// Splits "8,NN" into the number and whether the other part is `yes`, not `no`.
std::pair<std::uint32_t, bool> parse_pair(std::string_view text, std::string_view yes, std::string_view no,
                                          std::string_view whole) {
  const std::vector<std::string_view> parts = split(text, ',');
  if (parts.size() != 2 || (parts[1] != yes && parts[1] != no))
    refuse(whole, fmt::format("the parameters are a number, then {} or {}", yes, no));
  return {parse_words(parts[0], whole)[0], parts[1] == yes};
}

FilterChoice parse_user_filter(std::string_view text, std::string_view whole) {
  const std::vector<std::uint32_t> words = parse_words(text, whole);
  if (words.size() < 3 || words[0] == 0 || words[0] > 0xffff || words[1] > 1 || words[2] != words.size() - 3)
    refuse(whole,
           "the parameters are a filter's number, 1 if it is optional, how many values follow, and they");
  return {static_cast<std::uint16_t>(words[0]), {words.begin() + 3, words.end()}, words[1] == 1};
}

/// A filter as h5repack names it; empty for other names.
std::optional<std::vector<FilterChoice>> parse_hdf5_filter(std::string_view text) {
  constexpr std::uint16_t szip = 4;
  constexpr std::uint32_t entropy = 4, nearest = 32;
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  const std::string_view rest = text.substr(std::min(equals + 1, text.size()));
  if (name == "NONE") return std::vector<FilterChoice>{};
  if (name == "SHUF") return std::vector{filters::shuffle()};
  if (name == "FLET") return std::vector{filters::fletcher32()};
  if (name == "NBIT") return std::vector{filters::nbit()};
  if (name == "GZIP") return std::vector{filters::deflate(rest.empty() ? 6 : parse_words(rest, text)[0])};
  if (name == "UD") return std::vector{parse_user_filter(rest, text)};
  if (name == "SOFF") {
    const auto [factor, integers] = parse_pair(rest, "IN", "DS", text);
    return std::vector{integers ? filters::scale_offset(factor) : filters::decimals(factor)};
  }
  if (name == "SZIP") {
    const auto [pixels, codes_neighbours] = parse_pair(rest, "NN", "EC", text);
    return std::vector{FilterChoice{szip, {codes_neighbours ? nearest : entropy, pixels}, true}};
  }
  return std::nullopt;
}

SectionFilterChoice parse_section(std::string_view text) {
  using Section = SectionFilterChoice::Section;
  constexpr std::pair<std::string_view, Section> sections[] = {
      {"values=", Section::values}, {"selection=", Section::selection}, {"heap=", Section::heap}};
  SectionFilterChoice choice;
  for (const auto& [prefix, section] : sections) {
    if (!text.starts_with(prefix)) continue;
    choice.section = section;
    text.remove_prefix(prefix.size());
    break;
  }
  if (text.empty()) refuse(text, "a filter is missing; 'none' stands for no filter");
  auto named = parse_hdf5_filter(text);
  choice.filters = named ? std::move(*named) : parse_filters(text, choice.section == Section::selection);
  return choice;
}

/// Reads the boxes of "BLOCK (2,2)-(4,7), (6,0)-(6,2) POINT (5,9)".
class BoxParser {
 public:
  explicit BoxParser(std::string_view text) : text_(text), rest_(text) {}

  std::vector<Selection::Box> parse() {
    std::vector<Selection::Box> boxes;
    skip_spaces();
    while (!rest_.empty()) {
      const bool blocks = take("BLOCK");
      if (!blocks && !take("POINT")) refuse(text_, "BLOCK or POINT is missing");
      do {
        boxes.push_back(parse_box(blocks));
      } while (take(","));
    }
    return boxes;
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    skip_spaces();
    return true;
  }

  Selection::Box parse_box(bool is_block) {
    Selection::Box box;
    box.low = parse_corner();
    box.high = box.low;
    if (!is_block) return box;
    if (!take("-")) refuse(text_, "the second corner of a block is missing");
    box.high = parse_corner();
    if (box.low.size() != box.high.size() || !std::ranges::equal(box.low, box.high, std::less_equal<>()))
      refuse(text_, "the second corner of a block is in front of the first one");
    return box;
  }

  Selection::Dims parse_corner() {
    if (!take("(")) refuse(text_, "'(' is missing");
    Selection::Dims corner;
    do {
      const std::size_t end = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
      corner.push_back(parse_number(rest_.substr(0, end), text_));
      rest_.remove_prefix(end);
      skip_spaces();
    } while (take(","));
    if (!take(")")) refuse(text_, "')' is missing");
    return corner;
  }

  const std::string_view text_;
  std::string_view rest_;
};

DefinedChoice parse_defined(std::string_view text) {
  DefinedChoice choice;
  if (text.starts_with("/"))
    choice.mask = normalised(text);
  else
    choice.boxes = BoxParser(text).parse();
  if (choice.mask.empty() && choice.boxes.empty()) refuse(text, "BLOCK, POINT or a path is missing");
  return choice;
}

}  // namespace

LayoutChoice parse_layout_choice(const std::string& text) { return parse_with_objects(text, parse_layout); }

SectionFilterChoice parse_section_filters(const std::string& text) {
  return parse_with_objects(text, parse_section);
}

DefinedChoice parse_defined_choice(const std::string& text) {
  // A path of a mask may have colons, but no object before it is meant then.
  const bool names_objects = text.find(':') != std::string::npos;
  return !names_objects || !text.starts_with("/") ? parse_with_objects(text, parse_defined) : [&] {
    const std::size_t colon = text.find(':');
    DefinedChoice choice = parse_defined(std::string_view(text).substr(colon + 1));
    choice.objects = text.substr(0, colon);
    return choice;
  }();
}

Version parse_version(const std::string& text) {
  constexpr std::pair<std::string_view, Version> names[] = {
      {"earliest", Version::earliest}, {"1.8", Version::v1_8},   {"v18", Version::v1_8},
      {"1.10", Version::v1_10},        {"v110", Version::v1_10}, {"1.12", Version::v1_12},
      {"v112", Version::v1_12},        {"1.14", Version::v1_14}, {"v114", Version::v1_14},
      {"2.0", Version::v2_0},          {"v200", Version::v2_0},  {"latest", Version::latest}};
  const auto* const found = std::ranges::find(names, text, [](auto& n) { return n.first; });
  if (found == std::end(names)) refuse(text, "there are earliest, 1.8, 1.10, 1.12, 1.14, 2.0 and latest");
  return found->second;
}

NamedObjects::NamedObjects(const File& file, const std::string& list) : all_(list.empty()) {
  if (all_) return;
  // A name may have commas.
  if (file.root().find(normalised(list))) {
    add(file, normalised(list));
    return;
  }
  for (const std::string_view name : split(list, ',')) add(file, normalised(name));
}

NamedObjects::Closeness NamedObjects::closeness(const Dataset& data) const {
  if (all_) return Closeness::all;
  const auto found = found_.find(data.address());
  return found == found_.end() ? Closeness::none : found->second;
}

void NamedObjects::add(const File& file, const std::string& path) {
  const Object object = file.open_object(path);
  if (object.kind() != ObjectKind::group) {
    found_[object.address()] = Closeness::itself;
    return;
  }
  Group(object).visit([&](const Visited& item) {
    if (item.object && item.object->kind() == ObjectKind::dataset)
      found_.try_emplace(item.object->address(), Closeness::group);
    return true;
  });
}

}  // namespace filigree::tools
