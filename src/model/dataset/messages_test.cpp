// SPDX-License-Identifier: Apache-2.0
//
// The decoded messages of a dataset are cached with its header, and dropped with every change of it.
#include "model/dataset/messages.hpp"

#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/test_parts.hpp"
#include "model/dataset/transfer.hpp"
#include "model/layout/compact_layout.hpp"
#include "model/layout/contiguous_layout.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

using Dims = std::vector<std::uint64_t>;

NewDataset chunked(Dims dims) {
  NewDataset made = plain(std::move(dims));
  made.space.max_dims = Dims(made.space.dims.size(), format::unlimited);
  made.layout = format::LayoutClass::chunked;
  made.chunk = {4, 4};
  return made;
}

void read_element(File& file, Address header) {
  const space::Frame frame(Dataset(file, header).extent().dims);
  const auto one = space::Selection::of_points(frame, {3});
  const auto all = space::Selection::all(space::Frame({1}));
  std::int32_t value = -1;
  Dataset(file, header).read({one, all, format::fixed_point(4, true)}, reinterpret_cast<std::byte*>(&value));
  EXPECT_EQ(value, 0);
}

TEST(DatasetMessages, AreDecodedOnceForAnyNumberOfReads) {
  const auto file = make_file();
  const Address header = create_dataset(*file, chunked({8, 8}));
  EXPECT_EQ(find_messages(*file, header), nullptr);
  read_element(*file, header);
  const auto known = find_messages(*file, header);
  ASSERT_NE(known, nullptr);
  read_element(*file, header);
  Dataset(*file, header).extent();
  EXPECT_EQ(load_messages(*file, header), known);
}

TEST(DatasetMessages, AreDecodedAgainAfterAResize) {
  const auto file = make_file();
  const Address header = create_dataset(*file, chunked({8, 8}));
  const auto before = load_messages(*file, header);
  Dataset(*file, header).resize({12, 8});
  EXPECT_EQ(find_messages(*file, header), nullptr);
  EXPECT_EQ(Dataset(*file, header).extent().dims, (Dims{12, 8}));
  EXPECT_EQ(load_messages(*file, header)->elements, 96u);
  EXPECT_EQ(before->elements, 64u);  // whoever holds the old messages keeps them
}

TEST(DatasetMessages, AreDecodedAgainAfterAnyOtherChangeOfTheHeader) {
  const auto file = make_file();
  const Address header = create_dataset(*file, plain());
  load_messages(*file, header);
  const auto attribute =
      make_attribute(*file, "a", format::fixed_point(4, true), extent({1}), Address::undefined);
  AttributeTable(*file, header).insert(attribute);
  EXPECT_EQ(find_messages(*file, header), nullptr);
  EXPECT_EQ(load_messages(*file, header)->elements, 200u);
  const auto layout = allocate_contiguous(Dataset(*file, header), false);
  EXPECT_EQ(load_messages(*file, header)->layout.address, layout.address);
}

TEST(DatasetMessages, GoWithTheHeader) {
  const auto file = make_file();
  const Address header = create_dataset(*file, plain());
  load_messages(*file, header);
  drop_link_to(*file, header);
  EXPECT_THROW(load_messages(*file, header), Error);
}

TEST(DatasetMessages, OfAnotherObjectAreAnError) {
  const auto file = make_file();
  EXPECT_THROW(load_messages(*file, file->root()), Error);
  EXPECT_EQ(find_messages(*file, file->root()), nullptr);
}

}  // namespace
}  // namespace filigree::model
