// SPDX-License-Identifier: Apache-2.0
//
// Files that are read while they are written, as C++ programs use them.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

AccessOptions newest() {
  AccessOptions access;
  access.versions.low = Version::v1_10;
  return access;
}

class SwmrTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return scratch_ / name; }

  File make(const std::string& name) {
    File file = File::create(path(name), CreateMode::truncate, {}, newest());
    DatasetOptions options;
    options.chunk = {4};
    file.root().create_dataset<int>("d", Dataspace::simple({0}, {unlimited}), options);
    return file;
  }

  static void append(const File& file, std::vector<int> values) {
    Dataset dataset = file.root().open_dataset("d");
    const std::uint64_t length = dataset.space().dims()[0];
    dataset.resize({length + values.size()});
    dataset.write(values, Selection::box({length}, {values.size()}));
  }

  static std::vector<int> all(const File& file) { return file.root().read_dataset<std::vector<int>>("d"); }

 private:
  Scratch scratch_;
};

TEST_F(SwmrTest, SeesWhatWasFlushedAfterARefresh) {
  File file = make("a.h5");
  EXPECT_FALSE(file.is_swmr_writer());
  file.start_swmr_write();
  EXPECT_TRUE(file.is_swmr_writer());
  File reader = File::open_swmr(path("a.h5"));
  EXPECT_THAT(all(reader), SizeIs(0));
  append(file, {1, 2, 3});
  reader.refresh();
  EXPECT_THAT(all(reader), SizeIs(0));
  file.flush();
  EXPECT_THAT(all(reader), SizeIs(0));
  reader.refresh();
  EXPECT_THAT(all(reader), ElementsAre(1, 2, 3));
  append(file, {4, 5, 6, 7, 8, 9});
  file.flush();
  EXPECT_THAT(all(reader), ElementsAre(1, 2, 3));
  reader.refresh();
  EXPECT_THAT(all(reader), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  file.close();
  reader.refresh();
  EXPECT_THAT(all(reader), SizeIs(9));
  EXPECT_THAT(reader.read_retries(), SizeIs(0));
}

TEST_F(SwmrTest, SeesTheChunksOfAllDatasetsAnew) {
  File file = make("a.h5");
  append(file, {1, 2, 3});
  file.start_swmr_write();
  File reader = File::open_swmr(path("a.h5"));
  const Dataset known = reader.root().open_dataset("d");
  EXPECT_THAT(known.read<std::vector<int>>(), ElementsAre(1, 2, 3));
  file.root().open_dataset("d").write(std::vector<int>{7, 8, 9});
  file.flush();
  reader.refresh();
  EXPECT_THAT(known.read<std::vector<int>>(), ElementsAre(7, 8, 9));
}

TEST_F(SwmrTest, GoesThroughExternalLinks) {
  File file = make("a.h5");
  file.start_swmr_write();
  {
    File other = File::create(path("b.h5"), CreateMode::truncate, {}, newest());
    other.root().link_external("far", path("a.h5"), "/d");
  }
  File reader = File::open_swmr(path("b.h5"));
  append(file, {1, 2});
  file.flush();
  EXPECT_THAT(reader.root().read_dataset<std::vector<int>>("far"), ElementsAre(1, 2));
}

TEST_F(SwmrTest, SeesTheSourcesOfVirtualDatasetsGrow) {
  File file = make("a.h5");
  append(file, {1});
  file.start_swmr_write();
  {
    File other = File::create(path("v.h5"), CreateMode::truncate, {}, newest());
    const auto growing = Selection::blocks({{0, 1, unlimited, 1}});
    DatasetOptions options;
    options.virtual_sources = {{path("a.h5"), "d", growing, growing}};
    other.root().create_dataset<int>("v", Dataspace::simple({0}, {unlimited}), options);
  }
  File reader = File::open_swmr(path("v.h5"));
  const Dataset seen = reader.root().open_dataset("v");
  EXPECT_THAT(seen.read<std::vector<int>>(), ElementsAre(1));
  append(file, {2, 3, 4, 5});
  file.flush();
  reader.refresh();
  EXPECT_THAT(seen.read<std::vector<int>>(), ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(SwmrTest, OnlyClosingTheWriterReleasesTheFile) {
  File file = make("a.h5");
  file.start_swmr_write();
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write}) {
    try {
      File::open(path("a.h5"), mode);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::locked) << error.what();
    }
  }
  append(file, {1});
  file.close();
  EXPECT_THAT(all(File::open(path("a.h5"), OpenMode::read_write)), ElementsAre(1));
}

TEST_F(SwmrTest, GivesFilteredChunksNewAddresses) {
  File file = make("a.h5");
  DatasetOptions packed;
  packed.chunk = {1000};
  packed.filters = {filters::deflate()};
  auto dataset = file.root().create_dataset<int>("p", Dataspace::simple({1000}, {unlimited}), packed);
  dataset.write(std::vector<int>(1000, 1));
  file.start_swmr_write();
  File reader = File::open_swmr(path("a.h5"));
  const Dataset known = reader.root().open_dataset("p");
  known.space();
  std::vector<int> values(1000);
  for (int turn = 0; turn < 20; ++turn) {
    for (int i = 0; i < 1000; ++i) values[static_cast<std::size_t>(i)] = i * turn;
    const auto before = dataset.find_chunk({0});
    dataset.write(values);
    file.flush();
    EXPECT_NE(dataset.find_chunk({0})->address, before->address);
  }
  EXPECT_EQ(known.read<std::vector<int>>().size(), 1000u);
  reader.refresh();
  EXPECT_EQ(known.read<std::vector<int>>(), values);
}

TEST_F(SwmrTest, RefusesWhatCannotBe) {
  try {
    File::create(path("old.h5"), CreateMode::truncate).start_swmr_write();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  }
  EXPECT_NO_THROW(File::open_swmr(path("old.h5")));
  EXPECT_THROW(File::open_swmr(path("none.h5")), Error);
  EXPECT_THROW(File::open_swmr(path("old.h5"), {}, 0), Error);
  File plain = make("a.h5");
  plain.close();
  EXPECT_THROW(File::open_swmr(path("a.h5")).start_swmr_write(), Error);
  EXPECT_THROW(plain.start_swmr_write(), Error);
}

}  // namespace
}  // namespace filigree
