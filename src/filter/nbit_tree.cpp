// SPDX-License-Identifier: Apache-2.0
#include "filter/nbit_tree.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::filter {
namespace {

using Kind = NbitNode::Kind;

constexpr unsigned deepest = 64;         // nesting levels of arrays and compounds
constexpr std::size_t fixed_params = 3;  // number of parameters, whether to pack, number of elements

[[noreturn]] void fail(std::string_view why) {
  throw Error(ErrorKind::corrupt, fmt::format("n-bit parameters: {}", why));
}

class Parser {
 public:
  explicit Parser(std::span<const std::uint32_t> params) : params_(params) {}

  bool loses_members() const { return loses_members_; }

  NbitNode node(unsigned depth = 0) {
    if (depth > deepest) fail("types are nested too deeply");
    // A type takes at least two parameters. Reading them as HDF5 does may loop, hence the limit.
    if (++nodes_ > params_.size()) fail("more types than the parameters can describe");
    NbitNode node;
    const std::uint32_t kind = next();
    if (kind < 1 || kind > 4) fail(fmt::format("unknown kind of type: {}", kind));
    node.kind = static_cast<Kind>(kind);
    node.size = next();
    if (node.size == 0) fail("a type of 0 bytes");
    switch (node.kind) {
      case Kind::number:
        number(node);
        break;
      case Kind::array:
        array(node, depth);
        break;
      case Kind::compound:
        compound(node, depth);
        break;
      case Kind::bytes:
        break;
    }
    return node;
  }

 private:
  std::uint32_t next() {
    if (at_ == params_.size()) fail("they end in the middle of a type");
    return params_[at_++];
  }

  void number(NbitNode& node) {
    const std::uint32_t order = next();
    if (order > 1) fail(fmt::format("unknown byte order: {}", order));
    node.big_endian = order == 1;
    node.precision_bits = next();
    node.offset_bits = next();
    if (node.precision_bits == 0 ||
        std::uint64_t{node.precision_bits} + node.offset_bits > std::uint64_t{node.size} * 8) {
      fail(fmt::format("{} bits from bit {} on exceed {} bytes", node.precision_bits, node.offset_bits,
                       node.size));
    }
  }

  void array(NbitNode& array, unsigned depth) {
    const std::size_t base_at = at_;
    NbitNode base = node(depth + 1);
    if (base.kind == Kind::bytes) base.size = array.size;  // whatever the size of its elements
    if (base.kind == Kind::compound || base.kind == Kind::array) {
      after_array_ = at_;
      at_ = base_at + 1;  // where HDF5 continues reading
    }
    array.parts.push_back(std::move(base));
  }

  void compound(NbitNode& compound, unsigned depth) {
    const std::uint32_t members = next();
    std::size_t peek = 0;
    for (std::uint32_t i = 0; i < members; ++i) {
      if (at_ < after_array_) loses_members_ = true;
      const std::size_t at = next();
      NbitNode member = node(depth + 1);
      member.at = at;
      // Members do not overlap, so together they fit too. That bounds the work that hostile parameters can
      // cause.
      peek += member.size;
      if (at > compound.size || member.size > compound.size - at || peek > compound.size) {
        fail(fmt::format("a member at offset {} of {} bytes exceeds its compound of {}", at, member.size,
                         compound.size));
      }
      compound.parts.push_back(std::move(member));
    }
  }

  std::span<const std::uint32_t> params_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  std::size_t after_array_ = 0;  ///< where HDF5 should have continued reading
  bool loses_members_ = false;
};

/// Builds the parameters of a type as HDF5 does.
class Builder {
 public:
  std::vector<std::uint32_t> params{0, 1, 0};

  void add(const TypeFacts& type) {
    switch (type.kind) {
      case TypeFacts::Kind::integer:
      case TypeFacts::Kind::floating:
        return number(type);
      case TypeFacts::Kind::array:
        if (type.parts.at(0).is_variable)
          throw Error(ErrorKind::invalid_argument, "n-bit does not accept arrays of variable-length values");
        put(Kind::array, type.bytes);
        return add(type.parts.at(0));
      case TypeFacts::Kind::compound:
        return compound(type);
      case TypeFacts::Kind::other:
        return put(Kind::bytes, type.bytes);
    }
  }

 private:
  void put(Kind kind, std::uint32_t bytes) {
    params.push_back(static_cast<std::uint32_t>(kind));
    params.push_back(bytes);
  }

  void number(const TypeFacts& type) {
    if (type.order == TypeFacts::Order::none) {
      throw Error(ErrorKind::invalid_argument, "n-bit accepts only little-endian and big-endian numbers");
    }
    put(Kind::number, type.bytes);
    params.push_back(type.order == TypeFacts::Order::big ? 1 : 0);
    params.push_back(type.precision_bits);
    params.push_back(type.offset_bits);
    if (type.offset_bits != 0 || type.precision_bits != 8 * type.bytes) params[1] = 0;
  }

  void compound(const TypeFacts& type) {
    put(Kind::compound, type.bytes);
    params.push_back(static_cast<std::uint32_t>(type.parts.size()));
    for (const TypeFacts& member : type.parts) {
      params.push_back(member.at);
      add(member);
    }
  }
};

}  // namespace

std::uint64_t NbitNode::packed_bits() const {
  switch (kind) {
    case Kind::number:
      return precision_bits;
    case Kind::array:
      return size / parts[0].size * parts[0].packed_bits();
    case Kind::compound: {
      std::uint64_t bits = 0;
      for (const NbitNode& member : parts) bits += member.packed_bits();
      return bits;
    }
    case Kind::bytes:
      return std::uint64_t{8} * size;
  }
  return 0;
}

NbitPlan parse_nbit(std::span<const std::uint32_t> params) {
  if (params.size() < fixed_params || params[0] > params.size()) {
    fail(fmt::format("{} values, which is too few", params.size()));
  }
  NbitPlan plan;
  plan.packs = params[1] == 0;
  plan.elements = params[2];
  if (plan.packs) {
    Parser parser(params.subspan(fixed_params));
    try {
      plan.element = parser.node();
    } catch (const Error&) {
      if (!parser.loses_members()) throw;
    }
    plan.loses_members = parser.loses_members();
  }
  return plan;
}

std::vector<std::uint32_t> nbit_params(const ChunkFacts& chunk) {
  if (chunk.elements() > UINT32_MAX) {
    throw Error(ErrorKind::invalid_argument, "n-bit accepts chunks of less than 2^32 elements");
  }
  Builder builder;
  if (chunk.type.kind != TypeFacts::Kind::other) builder.add(chunk.type);
  builder.params[0] = static_cast<std::uint32_t>(builder.params.size());
  builder.params[2] = static_cast<std::uint32_t>(chunk.elements());
  // Data are not packed if packing would lose members.
  if (builder.params[1] == 0 && parse_nbit(builder.params).loses_members) builder.params[1] = 1;
  return std::move(builder.params);
}

}  // namespace filigree::filter
