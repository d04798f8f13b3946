// SPDX-License-Identifier: Apache-2.0
//
// Datasets of structured chunks beside a flat array with a mask: whatever is done to both, both agree.
#include <numeric>
#include <optional>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using rc::gen::inRange;

std::uint64_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::uint64_t{1}, std::multiplies<>());
}

template <class T>
T value_of(unsigned n) {
  if constexpr (std::is_same_v<T, std::string>)
    return n % 4 == 0 ? std::string() : std::string(n % 9, 'v') + std::to_string(n);
  else
    return static_cast<T>(n);
}

/// What the dataset should hold.
template <class T>
struct Array {
  Dims dims;
  T fill{};
  std::vector<std::optional<T>> elements;

  void resize(const Dims& now) {
    std::vector<std::optional<T>> kept(product(now));
    for (std::uint64_t i = 0; i < kept.size(); ++i) {
      std::uint64_t rest = i, old = 0, step = 1;
      bool inside = true;
      for (std::size_t d = now.size(); d-- > 0; rest /= now[d], step *= dims[d]) {
        inside = inside && rest % now[d] < dims[d];
        old += step * (rest % now[d]);
      }
      if (inside) kept[i] = elements[old];
    }
    dims = now;
    elements = std::move(kept);
  }
  std::vector<T> values(const std::vector<std::uint64_t>& offsets) const {
    std::vector<T> all;
    for (const std::uint64_t at : offsets) all.push_back(elements[at].value_or(fill));
    return all;
  }
  Selection defined() const {
    std::vector<std::uint8_t> mask;
    for (const auto& e : elements) mask.push_back(e.has_value());
    return Selection::of_mask(dims, mask);
  }
};

/// How a dataset is stored. Generated once, and shrunk towards one dimension without filters.
struct Shape {
  Dims dims, most, chunk;
  bool sparse = true;
  DatasetOptions options;
  std::optional<ChunkCacheOptions> cache;
};

std::vector<FilterChoice> some_filters(bool selection) {
  using List = std::vector<FilterChoice>;
  List more{filters::shuffle(), filters::deflate(1)};
  if (selection) return *rc::gen::element(List{}, List{filters::packed_selection()}, more);
  return *rc::gen::element(List{}, List{filters::fletcher32()}, more, List{filters::zstd(1)});
}

/// Which dimensions may grow decides which index there is.
enum class Index { single, fixed_array, extensible_array, tree };

Shape gen_shape(bool variable, bool portable) {
  Shape shape;
  const auto rank = *inRange<std::size_t>(1, 5);
  const auto index =
      *rc::gen::element(Index::single, Index::fixed_array, Index::extensible_array, Index::tree);
  const std::uint64_t longest = rank == 1 ? 40 : rank == 2 ? 10 : rank == 3 ? 6 : 4;
  const auto growing = index == Index::extensible_array ? *inRange<std::size_t>(0, rank) : rank;
  for (std::size_t d = 0; d < rank; ++d) {
    shape.dims.push_back(*inRange<std::uint64_t>(1, longest + 1));
    shape.chunk.push_back(index == Index::single ? shape.dims[d]
                                                 : *inRange<std::uint64_t>(1, longest / 2 + 2));
    const bool grows = index == Index::tree || d == growing;
    shape.most.push_back(grows                    ? unlimited
                         : index == Index::single ? shape.dims[d]
                                                  : std::max(shape.dims[d], shape.chunk[d]) + *inRange(0, 3));
  }
  shape.sparse = !variable || *inRange(0, 4) > 0;
  shape.options.chunk = shape.chunk;
  shape.options.sparse = shape.sparse;
  shape.options.heap_in_chunks = variable;
  shape.options.filters = some_filters(false);
  if (shape.sparse) shape.options.selection_filters = some_filters(true);
  if (variable) shape.options.heap_filters = some_filters(false);
  shape.options.portable = portable;
  shape.options.filter_partial_chunks = portable || *inRange(0, 3) > 0;
  switch (*inRange(0, 4)) {
    case 1:
      shape.cache = ChunkCacheOptions{.chunks = 0, .bytes = 0, .preemption = {}};
      break;
    case 2:
      shape.cache = ChunkCacheOptions{.chunks = 1, .bytes = {}, .preemption = {}};
      break;
    case 3:
      shape.cache = ChunkCacheOptions{.chunks = {}, .bytes = 300, .preemption = {}};
      break;
    default:
      break;
  }
  return shape;
}

/// Two datasets of one shape, so that chunks can go from one to the other as they are.
template <class T>
class Twins {
 public:
  Twins(Shape shape, const std::string& path) : shape_(std::move(shape)), path_(path) {
    file_ = File::create(path, CreateMode::truncate);
    const T fill = *inRange(0, 2) == 0 ? T{} : value_of<T>(77);
    shape_.options.fill = Fill::of(Datatype::memory<T>(), &fill);
    for (const char* name : {"a", "b"}) {
      data_.push_back(
          file_->root().create_dataset<T>(name, Dataspace::simple(shape_.dims, shape_.most), shape_.options));
      arrays_.push_back({shape_.dims, fill, std::vector<std::optional<T>>(product(shape_.dims))});
      data_.back().set_chunk_cache(shape_.cache);
    }
  }

  void step() {
    const auto which = *inRange<std::size_t>(0, 2);
    switch (*inRange(0, 8)) {
      case 0:
        return resize();
      case 1:
        return shape_.sparse ? erase(which) : write(which);
      case 2:
        return move_chunk(which);
      case 3:
        return file_->flush();
      case 4:
        return reopen();
      default:
        return write(which);
    }
  }

  void check() {
    const auto which = *inRange<std::size_t>(0, 2);
    const Selection part = some();
    RC_ASSERT(data_[which].template read<std::vector<T>>(part) == arrays_[which].values(part.offsets()));
    for (std::size_t i = 0; i < 2; ++i) {
      RC_ASSERT(data_[i].template read<std::vector<T>>() ==
                arrays_[i].values(Selection::all().within(arrays_[i].dims).offsets()));
      if (shape_.sparse) RC_ASSERT(data_[i].defined() == arrays_[i].defined());
    }
    if (!shape_.sparse) return;
    const auto found = read_defined<T>(data_[which], part);
    RC_ASSERT(found.values == arrays_[which].values(found.elements.offsets()));
    for (const Selection& wanted : {part, Selection::all()}) {
      const auto listed = read_defined_offsets<T>(data_[which], wanted);
      RC_ASSERT(listed.offsets == data_[which].defined(wanted).offsets());
      RC_ASSERT(listed.values == arrays_[which].values(listed.offsets));
    }
    RC_ASSERT(data_[which].chunk_count() == chunks_with_elements(arrays_[which]));
  }

 private:
  Selection some() const {
    const Dims& dims = arrays_[0].dims;
    if (*inRange(0, 3) == 0) {
      const auto mask =
          *rc::gen::container<std::vector<std::uint8_t>>(product(dims), inRange<std::uint8_t>(0, 2));
      return Selection::of_mask(dims, mask);
    }
    Dims start, count;
    for (const std::uint64_t n : dims) {
      start.push_back(*inRange<std::uint64_t>(0, n));
      count.push_back(*inRange<std::uint64_t>(1, n - start.back() + 1));
    }
    return Selection::box(start, count).within(dims);
  }

  void write(std::size_t which) {
    const Selection part = some();
    std::vector<T> values;
    for (std::uint64_t i = 0; i < part.elements(); ++i) values.push_back(value_of<T>(next_++));
    if (values.empty()) return;
    const auto offsets = part.offsets();
    if (*inRange(0, 2) == 0) {
      data_[which].write(values, part);
    } else {
      const auto from = *inRange<std::uint64_t>(0, product(arrays_[0].dims));
      const auto count = *inRange<std::uint64_t>(0, product(arrays_[0].dims) - from + 1);
      write_offsets<T>(data_[which], offsets, values, {from, count});
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) arrays_[which].elements[offsets[i]] = values[i];
  }

  void erase(std::size_t which) {
    const Selection part = some();
    data_[which].erase(part);
    for (const std::uint64_t at : part.offsets()) arrays_[which].elements[at].reset();
  }

  void resize() {
    Dims dims;
    for (std::size_t d = 0; d < shape_.dims.size(); ++d)
      dims.push_back(std::min(*inRange<std::uint64_t>(1, shape_.dims[d] + 4), shape_.most[d]));
    for (std::size_t i = 0; i < 2; ++i) {
      data_[i].resize(dims);
      arrays_[i].resize(dims);
    }
  }

  void reopen() {
    data_.clear();
    file_->close();
    file_ = File::open(path_, OpenMode::read_write);
    for (const char* name : {"a", "b"}) {
      data_.push_back(file_->root().open_dataset(name));
      data_.back().set_chunk_cache(shape_.cache);
    }
  }

  /// A chunk of the other one, by its sections or as it is stored.
  void move_chunk(std::size_t which) {
    const std::uint64_t chunks = data_[1 - which].chunk_count();
    if (chunks == 0) return;
    const ChunkInfo info = data_[1 - which].nth_chunk(*inRange<std::uint64_t>(0, chunks));
    if (shape_.options.portable) {
      const RawChunk raw = data_[1 - which].read_chunk(info.offset);
      data_[which].write_chunk(info.offset, raw.bytes, raw.filter_mask);
    } else {
      data_[which].write_structured_chunk(info.offset, data_[1 - which].read_structured_chunk(info.offset));
    }
    Dims count;
    for (std::size_t d = 0; d < shape_.chunk.size(); ++d)
      count.push_back(std::min(shape_.chunk[d], arrays_[0].dims[d] - info.offset[d]));
    for (const std::uint64_t at : Selection::box(info.offset, count).within(arrays_[0].dims).offsets())
      arrays_[which].elements[at] = arrays_[1 - which].elements[at];
  }

  std::uint64_t chunks_with_elements(const Array<T>& array) const {
    std::set<Dims> chunks;
    const std::size_t rank = array.dims.size();
    const auto coordinates = array.defined().coordinates();
    for (std::size_t i = 0; i < coordinates.size(); i += rank) {
      Dims at;
      for (std::size_t d = 0; d < rank; ++d) at.push_back(coordinates[i + d] / shape_.chunk[d]);
      chunks.insert(at);
    }
    return chunks.size();
  }

  Shape shape_;
  std::string path_;
  std::optional<File> file_;
  std::vector<Dataset> data_;
  std::vector<Array<T>> arrays_;
  unsigned next_ = 1;
};

template <class T>
void run(bool variable, bool portable = false) {
  const Scratch scratch;
  Twins<T> twins(gen_shape(variable, portable), scratch / "f.h5");
  for (auto steps = *inRange(1, 12); steps > 0; --steps) {
    twins.step();
    twins.check();
  }
}

RC_GTEST_PROP(StructuredModel, NumbersAreAnArrayWithAMask, ()) { run<int>(false); }
RC_GTEST_PROP(StructuredModel, PortableNumbersAreAnArrayWithAMask, ()) { run<int>(false, true); }
RC_GTEST_PROP(StructuredModel, SmallNumbersAreAnArrayWithAMask, ()) { run<std::uint8_t>(false); }
RC_GTEST_PROP(StructuredModel, TextsAreAnArrayWithAMask, ()) { run<std::string>(true); }

}  // namespace
}  // namespace filigree
