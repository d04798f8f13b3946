// SPDX-License-Identifier: Apache-2.0
//
// Counts of sparse datasets, of which h5stat knows nothing.
#include "file_statistics.hpp"

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>
#include <filigree/sparse.hpp>

#include "report.hpp"

namespace filigree::tools {
namespace {

constexpr std::uint16_t shuffle = 2, deflate = 1;

File example() {
  File file = File::create_in_memory();
  Group root = file.root();
  const Dataspace space = Dataspace::simple({8});
  const auto everywhere = sparse_chunks({4})
                              .values(filters::shuffle(), filters::deflate(), filters::zstd())
                              .selection(filters::shuffle(), filters::zstd());
  root.create_dataset<int>("sparse", space, everywhere).write(std::vector<int>(8, 5));
  root.create_dataset<int>("plain", space, sparse_chunks({4}).unfiltered());
  DatasetOptions dense;
  dense.chunk = {4};
  dense.heap_in_chunks = true;
  dense.filters = {filters::deflate()};
  dense.heap_filters = {filters::deflate()};
  root.create_dataset<std::string>("strings", space, dense);
  root.create_dataset<int>("contiguous", space);
  return file;
}

TEST(FileStatistics, CountsStructuredChunksByTheirKind) {
  const FileStatistics found = collect_statistics(example());
  EXPECT_EQ(found.datasets, 4u);
  EXPECT_EQ(found.layouts.sparse_chunks, 2u);
  EXPECT_EQ(found.layouts.heap_chunks, 1u);
  EXPECT_EQ(found.layouts.contiguous, 1u);
  EXPECT_EQ(found.layouts.chunked, 0u);
  EXPECT_TRUE(found.faults.empty());
}

TEST(FileStatistics, AFilterOfSeveralSectionsCountsOnce) {
  const FileStatistics found = collect_statistics(example());
  EXPECT_EQ(found.filters.known[shuffle], 1u);
  EXPECT_EQ(found.filters.known[deflate], 2u);
  EXPECT_EQ(found.filters.others, 1u);
  EXPECT_EQ(found.filters.none, 2u);
}

TEST(FileStatistics, ReportNamesLayoutsOfStructuredChunks) {
  const File file = example();
  ReportParts parts;
  parts.datasets = true;
  const std::string text = report_text(parts, collect_statistics(file), file);
  EXPECT_NE(text.find("\tDataset layout counts[VIRTUAL]: 0\n"
                      "\tDataset layout counts[STRUCTURED CHUNK SPARSE]: 2\n"
                      "\tDataset layout counts[STRUCTURED CHUNK VL]: 1\n"),
            std::string::npos)
      << text;
}

TEST(FileStatistics, HistogramsHaveDecimalBins) {
  Histogram sizes;
  for (const std::uint64_t size : {0, 1, 9, 10, 99, 100}) sizes.add(size);
  EXPECT_EQ(sizes.magnitudes(), (std::map<unsigned, std::uint64_t>{{0, 1}, {1, 2}, {2, 2}, {3, 1}}));
  EXPECT_EQ(sizes.with(9), 1u);
  EXPECT_EQ(sizes.with(8), 0u);
  EXPECT_EQ(sizes.largest(), 100u);
}

}  // namespace
}  // namespace filigree::tools
