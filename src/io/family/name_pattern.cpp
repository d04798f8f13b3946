// SPDX-License-Identifier: Apache-2.0
#include "io/family/name_pattern.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {
namespace {

constexpr std::size_t widest_number = 64;

[[noreturn]] void refuse(const std::string& pattern, std::string_view why) {
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the name pattern '{}' of a family of files {}", pattern, why));
}

}  // namespace

NumberedName::NumberedName(std::string pattern) : pattern_(std::move(pattern)) {
  bool found = false;
  for (std::size_t i = 0; i < pattern_.size();) {
    std::string& text = found ? after_ : before_;
    if (pattern_[i] != '%' || pattern_.compare(i, 2, "%%") == 0) {
      text += pattern_[i];
      i += pattern_[i] == '%' ? 2 : 1;
      continue;
    }
    if (found) refuse(pattern_, "has more than one number");
    found = true;
    const auto flag = [&](char c) -> bool* {
      switch (c) {
        case '-':
          return &left_;
        case '0':
          return &zeros_;
        case '+':
          return &plus_;
        case ' ':
          return &blank_;
        case '#':
          return &alternate_;
        default:
          return nullptr;
      }
    };
    const auto at = [&](std::size_t k) { return k < pattern_.size() ? pattern_[k] : '\0'; };
    for (++i; bool* const set = flag(at(i)); ++i) *set = true;
    for (; at(i) >= '0' && at(i) <= '9' && width_ <= widest_number; ++i)
      width_ = width_ * 10 + static_cast<std::size_t>(at(i) - '0');
    if (width_ > widest_number) refuse(pattern_, "asks for a number that is too wide");
    while (at(i) == 'l' || at(i) == 'h' || at(i) == 'j' || at(i) == 'z') ++i;
    conversion_ = at(i++);
    if (conversion_ == '\0' || std::string_view("diuoxX").find(conversion_) == std::string_view::npos)
      refuse(pattern_, "has a conversion that is none of d i u o x X");
  }
  if (!found) refuse(pattern_, "has no number, as in 'name-%05d.h5'");
}

std::string NumberedName::operator()(std::uint64_t number) const {
  const bool is_signed = conversion_ == 'd' || conversion_ == 'i';
  std::string digits, prefix;
  switch (conversion_) {
    case 'o':
      digits = fmt::format("{:o}", number);
      break;
    case 'x':
      digits = fmt::format("{:x}", number);
      break;
    case 'X':
      digits = fmt::format("{:X}", number);
      break;
    default:
      digits = fmt::format("{}", number);
      break;
  }
  if (is_signed && plus_)
    prefix = "+";
  else if (is_signed && blank_)
    prefix = " ";
  if (alternate_ && number != 0)
    prefix = conversion_ == 'o' ? "0" : conversion_ == 'x' ? "0x" : conversion_ == 'X' ? "0X" : prefix;
  const std::size_t length = prefix.size() + digits.size();
  const std::size_t padding = width_ > length ? width_ - length : 0;
  if (left_) return before_ + prefix + digits + std::string(padding, ' ') + after_;
  if (zeros_) return before_ + prefix + std::string(padding, '0') + digits + after_;
  return before_ + std::string(padding, ' ') + prefix + digits + after_;
}

std::string member_name(const std::string& name_template, const std::string& base) {
  const auto refuse_template = [&](std::string_view why) {
    throw Error(ErrorKind::corrupt,
                fmt::format("the name '{}' of a member of '{}' {}", name_template, base, why));
  };
  if (name_template.empty() || name_template.find('\0') != std::string::npos) refuse_template("is no name");
  if (name_template.find('/') != std::string::npos) refuse_template("leads to another folder");
  std::string result;
  bool has_base = false;
  for (std::size_t i = 0; i < name_template.size(); ++i) {
    if (name_template[i] != '%') {
      result += name_template[i];
    } else if (name_template.compare(i, 2, "%%") == 0) {
      result += '%', ++i;
    } else if (name_template.compare(i, 2, "%s") == 0 && !has_base) {
      result += base, ++i;
      has_base = true;
    } else {
      refuse_template("has a '%' that is not followed by one 's'");
    }
  }
  if (has_base) return result;
  if (result == "." || result == "..") refuse_template("is no name");
  const std::size_t slash = base.rfind('/');
  return slash == std::string::npos ? result : base.substr(0, slash + 1) + result;
}

}  // namespace filigree::io
