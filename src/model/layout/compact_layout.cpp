// SPDX-License-Identifier: Apache-2.0
#include "model/layout/compact_layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "format/codec/codec.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/fill.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/flat_layout.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

/// The size of a layout message without the elements.
constexpr std::uint64_t compact_prefix_bytes = 4;

/// Compact storage in the object header.
class CompactBytes : public DataBytes {
 public:
  explicit CompactBytes(const Dataset& dataset)
      : dataset_(dataset), bytes_(dataset.messages().layout.compact_data) {
    bytes_.resize(dataset.messages().data_bytes);
  }
  void read(std::span<const io::ReadExtent> extents) const override {
    for (const auto& e : extents)
      std::copy_n(bytes_.begin() + position(e.offset), e.into.size(), e.into.begin());
  }
  void write(std::span<const io::WriteExtent> extents) override {
    Buffer changed = bytes_;
    for (const auto& e : extents)
      std::copy(e.from.begin(), e.from.end(), changed.begin() + position(e.offset));
    store_compact(dataset_, changed);
    bytes_ = std::move(changed);
  }
  void require(std::uint64_t, std::uint64_t) const override {}

 private:
  static std::ptrdiff_t position(std::uint64_t offset) { return static_cast<std::ptrdiff_t>(offset); }
  const Dataset& dataset_;
  Buffer bytes_;
};

/// Elements in the layout message of the header.
class CompactLayout final : public FlatLayout {
 public:
  void check_new(File&, const NewDataset& made, std::uint64_t bytes) const override {
    if (const std::size_t dim = find_extendible(made); dim < made.space.dims.size())
      refuse_extendible(made, dim, "a compact dataset cannot grow");
    require(made.allocation == format::AllocationTime::by_layout ||
                made.allocation == format::AllocationTime::early,
            "compact datasets are always allocated early");
    constexpr std::uint64_t most = store::ObjectHeader::largest_body - compact_prefix_bytes;
    if (bytes > most) {
      throw Error(ErrorKind::limit,
                  fmt::format("a compact dataset of {} bytes is larger than the {} that a header can hold",
                              bytes, most));
    }
  }
  format::AllocationTime usual_allocation() const override { return format::AllocationTime::early; }
  void describe_new(File& file, const NewDataset&, DatasetMessages& messages) const override {
    messages.layout.compact_data = make_fill(file, messages, messages.elements);
  }
  void check(const DatasetMessages& messages, Address header) const override {
    if (messages.layout.compact_data.size() == messages.data_bytes) return;
    contradict(header, fmt::format("it stores {} bytes in its header, but its elements need {}",
                                   messages.layout.compact_data.size(), messages.data_bytes));
  }
  std::optional<StoredElements> stored_elements(const DatasetMessages& messages) const override {
    if (messages.layout.compact_data.size() != messages.data_bytes) return std::nullopt;
    return StoredElements{Address::undefined, messages.layout.compact_data};
  }
  ParallelWrite parallel_write(const DatasetMessages&) const override {
    return {ParallelWrite::Form::gathered, "a compact dataset"};
  }
  std::uint64_t stored_bytes(const Dataset& dataset) const override { return dataset.messages().data_bytes; }
  format::LayoutMessage copy_to(const Dataset& dataset, File& to) const override {
    format::LayoutMessage layout = dataset.messages().layout;
    copy_heap_values(dataset.file(), to, dataset.messages().type, layout.compact_data);
    return layout;
  }
  void for_each_value(const Dataset& dataset, FunctionRef<void(Bytes)> use) const override {
    if (dataset.messages().data_bytes != 0) use(dataset.messages().layout.compact_data);
  }

 protected:
  std::unique_ptr<DataBytes> open_for_reading(const Dataset& dataset) const override {
    return std::make_unique<CompactBytes>(dataset);
  }
  std::unique_ptr<DataBytes> open_for_writing(const Dataset& dataset, bool) const override {
    return std::make_unique<CompactBytes>(dataset);
  }
};

}  // namespace

const Layout& compact_layout() {
  static const Immortal<CompactLayout> layout;
  return *layout;
}

void store_compact(const Dataset& dataset, Buffer elements) {
  const DatasetMessages& messages = dataset.messages();
  if (messages.layout.layout != format::LayoutClass::compact || elements.size() != messages.data_bytes)
    throw Error(ErrorKind::internal, "compact elements that do not fit their dataset");
  File& file = dataset.file();
  format::LayoutMessage layout = messages.layout;
  layout.compact_data = std::move(elements);
  replace_body(file, dataset.header(), format::MessageType::layout,
               format::encode(layout, file.store().widths()));
  touch(file, dataset.header());
}

}  // namespace filigree::model
