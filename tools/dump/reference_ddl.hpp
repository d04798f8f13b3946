// SPDX-License-Identifier: Apache-2.0
//
// Datasets of references in DDL: what each reference leads to.
#pragma once

#include <cstdint>
#include <string_view>

#include <filigree/filigree.hpp>

#include "../values.hpp"
#include "dump_context.hpp"

namespace filigree::tools {

/// Writes the targets of references, below the line "DATA {".
class ReferenceDump {
 public:
  /// Requires: `native` is a reference type.
  ReferenceDump(DumpContext& context, const Datatype& native) : context_(context), type_(native) {}
  void add(const Elements& elements);

 private:
  void line(std::string_view text) const;
  void add_object(std::uint64_t address);
  void add_region(const std::byte* element);
  void add_region_data(const Region& region) const;

  DumpContext& context_;
  const Datatype type_;
  std::uint64_t count_ = 0;
};

/// Returns boxes that a selection consists of: the blocks of a hyperslab in row-major order, or others.
std::vector<Selection::Box> boxes_of(const Selection& selection, const std::vector<std::uint64_t>& extent);
/// Returns the ranges of a box.
std::vector<Selection::Range> ranges_of(const Selection::Box& box);
/// Returns "(2,2)-(7,7)", or "(2,2)" for the first coordinates alone.
std::string corner_text(std::span<const std::uint64_t> corner);
std::string box_text(const Selection::Box& box);

}  // namespace filigree::tools
