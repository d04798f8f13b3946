// SPDX-License-Identifier: Apache-2.0
//
// Shared messages in files that HDF5 wrote, and the references to them.
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "io/memory/memory_file.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/object_header/object_header.hpp"
#include "store/shared_messages/shared_messages.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;
using format::MessageType;
using format::SharedHeapId;
using format::SharedIndexKind;

/// Datasets d0 and d1 of 3 x 4, d2 of 3 x 5, all of 32-bit integers; lists of up to 4 messages.
constexpr std::string_view list_file =
    "89484446 0d0a1a0a 030808 9*00 30 7*00 a309 6*00 a5 7*00 01c23ef9 4f484452 02206931 fa6a6931 "
    "fa6a6931 fa6a6931 fa6a160f 0a000500 61 7*00 020004 6*00 0751adfd 534d5442 00000a00 08000000 "
    "04000200 03004002 6*00 8c02 8*00 20100800 00000400 02000000 16*ff 467d7656 4f484452 02048402 12 "
    "6*00 16*ff 0a020001 00000000 060d0000 00000100 02643034 01 6*00 060d0000 00000100 0264311e 03 "
    "6*00 060d0000 00000100 0264327c 04 7*00 25 41*00 0a16135f 4f484452 02050001 01240040 00000202 "
    "010103 7*00 04 7*00 03 7*00 04 7*00 030c0041 00001008 000004 5*00 20000502 00010000 030a0812 "
    "00000000 0401 8*ff 30 8*00 9e 162*00 0450ab51 534d4c49 006bf3f5 9a020000 00001600 00000024 "
    "00008b33 29f00300 0000003a 00000000 0c000128 94726f00 0100007c 04 6*00 dae239dd 17*00 46524850 "
    "00080000 00020010 10*00 8*ff ba03 6*00 2a04 7*00 04 7*00 04 14*00 02 39*00 04000004 8*00 01 5*00 "
    "28000100 a305 8*00 721d72c5 4f484452 02050001 010a0002 00000301 00160000 00002400 030a0003 "
    "00000301 003a0000 00000c00 05020001 0000030a 08120000 00000401 8*ff 30 8*00 ba 190*00 75306809 "
    "46534844 0000ba03 6*00 01 7*00 01 15*00 04005000 78002800 000001 5*00 8805 6*00 1b 7*00 1b 7*00 "
    "7cf5c93b 4f484452 02050001 01240040 00000202 010103 7*00 05 7*00 03 7*00 05 7*00 030a0003 "
    "00000301 003a0000 00000c00 05020001 0000030a 08120000 00000401 8*ff 3c 8*00 a0 164*00 7a45dea1 "
    "46535345 002a04 6*00 01ba0300 46 5*00 bc8a74b6 46484442 008c02 11*00 a8bbeb9a 02020101 03 7*00 04 "
    "7*00 03 7*00 04 7*00 10080000 04 5*00 20 955*00 ";

/// Datasets of 3 x 4, 3 x 5 and 3 x 6 integers; a list would hold 2 messages.
constexpr std::string_view tree_file =
    "89484446 0d0a1a0a 030808 9*00 30 7*00 620b 6*00 87 7*00 3a01970d 4f484452 02206931 fa6a6931 "
    "fa6a6931 fa6a6931 fa6a160f 0a000500 61 7*00 010004 6*00 2563b826 534d5442 00010a00 08000000 "
    "02000100 0400de03 6*00 4002 6*00 4d653e7f 4f484452 02007802 12000000 00 16*ff 0a020001 0000060d "
    "00000100 0264300a 01 6*00 060d0000 01000264 31d202 6*00 060d0000 01000264 325606 7*00 25 39*00 "
    "f771c585 4f484452 02010001 01240040 02020101 03 7*00 04 7*00 03 7*00 04 7*00 030c0041 10080000 04 "
    "5*00 20000502 0001030a 08120000 0401 8*ff 30 8*00 a8 170*00 d2aebc1b 46535345 000406 6*00 "
    "01de0300 22 5*00 0f6ace5e 15*00 46524850 00080000 00020010 10*00 8*ff de03 6*00 0406 7*00 04 7*00 "
    "04 14*00 01 39*00 04000004 8*00 01 5*00 28000100 6207 8*00 6ec0aae3 4f484452 02010001 01240040 "
    "02020101 03 7*00 05 7*00 03 7*00 05 7*00 030a0003 03010016 00000000 0c000502 0001030a 08120000 "
    "0401 8*ff 3c 8*00 aa 172*00 98bb4b90 42544844 00070002 00001100 00006428 0404 6*00 040004 7*00 "
    "05880ba1 42544c46 00070128 94726f00 010000d2 02 6*00 0139e646 88000100 005606 6*00 016bf3f5 "
    "9a000100 000a01 7*00 8b3329f0 03000000 00160000 00000c00 533af6a0 434*00 46534844 0000de03 6*00 "
    "01 7*00 01 15*00 04005000 78002800 000001 5*00 1602 6*00 1b 7*00 1b 7*00 ee3456ec 4f484452 "
    "02010001 01240040 02020101 03 7*00 06 7*00 03 7*00 06 7*00 030a0003 03010016 00000000 0c000502 "
    "0001030a 08120000 0401 8*ff 48 8*00 aa 172*00 c28289c3 46484442 004002 11*00 62b040c9 10080000 04 "
    "5*00 20 991*00 ";

/// Two equal datasets with an attribute each; the attributes refer to shared datatypes and dataspaces.
constexpr std::string_view attribute_file =
    "89484446 0d0a1a0a 030808 9*00 30 7*00 e20d 6*00 a5 7*00 1b0ac105 4f484452 02206931 fa6a6931 "
    "fa6a6931 fa6a6931 fa6a160f 0a000500 61 7*00 020004 6*00 0751adfd 534d5442 00000a00 08000000 "
    "04000200 03004002 6*00 8c02 9*00 10080000 00040002 00010070 03 6*00 bc03 6*00 517fced0 4f484452 "
    "02048402 12 6*00 16*ff 0a020001 00000000 060d0000 00000100 02643034 01 6*00 060d0000 00000100 "
    "026431a0 04 7*00 38 60*00 221ae8ab 4f484452 02050001 01240040 00000202 010103 7*00 04 7*00 03 "
    "7*00 04 7*00 030c0041 00001008 000004 5*00 20000502 00010000 030a0812 00000000 0401 8*ff 30 7*00 "
    "15140004 00000001 0100 16*ff 0c0a0002 00000301 00160000 00008000 0074 120*00 75147ee5 534d4c49 "
    "006bf3f5 9a030000 00002a00 00000024 00008b33 29f00200 0000004e 00000000 0c000031 07ffd401 "
    "00000000 16000000 0014001e bd875b 17*00 46524850 00080000 00020010 10*00 8*ff a603 6*00 1e03 7*00 "
    "04 7*00 04 14*00 03 39*00 04000004 8*00 01 5*00 28000100 e209 8*00 3097d32d 46534844 0000a603 "
    "6*00 01 7*00 01 15*00 04005000 78002800 000001 5*00 ac05 6*00 1b 7*00 1b 7*00 39d82879 534d4c49 "
    "00009f13 66020000 00001600 00000080 00005be3 48 51*00 46524850 00080000 00020010 10*00 8*ff 6a03 "
    "6*00 4e04 7*00 04 7*00 04 14*00 01 39*00 04000004 8*00 01 5*00 28000100 e205 8*00 96c31f99 "
    "46534844 00006a03 6*00 01 7*00 01 15*00 04005000 78002800 000001 5*00 c705 6*00 1b 7*00 1b 7*00 "
    "4589d93d 4f484452 02050001 010a0002 00000301 002a0000 00002400 030a0003 00000301 004e0000 "
    "00000c00 05020001 0000030a 08120000 00000401 8*ff 30 7*00 15140004 00000001 0100 16*ff 0c0a0002 "
    "00000301 00160000 00008000 0090 148*00 e2fba72f 46535345 001e03 6*00 01a60300 5a 5*00 a6a4ea04 "
    "46535345 004e04 6*00 016a0300 96 5*00 3968b08d 46484442 00bc03 11*00 b6a6ae6f 03030300 0a000a00 "
    "00613000 03010016 00000000 14000301 002a0000 000024 971*00 46484442 008c02 11*00 b45f60ee "
    "11203f00 08 5*00 4000340b 0034ff03 00000202 010103 7*00 04 7*00 03 7*00 04 7*00 10080000 04 5*00 "
    "20 935*00 ";

constexpr std::string_view space_3_by_4 =
    "02020101 03000000 00000000 04000000 00000000 03000000 00000000 04000000 00000000";
constexpr std::string_view space_3_by_5 =
    "02020101 03000000 00000000 05000000 00000000 03000000 00000000 05000000 00000000";
constexpr std::string_view space_3_by_6 =
    "02020101 03000000 00000000 06000000 00000000 03000000 00000000 06000000 00000000";
constexpr std::string_view int32_type = "10080000 04000000 00002000";
constexpr std::string_view float64_type = "11203f00 08000000 00004000 340b0034 ff030000";

/// Space for files whose allocations are not known: gives from the end, takes anything back.
class TrustingSpace : public Space {
 public:
  explicit TrustingSpace(std::uint64_t end) : end_(end) {}
  Address allocate(SpaceKind, std::uint64_t bytes) override {
    return to_address(std::exchange(end_, end_ + bytes));
  }
  void release(SpaceKind, Address, std::uint64_t bytes) override { released_ += bytes; }
  bool try_extend(SpaceKind, Address, std::uint64_t, std::uint64_t) override { return false; }
  std::uint64_t end_of_allocation() const override { return end_; }
  std::uint64_t released() const { return released_; }

 private:
  std::uint64_t end_;
  std::uint64_t released_ = 0;
};

struct ReferenceFile {
  explicit ReferenceFile(std::string_view hex) {
    Buffer image = from_hex(hex);
    auto owned = std::make_unique<TrustingSpace>(image.size());
    space = owned.get();
    FileStore::Setup setup;
    setup.end_of_file = image.size();
    store = std::make_unique<FileStore>(std::make_unique<io::MemoryFile>(std::move(image)), setup,
                                        std::move(owned));
  }
  SharedMessages shared(std::uint8_t indexes) { return SharedMessages(*store, to_address(97), indexes); }
  /// The first message of a type in a header, with its reference resolved.
  std::string message(const SharedMessages& shared, std::uint64_t header, MessageType type) {
    const auto entry = ObjectHeader(*store, to_address(header)).load();
    const auto* found = entry->find(type);
    if (found == nullptr) return "none";
    const Bytes body = entry->body(*found);
    if (!(found->slot.flags & format::message_flag::shared)) return to_hex(body);
    return to_hex(resolve_shared(*store, &shared, type, body, to_address(header)));
  }

  std::unique_ptr<FileStore> store;
  TrustingSpace* space = nullptr;
};

SharedHeapId id(std::string_view hex) {
  SharedHeapId out;
  std::ranges::copy(from_hex(hex), out.begin());
  return out;
}

TEST(ReferenceSharedMessages, ReadsAList) {
  ReferenceFile file(list_file);
  const SharedMessages shared = file.shared(2);
  EXPECT_EQ(shared.table().indexes[0].kind, SharedIndexKind::list);
  for (const std::uint64_t header : {0x134, 0x31e, 0x47c}) {
    const bool last = header == 0x47c;
    EXPECT_EQ(file.message(shared, header, MessageType::dataspace),
              to_hex(from_hex(last ? space_3_by_5 : space_3_by_4)));
    EXPECT_EQ(file.message(shared, header, MessageType::datatype), to_hex(from_hex(int32_type)));
  }
  EXPECT_EQ(shared.references(MessageType::dataspace, id("0016000000002400")), 2u);
  EXPECT_EQ(shared.references(MessageType::datatype, id("003a000000000c00")), 3u);
}

TEST(ReferenceSharedMessages, AddsUsersToAList) {
  ReferenceFile file(list_file);
  SharedMessages shared = file.shared(2);
  EXPECT_EQ(shared.share(MessageType::dataspace, from_hex(space_3_by_4)), id("0016000000002400"));
  EXPECT_EQ(shared.references(MessageType::dataspace, id("0016000000002400")), 3u);
  const auto moved = shared.share(MessageType::dataspace, from_hex(space_3_by_5));
  ASSERT_TRUE(moved);
  EXPECT_EQ(shared.references(MessageType::dataspace, *moved), 2u);
  EXPECT_EQ(shared.table().indexes[0].messages, 3);
  FractalHeap(*file.store, shared.table().indexes[0].heap).check();
}

TEST(ReferenceSharedMessages, EmptiesAList) {
  ReferenceFile file(list_file);
  SharedMessages shared = file.shared(2);
  shared.forget_in_header(MessageType::dataspace, to_address(0x47c), from_hex(space_3_by_5));
  shared.forget_in_header(MessageType::dataspace, to_address(0x134), from_hex(space_3_by_4));
  EXPECT_TRUE(shared.release(MessageType::dataspace, id("0016000000002400")));
  EXPECT_FALSE(shared.release(MessageType::datatype, id("003a000000000c00")));
  EXPECT_FALSE(shared.release(MessageType::datatype, id("003a000000000c00")));
  EXPECT_EQ(shared.table().indexes[0].messages, 1);
  shared.forget_in_header(MessageType::datatype, to_address(0x134), from_hex(int32_type));
  EXPECT_EQ(shared.table().indexes[0].messages, 0);
  EXPECT_FALSE(is_valid(shared.table().indexes[0].records));
  EXPECT_FALSE(is_valid(shared.table().indexes[0].heap));
  // List, heap header and direct block; the free-space header and sections that the heap had or got.
  EXPECT_GE(file.space->released(), 8u + 4 * 17 + 146 + 1024);
}

TEST(ReferenceSharedMessages, ReadsAndExtendsABTree) {
  ReferenceFile file(tree_file);
  SharedMessages shared = file.shared(1);
  EXPECT_EQ(shared.table().indexes[0].kind, SharedIndexKind::btree);
  EXPECT_EQ(shared.table().indexes[0].messages, 4);
  EXPECT_EQ(shared.references(MessageType::datatype, id("0016000000000c00")), 3u);
  EXPECT_EQ(to_hex(shared.read(MessageType::datatype, id("0016000000000c00"))), to_hex(from_hex(int32_type)));
  for (const std::string_view space : {space_3_by_4, space_3_by_5, space_3_by_6}) {
    const auto moved = shared.share(MessageType::dataspace, from_hex(space));
    ASSERT_TRUE(moved);
    EXPECT_EQ(shared.references(MessageType::dataspace, *moved), 2u);
  }
  EXPECT_TRUE(shared.share(MessageType::datatype, from_hex(float64_type)));
  EXPECT_EQ(shared.table().indexes[0].messages, 5);
}

TEST(ReferenceSharedMessages, ReadsSharedAttributesAndWhatTheyReferTo) {
  ReferenceFile file(attribute_file);
  const SharedMessages shared = file.shared(2);
  const auto entry = ObjectHeader(*file.store, to_address(0x134)).load();
  const auto* message = entry->find(MessageType::attribute);
  ASSERT_TRUE(message != nullptr && message->slot.flags & format::message_flag::shared);
  const Buffer attribute =
      resolve_shared(*file.store, &shared, MessageType::attribute, entry->body(*message), to_address(0x134));
  // Version 3, both parts shared, name "a0" with its NUL: two references of 10 bytes follow.
  ASSERT_GE(attribute.size(), 12u + 20);
  EXPECT_EQ(to_hex(Bytes(attribute).first(12)), to_hex(from_hex("0303 0300 0a00 0a00 00 613000")));
  const auto part = [&](MessageType type, std::size_t at) {
    return to_hex(
        resolve_shared(*file.store, &shared, type, Bytes(attribute).subspan(at), to_address(0x134)));
  };
  EXPECT_EQ(part(MessageType::datatype, 12), to_hex(from_hex(float64_type)));
  EXPECT_EQ(part(MessageType::dataspace, 22), to_hex(from_hex(space_3_by_4)));
}

struct Resolving : ::testing::Test {
  MemoryStore store;
  ObjectHeader target = ObjectHeader::create(*store, {}, 128);
  Buffer body = from_hex(int32_type);

  Buffer reference(std::uint8_t version, Address header) {
    format::SharedReference out;
    out.version = version;
    out.header = header;
    return format::encode(out, store->widths());
  }
  Buffer resolve(Bytes bytes) {
    return resolve_shared(*store, nullptr, MessageType::datatype, bytes, target.address());
  }
  void expect_corrupt(Bytes bytes) {
    try {
      resolve(bytes);
      ADD_FAILURE() << "resolved";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
    }
  }
};

TEST_F(Resolving, FindsCommittedTypesThroughAllVersions) {
  target.add(MessageType::datatype, format::message_flag::constant, body);
  for (const std::uint8_t version : {1, 2, 3}) {
    Buffer bytes = reference(version, target.address());
    EXPECT_EQ(resolve(bytes), body);
    bytes.resize(bytes.size() + 8, std::byte{0xab});
    EXPECT_EQ(resolve(bytes), body) << "with what a longer body left behind";
  }
}

TEST_F(Resolving, ReportsReferencesToReferences) {
  const Buffer to_itself = reference(2, target.address());
  target.add(MessageType::datatype, format::message_flag::shared, to_itself);
  expect_corrupt(to_itself);
}

TEST_F(Resolving, ReportsReferencesToMissingMessages) {
  expect_corrupt(reference(2, target.address()));
  expect_corrupt(reference(2, Address::undefined));
  expect_corrupt(reference(2, to_address(0)));
  expect_corrupt(from_hex("03 01 0016000000002400"));
  expect_corrupt(from_hex("04 01 0016000000002400"));
  EXPECT_THROW(resolve(from_hex("03 01 00160000")), Error);
  EXPECT_THROW(resolve({}), Error);
}

}  // namespace
}  // namespace filigree::store
