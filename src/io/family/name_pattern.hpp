// SPDX-License-Identifier: Apache-2.0
//
// Names of member files: a printf pattern with one number, as stock's family driver takes it, or "%s" for the
// name of the set, as its multi driver does.
#pragma once

#include <cstdint>
#include <string>

namespace filigree::io {

/// "name-%05d.h5" and the like: one conversion of a number (d i u o x X, with flags and width), "%%" for '%'.
class NumberedName {
 public:
  /// Throws Error(invalid_argument) for a pattern without a number, or with anything else in it.
  explicit NumberedName(std::string pattern);
  std::string operator()(std::uint64_t number) const;
  const std::string& pattern() const { return pattern_; }

 private:
  std::string pattern_;
  std::string before_, after_;
  bool left_ = false, zeros_ = false, plus_ = false, blank_ = false, alternate_ = false;
  std::size_t width_ = 0;
  char conversion_ = 'd';
};

/// `name_template` with `base` for its "%s". A template without "%s" is a name of its own, in the folder of
/// `base`. The template may come from a file: Error(corrupt) when it names a folder or tries other
/// conversions.
std::string member_name(const std::string& name_template, const std::string& base);

}  // namespace filigree::io
