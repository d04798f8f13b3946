// SPDX-License-Identifier: Apache-2.0
//
// Heaps that HDF5 wrote: they are read, extended and emptied.
#include <string>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/heaps/fractal_heap.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;

/// The file's bytes from `start` on, at their offsets.
Buffer image_of(std::size_t start, const char* hex) {
  Buffer image(start);
  const Buffer bytes = from_hex(hex);
  image.insert(image.end(), bytes.begin(), bytes.end());
  return image;
}

// A dense group: 20 links, five removed, 40 shorter ones added, two of them removed.
constexpr std::size_t holes_at = 402;
const char* const heap_with_holes =
    "465248500007000000020010 10*00 8*ff 4f05 6*00 4a02 7*00 08 7*00 04 7*00 04 6*00 35 39*00 04000002 "
    "8*00 01 5*00 20000100df0c 6*00 010039c287db425448440005000200000b000100 64289c04 6*00 010035 7*00 "
    "39fd20aa4653484400007901 6*00 06 7*00 06 15*00 0400500078002000000001 5*00 9c08 6*00 43 7*00 43 7*00 "
    "ebffbd7542544c460005618fc01500cd0100000a 005afccd1c00870100000a006c33871e001f0200 "
    "000a002ad71c2000790200000a00e15e272b007d 0100000a00b5a1f72b00150200000a004b4eba2f "
    "00c30100000a00c1281531008d0000000f001035 5031009b0100000a00e8d7d73200650200000a00 "
    "3d0b643c009c0000000f00cc43cc3f00e1010000 0a0092b14b4300970200000a000eb83444003302 "
    "00000a0097eea65400230100000f00ab75025700 3d0200000a00f43ec05c00600000000a00e11a2e "
    "5e00d70100000a00ddd01d5f00f50100000a000a fd276a00af0100000a007ddad171008d0200000a "
    "002ac2567900730100000a001bf8fc7c00e70000 000f0010ca697e00150000000f009196b4950091 "
    "0100000a00677deb9a005b0200000a001ffad79c 00c90000000f0008ef0687 205*00 "
    "4254494e0005abf4b99d00550100000a009c02 6*00 1b9c06 6*00 19f0968dd7 473*00 "
    "42544c460005f48e53a200050100000f008ad9f5 a4006f0000000f001602bfa600330000000f0036 "
    "f3c2a700a50100000a00803d75af00690100000a 00446635b400470200000a00d9a27dbc00560000 "
    "000a009a2b8dc000420000000a008f20e4c40083 0200000a0064be44c8007e0000000f006fe02cca "
    "00ba0000000a00c9cf92cd005f0100000a002541 73d000eb0100000a005d4077d000ab0000000f00 "
    "85a35cd200240000000f001071bbd60032010000 0f00927463db00510200000a0098b52fdd004b01 "
    "00000a0087d655e300f60000000f00d8a08be500 140100000f00276bc2ee006f0200000a0093aa28 "
    "f900290200000a0053ca91fb00410100000a0070 30cbfc00a10200000a00ed0adeff00b90100000a 006aaad0f1 227*00 "
    "46535345004a02 6*00 01010000ff01000000020500006a 4*00 c4 4*00 010a00004c 4*00 010f0000d8 4*00 "
    "01550100ab0200000020364ddd46484442009201 7*00 02000030b19490010801036c3635010074010801 "
    "036c3636010074010801036c3637010074010801 036c3638010074010801036c3639010074010801 "
    "036c3730010074010801036c3731010074010801 036c3732010074010801036c3733010074010801 "
    "036c3734010074010801036c3735010074010801 036c3736010074010801036c3737010074010801 "
    "036c3738010074010801036c3739010074 341*00 46484442009201 10*00 "
    "8f0b91fb010801036c3030060074617267657401 0801036c30310600746172676574010801036c30 "
    "320600746172676574010801036c343201007401 0801036c3433010074010801036c343401007401 "
    "0801036c34350100746172676574010801036c30 360600746172676574010801036c303706007461 "
    "72676574010801036c3038060074617267657401 0801036c30390600746172676574010801036c31 "
    "300600746172676574010801036c343001007461 72676574010801036c3132060074617267657401 "
    "0801036c34310100746172676574010801036c31 340600746172676574010801036c313506007461 "
    "72676574010801036c3136060074617267657401 0801036c31370600746172676574010801036c31 "
    "380600746172676574010801036c313906007461 72676574010801036c3436010074010801036c34 "
    "37010074010801036c3438010074010801036c34 39010074010801036c3530010074010801036c35 "
    "31010074010801036c3532010074010801036c35 33010074010801036c3534010074010801036c35 "
    "35010074010801036c3536010074010801036c35 37010074010801036c3538010074010801036c35 "
    "39010074010801036c3630010074010801036c36 31010074010801036c3632010074010801036c36 "
    "33010074010801036c3634010074004648494200 9201 10*00 df0a 6*00 df08 6*00 16*ff 58074aa4 ";

// A dense group whose first link has 4000 characters: the smaller blocks before it were skipped.
constexpr std::size_t skipped_at = 350;
const char* const heap_with_skipped_blocks =
    "465248500007000000020010 10*00 8*ff e262 6*00 1602 7*00 80 7*00 20 7*00 60 6*00 03 39*00 04000002 "
    "8*00 01 5*00 200001009e24 6*00 0500d462f2c4425448440005000200000b000000 64286802 6*00 030003 7*00 "
    "c3990bdc4653484400000814 6*00 06 7*00 03 7*00 03 7*00 0400500078002000000001 5*00 6804 6*00 36 7*00 "
    "36 7*00 be61739a42544c4600055d7a44510015400000a8 0f8fa5a3bd0015500000c00bef7bc5e500bd4f00 "
    "001200c836d9aa 469*00 46535345001602 6*00 01310000cf4f00000001eb01 5*00 01 8*00 "
    "1000012b0400d55b0000003a2340e14648444200 5e01 7*00 500000bec62cd4010801026c31b80b 3000*62 1067*00 "
    "46484442005e01 7*00 4000000def3baa010801026c30a00f 4000*61 010801026c320a00 10*63 49*00 "
    "46484942005e01 10*00 128*ff 9e14 6*00 9e04 6*00 16*ff 60b90008 ";

// A dense group with deflate and fletcher32: 25 links and one of 9000 characters.
constexpr std::size_t filtered_at = 406;
const char* const filtered_heap =
    "465248500007001200020010000001 7*00 be04 6*00 8605 6*00 6c02 7*00 08 7*00 04 7*00 04 6*00 19 7*00 "
    "3223 6*00 01 23*00 04000002 8*00 01 5*00 200001003208 6*00 01 13*00 02020100010001000600000003 5*00 "
    "d7447e79425448440005000200000b0000006428 be02 6*00 1a001a 7*00 c9a08587465348440000b001 6*00 02 7*00 "
    "02 15*00 0400500078002000000001 5*00 e406 6*00 23 7*00 23 7*00 "
    "b48327e542544c460005c6db5409005f01000016 0067453025002b020000160043f3df2b1001 5*00 "
    "1e0b2c36004100000016005791143b00b7010000 16001adc523d00150000001600d0b9d14500c500 "
    "000016003a315f6200a10100001600b302146b00 8300000016009130fe7a00990000001600023ba8 "
    "8300750100001600472c3e8600e3010000160071 934c8d00150200001600fbba34a500f100000016 "
    "0063132ab100db000000160051b825c800070100 001600c35f4cca008b0100001600d1e2eace006d "
    "0000001600f50852d400490100001600a0600ed6 001d01000016002c95e3da00af0000001600eff2 "
    "90e700330100001600ebec70e900cd0100001600 0489b4ef002b0000001600e80268f90057000000 "
    "160084ce4dfa0041020000160080b7384b 216*00 42544844000200020000240000006428e404 6*00 010001 7*00 "
    "b97485df42544c4600020008 6*00 32 11*00 3223 6*00 01 7*00 5076c7fd 466*00 46535345006c02 6*00 "
    "01070000f90100000001a901005702000000a6af c3c4789c73f370716298c6c800014c0c0c49099f "
    "3e33723072e564e6651b008191111b434962517a 6a098aa8315651139828c328181a0000a01014b1 "
    "9dbcf2e3789c6dd14d0a40500045e1f726929518 bacfff54926d18482203598b65290bb017252975 "
    "eef0ccbe6ed3d695d9adf97685c7697d1bcce332 45cf3cb375ebd06fbf2aac0e6b8c35c19a62cdb0 "
    "e6580bac2555a14d6813da8436a14d6813da8436 a14d687368739fedbdfb0652637c43cd370b22 72*00 "
    "789cedc1310d00200c00b02ce1c0070fc6166680 07f50859db9831ea9edceb01 7*00 "
    "40031f16f5c40326efff5146484942009601 10*00 4507 6*00 73 11*00 0707 6*00 3e 11*00 8*ff 12*00 8*ff "
    "12*00 6c344732 ";

std::string soft_link(std::string_view name, std::string_view target) {
  std::string message("\x01\x08\x01", 3);
  message += static_cast<char>(name.size());
  message += name;
  message += static_cast<char>(target.size() & 255);
  message += static_cast<char>(target.size() >> 8);
  message += target;
  return message;
}

std::string text_of(const FractalHeap& heap, const char* id) {
  return std::string(as_text(heap.read(from_hex(id))));
}

TEST(ReferenceFractalHeap, HasConsistentStatistics) {
  MemoryStore holes({}, image_of(holes_at, heap_with_holes));
  FractalHeap(*holes, to_address(holes_at)).check();
  MemoryStore skipped({}, image_of(skipped_at, heap_with_skipped_blocks));
  FractalHeap(*skipped, to_address(skipped_at)).check();
  MemoryStore filtered({}, image_of(filtered_at, filtered_heap));
  FractalHeap(*filtered, to_address(filtered_at)).check();
}

TEST(ReferenceFractalHeap, ReadsItsObjects) {
  MemoryStore store({}, image_of(skipped_at, heap_with_skipped_blocks));
  const FractalHeap heap(*store, to_address(skipped_at));
  EXPECT_EQ(text_of(heap, "00 15400000 a80f"), soft_link("l0", std::string(4000, 'a')));
  EXPECT_EQ(text_of(heap, "00 15500000 c00b"), soft_link("l1", std::string(3000, 'b')));
  EXPECT_EQ(text_of(heap, "00 bd4f0000 1200"), soft_link("l2", std::string(10, 'c')));
}

TEST(ReferenceFractalHeap, ReadsItsFilteredObjects) {
  MemoryStore store({}, image_of(filtered_at, filtered_heap));
  FractalHeap heap(*store, to_address(filtered_at));
  EXPECT_EQ(text_of(heap, "00 15000000 1600"), soft_link("link000000", "target"));
  EXPECT_EQ(text_of(heap, "00 2b020000 1600"), soft_link("link000023", "target"));
  EXPECT_EQ(text_of(heap, "10 01000000 0000"), soft_link("huge", std::string(9000, 'z')));
  EXPECT_THROW(text_of(heap, "10 02000000 0000"), Error);
}

TEST(ReferenceFractalHeap, AllocatesObjectsInItsHoles) {
  MemoryStore store({}, image_of(holes_at, heap_with_holes));
  store.space->adopt(SpaceKind::local_heap, to_address(2204), 67);
  FractalHeap heap(*store, to_address(holes_at));
  const std::uint64_t objects = heap.objects();
  const std::uint64_t blocks = heap.header().allocated_bytes;
  // Its holes have 1, 5, 5, 10, 15 and 341 bytes.
  EXPECT_EQ(testing::to_hex(heap.insert(as_bytes(std::string(10, 'x')))),
            testing::to_hex(from_hex("00 4c000000 0a00")));
  EXPECT_EQ(testing::to_hex(heap.insert(as_bytes(std::string(12, 'y')))),
            testing::to_hex(from_hex("00 d8000000 0c00")));
  heap.check();
  EXPECT_EQ(heap.objects(), objects + 2);
  EXPECT_EQ(heap.header().allocated_bytes, blocks);
  EXPECT_EQ(text_of(heap, "00 15000000 0f00"), soft_link("l00", "target"));
}

TEST(ReferenceFractalHeap, UsesSkippedBlocks) {
  MemoryStore store({}, image_of(skipped_at, heap_with_skipped_blocks));
  store.space->adopt(SpaceKind::local_heap, to_address(1128), 54);
  FractalHeap heap(*store, to_address(skipped_at));
  // The two holes have 49 and 1067 bytes, so this needs a new block, and the skipped 2 KiB ones fit it.
  const Buffer id = heap.insert(as_bytes(std::string(1500, 'x')));
  heap.check();
  EXPECT_EQ(testing::to_hex(id), testing::to_hex(from_hex("00 15200000 dc05")));
  EXPECT_EQ(heap.header().iterator, 24576u);
  for (int i = 0; i < 200; ++i) heap.insert(as_bytes(std::string(100, 'y')));
  heap.check();
  const auto again = store.reopened();
  const FractalHeap reread(*again, to_address(skipped_at));
  reread.check();
  EXPECT_EQ(as_text(reread.read(id)), std::string(1500, 'x'));
  EXPECT_EQ(text_of(reread, "00 bd4f0000 1200"), soft_link("l2", std::string(10, 'c')));
}

// HDF5 keeps such sections when it frees an indirect block with its last child.
TEST(ReferenceFractalHeap, KeepsSectionsOfFreedIndirectBlocks) {
  Buffer image = image_of(skipped_at, heap_with_skipped_blocks);
  std::byte* list = image.data() + 1128;
  store_word(list + 26, 0x8000, 4);  // the first row's address, and that of its indirect block
  store_word(list + 31, 0x8000, 4);
  store_word(list + 50, lookup3(Bytes(list, 50)), 4);
  const Buffer section(list + 22, list + 41);
  MemoryStore store({}, image);
  store.space->adopt(SpaceKind::local_heap, to_address(1128), 54);
  FractalHeap heap(*store, to_address(skipped_at));
  heap.check();
  EXPECT_EQ(testing::to_hex(heap.insert(as_bytes(std::string(1500, 'x')))),
            testing::to_hex(from_hex("00 15600000 dc05")));
  heap.check();
  const Buffer written = store.image();
  const std::byte* manager = written.data() + to_number(heap.header().free_space);
  EXPECT_EQ(load_word(manager + 6, 8), 0x1408u + 4096 - 21 - 1500);
  EXPECT_EQ(load_word(manager + 30, 8), 3u);
  EXPECT_NE(as_text(written).find(as_text(section), load_word(manager + 54, 8)), std::string_view::npos);
}

TEST(ReferenceFractalHeap, FreesAllItsSpace) {
  MemoryStore store({}, image_of(skipped_at, heap_with_skipped_blocks));
  store.space->adopt(SpaceKind::object_header, to_address(350), 146);
  store.space->adopt(SpaceKind::object_header, to_address(534), 82);
  store.space->adopt(SpaceKind::local_heap, to_address(1128), 54);
  store.space->adopt(SpaceKind::local_heap, to_address(1182), 4096);
  store.space->adopt(SpaceKind::local_heap, to_address(5278), 4096);
  store.space->adopt(SpaceKind::object_header, to_address(9374), 181);
  FractalHeap(*store, to_address(skipped_at)).destroy();
  EXPECT_EQ(store.space->in_use(), 0u);
}

TEST(ReferenceFractalHeap, NeverTrustsItsBytes) {
  // Every byte of every structure but the objects, one at a time; checksums are not repaired, so most
  // changes are reported, and none may do worse.
  const Buffer good = image_of(filtered_at, filtered_heap);
  for (std::size_t at = filtered_at; at < good.size(); ++at) {
    Buffer bad = good;
    bad[at] ^= std::byte{0x55};
    MemoryStore store({}, std::move(bad));
    try {
      const FractalHeap heap(*store, to_address(filtered_at));
      heap.check();
      for (const char* id : {"00 15000000 1600", "00 2b020000 1600", "10 01000000 0000"})
        (void)heap.read(from_hex(id));
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace filigree::store
