// SPDX-License-Identifier: Apache-2.0
//
// A naive model of selections with one bit per element, and RapidCheck generators. The generators make data
// (frames, slabs, steps), so that failures shrink to few steps with small numbers.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include "space/cursor.hpp"
#include "space/selection.hpp"

namespace filigree::space {

// RapidCheck prints counterexamples with these.
inline void showValue(const Frame& frame, std::ostream& out) { rc::show(frame.dims(), out); }
inline void showValue(const Bounds& box, std::ostream& out) {
  rc::show(box.low, out);
  out << " to ";
  rc::show(box.high, out);
}
inline void showValue(const SlabDimension& d, std::ostream& out) {
  out << "start " << d.start << " stride " << d.stride << " count " << d.count << " block " << d.block;
}
inline void showValue(const SetOperator& op, std::ostream& out) {
  switch (op) {
    case SetOperator::unite:
      out << "unite";
      break;
    case SetOperator::intersect:
      out << "intersect";
      break;
    case SetOperator::differ:
      out << "differ";
      break;
    case SetOperator::subtract:
      out << "subtract";
      break;
    case SetOperator::supplant:
      out << "supplant";
      break;
  }
}

}  // namespace filigree::space

namespace filigree::testing {

using space::Bounds;
using space::Frame;
using space::Selection;
using space::SetOperator;
using space::SlabDimension;

/// Coordinates of an element.
using Coordinates = std::vector<std::uint64_t>;
using SlabDimensions = std::vector<SlabDimension>;

/// All operators, for tests that try each.
inline constexpr std::array set_operators{SetOperator::unite, SetOperator::intersect, SetOperator::differ,
                                          SetOperator::subtract, SetOperator::supplant};

/// Returns the coordinates of the element at a row-major offset.
inline Coordinates coordinates_in(const Frame& frame, std::uint64_t offset) {
  Coordinates at(frame.rank());
  frame.coordinates(offset, at.data());
  return at;
}

/// A set of elements that computes every result element by element.
class Bitmap {
 public:
  /// An empty set, or all elements.
  explicit Bitmap(Frame frame, bool all = false) : frame_(std::move(frame)), bits_(frame_.elements(), all) {}

  Bitmap(Frame frame, std::span<const SlabDimension> slab) : Bitmap(std::move(frame)) {
    for (std::uint64_t i = 0; i < bits_.size(); ++i) {
      const Coordinates at = coordinates_in(frame_, i);
      bits_[i] = std::equal(at.begin(), at.end(), slab.begin(), slab.end(), covers);
    }
  }

  /// Returns the set of these elements. Requires: offsets within the frame.
  static Bitmap of_offsets(Frame frame, std::span<const std::uint64_t> offsets) {
    Bitmap bitmap(std::move(frame));
    for (const std::uint64_t at : offsets) bitmap.bits_[at] = true;
    return bitmap;
  }

  const Frame& frame() const { return frame_; }
  bool contains(std::uint64_t offset) const { return bits_[offset]; }
  /// Whether it contains an element; elements outside of the frame are not contained.
  bool contains(std::span<const std::uint64_t> at) const {
    return frame_.contains(at) && bits_[frame_.offset(at)];
  }

  /// Returns the offsets of the elements, ascending.
  std::vector<std::uint64_t> offsets() const {
    std::vector<std::uint64_t> selected;
    for (std::uint64_t i = 0; i < bits_.size(); ++i)
      if (bits_[i]) selected.push_back(i);
    return selected;
  }

  /// Returns the smallest box around all elements; nothing for an empty set.
  std::optional<Bounds> bounds() const {
    std::optional<Bounds> box;
    for (const std::uint64_t offset : offsets()) {
      const Coordinates at = coordinates_in(frame_, offset);
      if (!box) box = {at, at};
      for (std::size_t d = 0; d < at.size(); ++d) {
        box->low[d] = std::min(box->low[d], at[d]);
        box->high[d] = std::max(box->high[d], at[d]);
      }
    }
    return box;
  }

  /// *Requires* equal frames.
  Bitmap combined(SetOperator op, const Bitmap& other) const {
    Bitmap result(frame_);
    for (std::uint64_t i = 0; i < bits_.size(); ++i) {
      const unsigned index = (bits_[i] ? 1u : 0u) | (other.bits_[i] ? 2u : 0u);
      result.bits_[i] = (static_cast<unsigned>(op) >> index & 1) != 0;
    }
    return result;
  }

  friend bool operator==(const Bitmap& a, const Bitmap& b) {
    return a.frame_ == b.frame_ && a.bits_ == b.bits_;
  }

 private:
  static bool covers(std::uint64_t at, const SlabDimension& d) {
    for (std::uint64_t i = 0; i < d.count; ++i)
      if (at >= d.start + i * d.stride && at < d.start + i * d.stride + d.block) return true;
    return false;
  }

  Frame frame_;
  std::vector<bool> bits_;
};

/// The offsets that a cursor visits, in its order.
inline std::vector<std::uint64_t> offsets_of(const Selection& selection) {
  std::vector<std::uint64_t> seen;
  for (space::Cursor cursor(selection); !cursor.done();) {
    const auto p = cursor.pattern();
    for (std::uint64_t i = 0; i < p.count * p.length; ++i)
      seen.push_back(p.start + i / p.length * p.stride + i % p.length);
    cursor.advance(p.count * p.length);
  }
  return seen;
}

/// Returns the set of the elements that a cursor visits.
inline Bitmap bitmap_of(const Selection& selection) {
  return Bitmap::of_offsets(selection.frame(), offsets_of(selection));
}

/// The arguments of one call of H5Sselect_hyperslab().
struct Step {
  std::optional<SetOperator> op;  ///< unset: the slab replaces the selection
  SlabDimensions slab;
};

inline void showValue(const Step& step, std::ostream& out) {
  if (step.op) {
    rc::show(*step.op, out);
  } else {
    out << "set";
  }
  out << ' ';
  rc::show(step.slab, out);
}

/// Applies a step to a selection, as the library does it.
inline Selection apply(const Selection& to, const Step& step) {
  const Selection operand = Selection::regular(to.frame(), step.slab);
  return step.op ? combine(to, *step.op, operand) : operand;
}

/// Applies a step to the naive model.
inline Bitmap apply(const Bitmap& to, const Step& step) {
  const Bitmap operand(to.frame(), step.slab);
  return step.op ? to.combined(*step.op, operand) : operand;
}

// ---- generators ----

/// A number from `low` to below `high`, uniformly distributed. It shrinks towards `low`.
inline rc::Gen<std::uint64_t> gen_number(std::uint64_t low, std::uint64_t high) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

/// A frame of `rank` dimensions with at least one element each, small enough for the naive model.
inline rc::Gen<Frame> gen_frame(std::size_t rank) {
  static constexpr std::array<std::uint64_t, 6> most{1, 40, 12, 7, 5, 4};
  return rc::gen::map(rc::gen::container<std::vector<std::uint64_t>>(rank, gen_number(1, most[rank] + 1)),
                      [](std::vector<std::uint64_t> dims) { return Frame(std::move(dims)); });
}

/// A frame of 1 to 5 dimensions.
inline rc::Gen<Frame> gen_frame() {
  return rc::gen::mapcat(gen_number(1, 6), [](std::uint64_t rank) { return gen_frame(rank); });
}

/// Random numbers from which a slab of any extent is made.
struct SlabWish {
  std::uint64_t start = 0;
  std::uint64_t block = 0;
  std::uint64_t gap = 0;
  std::uint64_t count = 0;
};

inline rc::Gen<SlabWish> gen_slab_wish() {
  const auto number = gen_number(0, 1000);
  return rc::gen::build<SlabWish>(
      rc::gen::set(&SlabWish::start, number), rc::gen::set(&SlabWish::block, number),
      rc::gen::set(&SlabWish::gap, number), rc::gen::set(&SlabWish::count, number));
}

/// A slab of one dimension inside of `extent` elements; rarely empty.
inline SlabDimension granted(const SlabWish& wish, std::uint64_t extent) {
  SlabDimension d;
  d.start = wish.start % extent;
  d.block = 1 + wish.block % std::min<std::uint64_t>(4, extent - d.start);
  d.stride = d.block + wish.gap % 4;
  d.count = wish.count > 980 ? 0 : 1 + wish.count % (1 + (extent - d.start - d.block) / d.stride);
  return d;
}

/// A slab inside of `frame`; sometimes empty.
inline rc::Gen<SlabDimensions> gen_slab(const Frame& frame) {
  const auto wishes = rc::gen::container<std::vector<SlabWish>>(frame.rank(), gen_slab_wish());
  return rc::gen::map(wishes, [frame](const std::vector<SlabWish>& wish) {
    SlabDimensions slab;
    for (std::size_t d = 0; d < wish.size(); ++d) slab.push_back(granted(wish[d], frame.dims()[d]));
    return slab;
  });
}

/// A slab that starts inside of `frame` or just after it, and may end outside.
inline rc::Gen<Bounds> gen_block(const Frame& frame) {
  const auto wishes = rc::gen::container<std::vector<std::pair<std::uint64_t, std::uint64_t>>>(
      frame.rank(), rc::gen::pair(gen_number(0, 1000), gen_number(0, 4)));
  return rc::gen::map(wishes, [frame](const std::vector<std::pair<std::uint64_t, std::uint64_t>>& wish) {
    Bounds block;
    for (std::size_t d = 0; d < wish.size(); ++d) {
      block.low.push_back(wish[d].first % (frame.dims()[d] + 1));
      block.high.push_back(block.low.back() + wish[d].second);
    }
    return block;
  });
}

/// An operator. Those that make selections larger are more frequent, so that few are empty.
inline rc::Gen<SetOperator> gen_set_operator() {
  return rc::gen::weightedElement<SetOperator>({{4, SetOperator::unite},
                                                {2, SetOperator::differ},
                                                {2, SetOperator::subtract},
                                                {1, SetOperator::intersect},
                                                {1, SetOperator::supplant}});
}

/// A step with a slab inside of `frame`. One in ten replaces the selection.
inline rc::Gen<Step> gen_step(const Frame& frame) {
  const auto replace = rc::gen::just(std::optional<SetOperator>());
  const auto change =
      rc::gen::map(gen_set_operator(), [](SetOperator op) { return std::optional<SetOperator>(op); });
  return rc::gen::map(
      rc::gen::pair(rc::gen::weightedOneOf<std::optional<SetOperator>>({{9, change}, {1, replace}}),
                    gen_slab(frame)),
      [](std::pair<std::optional<SetOperator>, SlabDimensions> made) {
        return Step{made.first, std::move(made.second)};
      });
}

/// At most `most` steps; sometimes none.
inline rc::Gen<std::vector<Step>> gen_steps(const Frame& frame, std::size_t most = 12) {
  return rc::gen::mapcat(gen_number(0, most + 1), [frame](std::uint64_t count) {
    return rc::gen::container<std::vector<Step>>(count, gen_step(frame));
  });
}

/// Points in any order, some of them twice.
inline rc::Gen<std::vector<std::uint64_t>> gen_positions(const Frame& frame) {
  return rc::gen::container<std::vector<std::uint64_t>>(gen_number(0, frame.elements()));
}

/// The description of a generated selection.
struct Recipe {
  Frame frame;
  Selection::Kind kind = Selection::Kind::none;
  std::vector<Step> steps;              ///< of the kinds `regular` (the last one counts) and `runs`
  std::vector<std::uint64_t> points{};  ///< of the kind `points`
};

inline void showValue(const Recipe& recipe, std::ostream& out) {
  static constexpr std::array names{"none", "all", "regular", "runs", "points"};
  out << names[static_cast<std::size_t>(recipe.kind)] << " of ";
  rc::show(recipe.frame, out);
  out << ' ';
  if (recipe.kind == Selection::Kind::points) {
    rc::show(recipe.points, out);
  } else {
    rc::show(recipe.steps, out);
  }
}

/// Returns the selection that a recipe describes.
inline Selection make(const Recipe& recipe) {
  switch (recipe.kind) {
    case Selection::Kind::none:
      return Selection::none(recipe.frame);
    case Selection::Kind::all:
      return Selection::all(recipe.frame);
    case Selection::Kind::regular:
    case Selection::Kind::runs: {
      Selection selection = Selection::none(recipe.frame);
      for (const Step& step : recipe.steps) selection = apply(selection, step);
      return selection;
    }
    case Selection::Kind::points:
      return Selection::of_points(recipe.frame, recipe.points);
  }
  return {};
}

/// A set within `frame`: empty, all elements, a slab, or the result of several steps.
inline rc::Gen<Recipe> gen_set(const Frame& frame) {
  using Kind = Selection::Kind;
  return rc::gen::exec([frame] {
    Recipe recipe{frame,
                  *rc::gen::weightedElement<Kind>(
                      {{6, Kind::runs}, {3, Kind::regular}, {1, Kind::all}, {1, Kind::none}}),
                  {},
                  {}};
    if (recipe.kind == Kind::runs) recipe.steps = *gen_steps(frame);
    if (recipe.kind == Kind::regular) recipe.steps = {Step{std::nullopt, *gen_slab(frame)}};
    return recipe;
  });
}

/// A selection of any kind.
inline rc::Gen<Recipe> gen_selection(const Frame& frame) {
  const auto points = rc::gen::map(gen_positions(frame), [frame](std::vector<std::uint64_t> offsets) {
    return Recipe{frame, Selection::Kind::points, {}, std::move(offsets)};
  });
  return rc::gen::weightedOneOf<Recipe>({{4, gen_set(frame)}, {1, points}});
}

}  // namespace filigree::testing
