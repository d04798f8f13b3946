// SPDX-License-Identifier: Apache-2.0
#include "repack_defined.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "boxes.hpp"
#include "text.hpp"
#include "type_text.hpp"
#include "value_text.hpp"
#include "values.hpp"

namespace filigree::tools {

namespace {

using Runs = std::vector<Selection::Run>;

/// Returns the runs of ordinals for which `is_chosen(i)` is true.
template <class IsChosen>
Runs runs_where(std::size_t elements, IsChosen is_chosen) {
  Runs runs;
  for (std::size_t i = 0; i < elements;) {
    while (i < elements && !is_chosen(i)) ++i;
    const std::size_t first = i;
    while (i < elements && is_chosen(i)) ++i;
    if (i > first) runs.push_back({first, i - first});
  }
  return runs;
}

template <class Word>
Runs runs_of_words(const DenseBox& box, const std::byte* value) {
  Word excluded{};
  std::memcpy(&excluded, value, sizeof(Word));
  return runs_where(box.elements, [&](std::size_t i) {
    Word word{};
    std::memcpy(&word, box.values + i * sizeof(Word), sizeof(Word));
    return word != excluded;
  });
}

Runs runs_of_bytes(const DenseBox& box, const std::byte* value) {
  switch (const std::size_t size = box.type.size()) {
    case 1:
      return runs_of_words<std::uint8_t>(box, value);
    case 2:
      return runs_of_words<std::uint16_t>(box, value);
    case 4:
      return runs_of_words<std::uint32_t>(box, value);
    case 8:
      return runs_of_words<std::uint64_t>(box, value);
    default:
      return runs_where(box.elements,
                        [&](std::size_t i) { return std::memcmp(box.values + i * size, value, size) != 0; });
  }
}

/// Whether two elements have the same bits, also in what they point to.
bool same_bits(const Datatype& type, const std::byte* a, const std::byte* b) {
  if (!type.has_variable_parts()) return std::memcmp(a, b, type.size()) == 0;
  switch (type.type_class()) {
    case TypeClass::compound:
      return std::ranges::all_of(type.members(), [&](const Member& member) {
        return same_bits(member.type, a + member.offset, b + member.offset);
      });
    case TypeClass::array: {
      const Datatype base = type.base();
      for (std::size_t at = 0; at < type.size(); at += base.size())
        if (!same_bits(base, a + at, b + at)) return false;
      return true;
    }
    case TypeClass::sequence: {
      const NativeSequence x = sequence_of(a), y = sequence_of(b);
      const Datatype base = type.base();
      for (std::size_t i = 0; x.length == y.length && i < x.length; ++i)
        if (!same_bits(base, x.elements + i * base.size(), y.elements + i * base.size())) return false;
      return x.length == y.length;
    }
    default:
      return string_of(type, a) == string_of(type, b);
  }
}

Datatype transfer_type(const Datatype& stored) {
  return stored.has_variable_parts() ? stored.native() : stored;
}

/// Whether the element of a dataset is the number that was parsed.
bool same_number(const Dataset& element, const ParsedValues& value) {
  std::uint64_t found = 0;
  element.read_elements(value.memory_type(), &found, 1);
  return std::memcmp(&found, value.data(), sizeof(found)) == 0;
}

Dataset make_element(const Datatype& type, const Datatype& memory_type, const void* value) {
  Dataset element = File::create_in_memory().root().create_dataset("x", type, Dataspace::scalar());
  element.write_elements(memory_type, value, 1);
  return element;
}

/// Stores the value that a user has chosen in a dataset in memory.
/// Throws: Error(invalid_argument) if the type does not have the value: otherwise another one would be meant.
Dataset make_element(const Datatype& stored, const std::string& text) {
  const ParsedValues value({text}, stored);
  // The way over the native type gives NaNs the bits that processors give them.
  const Dataset native = make_element(memory_type(stored), value.memory_type(), value.data());
  Elements element(native, {});
  Dataset made = make_element(stored, element.type(), element.at(0));
  if (stored.type_class() == TypeClass::floating_point) return made;
  const bool is_same =
      stored.type_class() == TypeClass::string ? made.read<std::string>() == text : same_number(made, value);
  if (!is_same)
    throw Error(ErrorKind::invalid_argument, fmt::format("'{}' is no {}", text, type_text(stored)));
  return made;
}

std::vector<std::int64_t> negated(const std::vector<std::uint64_t>& start) {
  std::vector<std::int64_t> offset;
  for (const std::uint64_t at : start) offset.push_back(-static_cast<std::int64_t>(at));
  return offset;
}

}  // namespace

OtherThanValue::OtherThanValue(const Dataset& data, const std::optional<std::string>& excluded)
    : excluded_(excluded), type_(transfer_type(data.datatype())), value_(type_.size()) {
  // Elements of a dataset without a fill value have any value before they are written. The copy has zeros.
  const bool has_fill = data.dataset_info().fill != Fill::State::undefined;
  if (excluded)
    make_element(data.datatype(), *excluded).read_elements(type_, value_.data(), 1);
  else if (has_fill)
    fill_element(data).read_elements(type_, value_.data(), 1);
  if (!excluded) return;
  std::vector<std::byte> unwritten(type_.size());
  if (has_fill) fill_element(data).read_elements(type_, unwritten.data(), 1);
  excludes_other_ = !same_bits(type_, value_.data(), unwritten.data());
  if (type_.has_variable_parts()) type_.release(unwritten.data(), 1);
}

OtherThanValue::~OtherThanValue() {
  if (type_.has_variable_parts()) type_.release(value_.data(), 1);
}

Runs OtherThanValue::choose(const DenseBox& box) const {
  if (!type_.has_variable_parts()) return runs_of_bytes(box, value_.data());
  return runs_where(box.elements, [&](std::size_t i) {
    return !same_bits(type_, box.values + i * type_.size(), value_.data());
  });
}

std::optional<Fill> OtherThanValue::fill() const {
  if (!excludes_other_) return std::nullopt;
  return Fill::of(type_, value_.data());
}

std::string OtherThanValue::value_text() const {
  return excluded_ ? printable(*excluded_) : "the fill value";
}

WithinBoxes::WithinBoxes(const Dataset& data, const std::vector<Selection::Box>& boxes)
    : boxes_(boxes), selection_(Selection::of_boxes(data.space().dims(), boxes)) {}

Runs WithinBoxes::choose(const DenseBox& box) const {
  const Selection part = selection_ & Selection::box(box.start, box.count).within(*selection_.extent());
  if (part.elements() == 0) return {};
  return part.moved(negated(box.start)).within(box.count).runs();
}

bool WithinBoxes::may_choose_unwritten(const Selection& box) const {
  const Selection::Box part = *box.bounds();
  return std::ranges::any_of(boxes_, [&](const Selection::Box& one) {
    return std::ranges::equal(one.low, part.high, std::less_equal<>()) &&
           std::ranges::equal(part.low, one.high, std::less_equal<>());
  });
}

WithinMask::WithinMask(const Dataset& data, const Dataset& mask) : mask_(mask), type_(mask.datatype()) {
  if (mask.space().dims() != data.space().dims())
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the mask '{}' has other dimensions: {}", mask.path(), mask.space().text()));
  const TypeClass kind = type_.type_class();
  if (kind != TypeClass::integer && kind != TypeClass::enumeration && kind != TypeClass::bitfield)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the mask '{}' has elements that are neither integers nor bits", mask.path()));
  const DatasetInfo info = mask.dataset_info();
  is_zero_elsewhere_ = info.layout == Layout::chunked && info.fill == Fill::State::standard;
}

bool WithinMask::may_choose_unwritten(const Selection& box) const {
  return !is_zero_elsewhere_ || !mask_.for_each_chunk([](const ChunkInfo&) { return false; }, box);
}

Runs WithinMask::choose(const DenseBox& box) const {
  std::vector<std::byte> mask(box.elements * type_.size());
  mask_.read_elements(type_, mask.data(), box.elements, Selection::box(box.start, box.count));
  const std::vector<std::byte> zero(type_.size());
  return runs_of_bytes({box.start, box.count, type_, mask.data(), box.elements}, zero.data());
}

std::string WithinMask::text() const {
  return fmt::format("the elements that the mask '{}' names", printable(mask_.path()));
}

namespace {

/// Ends a count early.
struct Enough {};

/// Elements in memory, whose variable-length data are freed in the end.
struct HeldElements {
  explicit HeldElements(const Datatype& of) : type(of) {}
  HeldElements(const HeldElements&) = delete;
  HeldElements& operator=(const HeldElements&) = delete;
  ~HeldElements() {
    if (type.has_variable_parts()) type.release(bytes.data(), bytes.size() / type.size());
  }
  const Datatype& type;
  std::vector<std::byte> bytes;
};

/// Counts the elements of a box that a policy chooses.
std::uint64_t count_chosen(const Dataset& data, const DefinedPolicy& policy, const Datatype& type,
                           const Selection& box) {
  const Selection::Box bounds = *box.bounds();
  std::vector<std::uint64_t> count(bounds.low.size());
  std::ranges::transform(bounds.low, bounds.high, count.begin(),
                         [](auto low, auto high) { return high - low + 1; });
  HeldElements held(type);
  data.read_allocated(type, box, {}, [&](std::size_t elements) {
    held.bytes.resize(elements * type.size());
    return Dataset::ElementBuffer{held.bytes.data(), elements};
  });
  std::uint64_t chosen = 0;
  for (const Selection::Run& run :
       policy.choose({bounds.low, count, type, held.bytes.data(), held.bytes.size() / type.size()}))
    chosen += run.length;
  return chosen;
}

}  // namespace

Density measure_density(const Dataset& data, const OtherThanValue& policy) {
  const Datatype type = transfer_type(data.datatype());
  Density found{0, data.space().elements(), true};
  const double enough = most_sparse_share * static_cast<double>(found.elements);
  std::uint64_t written = 0;
  try {
    for_each_box(data, data, [&](const Selection& box) {
      found.chosen += count_chosen(data, policy, type, box);
      written += box.elements();
      if (static_cast<double>(found.chosen) > enough) throw Enough();
    });
  } catch (const Enough&) {
    found.complete = false;
    return found;
  }
  if (policy.excludes_other()) found.chosen += found.elements - written;
  return found;
}

}  // namespace filigree::tools
