// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/dataset.hpp"
#include "model/dataset/create.hpp"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "model/dataset/test_parts.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/compact_layout.hpp"
#include "model/layout/contiguous_layout.hpp"
#include "model/link/link_table.hpp"
#include "model/object/copy.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "testing/hex.hpp"

namespace filigree::model {
namespace {

using format::AllocationTime;
using format::FillState;
using format::FillTime;
using format::LayoutClass;
using format::MessageType;
using ::testing::Each;
using ::testing::HasSubstr;

void link(File& file, Address header, const std::string& name) {
  LinkMessage message;
  message.name = name;
  message.header = header;
  LinkTable(file, file.root()).insert(message);
}

Address copy_of(const std::shared_ptr<File>& from, Address header, File& to) {
  return copy_object({from, header, "/d"}, to, {});
}

Buffer read_all(File& file, const format::LayoutMessage& layout, std::uint64_t bytes) {
  return file.store().read(layout.address, bytes, "elements");
}

/// Elements that refer to fresh heap objects with these texts; an empty one refers to nothing.
Buffer stored_strings(File& file, const std::vector<std::string>& texts) {
  Buffer elements(16 * texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    const auto id = file.global_heap().insert(as_bytes(texts[i]));
    store_heap_value(&elements[16 * i],
                     {static_cast<std::uint32_t>(texts[i].size()), id.collection, id.index}, 8);
  }
  return elements;
}

std::string heap_text(File& file, Bytes elements, std::size_t i) {
  const HeapValue value = load_heap_value(&elements[16 * i], 8);
  return std::string(as_text(file.global_heap().get(value.collection, value.index)));
}

TEST(Dataset, LoadsWhatItWasCreatedWith) {
  const auto file = make_file();
  NewDataset made = plain({3, 4});
  made.fill_state = FillState::user;
  made.fill = testing::from_hex("01020304");
  made.fill_time = FillTime::on_allocation;
  made.committed = create_committed_datatype(*file, made.type);
  const DatasetMessages parts = *load_messages(*file, create_dataset(*file, made));
  EXPECT_TRUE(format::same_type(parts.type, made.type));
  EXPECT_EQ(parts.committed, made.committed);
  EXPECT_EQ(parts.space.dims, made.space.dims);
  EXPECT_EQ(parts.fill.value, made.fill);
  EXPECT_EQ(parts.fill.state, FillState::user);
  EXPECT_EQ(parts.fill.write, FillTime::on_allocation);
  EXPECT_EQ(parts.fill.allocation, AllocationTime::late);
  EXPECT_EQ(parts.elements, 12u);
  EXPECT_EQ(parts.data_bytes, 48u);
  EXPECT_FALSE(is_valid(parts.layout.address));
}

TEST(Dataset, LoadsAGroupWithAnErrorThatSaysWhatItIs) {
  const auto file = make_file();
  try {
    load_messages(*file, file->root());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::wrong_type);
    EXPECT_THAT(error.what(), HasSubstr("group"));
  }
}

TEST(Dataset, TakesTheOldFillValueMessageWhereThereIsNoOther) {
  const auto file = make_file();
  NewDataset made = plain();
  made.fill_state = FillState::user;
  made.fill = testing::from_hex("09000000");
  const Address header = create_dataset(*file, made);
  store::ObjectHeader(file->store(), header).remove(MessageType::fill_value);
  const DatasetMessages parts = *load_messages(*file, header);
  EXPECT_EQ(parts.fill.state, FillState::user);
  EXPECT_EQ(parts.fill.value, made.fill);
  EXPECT_EQ(parts.fill.allocation, AllocationTime::late);
}

TEST(Dataset, ThatIsAllocatedEarlyHoldsFillValues) {
  const auto file = make_file();
  NewDataset made = plain({300000});  // more than a tile
  made.allocation = AllocationTime::early;
  made.fill_state = FillState::user;
  made.fill = testing::from_hex("07000000");
  const DatasetMessages parts = *load_messages(*file, create_dataset(*file, made));
  const Buffer elements = read_all(*file, parts.layout, parts.data_bytes);
  for (std::size_t at = 0; at < elements.size(); at += 4) ASSERT_EQ(load_word(&elements[at], 4), 7u) << at;
}

/// A file whose free space is full of ones.
std::shared_ptr<File> make_dirty_file() {
  const auto file = make_file();
  const Address used = create_dataset(*file, plain({4096}));
  const Address keep = create_dataset(*file, plain({4}));
  const auto layout = allocate_contiguous(Dataset(*file, used), true);
  file->store().write(layout.address, Buffer(4 * 4096, std::byte{0xff}));
  allocate_contiguous(Dataset(*file, keep), false);
  file->flush();
  drop_link_to(*file, used);
  return file;
}

TEST(Dataset, InReusedSpaceShowsZerosNotOldBytes) {
  const auto file = make_dirty_file();
  const Address header = create_dataset(*file, plain({1000}));
  const DatasetMessages parts = *load_messages(*file, header);
  const auto layout = allocate_contiguous(Dataset(*file, header), false);
  EXPECT_THAT(read_all(*file, layout, 4000), Each(std::byte{0}));
}

TEST(Dataset, ThatIsAboutToBeCoveredIsNotFilled) {
  const auto file = make_dirty_file();
  const Address header = create_dataset(*file, plain({1000}));
  const auto layout = allocate_contiguous(Dataset(*file, header), true);
  EXPECT_THAT(read_all(*file, layout, 4000), Each(std::byte{0xff}));
}

TEST(Dataset, OfStringsIsZeroedEvenWhenAboutToBeCovered) {
  const auto file = make_dirty_file();
  const Address header = create_dataset(*file, strings(100));
  const auto layout = allocate_contiguous(Dataset(*file, header), true);
  EXPECT_THAT(read_all(*file, layout, 1600), Each(std::byte{0}));
}

TEST(Dataset, KeepsItsSpaceOnceItHasSome) {
  const auto file = make_file();
  const Address header = create_dataset(*file, plain());
  const auto first = allocate_contiguous(Dataset(*file, header), false);
  const auto second = allocate_contiguous(Dataset(*file, header), false);
  EXPECT_TRUE(is_valid(first.address));
  EXPECT_EQ(first.address, second.address);
  EXPECT_EQ(load_messages(*file, header)->layout.address, first.address);
}

TEST(Dataset, WithoutElementsNeverGetsSpace) {
  const auto file = make_file();
  NewDataset made = plain({0, 20});
  made.allocation = AllocationTime::early;
  const Address header = create_dataset(*file, made);
  EXPECT_FALSE(is_valid(allocate_contiguous(Dataset(*file, header), false).address));
}

TEST(Dataset, TooLargeForTheDeviceFailsAtAllocationAndCanBeUsedAfterwards) {
  const auto file = make_file();
  const Address header = create_dataset(*file, plain({1ull << 40}));
  const std::uint64_t end = file->store().space().end_of_allocation();
  EXPECT_THROW(allocate_contiguous(Dataset(*file, header), false), Error);
  EXPECT_LE(file->store().space().end_of_allocation(), end);
  EXPECT_FALSE(is_valid(load_messages(*file, header)->layout.address));
  file->close();
}

TEST(Dataset, StoresCompactElements) {
  const auto file = make_file();
  NewDataset made = plain({3});
  made.layout = LayoutClass::compact;
  const Address header = create_dataset(*file, made);
  const Buffer elements = testing::from_hex("010000000200000003000000");
  store_compact(Dataset(*file, header), elements);
  EXPECT_EQ(load_messages(*file, header)->layout.compact_data, elements);
}

TEST(Dataset, WithExternalFilesIsResizedWithinThem) {
  const auto file = make_file();
  NewDataset made = plain({10, 20});
  made.space.max_dims = {{20, 20}};
  made.external = {{"a", 8, 800}, {"b", 0, 800}};
  const Address header = create_dataset(*file, made);
  Dataset(*file, header).resize({20, 20});
  const DatasetMessages parts = *load_messages(*file, header);
  EXPECT_EQ(parts.space.dims, (std::vector<std::uint64_t>{20, 20}));
  EXPECT_EQ(parts.external.at(1).path, "b");
  EXPECT_EQ(parts.layout.contiguous_bytes, 800u);  // as HDF5 leaves it
  EXPECT_THROW(Dataset(*file, header).resize({21, 20}), Error);
  EXPECT_THROW(Dataset(*file, header).resize({20}), Error);
  EXPECT_THROW(Dataset(*file, create_dataset(*file, plain())).resize({1, 1}), Error);
}

TEST(Dataset, SharesItsMessagesWhereTheFileTracksThem) {
  CreateOptions options;
  options.shared_messages = {
      {{SharedMessage::dataspace, SharedMessage::datatype, SharedMessage::fill_value}, 1}};
  const auto file = make_file(options);
  NewDataset made = plain();
  made.space.max_dims = {{30, 20}};
  made.external = {{"a", 0, format::unlimited}};
  const Address first = create_dataset(*file, made);
  const Address second = create_dataset(*file, made);
  Dataset(*file, first).resize({30, 20});
  EXPECT_EQ(load_messages(*file, first)->elements, 600u);
  EXPECT_EQ(load_messages(*file, second)->elements, 200u);
  drop_link_to(*file, first);
  EXPECT_EQ(load_messages(*file, second)->type.size, 4u);
  drop_link_to(*file, second);
}

TEST(Dataset, CountsAsUserOfItsCommittedType) {
  const auto file = make_file();
  NewDataset made = plain();
  made.committed = create_committed_datatype(*file, made.type);
  const Address header = create_dataset(*file, made);
  EXPECT_EQ(object_info(*file, made.committed).link_count, 2u);
  drop_link_to(*file, header);
  EXPECT_EQ(object_info(*file, made.committed).link_count, 1u);
}

TEST(DamagedDataset, IsRefusedWithTheContradiction) {
  const auto file = make_file({}, Version::v1_8);
  NewDataset made = plain({3});
  made.external = {{"a", 0, 12}};
  const Address outside = create_dataset(*file, made);
  made.external.clear();
  const Address inside = create_dataset(*file, made);
  allocate_contiguous(Dataset(*file, inside), false);
  made.layout = LayoutClass::compact;
  const Address compact = create_dataset(*file, made);
  const auto expect = [&](Address header, MessageType type, const char* body, const char* says) {
    store::ObjectHeader handle(file->store(), header);
    const Buffer good = handle.find(type).value();
    handle.set(type, 0, testing::from_hex(body));
    try {
      load_messages(*file, header);
      ADD_FAILURE() << "loaded: " << says;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(says));
    }
    handle.set(type, 0, good);
    EXPECT_NO_THROW(load_messages(*file, header));
  };
  expect(inside, MessageType::fill_value, "032a 03000000 010203", "fill value has 3 bytes");
  expect(inside, MessageType::layout, "0301 0008000000000000 0b00000000000000", "storage has 11 bytes");
  expect(compact, MessageType::layout, "0300 0b00 11*00", "11 bytes in its header");
  expect(compact, MessageType::layout, "0300 0d00 13*00", "13 bytes in its header");
  const std::string heap = testing::to_hex(
      Bytes(store::ObjectHeader(file->store(), outside).find(MessageType::external_files).value())
          .subspan(8, 8));
  const auto names = [&](const char* entry) { return "01000000 0100 0100" + heap + entry; };
  expect(outside, MessageType::external_files,
         names("0800000000000000 0000000000000000 0b00000000000000").c_str(), "hold 11 bytes");
  expect(outside, MessageType::external_files,
         names("0000000000000000 0000000000000000 0c00000000000000").c_str(), "no name");
  expect(outside, MessageType::external_files,
         names("ff00000000000000 0000000000000000 0c00000000000000").c_str(), "heap");
}

TEST(DamagedDataset, BeyondTheEndOfTheFileCanStillBeLookedAt) {
  const auto file = make_file({}, Version::v1_8);
  const Address header = create_dataset(*file, plain({3}));
  store::ObjectHeader(file->store(), header)
      .set(MessageType::layout, 0, testing::from_hex("0301 0000000100000000 0c00000000000000"));
  const DatasetMessages parts = *load_messages(*file, header);
  EXPECT_EQ(parts.elements, 3u);
  EXPECT_LT(file->store().available(parts.layout.address), parts.data_bytes);
  EXPECT_THROW(copy_of(file, header, *file), Error);
}

TEST(DeletedDataset, FreesElementsAndTheirHeapObjects) {
  const auto file = make_file();
  const Address header = create_dataset(*file, strings(3));
  const auto layout = allocate_contiguous(Dataset(*file, header), false);
  const Buffer elements = stored_strings(*file, {"one", "", "three"});
  file->store().write(layout.address, elements);
  const HeapValue value = load_heap_value(elements.data(), 8);
  drop_link_to(*file, header);
  EXPECT_THROW(file->global_heap().get(value.collection, value.index), Error);
}

TEST(DeletedDataset, FreesTheGoodOnesAmongDamagedElements) {
  const auto file = make_file();
  const Address header = create_dataset(*file, strings(3));
  const auto layout = allocate_contiguous(Dataset(*file, header), false);
  Buffer elements = stored_strings(*file, {"one", "two", "three"});
  const HeapValue last = load_heap_value(&elements[32], 8);
  store_heap_value(&elements[16], {3, to_address(1u << 30), 7}, 8);
  file->store().write(layout.address, elements);
  EXPECT_NO_THROW(drop_link_to(*file, header));
  const auto gone = [&] { file->global_heap().get(last.collection, last.index); };
  EXPECT_THROW(gone(), Error);
}

TEST(DeletedDataset, GoesEvenWhenItsLayoutIsDamaged) {
  const auto file = make_file();
  const Address header = create_dataset(*file, plain());
  store::ObjectHeader handle(file->store(), header);
  handle.set(MessageType::layout, 0, testing::from_hex("0901"));
  link(*file, header, "d");
  EXPECT_TRUE(LinkTable(*file, file->root()).remove("d"));
  EXPECT_NO_THROW(drop_link_to(*file, header));
  file->close();
}

TEST(DeletedDataset, TakesTheNamesOfItsExternalFilesAlong) {
  const auto file = make_file();
  file->flush();
  const std::uint64_t before = file->store().space().end_of_allocation() - file->reusable_bytes();
  NewDataset made = plain();
  made.external = {{"a", 0, 800}};
  drop_link_to(*file, create_dataset(*file, made));
  EXPECT_LE(file->store().space().end_of_allocation() - file->reusable_bytes(), before);
}

TEST(CopiedDataset, HasHeapObjectsOfItsOwn) {
  for (const LayoutClass layout : {LayoutClass::contiguous, LayoutClass::compact}) {
    const auto from = make_file();
    const auto to = make_file();
    NewDataset made = strings(2);
    made.layout = layout;
    const Address header = create_dataset(*from, made);
    const Buffer elements = stored_strings(*from, {"one", "two"});
    if (layout == LayoutClass::compact) {
      store_compact(Dataset(*from, header), elements);
    } else {
      const auto stored = allocate_contiguous(Dataset(*from, header), true);
      from->store().write(stored.address, elements);
    }
    const DatasetMessages copy = *load_messages(*to, copy_of(from, header, *to));
    const Buffer copied =
        layout == LayoutClass::compact ? copy.layout.compact_data : read_all(*to, copy.layout, 32);
    EXPECT_EQ(heap_text(*to, copied, 0), "one");
    EXPECT_EQ(heap_text(*to, copied, 1), "two");
  }
}

TEST(CopiedDataset, HasAFillValueInItsOwnHeap) {
  const auto from = make_file();
  const auto to = make_file();
  to->global_heap().insert(as_bytes("so that addresses differ"));
  NewDataset made = strings(2);
  made.fill_state = FillState::user;
  made.fill = stored_strings(*from, {"none"});
  const DatasetMessages copy = *load_messages(*to, copy_of(from, create_dataset(*from, made), *to));
  EXPECT_EQ(heap_text(*to, copy.fill.value, 0), "none");
}

TEST(CopiedDataset, NamesTheSameExternalFiles) {
  const auto from = make_file();
  const auto to = make_file();
  NewDataset made = plain();
  made.external = {{"a", 3, 400}, {"dir/b", 0, format::unlimited}};
  const Address header = create_dataset(*from, made);
  const Address made_copy = copy_of(from, header, *to);
  drop_link_to(*from, header);
  const DatasetMessages copy = *load_messages(*to, made_copy);
  ASSERT_EQ(copy.external.size(), 2u);
  EXPECT_EQ(copy.external[0].path, "a");
  EXPECT_EQ(copy.external[0].offset, 3u);
  EXPECT_EQ(copy.external[1].path, "dir/b");
  EXPECT_EQ(copy.external[1].bytes, format::unlimited);
}

TEST(CopiedDataset, RefersToACopyOfItsCommittedTypeEvenInOneFile) {
  const auto file = make_file();
  NewDataset made = plain();
  made.committed = create_committed_datatype(*file, made.type);
  const Address header = create_dataset(*file, made);
  const DatasetMessages copy = *load_messages(*file, copy_of(file, header, *file));
  ASSERT_TRUE(is_valid(copy.committed));
  EXPECT_NE(copy.committed, made.committed);
  EXPECT_EQ(object_info(*file, copy.committed).link_count, 1u);
  EXPECT_EQ(object_info(*file, made.committed).link_count, 2u);
}

TEST(CopiedDataset, HasAHeaderAsLargeAsItsMessages) {
  // Sizes of HDF5's copies of a 4 x 5 array of int32.
  for (const auto& [low, bytes] : {std::pair{Version::earliest, 0x88u}, std::pair{Version::v1_8, 0x54u}}) {
    const auto file = make_file({}, low);
    const Address header = create_dataset(*file, plain({4, 5}));
    const auto entry = store::ObjectHeader(file->store(), copy_of(file, header, *file)).load();
    EXPECT_EQ(entry->blocks[0].area_end - entry->blocks[0].area_at, bytes);
  }
}

}  // namespace
}  // namespace filigree::model
