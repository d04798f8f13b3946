// SPDX-License-Identifier: Apache-2.0
//
// What operations cost in requests to the file. Counts, never times.
#include <gtest/gtest.h>

#include "io/memory/memory_file.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/link/path.hpp"
#include "testing/counting_file.hpp"

namespace filigree::model {
namespace {

struct Counted {
  std::shared_ptr<File> file;
  testing::CountingFile* io;
};

Counted open_counted(Buffer image, AccessOptions access = {}) {
  auto counting = std::make_unique<testing::CountingFile>(std::make_unique<io::MemoryFile>(std::move(image)));
  testing::CountingFile* io = counting.get();
  return {File::open(std::move(counting), access), io};
}

Counted create_counted(Version low) {
  auto counting = std::make_unique<testing::CountingFile>(std::make_unique<io::MemoryFile>());
  testing::CountingFile* io = counting.get();
  AccessOptions access;
  access.versions.low = low;
  return {File::create(std::move(counting), {}, access), io};
}

void add_links(File& file, int links, bool groups) {
  const Change change(file, "add links");
  LinkTable root(file, file.root());
  for (int i = 0; i < links; ++i) {
    LinkMessage link;
    link.name = "link" + std::to_string(i);
    link.kind = groups ? format::LinkKind::hard : format::LinkKind::soft;
    link.target = "/some/where/else";
    if (groups) link.header = LinkTable::create_group(file, {});
    root.insert(std::move(link));
  }
}

TEST(Cost, ASmallFileOpensWithTwoReads) {
  for (const Version low : {Version::earliest, Version::v1_10}) {
    Counted made = create_counted(low);
    add_links(*made.file, 3, true);
    const Counted opened = open_counted(made.file->image());
    EXPECT_EQ(opened.io->counts().read_calls, 1u);  // the superblock
    get_object({opened.file, opened.file->root(), "/"}, "link1");
    EXPECT_EQ(opened.io->counts().read_calls, 2u);  // and one page with everything else
  }
}

TEST(Cost, OneObjectAmong100000InADenseGroupOpensWithAtMostTenReads) {
  Counted made = create_counted(Version::v1_10);
  add_links(*made.file, 100000, true);
  const Buffer image = made.file->image();
  for (const char* name : {"link0", "link99999", "link31337", "link50000"}) {
    const Counted opened = open_counted(image);
    get_object({opened.file, opened.file->root(), "/"}, name);
    EXPECT_LE(opened.io->counts().read_calls, 10u) << name;
  }
}

TEST(Cost, ListingLinksCostsReadsByBytes) {
  for (const Version low : {Version::earliest, Version::v1_10}) {
    Counted made = create_counted(low);
    add_links(*made.file, 10000, false);
    const Buffer image = made.file->image();
    const Counted opened = open_counted(image);
    std::size_t seen = 0;
    LinkTable(*opened.file, opened.file->root())
        .for_each(IndexBy::name, Direction::ascending, [&](const LinkMessage&) { return ++seen > 0; });
    EXPECT_EQ(seen, 10000u);
    EXPECT_LE(opened.io->counts().read_calls, 4 + 2 * image.size() / (32u << 10));
  }
}

TEST(Cost, OpeningForWritingAndClosingUnchangedWritesNothing) {
  Counted made = create_counted(Version::v1_8);
  add_links(*made.file, 20, true);
  const Counted opened = open_counted(made.file->image());
  get_object({opened.file, opened.file->root(), "/"}, "link7");
  opened.file->flush();
  EXPECT_EQ(opened.io->counts().write_calls, 0u);
  EXPECT_EQ(opened.io->counts().truncate_calls, 0u);
}

TEST(Cost, ManySmallChangesLeaveInFewWrites) {
  Counted made = create_counted(Version::v1_8);
  made.io->reset();
  add_links(*made.file, 2000, true);
  EXPECT_EQ(made.io->counts().write_calls, 0u);
  made.file->flush();
  EXPECT_LE(made.io->counts().write_calls, 4u);  // mark, structures as one vector, superblock, mark
}

}  // namespace
}  // namespace filigree::model
