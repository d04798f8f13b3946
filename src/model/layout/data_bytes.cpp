// SPDX-License-Identifier: Apache-2.0
#include "model/layout/data_bytes.hpp"

#include <algorithm>
#include <cstring>

#include <filigree/error.hpp>

namespace filigree::model {
namespace {

/// Unallocated storage: every element is the fill value.
class FillBytes : public DataBytes {
 public:
  FillBytes(Bytes value, std::uint32_t element_bytes) : bytes_(element_bytes) {
    if (std::ranges::any_of(value, [](std::byte b) { return b != std::byte{0}; }))
      value_.assign(value.begin(), value.end());
  }
  void read(std::span<const io::ReadExtent> extents) const override {
    for (const auto& e : extents) fill(e);
  }
  void write(std::span<const io::WriteExtent>) override {
    throw Error(ErrorKind::internal, "writing to a dataset without storage");
  }
  void require(std::uint64_t, std::uint64_t) const override {}
  bool stores(std::uint64_t, std::uint64_t) const override { return false; }

 private:
  void fill(const io::ReadExtent& e) const {
    if (value_.empty()) {
      std::ranges::fill(e.into, std::byte{0});
      return;
    }
    std::uint64_t phase = e.offset % bytes_;
    for (std::size_t done = 0; done < e.into.size();) {
      const std::size_t n = std::min<std::size_t>(e.into.size() - done, bytes_ - phase);
      std::memcpy(e.into.data() + done, value_.data() + phase, n);
      done += n;
      phase = 0;
    }
  }
  std::uint32_t bytes_;
  Buffer value_;  ///< empty for zeros
};

}  // namespace

std::unique_ptr<DataBytes> make_fill_bytes(const DatasetMessages& messages) {
  return std::make_unique<FillBytes>(messages.fill.value, messages.type.size);
}

}  // namespace filigree::model
