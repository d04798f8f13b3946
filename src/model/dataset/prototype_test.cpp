// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks as prototypes of The HDF Group write them. Datasets are made by this library, and then
// their messages and index headers are replaced by those of a prototype, which are described here.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/btrees/btree2.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "format/codec/codec.hpp"
#include "model/dataset/copy.hpp"
#include "model/dataset/destroy.hpp"
#include "model/dataset/test_parts.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "testing/hex.hpp"

namespace filigree::model {
namespace {

using format::LayoutMessage;
using format::MessageType;
using Dims = std::vector<std::uint64_t>;
using Elements = std::map<std::uint64_t, std::int32_t>;  ///< by offset
using ::testing::HasSubstr;
namespace flag = format::message_flag;

/// Each value is its offset, which is 10 * row + column in a row of 10.
const std::vector<std::uint64_t> written{32, 33, 34, 42, 43, 44, 78};

struct Kind {
  const char* name;
  Dims dims;
  std::optional<Dims> most;
};

const Kind fixed_array{"fixed array", {10, 10}, {}};
const Kind extensible_array{"extensible array", {10, 10}, Dims{format::unlimited, 10}};
const Kind btree{"B-tree", {10, 10}, Dims{format::unlimited, format::unlimited}};
const Kind single{"single chunk", {10, 10}, {}};
const Kind kinds[] = {fixed_array, extensible_array, btree, single};

const format::PipelineFilter deflate{1, 1, "", {6}, 0}, shuffle{2, 1, "", {}, 0};

class Prototype : public ::testing::Test {
 protected:
  std::shared_ptr<File> file_ = make_file({}, Version::latest);

  Address create(const Kind& kind, bool filtered) {
    NewDataset made = plain(kind.dims);
    made.space.max_dims = kind.most;
    made.layout = format::LayoutClass::structured;
    made.sparse = true;
    made.chunk = kind.name == single.name ? Dims{10, 10} : Dims{5, 5};
    if (filtered) made.selection_filters = {deflate};
    if (filtered) made.filters = {shuffle, deflate};
    return create_dataset(*file_, made);
  }
  Address create_written(const Kind& kind, bool filtered) {
    const Address header = create(kind, filtered);
    write(header, written);
    return header;
  }
  void write(Address header, std::vector<std::uint64_t> offsets) {
    const Dataset dataset(*file_, header);
    const format::DatatypeMessage type = format::fixed_point(4, true);
    const std::vector<std::int32_t> values(offsets.begin(), offsets.end());
    const auto memory = space::Selection::all(space::Frame({offsets.size()}));
    const auto elements = space::Selection::of_points(space::Frame(dataset.messages().space.dims), offsets);
    dataset.write({elements, memory, type}, reinterpret_cast<const std::byte*>(values.data()));
    settle();
  }
  /// Writes all chunks, and forgets everything that was decoded.
  void settle() {
    file_->chunks().flush();
    file_->chunks().refresh();
    file_->flush();
    file_->store().cache().drop_clean();
  }
  Elements read(Address header) {
    const Dataset dataset(*file_, header);
    std::vector<std::uint64_t> offsets;
    std::vector<std::int32_t> values;
    const auto all = space::Selection::all(space::Frame(dataset.messages().space.dims));
    const auto count = dataset.read_defined_offsets(all, format::fixed_point(4, true), [&](std::uint64_t n) {
      offsets.resize(n);
      values.resize(n);
      return OffsetBuffers{offsets.data(), reinterpret_cast<std::byte*>(values.data())};
    });
    Elements found;
    for (std::size_t i = 0; i < count; ++i) found.emplace(offsets[i], values[i]);
    return found;
  }
  static Elements expected(std::initializer_list<std::uint64_t> more = {}) {
    Elements elements;
    for (const std::uint64_t offset : written) elements.emplace(offset, static_cast<std::int32_t>(offset));
    for (const std::uint64_t offset : more) elements.emplace(offset, static_cast<std::int32_t>(offset));
    return elements;
  }

  store::ObjectHeader header_of(Address header) { return {file_->store(), header}; }
  LayoutMessage layout(Address header) {
    return format::decode<LayoutMessage>(get_message(*file_, header, MessageType::layout), {}, header);
  }
  /// `spare` zeros follow, which the prototype reserves and does not use.
  void set_layout(Address header, const LayoutMessage& layout, std::size_t spare = 2) {
    Buffer body = format::encode(layout, format::Widths{});
    body.resize(body.size() + spare);
    header_of(header).set(MessageType::layout, 0, body);
    settle();
  }
  void set_filters(Address header, MessageType type, std::string_view hex,
                   std::uint8_t flags = flag::constant) {
    header_of(header).remove(MessageType::section_filters);
    header_of(header).add(type, flags, testing::from_hex(hex));
    settle();
  }
  /// Sets the version of a block that is described by T, and its checksum.
  template <class T>
  T set_version(Address at, T block) {
    const std::uint64_t there = std::min<std::uint64_t>(file_->store().available(at), 4096);
    format::decode(block, file_->store().read(at, there, T::structure), {}, at);
    block.version = 1;
    file_->store().write(at, format::encode(block, format::Widths{}));
    return block;
  }
  /// The number of blocks with this signature and version.
  std::size_t count_blocks(std::string signature, char version) {
    file_->flush();
    const Address start = to_address(0);
    const Buffer image = file_->store().read(start, file_->store().available(start), "the file");
    const std::string wanted = signature + version;
    std::size_t found = 0;
    const std::string_view text = as_text(image);
    for (auto at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) ++found;
    return found;
  }

  /// What is refused, of everything that would store chunks.
  void expect_refused(Address header, std::string_view words) {
    const auto refused = [&](auto&& work) {
      try {
        work();
        ADD_FAILURE() << "was not refused";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_THAT(error.what(), HasSubstr(words));
      }
    };
    refused([&] { write(header, {0}); });
    refused([&] { Dataset(*file_, header).resize({5, 10}); });
    const auto all = space::Selection::all(space::Frame({10, 10}));
    refused([&] { Dataset(*file_, header).erase(all); });
    refused([&] { copy(header); });
  }
  Address copy(Address header) {
    const Dataset source(*file_, header);
    return copy_dataset(source, *file_, source.messages().type, Address::undefined);
  }
};

constexpr std::string_view ascending =
    "02 | 00 01 0a00 | 0100 0100 0100 06000000 | 01 02 1400 | 0200 0100 0100 04000000 0100 0100 0100 "
    "06000000";
constexpr std::string_view descending =
    "02 | 01 02 1400 | 0200 0100 0100 04000000 0100 0100 0100 06000000 | 00 01 0a00 | 0100 0100 0100 "
    "06000000";

TEST_F(Prototype, FiltersOfSectionsAreInAMessageOfTheirOwn) {
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const Address header = create_written(kind, true);
    const auto entry = header_of(header).load();
    const auto* const found = entry->find(MessageType::section_filters);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->slot.flags, flag::constant);
    EXPECT_EQ(testing::to_hex(entry->body(*found)),
              testing::to_hex(testing::from_hex("01" + std::string(ascending))));
    EXPECT_EQ(entry->find(MessageType::filter_pipeline), nullptr);
    EXPECT_EQ(read(header), expected());
  }
}

TEST_F(Prototype, FiltersAreReadFromBothMessagesInAnyOrderAndUsed) {
  const struct {
    MessageType type;
    const char* version;
  } messages[] = {{MessageType::section_filters, "01"}, {MessageType::filter_pipeline, "03"}};
  for (const Kind& kind : kinds)
    for (const auto& message : messages)
      for (const std::string_view sections : {ascending, descending}) {
        SCOPED_TRACE(kind.name);
        const Address header = create_written(kind, true);
        set_filters(header, message.type, message.version + std::string(sections));
        EXPECT_EQ(read(header), expected());
        write(header, {0, 99});
        EXPECT_EQ(read(header), expected({0, 99}));
        const Address made = copy(header);
        EXPECT_EQ(read(made), expected({0, 99}));
        const auto entry = header_of(made).load();
        EXPECT_NE(entry->find(MessageType::section_filters), nullptr);
        EXPECT_EQ(entry->find(MessageType::filter_pipeline), nullptr);
        EXPECT_EQ(Dataset(*file_, made).messages().section_filters.sections.size(), 2u);
      }
}

TEST_F(Prototype, AnEmptyFilteredDatasetGetsFilteredChunks) {
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const Address header = create(kind, true);
    set_filters(header, MessageType::section_filters, "01" + std::string(descending));
    write(header, written);
    EXPECT_EQ(read(header), expected());
    // The bytes of the chunks with and without filters.
    EXPECT_NE(Dataset(*file_, header).stored_bytes(),
              Dataset(*file_, create_written(kind, false)).stored_bytes());
  }
}

TEST_F(Prototype, TwoMessagesOfFiltersContradictEachOther) {
  const Address header = create_written(fixed_array, true);
  header_of(header).add(MessageType::filter_pipeline, 0, testing::from_hex("03" + std::string(ascending)));
  settle();
  EXPECT_THROW(read(header), Error);
}

TEST_F(Prototype, FiltersOfASectionThatDoesNotExistAreDamage) {
  const Address header = create_written(fixed_array, true);
  set_filters(header, MessageType::section_filters, "0101 | 02 01 0a00 | 0100 0100 0100 06000000");
  EXPECT_THROW(read(header), Error);
}

TEST_F(Prototype, DatasetsWithUnknownMessagesAreReadButNotChanged) {
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const Address header = create_written(kind, false);
    header_of(header).add(static_cast<MessageType>(0x1a), 0, testing::from_hex("0102"));
    settle();
    EXPECT_EQ(read(header), expected());
    expect_refused(header, "message type 0x1a");
    EXPECT_EQ(read(header), expected());
    EXPECT_NO_THROW(destroy_dataset_storage(*file_, header));
  }
}

TEST_F(Prototype, DenseDatasetsWithUnknownMessagesCanBeChanged) {
  NewDataset made = plain({10, 10});
  made.layout = format::LayoutClass::chunked;
  made.chunk = {5, 5};
  const Address header = create_dataset(*file_, made);
  header_of(header).add(static_cast<MessageType>(0x1a), 0, testing::from_hex("0102"));
  settle();
  EXPECT_NO_THROW(write(header, {0}));
}

TEST_F(Prototype, TypeWordsWithoutBitsAndSpareBytesMeanTheSame) {
  for (const Kind& kind : kinds)
    for (const bool filtered : {false, true}) {
      SCOPED_TRACE(kind.name);
      const Address header = create_written(kind, filtered);
      LayoutMessage changed = layout(header);
      changed.composition.kind = 0;
      set_layout(header, changed, 8);
      EXPECT_EQ(read(header), expected());
      write(header, {0});
      EXPECT_EQ(read(header), expected({0}));
      EXPECT_EQ(layout(header).composition.kind, 0);
    }
}

TEST_F(Prototype, LayoutsOfVersion6AreReadAndKept) {
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const Address header = create_written(kind, true);
    LayoutMessage changed = layout(header);
    changed.version = 6;
    set_layout(header, changed);
    EXPECT_EQ(read(header), expected());
    write(header, {0});
    EXPECT_EQ(read(header), expected({0}));
    EXPECT_EQ(layout(header).version, 6);
    EXPECT_EQ(read(copy(header)), expected({0}));
  }
}

TEST_F(Prototype, AMissingSingleChunkHasEitherMark) {
  for (const bool filtered : {false, true})
    for (const bool marked : {false, true}) {
      const Address header = create(single, filtered);
      LayoutMessage changed = layout(header);
      changed.single_chunk_marked_empty = marked;
      set_layout(header, changed);
      EXPECT_EQ(layout(header).single_chunk_marked_empty, marked);
      EXPECT_TRUE(read(header).empty());
      EXPECT_EQ(Dataset(*file_, header).stored_bytes(), 0u);
      EXPECT_TRUE(read(copy(header)).empty());
      write(header, written);
      EXPECT_EQ(read(header), expected());
      const auto all = space::Selection::all(space::Frame({10, 10}));
      Dataset(*file_, header).erase(all);
      settle();
      EXPECT_TRUE(read(header).empty());
      EXPECT_NO_THROW(destroy_dataset_storage(*file_, header));
    }
}

TEST_F(Prototype, FixedArraysOfVersion1AreExtended) {
  const Address header = create_written(fixed_array, false);
  const Address at = layout(header).address;
  const auto array = set_version(at, format::FixedArrayHeader{});
  format::FixedArrayBlock block;
  block.client = array.client;
  block.header = at;
  block.element_total_bytes = array.elements * array.element_bytes;
  set_version(array.data_block, block);
  settle();
  EXPECT_EQ(read(header), expected());
  write(header, {0, 9, 90});
  EXPECT_EQ(read(header), expected({0, 9, 90}));
  EXPECT_EQ(count_blocks("FAHD", 1), 1u);
  EXPECT_EQ(count_blocks("FADB", 1), 1u);
  EXPECT_EQ(read(copy(header)), expected({0, 9, 90}));
}

TEST_F(Prototype, NewBlocksOfGrowingIndexesHaveTheVersionOfTheHeader) {
  const auto grow = [&](Address header) {
    const std::size_t more = 120;
    Dataset(*file_, header).resize({5 * more, 10});
    std::vector<std::uint64_t> offsets;
    for (std::size_t i = 2; i < more; ++i) offsets.push_back(50 * i);
    write(header, offsets);
    EXPECT_EQ(read(header).size(), written.size() + offsets.size());
  };
  const Address array = create_written(extensible_array, true);
  set_version(layout(array).address, format::ExtensibleArrayHeader{});
  settle();
  EXPECT_EQ(read(array), expected());
  grow(array);
  EXPECT_EQ(count_blocks("EAHD", 1), 1u);
  EXPECT_GE(count_blocks("EADB", 1), 1u);
  EXPECT_EQ(count_blocks("EADB", 0), 0u);

  const Address tree = create_written(btree, true);
  set_version(layout(tree).address, format::BTree2Header{});
  settle();
  EXPECT_EQ(read(tree), expected());
  grow(tree);
  EXPECT_EQ(count_blocks("BTHD", 1), 1u);
  EXPECT_GE(count_blocks("BTLF", 1), 1u);
  EXPECT_GE(count_blocks("BTIN", 1), 1u);
}

TEST_F(Prototype, NodesHaveAUsualSizeWhateverTheLayoutSays) {
  for (const std::uint32_t garbage : {0u, 1u, 511u, 0x7fffffffu, 0xffffffffu}) {
    const Address header = create(btree, true);
    LayoutMessage changed = layout(header);
    changed.btree_v2.node_bytes = garbage;
    set_layout(header, changed);
    write(header, written);
    EXPECT_EQ(read(header), expected());
    EXPECT_EQ(layout(header).btree_v2.node_bytes, garbage);
  }
}

}  // namespace
}  // namespace filigree::model
