// SPDX-License-Identifier: Apache-2.0
#include "model/layout/data_bytes.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "io/selection.hpp"
#include "model/file/file.hpp"
#include "model/layout/external_bytes.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

/// Contiguous storage in the file.
class ContiguousBytes : public DataBytes {
 public:
  ContiguousBytes(store::FileStore& store, Address at, std::uint64_t bytes)
      : store_(store), at_(at), bytes_(bytes) {}

  void read(std::span<const io::ReadExtent> extents) const override { store_.read_raw(at_, extents); }
  void write(std::span<const io::WriteExtent> extents) override { store_.write_raw(at_, extents); }
  void require(std::uint64_t offset, std::uint64_t bytes) const override {
    const std::uint64_t held = store_.available(at_);
    if (offset <= held && bytes <= held - offset) return;
    throw Error(ErrorKind::truncated, fmt::format("its data at {} needs {} bytes, the file holds {} there",
                                                  to_string(at_), offset + bytes, held));
  }
  bool read_selected(const space::Matched& elements, std::uint32_t element_bytes,
                     std::byte* memory) const override {
    if (store_.available(at_) < bytes_) return false;
    const std::uint64_t memory_bytes = elements.memory.frame().elements() * element_bytes;
    return store_.read_selections(
        at_, {elements.file, elements.memory, 0, element_bytes, MutableBytes(memory, memory_bytes)});
  }
  bool write_selected(const space::Matched& elements, std::uint32_t element_bytes,
                      const std::byte* memory) override {
    const std::uint64_t memory_bytes = elements.memory.frame().elements() * element_bytes;
    return store_.write_selections(
        at_, {elements.file, elements.memory, 0, element_bytes, Bytes(memory, memory_bytes)}, bytes_);
  }
  void abandon() override { store_.reach(to_number(at_) + bytes_); }

 private:
  store::FileStore& store_;
  Address at_;
  std::uint64_t bytes_;
};

/// Compact storage in the object header.
class CompactBytes : public DataBytes {
 public:
  CompactBytes(File& file, Address header, const DatasetMessages& parts)
      : file_(file), header_(header), parts_(parts), bytes_(parts.layout.compact_data) {
    bytes_.resize(parts.data_bytes);
  }
  void read(std::span<const io::ReadExtent> extents) const override {
    for (const auto& e : extents)
      std::copy_n(bytes_.begin() + position(e.offset), e.into.size(), e.into.begin());
  }
  void write(std::span<const io::WriteExtent> extents) override {
    Buffer changed = bytes_;
    for (const auto& e : extents)
      std::copy(e.from.begin(), e.from.end(), changed.begin() + position(e.offset));
    store_compact(file_, header_, parts_, changed);
    bytes_ = std::move(changed);
  }
  void require(std::uint64_t, std::uint64_t) const override {}

 private:
  static std::ptrdiff_t position(std::uint64_t offset) { return static_cast<std::ptrdiff_t>(offset); }
  File& file_;
  Address header_;
  const DatasetMessages& parts_;
  Buffer bytes_;
};

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

[[noreturn]] void refuse_layout(const DatasetMessages& parts) {
  const char* what = parts.layout.layout == format::LayoutClass::chunked ? "chunked" : "virtual";
  throw Error(ErrorKind::internal, fmt::format("{} data is not in one piece", what));
}

bool plain(const DatasetMessages& parts) {
  return parts.layout.layout == format::LayoutClass::compact ||
         parts.layout.layout == format::LayoutClass::contiguous;
}

}  // namespace

std::unique_ptr<DataBytes> open_for_reading(File& file, Address header, const DatasetMessages& parts) {
  if (!plain(parts)) refuse_layout(parts);
  if (parts.layout.layout == format::LayoutClass::compact)
    return std::make_unique<CompactBytes>(file, header, parts);
  if (!parts.external.empty()) return open_external(file, header, parts.external, false);
  if (is_valid(parts.layout.address))
    return std::make_unique<ContiguousBytes>(file.store(), parts.layout.address, parts.data_bytes);
  if (parts.fill.write == format::FillTime::never) return nullptr;
  if (parts.fill.state == format::FillState::undefined)
    throw Error(ErrorKind::not_found, "nothing has been written to it, and it has no fill value");
  return std::make_unique<FillBytes>(parts.fill.value, parts.type.size);
}

std::unique_ptr<DataBytes> make_fill_bytes(const DatasetMessages& parts) {
  return std::make_unique<FillBytes>(parts.fill.value, parts.type.size);
}

std::unique_ptr<DataBytes> open_for_writing(File& file, Address header, const DatasetMessages& parts,
                                            bool covers_all) {
  if (!plain(parts)) refuse_layout(parts);
  if (parts.layout.layout == format::LayoutClass::compact)
    return std::make_unique<CompactBytes>(file, header, parts);
  if (!parts.external.empty()) return open_external(file, header, parts.external, true);
  const Address at = is_valid(parts.layout.address)
                         ? parts.layout.address
                         : allocate_contiguous(file, header, parts, covers_all).address;
  return std::make_unique<ContiguousBytes>(file.store(), at, parts.data_bytes);
}

}  // namespace filigree::model
