// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/make_format.hpp"

#include <array>
#include <string_view>

#include <filigree/error.hpp>

#include "chunk/format/dense_format.hpp"
#include "chunk/format/sparse_format.hpp"
#include "chunk/format/variable_format.hpp"

namespace filigree::chunk {
namespace {

bool is_dense(const format::LayoutMessage& layout) { return layout.layout == format::LayoutClass::chunked; }

bool is_sparse(const format::LayoutMessage& layout) {
  return layout.layout == format::LayoutClass::structured && layout.composition.sparse();
}

bool is_variable(const format::LayoutMessage& layout) {
  return layout.layout == format::LayoutClass::structured && !layout.composition.sparse();
}

struct FormatRow {
  std::string_view name;
  bool (*applies)(const format::LayoutMessage&);
  std::unique_ptr<const ChunkFormat> (*make)(FormatSetup);
};

/// A new format gets a row here. At most one row applies to a layout.
constexpr std::array formats{
    FormatRow{"dense", is_dense, make_dense_format},
    FormatRow{"sparse", is_sparse, make_sparse_format},
    FormatRow{"variable-length", is_variable, make_variable_format},
};

}  // namespace

std::unique_ptr<const ChunkFormat> make_format(FormatSetup setup) {
  for (const FormatRow& row : formats)
    if (row.applies(setup.layout)) return row.make(std::move(setup));
  throw Error(ErrorKind::internal, "the layout has no chunks");
}

}  // namespace filigree::chunk
