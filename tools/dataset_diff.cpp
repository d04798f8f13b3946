// SPDX-License-Identifier: Apache-2.0
#include "dataset_diff.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "boxes.hpp"

namespace filigree::tools {

namespace {

/// Compares two datasets of the same shape, box by box.
class DatasetDiff {
 public:
  DatasetDiff(const Dataset& a, const Dataset& b, Datatype type, const ElementComparison& elements,
              const ElementReport& report)
      : a_(a),
        b_(b),
        type_(std::move(type)),
        elements_(elements),
        report_(report),
        dims_(a.space().dims()),
        any_sparse_(a.dataset_info().sparse || b.dataset_info().sparse) {}

  void compare(const Selection& box) { any_sparse_ ? compare_defined(box) : compare_elements(box); }

  const PairResult& result() const { return result_; }

 private:
  /// Compares the elements that are defined in one of the datasets; all others are fill values.
  void compare_defined(const Selection& box) {
    const Selection in_a = a_.defined(box).within(dims_), in_b = b_.defined(box).within(dims_);
    if (report_.defined) {
      const std::uint64_t common = (in_a & in_b).elements();
      result_.only_in_a += in_a.elements() - common;
      result_.only_in_b += in_b.elements() - common;
    }
    compare_elements(in_a | in_b);
  }

  void compare_elements(const Selection& part) {
    const Elements in_a = read(a_, part), in_b = read(b_, part);
    if (ElementComparison::same_bytes_are_equal(type_) && in_a.size() > 0 &&
        std::memcmp(in_a.at(0), in_b.at(0), in_a.size() * type_.size()) == 0)
      return;
    std::string lines;
    std::vector<std::uint64_t> coordinates;
    for (std::size_t i = 0; i < in_a.size(); ++i) {
      if (elements_.equal(type_, in_a.at(i), in_b.at(i))) continue;
      ++result_.differences;
      if (!report_.put || (report_.most > 0 && result_.differences > report_.most)) continue;
      if (coordinates.empty() && !dims_.empty()) coordinates = part.within(dims_).coordinates();
      const auto first = coordinates.begin() + static_cast<std::ptrdiff_t>(i * dims_.size());
      lines += fmt::format("[ {} ]          {}               {}\n",
                           fmt::join(first, first + static_cast<std::ptrdiff_t>(dims_.size()), " "),
                           elements_.text_a(type_, in_a.at(i)), elements_.text_b(type_, in_b.at(i)));
    }
    if (!lines.empty()) report_.put(lines);
  }

  Elements read(const Dataset& data, const Selection& part) const {
    Elements found(type_);
    data.read_allocated(type_, part, {}, [&](std::size_t count) {
      return Dataset::ElementBuffer{found.resize(count), count};
    });
    return found;
  }

  const Dataset &a_, &b_;
  const Datatype type_;
  const ElementComparison& elements_;
  const ElementReport& report_;
  const std::vector<std::uint64_t> dims_;
  const bool any_sparse_;
  PairResult result_;
};

}  // namespace

PairResult not_comparable(std::string reason) {
  PairResult result;
  result.not_comparable = std::move(reason);
  return result;
}

PairResult compare_datasets(const Dataset& a, const Dataset& b, const ElementComparison& elements,
                            const ElementReport& report) {
  const Dataspace in_a = a.space(), in_b = b.space();
  if (in_a.dims() != in_b.dims() || in_a.kind() != in_b.kind())
    return not_comparable(fmt::format("the shapes are {} and {}", in_a.text(), in_b.text()));
  const auto type = common_type(a.datatype(), b.datatype());
  if (!type) return not_comparable("the datatypes cannot be compared");
  if (in_a.kind() == Dataspace::Kind::null) return {};
  DatasetDiff diff(a, b, *type, elements, report);
  for_each_box(a, b, [&](const Selection& box) { diff.compare(box); });
  return diff.result();
}

PairResult compare_attributes(const Attribute& a, const Attribute& b, const ElementComparison& elements) {
  if (a.space().dims() != b.space().dims() || a.space().kind() != b.space().kind())
    return not_comparable("the shapes differ");
  const auto type = common_type(a.datatype(), b.datatype());
  if (!type) return not_comparable("the datatypes cannot be compared");
  PairResult result;
  if (a.space().kind() == Dataspace::Kind::null) return result;
  Elements in_a(*type), in_b(*type);
  const std::uint64_t count = a.elements();
  a.read_elements(*type, in_a.resize(count), count);
  b.read_elements(*type, in_b.resize(count), count);
  for (std::size_t i = 0; i < count; ++i)
    if (!elements.equal(*type, in_a.at(i), in_b.at(i))) ++result.differences;
  return result;
}

}  // namespace filigree::tools
