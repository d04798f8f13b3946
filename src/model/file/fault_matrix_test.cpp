// SPDX-License-Identifier: Apache-2.0
//
// Every request to the device of a whole life of a file fails once, in every way. The failure is reported,
// and what is left either opens as it was at a flush, or says that it was not closed.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/object/object.hpp"
#include "testing/faulty_file.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

using format::LayoutClass;
using space::Frame;
using space::Selection;
using testing::Fault;
using testing::FaultyFile;
using ::testing::HasSubstr;
using Shape = std::vector<std::uint64_t>;

struct FileVariant {
  const char* name;
  Version low;
  SpaceStrategy strategy;
  std::uint8_t superblock;
  std::uint64_t page_buffer_bytes = 0;
};

const FileVariant variants[] = {
    {"Version0", Version::earliest, SpaceStrategy::free_list, 0},
    {"Version2", Version::v1_8, SpaceStrategy::free_list, 2},
    {"Version3", Version::latest, SpaceStrategy::free_list, 3},
    {"Paged", Version::latest, SpaceStrategy::paged, 3},
    {"PageBuffer", Version::latest, SpaceStrategy::paged, 3, 4096},
};

AccessOptions access_of(const FileVariant& variant) {
  AccessOptions access;
  access.versions.low = variant.low;
  access.metadata_cache_bytes = 4096;  // so that changes are written while they are made
  access.page_buffer_bytes = variant.page_buffer_bytes;
  return access;
}

CreateOptions options_of(const FileVariant& variant) {
  CreateOptions options;
  options.space.strategy = variant.strategy;
  options.space.persist = variant.strategy == SpaceStrategy::paged;
  if (variant.strategy == SpaceStrategy::paged) options.space.page_bytes = 512;
  return options;
}

format::DatatypeMessage text_type() { return format::variable_string(format::CharacterSet::ascii, 8); }
format::DatatypeMessage number_type() { return format::fixed_point(4, true); }

void link(File& file, const std::string& name, Address header) {
  LinkMessage message;
  message.name = name;
  message.header = header;
  LinkTable(file, file.root()).insert(message);
}

Address find(File& file, const std::string& name) {
  return LinkTable(file, file.root()).find(name).value().header;
}

void add_group(File& file, const std::string& name) {
  const Change change(file, "create a group");
  link(file, name, LinkTable::create_group(file, {}));
}

void remove(File& file, const std::string& name) {
  const Change change(file, "remove a link");
  const auto removed = LinkTable(file, file.root()).remove(name);
  if (removed) drop_link_to(file, removed->header);
}

void set_attribute(File& file, Address owner, const std::string& name, char value) {
  const Change change(file, "write an attribute");
  format::DataspaceMessage space;
  auto attribute = make_attribute(file, name, number_type(), space, Address::undefined);
  std::ranges::fill(attribute.data, static_cast<std::byte>(value));
  AttributeTable(file, owner).insert(attribute);
}

void remove_attribute(File& file, Address owner, const std::string& name) {
  const Change change(file, "remove an attribute");
  AttributeTable(file, owner).remove(name);
}

NewDataset plain(const Shape& dims) {
  NewDataset made;
  made.type = number_type();
  made.space.kind = format::DataspaceKind::simple;
  made.space.dims = dims;
  return made;
}

NewDataset chunked(const Shape& dims, const Shape& chunk) {
  NewDataset made = plain(dims);
  made.space.max_dims = Shape(dims.size(), format::unlimited);
  made.layout = LayoutClass::chunked;
  made.chunk = chunk;
  return made;
}

void add_dataset(File& file, const std::string& name, const NewDataset& made) {
  const Change change(file, "create a dataset");
  link(file, name, create_dataset(file, made));
}

void write_numbers(File& file, const std::string& name, const Selection& selection, int first) {
  const Change change(file, "write a dataset");
  std::vector<int> values(selection.elements());
  std::iota(values.begin(), values.end(), first);
  const auto memory = Selection::all(Frame({values.size()}));
  Dataset(file, find(file, name))
      .write({selection, memory, number_type()}, reinterpret_cast<const std::byte*>(values.data()));
}

void write_texts(File& file, const std::string& name, std::uint64_t count, char letter) {
  const Change change(file, "write a dataset");
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) texts.emplace_back(5 + 3 * i, letter);
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  const auto all = Selection::all(Frame({count}));
  Dataset(file, find(file, name))
      .write({all, all, type::c_type(text_type())}, reinterpret_cast<const std::byte*>(pointers.data()));
}

void resize(File& file, const std::string& name, const Shape& dims) {
  const Change change(file, "resize a dataset");
  Dataset(file, find(file, name)).resize(dims);
}

bool has_sparse(const FileVariant& variant) { return variant.low == Version::latest; }

/// Makes objects of every kind; what is called "kept" does not change later.
void first_part(File& file, const FileVariant& variant) {
  add_dataset(file, "kept", plain({150}));
  write_numbers(file, "kept", Selection::all(Frame({150})), 1000);
  NewDataset packed = chunked({14, 14}, {8, 8});
  packed.filters.resize(2);
  packed.filters[0].id = 2;  // shuffle
  packed.filters[1].id = 1;  // deflate
  packed.filters[1].parameters = {6};
  add_dataset(file, "kept too", packed);
  write_numbers(file, "kept too", Selection::all(Frame({14, 14})), 2000);
  set_attribute(file, find(file, "kept"), "unit", 'm');
  add_dataset(file, "grid", packed);
  write_numbers(file, "grid", Selection::regular(Frame({14, 14}), {{2, 1, 12, 1}, {3, 1, 10, 1}}), 0);
  NewDataset texts = plain({12});
  texts.type = text_type();
  add_dataset(file, "texts", texts);
  write_texts(file, "texts", 12, 'a');
  NewDataset filled = plain({90});
  filled.allocation = format::AllocationTime::early;
  filled.fill_state = format::FillState::user;
  filled.fill = Buffer(4, std::byte{7});
  add_dataset(file, "filled", filled);
  NewDataset portable = chunked({400}, {100});
  portable.sparse = true;
  portable.filters.resize(1);
  portable.filters[0].id = 1;  // deflate
  portable.filters[0].parameters = {6};
  add_dataset(file, "portable", portable);
  write_numbers(file, "portable", Selection::regular(Frame({400}), {{3, 9, 30, 2}}), 500);
  if (!has_sparse(variant)) return;
  NewDataset sparse = chunked({400}, {100});
  sparse.layout = LayoutClass::structured;
  sparse.sparse = true;
  add_dataset(file, "sparse", sparse);
  write_numbers(file, "sparse", Selection::regular(Frame({400}), {{3, 9, 30, 2}}), 500);
}

void erase_some(File& file, const std::string& name) {
  const Change change(file, "erase");
  Dataset(file, find(file, name)).erase(Selection::regular(Frame({400}), {{0, 1, 250, 1}}));
}

/// Changes, resizes, deletes and adds.
void second_part(File& file, const FileVariant& variant) {
  write_texts(file, "texts", 12, 'b');
  resize(file, "grid", {20, 12});
  write_numbers(file, "grid", Selection::regular(Frame({20, 12}), {{10, 1, 10, 1}, {0, 1, 12, 1}}), 7000);
  remove(file, "filled");
  for (int i = 0; i < 10; ++i) {
    add_group(file, "group" + std::to_string(i));
    set_attribute(file, file.root(), "a" + std::to_string(i), static_cast<char>(i));
  }
  erase_some(file, "portable");
  if (has_sparse(variant)) erase_some(file, "sparse");
}

void third_part(File& file, const FileVariant&) {
  for (int i = 0; i < 10; i += 2) {
    remove(file, "group" + std::to_string(i));
    remove_attribute(file, file.root(), "a" + std::to_string(i));
  }
  resize(file, "grid", {9, 9});
  add_dataset(file, "late", chunked({64}, {16}));
  write_numbers(file, "late", Selection::all(Frame({64})), 1);
  remove(file, "texts");
}

/// The whole life of a file. `flushed` is called for each state that a reader may find.
void scenario(std::shared_ptr<File>& file, std::unique_ptr<io::VirtualFile> device,
              const FileVariant& variant, FunctionRef<void()> flushed) {
  file = File::create(std::move(device), options_of(variant), access_of(variant));
  flushed();
  first_part(*file, variant);
  file->flush();
  flushed();
  second_part(*file, variant);
  file->flush();
  flushed();
  third_part(*file, variant);
  file->close();
  flushed();
}

std::string shown(File& file, Address header) {
  const DatasetMessages parts = *load_messages(file, header);
  const auto all = Selection::all(Frame(parts.space.dims));
  std::string text;
  for (const std::uint64_t dim : parts.space.dims) text += std::to_string(dim) + " ";
  text += ":";
  if (type::has_variable_parts(parts.type)) {
    std::vector<char*> pointers(parts.elements);
    auto* bytes = reinterpret_cast<std::byte*>(pointers.data());
    const auto type = type::c_type(text_type());
    Dataset(file, header).read({all, all, type}, bytes);
    for (const char* one : pointers) text += one == nullptr ? " -" : std::string(" ") + one;
    type::reclaim(type, bytes, pointers.size(), nullptr);
    return text;
  }
  std::vector<int> values(parts.elements);
  Dataset(file, header).read({all, all, number_type()}, reinterpret_cast<std::byte*>(values.data()));
  for (const int value : values) text += " " + std::to_string(value);
  if (parts.is_sparse()) text += " defined " + std::to_string(Dataset(file, header).defined(all).elements());
  return text;
}

using Contents = std::map<std::string, std::string>;

void add_attributes(File& file, Address header, const std::string& name, Contents& found) {
  AttributeTable(file, header)
      .for_each(IndexBy::name, Direction::ascending, [&](const StoredAttribute& attribute) {
        found[name + "@" + attribute.message.name] = std::string(as_text(attribute.message.data));
        return true;
      });
}

/// Everything in the file, with all values.
Contents contents_of(const Buffer& image, const FileVariant& variant) {
  const auto file = File::open(std::make_unique<io::MemoryFile>(image, io::MemoryOptions{.writable = false}),
                               access_of(variant));
  Contents found;
  add_attributes(*file, file->root(), "/", found);
  LinkTable(*file, file->root()).for_each(IndexBy::name, Direction::ascending, [&](const LinkMessage& link) {
    const bool group = object_kind(*file, link.header) == ObjectKind::group;
    found[link.name] = group ? "group of " + std::to_string(LinkTable(*file, link.header).size())
                             : shown(*file, link.header);
    add_attributes(*file, link.header, link.name, found);
    return true;
  });
  return found;
}

class FaultMatrix : public ::testing::TestWithParam<FileVariant> {
 protected:
  /// What a reader finds at each flush, without any fault.
  static std::vector<Contents> expected_states() {
    io::MemoryFile memory;
    std::vector<Contents> states;
    std::shared_ptr<File> file;
    scenario(file, std::make_unique<testing::PassThroughFile>(memory), GetParam(),
             [&] { states.push_back(contents_of(memory.image(), GetParam())); });
    return states;
  }

  struct Outcome {
    bool struck = false;
    std::size_t flushes = 0;  ///< that ended well
    bool refused = false;     ///< the rest says that it was not closed
  };

  static bool closes(File& file) {
    try {
      file.close();
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
      return false;
    }
  }

  /// The scenario on a device that fails at that request and from then on.
  static Outcome run_until(const Fault& fault, const std::vector<Contents>& states) {
    io::MemoryFile memory;
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    device.arm(fault);
    Outcome outcome;
    bool closed = false;
    std::shared_ptr<File> file;
    try {
      scenario(file, std::move(faulty), GetParam(), [&] { ++outcome.flushes; });
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("injected fault"));
      outcome.struck = true;
      closed = file && closes(*file);
    }
    EXPECT_EQ(outcome.struck, outcome.flushes < states.size()) << "an error was lost";
    file.reset();
    check_rest(memory.image(), outcome, states);
    EXPECT_FALSE(closed && outcome.refused)
        << "closing a file on a dead device can only have had nothing to do";
    return outcome;
  }

  static void check_rest(const Buffer& image, Outcome& outcome, const std::vector<Contents>& states) {
    Contents found;
    try {
      found = contents_of(image, GetParam());
    } catch (const Error& error) {
      if (outcome.flushes == 0) return;  // it never was a file
      outcome.refused = true;
      EXPECT_EQ(error.kind(), ErrorKind::locked) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("was not closed"));
      return;
    }
    // The last flush that was reported, or the one after it, whose very last step failed.
    const std::size_t last = std::max<std::size_t>(outcome.flushes, 1) - 1;
    EXPECT_TRUE(found == states[last] || (last + 1 < states.size() && found == states[last + 1]))
        << "neither at flush " << last << " nor the next";
  }
};

TEST_P(FaultMatrix, LeavesTheLastFlushOrAFileThatSaysItWasNotClosed) {
  const std::vector<Contents> states = expected_states();
  ASSERT_EQ(states.size(), 4u);
  std::size_t opened = 0, refused = 0;
  for (const auto way : {"error", "short", "torn"}) {
    bool struck = true;
    for (std::uint64_t nth = 0; struck; ++nth) {
      ASSERT_LT(nth, 5000u);
      Fault fault{.nth = nth, .device_dies = true};
      fault.tear = fault.short_read = way == std::string("short");
      fault.scatter = way == std::string("torn");
      const Outcome outcome = run_until(fault, states);
      if (HasFailure()) FAIL() << way << " in request " << nth;
      struck = outcome.struck;
      ++(outcome.refused ? refused : opened);
    }
  }
  EXPECT_GT(opened, 10u);
  EXPECT_GT(refused, 100u);
}

TEST_P(FaultMatrix, LeavesAFileThatClosesAndReadsWhenTheDeviceRecovers) {
  const std::vector<Contents> states = expected_states();
  bool struck = true;
  for (std::uint64_t nth = 0; struck; ++nth) {
    io::MemoryFile memory;
    auto faulty = std::make_unique<FaultyFile>(memory);
    faulty->arm({.nth = nth, .tear = nth % 2 == 1});
    struck = false;
    std::size_t flushes = 0;
    std::shared_ptr<File> file;
    try {
      scenario(file, std::move(faulty), GetParam(), [&] { ++flushes; });
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
      struck = true;
    }
    if (!file) continue;
    ASSERT_NO_THROW(file->close()) << "request " << nth;
    Contents found;
    ASSERT_NO_THROW(found = contents_of(memory.image(), GetParam())) << "request " << nth;
    if (flushes < 2) continue;
    for (const auto* key : {"kept", "kept too", "kept@unit"})
      ASSERT_EQ(found[key], states[1].at(key)) << key << ", request " << nth;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, FaultMatrix, ::testing::ValuesIn(variants),
                         [](const auto& variant) { return variant.param.name; });

}  // namespace
}  // namespace filigree::model
