// SPDX-License-Identifier: Apache-2.0
//
// What sparse datasets cost in memory and in requests: what is defined, never the volume.
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "damage.hpp"
#include "forms.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

/// Bytes that are asked from operator new meanwhile, by all threads.
std::uint64_t allocated(const std::function<void()>& work) {
  const std::uint64_t before = damage::allocated_bytes;
  damage::counting = true;
  work();
  damage::counting = false;
  return damage::allocated_bytes - before;
}

/// Bytes that the driver is asked for.
class Reads {
 public:
  AccessOptions access() {
    AccessOptions options;
    options.log = DriverLog{DriverLog::Format::json_lines, [this](std::string_view line) {
                              if (line.find("\"op\":\"read\"") == line.npos) return;
                              const auto at = line.find("\"bytes\":") + 8;
                              bytes_ += std::stoull(std::string(line.substr(at)));
                            }};
    return options;
  }
  std::uint64_t of(const std::function<void()>& work) {
    bytes_ = 0;
    work();
    return bytes_;
  }

 private:
  std::uint64_t bytes_ = 0;
};

class SparseCost : public InBothForms {};

TEST_P(SparseCost, OneElementOfBillionsTakesBytes) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  const std::uint64_t side = is_portable() ? 20'000 : 100'000;  // chunks of 3.2 or 80 GB
  auto data = file.root().create_dataset<double>("d", Dataspace::simple({2 * side, side}),
                                                 sparse_chunks({side, side}));
  const Selection first = Selection::box({17, side - 1}, {1, 1});
  const Selection second = Selection::box({side + 3'456, 7}, {1, 1});
  data.write(1.0, first);
  file.flush();  // so that what is made once is there
  const std::uint64_t writing = allocated([&] {
    data.write(2.0, second);
    file.flush();
  });
  const std::uint64_t reading = allocated([&] {
    EXPECT_EQ(data.read<double>(second), 2.0);
    EXPECT_EQ(data.read<double>(Selection::box({side + 3'456, 8}, {1, 1})), 0.0);
    EXPECT_EQ(defined_count(data), 2u);
    EXPECT_EQ(data.read_structured_chunk({side, 0}).size(), 2u);
  });
  const std::uint64_t erasing = allocated([&] {
    data.erase(Selection::all());
    file.flush();
  });
  EXPECT_LT(writing, 100'000u);
  EXPECT_LT(reading, 100'000u);
  EXPECT_LT(erasing, 100'000u);
}

TEST_P(SparseCost, PatternsCostWhatTheyFindNotTheirRuns) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  constexpr std::uint64_t side = std::uint64_t{1} << 31, half = side / 2;
  auto data = file.root().create_dataset<std::uint8_t>(
      "d", Dataspace::simple({side, side}),
      sparse_chunks(is_portable() ? Dims{1u << 15, 1u << 16} : Dims{side, half}));
  using Bytes = std::vector<std::uint8_t>;
  data.write(Bytes{1, 2, 3, 4, 5, 6},
             Selection::of_offsets({side, side}, Dims{0, 1, 2, side, side + 4, side * side - 1}));
  const Selection even = Selection::strided({0, 0}, {1, 2}, {side, half});
  const Selection rows = Selection::strided({0, 0}, {2, 1}, {half, side});
  EXPECT_LT(allocated([&] {
              EXPECT_EQ(data.defined(even).offsets(), (Dims{0, 2, side, side + 4}));
              EXPECT_EQ(data.defined(rows).offsets(), (Dims{0, 1, 2}));
              EXPECT_EQ(read_defined<std::uint8_t>(data, even).values, (Bytes{1, 3, 4, 5}));
              data.erase(rows);
              EXPECT_EQ(data.defined().offsets(), (Dims{side, side + 4, side * side - 1}));
              data.erase(even);
              EXPECT_EQ(data.defined().offsets(), (Dims{side * side - 1}));
              EXPECT_EQ(data.chunk_count(), 1u);
            }),
            1'000'000u);
}

/// Two chunks of 512 x 512 floats, in each every second row but for its last element.
void make_rows(const std::string& path, const std::vector<FilterChoice>& filters) {
  File file = File::create(path);
  auto data = file.root().create_dataset<float>("d", Dataspace::simple({1024, 512}),
                                                sparse_chunks({512, 512}).values(filters).unfiltered());
  const Selection rows = Selection::strided({0, 0}, {2, 1}, {512, 511});
  std::vector<float> values(rows.elements());
  std::iota(values.begin(), values.end(), 0.5f);
  data.write(values, rows);
}

TEST_P(SparseCost, WhatIsDefinedIsReadFromSectionZeroAlone) {
  if (is_portable()) GTEST_SKIP() << "the next test is for portable chunks";
  for (const bool filtered : {false, true}) {
    const Scratch scratch;
    make_rows(scratch / "f.h5", filtered ? std::vector{filters::shuffle()} : std::vector<FilterChoice>{});
    Reads reads;
    const File file = File::open(scratch / "f.h5", OpenMode::read_only, reads.access());
    const auto data = file.root().open_dataset("d");
    std::uint64_t selections = 0, all = 0;
    data.for_each_chunk([&](const ChunkInfo& info) {
      selections += info.sections[0].stored_bytes + 4;  // and its checksum
      all += info.stored_bytes;
      return true;
    });
    EXPECT_GT(all, 1'000'000u);
    EXPECT_LT(selections, 20'000u);
    EXPECT_EQ(reads.of([&] { EXPECT_EQ(data.defined().elements(), 512u * 511); }), selections);
    EXPECT_EQ(reads.of([&] {
      EXPECT_EQ(defined_count(data, Selection::box({0, 0}, {512, 4})), 1024u);
    }),
              selections / 2);
  }
}

/// The size of section 0 is in the envelope, which is read with the first 4 KiB of the chunk.
TEST_P(SparseCost, WhatIsDefinedIsReadFromSectionZeroOfPortableChunks) {
  if (!is_portable()) GTEST_SKIP() << "the index knows the sections";
  constexpr std::uint64_t envelope_bytes = 54, start_bytes = 4096;
  for (const bool filtered : {false, true}) {
    const Scratch scratch;
    make_rows(scratch / "f.h5", filtered ? std::vector{filters::shuffle()} : std::vector<FilterChoice>{});
    Reads reads;
    const File file = File::open(scratch / "f.h5", OpenMode::read_only, reads.access());
    const auto data = file.root().open_dataset("d");
    std::uint64_t selections = 0, chunks = 0;
    data.for_each_chunk([&](const ChunkInfo& info) {
      const SectionInfo selection = data.structured_chunk_sections(info.offset)[0];
      selections += std::max(start_bytes, envelope_bytes + selection.stored_bytes + 4);  // and its checksum
      EXPECT_GT(info.stored_bytes, 500'000u);
      return ++chunks, true;
    });
    EXPECT_LT(selections, 20'000u);
    EXPECT_EQ(reads.of([&] { EXPECT_EQ(data.defined().elements(), 512u * 511); }), selections);
    const Selection part = Selection::box({0, 0}, {512, 4});
    EXPECT_EQ(reads.of([&] { EXPECT_EQ(data.defined(part).elements(), 1024u); }), selections / 2);
    EXPECT_EQ(reads.of([&] { EXPECT_EQ(defined_count(data), 512u * 511); }), chunks * envelope_bytes);
  }
}

TEST_P(SparseCost, UnfilteredValuesAreReadByRange) {
  if (is_portable()) GTEST_SKIP() << "portable chunks are read completely";
  const Scratch scratch;
  make_rows(scratch / "f.h5", {});
  Reads reads;
  const File file = File::open(scratch / "f.h5", OpenMode::read_only, reads.access());
  const auto data = file.root().open_dataset("d");
  const std::uint64_t selection = data.chunk_info({0, 0}).sections[0].stored_bytes + 4;
  std::vector<float> row;
  const std::uint64_t read = reads.of([&] {
    row = data.read<std::vector<float>>(Selection::box({100, 0}, {1, 512}));
  });
  std::vector<float> expected(511);
  std::iota(expected.begin(), expected.end(), 50 * 511 + 0.5f);
  expected.push_back(0);
  EXPECT_EQ(row, expected);
  EXPECT_EQ(read, selection + 511 * 4);
}

/// A matrix of counts in chunks of 250 x 1,000, a twentieth of them defined: 500,000 in 40 chunks.
constexpr std::uint64_t count_rows = 2'000, count_columns = 5'000;

std::uint64_t make_counts(const std::string& path) {
  File file = File::create(path);
  auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({count_rows, count_columns}),
                                                       sparse_chunks({250, 1'000})
                                                           .values(filters::shuffle(), filters::zstd(3))
                                                           .selection(filters::packed_selection()));
  std::mt19937_64 random(9);
  Dims offsets;
  std::vector<std::int32_t> values;
  for (std::uint64_t at = 0; at < count_rows * count_columns; ++at) {
    if (random() % 20 != 0) continue;
    offsets.push_back(at);
    values.push_back(static_cast<std::int32_t>(random() % 5 == 0 ? 1 + random() % 60 : 1));
  }
  write_offsets<std::int32_t>(data, offsets, values, {0, count_rows * count_columns});
  return offsets.size();
}

Dims every(std::uint64_t step, std::uint64_t end) {
  Dims numbers;
  for (std::uint64_t i = step / 2; i < end; i += step) numbers.push_back(i);
  return numbers;
}

TEST_P(SparseCost, PartsOfAMatrixReadTheirChunksOnce) {
  const Scratch scratch;
  const std::uint64_t elements = make_counts(scratch / "f.h5");
  Reads reads;
  const File file = File::open(scratch / "f.h5", OpenMode::read_only, reads.access());
  auto data = file.root().open_dataset("d");
  std::uint64_t all = 0, two = 0;
  data.for_each_chunk([&](const ChunkInfo& info) {
    all += info.stored_bytes;
    if (info.offset == Dims{0, 0} || info.offset == Dims{1'750, 4'000}) two += info.stored_bytes;
    return true;
  });
  /// Bytes that are read with an empty cache.
  const auto bytes = [&](const std::function<void()>& work) {
    data.set_chunk_cache(ChunkCacheOptions{.chunks = {}, .bytes = 64u << 20, .preemption = {}});
    return reads.of(work);
  };
  // Portable chunks have the number in their envelopes.
  const std::uint64_t envelope_bytes = is_portable() ? 54 : 0;
  EXPECT_EQ(bytes([&] { EXPECT_EQ(defined_count(data), elements); }), 40 * envelope_bytes);
  EXPECT_EQ(bytes([&] {
              (void)defined_count(data, Selection::box({250, 1'000}, {500, 2'000}));
            }),
            4 * envelope_bytes);
  const Dims rows = every(50, count_rows), columns = every(500, count_columns);  // 2 % of the rows
  const std::uint64_t most = all * 13 / 10;
  EXPECT_LE(bytes([&] { EXPECT_GT(read_csr<std::int32_t>(data, rows).values.size(), 0u); }), most);
  EXPECT_LE(bytes([&] { EXPECT_GT(read_csc<std::int32_t>(data, columns).values.size(), 0u); }), most);
  EXPECT_LE(bytes([&] {
              for_each_defined<std::int32_t>(
                  data, [](const auto&, auto) {}, {}, 50'000);
            }),
            most);
  // One by one: the chunks that the first rows have read are cached.
  EXPECT_LE(bytes([&] {
              for (const std::uint64_t row : rows)
                (void)read_defined<std::int32_t>(data, Selection::box({row, 0}, {1, count_columns}));
            }),
            most);
  // Chunks between those that are touched are not read.
  const std::vector<Selection::Box> corners{{{0, 0}, {0, 999}}, {{1'999, 4'500}, {1'999, 4'999}}};
  EXPECT_LE(
      bytes([&] {
        (void)read_defined<std::int32_t>(data, Selection::of_boxes({count_rows, count_columns}, corners));
      }),
      two * 13 / 10);
}

TEST_P(SparseCost, CachedChunksOfCountsTakeThreeBytesAnElement) {
  const Scratch scratch;
  const std::uint64_t elements = make_counts(scratch / "f.h5");
  const File file = File::open(scratch / "f.h5");
  auto data = file.root().open_dataset("d");
  data.set_chunk_cache(ChunkCacheOptions{.chunks = {}, .bytes = 64u << 20, .preemption = {}});
  for (const std::uint64_t row : every(50, count_rows))
    (void)read_defined<std::int32_t>(data, Selection::box({row, 0}, {1, count_columns}));
  const std::uint64_t cached = data.chunk_cache_counters().bytes;
  EXPECT_GT(cached, elements);
  EXPECT_LT(cached, elements * 7 / 2);
}

TEST_P(SparseCost, MemoryGoesWithWhatIsDefined) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  // 1,000 runs of 100 elements in a chunk of 4 * 10^12 or 3.6 * 10^9 bytes.
  const std::uint64_t side = is_portable() ? 30'000 : 1'000'000;
  auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({side, side}),
                                                       sparse_chunks({side, side}));
  std::vector<Selection::Run> runs;
  for (std::uint64_t i = 0; i < 1000; ++i) runs.push_back({i * (side * side / 1'013), 100});
  const Selection part = Selection::of_runs({side, side}, runs);
  std::vector<std::int32_t> values(part.elements(), 9);
  const std::uint64_t held = values.size() * 4 + runs.size() * 16;
  EXPECT_LT(allocated([&] {
              data.write(values, part);
              file.flush();
            }),
            8 * held);
  file.close();
  const File again = File::open(scratch / "f.h5");
  const auto same = again.root().open_dataset("d");
  EXPECT_LT(allocated([&] {
              const auto found = read_defined<std::int32_t>(same);
              EXPECT_EQ(found.elements, part);
              EXPECT_EQ(found.values, values);
            }),
            12 * held);
}

TEST_P(SparseCost, MatricesCostTheirElementsNotTheirRows) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  const std::uint64_t rows = is_portable() ? 200'000'000 : 1'000'000'000;
  auto data = file.root().create_dataset<int>("d", Dataspace::simple({rows, 4}), sparse_chunks({rows, 4}));
  const Coo<int> some{rows, 4, {rows - 1, 5, 5}, {3, 2, 1}, {1, 2, 3}};
  EXPECT_LT(allocated([&] {
              write_coo(data, some);
              EXPECT_EQ(read_coo<int>(data).row_indices, (Dims{5, 5, rows - 1}));
              const Csc<int> columns = read_csc<int>(data);
              EXPECT_EQ(columns.column_starts, (Dims{0, 0, 1, 2, 3}));
              EXPECT_EQ(columns.row_indices, (Dims{5, 5, rows - 1}));
              EXPECT_EQ(columns.values, (std::vector<int>{3, 2, 1}));
              data.erase(Selection::all());
              write_csc(data, columns);
              EXPECT_EQ(read_coo<int>(data).values, (std::vector<int>{3, 2, 1}));
            }),
            200'000u);
}

TEST_P(SparseCost, MatricesOfLongRowsAreNoPoints) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  constexpr std::uint64_t rows = 10, columns = 100'000, count = rows * columns;
  auto data = file.root().create_dataset<std::uint8_t>("d", Dataspace::simple({rows, columns}),
                                                       sparse_chunks({rows, columns}).unfiltered());
  Csr<std::uint8_t> matrix{rows, columns, {0}, {}, std::vector<std::uint8_t>(count, 7)};
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) matrix.column_indices.push_back(column);
    matrix.row_starts.push_back(matrix.column_indices.size());
  }
  // Two coordinates for each would be 16 bytes, beside the 8 of its index.
  EXPECT_LT(allocated([&] { write_csr(data, matrix); }), 4 * count);
  EXPECT_LT(allocated([&] { EXPECT_EQ(read_csr<std::uint8_t>(data).values, matrix.values); }),
            (8 + 8) * count);
}

TEST_P(SparseCost, PartsOfDefinedElementsTakeMemoryForOnePart) {
  const Scratch scratch;
  constexpr std::uint64_t frames = 200, side = 64, each = 500;
  {
    File file = File::create(scratch / "f.h5");
    auto data = file.root().create_dataset<int>("d", Dataspace::simple({frames, side, side}),
                                                sparse_chunks({1, side, side}));
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
      std::vector<std::uint64_t> offsets;
      for (std::uint64_t i = 0; i < each; ++i) offsets.push_back(frame * side * side + 8 * i + frame % 2);
      data.write(std::vector<int>(each, 1), Selection::of_offsets({frames, side, side}, offsets));
    }
  }
  const File file = File::open(scratch / "f.h5");
  const auto data = file.root().open_dataset("d");
  std::uint64_t seen = 0;
  damage::largest_allocation = 0;
  for_each_defined<int>(
      data, [&](const Selection&, std::span<const int> values) { seen += values.size(); }, {}, 2000);
  EXPECT_EQ(seen, frames * each);
  // All runs would be 1,600,000 bytes, all offsets 800,000. Envelopes of adjacent chunks are read together.
  EXPECT_LT(damage::largest_allocation, is_portable() ? 400'000u : 200'000u);
}

/// Bytes that a chunk takes in which every element of the mask is defined.
template <class T>
std::uint64_t chunk_bytes(const Dims& dims, const std::vector<std::uint8_t>& mask, bool packed) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  auto options = sparse_chunks(dims);
  if (packed) options.selection({filters::packed_selection()});
  auto data = file.root().create_dataset<T>("d", Dataspace::simple(dims), options);
  const Selection part = Selection::of_mask(dims, mask);
  data.write(std::vector<T>(part.elements(), T{3}), part);
  return data.chunk_info(Dims(dims.size(), 0)).stored_bytes;
}

TEST_P(SparseCost, FullChunksAreAsLargeAsDenseOnes) {
  // Beyond rank 16 the dimensions alone, 2 bytes each, take more.
  for (const Dims& dims : {Dims{1000}, Dims{40, 50}, Dims{10, 20, 5}, Dims{4, 5, 6, 7}, Dims{2, 3, 4, 5, 6},
                           Dims(10, 2), Dims(16, 2), Dims{70'000}, Dims{2, 1, 70'000, 1, 1, 1, 1, 1}}) {
    const std::uint64_t count =
        std::accumulate(dims.begin(), dims.end(), std::uint64_t{1}, std::multiplies<>());
    const std::vector<std::uint8_t> all(count, 1);
    const std::uint64_t more = 64 + (is_portable() ? 54 : 0);  // the envelope
    EXPECT_LE(chunk_bytes<std::uint8_t>(dims, all, false), count + more);
    EXPECT_LE(chunk_bytes<double>(dims, all, false), count * 8 + more);
    EXPECT_LE(chunk_bytes<std::uint8_t>(dims, all, true), count + more);
    EXPECT_LE(chunk_bytes<double>(dims, all, true), count * 8 + more);
  }
}

TEST_P(SparseCost, ScatteredElementsWithPackedSelectionsAreNeverLargerThanDenseChunks) {
  constexpr std::uint64_t side = 256;
  std::mt19937 random(5);
  for (const unsigned percent : {10u, 50u, 97u, 99u}) {
    SCOPED_TRACE(percent);
    std::vector<std::uint8_t> mask(side * side);
    for (auto& m : mask) m = random() % 100 < percent;
    // There is no smaller way for elements of one byte: 257 states take more than 8 bits.
    EXPECT_LE(chunk_bytes<std::uint8_t>({side, side}, mask, true), side * side * 1001 / 1000 + 64);
    EXPECT_LE(chunk_bytes<std::uint16_t>({side, side}, mask, true), side * side * 2 + 64);
    EXPECT_LE(chunk_bytes<float>({side, side}, mask, true), side * side * 4 + 64);
  }
}

FILIGREE_IN_BOTH_FORMS(SparseCost);

}  // namespace
}  // namespace filigree
