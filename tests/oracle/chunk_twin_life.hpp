// SPDX-License-Identifier: Apache-2.0
//
// Random operations on a chunked dataset, as a script that Filigree and HDF5 both apply, one step per line.
// Lists are separated by commas; u means unlimited, - means none:
//
//   create earliest|latest TYPE DIMS MAX CHUNK FILTERS FILL ALLOCATION
//   open as it was created
//   reopen
//   flush
//   blocks START STRIDE COUNT BLOCK FIRST    (element i of the selection gets FIRST + i, modulo 251 or 127)
//   points COORDINATES FIRST
//   resize DIMS
//   chunk OFFSET MASK BYTES                  (a raw chunk; hexadecimal digits)
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace oracle {

using Numbers = std::vector<std::uint64_t>;
inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

inline std::string text(const Numbers& numbers) {
  std::string line;
  for (const std::uint64_t n : numbers)
    line += (line.empty() ? "" : ",") + (n == no_limit ? "u" : std::to_string(n));
  return line.empty() ? "-" : line;
}

/// Random numbers from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t salt) : state_(salt) {}
  /// A number from 0 to `end` - 1.
  std::uint64_t below(std::uint64_t end) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % end;
  }
  std::uint64_t from(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }

 private:
  std::uint64_t state_;
};

enum class Index { single, implicit, fixed_array, extensible_array, tree2, tree1 };
inline constexpr const char* index_names[] = {"single",           "implicit", "fixed array",
                                              "extensible array", "tree 2",   "tree 1"};
inline const std::vector<std::string> chains = {
    "-",   "deflate", "shuffle,deflate", "fletcher32",
    "lzf", "nbit",    "scale",           "nbit,shuffle,deflate,fletcher32"};
inline const std::vector<std::string> types = {"i4", "i2", "i8", "u2", "i1", "i4:12"};

/// The creation properties of a dataset. HDF5's rules choose the chunk index.
struct Definition {
  Index index = Index::tree1;
  std::string type, filters;
  Numbers dims, most, chunk;
  std::optional<std::uint64_t> fill;
  std::string allocation = "incremental";

  std::string bounds() const { return index == Index::tree1 ? "earliest" : "latest"; }
  std::string line() const {
    return type + ' ' + text(dims) + ' ' + text(most) + ' ' + text(chunk) + ' ' + filters + ' ' +
           (fill ? std::to_string(*fill) : "-") + ' ' + allocation;
  }
  std::uint64_t values() const { return type == "i1" ? 127 : 251; }
};

inline void choose_shape(Definition& made, Dice& dice) {
  const std::size_t rank = made.index == Index::tree2 ? dice.from(2, 3) : dice.from(1, 3);
  const std::uint64_t longest = rank == 1 ? 90 : rank == 2 ? 16 : 6;
  for (std::size_t d = 0; d < rank; ++d) {
    made.dims.push_back(dice.from(1, longest));
    made.chunk.push_back(dice.from(1, std::max<std::uint64_t>(1, longest / 3)));
    made.most.push_back(made.dims[d] + dice.below(longest / 2 + 1));
  }
  const std::size_t first = dice.below(rank);
  switch (made.index) {
    case Index::single:
      made.chunk = made.most;
      break;
    case Index::extensible_array:
      made.most[first] = no_limit;
      break;
    case Index::tree2:
      made.most[first] = made.most[(first + 1) % rank] = no_limit;
      break;
    case Index::tree1:
      for (auto& n : made.most) n = dice.below(2) == 0 ? no_limit : n;
      break;
    case Index::implicit:
    case Index::fixed_array:
      // One chunk would not need an array.
      made.chunk[first] = std::min(made.chunk[first], made.most[first] = made.most[first] + 1);
      if (made.chunk[first] == made.most[first]) made.chunk[first] = 1;
      break;
  }
  for (std::size_t d = 0; d < rank; ++d) made.chunk[d] = std::min(made.chunk[d], made.most[d]);
}

inline Definition define(Index index, std::size_t chain, std::uint64_t salt) {
  Dice dice(salt);
  Definition made;
  made.index = index;
  made.filters = index == Index::implicit ? "-" : chains[chain];
  made.type = types[dice.below(types.size())];
  if (dice.below(3) == 0) made.fill = 7;
  static constexpr const char* times[] = {"incremental", "incremental", "incremental", "late", "early"};
  made.allocation = index == Index::implicit
                        ? "early"
                        : times[dice.below(index == Index::fixed_array && made.filters == "-" ? 4 : 5)];
  choose_shape(made, dice);
  return made;
}

enum class Act { box, strided, points, resize, chunk, flush, reopen };
struct Step {
  Act act = Act::flush;
  std::uint64_t salt = 0;
};

/// Generates steps and keeps track of the extent.
class Life {
 public:
  /// Answers "MASK BYTES" for a definition, a mask, and the values of a chunk.
  using Pack = std::function<std::string(const Definition&, std::uint32_t, const Numbers&)>;
  Life(Definition made, Pack pack) : made_(std::move(made)), dims_(made_.dims), pack_(std::move(pack)) {}

  const Definition& made() const { return made_; }

  /// Returns nothing if the step is not possible.
  std::optional<std::string> line(const Step& step) {
    Dice dice(step.salt);
    if (step.act == Act::flush) return "flush";
    if (step.act == Act::reopen) return "reopen";
    if (step.act == Act::resize) return resize(dice);
    if (std::ranges::find(dims_, 0u) != dims_.end()) return std::nullopt;
    const std::string first = ' ' + std::to_string(dice.below(200));
    if (step.act == Act::points) return "points " + text(points(dice)) + first;
    if (step.act == Act::chunk) return chunk(dice);
    return blocks(dice, step.act == Act::strided) + first;
  }

 private:
  std::string resize(Dice& dice) {
    const bool empties = dice.below(12) == 0;
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      const std::uint64_t high = std::min(made_.most[d], dims_[d] + 2 * made_.chunk[d] + 3);
      dims_[d] = dice.below(3) == 0 ? dims_[d] : dice.from(empties ? 0 : 1, high);
    }
    return "resize " + text(dims_);
  }

  Numbers points(Dice& dice) const {
    Numbers all;
    for (std::uint64_t left = dice.from(1, 12); left > 0; --left)
      for (const std::uint64_t n : dims_) all.push_back(dice.below(n));
    return all;
  }

  std::string blocks(Dice& dice, bool strided) const {
    Numbers start, stride, count, block;
    const bool whole = !strided && dice.below(4) == 0;
    for (const std::uint64_t n : dims_) {
      start.push_back(whole ? 0 : dice.below(n));
      const std::uint64_t rest = n - start.back();
      stride.push_back(strided ? dice.from(1, 4) : 1);
      block.push_back(strided ? std::min(rest, dice.from(1, stride.back())) : 1);
      const std::uint64_t most = (rest - block.back()) / stride.back() + 1;
      count.push_back(whole ? rest : dice.from(1, most));
    }
    return "blocks " + text(start) + ' ' + text(stride) + ' ' + text(count) + ' ' + text(block);
  }

  /// Elements beyond the extent get the fill value, as in chunks that Filigree or HDF5 writes.
  std::string chunk(Dice& dice) const {
    Numbers offset;
    std::uint64_t elements = 1;
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      offset.push_back(dice.below(dims_[d]) / made_.chunk[d] * made_.chunk[d]);
      elements *= made_.chunk[d];
    }
    const std::uint64_t first = dice.below(200);
    Numbers values(elements);
    for (std::uint64_t i = 0; i < elements; ++i) {
      bool inside = true;
      std::uint64_t rest = i;
      for (std::size_t d = dims_.size(); d-- > 0; rest /= made_.chunk[d])
        inside = inside && offset[d] + rest % made_.chunk[d] < dims_[d];
      values[i] = inside ? (first + i) % made_.values() : made_.fill.value_or(0);
    }
    // All filters or none: HDF5 forgets to change the mask when it stores a chunk again in as many bytes.
    const auto filters = std::ranges::count(made_.filters, ',') + (made_.filters == "-" ? 0 : 1);
    const bool skips = dice.below(2) == 0;
    const std::uint32_t mask = skips ? (1u << filters) - 1 : 0;
    return "chunk " + text(offset) + ' ' + pack_(made_, mask, values);
  }

  Definition made_;
  Numbers dims_;
  Pack pack_;
};

}  // namespace oracle
