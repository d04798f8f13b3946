// SPDX-License-Identifier: Apache-2.0
//
// Devices that fail while datasets are created, filled, copied and deleted: every n-th call fails once. The
// failure must reach the caller as it is and leave a file that can be closed, with all else in place.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/memory/memory_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/link/link_table.hpp"
#include "model/object/copy.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "testing/faulty_file.hpp"

namespace filigree::model {
namespace {

using testing::Fault;
using testing::FaultyFile;

class FailingDatasets : public ::testing::TestWithParam<Version> {
 protected:
  static AccessOptions access() {
    AccessOptions access;
    access.versions.low = GetParam();
    access.metadata_cache_bytes = 2048;  // so that changes are written while they are made
    return access;
  }
};

void add(File& file, const std::string& name, Address header) {
  LinkMessage message;
  message.name = name;
  message.header = header;
  LinkTable(file, file.root()).insert(message);
}

void remove(File& file, const std::string& name) {
  const Change change(file, "remove a link");
  const auto removed = LinkTable(file, file.root()).remove(name);
  if (removed) drop_link_to(file, removed->header);
}

Address find(File& file, const std::string& name) {
  return LinkTable(file, file.root()).find(name).value().header;
}

NewDataset make_numbers() {
  NewDataset made;
  made.type = format::fixed_point(4, true);
  made.space.kind = format::DataspaceKind::simple;
  made.space.dims = {600};
  made.allocation = format::AllocationTime::early;
  made.fill_state = format::FillState::user;
  made.fill = Buffer(4, std::byte{7});
  return made;
}

void add_texts(File& file, const std::string& name) {
  const Change change(file, "create a dataset");
  NewDataset made = make_numbers();
  made.type = format::variable_string(format::CharacterSet::ascii, 8);
  made.space.dims = {40};
  made.fill_state = format::FillState::default_value;
  made.fill.clear();
  const Address header = create_dataset(file, made);
  add(file, name, header);
  Buffer elements(16 * 40);
  for (std::size_t i = 0; i < 40; ++i) {
    const auto id = file.global_heap().insert(Buffer(100, std::byte{'x'}));
    store_heap_value(&elements[16 * i], {100, id.collection, id.index}, 8);
  }
  file.store().write(load_messages(file, header)->layout.address, elements);
}

void first_session(File& file) {
  add_texts(file, "texts");
  const Change change(file, "create datasets");
  add(file, "numbers", create_dataset(file, make_numbers()));
  NewDataset outside = make_numbers();
  outside.external = {{"a.raw", 0, 2400}};
  add(file, "outside", create_dataset(file, outside));
}

void second_session(const std::shared_ptr<File>& file) {
  for (const char* name : {"texts", "numbers", "outside"}) {
    const Change change(*file, "copy a dataset");
    add(*file, std::string(name) + "2", copy_object({file, find(*file, name), name}, *file, {}));
  }
  remove(*file, "texts");
  remove(*file, "outside2");
  const Change change(*file, "create a dataset");
  add(*file, "more", create_dataset(*file, make_numbers()));
}

void expect_numbers(File& file) {
  const DatasetMessages parts = *load_messages(file, find(file, "numbers"));
  const Buffer elements = file.store().read(parts.layout.address, parts.data_bytes, "elements");
  EXPECT_EQ(elements, Buffer(2400, std::byte{7}));
  EXPECT_EQ(load_messages(file, find(file, "outside"))->external.at(0).path, "a.raw");
}

TEST_P(FailingDatasets, ReportWhatFailedAndLeaveTheOthers) {
  for (const auto on : {Fault::On::write, Fault::On::read}) {
    bool passed = false;
    for (std::uint64_t nth = 0; !passed; ++nth) {
      ASSERT_LT(nth, 2000u);
      io::MemoryFile memory;
      auto faulty = std::make_unique<FaultyFile>(memory);
      FaultyFile& device = *faulty;
      const auto file = File::create(std::move(faulty), {}, access());
      first_session(*file);
      file->flush();
      device.arm({.nth = nth, .on = on, .kind = ErrorKind::io});
      try {
        second_session(file);
        passed = true;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
      }
      device.disarm();
      file->close();
      const auto again = File::open(std::make_unique<io::MemoryFile>(memory.image()), access());
      expect_numbers(*again);
    }
  }
}

TEST_P(FailingDatasets, OnDevicesOfEverySizeReportThatTheyAreFull) {
  for (std::size_t capacity = 0;; capacity += 97) {
    ASSERT_LT(capacity, 100000u);
    try {
      const auto file =
          File::create(std::make_unique<io::MemoryFile>(
                           Buffer{}, io::MemoryOptions{.name = "small disk", .max_bytes = capacity}),
                       {}, access());
      first_session(*file);
      file->close();
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::no_space) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, FailingDatasets, ::testing::Values(Version::earliest, Version::latest),
                         [](const auto& row) { return row.param == Version::earliest ? "Old" : "New"; });

}  // namespace
}  // namespace filigree::model
