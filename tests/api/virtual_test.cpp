// SPDX-License-Identifier: Apache-2.0
//
// Virtual datasets: elements that are stored in other datasets, some of which may be missing, at a wrong
// path, or virtual themselves.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;
using Ints = std::vector<int>;

Selection rows(std::uint64_t start, std::uint64_t count, std::uint64_t columns) {
  return Selection::box({start, 0}, {count, columns});
}

class Virtual : public ::testing::Test {
 protected:
  static Ints counted(std::size_t count, int first) {
    Ints values(count);
    for (int& v : values) v = first++;
    return values;
  }
  /// A file with one dataset of ints, which start at `first`.
  void make(const std::string& name, const std::string& dataset, std::vector<std::uint64_t> dims, int first,
            std::vector<std::uint64_t> most = {}) {
    File file = fs::exists(scratch_ / name) ? File::open(scratch_ / name, OpenMode::read_write)
                                            : File::create(scratch_ / name);
    DatasetOptions options;
    if (!most.empty()) options.chunk.assign(dims.size(), 2);
    std::uint64_t count = 1;
    for (const auto n : dims) count *= n;
    file.root()
        .create_dataset<int>(dataset, most.empty() ? Dataspace::simple(dims) : Dataspace::simple(dims, most),
                             options)
        .write(counted(count, first));
    file.close();
  }
  static DatasetOptions from(std::vector<VirtualSource> sources, int fill = -1) {
    DatasetOptions options;
    options.virtual_sources = std::move(sources);
    options.fill = Fill::of(fill);
    return options;
  }
  Dataset create(std::vector<VirtualSource> sources, std::vector<std::uint64_t> dims,
                 std::vector<std::uint64_t> most = {}) {
    return file_.root().create_dataset<int>(
        "v" + std::to_string(number_++),
        most.empty() ? Dataspace::simple(dims) : Dataspace::simple(dims, most), from(std::move(sources)));
  }
  static Ints read(const Dataset& d, const Selection& s = {}) { return d.read<Ints>(s); }
  ErrorKind refused(std::vector<VirtualSource> sources, std::vector<std::uint64_t> dims) {
    return error_of([&] { create(std::move(sources), std::move(dims)); });
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "v.h5");
  int number_ = 0;
};

TEST_F(Virtual, JoinsSourcesOfSeveralFiles) {
  make("a.h5", "d", {3}, 10);
  make("b.h5", "/g", {3}, 20);
  const Dataset d = create({{"a.h5", "d", {}, rows(0, 1, 3)}, {"b.h5", "g", {}, rows(2, 1, 3)}}, {3, 3});
  EXPECT_THAT(read(d), ElementsAre(10, 11, 12, -1, -1, -1, 20, 21, 22));
  EXPECT_THAT(read(d, Selection::box({0, 1}, {3, 1})), ElementsAre(11, -1, 21));
  EXPECT_EQ(d.dataset_info().layout, Layout::virtual_dataset);
}

TEST_F(Virtual, ReadsAnySelectionIntoAnyShape) {
  make("a.h5", "d", {4, 6}, 0);
  const Dataset d =
      create({{"a.h5", "d", Selection::strided({0, 0}, {2, 3}, {2, 2}), rows(1, 2, 2)}}, {4, 2});
  EXPECT_THAT(read(d), ElementsAre(-1, -1, 0, 3, 12, 15, -1, -1));
  const std::vector<std::uint64_t> points{2, 1, 0, 0, 2, 1, 1, 1};
  EXPECT_THAT(read(d, Selection::points({4, 2}, points)), ElementsAre(15, -1, 15, 3));
  const std::vector<std::uint64_t> set{2, 1, 0, 0, 1, 1};
  EXPECT_THAT(read(d, Selection::of_coordinates({4, 2}, set)), ElementsAre(-1, 3, 15));
  TransferOptions options;
  options.memory = MemoryShape{{2, 4}, Selection::strided({0, 0}, {1, 2}, {2, 2})};
  Ints values(8, 99);
  d.read_into(std::span(values), Selection::box({1, 0}, {2, 2}), options);
  EXPECT_THAT(values, ElementsAre(0, 99, 3, 99, 12, 99, 15, 99));
}

TEST_F(Virtual, ConvertsEverySourceFromItsOwnType) {
  file_.root().create_dataset<double>("f", Dataspace::simple({2})).write(std::vector<double>{1.5, -2.5});
  file_.root().create_dataset<std::int8_t>("i", Dataspace::simple({2})).write(std::vector<std::int8_t>{7, 8});
  const Dataset d =
      create({{".", "f", {}, Selection::box({0}, {2})}, {".", "i", {}, Selection::box({2}, {2})}}, {5});
  EXPECT_THAT(d.read<std::vector<double>>(), ElementsAre(1.5, -2.5, 7, 8, -1));
  EXPECT_THAT(read(d), ElementsAre(1, -2, 7, 8, -1));
}

TEST_F(Virtual, LetsTheLastOfSeveralMappingsCount) {
  make("a.h5", "d", {4}, 10);
  make("b.h5", "d", {4}, 20);
  Dataset d =
      create({{"a.h5", "d", {}, Selection::box({0}, {4})}, {"b.h5", "d", {}, Selection::box({2}, {4})}}, {6});
  EXPECT_THAT(read(d), ElementsAre(10, 11, 20, 21, 22, 23));
}

TEST_F(Virtual, ReadsFillValuesWhereSourcesAreMissing) {
  const Dataset d = create({{"no.h5", "d", Selection::box({0}, {2}), Selection::box({0}, {2})},
                            {".", "nothing/here", Selection::box({0}, {2}), Selection::box({2}, {2})},
                            {".", "/", Selection::box({0}, {2}), Selection::box({4}, {2})}},
                           {6});
  EXPECT_THAT(read(d), Each(-1));
  make("no.h5", "d", {2}, 5);
  EXPECT_THAT(read(d), ElementsAre(5, 6, -1, -1, -1, -1)) << "a source that has come is found";
}

TEST_F(Virtual, ReadsFillValuesBeyondTheEndOfASource) {
  make("a.h5", "d", {3}, 0);
  const Dataset d = create({{"a.h5", "d", Selection::box({1}, {4}), Selection::box({0}, {4})}}, {5});
  EXPECT_THAT(read(d), ElementsAre(1, 2, -1, -1, -1));
}

TEST_F(Virtual, RefusesAWholeSourceOfAnotherSize) {
  make("a.h5", "d", {3}, 0);
  const Dataset d = create({{"a.h5", "d", {}, Selection::box({0}, {4})}}, {5});
  EXPECT_THAT(message_of([&] { read(d); }), AllOf(HasSubstr("mapping 0"), HasSubstr("which has 3")));
  const Dataset flat = create({{"a.h5", "d", Selection::box({0, 0}, {2, 2}), Selection::box({0}, {4})}}, {5});
  EXPECT_EQ(error_of([&] { read(flat); }), ErrorKind::corrupt);
}

TEST_F(Virtual, ReportsASourceFileThatIsNoHdf5File) {
  std::ofstream(scratch_ / "junk.h5") << "junk";
  const Dataset d = create({{"junk.h5", "d", Selection::box({0}, {2}), {}}}, {2});
  EXPECT_EQ(error_of([&] { read(d); }), ErrorKind::not_hdf5);
}

TEST_F(Virtual, WritesThroughToItsSources) {
  make("a.h5", "d", {2, 3}, 0);
  make("b.h5", "d", {2, 3}, 0);
  Dataset d = create({{"a.h5", "d", {}, rows(0, 2, 3)}, {"b.h5", "d", {}, rows(2, 2, 3)}}, {4, 3});
  d.write(counted(6, 100), rows(1, 2, 3));
  EXPECT_THAT(read(d), ElementsAre(0, 1, 2, 100, 101, 102, 103, 104, 105, 3, 4, 5));
  file_.flush();
  EXPECT_THAT(File::open(scratch_ / "a.h5").root().open_dataset("d").read<Ints>(),
              ElementsAre(0, 1, 2, 100, 101, 102));
  d.write(Ints{7}, Selection::box({3, 2}, {1, 1}));
  file_.close();
  EXPECT_THAT(File::open(scratch_ / "b.h5").root().open_dataset("d").read<Ints>(),
              ElementsAre(103, 104, 105, 3, 4, 7));
}

TEST_F(Virtual, WritesNothingWhenSomeElementsHaveNoSource) {
  make("a.h5", "d", {2}, 0);
  Dataset d = create({{"a.h5", "d", {}, Selection::box({0}, {2})},
                      {"no.h5", "d", Selection::box({0}, {2}), Selection::box({2}, {2})}},
                     {5});
  EXPECT_THAT(message_of([&] { d.write(counted(5, 50)); }), HasSubstr("3 of the elements have no source"));
  EXPECT_EQ(error_of([&] { d.write(counted(5, 50)); }), ErrorKind::invalid_argument);
  EXPECT_THAT(read(d), ElementsAre(0, 1, -1, -1, -1));
  d.write(Ints{8, 9}, Selection::box({0}, {2}));
  EXPECT_THAT(read(d), ElementsAre(8, 9, -1, -1, -1));
}

TEST_F(Virtual, RefusesToWriteToASourceThatIsOpenElsewhere) {
  make("a.h5", "d", {2}, 0);
  const File other = File::open(scratch_ / "a.h5", OpenMode::read_write);
  Dataset d = create({{"a.h5", "d", {}, {}}}, {2});
  EXPECT_THAT(read(d), ElementsAre(0, 1));
  EXPECT_EQ(error_of([&] { d.write(Ints{1, 2}); }), ErrorKind::read_only);
}

TEST_F(Virtual, SeesWhatOthersWriteToItsSources) {
  make("a.h5", "d", {2}, 0);
  Dataset(create({{"a.h5", "d", {}, {}}}, {2}));
  file_.close();
  const File file = File::open(scratch_ / "v.h5");
  const Dataset d = file.root().open_dataset("v0");
  EXPECT_THAT(read(d), ElementsAre(0, 1));
  File source = File::open(scratch_ / "a.h5", OpenMode::read_write);
  source.root().create_dataset<int>("more", Dataspace::simple({1000})).write(Ints(1000, 1));
  source.root().open_dataset("d").write(Ints{5, 6});
  source.close();
  EXPECT_THAT(read(d), ElementsAre(5, 6));
}

TEST_F(Virtual, GivesItsMappingsBack) {
  const std::vector<Selection::Range> growing{{1, 3, unlimited, 2}};
  const std::vector<VirtualSource> sources{
      {"a.h5", "/d", Selection::box({0}, {2}), Selection::box({0}, {2})},
      {".", "e%%", {}, Selection::strided({1}, {2}, {3})},
      {"c", "none", Selection::none(), Selection::none()},
      {"b.h5", "d", Selection::blocks(growing), Selection::blocks(growing)},
      {"n%b.h5", "x", {}, Selection::blocks(growing)}};
  Dataset d = create(sources, {8}, {unlimited});
  const auto check = [&](const Dataset& made) {
    const auto stored = made.dataset_info().virtual_sources;
    ASSERT_EQ(stored.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      EXPECT_EQ(stored[i].file, sources[i].file);
      EXPECT_EQ(stored[i].dataset, sources[i].dataset);
      if (i >= 3) continue;
      EXPECT_EQ(stored[i].source, sources[i].source) << i;
      EXPECT_EQ(stored[i].selection, sources[i].selection) << i;
    }
    EXPECT_EQ(stored[3].source.ranges(), growing);
    EXPECT_EQ(stored[4].selection.ranges(), growing);
    EXPECT_TRUE(stored[4].source.is_all());
  };
  check(d);
  const File again = reopened(File::open_image([&] {
    file_.close();
    std::ifstream in(scratch_ / "v.h5", std::ios::binary);
    std::vector<std::byte> bytes(fs::file_size(scratch_ / "v.h5"));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }()));
  check(again.root().open_dataset("v0"));
}

TEST_F(Virtual, GrowsWithAnUnlimitedSource) {
  make("a.h5", "d", {2, 3}, 0, {unlimited, 3});
  make("b.h5", "d", {4, 3}, 100, {unlimited, 3});
  const auto every = [](std::uint64_t start) {
    return Selection::blocks({{start, 2, unlimited, 1}, {0, 1, 1, 3}});
  };
  const auto all = Selection::blocks({{0, 1, unlimited, 1}, {0, 1, 1, 3}});
  Dataset d = create({{"a.h5", "d", all, every(0)}, {"b.h5", "d", all, every(1)}}, {0, 3}, {unlimited, 3});
  EXPECT_THAT(d.space().dims(), ElementsAre(8, 3));
  EXPECT_EQ(d.dataset_info().data_bytes, 96u);
  EXPECT_THAT(read(d, Selection::box({0, 0}, {8, 1})), ElementsAre(0, 100, 3, 103, -1, 106, -1, 109));
  file_.close();

  AccessOptions access;
  access.virtual_view.extent = VirtualView::Extent::first_missing;
  const File first = File::open(scratch_ / "v.h5", OpenMode::read_only, access);
  const Dataset cut = first.root().open_dataset("v0");
  EXPECT_THAT(cut.space().dims(), ElementsAre(4, 3));
  EXPECT_THAT(read(cut, Selection::box({0, 0}, {4, 1})), ElementsAre(0, 100, 3, 103));
}

TEST_F(Virtual, HasTheExtentThatTheUserOfTheDatasetSets) {
  make("a.h5", "d", {2, 3}, 0, {unlimited, 3});
  make("b.h5", "d", {4, 3}, 100, {unlimited, 3});
  const auto every = [](std::uint64_t start) {
    return Selection::blocks({{start, 2, unlimited, 1}, {0, 1, 1, 3}});
  };
  const auto all = Selection::blocks({{0, 1, unlimited, 1}, {0, 1, 1, 3}});
  create({{"a.h5", "d", all, every(0)}, {"b.h5", "d", all, every(1)}}, {0, 3}, {unlimited, 3});
  DatasetAccess access;
  access.virtual_view = VirtualView{VirtualView::Extent::first_missing, 0};
  Dataset d = file_.root().open_dataset("v0", access);
  EXPECT_THAT(d.space().dims(), ElementsAre(4, 3));
  EXPECT_THAT(file_.root().open_dataset("v0").space().dims(), ElementsAre(4, 3));
  d.set_virtual_view(std::nullopt);
  EXPECT_THAT(d.space().dims(), ElementsAre(8, 3));
}

TEST_F(Virtual, GrowsInADimensionThatIsNotTheFirst) {
  make("a.h5", "d", {2, 2}, 0, {2, unlimited});
  const auto all = Selection::blocks({{0, 1, 1, 2}, {0, 1, 1, unlimited}});
  Dataset d = create({{"a.h5", "d", all, all}}, {2, 0}, {2, unlimited});
  EXPECT_THAT(d.space().dims(), ElementsAre(2, 2));
  EXPECT_THAT(read(d), ElementsAre(0, 1, 2, 3));
  file_.close();
  {
    File source = File::open(scratch_ / "a.h5", OpenMode::read_write);
    source.root().open_dataset("d").resize({2, 3});
    source.root().open_dataset("d").write(counted(6, 10));
  }
  file_ = File::open(scratch_ / "v.h5");
  EXPECT_THAT(read(file_.root().open_dataset("v0")), ElementsAre(10, 11, 12, 13, 14, 15));
}

TEST_F(Virtual, TakesOneNumberedSourceAfterTheOther) {
  make("n0.h5", "d0", {2}, 0);
  make("n1.h5", "d1", {2}, 10);
  make("n3.h5", "d3", {2}, 30);
  const auto blocks = Selection::blocks({{0, 3, unlimited, 2}});
  Dataset made = create({{"n%b.h5", "d%b", {}, blocks}}, {0}, {unlimited});
  EXPECT_THAT(read(made), ElementsAre(0, 1, -1, 10, 11));
  file_.close();

  AccessOptions access;
  access.virtual_view.gap = 1;
  file_ = File::open(scratch_ / "v.h5", OpenMode::read_only, access);
  const Dataset d = file_.root().open_dataset("v0");
  EXPECT_THAT(read(d), ElementsAre(0, 1, -1, 10, 11, -1, -1, -1, -1, 30, 31));
  make("n4.h5", "d4", {2}, 40);
  EXPECT_THAT(d.space().dims(), ElementsAre(14));
  EXPECT_THAT(read(d, Selection::box({10}, {3})), ElementsAre(31, -1, 40));

  access.virtual_view.extent = VirtualView::Extent::first_missing;
  const File first = File::open(scratch_ / "v.h5", OpenMode::read_only, access);
  EXPECT_THAT(first.root().open_dataset("v0").space().dims(), ElementsAre(6));
}

TEST_F(Virtual, FindsSourcesBesideItsFileAndWherePrefixesSay) {
  fs::create_directory(scratch_ / "deep");
  fs::create_directory(scratch_ / "other");
  make("other/a.h5", "d", {2}, 5);
  Dataset(create({{"a.h5", "d", {}, {}}}, {2}));
  file_.close();
  const auto read_with = [&](const AccessOptions& access) {
    const File file = File::open(scratch_ / "v.h5", OpenMode::read_only, access);
    try {
      return read(file.root().open_dataset("v0"));
    } catch (const Error&) {
      return Ints{};
    }
  };
  EXPECT_THAT(read_with({}), Each(-1));
  AccessOptions access;
  access.virtual_prefix = scratch_ / "other";
  EXPECT_THAT(read_with(access), ElementsAre(5, 6));
  access.virtual_prefix = "${ORIGIN}/other";
  EXPECT_THAT(read_with(access), ElementsAre(5, 6));
  ::setenv("HDF5_VDS_PREFIX", ((scratch_ / "deep") + ":" + (scratch_ / "other")).c_str(), 1);
  EXPECT_THAT(read_with({}), ElementsAre(5, 6));
  ::setenv("HDF5_VDS_PREFIX", "${ORIGIN}/other", 1);
  EXPECT_THAT(read_with({}), ElementsAre(5, 6));
  ::unsetenv("HDF5_VDS_PREFIX");
  const File file = File::open(scratch_ / "v.h5");
  DatasetAccess of_dataset;
  of_dataset.virtual_prefix = scratch_ / "other";
  EXPECT_THAT(read(file.root().open_dataset("v0", of_dataset)), ElementsAre(5, 6));
  Dataset(file.root().open("v0")).set_virtual_prefix(std::nullopt);
  EXPECT_THAT(read(file.root().open_dataset("v0")), Each(-1));
}

TEST_F(Virtual, ReadsSourcesThatAreVirtualThemselves) {
  make("a.h5", "d", {4}, 0);
  {
    File middle = File::create(scratch_ / "m.h5");
    middle.root().create_dataset<int>(
        "w", Dataspace::simple({4}),
        from({{"a.h5", "d", Selection::box({0}, {3}), Selection::box({1}, {3})}}, -2));
    middle.root().create_dataset<int>("own", Dataspace::simple({2})).write(Ints{70, 71});
  }
  Dataset d = create(
      {{"m.h5", "w", {}, Selection::box({0}, {4})}, {"m.h5", "own", {}, Selection::box({4}, {2})}}, {7});
  EXPECT_THAT(read(d), ElementsAre(-2, 0, 1, 2, 70, 71, -1));
  d.write(Ints{9}, Selection::box({2}, {1}));
  EXPECT_THAT(read(d), ElementsAre(-2, 0, 9, 2, 70, 71, -1));
  EXPECT_EQ(error_of([&] { d.write(Ints{9}, Selection::box({0}, {1})); }), ErrorKind::invalid_argument);
}

TEST_F(Virtual, RefusesToBeItsOwnSource) {
  Dataset d = create({{".", "v0", {}, {}}}, {2});
  EXPECT_THAT(message_of([&] { read(d); }), HasSubstr("among its own sources"));
  Dataset far = create({{"v.h5", "v2", {}, {}}}, {2});
  Dataset near = create({{".", "v1", {}, {}}}, {2});
  EXPECT_EQ(error_of([&] { read(near); }), ErrorKind::corrupt);
  EXPECT_EQ(error_of([&] { far.write(Ints{1, 2}); }), ErrorKind::corrupt);
  const auto all = Selection::blocks({{0, 1, unlimited, 1}});
  Dataset grows = create({{".", "v3", all, all}}, {0}, {unlimited});
  EXPECT_EQ(error_of([&] { (void)grows.space(); }), ErrorKind::corrupt);
}

TEST_F(Virtual, BoundsTheWorkOfSourcesThatMultiply) {
  // Every dataset has the one before it as its source, many times over.
  file_.root().create_dataset<int>("w0", Dataspace::simple({1})).write(Ints{1});
  for (int i = 1; i < 9; ++i) {
    std::vector<VirtualSource> sources(40, VirtualSource{".", "w" + std::to_string(i - 1), {}, {}});
    file_.root().create_dataset<int>("w" + std::to_string(i), Dataspace::simple({1}), from(sources));
  }
  EXPECT_THAT(read(file_.root().open_dataset("w2")), ElementsAre(1));
  EXPECT_EQ(error_of([&] { read(file_.root().open_dataset("w8")); }), ErrorKind::limit);
  for (int i = 1; i < 20; ++i) {
    file_.root().create_dataset<int>("x" + std::to_string(i), Dataspace::simple({1}),
                                     from({{".", "x" + std::to_string(i - 1), {}, {}}}));
  }
  file_.root().create_dataset<int>("x0", Dataspace::simple({1})).write(Ints{1});
  EXPECT_THAT(read(file_.root().open_dataset("x16")), ElementsAre(1));
  EXPECT_EQ(error_of([&] { read(file_.root().open_dataset("x19")); }), ErrorKind::limit);
}

TEST_F(Virtual, RefusesMappingsThatMakeNoSense) {
  const auto two = Selection::box({0}, {2});
  const auto grows = Selection::blocks({{0, 2, unlimited, 2}});
  const std::vector<std::uint64_t> point{0};
  EXPECT_EQ(refused({{"a", "d", Selection::box({0}, {3}), two}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a", "d", {}, Selection::box({3}, {2})}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a", "d", {}, Selection::box({0, 0}, {2, 1})}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a", "d", Selection::points({4}, point), Selection::box({0}, {1})}}, {4}),
            ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"", "d", {}, two}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a", "", {}, two}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a%b", "d", {}, two}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a%2b", "d", {}, two}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a", "d", grows, two}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a", "d", {}, grows}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a%b", "d", Selection::box({0}, {3}), grows}}, {4}), ErrorKind::invalid_argument);
  EXPECT_EQ(refused({{"a%b", "d", {}, Selection::blocks({{0, 1, 1, unlimited}})}}, {4}),
            ErrorKind::invalid_argument);
  EXPECT_EQ(number_, 12);
}

TEST_F(Virtual, NeedsARelease) {
  File old =
      File::create(scratch_ / "old.h5", CreateMode::exclusive, {}, bounds(Version::earliest, Version::v1_8));
  EXPECT_EQ(error_of([&] {
              old.root().create_dataset<int>("v", Dataspace::simple({2}), from({{"a", "d", {}, {}}}));
            }),
            ErrorKind::invalid_argument);
}

TEST_F(Virtual, IsResizedWithinWhatItsMappingsNeed) {
  make("a.h5", "d", {3}, 0);
  Dataset d = create({{"a.h5", "d", {}, Selection::box({0}, {3})}}, {5}, {10});
  d.resize({7});
  EXPECT_THAT(read(d), ElementsAre(0, 1, 2, -1, -1, -1, -1));
  EXPECT_EQ(error_of([&] { d.resize({2}); }), ErrorKind::invalid_argument);
  d.resize({3});
  EXPECT_THAT(read(d), ElementsAre(0, 1, 2));
}

TEST_F(Virtual, IsCopiedAndFreedWithItsMappings) {
  make("a.h5", "d", {2}, 3);
  std::vector<VirtualSource> sources(200, VirtualSource{"a.h5", "d", {}, Selection::box({0}, {2})});
  create(sources, {4});
  file_.root().copy("v0", file_.root(), "copy");
  File other = File::create(scratch_ / "other.h5");
  file_.root().copy("v0", other.root(), "copy");
  file_.root().remove("v0");
  EXPECT_THAT(read(file_.root().open_dataset("copy")), ElementsAre(3, 4, -1, -1));
  EXPECT_THAT(read(other.root().open_dataset("copy")), ElementsAre(3, 4, -1, -1));
  file_.flush();
  const auto bytes = file_.info().file_bytes;
  for (int i = 0; i < 20; ++i) {
    file_.root().create_dataset<int>("again", Dataspace::simple({4}), from(sources));
    file_.root().remove("again");
  }
  file_.flush();
  EXPECT_LE(file_.info().file_bytes, bytes + 16384);
}

TEST_F(Virtual, HoldsTextOfAnyLength) {
  make("a.h5", "d", {2}, 0);
  {
    File source = File::open(scratch_ / "a.h5", OpenMode::read_write);
    source.root()
        .create_dataset("t", Datatype::memory<std::string>(), Dataspace::simple({2}))
        .write(std::vector<std::string>{"one", "another"});
  }
  DatasetOptions options;
  options.virtual_sources = {{"a.h5", "t", {}, Selection::box({1}, {2})}};
  Dataset d =
      file_.root().create_dataset("t", Datatype::memory<std::string>(), Dataspace::simple({4}), options);
  EXPECT_THAT(d.read<std::vector<std::string>>(), ElementsAre("", "one", "another", ""));
  d.write(std::vector<std::string>{"a longer text than before"}, Selection::box({2}, {1}));
  EXPECT_THAT(d.read<std::vector<std::string>>(), ElementsAre("", "one", "a longer text than before", ""));
}

TEST_F(Virtual, UsesMoreFilesThanItKeepsOpen) {
  std::vector<VirtualSource> sources;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::string name = "many" + std::to_string(i) + ".h5";
    make(name, "d", {1}, static_cast<int>(i));
    sources.push_back({name, "d", {}, Selection::box({i}, {1})});
  }
  Dataset d = create(sources, {300});
  EXPECT_EQ(read(d), counted(300, 0));
  d.write(counted(300, 1000));
  EXPECT_EQ(read(d), counted(300, 1000));
  const auto open = std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  EXPECT_LT(open, 200);
  file_.close();
  for (const int i : {0, 150, 299}) {
    const File source = File::open(scratch_ / ("many" + std::to_string(i) + ".h5"));
    EXPECT_THAT(source.root().open_dataset("d").read<Ints>(), ElementsAre(1000 + i));
  }
}

TEST_F(Virtual, ClosesFilesThatAreEachOthersSources) {
  {
    File other = File::create(scratch_ / "o.h5");
    other.root().create_dataset<int>("d", Dataspace::simple({2})).write(Ints{1, 2});
    other.root().create_dataset<int>("w", Dataspace::simple({2}), from({{"v.h5", "d", {}, {}}}));
  }
  file_.root().create_dataset<int>("d", Dataspace::simple({2})).write(Ints{3, 4});
  create({{"o.h5", "d", {}, {}}}, {2});
  create({{"o.h5", "w", {}, {}}}, {2});
  file_.root().link_external("e", "o.h5", "/w");
  EXPECT_THAT(read(file_.root().open_dataset("v0")), ElementsAre(1, 2));
  EXPECT_THAT(read(file_.root().open_dataset("v1")), ElementsAre(3, 4));
  EXPECT_THAT(read(file_.root().open_dataset("e")), ElementsAre(3, 4));
  file_ = File::create(scratch_ / "third.h5");
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = fs::read_symlink(entry.path(), gone).string();
    EXPECT_FALSE(target.ends_with("/v.h5") || target.ends_with("/o.h5")) << target;
  }
}

TEST_F(Virtual, FilesThatAreEachOthersSourcesDoNotWaitForEachOther) {
  FileSet files = make_file_set();
  AccessOptions access;
  access.files = files;
  std::vector<File> both;
  for (const char* name : {"one.h5", "two.h5"}) {
    both.push_back(File::create(scratch_ / name, CreateMode::truncate, {}, access));
    both.back().root().create_dataset<int>("d", Dataspace::simple({4})).write(Ints{-1, -2, -3, -4});
  }
  both[0].root().create_dataset<int>("v", Dataspace::simple({4}), from({{"two.h5", "d", {}, {}}}));
  both[1].root().create_dataset<int>("v", Dataspace::simple({4}), from({{"one.h5", "d", {}, {}}}));
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      File file = both[static_cast<std::size_t>(t % 2)];
      Dataset data = file.root().open_dataset("v");
      for (int i = 0; i < 200; ++i) {
        if (t < 2) {
          data.write(Ints(4, 10 * i + t));
        } else {
          const auto values = data.read<Ints>();
          ASSERT_EQ(std::ranges::count(values, values[0]), values[0] == -1 ? 1 : 4);
        }
        if (i % 16 == 0) file.flush();
      }
    });
  }
  threads.clear();
  EXPECT_THAT(both[1].root().open_dataset("d").read<Ints>(), ElementsAre(1990, 1990, 1990, 1990));
  EXPECT_THAT(both[0].root().open_dataset("d").read<Ints>(), ElementsAre(1991, 1991, 1991, 1991));
}

TEST_F(Virtual, ReportsADamagedBlockOfMappings) {
  make("a.h5", "name_of_source", {2}, 0);
  create({{"a.h5", "name_of_source", {}, {}}}, {2});
  auto image = [&] {
    file_.close();
    std::ifstream in(scratch_ / "v.h5", std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    return bytes;
  }();
  image[image.find("name_of_source")] ^= 1;
  std::vector<std::byte> bytes(image.size());
  std::ranges::transform(image, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  File damaged = File::open_image(bytes, OpenMode::read_write);
  Dataset d = damaged.root().open_dataset("v0");
  EXPECT_THAT(message_of([&] { read(d); }), HasSubstr("checksum"));
  EXPECT_EQ(error_of([&] { (void)d.dataset_info(); }), ErrorKind::corrupt);
  damaged.root().remove("v0");
  EXPECT_TRUE(damaged.root().links().empty());
}

}  // namespace
}  // namespace filigree
