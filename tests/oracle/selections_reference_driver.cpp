// SPDX-License-Identifier: Apache-2.0
//
// Reads the commands of selections_reference_program, applies them to Filigree's selections, and prints the
// same.
#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <filigree/error.hpp>

#include "space/blocks.hpp"
#include "space/selection_builder.hpp"
#include "space/shape.hpp"
#include "space/unlimited_slab.hpp"

namespace {

using namespace filigree;
using namespace filigree::space;
using Kind = Selection::Kind;
using Numbers = std::vector<std::uint64_t>;
using Slab4 = std::vector<SlabDimension>;

enum Operator : unsigned { set, unite, intersect, differ, subtract, supplant, append, prepend };

SetOperator set_operator(unsigned op) {
  constexpr std::array operators{SetOperator::unite, SetOperator::intersect, SetOperator::differ,
                                 SetOperator::subtract, SetOperator::supplant};
  return operators.at(op - 1);
}

Numbers read(std::istream& in, std::size_t count) {
  Numbers numbers(count);
  for (std::uint64_t& n : numbers) in >> n;
  return numbers;
}

void print(std::string_view name, const Numbers& numbers) {
  std::cout << ' ' << name;
  for (const std::uint64_t n : numbers) std::cout << ' ' << n;
}

/// A frame that contains the slab, too: HDF5 does not check that a selection is within the extent.
Frame holding(const Frame& frame, const Slab4& slab) {
  Numbers dims = frame.dims();
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (slab[d].count != 0 && slab[d].block != 0) dims[d] = std::max(dims[d], slab[d].last() + 1);
  return Frame(dims);
}

/// An extent and a selection, which may exceed it.
class Space {
 public:
  explicit Space(Frame extent) : extent_(std::move(extent)), selection_(Selection::all(extent_)) {}
  Space() : Space(Frame()) {}

  const Frame& extent() const { return extent_; }
  const Selection& selection() const { return selection_; }

  void select(Selection selection) {
    selection_ = std::move(selection);
    endless_.reset();
  }

  void select_slab(unsigned op, const Slab4& slab) {
    if (UnlimitedSlab::needed(slab)) return select_endless(op, UnlimitedSlab(slab));
    const Selection operand = Selection::regular(holding(extent_, slab), slab);
    if (operand.elements() == 0) {
      if (op == set || op == intersect || op == supplant) select(Selection::none(extent_));
      return;
    }
    if (endless_ && op != set) return select(combine(*endless_, set_operator(op), operand));
    const std::optional<Fixed> fixed = fixed_result(op);
    if (fixed == Fixed::unchanged) return;
    if (fixed == Fixed::nothing) return select(Selection::none(extent_));
    if (fixed == Fixed::operand) return select(operand);
    SelectionBuilder builder(selection_.reframed(selection_.frame().joined(operand.frame())));
    builder.combine(set_operator(op), slab);
    select(builder.selection());
  }

  void select_points(unsigned op, const Numbers& coordinates) {
    if (op != set && op != append && op != prepend) throw Error(ErrorKind::invalid_argument, "operator");
    Frame frame = extent_.joined(selection_.frame());
    const std::size_t rank = frame.rank();
    Numbers dims = frame.dims();
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      dims[i % rank] = std::max(dims[i % rank], coordinates[i] + 1);
    frame = Frame(dims);
    Numbers points;
    for (std::size_t i = 0; i < coordinates.size(); i += rank)
      points.push_back(frame.offset(std::span(coordinates).subspan(i, rank)));
    const bool fresh = op == set || selection_.is_set();
    const Selection before = fresh ? Selection::none(frame) : selection_.reframed(frame);
    select(op == prepend ? prepend_points(before, points) : append_points(before, points));
  }

  void show() const {
    if (endless_) return show_endless();
    const auto bounds = selection_.bounds();
    static constexpr std::array types{0, 3, 2, 2, 1};
    const int type = types.at(static_cast<std::size_t>(selection_.kind()));
    std::cout << "type " << type << " points " << selection_.elements() << " valid "
              << (!bounds || extent_.contains(bounds->high));
    if (bounds) {
      print("from", bounds->low);
      print("to", bounds->high);
    }
    if (type == 2) show_blocks();
    std::cout << '\n';
  }

 private:
  /// Results that do not depend on where the elements of the operand are.
  enum class Fixed { unchanged, nothing, operand };
  std::optional<Fixed> fixed_result(unsigned op) const {
    if (op == set) return Fixed::operand;
    if (selection_.kind() == Kind::none) {
      if (op == intersect || op == subtract) return Fixed::nothing;
      return Fixed::operand;
    }
    if (selection_.kind() == Kind::all) {
      // "All" is the extent; nothing beyond it is queried.
      if (op == unite) return Fixed::unchanged;
      if (op == intersect) return Fixed::operand;
      if (op == supplant) return Fixed::nothing;
    }
    return std::nullopt;
  }

  void select_endless(unsigned op, UnlimitedSlab slab) {
    if (endless_ && op != set) throw Error(ErrorKind::invalid_argument, "two unlimited selections");
    const std::optional<Fixed> fixed = fixed_result(op);
    if (fixed == Fixed::unchanged) return;
    if (fixed == Fixed::nothing) return select(Selection::none(extent_));
    if (!fixed) return select(combine(selection_, set_operator(op), slab));
    selection_ = Selection::none(extent_);
    endless_ = std::move(slab);
  }

  static void show_dimensions(const Slab4& slab) {
    for (const SlabDimension& d : slab) print("dimension", {d.start, d.stride, d.count, d.block});
  }

  void show_endless() const {
    std::cout << "type 2 points -1 valid 0";
    Numbers low;
    Numbers high;
    for (const SlabDimension& d : endless_->dims()) {
      low.push_back(d.start);
      high.push_back(d.count == unlimited || d.block == unlimited ? unlimited : d.last());
    }
    print("from", low);
    print("to", high);
    std::cout << " nblocks refused regular 1";
    show_dimensions(endless_->dims());
    std::cout << '\n';
  }

  void show_blocks() const {
    const std::uint64_t blocks = block_count(selection_);
    std::cout << " nblocks " << blocks;
    print("blocks", block_list(selection_, 0, blocks));
    if (blocks > 2) print("blocks", block_list(selection_, blocks / 3, blocks / 2));
    const auto slab = regular_slab(selection_);
    std::cout << " regular " << slab.has_value();
    if (slab) show_dimensions(*slab);
  }

  Frame extent_;
  Selection selection_;
  std::optional<UnlimitedSlab> endless_;
};

std::array<Space, 4> spaces;

void obey(const std::string& command, std::istream& in) {
  Space& space = spaces.at(read(in, 1)[0]);
  const std::size_t rank = space.extent().rank();
  if (command == "space") space = Space(Frame(read(in, read(in, 1)[0])));
  if (command == "all") space.select(Selection::all(space.extent()));
  if (command == "none") space.select(Selection::none(space.extent()));
  if (command == "slab") {
    const auto op = static_cast<unsigned>(read(in, 1)[0]);
    Slab4 slab;
    for (std::size_t d = 0; d < rank; ++d) {
      const Numbers n = read(in, 4);
      slab.push_back({n[0], n[1], n[2], n[3]});
    }
    space.select_slab(op, slab);
  }
  if (command == "points") {
    const auto op = static_cast<unsigned>(read(in, 1)[0]);
    space.select_points(op, read(in, rank * read(in, 1)[0]));
  }
  if (command == "show") space.show();
  if (command == "same")
    std::cout << "same " << same_shape(space.selection(), spaces.at(read(in, 1)[0]).selection()) << '\n';
  if (command == "case") std::cout << "case " << read(in, 1)[0] << '\n';
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    std::string command;
    in >> command;
    try {
      obey(command, in);
    } catch (const Error&) {
      std::cout << "refused\n";
    }
  }
}
