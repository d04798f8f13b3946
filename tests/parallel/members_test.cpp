// SPDX-License-Identifier: Apache-2.0
//
// Files that several processes use together, here the threads of a test.
#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "parallel_disk.hpp"

namespace filigree {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::MemberResult;
using testing::run_members;
using testing::run_members_well;

constexpr std::array member_counts{1, 2, 3, 4, 7, 16};

std::vector<int> row_values(std::uint64_t row, std::uint64_t columns) {
  std::vector<int> values(columns);
  std::iota(values.begin(), values.end(), static_cast<int>(row * 1000));
  return values;
}

/// All values of `rows` rows as row_values() makes them.
std::vector<int> table_values(std::uint64_t rows, std::uint64_t columns) {
  std::vector<int> all;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto values = row_values(row, columns);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

DatasetOptions chunked(std::vector<std::uint64_t> chunk) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  return options;
}

class ParallelFile : public ::testing::TestWithParam<int> {
 protected:
  SharedDisk disk;
  File alone() { return File::open_image(disk.bytes); }
};

INSTANTIATE_TEST_SUITE_P(Members, ParallelFile, ::testing::ValuesIn(member_counts),
                         [](const auto& members) { return "With" + std::to_string(members.param); });

TEST_P(ParallelFile, KeepsWhatEachMemberWroteCollectively) {
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = create_on(disk, members);
    Group root = file.root();
    root.create_group("a").create_group("b");
    const std::uint64_t rows = 2 * size_of(members);
    auto contiguous = root.create_dataset<int>("contiguous", Dataspace::simple({rows, 10}));
    auto chunks = root.create_dataset<int>("a/chunked", Dataspace::simple({rows, 10}),
                                           chunked({std::min<std::uint64_t>(3, rows), 4}));
    for (Dataset* data : {&contiguous, &chunks}) {
      for (const std::uint64_t half : {0, 1}) {
        const std::uint64_t row = half * size_of(members) + rank_of(members);
        data->write(row_values(row, 10), Selection::box({row, 0}, {1, 10}), collective());
      }
    }
    file.close();
  });
  File file = alone();
  const auto rows = static_cast<std::uint64_t>(2 * GetParam());
  EXPECT_EQ(file.root().open_dataset("contiguous").read<std::vector<int>>(), table_values(rows, 10));
  EXPECT_EQ(file.root().open_dataset("a/chunked").read<std::vector<int>>(), table_values(rows, 10));
  EXPECT_NO_THROW(file.root().open_group("a/b"));
}

TEST_P(ParallelFile, KeepsWhatEachMemberWroteAlone) {
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = create_on(disk, members);
    const std::uint64_t rows = size_of(members);
    auto contiguous = file.root().create_dataset<int>("contiguous", Dataspace::simple({rows, 10}));
    auto chunks = file.root().create_dataset<int>("chunked", Dataspace::simple({rows, 10}),
                                                  chunked({std::min<std::uint64_t>(3, rows), 4}));
    const std::uint64_t row = rank_of(members);
    for (Dataset* data : {&contiguous, &chunks}) {
      // An odd rank writes twice, which nobody else has to know.
      for (std::uint64_t time = 0; time <= row % 2; ++time)
        data->write(row_values(row, 10), Selection::box({row, 0}, {1, 10}));
      EXPECT_EQ(data->read<std::vector<int>>(Selection::box({row, 0}, {1, 10})), row_values(row, 10));
    }
    file.flush();
    EXPECT_EQ(contiguous.read<std::vector<int>>(), table_values(rows, 10));
    EXPECT_EQ(chunks.read<std::vector<int>>({}, collective()), table_values(rows, 10));
    file.close();
  });
  File file = alone();
  const auto rows = static_cast<std::uint64_t>(GetParam());
  EXPECT_EQ(file.root().open_dataset("contiguous").read<std::vector<int>>(), table_values(rows, 10));
  EXPECT_EQ(file.root().open_dataset("chunked").read<std::vector<int>>(), table_values(rows, 10));
}

TEST_P(ParallelFile, IsOpenedByReadsOfOneMember) {
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = create_on(disk, members);
    for (int i = 0; i < 50; ++i) file.root().create_group("group" + std::to_string(i));
    file.close();
  });
  std::ranges::fill(disk.reads, 0);
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = open_on(disk, members);
    members->barrier();
    if (members->rank() == 0) {
      for (std::size_t r = 1; r < disk.reads.size(); ++r) EXPECT_EQ(disk.reads[r], 0u) << r;
    }
    members->barrier();
    EXPECT_EQ(file.root().size(), 50u);
    file.close();
  });
}

TEST_P(ParallelFile, IsExtendedInAnotherSession) {
  run_members_well(GetParam(), [&](const Ranks& members) { create_on(disk, members).close(); });
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = open_on(disk, members, OpenMode::read_write);
    Group group = file.root().create_group("more");
    group.set_attribute("text", std::string("of any length"));
    group.set_attribute("numbers", std::vector<double>{1, 2, 3});
    auto data =
        group.create_dataset<double>("data", Dataspace::simple({4, 6}, {unlimited, 6}), chunked({2, 3}));
    data.resize({9, 6});
    if (members->rank() == 0) data.write(std::vector<double>(54, 2.5));
    file.flush();
    data.resize({3, 6});
    file.close();
  });
  File file = alone();
  EXPECT_EQ(file.root().open_dataset("more/data").read<std::vector<double>>(), std::vector<double>(18, 2.5));
  EXPECT_EQ(file.root().open_group("more").get_attribute<std::string>("text"), "of any length");
}

TEST_P(ParallelFile, ConvertsAndFillsAndTakesEmptySelections) {
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = create_on(disk, members);
    const int seven = 7;
    DatasetOptions options = chunked({5});
    options.fill = Fill::of(Datatype::of<int>(), &seven);
    auto data = file.root().create_dataset<int>("filled", Dataspace::simple({23}), options);
    options.chunk.clear();
    auto flat = file.root().create_dataset<int>("flat", Dataspace::simple({23}), options);
    // Only the last member has something to write.
    const bool writes = members->rank() == members->size() - 1;
    const auto where = writes ? Selection::box({3}, {4}) : Selection::none();
    const std::vector<double> values(writes ? 4 : 0, 1.0);
    data.write(values, where, collective());
    flat.write(values, where, collective());
    const auto read = data.read<std::vector<float>>(where, collective());
    EXPECT_EQ(read.size(), values.size());
    file.close();
  });
  std::vector<int> expected(23, 7);
  std::fill_n(expected.begin() + 3, 4, 1);
  EXPECT_EQ(alone().root().open_dataset("filled").read<std::vector<int>>(), expected);
  EXPECT_EQ(alone().root().open_dataset("flat").read<std::vector<int>>(), expected);
}

/// Rows of all members, then single elements that share chunks, then everything by one member.
TEST_P(ParallelFile, GathersElementsOfChunksThatAllEncode) {
  const auto rows = static_cast<std::uint64_t>(2 * GetParam());
  const auto options_of = [rows](const std::string& name) {
    DatasetOptions options = chunked({std::min<std::uint64_t>(3, rows), 4});
    if (name == "deflated") options.filters = {filters::shuffle(), filters::deflate(1)};
    if (name == "sparse") options.sparse = true;
    if (name == "portable") options.sparse = options.portable = true;
    if (name == "compact") {
      options = {};
      options.layout = Layout::compact;
    }
    return options;
  };
  const std::vector<std::string> names{"deflated", "sparse", "portable", "compact"};
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = create_on(disk, members);
    for (const std::string& name : names) {
      auto data = file.root().create_dataset<int>(name, Dataspace::simple({rows, 10}), options_of(name));
      const std::uint64_t mine = rank_of(members) * 2;
      const auto first = row_values(mine, 10);
      data.write(std::vector<double>(first.begin(), first.end()), Selection::box({mine, 0}, {1, 10}),
                 collective());
      EXPECT_EQ(data.read<std::vector<int>>(Selection::box({0, 0}, {1, 10})), row_values(0, 10)) << name;
      file.flush();
      for (std::uint64_t column = 0; column < 10; ++column)
        data.write(row_values(mine + 1, 10)[column], Selection::box({mine + 1, column}, {1, 1}),
                   collective());
      EXPECT_EQ(data.read<std::vector<int>>(), table_values(rows, 10)) << name;
      const bool last = members->rank() == members->size() - 1;
      data.write(last ? row_values(0, 10) : std::vector<int>(),
                 last ? Selection::box({0, 0}, {1, 10}) : Selection::none(), collective());
    }
    file.close();
  });
  File file = alone();
  for (const std::string& name : names)
    EXPECT_EQ(file.root().open_dataset(name).read<std::vector<int>>(), table_values(rows, 10)) << name;
}

TEST_P(ParallelFile, WritesPieceByPieceWithoutTouchingThoseOfOthers) {
  constexpr std::uint64_t each = 500;
  run_members_well(GetParam(), [&](const Ranks& members) {
    File file = create_on(disk, members);
    const std::uint64_t n = size_of(members);
    auto data = file.root().create_dataset<std::uint32_t>("d", Dataspace::simple({each * n}));
    std::vector<std::uint32_t> mine(each);
    std::vector<std::uint64_t> offsets(each);
    for (std::uint64_t i = 0; i < each; ++i) {
      offsets[i] = i * n + rank_of(members);
      mine[i] = static_cast<std::uint32_t>(offsets[i]);
    }
    const auto where = Selection::of_offsets({each * n}, offsets);
    data.write(mine, where);  // independent, all members at the same time
    file.flush();
    EXPECT_EQ(data.read<std::vector<std::uint32_t>>(where, collective()), mine);
    data.write(mine, where, collective());
    file.close();
  });
  std::vector<std::uint32_t> all(each * static_cast<std::uint64_t>(GetParam()));
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(alone().root().open_dataset("d").read<std::vector<std::uint32_t>>(), all);
}

/// What members that go wrong get.
class Divergence : public ::testing::Test {
 protected:
  SharedDisk disk;

  /// Runs `work` on a file with two datasets, then closes it. Returns how 3 members ended.
  std::vector<MemberResult> run(const std::function<void(const Ranks&, File&)>& work) {
    return run_members(3, [&](const Ranks& members) {
      File file = create_on(disk, members);
      file.root().create_dataset<int>("x", Dataspace::simple({3}), chunked({2}));
      file.root().create_dataset<int>("y", Dataspace::simple({3}));
      file.flush();
      work(members, file);
      file.close();
    });
  }
  static void write(File& file, const char* name, const Ranks& members) {
    file.root().open_dataset(name).write(1, Selection::box({rank_of(members)}, {1}), collective());
  }
  /// All have failed, with a text that matches, and the file still has its mark.
  void expect(const std::vector<MemberResult>& results, const ::testing::Matcher<std::string>& text) {
    for (const MemberResult& result : results) {
      ASSERT_TRUE(result.failed());
      EXPECT_THAT(result.what(), AllOf(HasSubstr("diverged"), text));
      EXPECT_THAT(result.what(), ::testing::Not(HasSubstr("deadlock")));
    }
  }
};

TEST_F(Divergence, IsFoundWhenOneMemberMakesAGroupAlone) {
  const auto results = run([](const Ranks& members, File& file) {
    if (members->rank() == 1) file.root().create_group("only here");
  });
  expect(results, AllOf(HasSubstr("File::close"), HasSubstr("rank 1"), HasSubstr("differs")));
}

TEST_F(Divergence, IsFoundWhenMembersMakeGroupsOfOtherNames) {
  expect(run([](const Ranks& members, File& file) {
           file.root().create_group("g" + std::to_string(members->rank()));
         }),
         AllOf(HasSubstr("make link 'g0'"), HasSubstr("make link 'g2'")));
}

TEST_F(Divergence, IsFoundWhenMembersMakeObjectsInAnotherOrder) {
  expect(run([](const Ranks& members, File& file) {
           file.root().create_group(members->rank() == 2 ? "b" : "a");
           file.root().create_group(members->rank() == 2 ? "a" : "b");
         }),
         HasSubstr("rank 2 did make link 'b'"));
}

TEST_F(Divergence, IsFoundWhenMembersWriteOtherAttributes) {
  expect(run([](const Ranks& members, File& file) { file.root().set_attribute("rank", members->rank()); }),
         HasSubstr("different arguments or contents"));
}

TEST_F(Divergence, IsFoundWhenMembersResizeToOtherExtents) {
  const auto results = run_members(3, [&](const Ranks& members) {
    File file = create_on(disk, members);
    auto data = file.root().create_dataset<int>("x", Dataspace::simple({3}, {unlimited}), chunked({2}));
    data.resize({5 + rank_of(members)});
    file.close();
  });
  expect(results, HasSubstr("Dataset::resize"));
}

TEST_F(Divergence, IsFoundWhenAMemberLeavesOutACollectiveWrite) {
  expect(run([](const Ranks& members, File& file) {
           if (members->rank() != 2) write(file, "x", members);
         }),
         AllOf(HasSubstr("rank 2 is in File::close"), HasSubstr("Dataset::write of '/x'")));
}

TEST_F(Divergence, IsFoundWhenAMemberWritesAlone) {
  expect(run([](const Ranks& members, File& file) {
           if (members->rank() != 0) return write(file, "x", members);
           file.root().open_dataset("x").write(1, Selection::box({0}, {1}));
           file.flush();
         }),
         AllOf(HasSubstr("rank 0 is in File::flush"), HasSubstr("Dataset::write of '/x'")));
}

TEST_F(Divergence, IsFoundWhenAMemberLeavesOutAFlush) {
  expect(run([](const Ranks& members, File& file) {
           if (members->rank() != 1) file.flush();
         }),
         AllOf(HasSubstr("rank 1 is in File::close"), HasSubstr("File::flush")));
}

TEST_F(Divergence, IsFoundWhenAMemberWritesAnotherDataset) {
  expect(
      run([](const Ranks& members, File& file) { write(file, members->rank() == 1 ? "y" : "x", members); }),
      AllOf(HasSubstr("rank 1 is in Dataset::write of '/y'"), HasSubstr("'/x'")));
}

TEST_F(Divergence, IsFoundWhenFilesAreCreatedWithOtherOptions) {
  const auto results = run_members(3, [&](const Ranks& members) {
    CreateOptions options;
    if (members->rank() == 1) options.user_block_bytes = 512;
    create_on(disk, members, options).close();
  });
  expect(results, HasSubstr("a write of metadata"));
}

TEST_F(Divergence, IsFoundWhenAMemberUnwindsFromAnError) {
  const auto results = run([](const Ranks& members, File& file) {
    if (members->rank() == 0) throw std::runtime_error("the program failed");
    write(file, "x", members);
  });
  EXPECT_EQ(results[0].what(), "the program failed");
  for (std::size_t r = 1; r < 3; ++r)
    EXPECT_THAT(results[r].what(), AllOf(HasSubstr("diverged"), HasSubstr("rank 0 is in File::close")));
}

TEST_F(Divergence, LeavesTheMarkAndWritesNothingMore) {
  run([](const Ranks& members, File& file) {
    if (members->rank() == 1) file.root().create_group("only here");
  });
  const std::vector<std::byte> after = disk.bytes;
  try {
    const File file = File::open_image(after);
    // It was flushed before, and nothing has been written since.
    EXPECT_EQ(file.root().size(), 2u);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::locked);
  }
}

TEST(ParallelFaults, OfOneMemberFailOnAllAndARetrySucceeds) {
  for (const int members_count : {2, 3, 4}) {
    for (int failing = 0; failing < members_count; ++failing) {
      SharedDisk disk;
      run_members_well(members_count, [&](const Ranks& members) {
        File file = create_on(disk, members);
        auto data = file.root().create_dataset<int>("d", Dataspace::simple({4 * size_of(members)}));
        const auto mine = Selection::box({4 * rank_of(members)}, {4});
        const auto write = [&] { data.write(std::vector<int>(4, members->rank()), mine, collective()); };
        write();
        members->barrier();
        if (members->rank() == 0) disk.fail_after(failing, 0);
        members->barrier();
        try {
          write();
          ADD_FAILURE() << "rank " << members->rank() << " did not fail";
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::no_space);
          EXPECT_THAT(error.what(), HasSubstr("rank " + std::to_string(failing) + ": the disk is full"));
        }
        members->barrier();
        if (members->rank() == 0) disk.failing_rank = -1;
        members->barrier();
        write();
        file.close();
      });
      File file = File::open_image(disk.bytes);
      EXPECT_EQ(file.root().open_dataset("d").read<std::vector<int>>(
                    Selection::box({4 * static_cast<std::uint64_t>(failing)}, {4})),
                std::vector<int>(4, failing));
    }
  }
}

/// Every write of a collective write of filtered chunks fails once, on every rank. A retry succeeds.
TEST(ParallelFaults, OfFilteredChunksFailOnAll) {
  for (int failing = 0; failing < 3; ++failing) {
    for (std::uint64_t nth = 0;; ++nth) {
      SharedDisk disk;
      std::atomic<int> failures = 0;
      run_members_well(3, [&](const Ranks& members) {
        File file = create_on(disk, members);
        DatasetOptions options = chunked({5000});
        options.filters = {filters::deflate(1)};
        auto data = file.root().create_dataset<int>("d", Dataspace::simple({90000}), options);
        std::mt19937 random(7);
        std::vector<int> values(30000);
        for (int& value : values) value = static_cast<int>(random());
        const auto mine = Selection::box({30000 * rank_of(members)}, {30000});
        members->barrier();
        if (members->rank() == 0) disk.fail_after(failing, nth);
        members->barrier();
        try {
          data.write(values, mine, collective());
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("the disk is full"));
          ++failures;
        }
        members->barrier();
        if (members->rank() == 0) disk.failing_rank = -1;
        members->barrier();
        data.write(values, mine, collective());
        EXPECT_EQ(data.read<std::vector<int>>(mine), values);
        file.close();
      });
      EXPECT_THAT(failures.load(), ::testing::AnyOf(0, 3)) << failing << ' ' << nth;
      EXPECT_NO_THROW(File::open_image(disk.bytes).root().open_dataset("d").read<std::vector<int>>());
      if (failures == 0) break;
    }
  }
}

/// Every write of a flush fails once, on every rank: all throw, and the next flush succeeds.
TEST(ParallelFaults, OfAFlushFailOnAll) {
  for (int failing = 0; failing < 3; ++failing) {
    for (std::uint64_t nth = 0;; ++nth) {
      SharedDisk disk;
      std::atomic<int> failures = 0;
      run_members_well(3, [&](const Ranks& members) {
        File file = create_on(disk, members);
        for (int i = 0; i < 20; ++i) file.root().create_group("group " + std::to_string(i));
        members->barrier();
        if (members->rank() == 0) disk.fail_after(failing, nth);
        members->barrier();
        try {
          file.flush();
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("the disk is full"));
          ++failures;
        }
        members->barrier();
        if (members->rank() == 0) disk.failing_rank = -1;
        members->barrier();
        file.close();
      });
      EXPECT_THAT(failures.load(), ::testing::AnyOf(0, 3));
      EXPECT_EQ(File::open_image(disk.bytes).root().size(), 20u);
      if (failures == 0) break;
    }
  }
}

TEST(ParallelFaults, OfSelectionsAreThrownByAll) {
  SharedDisk disk;
  const auto results = run_members(3, [&](const Ranks& members) {
    File file = create_on(disk, members);
    auto data = file.root().create_dataset<int>("d", Dataspace::simple({6}));
    EXPECT_THROW(data.write(std::vector<int>(members->rank() == 1 ? 3 : 2, 0),
                            Selection::box({2 * rank_of(members)}, {2}), collective()),
                 Error);
    file.close();
  });
  for (const auto& result : results) EXPECT_EQ(result.what(), "");
}

TEST(ParallelLimits, AreClearErrorsOnAllMembers) {
  SharedDisk disk;
  run_members_well(3, [&](const Ranks& members) {
    File file = create_on(disk, members);
    DatasetOptions deflated = chunked({4});
    deflated.filters = {filters::deflate(1)};
    DatasetOptions sparse = chunked({4});
    sparse.sparse = true;
    DatasetOptions late;
    late.allocation = AllocationTime::late;
    auto filtered = file.root().create_dataset<int>("filtered", Dataspace::simple({12}), deflated);
    auto mostly = file.root().create_dataset<int>("sparse", Dataspace::simple({12}), sparse);
    auto unallocated = file.root().create_dataset<int>("late", Dataspace::simple({12}), late);
    auto text = file.root().create_dataset<std::string>("text", Dataspace::simple({3}));
    const auto kind_of = [&](Dataset& data, const TransferOptions& options) {
      try {
        data.write(std::vector<int>(4), Selection::box({4 * rank_of(members)}, {4}), options);
      } catch (const Error& error) {
        return error.kind();
      }
      return ErrorKind::internal;
    };
    for (Dataset* data : {&filtered, &mostly}) {
      EXPECT_EQ(kind_of(*data, {}), ErrorKind::unsupported);
    }
    EXPECT_EQ(kind_of(unallocated, {}), ErrorKind::unsupported);
    EXPECT_EQ(kind_of(unallocated, collective()), ErrorKind::internal);  // it allocates
    EXPECT_EQ(kind_of(unallocated, {}), ErrorKind::internal);
    EXPECT_THROW(text.write(std::vector<std::string>{"a", "b", "c"}), Error);
    EXPECT_THROW(text.write(std::vector<std::string>{"a", "b", "c"}, {}, collective()), Error);
    const std::vector<std::uint64_t> offsets{1};
    const std::vector<int> ones{1};
    EXPECT_THROW(write_offsets<int>(mostly, offsets, ones), Error);
    EXPECT_THROW(mostly.erase(Selection::all()), Error);
    file.close();
  });
  File file = File::open_image(disk.bytes);
  EXPECT_EQ(file.root().open_dataset("filtered").read<std::vector<int>>(), std::vector<int>(12));
}

/// Random programs of 4 members against one array.
TEST(ParallelModel, AgreesWithAnArray) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SharedDisk disk;
    std::vector<int> model(40 * 3, 0);
    run_members_well(4, [&](const Ranks& members) {
      std::mt19937 random(seed);  // the same on all members
      const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
      File file = create_on(disk, members);
      const bool in_chunks = below(2) == 0;
      DatasetOptions options = in_chunks ? chunked({1 + below(17), 1 + below(3)}) : DatasetOptions{};
      file.root().create_dataset<int>("d", Dataspace::simple({40, 3}), options);
      for (int step = 0; step < 12; ++step) {
        Dataset data = file.root().open_dataset("d");
        switch (below(5)) {
          case 0:
            file.root().create_group("group" + std::to_string(step));
            break;
          case 1:
            file.flush();
            break;
          case 2:
            file.close();
            file = open_on(disk, members, OpenMode::read_write);
            break;
          default: {
            // Rows are dealt to the members; each writes its own, or nothing.
            std::vector<std::vector<std::uint64_t>> rows(4);
            for (std::uint64_t row = 0; row < 40; ++row)
              if (const unsigned owner = below(6); owner < 4) rows[owner].push_back(row);
            const bool together = below(2) == 0;
            std::vector<std::uint64_t> offsets;
            for (const std::uint64_t row : rows[rank_of(members)])
              for (std::uint64_t column = 0; column < 3; ++column) offsets.push_back(row * 3 + column);
            std::vector<int> values;
            for (const std::uint64_t at : offsets) values.push_back(step * 1000 + static_cast<int>(at));
            data.write(values, Selection::of_offsets({40, 3}, offsets),
                       together ? collective() : TransferOptions{});
            members->barrier();
            if (members->rank() == 0) {
              for (const auto& some : rows)
                for (const std::uint64_t row : some)
                  for (std::uint64_t c = 0; c < 3; ++c)
                    model[row * 3 + c] = step * 1000 + static_cast<int>(row * 3 + c);
            }
            members->barrier();
            EXPECT_EQ(data.read<std::vector<int>>({}, together ? TransferOptions{} : collective()), model);
            members->barrier();
          }
        }
      }
      file.close();
    });
    EXPECT_EQ(File::open_image(disk.bytes).root().open_dataset("d").read<std::vector<int>>(), model) << seed;
  }
}

}  // namespace
}  // namespace filigree
