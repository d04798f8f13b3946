// SPDX-License-Identifier: Apache-2.0
//
// Filter pipelines: the filters of a dataset or heap, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <filigree/error.hpp>

#include "base/workspace.hpp"
#include "filter/filter.hpp"
#include "filter/registry.hpp"

namespace filigree::filter {

/// Whether filters compare checksums with the data that they decode.
enum class Checksums : bool { ignore, verify };

/// Asked when a filter fails to reverse `bytes`: true goes on with them unchanged, false lets the read fail.
/// *Thread safety*: it is called by any thread, by several at once.
using FilterFaultHandler = std::function<bool(std::uint16_t filter, Bytes bytes)>;

/// How a reader wants stored bytes to be decoded.
struct Decoding {
  Decoding(Checksums treated = Checksums::verify, const FilterFaultHandler* asked = nullptr)
      : checksums(treated), on_fault(asked) {}
  Checksums checksums;
  const FilterFaultHandler* on_fault;  ///< null: a filter that fails is an error
  /// Whether the result is what any other reader would get.
  bool is_usual() const { return checksums == Checksums::verify && on_fault == nullptr; }
};

/// One filter of a pipeline as the file describes it.
struct FilterSpec {
  std::uint16_t id = 0;
  std::string name;       ///< the name in the file, which may be empty
  bool optional = false;  ///< whether a chunk may be stored without it
  std::vector<std::uint32_t> params;
};

/// The filters of a dataset, bound to the shape of its chunks.
///
/// A filter that is not available, or whose parameters are invalid, is an error only for chunks that need it.
/// Chunks that were stored without it can be read. New chunks are stored without it if it is optional.
///
/// *Thread safety*: a pipeline is immutable, and all members may be called from any thread.
class Pipeline {
 public:
  /// A pipeline without filters, which returns bytes unchanged.
  Pipeline() = default;
  /// *Throws* Error for more than 32 filters: a filter mask has 32 bits.
  Pipeline(std::span<const FilterSpec> specs, const ElementLayout& layout,
           FilterRegistry& registry = shared_registry());

  bool empty() const { return stages_.empty(); }
  std::size_t size() const { return stages_.size(); }
  /// Whether a chunk with this filter mask needs a filter that is not available, or cannot be bound.
  bool lacks_filter(std::uint32_t mask) const;

  /// Applies the filters from first to last. Sets bit i of `mask` if filter i was skipped: it is optional,
  /// and it failed or gained nothing. The result is in `workspace`, or is `unfiltered` itself if no filter
  /// was applied. *Throws* the failure of a filter that is not optional.
  Bytes encode(Bytes unfiltered, std::uint32_t& mask, Workspace& workspace) const;
  Buffer encode(Bytes unfiltered, std::uint32_t& mask) const;
  /// Does the same without the filters that `mask` has when it is called.
  Buffer encode_without(Bytes unfiltered, std::uint32_t& mask) const;

  /// Reverses the filters from last to first, without those in `mask`, whether they are optional or not.
  /// *Throws* Error(corrupt) unless the result has exactly `expected_bytes`. If Decoding::on_fault let a
  /// filter be skipped, the result is cut, or filled up with zeros.
  Bytes decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes, Workspace& workspace,
               Decoding how = {}) const;
  Buffer decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes, Decoding how = {}) const;
  /// Decodes bytes whose unfiltered size is unknown: at most `most_bytes`, which filters that count elements
  /// take for the size. *Throws* Error also for more than 4,096 bytes per stored byte, or 1 MiB if that is
  /// more. So damaged bytes cannot demand more memory.
  Buffer decode_unsized(Bytes stored, std::uint32_t mask, std::size_t most_bytes) const;
  /// As decode(), with the result in `unfiltered`, which has the expected size. The last filter writes there
  /// directly if it can. After a failure, the content of `unfiltered` is unspecified.
  void decode_into(Bytes stored, std::uint32_t mask, MutableBytes unfiltered, Decoding how = {}) const;

 private:
  enum class Direction { encode, decode, decode_unverified };
  /// One application of the filters: which way, what to ask about faults, and whether a fault was accepted.
  struct Run {
    Direction direction = Direction::encode;
    const FilterFaultHandler* on_fault = nullptr;
    bool accepted_fault = false;
  };
  static Run decoding(Decoding how) {
    return {how.checksums == Checksums::verify ? Direction::decode : Direction::decode_unverified,
            how.on_fault};
  }

  struct Stage {
    std::uint16_t id;
    std::string name;
    bool optional;
    std::optional<Error> unusable;       ///< the error for chunks that need a filter that cannot be applied
    std::shared_ptr<const Filter> kind;  ///< keeps the implementation of `filter` alive
    std::unique_ptr<const BoundFilter> filter;
  };

  static Stage make_stage(const FilterSpec& spec, const ElementLayout& layout, FilterRegistry& registry);
  /// Applies all filters. If `last` is given, it receives the result of the last filter.
  Bytes run(Run& how, Bytes bytes, std::uint32_t& mask, std::size_t unfiltered_bytes, Workspace& workspace,
            Workspace* last = nullptr) const;
  /// Whether the failure of a filter is none of the whole run.
  static bool may_go_on(Run& how, const Stage& stage, Bytes bytes);
  static void require_size(Bytes stored, std::size_t bytes, std::size_t expected_bytes);
  Bytes run_stage(Direction direction, const Stage& stage, Bytes bytes, std::size_t max_bytes,
                  Workspace& workspace) const;

  std::vector<Stage> stages_;
};

}  // namespace filigree::filter
