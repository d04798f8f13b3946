// SPDX-License-Identifier: Apache-2.0
//
// Golden outputs for the example of the RFCs on sparse data: an array of 13 x 10 in chunks of 5 x 4. Defined
// are the blocks (2,2)-(4,7) and (6,0)-(6,2), with a zero among them, and the points (5,9), (11,1), (12,8).
#include "structured_ddl.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filigree/filigree.hpp>
#include <filigree/sparse.hpp>

#include "object_ddl.hpp"

namespace filigree::tools {
namespace {

const Selection::Dims extent{13, 10};

/// The defined elements in row-major order; its values are 10 * row + column, but (3,4) is 0.
std::vector<std::uint64_t> defined_offsets() {
  const Selection::Box boxes[] = {
      {{2, 2}, {4, 7}}, {{6, 0}, {6, 2}}, {{5, 9}, {5, 9}}, {{11, 1}, {11, 1}}, {{12, 8}, {12, 8}}};
  return Selection::of_boxes(extent, boxes).offsets();
}

std::int32_t value_at(std::uint64_t offset) { return offset == 34 ? 0 : static_cast<std::int32_t>(offset); }

File example() {
  File file = File::create_in_memory();
  Dataset numbers = file.root().create_dataset<std::int32_t>("fixed", Dataspace::simple(extent),
                                                             sparse_chunks({5, 4}).unfiltered());
  Dataset strings = file.root().create_dataset<std::string>("variable", Dataspace::simple(extent),
                                                            sparse_chunks({5, 4}).unfiltered());
  const std::vector<std::uint64_t> offsets = defined_offsets();
  std::vector<std::int32_t> values;
  std::vector<std::string> texts;
  for (const std::uint64_t offset : offsets) {
    values.push_back(value_at(offset));
    texts.push_back("s" + std::to_string(value_at(offset)));
  }
  write_offsets<std::int32_t>(numbers, offsets, values);
  write_offsets<std::string>(strings, offsets, texts);
  file.flush();
  return file;
}

/// What a dump of one dataset prints.
std::string dumped(const File& file, const std::string& name, const DumpOptions& options) {
  const auto path = std::filesystem::temp_directory_path() / ("structured_ddl_" + std::to_string(::getpid()));
  TextStream stream(path.string());
  DumpContext context(options, file, stream, stream);
  ObjectDump(context).dump_dataset(file.root().open_dataset(name), name);
  EXPECT_FALSE(context.failed);
  stream.finish();
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

constexpr const char* numbers_head = R"(DATASET "fixed" {
   DATATYPE  H5T_STD_I32LE
   DATASPACE  SIMPLE { ( 13, 10 ) / ( 13, 10 ) }
)";

TEST(StructuredDdl, ListsDefinedElementsBlocksFirst) {
  DumpOptions options;
  options.sparse_locations = true;
  EXPECT_EQ(dumped(example(), "fixed", options), std::string(numbers_head) + R"(   DATA {
      DEFINED_SPARSE_DATA BLOCK (2,2)-(4,7), (6,0)-(6,2)
      DEFINED_SPARSE_DATA POINT (5,9), (11,1), (12,8)
   }
}
)");
}

TEST(StructuredDdl, PrintsDefinedElements) {
  DumpOptions options;
  options.sparse_data = true;
  EXPECT_EQ(dumped(example(), "fixed", options), std::string(numbers_head) + R"(   DATA {
      DEFINED_SPARSE_DATA BLOCK (2,2)-(4,7) {
      (2,2): 22, 23, 24, 25, 26, 27,
      (3,2): 32, 33, 0, 35, 36, 37,
      (4,2): 42, 43, 44, 45, 46, 47
      }
      DEFINED_SPARSE_DATA BLOCK (6,0)-(6,2) {
      (6,0): 60, 61, 62
      }
      DEFINED_SPARSE_DATA POINT {
      (5,9): 59,
      (11,1): 111,
      (12,8): 128
      }
   }
}
)");
}

TEST(StructuredDdl, PrintsDefinedStrings) {
  DumpOptions options;
  options.sparse_data = true;
  const std::string text = dumped(example(), "variable", options);
  EXPECT_EQ(text.substr(text.find("   DATA {")), R"(   DATA {
      DEFINED_SPARSE_DATA BLOCK (2,2)-(4,7) {
      (2,2): "s22", "s23", "s24", "s25", "s26", "s27",
      (3,2): "s32", "s33", "s0", "s35", "s36", "s37",
      (4,2): "s42", "s43", "s44", "s45", "s46", "s47"
      }
      DEFINED_SPARSE_DATA BLOCK (6,0)-(6,2) {
      (6,0): "s60", "s61", "s62"
      }
      DEFINED_SPARSE_DATA POINT {
      (5,9): "s59",
      (11,1): "s111",
      (12,8): "s128"
      }
   }
}
)");
}

TEST(StructuredDdl, LayoutHasSectionsWithSizesAndFilters) {
  DumpOptions options;
  options.properties = options.header_only = true;
  File file = example();
  const std::string fixed = dumped(file, "fixed", options);
  EXPECT_NE(fixed.find(R"(   STORAGE_LAYOUT {
      STRUCTURED_CHUNK ( 5, 4 ) {
         SPARSE_CHUNK
         SECTION 0 SPARSE_SELECTION {
            SIZE )"),
            std::string::npos)
      << fixed;
  EXPECT_NE(fixed.find(R"(
         SECTION 1 SPARSE_FIXED_DATA {
            SIZE 96
            FILTERS {
               NONE
            }
         }
      }
   }
   FILLVALUE {)"),
            std::string::npos)
      << fixed;
  const std::string variable = dumped(file, "variable", options);
  EXPECT_NE(variable.find("         SECTION 2 SPARSE_VL {\n"), std::string::npos) << variable;
}

TEST(StructuredDdl, FiltersOfSectionsHaveRatios) {
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<std::int32_t>(
      "d", Dataspace::simple({1000}), sparse_chunks({1000}).values(filters::shuffle(), filters::deflate(9)));
  data.write(std::vector<std::int32_t>(1000, 7));
  file.flush();
  DumpOptions options;
  options.properties = options.header_only = true;
  const std::string text = dumped(file, "d", options);
  const std::size_t at = text.find("SECTION 1 SPARSE_FIXED_DATA {\n            SIZE ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_NE(text.find(":1 COMPRESSION)\n            FILTERS {\n               PREPROCESSING SHUFFLE\n"
                      "               COMPRESSION DEFLATE { LEVEL 9 }\n            }\n",
                      at),
            std::string::npos)
      << text;
}

TEST(StructuredDdl, DenseChunksWithAHeapAreVlChunks) {
  File file = File::create_in_memory();
  DatasetOptions dense;
  dense.chunk = {4};
  dense.heap_in_chunks = true;
  Dataset data = file.root().create_dataset<std::string>("d", Dataspace::simple({4}), dense);
  data.write(std::vector<std::string>{"a", "b", "c", "d"});
  file.flush();
  DumpOptions options;
  options.properties = options.header_only = true;
  const std::string text = dumped(file, "d", options);
  EXPECT_NE(text.find("      STRUCTURED_CHUNK ( 4 ) {\n         VL_CHUNK\n         SECTION 0 FIXED_DATA {\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("         SECTION 1 VL_DATA {\n"), std::string::npos) << text;
}

TEST(StructuredDdl, WithoutDefinedElementsThereAreNoLines) {
  File file = File::create_in_memory();
  file.root().create_dataset<std::int32_t>("fixed", Dataspace::simple(extent), sparse_chunks({5, 4}));
  for (const bool values : {false, true}) {
    DumpOptions options;
    (values ? options.sparse_data : options.sparse_locations) = true;
    EXPECT_EQ(dumped(file, "fixed", options), std::string(numbers_head) + "   DATA {\n   }\n}\n");
  }
}

}  // namespace
}  // namespace filigree::tools
