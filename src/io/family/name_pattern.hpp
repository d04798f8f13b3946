// SPDX-License-Identifier: Apache-2.0
//
// Names of member files: a printf pattern with one number, as HDF5's family driver has it, or "%s" for the
// name of the set, as its multi driver has it.
#pragma once

#include <cstdint>
#include <string>

namespace filigree::io {

/// A pattern such as "name-%05d.h5": one conversion of a number (d i u o x X, with flags and width), and "%%"
/// for '%'.
class NumberedName {
 public:
  /// *Throws*: Error(invalid_argument) for a pattern without a number, or with another conversion.
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

/// Replaces "%s" in `name_template` by `base`. A template without "%s" is a name in the folder of `base`.
/// *Throws*: Error(corrupt) if the template, which may come from a file, names a folder or has other
/// conversions.
std::string member_name(const std::string& name_template, const std::string& base);

}  // namespace filigree::io
