// SPDX-License-Identifier: Apache-2.0
//
// Conversions of compounds: every member of the destination gets the value of the source member of the same
// name.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <filigree/error.hpp>

#include "type/conversion_parts.hpp"

namespace filigree::type {

using format::CompoundMember;

namespace {

/// Elements of this many bytes stay in the L1 cache while their members are converted one after the other.
constexpr std::size_t block_bytes = 16384;

struct Column {
  std::uint32_t from_offset = 0;
  std::uint32_t to_offset = 0;
  ConversionPointer conversion;

  const Conversion::Traits& traits() const { return conversion->traits(); }
  bool continued_by(const Column& next) const {
    return traits().copies && next.traits().copies && to_offset + traits().to_bytes == next.to_offset &&
           from_offset + traits().from_bytes == next.from_offset;
  }
};

class CompoundConversion final : public Conversion {
 public:
  CompoundConversion(const Traits& traits, std::vector<Column> columns)
      : Conversion(traits), columns_(std::move(columns)) {}

 private:
  void do_apply(const Tile& tile, const Context& context) const override {
    const std::size_t stride = std::max<std::size_t>({tile.from_stride, tile.to_stride, 1});
    const std::size_t rows = std::max<std::size_t>(block_bytes / stride, 1);
    for (std::size_t done = 0; done < tile.count; done += rows) {
      const std::size_t count = std::min(rows, tile.count - done);
      const std::byte* from = tile.from + done * tile.from_stride;
      std::byte* to = tile.to + done * tile.to_stride;
      for (const Column& column : columns_) {
        column.conversion->apply(
            {from + column.from_offset, tile.from_stride, to + column.to_offset, tile.to_stride, count},
            context);
      }
    }
  }

  std::vector<Column> columns_;
};

ConversionPointer prepare_member(const CompoundMember& from, const CompoundMember& to, Rules rules) {
  try {
    if (from.dims.empty() && to.dims.empty()) return prepare(from.type, to.type, rules);
    return prepare(format::member_type(from), format::member_type(to), rules);
  } catch (Error& error) {
    error.add_frame("converting member '" + to.name + "'");
    throw;
  }
}

void join_copies(std::vector<Column>& columns) {
  std::ranges::sort(columns, {}, &Column::to_offset);
  std::vector<Column> joined;
  for (Column& column : columns) {
    if (!joined.empty() && joined.back().continued_by(column)) {
      joined.back().conversion = make_copy(joined.back().traits().to_bytes + column.traits().to_bytes);
    } else {
      joined.push_back(std::move(column));
    }
  }
  columns = std::move(joined);
}

}  // namespace

ConversionPointer prepare_compound(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  std::unordered_map<std::string_view, const CompoundMember*> sources;
  for (const CompoundMember& member : from.members) sources.emplace(member.name, &member);
  Conversion::Traits traits{.from_bytes = from.size, .to_bytes = to.size};
  std::vector<Column> columns;
  for (const CompoundMember& member : to.members) {
    const auto source = sources.find(member.name);
    if (source == sources.end()) {
      traits.partial = true;
      continue;
    }
    columns.push_back(
        {source->second->byte_offset, member.byte_offset, prepare_member(*source->second, member, rules)});
    traits.partial |= columns.back().traits().partial;
    traits.uses_files |= columns.back().traits().uses_files;
  }
  join_copies(columns);
  if (columns.size() == 1 && from.size == to.size) {
    const Column& only = columns.front();
    if (only.traits().copies && only.from_offset == 0 && only.traits().to_bytes == to.size) {
      return only.conversion;
    }
  }
  return std::make_shared<CompoundConversion>(traits, std::move(columns));
}

}  // namespace filigree::type
