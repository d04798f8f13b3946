// SPDX-License-Identifier: Apache-2.0
//
// Devices that fail while elements are written: each request to the device fails once. Afterwards the file
// closes, every element has its old or its new value, and nothing else is lost.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "testing/faulty_file.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

using format::LayoutClass;
using testing::Fault;
using testing::FaultyFile;

constexpr std::uint64_t count = 700;

struct Scenario {
  const char* name;
  LayoutClass layout;
  bool texts;
  bool fresh;  ///< nothing has been written before
  Version low;
};

const Scenario scenarios[] = {
    {"Fresh", LayoutClass::contiguous, false, true, Version::earliest},
    {"Overwritten", LayoutClass::contiguous, false, false, Version::latest},
    {"FreshTexts", LayoutClass::contiguous, true, true, Version::latest},
    {"OverwrittenTexts", LayoutClass::contiguous, true, false, Version::earliest},
    {"Compact", LayoutClass::compact, false, false, Version::earliest},
    {"CompactNew", LayoutClass::compact, false, false, Version::latest},
    {"CompactTexts", LayoutClass::compact, true, false, Version::latest},
};

format::DatatypeMessage text_type() { return format::variable_string(format::CharacterSet::ascii, 8); }

NewDataset make_dataset(const Scenario& scenario) {
  NewDataset made;
  made.type = scenario.texts ? text_type() : format::fixed_point(4, true);
  made.space.kind = format::DataspaceKind::simple;
  made.space.dims = {count};
  made.layout = scenario.layout;
  return made;
}

void write_all(File& file, Address dataset, bool texts, int value) {
  const Change change(file, "write a dataset");
  const auto all = space::Selection::all(space::Frame({count}));
  if (texts) {
    std::string text(40, static_cast<char>('a' + value));
    const std::vector<char*> pointers(count, text.data());
    const auto type = type::c_type(text_type());
    return Dataset(file, dataset)
        .write({all, all, type}, reinterpret_cast<const std::byte*>(pointers.data()));
  }
  const std::vector<int> values(count, value);
  const auto type = format::fixed_point(4, true);
  Dataset(file, dataset).write({all, all, type}, reinterpret_cast<const std::byte*>(values.data()));
}

/// The values as write_all() numbers them; -1 for a text that is missing.
std::vector<int> read_all(File& file, Address dataset, bool texts) {
  const auto all = space::Selection::all(space::Frame({count}));
  std::vector<int> values(count);
  if (!texts) {
    const auto type = format::fixed_point(4, true);
    Dataset(file, dataset).read({all, all, type}, reinterpret_cast<std::byte*>(values.data()));
    return values;
  }
  std::vector<char*> pointers(count);
  auto* bytes = reinterpret_cast<std::byte*>(pointers.data());
  const auto type = type::c_type(text_type());
  Dataset(file, dataset).read({all, all, type}, bytes);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = pointers[i] == nullptr ? -1 : pointers[i][0] - 'a';
    if (pointers[i] != nullptr) {
      EXPECT_EQ(pointers[i], std::string(40, pointers[i][0]));
    }
  }
  type::reclaim(type, bytes, count, nullptr);
  return values;
}

Address add(File& file, const std::string& name, const Scenario& scenario) {
  const Change change(file, "create a dataset");
  LinkMessage message;
  message.name = name;
  message.header = create_dataset(file, make_dataset(scenario));
  LinkTable(file, file.root()).insert(message);
  return message.header;
}

Address find(File& file, const std::string& name) {
  return LinkTable(file, file.root()).find(name).value().header;
}

constexpr int old_value = 3, new_value = 5;

class FailingWrite : public ::testing::TestWithParam<Scenario> {
 protected:
  static AccessOptions access() {
    AccessOptions access;
    access.versions.low = GetParam().low;
    access.metadata_cache_bytes = 2048;  // so that changes are written while they are made
    return access;
  }

  /// Elements of one that was never written are zero, or missing texts.
  int before() const { return !GetParam().fresh ? old_value : GetParam().texts ? -1 : 0; }

  void first_session(File& file) const {
    for (const char* name : {"before", "target", "after"}) {
      const Address made = add(file, name, GetParam());
      const bool target = std::string_view(name) == "target";
      if (!target || !GetParam().fresh) write_all(file, made, GetParam().texts, old_value);
    }
  }

  void expect_old_or_new(const Buffer& image) const {
    const auto file = File::open(std::make_unique<io::MemoryFile>(image), access());
    for (const char* name : {"before", "after"})
      EXPECT_EQ(read_all(*file, find(*file, name), GetParam().texts), std::vector<int>(count, old_value));
    for (const int value : read_all(*file, find(*file, "target"), GetParam().texts))
      ASSERT_TRUE(value == before() || value == new_value) << value;
  }

  /// Writes with that fault. True when it did not strike.
  bool write_with(const Fault& fault) const {
    io::MemoryFile memory;
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    const auto file = File::create(std::move(faulty), {}, access());
    first_session(*file);
    file->flush();
    const Address target = find(*file, "target");
    device.arm(fault);
    try {
      write_all(*file, target, GetParam().texts, new_value);
      file->flush();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
    }
    const bool passed = !device.struck();
    device.disarm();
    file->flush();
    expect_old_or_new(memory.image());
    write_all(*file, target, GetParam().texts, new_value);  // works now
    EXPECT_EQ(read_all(*file, target, GetParam().texts), std::vector<int>(count, new_value));
    file->close();
    expect_old_or_new(memory.image());
    return passed;
  }
};

TEST_P(FailingWrite, LeavesOldOrNewValuesAndAllElse) {
  for (const auto on : {Fault::On::write, Fault::On::read}) {
    bool passed = false;
    for (std::uint64_t nth = 0; !passed; ++nth) {
      ASSERT_LT(nth, 2000u);
      passed = write_with({.nth = nth, .on = on, .kind = ErrorKind::io});
      if (HasFailure()) FAIL() << "request " << nth;
      ASSERT_TRUE(on == Fault::On::read || nth > 0 || !passed) << "nothing was written";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, FailingWrite, ::testing::ValuesIn(scenarios),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace filigree::model
