// SPDX-License-Identifier: Apache-2.0
//
// The extent is cut into boxes, each of which is transferred in one step:
// 1. Boxes consist of whole chunks of the copy, so that each chunk is encoded once and bypasses the cache.
//    Storage without chunks is cut anywhere.
// 2. A box in which the source stores nothing is skipped, unless the choice of defined elements wants to see
//    it. This costs one query of the chunk index for each box, because the cut goes in halves.
// 3. A box that needs too much memory is halved along its first dimension of several chunks. So boxes are
//    bands of complete rows if possible; their elements are one run of offsets, and chunks of a sparse copy
//    are encoded in parallel.
// 4. Sparse to sparse: offsets and values of the defined elements. Otherwise all elements of the box are
// read;
//    those of a sparse copy are then chosen, and those of chunks that the source does not store are left out.
#include "api/element_copier.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <filigree/error.hpp>

#include "api/stored_parts.hpp"

namespace filigree::api {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
/// Of elements that are written by their offsets, which take memory, too.
constexpr std::uint64_t most_offsets = std::uint64_t{1} << 22;
/// Of variable length, as long as it is not known what they point to; and later.
constexpr std::uint64_t first_variable = std::uint64_t{1} << 12;
constexpr std::uint64_t most_variable = std::uint64_t{1} << 20;

/// Returns the size of what an element in native form points to.
std::uint64_t variable_bytes(const Datatype& type, const std::byte* element) {
  if (!type.has_variable_parts()) return 0;
  std::uint64_t bytes = 0;
  const auto add_all = [&](const Datatype& base, const std::byte* elements, std::size_t count) {
    if (!base.has_variable_parts()) return;
    for (std::size_t i = 0; i < count; ++i) bytes += variable_bytes(base, elements + i * base.size());
  };
  switch (type.type_class()) {
    case TypeClass::compound:
      for (const Member& member : type.members()) add_all(member.type, element + member.offset, 1);
      return bytes;
    case TypeClass::array:
      add_all(type.base(), element, type.size() / type.base().size());
      return bytes;
    case TypeClass::sequence: {
      struct {
        std::size_t length;
        const std::byte* elements;
      } sequence;
      std::memcpy(&sequence, element, sizeof(sequence));
      add_all(type.base(), sequence.elements, sequence.length);
      return bytes + sequence.length * type.base().size();
    }
    default: {
      const char* text = nullptr;
      std::memcpy(&text, element, sizeof(text));
      return text == nullptr ? 0 : std::strlen(text);
    }
  }
}

/// Elements in memory, whose variable-length data are freed in the end.
class ElementMemory {
 public:
  explicit ElementMemory(const Datatype& type) : type_(type), owns_(type.has_variable_parts()) {}
  ~ElementMemory() { clear(); }
  ElementMemory(const ElementMemory&) = delete;
  ElementMemory& operator=(const ElementMemory&) = delete;

  std::byte* resize(std::size_t count) {
    clear();
    const std::size_t bytes = count * type_.size();
    owns_ ? bytes_.assign(bytes, std::byte{0}) : bytes_.resize(bytes);
    count_ = count;
    return bytes_.data();
  }
  const std::byte* at(std::size_t i) const { return bytes_.data() + i * type_.size(); }
  std::size_t size() const { return count_; }

 private:
  void clear() {
    if (owns_ && count_ > 0) type_.release(bytes_.data(), count_);
    count_ = 0;
  }

  const Datatype type_;
  const bool owns_;
  std::vector<std::byte> bytes_;
  std::size_t count_ = 0;
};

class ElementCopier {
 public:
  ElementCopier(const Dataset& from, Dataset& to, const StorageChange& change)
      : from_(from),
        to_(to),
        change_(change),
        source_(from.dataset_info()),
        made_(to.dataset_info()),
        type_(from.datatype().has_variable_parts() ? from.datatype().native() : from.datatype()),
        extent_(from.space().dims()),
        unit_(has_chunks(made_) ? made_.chunk : Coordinates(extent_.size(), 1)),
        stored_(from),
        values_(type_) {}

  void run() {
    const Dataspace space = from_.space();
    if (space.kind() == Dataspace::Kind::null || space.elements() == 0) return;
    if (!may_choose_unwritten() && stored_.none()) return;
    copy(Box{Coordinates(extent_.size(), 0), extent_});
  }

 private:
  bool may_choose_unwritten() const {
    return made_.sparse && !source_.sparse && change_.choose_defined && change_.choose_unwritten;
  }

  bool fits(const Box& box) const {
    const bool variable = type_.has_variable_parts();
    if (source_.sparse && made_.sparse && !variable) {
      const std::uint64_t defined = from_.defined_count(box.selection());
      return defined <= most_offsets && product(defined, type_.size()) <= most_bytes;
    }
    const std::uint64_t elements = box.elements();
    if (elements > (variable ? variable_limit_ : made_.sparse ? most_offsets : elements)) return false;
    return product(elements, type_.size()) <= most_bytes;
  }

  /// Copies a box, or its halves.
  void copy(const Box& box) {
    if (!stored_.any(box) && !(may_choose_unwritten() && change_.choose_unwritten(box.selection()))) return;
    std::size_t d = 0;
    while (d < unit_.size() && box.count[d] <= unit_[d]) ++d;
    if (d == unit_.size() || fits(box)) return transfer(box);
    Box low = box, high = box;
    const std::uint64_t units = box.count[d] / unit_[d] + (box.count[d] % unit_[d] == 0 ? 0 : 1);
    low.count[d] = (units - units / 2) * unit_[d];
    high.start[d] += low.count[d];
    high.count[d] -= low.count[d];
    copy(low);
    copy(high);
  }

  void transfer(const Box& box) {
    if (!made_.sparse) return copy_all(stored_.within_chunks(box, has_chunks(made_) ? unit_ : Coordinates()));
    if (source_.sparse) return copy_defined(box);
    change_.choose_defined ? copy_chosen(box) : copy_all(stored_.elements(box));
  }

  void read(const Selection& part) {
    from_.read_allocated(type_, part, {}, [&](std::size_t count) {
      return Dataset::ElementBuffer{values_.resize(count), count};
    });
    learn_limit();
  }

  /// Adapts the number of elements of variable length to what the last ones point to. Boxes grow slowly,
  /// because others may be longer.
  void learn_limit() {
    if (!type_.has_variable_parts() || values_.size() == 0) return;
    constexpr std::size_t samples = 4096;
    const std::size_t step = values_.size() / samples + 1;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < values_.size(); i += step) bytes += variable_bytes(type_, values_.at(i));
    const std::uint64_t fitting = most_bytes / (type_.size() + bytes * step / values_.size());
    variable_limit_ = std::clamp<std::uint64_t>(fitting, 1, std::min(most_variable, 4 * variable_limit_));
  }

  void copy_all(const Selection& part) {
    if (part.kind() == Selection::Kind::set && part.elements() == 0) return;
    read(part);
    to_.write_elements(type_, values_.at(0), values_.size(), part);
  }

  void copy_defined(const Box& box) {
    const std::size_t count = from_.read_defined_offsets(type_, box.selection(), [&](std::size_t most) {
      offsets_.resize(most);
      return Dataset::OffsetBuffer{offsets_.data(), values_.resize(most)};
    });
    offsets_.resize(count);
    learn_limit();
    if (count > 0) to_.write_offsets(type_, values_.at(0), offsets_, covered(box));
  }

  void copy_chosen(const Box& box) {
    read(box.selection());
    const std::vector<Selection::Run> runs =
        change_.choose_defined({box.start, box.count, type_, values_.at(0), values_.size()});
    offsets_.clear();
    chosen_.clear();
    std::uint64_t end = 0;
    for (const Selection::Run& run : runs) {
      if (run.start < end || run.start > values_.size() || run.length > values_.size() - run.start)
        throw Error(ErrorKind::invalid_argument, "the chosen runs overlap, or leave the box");
      end = run.start + run.length;
      chosen_.insert(chosen_.end(), values_.at(run.start), values_.at(end));
      add_offsets(box, run);
    }
    if (!offsets_.empty()) to_.write_offsets(type_, chosen_.data(), offsets_, covered(box));
  }

  /// Appends the offsets of elements of a box in the extent.
  void add_offsets(const Box& box, Selection::Run run) {
    const std::uint64_t row = box.count.empty() ? 1 : box.count.back();
    while (run.length > 0) {
      const std::uint64_t column = run.start % row, length = std::min(run.length, row - column);
      const std::uint64_t first = row_offset(box, run.start / row) + column;
      for (std::uint64_t i = 0; i < length; ++i) offsets_.push_back(first + i);
      run.start += length;
      run.length -= length;
    }
  }

  /// Returns the offset of the first element of a row of the box.
  std::uint64_t row_offset(const Box& box, std::uint64_t row) const {
    std::uint64_t offset = 0, step = 1;
    for (std::size_t d = extent_.size(); d-- > 0; step *= extent_[d]) {
      const bool is_last = d + 1 == extent_.size();
      offset += step * (box.start[d] + (is_last ? 0 : row % box.count[d]));
      if (!is_last) row /= box.count[d];
    }
    return offset;
  }

  /// Returns the run of offsets that a band of complete rows is; nothing for other boxes.
  Selection::Run covered(const Box& box) const {
    std::uint64_t row = 1;
    for (std::size_t d = 1; d < extent_.size(); ++d) {
      if (box.count[d] != extent_[d]) return {0, 0};
      row *= extent_[d];
    }
    return {box.start[0] * row, box.count[0] * row};
  }

  const Dataset& from_;
  Dataset& to_;
  const StorageChange& change_;
  const DatasetInfo source_, made_;
  const Datatype type_;  ///< of elements in memory
  const Coordinates extent_;
  const Coordinates unit_;  ///< what is not divided
  const StoredParts stored_;
  std::uint64_t variable_limit_ = first_variable;
  ElementMemory values_;
  std::vector<std::byte> chosen_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace

void copy_elements(const Dataset& from, Dataset& to, const StorageChange& change) {
  ElementCopier(from, to, change).run();
}

}  // namespace filigree::api
