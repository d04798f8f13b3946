// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/converted_values.hpp"

#include <algorithm>

#include "capi/H5R/references.hpp"

namespace filigree::capi {

using format::CompoundMember;
using format::TypeClass;

namespace {

/// Parts of elements, `stride` bytes apart.
struct StridedElements {
  std::byte* first;
  std::size_t count, stride;
  StridedElements at(std::size_t offset) const { return {first + offset, count, stride}; }
  std::byte* operator[](std::size_t i) const { return first + i * stride; }
};

enum class Goal { rest, replaced };

/// Traverses the two types in the way in which a conversion between them is prepared.
class ValueReclaimer {
 public:
  ValueReclaimer(const ConvertedSide& side, Goal goal)
      : source_(side.source), memory_(side.memory), goal_(goal) {}

  void run(const DatatypeMessage& own, const DatatypeMessage& other, const StridedElements& parts) const {
    if (!type::has_variable_parts(own) && !type::has_references(own)) return;
    if (format::same_type(own, other)) return reclaim_if(goal_ == Goal::replaced, own, parts);
    if (const auto user = user_conversion_of(own, other))
      return reclaim_if(goal_ == Goal::replaced && path_of(*user)->data.need_bkg == H5T_BKG_NO, own, parts);
    if (own.type_class != other.type_class) return reclaim_if(true, own, parts);
    switch (own.type_class) {
      case TypeClass::compound:
        return run_members(own, other, parts);
      case TypeClass::array:
        for (std::size_t i = 0; i < parts.count; ++i)
          run(own.base[0], other.base.at(0), all_of(own.base[0], parts[i], own.size / own.base[0].size));
        return;
      case TypeClass::variable_length:
        return run_sequences(own, other, parts);
      case TypeClass::reference:
        return;  // References are plain values, without memory of their own.
      default:
        return reclaim_if(true, own, parts);
    }
  }

  static StridedElements all_of(const DatatypeMessage& type, std::byte* first, std::size_t count) {
    return {first, count, type.size};
  }

 private:
  void run_members(const DatatypeMessage& own, const DatatypeMessage& other,
                   const StridedElements& parts) const {
    for (const CompoundMember& member : own.members) {
      const auto twin = std::ranges::find(other.members, member.name, &CompoundMember::name);
      const DatatypeMessage type = format::member_type(member);
      if (twin == other.members.end())
        reclaim_if(goal_ == Goal::rest, type, parts.at(member.byte_offset));
      else
        run(type, format::member_type(*twin), parts.at(member.byte_offset));
    }
  }

  void run_sequences(const DatatypeMessage& own, const DatatypeMessage& other,
                     const StridedElements& parts) const {
    const bool sequences = own.variable == format::VariableKind::sequence && other.variable == own.variable;
    if (goal_ == Goal::replaced || !sequences) return reclaim_if(true, own, parts);
    // The values of the elements may have moved to the result, but not the block that held them.
    DatatypeMessage block = own;
    block.base[0] = DatatypeMessage{};
    block.base[0].size = 1;
    for (std::size_t i = 0; i < parts.count; ++i) {
      const Container::View view = own.container->view(parts[i]);
      if (view.missing) continue;
      auto* const first = static_cast<std::byte*>(const_cast<void*>(view.elements));
      run(own.base[0], other.base.at(0), all_of(own.base[0], first, view.count));
      type::reclaim(block, parts[i], 1, memory_);
    }
  }

  /// Returns the user-defined conversion of the pair, or null.
  type::ConversionPointer user_conversion_of(const DatatypeMessage& own, const DatatypeMessage& other) const {
    return source_ ? user_conversions().find(own, other) : user_conversions().find(other, own);
  }

  void reclaim_if(bool condition, const DatatypeMessage& type, const StridedElements& parts) const {
    if (!condition) return;
    for (std::size_t i = 0; i < parts.count; ++i) {
      reclaim_references(type, parts[i], 1);
      type::reclaim(type, parts[i], 1, memory_);
    }
  }

  bool source_;
  const CMemory* memory_;
  Goal goal_;
};

void reclaim(const ConvertedSide& side, Goal goal, std::vector<std::byte>& elements) {
  if (side.own.size == 0) return;
  ValueReclaimer(side, goal)
      .run(side.own, side.other,
           ValueReclaimer::all_of(side.own, elements.data(), elements.size() / side.own.size));
}

}  // namespace

void ConvertedSide::reclaim_rest(std::vector<std::byte>& elements) const {
  reclaim(*this, Goal::rest, elements);
}

void ConvertedSide::reclaim_replaced(std::vector<std::byte>& elements) const {
  reclaim(*this, Goal::replaced, elements);
}

}  // namespace filigree::capi
