// SPDX-License-Identifier: Apache-2.0
#include "filter/table.hpp"

#include <array>

#include "filter/builtin.hpp"

namespace filigree::filter {

std::span<const Filter* const> builtin_filters() {
#define FILIGREE_LIST_FILTER(name) &name##_filter(),
  static const std::array table{FILIGREE_BUILTIN_FILTERS(FILIGREE_LIST_FILTER)};
#undef FILIGREE_LIST_FILTER
  return table;
}

std::string_view registered_name(std::uint16_t id) {
  switch (id) {
    case 305:
      return "LZO";
    case 307:
      return "bzip2";
    case 32003:
      return "Snappy";
    case 32005:
      return "APAX";
    case 32006:
      return "CBF";
    case 32007:
      return "JPEG-XR";
    case 32012:
      return "FCI MAFISC";
    case 32013:
      return "ZFP";
    case 32014:
      return "fpzip";
    case 32016:
      return "B3D";
    case 32017:
      return "SZ";
    case 32018:
      return "FCIDECOMP";
    case 32019:
      return "JPEG";
    case 32022:
      return "Granular BitRound";
    case 32023:
      return "BitGroom";
    case 32024:
      return "SZ3";
    case 32026:
      return "Blosc2";
    case 32028:
      return "SPERR";
    default:
      return {};
  }
}

}  // namespace filigree::filter
