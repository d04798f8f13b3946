// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite of drivers. The test of a driver defines a type that makes empty writable files, and
// instantiates the suite:
//
//   struct MemoryFiles {
//     std::unique_ptr<io::VirtualFile> make() { return std::make_unique<io::MemoryFile>(); }
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(MemoryFile, VirtualFileSuite, MemoryFiles);
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/virtual_file.hpp"

namespace filigree::testing {

/// Returns random bytes; the same sequence for the same state of the generator.
inline Buffer random_bytes(std::mt19937& random, std::size_t count) {
  Buffer bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

/// Returns the content of a file.
inline Buffer read_all(const io::VirtualFile& file) {
  Buffer bytes(file.size());
  file.read(0, bytes);
  return bytes;
}

/// A test gets a new file from `Files::make()`. What `Files` holds, such as a folder, is destroyed after it.
template <class Files>
class VirtualFileSuite : public ::testing::Test {
 protected:
  Files files_;  // outlives file_
  std::unique_ptr<io::VirtualFile> file_ = files_.make();
};

TYPED_TEST_SUITE_P(VirtualFileSuite);

TYPED_TEST_P(VirtualFileSuite, StartsEmptyAndWritable) {
  EXPECT_EQ(this->file_->size(), 0u);
  EXPECT_TRUE(this->file_->writable());
  EXPECT_FALSE(this->file_->name().empty());
}

TYPED_TEST_P(VirtualFileSuite, AgreesWithAModelOverRandomCalls) {
  io::VirtualFile& file = *this->file_;
  Buffer model;
  std::mt19937 random(17);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (int round = 0; round < 400; ++round) {
    if (below(20) == 0) {
      model.resize(below(6000));
      file.truncate(model.size());
    }
    // Adjacent extents and extents with gaps; they are disjoint, so that their order does not matter.
    std::vector<Buffer> data;
    std::vector<io::WriteExtent> writes;
    for (std::size_t at = below(3000), left = below(6); left > 0; --left) {
      data.push_back(random_bytes(random, below(200)));
      at += below(2) == 0 ? 0 : below(100);
      writes.push_back({at, data.back()});
      if (!data.back().empty()) model.resize(std::max(model.size(), at + data.back().size()));
      std::copy(data.back().begin(), data.back().end(),
                model.begin() + static_cast<std::ptrdiff_t>(data.back().empty() ? 0 : at));
      at += data.back().size();
    }
    if (below(2) == 0) std::reverse(writes.begin(), writes.end());
    file.write(writes);
    ASSERT_EQ(file.size(), model.size()) << "round " << round;

    std::vector<Buffer> results;
    std::vector<io::ReadExtent> reads;
    std::vector<std::size_t> starts;
    for (std::size_t at = below(model.size() + 1), left = below(6); left > 0 && at < model.size(); --left) {
      results.emplace_back(below(std::min<std::size_t>(300, model.size() - at + 1)));
      reads.push_back({at, results.back()});
      starts.push_back(at);
      at += results.back().size() + (below(2) == 0 ? 0 : below(50));
    }
    file.read(reads);
    for (std::size_t i = 0; i < reads.size(); ++i) {
      ASSERT_TRUE(std::equal(results[i].begin(), results[i].end(),
                             model.begin() + static_cast<std::ptrdiff_t>(starts[i])))
          << "round " << round << " extent " << i;
    }
  }
  EXPECT_EQ(read_all(file), model);
}

TYPED_TEST_P(VirtualFileSuite, GapsReadAsZero) {
  this->file_->write(0, as_bytes("ab"));
  this->file_->write(10, as_bytes("c"));
  Buffer expected(11);
  expected[0] = std::byte{'a'}, expected[1] = std::byte{'b'}, expected[10] = std::byte{'c'};
  EXPECT_EQ(read_all(*this->file_), expected);
}

TYPED_TEST_P(VirtualFileSuite, WritingNothingDoesNotGrowTheFile) {
  this->file_->write(100, Bytes());
  this->file_->write(std::span<const io::WriteExtent>());
  this->file_->read(0, MutableBytes());
  EXPECT_EQ(this->file_->size(), 0u);
}

TYPED_TEST_P(VirtualFileSuite, TruncateCutsAndExtendsWithZeros) {
  this->file_->write(0, as_bytes("abcdef"));
  this->file_->truncate(2);
  EXPECT_EQ(this->file_->size(), 2u);
  this->file_->truncate(4);
  EXPECT_EQ(as_text(read_all(*this->file_)), std::string_view("ab\0\0", 4));
  this->file_->sync();
}

TYPED_TEST_P(VirtualFileSuite, ReadingPastTheEndThrowsTruncated) {
  this->file_->write(0, as_bytes("abcdef"));
  Buffer into(4);
  const auto kind_of_read = [&](std::uint64_t offset) {
    try {
      this->file_->read(offset, into);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(this->file_->name()));
      return error.kind();
    }
    return ErrorKind::internal;  // no error
  };
  EXPECT_EQ(kind_of_read(2), ErrorKind::internal);
  for (std::uint64_t offset : {std::uint64_t{3}, std::uint64_t{6}, std::uint64_t{1} << 40,
                               io::largest_file_bytes, ~std::uint64_t{0}}) {
    EXPECT_EQ(kind_of_read(offset), ErrorKind::truncated) << offset;
  }
  this->file_->truncate(3);
  EXPECT_EQ(kind_of_read(0), ErrorKind::truncated);
}

TYPED_TEST_P(VirtualFileSuite, RefusesOffsetsNoFileCanHave) {
  EXPECT_THROW(this->file_->write(this->file_->capabilities().address_end, as_bytes("x")), Error);
  EXPECT_THROW(this->file_->write(~std::uint64_t{0}, as_bytes("xyz")), Error);
  EXPECT_THROW(this->file_->truncate(~std::uint64_t{0}), Error);
  EXPECT_EQ(this->file_->size(), 0u);
}

TYPED_TEST_P(VirtualFileSuite, TakesManySmallExtentsInOneCall) {
  constexpr std::size_t count = 5000;  // more than one system call accepts
  std::mt19937 random(3);
  const Buffer data = random_bytes(random, count * 3);
  std::vector<io::WriteExtent> writes;
  for (std::size_t i = 0; i < count; ++i) writes.push_back({i * 3, Bytes(data).subspan(i * 3, 3)});
  this->file_->write(writes);
  Buffer back(data.size());
  std::vector<io::ReadExtent> reads;
  for (std::size_t i = 0; i < count; ++i) reads.push_back({i * 3, MutableBytes(back).subspan(i * 3, 3)});
  this->file_->read(reads);
  EXPECT_EQ(back, data);
}

TYPED_TEST_P(VirtualFileSuite, ReadsAndDisjointWritesRunAtOnce) {
  constexpr std::size_t part = 4096, parts = 4;
  io::VirtualFile& file = *this->file_;
  file.write(0, Buffer(part * parts, std::byte{1}));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < parts; ++p) {
    threads.emplace_back([&, p] {
      const Buffer mine(part, static_cast<std::byte>(p + 2));
      Buffer back(part);
      for (int round = 0; round < 50; ++round) {
        file.write(p * part, mine);
        file.write(part * (parts + static_cast<std::size_t>(round) * parts + p),
                   mine);  // the file grows meanwhile
        file.read(p * part, back);
        wrong += back != mine;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// `data` as elements of `element` bytes, for every `stride`-th element of the file from `first` on.
inline std::vector<io::WriteExtent> strided_writes(const Buffer& data, std::size_t element,
                                                   std::size_t stride, std::size_t first = 0) {
  std::vector<io::WriteExtent> extents;
  for (std::size_t i = 0; i * element < data.size(); ++i)
    extents.push_back({(first + i * stride) * element, Bytes(data).subspan(i * element, element)});
  return extents;
}

TYPED_TEST_P(VirtualFileSuite, StridedElementsLeaveTheBytesBetween) {
  constexpr std::size_t count = 3000, element = 4, stride = 4;
  std::mt19937 random(5);
  Buffer model = random_bytes(random, count * element * stride / 2);  // the second half is beyond the end
  this->file_->write(0, model);
  const Buffer data = random_bytes(random, count * element);
  this->file_->write(strided_writes(data, element, stride));
  model.resize((count - 1) * element * stride + element);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(i * element), element,
                model.begin() + static_cast<std::ptrdiff_t>(i * element * stride));
  EXPECT_EQ(read_all(*this->file_), model);

  Buffer back(data.size());
  std::vector<io::ReadExtent> reads;
  for (std::size_t i = count; i-- > 0;)  // backwards: the order is the caller's
    reads.push_back({i * element * stride, MutableBytes(back).subspan(i * element, element)});
  this->file_->read(reads);
  EXPECT_EQ(back, data);
}

TYPED_TEST_P(VirtualFileSuite, LaterOfOverlappingWritesWins) {
  const std::vector<io::WriteExtent> writes{
      {4, as_bytes("aaaa")}, {2, as_bytes("bbbb")}, {0, as_bytes("cc")}, {5, as_bytes("d")}};
  this->file_->write(writes);
  EXPECT_EQ(as_text(read_all(*this->file_)), "ccbbbdaa");
  this->file_->start_write(writes)->wait();
  EXPECT_EQ(as_text(read_all(*this->file_)), "ccbbbdaa");
}

TYPED_TEST_P(VirtualFileSuite, OverlappingReadsAreFilled) {
  this->file_->write(0, as_bytes("abcdef"));
  Buffer a(4), b(4), c(1);
  this->file_->read(std::vector<io::ReadExtent>{{2, a}, {0, b}, {3, c}});
  EXPECT_EQ(as_text(a), "cdef");
  EXPECT_EQ(as_text(b), "abcd");
  EXPECT_EQ(as_text(c), "d");
}

TYPED_TEST_P(VirtualFileSuite, StartedRequestsEndWhenAwaited) {
  std::mt19937 random(7);
  const Buffer data = random_bytes(random, 20000);
  std::vector<std::unique_ptr<io::Pending>> started;
  for (std::size_t at = 0; at < data.size(); at += 1000) {
    const std::vector<io::WriteExtent> two{{at, Bytes(data).subspan(at, 300), io::MemoryType::raw},
                                           {at + 300, Bytes(data).subspan(at + 300, 700)}};
    started.push_back(this->file_->start_write(two));
  }
  for (const auto& pending : started) pending->wait();
  started.clear();
  Buffer back(data.size());
  for (std::size_t at = 0; at < data.size(); at += 1000) {
    const io::ReadExtent one{at, MutableBytes(back).subspan(at, 1000), io::MemoryType::object_header};
    started.push_back(this->file_->start_read(std::span(&one, 1)));
  }
  for (const auto& pending : started) pending->wait();
  EXPECT_EQ(back, data);
}

TYPED_TEST_P(VirtualFileSuite, ConcurrentSectionsEndWithEverythingDone) {
  std::mt19937 random(8);
  const Buffer data = random_bytes(random, 9000);
  Buffer back(data.size());
  io::ConcurrentSection writing(*this->file_);
  for (std::size_t at = 0; at < data.size(); at += 100) this->file_->write(at, Bytes(data).subspan(at, 100));
  writing.finish();
  io::ConcurrentSection outer(*this->file_), inner(*this->file_);
  for (std::size_t at = 0; at < data.size(); at += 90)
    this->file_->read(at, MutableBytes(back).subspan(at, 90));
  inner.finish();
  EXPECT_EQ(back, data);
  outer.finish();
}

TYPED_TEST_P(VirtualFileSuite, ConcurrentSectionsReportFailuresAtTheirEnd) {
  Buffer byte(1);
  io::ConcurrentSection failing(*this->file_);
  this->file_->write(0, byte);
  EXPECT_THROW(this->file_->read(this->file_->size() + 5, MutableBytes(byte)), Error);
  EXPECT_THROW(failing.finish(), Error);
  io::ConcurrentSection next(*this->file_);
  this->file_->write(0, byte);
  EXPECT_NO_THROW(next.finish());
}

TYPED_TEST_P(VirtualFileSuite, AllocationEndSetsTheSizeWhenAskedTo) {
  io::VirtualFile& file = *this->file_;
  file.write(0, as_bytes("abcdef"));
  EXPECT_EQ(file.allocation_end(io::MemoryType::unspecified), 6u);
  const std::uint64_t first = file.addresses(io::MemoryType::superblock).first;
  EXPECT_EQ(first, 0u);
  file.set_allocation_end(io::MemoryType::superblock, 4);
  EXPECT_EQ(file.size(), 6u);
  file.truncate_to_allocation();
  EXPECT_EQ(as_text(read_all(file)), "abcd");
  file.set_allocation_end(io::MemoryType::object_header, 8);
  file.truncate_to_allocation();
  EXPECT_EQ(file.end_of_file(io::MemoryType::btree), 8u);
}

TYPED_TEST_P(VirtualFileSuite, UnknownOperationsFailOrAreIgnoredAsAsked) {
  constexpr std::uint64_t unknown = io::ctl_op::first_private + 4711;
  for (const io::CtlRoute route : {io::CtlRoute::here, io::CtlRoute::to_terminal}) {
    EXPECT_FALSE(this->file_->ctl({.op = unknown, .unknown = io::CtlUnknown::ignore, .route = route}));
    try {
      this->file_->ctl({.op = unknown, .route = route});
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unsupported);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("70247"));
    }
  }
}

TYPED_TEST_P(VirtualFileSuite, LocksAndUnlocks) {
  this->file_->lock(io::LockKind::exclusive);
  this->file_->lock(io::LockKind::shared);
  this->file_->write(0, as_bytes("x"));
  this->file_->unlock();
}

TYPED_TEST_P(VirtualFileSuite, InterleavedWritesOfManyThreadsLoseNothing) {
  constexpr std::size_t threads = 4, element = 4, count = 2000;
  std::mt19937 random(9);
  std::vector<Buffer> data;
  for (std::size_t t = 0; t < threads; ++t) data.push_back(random_bytes(random, count * element));
  std::vector<std::thread> writers;
  for (std::size_t t = 0; t < threads; ++t) {
    writers.emplace_back([&, t] {
      const auto extents = strided_writes(data[t], element, threads, t);
      // Complete writes, partial writes and started writes: all ways to write around holes run concurrently.
      const std::span<const io::WriteExtent> all(extents);
      if (t == 0) return this->file_->write(all);
      for (std::size_t at = 0; at < all.size(); at += 100) {
        const auto part = all.subspan(at, 100);
        t == 1 ? this->file_->start_write(part)->wait() : this->file_->write(part);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const Buffer result = read_all(*this->file_);
  ASSERT_EQ(result.size(), threads * count * element);
  for (std::size_t i = 0; i < count * threads; ++i) {
    ASSERT_TRUE(std::equal(result.begin() + static_cast<std::ptrdiff_t>(i * element),
                           result.begin() + static_cast<std::ptrdiff_t>((i + 1) * element),
                           data[i % threads].begin() + static_cast<std::ptrdiff_t>(i / threads * element)))
        << "element " << i;
  }
}

REGISTER_TYPED_TEST_SUITE_P(VirtualFileSuite, StartsEmptyAndWritable, AgreesWithAModelOverRandomCalls,
                            GapsReadAsZero, WritingNothingDoesNotGrowTheFile, TruncateCutsAndExtendsWithZeros,
                            ReadingPastTheEndThrowsTruncated, RefusesOffsetsNoFileCanHave,
                            TakesManySmallExtentsInOneCall, ReadsAndDisjointWritesRunAtOnce,
                            StridedElementsLeaveTheBytesBetween, LaterOfOverlappingWritesWins,
                            OverlappingReadsAreFilled, StartedRequestsEndWhenAwaited,
                            ConcurrentSectionsEndWithEverythingDone,
                            ConcurrentSectionsReportFailuresAtTheirEnd, AllocationEndSetsTheSizeWhenAskedTo,
                            UnknownOperationsFailOrAreIgnoredAsAsked, LocksAndUnlocks,
                            InterleavedWritesOfManyThreadsLoseNothing);

}  // namespace filigree::testing
