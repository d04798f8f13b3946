// SPDX-License-Identifier: Apache-2.0
//
// What a datatype tells about itself.
#include <filigree/filigree.hpp>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(Datatype, KnowsTheCommittedDatatypeItCameFrom) {
  File file = File::create_in_memory();
  Group root = file.root();
  const CommittedDatatype committed = root.commit("t", Datatype::of<int>());
  const Dataset data = root.create_dataset("d", committed.datatype(), Dataspace::scalar());
  const Attribute attribute = root.create_attribute("a", committed.datatype());
  EXPECT_EQ(data.datatype().committed_address(), committed.address());
  EXPECT_EQ(attribute.datatype().committed_address(), committed.address());
  const Dataset other = root.create_dataset("other", Datatype::of<int>(), Dataspace::scalar());
  EXPECT_FALSE(other.datatype().committed_address());
  EXPECT_FALSE(committed.datatype().native().committed_address());
}

// The numbers are those of H5Tencode in HDF5 1.10.8.
TEST(Datatype, HasTheEncodedSizeOfHdf5) {
  EXPECT_EQ(Datatype::integer(4, true).encoded_bytes(), 14u);
  EXPECT_EQ(Datatype::floating(8).encoded_bytes(), 22u);
  EXPECT_EQ(Datatype::fixed_string(10).encoded_bytes(), 10u);
  EXPECT_EQ(Datatype::reference(ReferenceKind::object).encoded_bytes(), 10u);
  EXPECT_EQ(Datatype::sequence(Datatype::integer(4, true)).encoded_bytes(), 22u);
  EXPECT_EQ(Datatype::variable_string().encoded_bytes(), 22u);
}

}  // namespace
}  // namespace filigree
