// SPDX-License-Identifier: Apache-2.0
#include "value_text.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "type_text.hpp"

namespace filigree::tools {

namespace {

template <class T>
std::optional<T> parse_integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
    if (text.starts_with('-')) return std::nullopt;
  }
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// All that C's strtod() takes, without leading spaces; a finite text is no infinity.
std::optional<double> parse_double(const std::string& text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return std::nullopt;
  if (errno == ERANGE && (value > 1 || value < -1)) return std::nullopt;
  return value;
}

/// Reads all texts; empty if one of them is of another form.
template <class T, class Parse>
std::optional<std::vector<T>> parse_all(const std::vector<std::string>& texts, Parse parse) {
  std::vector<T> values;
  for (const std::string& text : texts) {
    const auto value = parse(text);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

[[noreturn]] void refuse(const std::vector<std::string>& texts, const Datatype& type,
                         const std::function<bool(const std::string&)>& fits) {
  const auto bad = std::ranges::find_if_not(texts, fits);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("'{}' is no {}", bad == texts.end() ? texts.front() : *bad, type_text(type)));
}

std::vector<std::int64_t> parse_enumerators(const std::vector<std::string>& texts, const Datatype& type) {
  const auto all = type.enumerators();
  std::vector<std::int64_t> values;
  for (const std::string& text : texts) {
    std::string name = text;
    if (type == Datatype::of<bool>())
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    const auto found = std::ranges::find(all, name, &Enumerator::name);
    if (found == all.end()) {
      std::string names;
      for (const Enumerator& one : all) names += (names.empty() ? "" : ", ") + one.name;
      throw Error(ErrorKind::invalid_argument, fmt::format("'{}' is none of {}", text, names));
    }
    values.push_back(found->value);
  }
  return values;
}

}  // namespace

template <class T>
void ParsedValues::set(std::vector<T> values) {
  values_ = std::move(values);
  memory_type_ = Datatype::memory<T>();
  stored_type_ = Datatype::of<T>();
}

ParsedValues::ParsedValues(const std::vector<std::string>& texts)
    : memory_type_(Datatype::memory<std::string>()), stored_type_(Datatype::of<std::string>()) {
  if (auto integers = parse_all<std::int64_t>(texts, parse_integer<std::int64_t>))
    set(std::move(*integers));
  else if (auto large = parse_all<std::uint64_t>(texts, parse_integer<std::uint64_t>))
    set(std::move(*large));
  else if (auto numbers = parse_all<double>(texts, parse_double))
    set(std::move(*numbers));
  else
    set(texts);
}

ParsedValues::ParsedValues(const std::vector<std::string>& texts, const Datatype& type)
    : memory_type_(type), stored_type_(type) {
  switch (type.type_class()) {
    case TypeClass::integer: {
      if (auto integers = parse_all<std::int64_t>(texts, parse_integer<std::int64_t>))
        set(std::move(*integers));
      else if (auto large = parse_all<std::uint64_t>(texts, parse_integer<std::uint64_t>))
        set(std::move(*large));
      else
        refuse(texts, type, [](const std::string& t) {
          return parse_integer<std::int64_t>(t) || parse_integer<std::uint64_t>(t);
        });
      break;
    }
    case TypeClass::floating_point: {
      auto numbers = parse_all<double>(texts, parse_double);
      if (!numbers) refuse(texts, type, [](const std::string& t) { return parse_double(t).has_value(); });
      set(std::move(*numbers));
      break;
    }
    case TypeClass::string:
      set(texts);
      break;
    case TypeClass::enumeration:
      set(parse_enumerators(texts, type));
      break;
    default:
      throw Error(ErrorKind::unsupported,
                  fmt::format("values of type {} cannot be written on the command line", type_text(type)));
  }
  stored_type_ = type;
}

const void* ParsedValues::data() const {
  return std::visit([](const auto& v) -> const void* { return v.data(); }, values_);
}

std::size_t ParsedValues::size() const {
  return std::visit([](const auto& v) { return v.size(); }, values_);
}

}  // namespace filigree::tools
