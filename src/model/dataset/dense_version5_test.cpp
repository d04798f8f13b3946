// SPDX-License-Identifier: Apache-2.0
//
// Dense filtered chunks of layout version 5. HDF5 2.0 stores sizes in as many bytes as lengths have. A
// prototype of structured chunks kept the narrower sizes of version 4. The record size in the index tells
// which.
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/btrees/btree2.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "format/codec/codec.hpp"
#include "model/dataset/copy.hpp"
#include "model/dataset/test_parts.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using format::ChunkIndexType;
using format::LayoutMessage;
using format::MessageType;

class DenseVersion5 : public ::testing::TestWithParam<ChunkIndexType> {
 protected:
  std::shared_ptr<File> file_ = make_file({}, Version::v1_10);

  Address create() {
    NewDataset made = plain({10, 10});
    const std::uint64_t any = format::unlimited;
    if (GetParam() == ChunkIndexType::extensible_array) made.space.max_dims = Dims{any, 10};
    if (GetParam() == ChunkIndexType::btree_v2) made.space.max_dims = Dims{any, any};
    made.layout = format::LayoutClass::chunked;
    made.chunk = GetParam() == ChunkIndexType::single_chunk ? Dims{10, 10} : Dims{5, 5};
    made.filters = {{1, 1, "", {6}, 0}};
    return create_dataset(*file_, made);
  }
  void settle() {
    file_->chunks().flush();
    file_->chunks().refresh();
    file_->flush();
    file_->store().cache().drop_clean();
  }
  void write(Address header, std::int32_t first) {
    Ints values(100);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<std::int32_t>(i);
    const auto all = space::Selection::all(space::Frame({10, 10}));
    const format::DatatypeMessage type = format::fixed_point(4, true);
    Dataset(*file_, header).write({all, all, type}, reinterpret_cast<const std::byte*>(values.data()));
    settle();
  }
  Ints read(Address header) {
    Ints values(100);
    const auto all = space::Selection::all(space::Frame({10, 10}));
    const format::DatatypeMessage type = format::fixed_point(4, true);
    Dataset(*file_, header).read({all, all, type}, reinterpret_cast<std::byte*>(values.data()));
    return values;
  }
  LayoutMessage layout(Address header) {
    return format::decode<LayoutMessage>(get_message(*file_, header, MessageType::layout), {}, header);
  }
  void set_version5(Address header) {
    LayoutMessage changed = layout(header);
    EXPECT_EQ(changed.version, 4);
    EXPECT_EQ(changed.index, GetParam());
    changed.version = 5;
    store::ObjectHeader(file_->store(), header)
        .set(MessageType::layout, 0, format::encode(changed, format::Widths{}));
    settle();
  }
  /// The size that the index stores, without the coordinates of B-trees.
  unsigned record_bytes(Address header) {
    const Address at = layout(header).address;
    const Buffer bytes = file_->store().read(at, 60, "an index header");
    switch (GetParam()) {
      case ChunkIndexType::fixed_array:
        return format::decode<format::FixedArrayHeader>(bytes, {}).element_bytes;
      case ChunkIndexType::extensible_array:
        return std::to_integer<unsigned>(bytes[6]);
      default:
        return format::decode<format::BTree2Header>(bytes, {}).record_bytes - 16u;
    }
  }
  bool has_records() const { return GetParam() != ChunkIndexType::single_chunk; }

  void expect_use(Address header, unsigned bytes) {
    if (has_records()) {
      EXPECT_EQ(record_bytes(header), bytes);
    }
    EXPECT_EQ(read(header)[99], 99);
    write(header, 1000);
    EXPECT_EQ(read(header)[99], 1099);
    EXPECT_EQ(layout(header).version, 5);
    const Dataset source(*file_, header);
    const Address copy = copy_dataset(source, *file_, source.messages().type, Address::undefined);
    settle();
    EXPECT_EQ(read(copy)[99], 1099);
    EXPECT_EQ(layout(copy).version, 5);
    if (has_records()) {
      EXPECT_EQ(record_bytes(copy), 20u) << "copies are those of HDF5 2.0";
    }
  }
};

TEST_P(DenseVersion5, HasSizesAsWideAsLengths) {
  const Address header = create();
  set_version5(header);
  write(header, 0);
  expect_use(header, 20);
}

TEST_P(DenseVersion5, IsReadAndExtendedWithNarrowSizes) {
  const Address header = create();
  write(header, 0);
  set_version5(header);
  expect_use(header, 14);
}

INSTANTIATE_TEST_SUITE_P(Indexes, DenseVersion5,
                         ::testing::Values(ChunkIndexType::single_chunk, ChunkIndexType::fixed_array,
                                           ChunkIndexType::extensible_array, ChunkIndexType::btree_v2));

}  // namespace
}  // namespace filigree::model
