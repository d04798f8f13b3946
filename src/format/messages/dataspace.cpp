// SPDX-License-Identifier: Apache-2.0
#include "format/messages/dataspace.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

namespace {

constexpr unsigned has_max_flag = 1;
constexpr unsigned permutation_flag = 2;  // never written with content; ignored

template <class Io, class M>
void describe_max(Io& io, M& m, bool present, std::size_t rank) {
  if constexpr (Io::decodes) {
    m.max_dims.reset();
    if (present) m.max_dims.emplace();
  }
  if (!m.max_dims) return;
  io.resize("maximum dimensions", *m.max_dims, rank, io.widths().length_bytes);
  for (std::size_t i = 0; i < m.max_dims->size(); ++i) {
    auto& max = (*m.max_dims)[i];
    io.length_or_unlimited("maximum dimension", max);
    io.require(i < m.dims.size() && m.dims[i] <= max, "maximum dimension", "is below the current dimension");
  }
}

}  // namespace

template <class Io, Model<DataspaceMessage> M>
void describe(Io& io, M& m) {
  std::uint8_t rank = static_cast<std::uint8_t>(std::min<std::size_t>(m.dims.size(), 255));
  std::uint8_t flags = m.max_dims ? has_max_flag : 0;
  io.u8("version", m.version);
  io.range("version", m.version, 1, 2);
  io.u8("rank", rank);
  io.range("rank", rank, 0, max_rank);
  io.u8("flags", flags);
  io.require((flags & ~(has_max_flag | permutation_flag)) == 0, "flags", "has unknown bits");
  if (m.version == 1) {
    io.reserved(5);
    if constexpr (Io::decodes) m.kind = rank == 0 ? DataspaceKind::scalar : DataspaceKind::simple;
    io.require(m.kind != DataspaceKind::null, "version", "cannot say that there are no elements");
  } else {
    io.u8("type", m.kind);
    io.range("type", m.kind, 0, 2);
  }
  io.require(m.kind == DataspaceKind::simple || rank == 0, "rank",
             "is not zero in a scalar or null dataspace");
  io.resize("dimensions", m.dims, rank, io.widths().length_bytes);
  for (auto& dim : m.dims) io.length("dimension", dim);
  describe_max(io, m, (flags & has_max_flag) != 0, rank);
}

FILIGREE_DESCRIBED(DataspaceMessage);

std::uint64_t element_count(const DataspaceMessage& space) {
  if (space.kind == DataspaceKind::null) return 0;
  if (std::find(space.dims.begin(), space.dims.end(), 0u) != space.dims.end()) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t dim : space.dims) count = checked_multiply(count, dim, "elements of a dataspace");
  return count;
}

}  // namespace filigree::format
