// SPDX-License-Identifier: Apache-2.0
//
// Objects of the C++ API behind ids of the C API.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filigree/filigree.hpp>

namespace {

const void* function() { return reinterpret_cast<const void*>(&H5Iis_valid); }

filigree::Object object_of(hid_t id) { return filigree::object_of_id(id, function()).value(); }

class ObjectOfId : public ::testing::Test {
 protected:
  ObjectOfId() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hsize_t dims[] = {4};
    space_ = H5Screate_simple(1, dims, nullptr);
    group_ = H5Gcreate2(file_, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    data_ = H5Dcreate2(group_, "data", H5T_NATIVE_INT, space_, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    attribute_ = H5Acreate2(group_, "a", H5T_NATIVE_INT, space_, H5P_DEFAULT, H5P_DEFAULT);
  }
  ~ObjectOfId() override { close_all(); }

  void close_all() {
    for (hid_t* const id : {&attribute_, &data_, &group_, &space_, &file_}) {
      if (*id >= 0) H5Idec_ref(*id);
      *id = H5I_INVALID_HID;
    }
  }

  const std::string path_ = ::testing::TempDir() + "object_of_id.h5";
  hid_t file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space_, group_, data_, attribute_;
};

TEST_F(ObjectOfId, IsTheSameOpenObject) {
  const std::vector<int> values = {1, 2, 3, 4};
  filigree::Dataset data(object_of(data_));
  data.write(values);
  std::vector<int> read(4);
  ASSERT_GE(H5Dread(data_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
  EXPECT_EQ(read, values);
  EXPECT_EQ(data.path(), "/group/data");
  EXPECT_EQ(object_of(group_).kind(), filigree::ObjectKind::group);
}

TEST_F(ObjectOfId, OfAFileIsItsRootAndOfAnAttributeItsObject) {
  EXPECT_EQ(object_of(file_).path(), "/");
  EXPECT_EQ(object_of(attribute_), object_of(group_));
}

TEST_F(ObjectOfId, IsClosedWithTheLastId) {
  const filigree::Dataset data(object_of(data_));
  close_all();
  try {
    data.space();
    FAIL() << "the file is open";
  } catch (const filigree::Error& error) {
    EXPECT_EQ(error.kind(), filigree::ErrorKind::closed);
  }
}

TEST_F(ObjectOfId, RefusesOtherIds) {
  for (const hid_t id : {space_, hid_t{H5T_NATIVE_INT}, hid_t{H5P_FILE_ACCESS}, hid_t{H5I_INVALID_HID}})
    EXPECT_THROW(object_of(id), filigree::Error) << id;
}

TEST_F(ObjectOfId, KnowsIdsOfThisLibraryOnly) {
  EXPECT_FALSE(filigree::object_of_id(data_, nullptr));
  EXPECT_FALSE(filigree::object_of_id(data_, reinterpret_cast<const void*>(&H5Iget_name)));
}

}  // namespace
