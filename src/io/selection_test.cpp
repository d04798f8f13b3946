// SPDX-License-Identifier: Apache-2.0
#include "io/selection.hpp"

#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/memory/memory_file.hpp"
#include "io/posix/posix_file.hpp"
#include "io/stack/log_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::io {
namespace {

using space::Frame;
using space::Selection;
using space::SlabDimension;

Selection random_selection(std::mt19937& random, const Frame& frame, std::size_t elements) {
  std::vector<std::uint64_t> positions(frame.elements());
  std::iota(positions.begin(), positions.end(), std::uint64_t{0});
  std::shuffle(positions.begin(), positions.end(), random);
  positions.resize(elements);
  return Selection::of_points(frame, positions);
}

/// The elements of a selection one by one.
std::vector<std::uint64_t> offsets_of(const Selection& selection) {
  std::vector<std::uint64_t> result;
  for (space::Cursor cursor(selection); !cursor.done();) {
    const space::RunPattern pattern = cursor.pattern();
    for (std::uint64_t i = 0; i < pattern.length; ++i) result.push_back(pattern.start + i);
    cursor.advance(pattern.length);
  }
  return result;
}

TEST(SelectionRequests, MoveEveryElementToItsOffset) {
  std::mt19937 random(31);
  for (int round = 0; round < 60; ++round) {
    const Frame frame({20, 30});
    const Selection rows = Selection::regular(
        frame, {{random() % 3, 4, 1 + random() % 4, 2}, {random() % 5, 3, 1 + random() % 8, 1}});
    const Selection points = random_selection(random, Frame({700}), rows.elements());
    const std::uint32_t element = 1 + random() % 8;
    const std::uint64_t offset = random() % 100;
    MemoryFile memory(testing::random_bytes(random, 100 + 600 * 8));
    VirtualFile& file = memory;
    Buffer model = memory.image();
    Buffer buffer = testing::random_bytes(random, 700 * element);
    const Buffer before = buffer;

    const bool swapped = round % 2 == 0;  // points in memory, or in the file
    const Selection in_file = swapped ? rows : random_selection(random, frame, rows.elements());
    const SelectionRead read{in_file, points, offset, element, buffer};
    file.read_selections(std::span(&read, 1));
    const auto file_positions = offsets_of(in_file), memory_positions = offsets_of(points);
    Buffer expected = before;
    for (std::size_t i = 0; i < file_positions.size(); ++i)
      std::copy_n(model.begin() + static_cast<std::ptrdiff_t>(offset + file_positions[i] * element), element,
                  expected.begin() + static_cast<std::ptrdiff_t>(memory_positions[i] * element));
    ASSERT_EQ(buffer, expected) << "round " << round;

    const SelectionWrite write{in_file, points, offset, element, before};
    file.write_selections(std::span(&write, 1));
    for (std::size_t i = 0; i < file_positions.size(); ++i)
      std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(memory_positions[i] * element), element,
                  model.begin() + static_cast<std::ptrdiff_t>(offset + file_positions[i] * element));
    ASSERT_EQ(memory.image(), model) << "round " << round;
  }
}

TEST(SelectionRequests, SeveralPiecesAreOneRequest) {
  const testing::TempDir dir;
  LogFile file(std::make_unique<PosixFile>(dir / "file", DriverOpenMode::create_new));
  file.truncate(8000);
  file.reset();
  const Frame frame({10, 100});
  const Selection column = Selection::regular(frame, {{0, 1, 10, 1}, {5, 1, 1, 1}});
  const Selection all = Selection::all(Frame({10}));
  Buffer a(40), b(40);
  const SelectionRead pieces[] = {{column, all, 0, 4, a}, {column, all, 4000, 4, b}};
  file.read_selections(pieces);
  EXPECT_EQ(file.counters().reads.requests, 1u);
  EXPECT_EQ(file.counters().reads.extents_of_type[3], 1u);
}

TEST(SelectionRequests, BadPiecesAreRefused) {
  MemoryFile file(Buffer(1000));
  const Selection ten = Selection::all(Frame({10})), nine = Selection::all(Frame({9}));
  Buffer memory(39);
  const SelectionRead uneven{ten, nine, 0, 4, memory}, outside{ten, ten, 0, 4, memory},
      far{nine, nine, ~std::uint64_t{0} - 8, 4, memory}, beyond{nine, nine, 980, 4, memory};
  const auto kind_of = [&](const SelectionRead& piece) {
    try {
      file.read_selections(std::span(&piece, 1));
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind_of(uneven), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of(outside), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of(far), ErrorKind::truncated);
  EXPECT_EQ(kind_of(beyond), ErrorKind::truncated);
}

/// Takes selections of one piece, and nothing else.
class SelectiveFile : public MemoryFile {
 public:
  using MemoryFile::MemoryFile;
  const DriverCapabilities& capabilities() const override { return capabilities_; }
  mutable int taken = 0, offered = 0;

 private:
  bool do_read_selections(std::span<const SelectionRead> pieces, MemoryType) const override {
    ++offered;
    if (pieces.size() != 1) return false;
    ++taken;
    return true;
  }
  DriverCapabilities capabilities_{.selections = true};
};

TEST(SelectionRequests, DriversMayTakeThemOrDecline) {
  SelectiveFile file(Buffer(100));
  const Selection ten = Selection::all(Frame({10}));
  Buffer memory(10);
  const SelectionRead piece{ten, ten, 0, 1, memory};
  file.read_selections(std::span(&piece, 1));
  EXPECT_EQ(file.taken, 1);
  const SelectionRead two[] = {piece, piece};
  memory.assign(10, std::byte{9});
  file.read_selections(two);
  EXPECT_EQ(file.offered, 2);
  EXPECT_EQ(file.taken, 1);
  EXPECT_EQ(memory, Buffer(10));
}

}  // namespace
}  // namespace filigree::io
