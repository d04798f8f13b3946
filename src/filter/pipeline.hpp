// SPDX-License-Identifier: Apache-2.0
//
// The filters of a dataset or heap, in order.
#pragma once

#include <cstdint>
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

/// A filter as the file asks for it.
struct FilterSpec {
  std::uint16_t id = 0;
  std::string name;       ///< as in the file, may be empty
  bool optional = false;  ///< a chunk may be stored without it
  std::vector<std::uint32_t> params;
};

/// Filters bound to a chunk shape. Immutable; every call may run on any thread.
///
/// A filter that the registry lacks is no error until a chunk needs it: chunks that were stored
/// without it can be read, and where it is optional new chunks are stored without it.
class Pipeline {
 public:
  /// No filters: bytes pass unchanged.
  Pipeline() = default;
  /// Throws Error when parameters make no sense, or for more than 32 filters (a mask has 32 bits).
  Pipeline(std::span<const FilterSpec> specs, const ElementLayout& layout,
           FilterRegistry& registry = shared_registry());

  bool empty() const { return stages_.empty(); }
  std::size_t size() const { return stages_.size(); }
  /// Whether a chunk that was stored with this mask needs a filter that is not there.
  bool lacks_filter(std::uint32_t mask) const;

  /// Runs the filters first to last. Sets bit i of `mask` when filter i, being optional, failed or gained
  /// nothing and was skipped. A failure of any other filter is thrown. The result is in `room`, or `plain`
  /// itself where no filter did anything.
  Bytes encode(Bytes plain, std::uint32_t& mask, Workspace& room) const;
  Buffer encode(Bytes plain, std::uint32_t& mask) const;

  /// Runs the filters last to first, without those in `mask` (optional or not: real files have
  /// both). The result has exactly `expected_bytes`, or Error(corrupt) is thrown.
  Bytes decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes, Workspace& room) const;
  Buffer decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes) const;
  /// The same with the result in `plain`, whose size is the one that is expected. The last filter puts it
  /// there by itself if it can. After a failure there is anything in it.
  void decode_into(Bytes stored, std::uint32_t mask, MutableBytes plain) const;

 private:
  enum class Direction { encode, decode };

  struct Stage {
    std::uint16_t id;
    std::string name;
    bool optional;
    std::optional<Error> missing;        ///< what to throw where a chunk needs what is not there
    std::shared_ptr<const Filter> kind;  ///< kept while `filter` may need it
    std::unique_ptr<const BoundFilter> filter;
  };

  static Stage make_stage(const FilterSpec& spec, const ElementLayout& layout, FilterRegistry& registry);
  /// `last`, where given, has the result of the last filter.
  Bytes run(Direction direction, Bytes bytes, std::uint32_t& mask, std::size_t plain_bytes, Workspace& room,
            Workspace* last = nullptr) const;
  static void require_size(Bytes stored, std::size_t bytes, std::size_t expected_bytes);
  Bytes run_stage(Direction direction, const Stage& stage, Bytes bytes, std::size_t max_bytes,
                  Workspace& room) const;

  std::vector<Stage> stages_;
};

}  // namespace filigree::filter
