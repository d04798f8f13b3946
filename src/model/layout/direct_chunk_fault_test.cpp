// SPDX-License-Identifier: Apache-2.0
//
// Devices that fail while chunks are written as they are: each request to the device fails once. Afterwards
// the chunk is the old one or the new one, all others are as they were, and trying again works.
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
#include "model/layout/direct_chunks.hpp"
#include "model/link/link_table.hpp"
#include "testing/faulty_file.hpp"

namespace filigree::model {
namespace {

using testing::Fault;
using testing::FaultyFile;

constexpr std::uint64_t chunk_elements = 16, chunks = 70;
constexpr std::uint64_t last = chunk_elements * (chunks - 1);

enum class Writes { another_size, same_size, a_first_time };

struct Scenario {
  std::string name;
  Version low;
  std::uint64_t most;  ///< extent
  bool filtered;
  Writes writes;
};

std::vector<Scenario> scenarios() {
  std::vector<Scenario> all;
  for (const bool old : {true, false}) {
    for (const bool grows : {true, false}) {
      const std::string name = std::string(old ? "Old" : "New") + (grows ? "Growing" : "Fixed");
      const Version low = old ? Version::earliest : Version::latest;
      const std::uint64_t most = grows ? format::unlimited : chunk_elements * chunks;
      all.push_back({name + "AnotherSize", low, most, true, Writes::another_size});
      all.push_back({name + "SameSize", low, most, true, Writes::same_size});
      all.push_back({name + "FirstTime", low, most, true, Writes::a_first_time});
      all.push_back({name + "Plain", low, most, false, Writes::same_size});
      all.push_back({name + "PlainFirstTime", low, most, false, Writes::a_first_time});
    }
  }
  return all;
}

class FailingChunk : public ::testing::TestWithParam<Scenario> {
 protected:
  static AccessOptions access() {
    AccessOptions access;
    access.versions.low = GetParam().low;
    access.metadata_cache_bytes = 1024;  // so that changes are written while they are made
    return access;
  }

  /// As it is stored. `longer`: with four bytes that no reader of elements would take; nobody looks at them
  /// here.
  static Buffer stored(int value, bool longer = false) {
    std::vector<std::int32_t> elements(chunk_elements, value);
    const Bytes bytes = std::as_bytes(std::span(elements));
    Buffer all(bytes.begin(), bytes.end());
    if (longer) all.insert(all.end(), 4, std::byte{9});
    return all;
  }
  /// The one filter is skipped, so that no bytes are refused.
  static std::uint32_t mask() { return GetParam().filtered ? 1 : 0; }

  static Address add(File& file) {
    NewDataset made;
    made.type = format::fixed_point(4, true);
    made.space.kind = format::DataspaceKind::simple;
    made.space.dims = {chunk_elements * chunks};
    made.space.max_dims = {{GetParam().most}};
    made.layout = format::LayoutClass::chunked;
    made.chunk = {chunk_elements};
    if (GetParam().filtered) {
      format::PipelineFilter deflate;
      deflate.id = 1;
      deflate.parameters = {4};
      made.filters = {deflate};
    }
    const Change change(file, "create a dataset");
    LinkMessage message;
    message.name = "d";
    message.header = create_dataset(file, made);
    LinkTable(file, file.root()).insert(message);
    return message.header;
  }

  static void put(File& file, Address data, std::uint64_t corner, const Buffer& bytes) {
    DirectChunks(Dataset(file, data)).write(std::span(&corner, 1), bytes, mask());
  }
  static Buffer get(File& file, Address data, std::uint64_t corner) {
    Buffer bytes;
    const Dataset dataset(file, data);
    const DirectChunks direct(dataset);
    if (!direct.find(std::span(&corner, 1))) return bytes;
    EXPECT_EQ(direct.read(std::span(&corner, 1), bytes), mask());
    return bytes;
  }

  static Buffer old_chunk() { return GetParam().writes == Writes::a_first_time ? Buffer{} : stored(3); }
  static Buffer new_chunk() { return stored(5, GetParam().writes == Writes::another_size); }

  static void expect_old_or_new(File& file) {
    const Address data = LinkTable(file, file.root()).find("d").value().header;
    for (std::uint64_t corner = 0; corner < last; corner += chunk_elements)
      ASSERT_EQ(get(file, data, corner), stored(3)) << corner;
    const Buffer seen = get(file, data, last);
    EXPECT_TRUE(seen == old_chunk() || seen == new_chunk()) << seen.size() << " bytes";
  }

  /// True when the fault did not strike.
  static bool write_with(const Fault& fault) {
    io::MemoryFile memory;
    auto faulty = std::make_unique<FaultyFile>(memory);
    FaultyFile& device = *faulty;
    const auto file = File::create(std::move(faulty), {}, access());
    const Address data = add(*file);
    for (std::uint64_t corner = 0; corner < last; corner += chunk_elements)
      put(*file, data, corner, stored(3));
    if (GetParam().writes != Writes::a_first_time) put(*file, data, last, stored(3));
    file->flush();
    device.arm(fault);
    try {
      put(*file, data, last, new_chunk());
      file->flush();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), fault.kind) << error.what();
    }
    const bool passed = !device.struck();
    device.disarm();
    expect_old_or_new(*file);
    file->flush();
    expect_old_or_new(*File::open(std::make_unique<io::MemoryFile>(memory.image()), access()));
    put(*file, data, last, new_chunk());  // works now
    EXPECT_EQ(get(*file, data, last), new_chunk());
    file->close();
    const auto again = File::open(std::make_unique<io::MemoryFile>(memory.image()), access());
    expect_old_or_new(*again);
    EXPECT_EQ(get(*again, data, last), new_chunk());
    EXPECT_EQ(DirectChunks(Dataset(*again, data)).count(), chunks);
    return passed;
  }
};

TEST_P(FailingChunk, LeavesTheOldOrTheNewOne) {
  for (const auto on : {Fault::On::write, Fault::On::read}) {
    for (const auto kind : {ErrorKind::io, ErrorKind::no_space}) {
      bool passed = false;
      for (std::uint64_t nth = 0; !passed; ++nth) {
        ASSERT_LT(nth, 500u);
        passed = write_with({.nth = nth, .on = on, .kind = kind});
        if (HasFailure()) FAIL() << "request " << nth;
        ASSERT_TRUE(on == Fault::On::read || nth > 0 || !passed) << "nothing was written";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, FailingChunk, ::testing::ValuesIn(scenarios()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace filigree::model
