// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <cstring>
#include <vector>

#include <filigree/error.hpp>
#include <filigree/sparse.hpp>

#include "boxes.hpp"

namespace filigree::tools {

namespace {

/// Defined elements of a part of a dataset, and their values.
struct Part {
  Selection defined;
  std::vector<std::byte> values;
};

/// Compares the datasets part by part.
class DefinedDiff {
 public:
  DefinedDiff(const Dataset& a, const Dataset& b, const ElementComparison& elements)
      : a_(a),
        b_(b),
        elements_(elements),
        by_bytes_(ElementComparison::same_bytes_are_equal(a.datatype())),
        type_(by_bytes_ ? a.datatype() : memory_type(a.datatype())) {}

  void compare(const Selection& box) {
    const Part in_a = read(a_, box), in_b = read(b_, box);
    if (in_a.values.size() == in_b.values.size() && in_a.defined == in_b.defined)
      return compare_values(in_a.values, in_b.values);
    const Selection common = in_a.defined & in_b.defined;
    const std::uint64_t shared = common.elements(a_.space().dims());
    found_.only_in_a += in_a.values.size() / type_.size() - shared;
    found_.only_in_b += in_b.values.size() / type_.size() - shared;
    if (shared > 0) compare_values(read(a_, common).values, read(b_, common).values);
  }

  const DefinedComparison& found() const { return found_; }

 private:
  Part read(const Dataset& data, const Selection& box) const {
    Part part;
    part.defined = data.read_defined_elements(type_, box, [&](std::size_t count) {
      part.values.resize(count * type_.size());
      return part.values.data();
    });
    return part;
  }

  /// Compares values at equal positions.
  void compare_values(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    const std::size_t size = type_.size();
    if (by_bytes_ && a == b) {
      found_.equal_elements += a.size() / size;
      return;
    }
    for (std::size_t at = 0; at < a.size(); at += size)
      ++(same(a.data() + at, b.data() + at) ? found_.equal_elements : found_.different);
  }

  bool same(const std::byte* a, const std::byte* b) const {
    return by_bytes_ ? std::memcmp(a, b, type_.size()) == 0 : elements_.equal(type_, a, b);
  }

  const Dataset &a_, &b_;
  const ElementComparison& elements_;
  const bool by_bytes_;
  const Datatype type_;
  DefinedComparison found_;
};

}  // namespace

DefinedComparison compare_defined(const Dataset& a, const Dataset& b, const ElementComparison& elements) {
  const Datatype type = a.datatype();
  if (!(type == b.datatype()) || a.space().dims() != b.space().dims())
    throw Error(ErrorKind::invalid_argument, "datasets of different types or shapes cannot be compared");
  if (type.has_variable_parts())
    throw Error(ErrorKind::invalid_argument, "values of variable length cannot be compared by their bytes");
  if (a.space().kind() == Dataspace::Kind::null) return {};
  DefinedDiff diff(a, b, elements);
  for_each_box(a, b, [&](const Selection& box) { diff.compare(box); });
  return diff.found();
}

}  // namespace filigree::tools
