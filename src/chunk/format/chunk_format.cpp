// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/chunk_format.hpp"

#include <filigree/error.hpp>

namespace filigree::chunk {

StoredValues ChunkFormat::find_values(Bytes, const StoredForm&, std::uint64_t, bool,
                                      const space::RunSet&) const {
  throw Error(ErrorKind::internal, "values were looked for in chunks that are read as a whole");
}

std::unique_ptr<ChunkImage> ChunkFormat::assemble(const StoredValues&, Buffer) const {
  throw Error(ErrorKind::internal, "values were put together that belong to chunks read as a whole");
}

StoredChunk ChunkFormat::encode_points(std::span<const std::uint32_t>, Bytes, bool) const {
  throw Error(ErrorKind::internal, "single elements were to make a chunk that has all of them");
}

std::optional<std::uint64_t> ChunkFormat::claimed_points(const StoredForm&, std::uint64_t, bool) const {
  throw Error(ErrorKind::internal, "elements were counted in chunks that have all of them");
}

ChunkPoints ChunkFormat::decode_points(Bytes, const StoredForm&, bool) const {
  throw Error(ErrorKind::internal, "single elements were looked for in chunks that have all of them");
}

void ChunkFormat::write_plain(std::span<const space::ChunkRun>, const Values&, bool, MutableBytes) const {
  throw Error(ErrorKind::internal, "chunks were to be written as they stand in the file that never do so");
}

}  // namespace filigree::chunk
