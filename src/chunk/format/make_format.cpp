// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/make_format.hpp"

#include <array>
#include <string_view>

#include <filigree/error.hpp>

#include "chunk/format/dense_format.hpp"
#include "chunk/format/portable/portable_format.hpp"
#include "chunk/format/sparse_format.hpp"
#include "chunk/format/variable_format.hpp"

namespace filigree::chunk {
namespace {

bool has_ordinary_chunks(const FormatSetup& setup) {
  return setup.layout.layout == format::LayoutClass::chunked;
}
bool has_structured_chunks(const FormatSetup& setup) {
  return setup.layout.layout == format::LayoutClass::structured;
}

bool is_dense(const FormatSetup& setup) { return has_ordinary_chunks(setup) && !is_portable(setup.pipeline); }
bool is_portable_sparse(const FormatSetup& setup) {
  return has_ordinary_chunks(setup) && is_portable(setup.pipeline);
}
bool is_sparse(const FormatSetup& setup) {
  return has_structured_chunks(setup) && setup.layout.composition.sparse();
}
bool is_variable(const FormatSetup& setup) {
  return has_structured_chunks(setup) && !setup.layout.composition.sparse();
}

struct FormatRow {
  std::string_view name;
  bool (*applies)(const FormatSetup&);
  std::unique_ptr<const ChunkFormat> (*make)(FormatSetup);
};

/// A new format gets a row here. At most one row applies to a dataset.
constexpr std::array formats{
    FormatRow{"dense", is_dense, make_dense_format},
    FormatRow{"portable sparse", is_portable_sparse, make_portable_format},
    FormatRow{"sparse", is_sparse, make_sparse_format},
    FormatRow{"variable-length", is_variable, make_variable_format},
};

}  // namespace

std::unique_ptr<const ChunkFormat> make_format(FormatSetup setup) {
  for (const FormatRow& row : formats)
    if (row.applies(setup)) return row.make(std::move(setup));
  throw Error(ErrorKind::internal, "the layout has no chunks");
}

}  // namespace filigree::chunk
