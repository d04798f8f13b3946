// SPDX-License-Identifier: Apache-2.0
#include "high_latency_file.hpp"

#include <filigree/options.hpp>

#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/link/path.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "testing/latency_file.hpp"

namespace bench {

namespace model = filigree::model;
using filigree::Address;
using filigree::space::Selection;

HighLatencyFile::HighLatencyFile(std::vector<std::byte> image, std::uint64_t gap_bytes) {
  filigree::testing::LatencyOptions options;
  options.sleep = false;
  options.depth = 64;
  options.coalescing = filigree::io::CoalescingLimits();
  options.coalescing->read_gap_bytes = gap_bytes;
  if (gap_bytes == high_latency_gap_bytes) {
    options.coalescing->merged_bytes = 16u << 20;
    options.coalescing->staging_bytes = 64u << 20;
  }
  auto latency = std::make_unique<filigree::testing::LatencyFile>(
      std::make_unique<filigree::io::MemoryFile>(filigree::Buffer(image.begin(), image.end())), options);
  counter_ = latency.get();
  file_ = model::File::open(std::move(latency), {});
}

HighLatencyFile::~HighLatencyFile() = default;

double HighLatencyFile::round_trips() const { return counter_->round_trips(); }
void HighLatencyFile::reset() { counter_->reset(); }

Address HighLatencyFile::find(std::string_view path) {
  return model::get_object({file_, file_->root(), "/"}, path).header;
}

std::uint64_t HighLatencyFile::list(std::string_view group) {
  std::vector<Address> headers;
  model::LinkTable(*file_, find(group))
      .for_each(filigree::IndexBy::name, filigree::Direction::ascending, [&](const model::LinkMessage& link) {
        headers.push_back(link.header);
        return true;
      });
  file_->store().prefetch(headers);
  for (const Address header : headers) model::object_kind(*file_, header);
  return headers.size();
}

std::vector<float> HighLatencyFile::read(std::string_view dataset, const Selection& selection) {
  std::vector<float> values(selection.elements());
  const auto memory = Selection::all(filigree::space::Frame({values.size()}));
  model::Dataset(*file_, find(dataset))
      .read({selection, memory, filigree::format::ieee_float(4)},
            reinterpret_cast<std::byte*>(values.data()));
  return values;
}

std::vector<float> HighLatencyFile::read_defined(std::string_view dataset, const Selection& selection) {
  std::vector<float> values;
  const auto allocate = [&](std::uint64_t count) {
    values.resize(count);
    return reinterpret_cast<std::byte*>(values.data());
  };
  model::Dataset(*file_, find(dataset)).read_defined(selection, filigree::format::ieee_float(4), allocate);
  return values;
}

std::uint64_t HighLatencyFile::count_defined(std::string_view dataset, const Selection& selection) {
  return model::Dataset(*file_, find(dataset)).defined(selection).elements();
}

}  // namespace bench
