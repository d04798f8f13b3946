// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "forms.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SparseUse : public InBothForms {
 protected:
  Dataset make(Dims dims, Dims chunk, Dims most = {}) {
    if (most.empty()) most = dims;
    return root_.create_dataset<float>(
        "d", Dataspace::simple(dims, most),
        sparse_chunks(std::move(chunk)).values({filters::shuffle(), filters::deflate(1)}));
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5");
  Group root_ = file_.root();
};

TEST_P(SparseUse, FiltersMayBeNamedOneByOne) {
  if (is_portable()) GTEST_SKIP() << "portable chunks have elements of a fixed size";
  using namespace filters;
  auto data = root_.create_dataset<std::string>(
      "d", Dataspace::simple({10}),
      sparse_chunks({4}).values(shuffle(), zstd(3)).selection(packed_selection()).heap(deflate()));
  const DatasetInfo info = data.dataset_info();
  ASSERT_EQ(info.filters.size(), 2u);
  EXPECT_EQ(info.filters[1].id, zstd().id);
  EXPECT_EQ(info.selection_filters.size(), 1u);
  EXPECT_EQ(info.heap_filters.size(), 1u);
}

TEST_P(SparseUse, PointsAreWrittenInAnyOrder) {
  auto data = make({10, 10}, {4, 4});
  const Dims coordinates{9, 9, 0, 3, 5, 5, 0, 3};
  write_coordinates<float>(data, coordinates, std::vector<float>{1, 2, 3, 4});
  const auto [elements, values] = read_defined<float>(data);
  EXPECT_THAT(elements.coordinates(), ElementsAre(0, 3, 5, 5, 9, 9));
  EXPECT_THAT(values, ElementsAre(4, 3, 1));
  EXPECT_EQ(defined_count(data, Selection::box({0, 0}, {6, 6})), 2u);
}

TEST_P(SparseUse, DefinedElementsBelongToTheExtentThatIsReturnedWithThem) {
  auto data = make({10, 10}, {4, 4}, {20, 20});
  write_coordinates<float>(data, Dims{0, 3, 5, 5}, std::vector<float>{1, 2});
  std::thread resizer([&] {
    for (std::uint64_t i = 0; i < 200; ++i) data.resize({10 + i % 2, 10 + i % 3});
  });
  for (int i = 0; i < 200; ++i) {
    const DefinedElements found = data.defined_in_extent();
    EXPECT_EQ(found.elements.extent(), found.extent.dims());
    EXPECT_THAT(found.elements.coordinates(), ElementsAre(0, 3, 5, 5));
  }
  resizer.join();
}

/// What read_defined() gives has to be what defined() and read() give, for selections of every kind.
void expect_one_pass_agrees(const Dataset& data) {
  const Dims dims = data.space().dims();
  std::vector<Selection> wanted{Selection::all(),
                                Selection::none(),
                                Selection::box({3, 2, 5}, {2, 9, 7}),
                                Selection::strided({0, 1, 0}, {2, 3, 2}, {3, 4, 8}),
                                Selection::points(dims, Dims{6, 10, 16, 0, 0, 0, 3, 4, 5, 0, 0, 0}),
                                Selection::box({6, 10, 16}, {1, 1, 1})};
  wanted.push_back(Selection::of_mask(dims, std::vector<std::uint8_t>(7 * 11 * 17, 1)) -
                   Selection::box({2, 2, 2}, {3, 3, 3}));
  for (const Selection& selection : wanted) {
    const auto [elements, values] = read_defined<double>(data, selection);
    EXPECT_EQ(elements, data.defined(selection));
    EXPECT_EQ(values, data.read<std::vector<double>>(elements));
    EXPECT_EQ(values.size(), elements.elements());
    const auto listed = read_defined_offsets<double>(data, selection);
    EXPECT_EQ(listed.offsets, data.defined(selection).offsets());
    EXPECT_EQ(listed.values.size(), listed.offsets.size());
    if (elements.offsets() == listed.offsets) {
      EXPECT_EQ(listed.values, values);
    }
  }
}

TEST_P(SparseUse, DefinedElementsAndValuesComeInOnePassFromCacheAndFile) {
  using Filters = std::vector<FilterChoice>;
  const Dims dims{7, 11, 17};
  int number = 0;
  for (const Dims& chunk : {Dims{1, 4, 4}, Dims{3, 4, 5}, Dims{7, 11, 17}, Dims{2, 11, 3}}) {
    for (const Filters& filters : {Filters{}, Filters{filters::shuffle(), filters::deflate(1)}}) {
      const std::string name = "data" + std::to_string(number++);
      auto data = root_.create_dataset<std::int16_t>(
          name, Dataspace::simple(dims),
          sparse_chunks(chunk).values(filters).selection({filters::packed_selection()}));
      std::mt19937 random(5);
      std::vector<std::int16_t> dense(7 * 11 * 17);
      for (auto& value : dense) value = static_cast<std::int16_t>(random() % 4 == 0 ? random() % 1000 : 0);
      write_where<std::int16_t>(data, dense, [](std::int16_t v) { return v != 0; });
      expect_one_pass_agrees(data);  // dirty in the cache
      file_.flush();
      expect_one_pass_agrees(data);
      file_.close();
      file_ = File::open(scratch_ / "f.h5", OpenMode::read_write);
      root_ = file_.root();
      const auto again = root_.open_dataset(name);
      const auto [elements, values] = read_defined<std::int16_t>(again);
      std::vector<std::int16_t> scattered(dense.size());
      const auto offsets = elements.offsets();
      for (std::size_t i = 0; i < offsets.size(); ++i) scattered[offsets[i]] = values[i];
      EXPECT_EQ(scattered, dense);
      expect_one_pass_agrees(again);
    }
  }
}

TEST_P(SparseUse, ElementsAreWrittenByTheirNumbers) {
  auto data = make({10, 10}, {4, 4});
  write_offsets<float>(data, Dims{3, 55, 99}, std::vector<float>{1, 2, 3}, {0, 100});
  EXPECT_EQ(data.chunk_count(), 3u);  // without a flush
  // Chunks that are there already, and elements that are not covered.
  write_offsets<float>(data, Dims{3, 4, 54}, std::vector<float>{4, 5, 6}, {0, 100});
  write_offsets<float>(data, Dims{90, 91}, std::vector<float>{7, 8});
  const auto [offsets, values] = read_defined_offsets<float>(data);
  EXPECT_THAT(offsets, ElementsAre(3, 4, 54, 55, 90, 91, 99));
  EXPECT_THAT(values, ElementsAre(4, 5, 6, 2, 7, 8, 3));
  file_.close();
  const auto again = File::open(scratch_ / "f.h5");
  EXPECT_THAT(read_defined_offsets<int>(again.root().open_dataset("d")).values,
              ElementsAre(4, 5, 6, 2, 7, 8, 3));
}

/// Small groups of elements here and there, which leave some chunks without any.
std::map<std::uint64_t, std::uint16_t> peaks(const Dims& dims, unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  std::map<std::uint64_t, std::uint16_t> lit;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t frame = random() % dims[0], row = random() % (dims[1] - 2),
                        column = random() % (dims[2] - 3);
    for (unsigned n = 5 + random() % 6; n > 0; --n) {
      const std::uint64_t y = row + random() % 3, x = column + random() % 4;
      lit[(frame * dims[1] + y) * dims[2] + x] = static_cast<std::uint16_t>(1 + random() % 1000);
    }
  }
  return lit;
}

TEST_P(SparseUse, PeaksComeBackInTheOrderOfTheExtent) {
  const Dims dims{5, 192, 320};
  int number = 0;
  for (const Dims& chunk : {Dims{1, 64, 64}, Dims{1, 96, 128}, Dims{2, 64, 64}, Dims{1, 50, 60},
                            Dims{3, 192, 320}, Dims{1, 1, 320}}) {
    for (const unsigned count : {1u, 40u, 400u, 3000u}) {
      const std::string name = "data" + std::to_string(number++);
      const auto lit = peaks(dims, count, count);
      Dims offsets;
      std::vector<std::uint16_t> values;
      for (const auto& [offset, value] : lit) {
        offsets.push_back(offset);
        values.push_back(value);
      }
      auto data = root_.create_dataset<std::uint16_t>(
          name, Dataspace::simple(dims),
          sparse_chunks(chunk).values({filters::shuffle()}).selection({filters::packed_selection()}));
      write_offsets<std::uint16_t>(data, offsets, values, {0, 5 * 192 * 320});
      file_.close();
      file_ = File::open(scratch_ / "f.h5", OpenMode::read_write);
      root_ = file_.root();
      data = root_.open_dataset(name);
      const auto expect_all = [&] {
        const auto found = read_defined_offsets<std::uint16_t>(data);
        EXPECT_EQ(found.offsets, offsets) << name;
        EXPECT_EQ(found.values, values) << name;
        EXPECT_EQ(read_defined_offsets<double>(data).values,
                  std::vector<double>(values.begin(), values.end()));
        EXPECT_EQ(data.defined().offsets(), offsets) << name;
      };
      expect_all();
      // Some of the chunks are in the cache now.
      (void)data.read<std::vector<std::uint16_t>>(Selection::box({1, 70, 70}, {2, 30, 100}));
      expect_all();
      (void)data.read<std::vector<std::uint16_t>>();
      expect_all();
    }
  }
}

TEST_P(SparseUse, NumbersOfElementsThatMakeNoSenseAreRefused) {
  auto data = make({10, 10}, {4, 4});
  const std::vector<float> two{1, 2};
  EXPECT_THROW(write_offsets<float>(data, Dims{5, 5}, two), Error);
  EXPECT_THROW(write_offsets<float>(data, Dims{6, 5}, two), Error);
  EXPECT_THROW(write_offsets<float>(data, Dims{6, 100}, two), Error);
  EXPECT_THROW(write_offsets<float>(data, Dims{6}, two), Error);
  EXPECT_EQ(defined_count(data), 0u);
  write_offsets<float>(data, {}, std::vector<float>{});
  EXPECT_EQ(defined_count(data), 0u);
}

TEST_P(SparseUse, NumbersOfElementsServeDatasetsOfEveryKind) {
  auto dense = root_.create_dataset<float>("dense", Dataspace::simple({4, 5}));
  write_offsets<float>(dense, Dims{1, 19}, std::vector<float>{1, 2}, {0, 20});
  const auto all = read_defined_offsets<float>(dense);
  EXPECT_EQ(all.offsets.size(), 20u);
  EXPECT_EQ(all.values[19], 2);
  if (is_portable()) return;  // their elements have a fixed size
  auto texts = root_.create_dataset<std::string>("s", Dataspace::simple({9, 9}), sparse_chunks({4, 4}));
  write_offsets<std::string>(texts, Dims{5, 80}, std::vector<std::string>{"a", "b"}, {0, 81});
  const auto found = read_defined_offsets<std::string>(texts);
  EXPECT_THAT(found.offsets, ElementsAre(5, 80));
  EXPECT_THAT(found.values, ElementsAre("a", "b"));
}

TEST_P(SparseUse, ThreadsWriteNumberedElementsOfTheSameChunks) {
  auto data = make({64, 64}, {16, 16});
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Dims offsets;
      std::vector<float> values;
      for (std::uint64_t i = t; i < 64 * 64; i += 4) {
        offsets.push_back(i);
        values.push_back(static_cast<float>(i));
      }
      write_offsets<float>(data, offsets, values, {0, 64 * 64});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto found = read_defined_offsets<float>(data);
  ASSERT_EQ(found.offsets.size(), 64u * 64u);
  for (std::size_t i = 0; i < found.offsets.size(); ++i) ASSERT_EQ(found.values[i], static_cast<float>(i));
}

TEST_P(SparseUse, DefinedStringsComeWithTheirElements) {
  if (is_portable()) GTEST_SKIP() << "portable chunks have elements of a fixed size";
  auto data = root_.create_dataset<std::string>("s", Dataspace::simple({9, 9}), sparse_chunks({4, 4}));
  data.write(std::vector<std::string>{"one", "two", "three"}, Selection::of_offsets({9, 9}, Dims{5, 40, 80}));
  const auto [elements, values] = read_defined<std::string>(data);
  EXPECT_THAT(elements.offsets(), ElementsAre(5, 40, 80));
  EXPECT_THAT(values, ElementsAre("one", "two", "three"));
}

TEST_P(SparseUse, OnlyChosenValuesOfADenseArrayAreWritten) {
  auto data = make({20, 30}, {8, 8});
  std::vector<float> dense(600);
  for (std::size_t i = 0; i < dense.size(); i += 7) dense[i] = static_cast<float>(i + 1);
  const auto bright = [](float v) { return v != 0; };
  EXPECT_EQ(write_where<float>(data, dense, bright), 86u);
  EXPECT_EQ(defined_count(data), 86u);
  EXPECT_EQ(data.read<std::vector<float>>(), dense);
  const std::vector<float> corner{0, 5, 6, 0};
  EXPECT_EQ(write_where<float>(data, corner, bright, {18, 28}, {2, 2}), 2u);
  EXPECT_THAT(data.read<std::vector<float>>(Selection::box({18, 28}, {2, 2})), ElementsAre(0, 5, 6, 0));
  EXPECT_THROW(write_where<float>(data, corner, bright), Error);
}

TEST_P(SparseUse, ValuesThatAreNotTheFillValueAreWritten) {
  const auto make_filled = [&](const char* name, float fill) {
    return root_.create_dataset<double>(name, Dataspace::simple({2, 3}),
                                        sparse_chunks({2, 2}).fill(Fill::of(fill)));
  };
  auto data = make_filled("seven", 7);
  const std::vector<float> dense{7, 0, 7, 1, 7, 7};
  EXPECT_EQ(write_where<float>(data, dense), 2u);
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(data.read<std::vector<float>>(), dense);
  EXPECT_EQ(write_where<float>(data, std::vector<float>{7, 2}, {1, 1}, {1, 2}), 1u);
  EXPECT_EQ(defined_count(data), 3u);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto unknown = make_filled("unknown", nan);
  EXPECT_EQ(write_where<float>(unknown, std::vector<float>{nan, 0, nan, nan, 7, nan}), 2u);
  if (is_portable()) return;  // their elements have a fixed size
  auto plain = root_.create_dataset<std::string>("texts", Dataspace::simple({3}), sparse_chunks({2}));
  EXPECT_EQ(write_where<std::string>(plain, std::vector<std::string>{"", "a", ""}), 1u);
  EXPECT_THAT(plain.defined().offsets(), ElementsAre(1));
}

TEST_P(SparseUse, DefinedElementsComeInPartsOfBoundedSize) {
  auto data = make({100, 100}, {16, 16});
  std::vector<float> band(3000);
  std::iota(band.begin(), band.end(), 0.0f);
  data.write(band, Selection::box({20, 0}, {30, 100}));
  std::uint64_t parts = 0;
  std::vector<float> all;
  for_each_defined<float>(
      data,
      [&](const Selection& elements, std::span<const float> values) {
        EXPECT_LE(values.size(), 700u);
        EXPECT_EQ(elements.elements(), values.size());
        all.insert(all.end(), values.begin(), values.end());
        ++parts;
      },
      {}, 700);
  EXPECT_EQ(parts, 5u);
  EXPECT_EQ(all, band);
  const auto ignore = [](const Selection&, std::span<const float>) {};
  EXPECT_THROW(for_each_defined<float>(data, ignore, {}, 0), Error);
}

TEST_P(SparseUse, PartsOfDefinedElementsAreThoseOfTheSelectionInItsOrder) {
  auto data = make({50, 40, 3}, {7, 9, 3});
  std::mt19937 random(11);
  std::vector<float> dense(50 * 40 * 3);
  for (auto& v : dense) v = random() % 5 == 0 ? static_cast<float>(random() % 100 + 1) : 0;
  write_where<float>(data, dense);
  for (const Selection& wanted : {Selection::all(), Selection::none(), Selection::box({3, 5, 0}, {40, 30, 2}),
                                  Selection::strided({1, 0, 0}, {3, 2, 1}, {15, 20, 3}),
                                  Selection::points({50, 40, 3}, Dims{49, 39, 2, 0, 0, 0, 20, 20, 1})}) {
    for (const std::uint64_t most : {1u, 13u, 500u, 100'000u}) {
      std::vector<std::uint64_t> offsets;
      std::vector<float> values;
      for_each_defined<float>(
          data,
          [&](const Selection& elements, std::span<const float> some) {
            for (const std::uint64_t at : elements.offsets()) offsets.push_back(at);
            values.insert(values.end(), some.begin(), some.end());
          },
          wanted, most);
      const auto expected = read_defined<float>(data, wanted);
      EXPECT_EQ(values, expected.values);
      if (!values.empty()) {
        EXPECT_EQ(offsets, expected.elements.offsets());
      }
    }
  }
}

TEST_P(SparseUse, MatricesGoInAndOutInEveryForm) {
  auto data = make({40, 50}, {16, 16});
  std::mt19937 random(7);
  Csr<float> csr{40, 50, {0}, {}, {}};
  for (std::uint64_t row = 0; row < 40; ++row) {
    for (std::uint64_t column = 0; column < 50; ++column) {
      if (random() % 6 != 0) continue;
      csr.column_indices.push_back(column);
      csr.values.push_back(static_cast<float>(random() % 1000));
    }
    csr.row_starts.push_back(csr.values.size());
  }
  write_csr(data, csr);
  const auto back = read_csr<float>(data);
  EXPECT_EQ(back.row_starts, csr.row_starts);
  EXPECT_EQ(back.column_indices, csr.column_indices);
  EXPECT_EQ(back.values, csr.values);

  const Csc<float> csc = read_csc<float>(data);
  ASSERT_EQ(csc.values.size(), csr.values.size());
  auto second = root_.create_dataset<float>("second", Dataspace::simple({40, 50}), sparse_chunks({7, 50}));
  write_csc(second, csc);
  EXPECT_EQ(second.defined(), data.defined());
  EXPECT_EQ(read_csr<float>(second).values, csr.values);

  Coo<float> coo = read_coo<float>(data);
  std::vector<std::size_t> order(coo.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  Coo<float> mixed{40, 50, {}, {}, {}};
  for (const std::size_t i : order) {
    mixed.row_indices.push_back(coo.row_indices[i]);
    mixed.column_indices.push_back(coo.column_indices[i]);
    mixed.values.push_back(coo.values[i]);
  }
  auto third = root_.create_dataset<float>("third", Dataspace::simple({40, 50}), sparse_chunks({40, 5}));
  write_coo(third, mixed);
  EXPECT_EQ(read_csr<float>(third).values, csr.values);
  EXPECT_EQ(third.defined(), data.defined());
}

TEST_P(SparseUse, MatricesThatContradictThemselvesAreRefused) {
  auto data = make({3, 4}, {3, 4});
  const auto refusal = [&](const Csr<float>& matrix) -> std::string {
    try {
      write_csr(data, matrix);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({3, 5, {0, 0, 0, 0}, {}, {}}), HasSubstr("3 x 5"));
  EXPECT_NE(refusal({3, 4, {0, 1}, {2}, {1}}), "");
  EXPECT_NE(refusal({3, 4, {0, 2, 1, 2}, {0, 1}, {1, 2}}), "");
  EXPECT_THAT(refusal({3, 4, {0, 1, 1, 2}, {0, 4}, {1, 2}}), HasSubstr("row 2"));
  EXPECT_THAT(refusal({3, 4, {0, 2, 2, 2}, {1, 1}, {1, 2}}), HasSubstr("row 0"));
  EXPECT_NE(refusal({3, 4, {}, {}, {}}), "");
  const auto refuses = [](const auto& attempt) { EXPECT_THROW(attempt(), Error); };
  const auto all_refused = [&](const auto&... attempts) { (refuses(attempts), ...); };
  const std::uint64_t most = ~std::uint64_t{0};
  auto line = root_.create_dataset<float>("line", Dataspace::simple({3}));
  auto one = root_.create_dataset<float>("one", Dataspace::scalar());
  all_refused(
      [&] {
        write_csc(data, Csc<float>{most, 4, {0, 1, 1, 1, 1}, {0}, {1}});
      },
      [&] {
        write_csc(data, Csc<float>{3, most, {}, {}, {}});
      },
      [&] {
        write_csc(data, Csc<float>{3, 4, {0, 1, 1, 1, 1}, {3}, {1}});
      },
      [&] {
        write_coo(data, Coo<float>{3, 4, {3}, {0}, {1}});
      },
      [&] {
        write_coo(data, Coo<float>{3, 4, {0}, {4}, {1}});
      },
      [&] {
        write_coo(data, Coo<float>{3, 4, {0, 1}, {1}, {1}});
      },  //
      [&] { read_csr<float>(line); }, [&] { read_csc<float>(one); }, [&] { read_coo<float>(one); });
  EXPECT_EQ(defined_count(data), 0u);
}

TEST_P(SparseUse, OfElementsThatAListNamesTwiceTheLastCounts) {
  auto data = make({3, 4}, {2, 2});
  write_coo(data, Coo<float>{3, 4, {2, 0, 2, 0}, {1, 3, 1, 0}, {1, 2, 3, 4}});
  const Coo<float> back = read_coo<float>(data);
  EXPECT_THAT(back.row_indices, ElementsAre(0, 0, 2));
  EXPECT_THAT(back.column_indices, ElementsAre(0, 3, 1));
  EXPECT_THAT(back.values, ElementsAre(4, 2, 3));
}

TEST_P(SparseUse, FramesAreAppendedFromSeveralThreads) {
  auto data = make({0, 32, 32}, {1, 16, 16}, {unlimited, 32, 32});
  {
    FrameAppender appender(data);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          const Dims pixels{3, 4, 30, 31};
          const auto frame = appender.append_coordinates<float>(pixels, std::vector<float>{1, 2});
          (void)frame;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(appender.append_region<float>({8, 8}, {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}), 200u);
    EXPECT_EQ(appender.append_empty(), 201u);
    appender.append_offsets<float>(Dims{5, 6, 1023}, std::vector<float>{1, 2, 3});
    appender.append_offsets<float>(Dims{1023, 5}, std::vector<float>{3, 1});
    EXPECT_THROW(appender.append_offsets<float>(Dims{1024}, std::vector<float>{3}), Error);
    EXPECT_THROW(appender.append_offsets<float>(Dims{1, 2}, std::vector<float>{3}), Error);
    EXPECT_THROW(appender.append_coordinates<float>(Dims{1, 32}, std::vector<float>{3}), Error);
    appender.close();
    EXPECT_EQ(appender.frames(), 204u);
    EXPECT_THROW(appender.append_empty(), Error);
  }
  EXPECT_EQ(data.space().dims(), (Dims{204, 32, 32}));
  EXPECT_EQ(defined_count(data), 411u);
  EXPECT_THAT(data.defined(Selection::box({203, 0, 0}, {1, 32, 32})).coordinates(),
              ElementsAre(203, 0, 5, 203, 31, 31));
  EXPECT_EQ(data.read<float>(Selection::box({203, 31, 31}, {1, 1, 1})), 3);
  EXPECT_THAT(data.read<std::vector<float>>(Selection::box({200, 8, 8}, {1, 2, 3})),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(data.read<float>(Selection::box({77, 30, 31}, {1, 1, 1})), 2);
  {
    FrameAppender more(data);
    more.append_coordinates<float>(Dims{0, 0}, std::vector<float>{9});
  }
  EXPECT_EQ(data.space().dims()[0], 205u);
}

TEST_P(SparseUse, FramesOfSeveralThreadsHoldWhatTheirNumbersSay) {
  auto data = make({0, 32, 32}, {1, 16, 16}, {unlimited, 32, 32});
  constexpr std::uint64_t threads = 4, each = 60;
  std::vector<std::uint64_t> number(threads * each);
  {
    FrameAppender appender(data, {.buffer_bytes = 2000});
    std::vector<std::thread> all;
    for (std::uint64_t t = 0; t < threads; ++t) {
      all.emplace_back([&, t] {
        for (std::uint64_t i = t * each; i < (t + 1) * each; ++i) {
          const auto value = static_cast<float>(i);
          const std::vector<float> some{value, value + 0.25f};
          if (i % 2 == 0)
            number[i] = appender.append_coordinates<float>(Dims{i % 32, 3, 31, i % 31}, some);
          else
            number[i] = appender.append_region<float>({i % 32, 5}, {1, 2}, some);
        }
      });
    }
    for (auto& thread : all) thread.join();
  }
  EXPECT_EQ(data.space().dims()[0], threads * each);
  for (std::uint64_t i = 0; i < number.size(); ++i) {
    const auto value = static_cast<float>(i);
    const auto found = read_defined<float>(data, Selection::box({number[i], 0, 0}, {1, 32, 32}));
    const std::uint64_t row = i % 32, at = number[i] * 1024;
    const Dims expected = i % 2 == 0 ? Dims{at + row * 32 + 3, at + 31 * 32 + i % 31}
                                     : Dims{at + row * 32 + 5, at + row * 32 + 6};
    ASSERT_EQ(found.elements.offsets(), expected) << i;
    ASSERT_THAT(found.values, ElementsAre(value, value + 0.25f)) << i;
  }
}

TEST_P(SparseUse, FramesAreHeldBackUntilThereAreEnough) {
  auto data = make({0, 32, 32}, {1, 16, 16}, {unlimited, 32, 32});
  FrameAppender appender(data, {.buffer_bytes = 96});
  const Dims pixels{1, 2, 40, 900};
  const std::vector<float> values{1, 2, 3, 4};
  appender.append_offsets<float>(pixels, values);  // four numbers of 8 bytes
  EXPECT_EQ(defined_count(data), 0u);
  appender.flush();
  EXPECT_EQ(defined_count(data), 4u);
  EXPECT_EQ(data.space().dims()[0], 1u);
  for (int i = 0; i < 3; ++i) appender.append_offsets<float>(pixels, values);
  EXPECT_EQ(defined_count(data), 16u);
  // Others of another type, and some that cannot wait.
  appender.append_offsets<float>(pixels, values);
  appender.append_offsets<std::int16_t>(pixels, std::vector<std::int16_t>{5, 6, 7, 8});
  appender.append_offsets<double>(Dims{900, 1, 900}, std::vector<double>{-1, 2, 3});
  appender.close();
  EXPECT_EQ(data.space().dims()[0], 7u);
  EXPECT_EQ(defined_count(data), 26u);
  EXPECT_THAT(read_defined<float>(data).values,
              ElementsAre(1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4,  //
                          1, 2, 3, 4, 5, 6, 7, 8, 2, 3));
}

FILIGREE_IN_BOTH_FORMS(SparseUse);

}  // namespace
}  // namespace filigree
