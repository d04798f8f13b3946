// SPDX-License-Identifier: Apache-2.0
//
// A portable sparse chunk with the parameters of its filter: a byte of flags, the number of parameters as a
// byte, the parameters, the stored chunk. Checksums would keep the fuzzer out, so the flags ask for right
// ones.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/checksum.hpp"
#include "chunk/format/portable/portable_format.hpp"
#include "guard.hpp"

namespace {

using namespace filigree;
using filigree::fuzz::survives;

constexpr std::uint64_t most_dense_bytes = 1u << 18;
constexpr std::uint8_t repair_envelope = 1, repair_selection = 2, store_without_filter = 4;

void store_sum(MutableBytes bytes) {
  const std::size_t content = bytes.size() - 4;
  store_word(bytes.data() + content, lookup3(Bytes(bytes).first(content)), 4);
}

void repair(std::uint8_t flags, Buffer& chunk) {
  constexpr std::size_t envelope_bytes = format::PortableEnvelope::bytes;
  if (chunk.size() < envelope_bytes) return;
  if ((flags & repair_envelope) != 0) store_sum(MutableBytes(chunk).first(envelope_bytes));
  if ((flags & repair_selection) == 0) return;
  survives([&] {
    const auto envelope = format::decode_envelope(chunk, chunk.size());
    const std::uint32_t bytes = envelope.sections[0].stored_bytes;
    if (bytes >= 4) store_sum(MutableBytes(chunk).subspan(envelope_bytes, bytes));
  });
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void read_parts(const chunk::PortableFormat& format, const chunk::StoredChunkView& whole) {
  survives([&] { (void)format.declared_elements(whole); });
  chunk::StoredChunkView part = whole;
  part.bytes = whole.bytes.first(std::min(whole.bytes.size(), format.header_bytes()));
  survives([&] {
    const space::Run run = format.defined_part_of(part);
    require(run.end() <= whole.bytes.size(), "a part outside of the chunk");
    part.bytes = whole.bytes.subspan(run.start, run.length);
    (void)format.decode_defined(part);
    const std::vector<space::Run> wanted{{1, 2}};
    (void)format.take_defined(part, wanted);
  });
  survives([&] { (void)format.open(whole); });
  survives([&] { (void)format.decode_elements(whole); });
}

void use(const chunk::PortableFormat& format, const Buffer& chunk, bool filtered) {
  chunk::StoredChunkInfo info;
  info.filter_mask = filtered ? 0 : 1;
  const chunk::StoredChunkView whole = chunk::view_of(chunk, info, chunk::ChunkEdge::full);
  read_parts(format, whole);
  survives([&] {
    const auto decoded = format.decode(whole);
    const auto defined = format.defined(*decoded);
    const chunk::StoredChunk again = format.encode(*decoded, chunk::ChunkEdge::full);
    require(format.defined(*format.decode(again.view(chunk::ChunkEdge::full))) == defined,
            "the chunk defines other elements when it is encoded again");
  });
  if (!filtered) return;
  survives([&] {
    const Buffer dense = format.decode_dense(chunk);
    require(dense.size() == format.dense_bytes(), "a dense chunk of another size");
    require(format.decode_dense(format.encode_dense(dense)) == dense, "a dense chunk does not come back");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size < 2 + std::size_t{4} * data[1]) return 0;
  const auto* const bytes = reinterpret_cast<const std::byte*>(data);
  std::vector<std::uint32_t> words(data[1]);
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<std::uint32_t>(load_word(bytes + 2 + 4 * i, 4));
  Buffer chunk(bytes + 2 + 4 * words.size(), bytes + size);
  survives([&] {
    const format::PortableParameters parameters = format::from_words(words);
    if (parameters.elements() > most_dense_bytes / parameters.element_bytes) return;
    repair(data[0], chunk);
    use(chunk::PortableFormat(parameters), chunk, (data[0] & store_without_filter) == 0);
  });
  return 0;
}
