// SPDX-License-Identifier: Apache-2.0
//
// Drivers of the C++ table, chosen by their names through the C API.
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filigree/filigree.hpp>

namespace {

class StoredFile : public filigree::FileDriver {
 public:
  explicit StoredFile(std::vector<std::byte>& bytes) : bytes_(bytes) {}
  void read(std::span<const filigree::ReadExtent> extents) override {
    for (const auto& e : extents) std::memcpy(e.into.data(), bytes_.data() + e.offset, e.into.size());
  }
  void write(std::span<const filigree::WriteExtent> extents) override {
    for (const auto& e : extents) {
      bytes_.resize(std::max<std::size_t>(bytes_.size(), e.offset + e.from.size()));
      std::memcpy(bytes_.data() + e.offset, e.from.data(), e.from.size());
    }
  }
  std::uint64_t size() override { return bytes_.size(); }
  void truncate(std::uint64_t bytes) override { bytes_.resize(bytes); }

 private:
  std::vector<std::byte>& bytes_;
};

class DriverTable : public ::testing::Test {
 protected:
  DriverTable() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
  ~DriverTable() override { H5Pclose(fapl_); }

  hid_t fapl_ = H5Pcreate(H5P_FILE_ACCESS);
};

void create_with_group(const char* path, hid_t fapl) {
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  ASSERT_GE(file, 0);
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_GE(H5Fclose(file), 0);
}

void expect_group(const char* path, hid_t fapl) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, fapl);
  ASSERT_GE(file, 0);
  EXPECT_GT(H5Lexists(file, "group", H5P_DEFAULT), 0);
  H5Fclose(file);
}

TEST_F(DriverTable, BuiltInDriversOfFiligreeHaveNames) {
  const std::string path = ::testing::TempDir() + "capi_driver_table.h5";
  EXPECT_GT(H5FDis_driver_registered_by_name("uring"), 0);
  ASSERT_GE(H5Pset_driver_by_name(fapl_, "uring", nullptr), 0);
  create_with_group(path.c_str(), fapl_);
  expect_group(path.c_str(), fapl_);
  expect_group(path.c_str(), H5P_DEFAULT);
}

TEST_F(DriverTable, RegisteredDriversHaveNamesAndUrlSchemes) {
  std::map<std::string, std::vector<std::byte>> files;
  std::string configuration;
  filigree::UserDriver driver;
  driver.open = [&](const filigree::DriverOpenRequest& request) -> std::unique_ptr<filigree::FileDriver> {
    configuration = request.configuration;
    return std::make_unique<StoredFile>(files[request.path]);
  };
  driver.name = "test-store";
  driver.url_scheme = "teststore";
  EXPECT_EQ(H5FDis_driver_registered_by_name("test-store"), 0);
  EXPECT_LT(H5Pset_driver_by_name(fapl_, "test-store", nullptr), 0);
  filigree::drivers::add(driver);
  EXPECT_GT(H5FDis_driver_registered_by_name("test-store"), 0);

  ASSERT_GE(H5Pset_driver_by_name(fapl_, "test-store", "region=north"), 0);
  create_with_group("driver-table-store", fapl_);
  EXPECT_EQ(configuration, "region=north");
  EXPECT_TRUE(files.contains("driver-table-store"));
  EXPECT_FALSE(std::filesystem::exists("driver-table-store"));
  expect_group("driver-table-store", fapl_);
  EXPECT_GT(H5Fis_accessible("driver-table-store", fapl_), 0);

  // The id that the list has now chooses the driver as well.
  const hid_t other = H5Pcreate(H5P_FILE_ACCESS);
  ASSERT_GE(H5Pset_driver(other, H5Pget_driver(fapl_), nullptr), 0);
  expect_group("driver-table-store", other);
  H5Pclose(other);

  create_with_group("teststore://b", H5P_DEFAULT);
  EXPECT_TRUE(files.contains("teststore://b"));
  expect_group("teststore://b", H5P_DEFAULT);

  filigree::drivers::remove("test-store");
  EXPECT_LT(H5Fopen("driver-table-store", H5F_ACC_RDONLY, fapl_), 0);
}

TEST_F(DriverTable, UnknownNamesAreRefused) {
  EXPECT_EQ(H5FDis_driver_registered_by_name("tape"), 0);
  EXPECT_LT(H5Pset_driver_by_name(fapl_, "tape", nullptr), 0);
}

TEST_F(DriverTable, FilesOfTableDriversCanBeReadAsBytes) {
  const std::string path = ::testing::TempDir() + "capi_driver_table_bytes.h5";
  ASSERT_GE(H5Pset_driver_by_name(fapl_, "uring", nullptr), 0);
  create_with_group(path.c_str(), fapl_);
  H5FD_t* const file = H5FDopen(path.c_str(), H5F_ACC_RDONLY, fapl_, HADDR_UNDEF);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(H5FDget_eof(file, H5FD_MEM_DEFAULT), std::filesystem::file_size(path));
  EXPECT_GE(H5FDclose(file), 0);
}

}  // namespace
