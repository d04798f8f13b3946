// SPDX-License-Identifier: Apache-2.0
#include "store/space/persistent_free_space.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/free_space/free_space.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"
#include "store/space/file_space.hpp"
#include "testing/hex.hpp"

namespace filigree::store {
namespace {

using enum SpaceKind;
using ::testing::HasSubstr;

class ImageFile : public io::VirtualFile {
 public:
  explicit ImageFile(Buffer image) : bytes(std::move(image)) {}
  std::uint64_t size() const override { return bytes.size(); }
  const std::string& name() const override { return name_; }
  bool writable() const override { return true; }
  Buffer bytes;

 private:
  void do_read(std::span<const io::ReadExtent> extents) const override {
    for (const auto& e : extents) std::copy_n(bytes.begin() + e.offset, e.into.size(), e.into.begin());
  }
  void do_write(std::span<const io::WriteExtent> extents) override {
    for (const auto& e : extents) {
      if (e.offset + e.from.size() > bytes.size()) bytes.resize(e.offset + e.from.size());
      std::copy(e.from.begin(), e.from.end(), bytes.begin() + e.offset);
    }
  }
  void do_truncate(std::uint64_t size) override { bytes.resize(size); }
  void do_sync() override {}
  std::string name_ = "test.h5";
};

/// One session on a file: the store and its space.
struct Session {
  explicit Session(const FileSpaceOptions& options, Buffer image = Buffer(96), format::Widths widths = {}) {
    FileStore::Setup setup;
    setup.widths = widths;
    setup.end_of_file = image.size();
    auto owned = std::make_unique<FileSpace>(options, image.size());
    space = owned.get();
    auto opened = std::make_unique<ImageFile>(std::move(image));
    file = opened.get();
    store = std::make_unique<FileStore>(std::move(opened), setup, std::move(owned));
  }
  SavedFreeSpace save() {
    SavedFreeSpace saved = space->save(*store);
    store->set_file_end(space->end_of_allocation());
    return saved;
  }
  FileSpace* space = nullptr;
  ImageFile* file = nullptr;
  std::unique_ptr<FileStore> store;
};

FileSpaceOptions persistent(SpaceStrategy strategy, std::uint8_t offset_bytes = 8) {
  FileSpaceOptions options;
  options.strategy = strategy;
  options.persist = true;
  options.offset_bytes = offset_bytes;
  return options;
}

constexpr auto both = {SpaceStrategy::fsm_aggregated, SpaceStrategy::paged};

/// The end of a file of 927 bytes that release 1.10.8 wrote: three groups, one of them deleted.
constexpr std::string_view reference_records =
    "46534844 00 01 7500000000000000 0200000000000000 0200000000000000 0000000000000000 0300 5000 7800 3f00"
    "ffffffffffffff7f 6a03000000000000 3500000000000000 3500000000000000 d264cf5b"
    "46535345 00 1803000000000000 01 1300000000000000 b900000000000000 00"
    "01 6200000000000000 2302000000000000 00 5fc6cdd6";
constexpr std::uint64_t reference_end_before = 792;

Buffer reference_file() {
  Buffer image(reference_end_before);
  const Buffer records = testing::from_hex(reference_records);
  image.insert(image.end(), records.begin(), records.end());
  return image;
}

ManagerAddresses reference_managers() {
  ManagerAddresses managers = no_managers();
  managers[0] = to_address(reference_end_before);
  return managers;
}

TEST(PersistentFreeSpace, RestoresWhatHdf5Recorded) {
  Session session(persistent(SpaceStrategy::fsm_aggregated), reference_file());
  session.space->restore(*session.store, reference_managers(), to_address(reference_end_before));
  EXPECT_EQ(session.space->free_bytes(), 117u);
  EXPECT_EQ(session.space->end_of_allocation(), reference_end_before);
  EXPECT_EQ(session.space->allocate(object_header, 98), to_address(0x223));
  EXPECT_EQ(session.space->allocate(btree, 19), to_address(0xb9));
}

TEST(PersistentFreeSpace, SavesTheBytesThatHdf5Writes) {
  Session session(persistent(SpaceStrategy::fsm_aggregated), reference_file());
  session.space->restore(*session.store, reference_managers(), to_address(reference_end_before));
  const SavedFreeSpace saved = session.save();
  EXPECT_EQ(saved.managers, reference_managers());
  EXPECT_EQ(saved.end_before, to_address(reference_end_before));
  EXPECT_EQ(testing::to_hex(session.file->bytes), testing::to_hex(reference_file()));
}

TEST(PersistentFreeSpace, FreesManagersBetweenData) {
  // As later releases write it: the field holds the end with the records.
  Session session(persistent(SpaceStrategy::fsm_aggregated), reference_file());
  session.space->restore(*session.store, reference_managers(), to_address(927));
  EXPECT_EQ(session.space->end_of_allocation(), reference_end_before);
  // Without the field, as release 1.10.0.
  Session older(persistent(SpaceStrategy::fsm_aggregated), reference_file());
  older.space->restore(*older.store, reference_managers(), Address::undefined);
  EXPECT_EQ(older.space->end_of_allocation(), reference_end_before);
}

TEST(PersistentFreeSpace, DoesNotDropOtherBytesAtTheEnd) {
  Session session(persistent(SpaceStrategy::fsm_aggregated), reference_file());
  session.space->restore(*session.store, reference_managers(), to_address(700));
  EXPECT_EQ(session.space->end_of_allocation(), reference_end_before);
  Buffer longer = reference_file();
  longer.resize(longer.size() + 100);
  Session other(persistent(SpaceStrategy::fsm_aggregated), longer);
  other.space->restore(*other.store, reference_managers(), to_address(reference_end_before));
  EXPECT_EQ(other.space->end_of_allocation(), longer.size());
  EXPECT_EQ(other.space->free_bytes(), 117u + 135);
}

TEST(PersistentFreeSpace, KeepsNothingWithoutPersistence) {
  for (auto strategy : both) {
    FileSpaceOptions options = persistent(strategy);
    options.persist = false;
    Session session(options);
    session.space->release(raw, session.space->allocate(raw, 100), 100);
    const SavedFreeSpace saved = session.save();
    EXPECT_EQ(saved.managers, no_managers());
    EXPECT_FALSE(is_valid(saved.end_before));
  }
}

TEST(PersistentFreeSpace, RecordsTheEndWithoutFreeSpace) {
  Session session(persistent(SpaceStrategy::fsm_aggregated));
  session.space->allocate(raw, 5000);
  const SavedFreeSpace saved = session.save();
  EXPECT_EQ(saved.managers, no_managers());
  EXPECT_EQ(saved.end_before, to_address(5096));
  EXPECT_EQ(session.space->end_of_allocation(), 5096u);
}

TEST(PersistentFreeSpace, DropsSectionsBelowTheThreshold) {
  FileSpaceOptions options = persistent(SpaceStrategy::fsm_aggregated);
  options.threshold = 150;
  Session session(options);
  std::vector<Address> all;
  for (std::uint64_t bytes : {100, 100, 200, 100})
    all.push_back(session.space->allocate(object_header, bytes));
  session.space->release(object_header, all[0], 100);
  session.space->release(object_header, all[2], 200);
  const SavedFreeSpace saved = session.save();
  Session next(options, session.file->bytes);
  next.space->restore(*next.store, saved.managers, saved.end_before);
  EXPECT_EQ(next.space->free_bytes(), 200u);
}

TEST(PersistentFreeSpace, WithdrawsManagersOnTheNextChange) {
  for (auto strategy : both) {
    Session session(persistent(strategy));
    const Address hole = session.space->allocate(raw, 6000);
    const Address kept = session.space->allocate(object_header, 100);
    session.space->allocate(raw, 10000);
    session.space->release(raw, hole, 6000);
    session.save();
    const std::uint64_t free = session.space->free_bytes(), end = session.space->end_of_allocation();
    session.space->finish();
    EXPECT_EQ(session.space->end_of_allocation(), end);
    EXPECT_TRUE(session.space->saved());
    session.space->release(object_header, kept, 100);
    EXPECT_FALSE(session.space->saved());
    EXPECT_EQ(session.space->allocate(raw, 6000), hole);
    session.space->release(raw, hole, 6000);
    session.save();
    EXPECT_GT(session.space->free_bytes(), 0u);
    EXPECT_LE(session.space->end_of_allocation(), end);
    EXPECT_GE(session.space->free_bytes() + 100, free);
  }
}

class Sessions : public ::testing::TestWithParam<std::pair<SpaceStrategy, format::Widths>> {};

/// Random changes over many sessions: what is free is always found again, and nothing leaks.
TEST_P(Sessions, FindAllFreeSpaceAgain) {
  const auto [strategy, widths] = GetParam();
  FileSpaceOptions options = persistent(strategy, widths.offset_bytes);
  options.page_bytes = 512;
  std::mt19937 random(7);
  std::vector<std::tuple<SpaceKind, Address, std::uint64_t>> used;
  Buffer image(96);
  SavedFreeSpace saved;
  for (int round = 0; round < 40; ++round) {
    Session session(options, image, widths);
    session.space->restore(*session.store, saved.managers, saved.end_before);
    const std::uint64_t start_free = session.space->free_bytes();
    if (round == 0) session.space->allocate(superblock, 1);
    for (int i = 0; i < 30; ++i) {
      const auto kind = static_cast<SpaceKind>(random() % 6);
      const std::uint64_t bytes = 1 + random() % (random() % 5 == 0 ? 1500 : 100);
      used.emplace_back(kind, session.space->allocate(kind, bytes), bytes);
    }
    std::shuffle(used.begin(), used.end(), random);
    for (; used.size() > 20; used.pop_back()) {
      const auto& [kind, at, bytes] = used.back();
      session.space->release(kind, at, bytes);
    }
    saved = session.save();
    image = session.file->bytes;
    ASSERT_EQ(image.size(), session.space->end_of_allocation());
    std::uint64_t in_use = 97;
    for (const auto& [kind, at, bytes] : used) in_use += bytes;
    Session check(options, image, widths);
    check.space->restore(*check.store, saved.managers, saved.end_before);
    ASSERT_EQ(check.space->free_bytes() + in_use, check.space->end_of_allocation()) << start_free;
    ASSERT_LE(to_number(saved.end_before), image.size());
  }
}

INSTANTIATE_TEST_SUITE_P(PersistentFreeSpace, Sessions,
                         ::testing::Values(std::pair{SpaceStrategy::fsm_aggregated, format::Widths{8, 8}},
                                           std::pair{SpaceStrategy::fsm_aggregated, format::Widths{4, 4}},
                                           std::pair{SpaceStrategy::fsm_aggregated, format::Widths{2, 2}},
                                           std::pair{SpaceStrategy::paged, format::Widths{8, 8}},
                                           std::pair{SpaceStrategy::paged, format::Widths{4, 8}},
                                           std::pair{SpaceStrategy::paged, format::Widths{2, 2}}));

TEST(PersistentFreeSpace, OmitsManagersBeyondTheLargestOffset) {
  Session session(persistent(SpaceStrategy::fsm_aggregated, 2), Buffer(96), {2, 2});
  const Address hole = session.space->allocate(raw, 100);
  session.space->allocate(object_header, 3000);
  const Address other = session.space->allocate(object_header, 3000);
  session.space->allocate(raw, 65534 - session.space->end_of_allocation());
  session.space->release(raw, hole, 100);
  session.space->release(object_header, other, 40);
  const SavedFreeSpace saved = session.save();
  EXPECT_FALSE(is_valid(saved.managers[0]));
  EXPECT_LE(session.space->end_of_allocation(), 65534u);
  EXPECT_EQ(session.file->bytes.size(), session.space->end_of_allocation());
}

/// A file of 4000 bytes with the records of `sections` at 1000.
struct Forged {
  explicit Forged(std::vector<SpaceRange> sections)
      : session(persistent(SpaceStrategy::fsm_aggregated), Buffer(4000)) {
    FreeSpaceManager(0, sections, false, {}).write(*session.store, to_address(1000), to_address(1100));
    managers[0] = to_address(1000);
  }
  /// Expects restoring to fail with `message` and to change nothing.
  void refuse(std::string_view message) {
    try {
      session.space->restore(*session.store, managers, Address::undefined);
      ADD_FAILURE() << "restored";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string(message)));
      EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated);
    }
    EXPECT_EQ(session.space->free_bytes(), 0u);
    EXPECT_EQ(session.space->end_of_allocation(), 4000u);
  }
  format::FreeSpaceHeader header() {
    return format::decode<format::FreeSpaceHeader>(Bytes(session.file->bytes).subspan(1000), {});
  }
  void set(const format::FreeSpaceHeader& header, std::uint64_t at = 1000) {
    session.store->write(to_address(at), format::encode(header, {}));
  }
  Session session;
  ManagerAddresses managers = no_managers();
};

TEST(PersistentFreeSpace, RefusesSectionsThatOverlap) {
  Forged({{2000, 100}, {2050, 100}}).refuse("overlap");
  Forged({{2000, 100}, {2000, 100}}).refuse("overlap");
  Forged({{1050, 10}}).refuse("overlap");
  Forged({{1110, 10}}).refuse("overlap");
}

TEST(PersistentFreeSpace, RefusesSectionsOutsideTheFile) {
  Forged({{3990, 11}}).refuse("outside");
  Forged({{5000, 1}}).refuse("outside");
  Forged({{0, 100}}).refuse("outside");
  Forged({{47, 10}}).refuse("outside");
  Forged({{~std::uint64_t{0} >> 1, 100}}).refuse("outside");
}

TEST(PersistentFreeSpace, RefusesTwoSlotsWithOneManager) {
  Forged forged({{2000, 100}});
  forged.managers[2] = forged.managers[0];
  forged.refuse("overlap");
}

TEST(PersistentFreeSpace, RefusesHeadersThatDifferFromTheirLists) {
  Forged total({{2000, 100}});
  format::FreeSpaceHeader header = total.header();
  header.free_bytes = 99;
  total.set(header);
  total.refuse("its header says 99");

  Forged count({{2000, 100}});
  header = count.header();
  header.sections = header.serialised_sections = std::uint64_t{1} << 60;
  count.set(header);
  count.refuse("section list");

  Forged bytes({{2000, 100}});
  header = bytes.header();
  header.list_bytes = header.list_allocated_bytes = std::uint64_t{1} << 60;
  bytes.set(header);
  bytes.refuse("outside");

  Forged client({{2000, 100}});
  header = client.header();
  header.client = format::FreeSpaceClient::heap;
  client.set(header);
  client.refuse("manages a heap");

  Forged list({{2000, 100}});
  header = list.header();
  header.list = Address::undefined;
  list.set(header);
  list.refuse("undefined");

  Forged moved({{2000, 100}});
  moved.set(moved.header(), 1500);
  moved.managers[0] = to_address(1500);
  moved.refuse("belongs to the manager");
}

TEST(PersistentFreeSpace, RefusesManagersOutsideTheFile) {
  for (std::uint64_t at : {std::uint64_t{0}, std::uint64_t{3999}, std::uint64_t{4000}, ~std::uint64_t{1}}) {
    Forged forged({{2000, 100}});
    forged.managers[0] = to_address(at);
    forged.refuse("free-space manager");
  }
}

TEST(PersistentFreeSpace, SurvivesEveryFlippedBitAndTruncation) {
  for (std::size_t bit = reference_end_before * 8; bit < reference_file().size() * 8; ++bit) {
    Buffer image = reference_file();
    image[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    Session session(persistent(SpaceStrategy::fsm_aggregated), image);
    EXPECT_THROW(session.space->restore(*session.store, reference_managers(), Address::undefined), Error)
        << bit;
  }
  for (std::size_t bytes = 0; bytes < reference_file().size(); ++bytes) {
    Buffer image = reference_file();
    image.resize(bytes);
    Session session(persistent(SpaceStrategy::fsm_aggregated), image);
    EXPECT_THROW(session.space->restore(*session.store, reference_managers(), Address::undefined), Error)
        << bytes;
  }
}

TEST(PersistentFreeSpace, IsRestoredOnlyBeforeTheFirstChange) {
  Session session(persistent(SpaceStrategy::fsm_aggregated), reference_file());
  session.space->allocate(raw, 1);
  EXPECT_THROW(session.space->restore(*session.store, reference_managers(), Address::undefined), Error);
}

}  // namespace
}  // namespace filigree::store
