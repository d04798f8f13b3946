// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/reversed_format.hpp"

#include <algorithm>
#include <utility>

#include "chunk/format/dense_format.hpp"

namespace filigree::chunk {
namespace {

/// Decoded chunks are those of the dense format. Only the stored bytes differ.
class ReversedFormat : public ChunkFormat {
 public:
  explicit ReversedFormat(std::unique_ptr<const ChunkFormat> dense) : dense_(std::move(dense)) {}

  std::unique_ptr<DecodedChunk> blank() const override { return dense_->blank(); }
  std::unique_ptr<DecodedChunk> copy(const DecodedChunk& decoded) const override {
    return dense_->copy(decoded);
  }
  std::unique_ptr<DecodedChunk> decode(const StoredChunkView& stored) const override {
    const Buffer bytes(stored.bytes.rbegin(), stored.bytes.rend());
    return dense_->decode(view_of(bytes, stored.info, stored.edge));
  }
  StoredChunk encode(const DecodedChunk& decoded, ChunkEdge edge) const override {
    StoredChunk stored = dense_->encode(decoded, edge);
    std::ranges::reverse(stored.bytes);
    return stored;
  }
  void read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
            const Values& values) const override {
    dense_->read(decoded, runs, values);
  }
  void write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
             const Values& values) const override {
    dense_->write(decoded, runs, values);
  }
  void for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const override {
    dense_->for_each_value(decoded, visit);
  }
  void for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const override {
    dense_->for_each_value(decoded, change);
  }
  void erase(DecodedChunk& decoded, const space::RunSet& elements) const override {
    dense_->erase(decoded, elements);
  }
  FormatTraits traits(std::uint64_t chunk_bytes) const override { return dense_->traits(chunk_bytes); }

 private:
  std::unique_ptr<const ChunkFormat> dense_;
};

}  // namespace

std::unique_ptr<const ChunkFormat> make_reversed_format(FormatSetup setup) {
  return std::make_unique<ReversedFormat>(make_dense_format(std::move(setup)));
}

}  // namespace filigree::chunk
