// SPDX-License-Identifier: Apache-2.0
//
// Writes of small datasets and attributes, whose bytes are gathered before they reach the file.
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Values = std::array<int, 4>;

const Datatype stored = Datatype::of<int>();

Dataset create(File& file, const std::string& name) {
  return file.root().create_dataset(name, stored, Dataspace::simple({4}));
}

Values read(const Dataset& dataset) {
  Values values{};
  if (!dataset.read_small(stored, values.data())) dataset.read_elements(stored, values.data(), 4);
  return values;
}

/// The bytes of the file at the address of a dataset's data.
Values in_file(const std::string& path, const Dataset& dataset) {
  Values values{};
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(dataset.dataset_info().data_address.value()));
  file.read(reinterpret_cast<char*>(values.data()), sizeof values);
  return values;
}

long writes_of_process() {
  std::ifstream io("/proc/self/io");
  std::string name;
  for (long value = 0; io >> name >> value;)
    if (name == "syscw:") return value;
  return 0;
}

TEST(SmallWrites, ManyDatasetsTakeFewSystemCalls) {
  const Scratch scratch;
  File file = File::create(scratch / "a.h5");
  std::vector<Dataset> datasets;
  for (int i = 0; i < 1000; ++i) datasets.push_back(create(file, "d" + std::to_string(i)));
  file.flush();
  const long before = writes_of_process();
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(datasets[static_cast<std::size_t>(i)].write_small(stored, Values{i, i, i, i}.data()));
  file.flush();
  EXPECT_LE(writes_of_process() - before, 100);
  for (int i = 0; i < 1000; i += 99) {
    EXPECT_EQ(read(datasets[static_cast<std::size_t>(i)]), (Values{i, i, i, i}));
    EXPECT_EQ(in_file(scratch / "a.h5", datasets[static_cast<std::size_t>(i)]), (Values{i, i, i, i}));
  }
}

TEST(SmallWrites, AreReadByEveryPathBeforeTheyReachTheFile) {
  const Scratch scratch;
  File file = File::create(scratch / "a.h5");
  Dataset dataset = create(file, "d");
  ASSERT_TRUE(dataset.write_small(stored, Values{1, 2, 3, 4}.data()));
  EXPECT_EQ(dataset.read<int>(Selection::box({2}, {1})), 3);
  ASSERT_TRUE(dataset.write_small(stored, Values{5, 6, 7, 8}.data()));
  EXPECT_EQ(dataset.read<std::vector<double>>(), (std::vector<double>{5, 6, 7, 8}));
  ASSERT_TRUE(dataset.write_small(stored, Values{9, 9, 9, 9}.data()));
  dataset.write(std::vector<int>{0}, Selection::box({1}, {1}));
  EXPECT_EQ(read(dataset), (Values{9, 0, 9, 9}));
  ASSERT_TRUE(dataset.write_small(stored, Values{1, 1, 1, 1}.data()));
  dataset.copy_to(file.root(), "copy");
  EXPECT_EQ(read(file.root().open_dataset("copy")), (Values{1, 1, 1, 1}));
}

TEST(SmallWrites, NeighboursAreReadBeforeTheyReachTheFile) {
  const Scratch scratch;
  File file = File::create(scratch / "a.h5", CreateMode::exclusive, {}, bounds(Version::latest));
  std::vector<Dataset> datasets;
  for (int i = 0; i < 600; ++i) {
    datasets.push_back(create(file, "d" + std::to_string(i)));
    ASSERT_TRUE(datasets.back().write_small(stored, Values{i, 1, 2, i}.data()));
  }
  // The file ends before the last of them, and reads fetch the bytes around.
  for (int i = 0; i < 600; i += 3)
    EXPECT_EQ(read(datasets[static_cast<std::size_t>(i)]), (Values{i, 1, 2, i}));
}

TEST(SmallWrites, RefuseWhatNeedsMore) {
  File file = File::create_in_memory();
  const Values values{};
  EXPECT_FALSE(file.root().create_dataset("none", stored, Dataspace::null()).write_small(stored, &values));
  const Datatype text = Datatype::of<std::string>();
  EXPECT_FALSE(file.root().create_dataset("text", text, Dataspace::scalar()).write_small(text, &values));
  const auto large = Dataspace::simple({2000});
  EXPECT_FALSE(file.root().create_dataset("large", stored, large).write_small(stored, &values));
  DatasetOptions chunked;
  chunked.chunk = {4};
  const auto four = Dataspace::simple({4});
  EXPECT_FALSE(file.root().create_dataset("chunked", stored, four, chunked).write_small(stored, &values));
}

TEST(SmallWrites, ConvertLikeOtherWrites) {
  File file = File::create_in_memory();
  Dataset dataset = create(file, "d");
  const std::array<double, 4> values{1.9, -2.9, 1e300, 7};
  ASSERT_TRUE(dataset.write_small(Datatype::of<double>(), values.data()));
  EXPECT_EQ(read(dataset), (Values{1, -2, 2147483647, 7}));
}

/// Random operations against a model, with datasets whose space is freed and used again.
TEST(SmallWrites, AgreeWithAModel) {
  const Scratch scratch;
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const std::string path = scratch / ("m" + std::to_string(round) + ".h5");
    std::map<std::string, Values> model;
    std::optional<File> file = File::create(path);
    for (int step = 0; step < 400; ++step) {
      const std::string name = "d" + std::to_string(random() % 40);
      const bool exists = model.contains(name);
      const unsigned what = random() % 20;
      if (!exists) {
        create(*file, name);
        model[name] = {};
      } else if (what < 10) {
        const int v = step;
        ASSERT_TRUE(file->root().open_dataset(name).write_small(stored, Values{v, 1, 2, v}.data()));
        model[name] = {v, 1, 2, v};
      } else if (what < 12) {
        file->root().open_dataset(name).write(std::vector<int>{step}, Selection::box({2}, {1}));
        model[name][2] = step;
      } else if (what < 14) {
        file->root().remove(name);
        model.erase(name);
      } else if (what < 15) {
        file->root().write_dataset("x" + std::to_string(step), std::vector<double>(random() % 500, 1.0));
      } else if (what < 16) {
        file->flush();
      } else if (what < 17) {
        file->close();
        file = File::open(path, OpenMode::read_write);
      } else {
        ASSERT_EQ(read(file->root().open_dataset(name)), model[name]) << "round " << round;
      }
    }
    file->close();
    file = File::open(path);
    for (const auto& [name, values] : model)
      ASSERT_EQ(read(file->root().open_dataset(name)), values) << "round " << round;
  }
}

/// Lets the process write no byte at or beyond an offset of a file, while it lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(SmallWrites, ReportAFullDeviceAtTheFlush) {
  const Scratch scratch;
  File file = File::create(scratch / "a.h5");
  std::vector<Dataset> datasets;
  for (int i = 0; i < 50; ++i) datasets.push_back(create(file, "d" + std::to_string(i)));
  file.flush();
  {
    const FileLimit limit(std::filesystem::file_size(scratch / "a.h5"));
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(datasets[static_cast<std::size_t>(i)].write_small(stored, Values{i, i, i, i}.data()));
    EXPECT_EQ(read(datasets[7]), (Values{7, 7, 7, 7}));
    EXPECT_THROW(file.flush(), Error);
    EXPECT_EQ(read(datasets[7]), (Values{7, 7, 7, 7}));
  }
  file.close();
  file = File::open(scratch / "a.h5");
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(read(file.root().open_dataset("d" + std::to_string(i))), (Values{i, i, i, i}));
}

TEST(SmallWrites, ThreadsReadWhatOthersWrite) {
  const Scratch scratch;
  File file = File::create(scratch / "a.h5");
  constexpr int count = 64;
  std::vector<Dataset> datasets;
  for (int i = 0; i < count; ++i) datasets.push_back(create(file, "d" + std::to_string(i)));
  for (Dataset& dataset : datasets) dataset.write_small(stored, Values{}.data());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        Dataset dataset = datasets[static_cast<std::size_t>((i * 7 + t) % count)];
        if (t % 2 == 0) {
          dataset.write_small(stored, Values{i, i, i, i}.data());
        } else {
          const auto values = i % 3 == 0 ? dataset.read<std::vector<int>>() : std::vector<int>();
          const Values small = read(dataset);
          EXPECT_TRUE(values.empty() || values.front() == values.back());
          EXPECT_EQ(small.front(), small.back());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(SmallWrites, OfAttributesKeepToTheirForm) {
  File file = File::create_in_memory();
  Group root = file.root();
  Attribute attribute = root.create_attribute("a", stored, Dataspace::simple({4}));
  ASSERT_TRUE(attribute.write_small(stored, Values{1, 2, 3, 4}.data()));
  EXPECT_EQ(attribute.read<std::vector<int>>(), (std::vector<int>{1, 2, 3, 4}));
  // Another attribute takes its name.
  root.remove_attribute("a");
  root.create_attribute("a", Datatype::of<short>(), Dataspace::simple({4}));
  EXPECT_FALSE(attribute.write_small(stored, Values{5, 6, 7, 8}.data()));
  attribute.write_elements(stored, Values{5, 6, 7, 8}.data(), 4);
  EXPECT_EQ(attribute.read<std::vector<int>>(), (std::vector<int>{5, 6, 7, 8}));
  // An attribute of the same form does.
  root.remove_attribute("a");
  root.create_attribute("a", stored, Dataspace::simple({4}));
  EXPECT_TRUE(attribute.write_small(stored, Values{9, 9, 9, 9}.data()));
  EXPECT_EQ(root.attribute("a").read<std::vector<int>>(), (std::vector<int>{9, 9, 9, 9}));
}

}  // namespace
}  // namespace filigree
