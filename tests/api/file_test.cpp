// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::HasSubstr;

TEST(ApiFile, ExclusiveCreationRefusesAnExistingFileAndLeavesItAlone) {
  const Scratch dir;
  File::create(dir / "a.h5").root().create_group("kept");
  EXPECT_EQ(error_of([&] { File::create(dir / "a.h5"); }), ErrorKind::already_exists);
  EXPECT_TRUE(File::open(dir / "a.h5").root().has_link("kept"));
}

TEST(ApiFile, TruncatingCreationReplacesWhatWasThere) {
  const Scratch dir;
  File::create(dir / "a.h5").root().create_group("old");
  File::create(dir / "a.h5", CreateMode::truncate).close();
  EXPECT_EQ(File::open(dir / "a.h5").root().size(), 0u);
}

TEST(ApiFile, ImpossibleOptionsDoNotEmptyAnOldFile) {
  const Scratch dir;
  File::create(dir / "a.h5").root().create_group("kept");
  CreateOptions odd;
  odd.user_block_bytes = 700;
  EXPECT_EQ(error_of([&] { File::create(dir / "a.h5", CreateMode::truncate, odd); }),
            ErrorKind::invalid_argument);
  EXPECT_TRUE(File::open(dir / "a.h5").root().has_link("kept"));
}

TEST(ApiFile, AFileThatIsNotHdf5SaysSo) {
  const Scratch dir;
  std::ofstream(dir / "text") << "just some text, longer than a signature";
  std::ofstream(dir / "empty").flush();
  EXPECT_EQ(error_of([&] { File::open(dir / "text"); }), ErrorKind::not_hdf5);
  EXPECT_EQ(error_of([&] { File::open(dir / "empty"); }), ErrorKind::not_hdf5);
  EXPECT_EQ(error_of([&] { File::open(dir / "missing"); }), ErrorKind::not_found);
  EXPECT_THAT(message_of([&] { File::open(dir / "text"); }), HasSubstr(dir / "text"));
  EXPECT_FALSE(File::is_hdf5(dir / "text"));
  EXPECT_FALSE(File::is_hdf5(dir / "empty"));
}

TEST(ApiFile, ATruncatedFileSaysSo) {
  const Scratch dir;
  File::create(dir / "a.h5").root().create_group("g");
  EXPECT_TRUE(File::is_hdf5(dir / "a.h5"));
  std::filesystem::resize_file(dir / "a.h5", std::filesystem::file_size(dir / "a.h5") - 1);
  EXPECT_EQ(error_of([&] { File::open(dir / "a.h5"); }), ErrorKind::truncated);
}

TEST(ApiFile, AReadOnlyFileRefusesEveryChange) {
  File made = File::create_in_memory();
  made.root().create_group("g").set_attribute("a", 1);
  File file = reopened(made);
  Group root = file.root();
  Group g = root.open_group("g");
  EXPECT_FALSE(file.writable());
  EXPECT_EQ(error_of([&] { root.create_group("h"); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { root.create_group("x/y", {}, {.create_parents = true}); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { root.remove("g"); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { root.rename("g", "h"); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { root.link_soft("s", "g"); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { root.copy("g", root, "h"); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { g.set_attribute("a", 2); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { g.set_attribute("b", 2); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { g.remove_attribute("a"); }), ErrorKind::read_only);
  EXPECT_EQ(error_of([&] { g.set_comment("c"); }), ErrorKind::read_only);
  EXPECT_EQ(g.get_attribute<int>("a"), 1);
}

TEST(ApiFile, HandlesOfAClosedFileSaySo) {
  File file = File::create_in_memory();
  Group g = file.root().create_group("g");
  g.set_attribute("a", 1);
  const Attribute a = g.attribute("a");
  file.close();
  file.close();
  EXPECT_EQ(error_of([&] { file.root(); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { file.info(); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { file.flush(); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { file.image(); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { g.create_group("x"); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { g.kind(); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { g.links(); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { g.open("x"); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { g.has_attribute("a"); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { g.comment(); }), ErrorKind::closed);
  EXPECT_EQ(error_of([&] { a.read<int>(); }), ErrorKind::closed);
  EXPECT_EQ(g.path(), "/g");
}

TEST(ApiFile, TheLastHandleOnAnythingWritesAndClosesTheFile) {
  const Scratch dir;
  {
    std::optional<Attribute> last;
    {
      Group g = File::create(dir / "a.h5").root().create_group("g");
      last = g.create_attribute("a", Datatype::of<int>());
    }
    last->write(5);
  }
  EXPECT_EQ(File::open(dir / "a.h5").open_object("g").get_attribute<int>("a"), 5);
}

TEST(ApiFile, OpenedForWritingAndClosedUnchangedItStaysTheSame) {
  for (const Version low : {Version::earliest, Version::v1_8, Version::v1_10, Version::v1_14}) {
    File made = File::create_in_memory({}, bounds(low));
    made.root().create_group("g").set_attribute("a", std::string("text"));
    const std::vector<std::byte> before = made.image();
    File again = File::open_image(before, OpenMode::read_write);
    EXPECT_EQ(again.open_object("g").get_attribute<std::string>("a"), "text");
    EXPECT_EQ(again.image(), before);
  }
}

TEST(ApiFile, AUserBlockStaysWhatItIs) {
  const Scratch dir;
  CreateOptions options;
  options.user_block_bytes = 1024;
  File::create(dir / "a.h5", CreateMode::exclusive, options).root().create_group("g");
  {
    std::fstream raw(dir / "a.h5", std::ios::in | std::ios::out | std::ios::binary);
    raw << "#!/bin/sh";
  }
  {
    File file = File::open(dir / "a.h5", OpenMode::read_write);
    EXPECT_EQ(file.info().user_block_bytes, 1024u);
    file.root().create_group("h");
  }
  std::string start(9, '\0');
  std::ifstream(dir / "a.h5", std::ios::binary).read(start.data(), 9);
  EXPECT_EQ(start, "#!/bin/sh");
  EXPECT_EQ(names(File::open(dir / "a.h5").root()), (std::vector<std::string>{"g", "h"}));
}

TEST(ApiFile, SmallWidthsWorkUntilTheyAreExhausted) {
  CreateOptions options;
  options.offset_bytes = options.length_bytes = 2;
  for (const Version low : {Version::earliest, Version::v1_8, Version::v1_10}) {
    File file = File::create_in_memory(options, bounds(low));
    Group root = file.root();
    const ErrorKind end = error_of([&] {
      for (int i = 0; i < 10000; ++i) root.create_group("group" + std::to_string(i));
    });
    EXPECT_EQ(end, ErrorKind::limit);
    EXPECT_GT(root.size(), 50u);
    const File again = reopened(file);
    EXPECT_EQ(again.info().offset_bytes, 2);
    again.root().visit([](const Visited&) { return true; });
  }
}

TEST(ApiFile, BoundsDecideTheVersionsOfStructures) {
  struct Case {
    Version low;
    int superblock, header;
    GroupStorage storage;
  };
  for (const Case& c : {Case{Version::earliest, 0, 1, GroupStorage::symbol_table},
                        {Version::v1_8, 2, 2, GroupStorage::compact},
                        {Version::v1_10, 3, 2, GroupStorage::compact},
                        {Version::v1_12, 3, 2, GroupStorage::compact},
                        {Version::v1_14, 3, 2, GroupStorage::compact}}) {
    File file = File::create_in_memory({}, bounds(c.low));
    const Group g = file.root().create_group("g");
    EXPECT_EQ(int{file.info().superblock_version}, c.superblock);
    EXPECT_EQ(int{g.info().header_version}, c.header);
    EXPECT_EQ(g.group_info().storage, c.storage);
    EXPECT_EQ(file.info().versions.low, c.low);
  }
}

TEST(ApiFile, SpecialWishesRaiseTheSuperblockOfAnEarlyFile) {
  CreateOptions chunk_k;
  chunk_k.chunk_k = 64;
  EXPECT_EQ(int{File::create_in_memory(chunk_k).info().superblock_version}, 1);
  CreateOptions paged;
  paged.space.strategy = SpaceStrategy::paged;
  EXPECT_EQ(int{File::create_in_memory(paged).info().superblock_version}, 2);
  CreateOptions shared;
  shared.shared_messages.push_back({{SharedMessage::attribute}, 40});
  EXPECT_EQ(int{File::create_in_memory(shared).info().superblock_version}, 2);
}

TEST(ApiFile, AnUpperBoundRefusesNewerFiles) {
  File made = File::create_in_memory({}, bounds(Version::v1_10));
  EXPECT_EQ(error_of([&] { reopened(made, OpenMode::read_only, bounds(Version::earliest, Version::v1_8)); }),
            ErrorKind::unsupported);
  EXPECT_EQ(error_of([&] { File::create_in_memory({}, bounds(Version::v1_12, Version::v1_8)); }),
            ErrorKind::invalid_argument);
}

TEST(ApiFile, ANewerFileRaisesTheLowerBound) {
  File made = File::create_in_memory({}, bounds(Version::v1_8));
  File file = reopened(made, OpenMode::read_write);
  EXPECT_EQ(file.info().versions.low, Version::v1_8);
  EXPECT_EQ(file.root().create_group("g").group_info().storage, GroupStorage::compact);
}

TEST(ApiFile, FlushMakesTheStateReadableWhileTheFileStaysOpen) {
  const Scratch dir;
  File file = File::create(dir / "a.h5");
  file.root().create_group("g");
  file.flush();
  EXPECT_TRUE(File::open(dir / "a.h5").root().has_link("g"));
  file.root().create_group("h");
  file.close();
  EXPECT_TRUE(File::open(dir / "a.h5").root().has_link("h"));
}

TEST(ApiFile, ManyThreadsReadOneFile) {
  for (const Version low : {Version::earliest, Version::v1_10}) {
    AccessOptions access = bounds(low);
    File made = File::create_in_memory({}, access);
    for (int i = 0; i < 300; ++i) {
      Group g = made.root().create_group("g" + std::to_string(i));
      g.set_attribute("number", i);
      g.set_attribute("text", "text " + std::to_string(i));
    }
    access.metadata_cache_bytes = 4096;  // so that threads also evict under each other
    const File file = reopened(made, OpenMode::read_only, access);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        const Group root = file.root();
        for (int k = 0; k < 300; ++k) {
          const int i = (k * 7 + t * 31) % 300;
          const Object g = root.open("g" + std::to_string(i));
          if (g.get_attribute<int>("number") != i ||
              g.get_attribute<std::string>("text") != "text " + std::to_string(i))
            ++wrong;
        }
        if (root.links().size() != 300) ++wrong;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

}  // namespace
}  // namespace filigree
