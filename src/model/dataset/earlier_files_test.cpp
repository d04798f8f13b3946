// SPDX-License-Identifier: Apache-2.0
//
// Files with filtered sparse datasets as this library wrote them before it put the filters of sections into a
// message of their own: they are in the filter pipeline message, version 3. Such files have to stay readable.
//
// Each file has the dataset "d" of 4-byte integers in chunks of 5 x 5, 10 x 10 or one chunk of them. Rows 3
// and 4, columns 2 to 4 hold 10 * row + column. Section 0 has deflate, section 1 shuffle and deflate.
#include <memory>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/memory/memory_file.hpp"
#include "model/dataset/copy.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/link/link_table.hpp"
#include "store/file_store.hpp"
#include "testing/hex.hpp"

namespace filigree::model {
namespace {

using format::MessageType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view in_fixed_array =
    "894844460d0a1a0a030808 9*00 8*ff 5208 6*00 30 7*00 0b593b014f4844520220594cfd6a594c "
    "fd6a594cfd6a594cfd6a780212000000 00 16*ff 0a0200010000060c000001000164c3 8*00 48 74*00 "
    "03bc9a094f4844520221594cfd6a594c fd6a594cfd6a594cfd6a000101240000 020201010a 7*00 0a 7*00 0a "
    "7*00 0a 7*00 030c00011008000004 5*00 200005020001030b0b28000103020001 "
    "0a000100010001000600000001021400 02000100010004000000010001000100 "
    "06000000081900000504000100000301 05050408020100030adf01 7*00 75 119*00 "
    "148f72024641484400032a0a04 7*00 fb01 6*00 3fd4f22b464144420003df01 7*00 08 6*00 52002f 7*00 5b "
    "7*00 18 15*00 8*ff 34*00 8*ff 34*00 8*ff 34*00 affb45cc 1355*00 789c6364e0d060606060646264 5*60 "
    "6560c04b333130303042d912487c6628 9b058a7fc5cf0c0100229102bb789c01 1800e7ff2021222a2b2c 18*00 "
    "130d00e5";

constexpr std::string_view in_extensible_array =
    "894844460d0a1a0a030808 9*00 8*ff 5208 6*00 30 7*00 0b593b014f4844520220594cfd6a594c "
    "fd6a594cfd6a594cfd6a780212000000 00 16*ff 0a0200010000060c000001000164c3 8*00 48 74*00 "
    "03bc9a094f4844520221594cfd6a594c fd6a594cfd6a594cfd6a000101240000 020201010a 7*00 0a 7*00 8*ff "
    "0a 7*00 030c00011008000004 5*00 200005020001030b0b28000103020001 "
    "0a000100010001000600000001021400 02000100010004000000010001000100 "
    "06000000081d00000504000100000301 0505040802010004200404100adf01 7*00 71 115*00 "
    "618dff6e4541484400032a200410040a 32*00 01 7*00 04 7*00 2702 6*00 64e3bcaa454149420003df01 7*00 "
    "08 6*00 52002f 7*00 5b 7*00 18 15*00 8*ff 34*00 8*ff 34*00 8*ff 34*00 248*ff bc5530fb 1063*00 "
    "789c6364e0d060606060646264 5*60 6560c04b333130303042d912487c6628 "
    "9b058a7fc5cf0c0100229102bb789c01 1800e7ff2021222a2b2c 18*00 130d00e5";

constexpr std::string_view in_btree =
    "894844460d0a1a0a030808 9*00 8*ff 0018 6*00 30 7*00 418989074f4844520220594cfd6a594c "
    "fd6a594cfd6a594cfd6a780212000000 00 16*ff 0a0200010000060c000001000164c3 8*00 48 74*00 "
    "03bc9a094f4844520221594cfd6a594c fd6a594cfd6a594cfd6a000101240000 020201010a 7*00 0a 7*00 16*ff "
    "030c00011008000004 5*00 200005020001030b0b28000103020001 0a000100010001000600000001021400 "
    "02000100010004000000010001000100 06000000081e00000504000100000301 "
    "0505040802010005000800006428df01 7*00 70 114*00 b744986a42544844000d000800003a00 000064280010 "
    "6*00 010001 7*00 63891a5d 1531*00 789c6364e0d060606060646264 5*60 "
    "6560c04b333130303042d912487c6628 9b058a7fc5cf0c0100229102bb789c01 1800e7ff2021222a2b2c 18*00 "
    "130d00e5 1966*00 42544c46000d0008 6*00 52 17*00 2f 7*00 5b 7*00 18 15*00 f1ec5970 1980*00";

constexpr std::string_view in_single_chunk =
    "894844460d0a1a0a030808 9*00 8*ff 5208 6*00 30 7*00 0b593b014f4844520220594cfd6a594c "
    "fd6a594cfd6a594cfd6a780212000000 00 16*ff 0a0200010000060c000001000164c3 8*00 48 74*00 "
    "03bc9a094f4844520221594cfd6a594c fd6a594cfd6a594cfd6a000101240000 0202010105 7*00 05 7*00 05 "
    "7*00 05 7*00 030c00011008000004 5*00 200005020001030b0b28000103020001 "
    "0a000100010001000600000001021400 02000100010004000000010001000100 "
    "06000000083a00000504000100020301 050504080201000152002f 7*00 5b 7*00 18 16*00 08 7*00 54 86*00 "
    "e94f746e 1569*00 789c6364e0d060606060646264 5*60 6560c04b333130303042d912487c6628 "
    "9b058a7fc5cf0c0100229102bb789c01 1800e7ff2021222a2b2c 18*00 130d00e5";

constexpr std::string_view without_chunks =
    "894844460d0a1a0a030808 9*00 8*ff df01 6*00 30 7*00 eac0f6c74f4844520220594cfd6a594c "
    "fd6a594cfd6a594cfd6a780212000000 00 16*ff 0a0200010000060c000001000164c3 8*00 48 74*00 "
    "03bc9a094f4844520221594cfd6a594c fd6a594cfd6a594cfd6a000101240000 020201010a 7*00 0a 7*00 0a "
    "7*00 0a 7*00 030c00011008000004 5*00 200005020001030b0b28000103020001 "
    "0a000100010001000600000001021400 02000100010004000000010001000100 "
    "06000000081900000504000100000301 05050408020100030a 8*ff 0075 119*00 c608b313";

class EarlierFile {
 public:
  explicit EarlierFile(std::string_view hex)
      : file_(File::open(std::make_unique<io::MemoryFile>(testing::from_hex(hex)), {})),
        header_(LinkTable(*file_, file_->root()).find("d").value().header) {
    file_->begin_change("test");
  }

  std::vector<std::int32_t> values(Address header) const {
    const Dataset dataset(*file_, header);
    std::vector<std::int32_t> found;
    const auto all = space::Selection::all(space::Frame(dataset.messages().space.dims));
    dataset.read_defined(all, format::fixed_point(4, true), [&](std::uint64_t n) {
      found.resize(n);
      return reinterpret_cast<std::byte*>(found.data());
    });
    return found;
  }
  std::vector<std::int32_t> values() const { return values(header_); }
  void write_first(std::int32_t value) const {
    const Dataset dataset(*file_, header_);
    const format::DatatypeMessage type = format::fixed_point(4, true);
    const auto one = space::Selection::all(space::Frame({1}));
    const auto first = space::Selection::of_points(space::Frame(dataset.messages().space.dims), {0});
    dataset.write({first, one, type}, reinterpret_cast<const std::byte*>(&value));
    file_->chunks().flush();
    file_->chunks().refresh();
    file_->flush();
    file_->store().cache().drop_clean();
  }
  bool has(Address header, MessageType type) const {
    return store::ObjectHeader(file_->store(), header).load()->find(type) != nullptr;
  }
  Address copy() const {
    const Dataset source(*file_, header_);
    return copy_dataset(source, *file_, source.messages().type, Address::undefined);
  }
  Address header() const { return header_; }
  const DatasetMessages& messages() const { return *(messages_ = load_messages(*file_, header_)); }

 private:
  std::shared_ptr<File> file_;
  Address header_;
  mutable std::shared_ptr<const DatasetMessages> messages_;
};

TEST(EarlierFiles, StayReadableAndCanBeExtended) {
  for (const auto hex : {in_fixed_array, in_extensible_array, in_btree, in_single_chunk}) {
    const EarlierFile file(hex);
    EXPECT_THAT(file.values(), ElementsAre(32, 33, 34, 42, 43, 44));
    const auto& filters = file.messages().section_filters;
    EXPECT_EQ(filters.version, 3);
    ASSERT_EQ(filters.sections.size(), 2u);
    EXPECT_EQ(filters.find(0)->filters.at(0).id, 1);
    EXPECT_EQ(filters.find(1)->filters.at(0).id, 2);
    file.write_first(7);
    EXPECT_THAT(file.values(), ElementsAre(7, 32, 33, 34, 42, 43, 44));
    EXPECT_TRUE(file.has(file.header(), MessageType::filter_pipeline));
    EXPECT_FALSE(file.has(file.header(), MessageType::section_filters));
  }
}

TEST(EarlierFiles, WithoutChunksGetFilteredOnes) {
  const EarlierFile file(without_chunks);
  EXPECT_THAT(file.values(), IsEmpty());
  file.write_first(7);
  EXPECT_THAT(file.values(), ElementsAre(7));
  EXPECT_EQ(file.messages().section_filters.sections.size(), 2u);
}

TEST(EarlierFiles, AreCopiedInTheNewForm) {
  const EarlierFile file(in_extensible_array);
  const Address copy = file.copy();
  EXPECT_THAT(file.values(copy), ElementsAre(32, 33, 34, 42, 43, 44));
  EXPECT_TRUE(file.has(copy, MessageType::section_filters));
  EXPECT_FALSE(file.has(copy, MessageType::filter_pipeline));
}

}  // namespace
}  // namespace filigree::model
