// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

Dataset make_set(File& file) {
  return file.root().create_dataset("set", Datatype::integer(4, true), Dataspace::simple({10, 20}));
}

TEST(RegionReference, LeadsBackToItsDatasetAndElements) {
  File file = File::create_in_memory();
  Dataset set = make_set(file);
  const auto box = Selection::box({1, 2}, {3, 4});
  file.root().set_attribute("where", set.region_reference(box));
  const File again = File::open_image(file.image());
  const Region region = again.open_region(again.root().get_attribute<RegionReference>("where"));
  EXPECT_EQ(region.dataset.address(), set.address());
  EXPECT_EQ(region.selection, box.within({10, 20}));
}

TEST(RegionReference, KeepsTheOrderOfPoints) {
  for (const std::uint8_t width : {2, 4, 8}) {
    CreateOptions options;
    options.offset_bytes = options.length_bytes = width;
    File file = File::create_in_memory(options);
    Dataset set = make_set(file);
    const std::vector<std::uint64_t> points{9, 19, 0, 1, 4, 4};
    const RegionReference reference = set.region_reference(Selection::points({10, 20}, points));
    EXPECT_EQ(file.open_region(reference).selection.coordinates(), points);
  }
}

TEST(RegionReference, ThatPointsNowhereIsNotFound) {
  File file = File::create_in_memory();
  try {
    file.open_region({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
  }
}

TEST(RegionReference, BeyondTheExtentIsRefused) {
  File file = File::create_in_memory();
  Dataset set = make_set(file);
  EXPECT_THROW(set.region_reference(Selection::box({5, 5}, {6, 1})), Error);
}

}  // namespace
}  // namespace filigree
