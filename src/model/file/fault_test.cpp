// SPDX-License-Identifier: Apache-2.0
//
// Devices that fail: every n-th call of a whole session is made to fail once. Each failure must reach the
// caller as it is, leave a file that can be closed, and be forgotten once the device works again.
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/memory/memory_file.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/object/object.hpp"
#include "testing/faulty_file.hpp"

namespace filigree::model {
namespace {

using testing::Fault;
using testing::FaultyFile;
using ::testing::HasSubstr;

struct FileVariant {
  const char* name;
  Version low;
  bool persist;
  SpaceStrategy strategy;
};

const FileVariant variants[] = {
    {"OldStyle", Version::earliest, false, SpaceStrategy::free_list},
    {"NewStyle", Version::latest, false, SpaceStrategy::free_list},
    {"PersistentFreeSpace", Version::latest, true, SpaceStrategy::free_list},
    {"Paged", Version::latest, true, SpaceStrategy::paged},
};

AccessOptions access_of(const FileVariant& variant) {
  AccessOptions access;
  access.versions.low = variant.low;
  access.metadata_cache_bytes = 2048;  // so that changes are written while they are made
  return access;
}

CreateOptions options_of(const FileVariant& variant) {
  CreateOptions options;
  options.space.strategy = variant.strategy;
  options.space.persist = variant.persist;
  options.space.page_bytes = 512;
  return options;
}

void add_group(File& file, Address parent, const std::string& name) {
  const Change change(file, "create a group");
  LinkMessage link;
  link.name = name;
  link.header = LinkTable::create_group(file, {});
  LinkTable(file, parent).insert(link);
}

void remove_group(File& file, Address parent, const std::string& name) {
  const Change change(file, "remove a link");
  const auto removed = LinkTable(file, parent).remove(name);
  if (removed) drop_link_to(file, removed->header);
}

void add_attribute(File& file, const std::string& name) {
  const Change change(file, "create an attribute");
  AttributeTable(file, file.root())
      .insert(make_attribute(file, name, format::fixed_point(4, true), {}, Address::undefined));
}

void remove_attribute(File& file, const std::string& name) {
  const Change change(file, "remove an attribute");
  AttributeTable(file, file.root()).remove(name);
}

constexpr int count = 12;

std::string numbered(const char* what, int i) { return what + std::to_string(i); }

void first_session(File& file) {
  for (int i = 0; i < count; ++i) {
    add_group(file, file.root(), numbered("g", i));
    add_attribute(file, numbered("a", i));
  }
  file.flush();
  for (int i = 0; i < count; i += 2) {
    remove_group(file, file.root(), numbered("g", i));
    remove_attribute(file, numbered("a", i));
  }
}

/// What first_session() leaves: the odd groups and attributes.
void expect_first_session(File& file) {
  LinkTable links(file, file.root());
  AttributeTable attributes(file, file.root());
  EXPECT_EQ(links.size(), count / 2u);
  EXPECT_EQ(attributes.size(), count / 2u);
  for (int i = 1; i < count; i += 2) {
    const auto link = links.find(numbered("g", i));
    ASSERT_TRUE(link) << i;
    EXPECT_EQ(object_kind(file, link->header), ObjectKind::group);
    EXPECT_EQ(LinkTable(file, link->header).size(), 0u);
    EXPECT_TRUE(attributes.find(numbered("a", i))) << i;
  }
}

Buffer make_image(const FileVariant& variant) {
  io::MemoryFile memory;
  auto file = File::create(std::make_unique<testing::PassThroughFile>(memory), options_of(variant),
                           access_of(variant));
  first_session(*file);
  file->close();
  return memory.image();
}

std::shared_ptr<File> open_image(Buffer image, const FileVariant& variant) {
  return File::open(std::make_unique<io::MemoryFile>(std::move(image)), access_of(variant));
}

class FailingDevice : public ::testing::TestWithParam<FileVariant> {};

TEST_P(FailingDevice, ReportsEveryWriteThatFailsAndCanBeClosedOrDropped) {
  bool passed = false;
  for (std::uint64_t nth = 0; !passed; ++nth) {
    ASSERT_LT(nth, 2000u);
    io::MemoryFile memory;
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    device.arm({.nth = nth,
                .on = Fault::On::write,
                .kind = ErrorKind::io,
                .tear = nth % 2 == 0,
                .device_dies = nth % 3 == 0});
    std::shared_ptr<File> file;
    try {
      file = File::create(std::move(faulty), options_of(GetParam()), access_of(GetParam()));
      first_session(*file);
      file->close();
      passed = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("memory"));
    }
    file.reset();  // closes once more, which may fail as well
  }
}

TEST_P(FailingDevice, LetsACloseThatFailedBeTriedAgain) {
  bool passed = false;
  for (std::uint64_t nth = 0; !passed; ++nth) {
    ASSERT_LT(nth, 200u);
    io::MemoryFile memory;
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    const auto file = File::create(std::move(faulty), options_of(GetParam()), access_of(GetParam()));
    first_session(*file);
    device.arm({.nth = nth, .on = Fault::On::write, .kind = ErrorKind::no_space, .tear = nth % 2 == 1});
    try {
      file->close();
      passed = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::no_space) << error.what();
      EXPECT_FALSE(file->closed());
      device.disarm();
      file->close();
    }
    EXPECT_TRUE(file->closed());
    expect_first_session(*open_image(memory.image(), GetParam()));
  }
}

TEST_P(FailingDevice, LetsAFlushThatFailedBeTriedAgainAfterFurtherChanges) {
  bool passed = false;
  for (std::uint64_t nth = 0; !passed; ++nth) {
    ASSERT_LT(nth, 200u);
    io::MemoryFile memory;
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    const auto file = File::create(std::move(faulty), options_of(GetParam()), access_of(GetParam()));
    first_session(*file);
    device.arm({.nth = nth, .on = Fault::On::write, .kind = ErrorKind::no_space});
    try {
      file->flush();
      passed = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::no_space) << error.what();
    }
    device.disarm();
    add_group(*file, file->root(), "later");
    remove_group(*file, file->root(), "later");
    file->close();
    expect_first_session(*open_image(memory.image(), GetParam()));
  }
}

TEST_P(FailingDevice, OfEverySizeReportsThatItIsFull) {
  const std::size_t needed = make_image(GetParam()).size();
  for (std::size_t capacity = 0; capacity < needed; capacity += 61) {
    auto memory = std::make_unique<io::MemoryFile>(
        Buffer{}, io::MemoryOptions{.name = "small disk", .max_bytes = capacity});
    try {
      const auto file = File::create(std::move(memory), options_of(GetParam()), access_of(GetParam()));
      first_session(*file);
      file->close();
      ADD_FAILURE() << "a file of " << needed << " bytes fitted into " << capacity;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::no_space) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("small disk"));
    }
  }
}

TEST_P(FailingDevice, ReportsEveryReadThatFailsAndReadsOnceItWorks) {
  const Buffer image = make_image(GetParam());
  bool passed = false;
  for (std::uint64_t nth = 0; !passed; ++nth) {
    ASSERT_LT(nth, 500u);
    io::MemoryFile memory(image);
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    device.arm({.nth = nth, .on = Fault::On::read});
    std::shared_ptr<File> file;
    try {
      file = File::open(std::move(faulty), access_of(GetParam()));
      expect_first_session(*file);
      passed = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
      if (!file) continue;  // the open failed and left nothing
      device.disarm();
      expect_first_session(*file);
    }
    file->close();
    EXPECT_EQ(memory.image(), image);
  }
}

TEST_P(FailingDevice, ThatCannotReadDuringAChangeLeavesAFileThatCloses) {
  const Buffer image = make_image(GetParam());
  bool passed = false;
  for (std::uint64_t nth = 0; !passed; ++nth) {
    ASSERT_LT(nth, 500u);
    io::MemoryFile memory(image);
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    const auto file = File::open(std::move(faulty), access_of(GetParam()));
    device.arm({.nth = nth, .on = Fault::On::read});
    try {
      for (int i = 1; i < count; i += 2) remove_group(*file, file->root(), numbered("g", i));
      for (int i = 1; i < count; i += 2) remove_attribute(*file, numbered("a", i));
      passed = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
    }
    device.disarm();
    file->close();
    EXPECT_NO_THROW(object_info(*open_image(memory.image(), GetParam()), file->root()));
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, FailingDevice, ::testing::ValuesIn(variants),
                         [](const auto& variant) { return variant.param.name; });

}  // namespace
}  // namespace filigree::model
