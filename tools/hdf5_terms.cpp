// SPDX-License-Identifier: Apache-2.0
#include "hdf5_terms.hpp"

namespace filigree::tools {

std::uint64_t held_size(const Datatype& type) {
  constexpr std::uint64_t pointer_bytes = 8, sequence_bytes = 16;
  switch (type.type_class()) {
    case TypeClass::string:
      return type.is_variable_string() ? pointer_bytes : type.size();
    case TypeClass::sequence:
      return sequence_bytes;
    case TypeClass::array: {
      std::uint64_t bytes = held_size(type.base());
      for (const std::uint32_t dim : type.dims()) bytes *= dim;
      return bytes;
    }
    case TypeClass::compound: {
      std::uint64_t bytes = type.size();
      for (const Member& member : type.members()) bytes = bytes - member.type.size() + held_size(member.type);
      return bytes;
    }
    default:
      return type.size();
  }
}

const char* strategy_name(SpaceStrategy strategy) {
  switch (strategy) {
    case SpaceStrategy::free_list:
      return "H5F_FSPACE_STRATEGY_FSM_AGGR";
    case SpaceStrategy::paged:
      return "H5F_FSPACE_STRATEGY_PAGE";
    case SpaceStrategy::aggregated:
      return "H5F_FSPACE_STRATEGY_AGGR";
    case SpaceStrategy::none:
      return "H5F_FSPACE_STRATEGY_NONE";
  }
  return "unknown";
}

}  // namespace filigree::tools
