// SPDX-License-Identifier: Apache-2.0
//
// Datasets whose messages or elements lie: types that cannot be, references into the heap that lead nowhere,
// or in circles, or to the same large object again and again.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "testing/hex.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

using format::DatatypeMessage;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

DatatypeMessage text_type() { return format::variable_string(format::CharacterSet::ascii, 8); }

DatatypeMessage sequence_of(const DatatypeMessage& base) {
  DatatypeMessage type;
  type.type_class = format::TypeClass::variable_length;
  type.size = 16;
  type.base = {base};
  return type;
}

class HostileDataset : public ::testing::Test {
 protected:
  HostileDataset() : file_(File::create(std::make_unique<io::MemoryFile>(), {}, {})) {
    file_->begin_change("test");
  }

  Address create(const DatatypeMessage& type, std::uint64_t count,
                 format::AllocationTime allocation = format::AllocationTime::early) {
    NewDataset made;
    made.type = type;
    made.space.kind = format::DataspaceKind::simple;
    made.space.dims = {count};
    made.allocation = allocation;
    return create_dataset(*file_, made);
  }
  void put(Address dataset, const Buffer& elements) {
    file_->store().write(load_messages(*file_, dataset)->layout.address, elements);
  }
  Address with_references(const DatatypeMessage& type, const std::vector<HeapValue>& values) {
    const Address d = create(type, values.size());
    Buffer elements(16 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) store_heap_value(&elements[16 * i], values[i], 8);
    put(d, elements);
    return d;
  }

  /// Reads all elements as C holds them. Empty, or what the Error says.
  std::string read(Address dataset) {
    try {
      const DatasetMessages parts = *load_messages(*file_, dataset);
      const DatatypeMessage native = type::native_type(parts.type);
      const auto all = space::Selection::all(space::Frame(parts.space.dims));
      if (native.size > most_memory / parts.elements) return "too large";
      Buffer memory(native.size * parts.elements);
      const std::unique_ptr<Buffer, std::function<void(Buffer*)>> reclaims(
          &memory, [&](Buffer* m) { type::reclaim(native, m->data(), parts.elements, nullptr); });
      Dataset(*file_, dataset).read({all, all, native}, memory.data());
      return "";
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal);
      return error.what();
    }
  }

  static constexpr std::uint64_t most_memory = 64u << 20;
  std::shared_ptr<File> file_;
};

TEST_F(HostileDataset, WithReferencesThatLeadNowhereSaysSo) {
  const auto id = file_->global_heap().insert(as_bytes("12345"));
  const Address number = create(format::fixed_point(4, true), 10);
  file_->flush();
  const Address data = load_messages(*file_, number)->layout.address;
  const struct {
    HeapValue value;
    const char* text;
  } cases[] = {
      {{5, id.collection, id.index + 1}, "global heap"},
      {{5, id.collection, 0}, "global heap"},
      {{5, id.collection, 0xffffffff}, "global heap"},
      {{6, id.collection, id.index}, "declares 6 elements"},
      {{0xffffffff, id.collection, id.index}, "declares 4294967295 elements"},
      {{5, file_->root(), 1}, "global heap"},
      {{5, number, 1}, "global heap"},
      {{5, data, 1}, "global heap"},
      {{5, id.collection + 16, 1}, "global heap"},
      {{5, to_address(1u << 30), 1}, "global heap"},
      {{5, to_address(~std::uint64_t{0} - 1), 1}, "global heap"},
      {{5, to_address(std::uint64_t{1} << 63), 1}, "global heap"},
  };
  for (const auto& c : cases) {
    const Address d = with_references(text_type(), {{5, id.collection, id.index}, c.value});
    EXPECT_THAT(read(d), HasSubstr(c.text)) << c.value.length << ' ' << c.value.index;
  }
  EXPECT_EQ(read(with_references(text_type(), {{4, id.collection, id.index}, {}})), "");
}

TEST_F(HostileDataset, WhoseLengthsOverflowInBytesSaysSo) {
  const auto id = file_->global_heap().insert(Buffer(64));
  const DatatypeMessage type = sequence_of(
      format::fixed_string(0x10000001, format::StringPadding::nul_padded, format::CharacterSet::ascii));
  // 16 such elements have 16 bytes in 32 bits.
  EXPECT_THAT(read(with_references(type, {{16, id.collection, id.index}})),
              HasSubstr("declares 16 elements"));
}

TEST_F(HostileDataset, ThatContainsItselfEndsWhereItsTypeDoes) {
  store::GlobalHeap& heap = file_->global_heap();
  const auto id = heap.insert(Buffer(16));
  Buffer content(16);
  store_heap_value(content.data(), {1, id.collection, id.index}, 8);
  heap.remove(id);
  ASSERT_EQ(heap.insert(content), id);
  DatatypeMessage type = format::fixed_point(1, false);
  for (unsigned i = 0; i + 1 < format::max_type_depth; ++i) type = sequence_of(type);
  EXPECT_EQ(read(with_references(type, {{1, id.collection, id.index}})), "");
}

TEST_F(HostileDataset, ThatContainsItselfManyTimesIsRefused) {
  constexpr std::uint32_t fan = 300;
  store::GlobalHeap& heap = file_->global_heap();
  const auto id = heap.insert(Buffer(16 * fan));
  Buffer content(16 * fan);
  for (std::size_t i = 0; i < fan; ++i) store_heap_value(&content[16 * i], {fan, id.collection, id.index}, 8);
  heap.remove(id);
  ASSERT_EQ(heap.insert(content), id);
  DatatypeMessage type = text_type();
  for (int i = 0; i < 8; ++i) type = sequence_of(type);
  EXPECT_THAT(read(with_references(type, {{fan, id.collection, id.index}})), HasSubstr("same heap object"));
}

TEST_F(HostileDataset, WhoseElementsShareOneLargeObjectIsRefused) {
  const auto id = file_->global_heap().insert(Buffer(1u << 20, std::byte{'x'}));
  const HeapValue value{1u << 20, id.collection, id.index};
  EXPECT_THAT(read(with_references(text_type(), std::vector<HeapValue>(2000, value))),
              HasSubstr("same heap object"));
}

TEST_F(HostileDataset, WhoseElementsShareASmallObjectIsRead) {
  const auto id = file_->global_heap().insert(as_bytes("shared"));
  const HeapValue value{6, id.collection, id.index};
  EXPECT_EQ(read(with_references(text_type(), std::vector<HeapValue>(200000, value))), "");
}

TEST_F(HostileDataset, CanBeOverwrittenOrSaysWhyNot) {
  const auto id = file_->global_heap().insert(as_bytes("12345"));
  const Address d = with_references(text_type(), {{5, id.collection, id.index}, {5, file_->root(), 9}});
  char text[] = "new";
  char* const texts[] = {text, text};
  const auto all = space::Selection::all(space::Frame({2}));
  const DatatypeMessage type = type::c_type(text_type());
  try {
    Dataset(*file_, d).write({all, all, type}, reinterpret_cast<const std::byte*>(texts));
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("global heap"));
  }
  EXPECT_THAT(read(d), AnyOf("", HasSubstr("global heap")));
}

/// The body of a datatype message in the place of the right one.
using TypeCase = std::pair<const char*, const char*>;

TEST_F(HostileDataset, WhoseTypeCannotBeSaysSo) {
  const TypeCase cases[] = {
      {"10 000000 00000000 0000 2000", "size"},                              // no bytes
      {"10 000000 04000000 0000 2100", "precision"},                         // 33 bits in 4 bytes
      {"10 000000 04000000 2000 2000", "precision"},                         // from bit 32 on
      {"10 000000 04000000 0000 0000", "precision"},                         // no bits
      {"11 201f00 04000000 0000 2000 17 08 00 18 7f000000", "overlap"},      // exponent and mantissa
      {"36 010000 04000000 6100 01 10000000 04000000 0000 2000", "member"},  // reaches beyond
      {"36 020000 08000000 6100 00 10000000 04000000 0000 2000"
       "6200 02 10000000 04000000 0000 2000",
       "overlap"},
      {"36 020000 08000000 6100 00 10000000 04000000 0000 2000"
       "6100 04 10000000 04000000 0000 2000",
       "unique"},
      {"36 ffff00 ffffffff 6100 00000000 10000000 04000000 0000 2000", "members"},  // 65535 of them
      {"36 000000 04000000", "member count"},
      {"3a 000000 10000000 01 00000000 10000000 04000000 0000 2000", "dimension"},
      {"3a 000000 10000000 02 ffffffff ffffffff 10000000 04000000 0000 2000", "size"},
      {"3a 000000 10000000 21 01000000", "rank"},
      {"39 000000 0c000000 10000000 04000000 0000 2000", "size"},  // of a 4-byte offset
      {"38 ffff00 04000000 10080000 04000000 0000 2000 6100", "names"},
      {"38 010000 04000000 11200000 04000000 0000 2000", "exponent"},
      {"3f 000000 04000000", "class"},
      {"00 000000 04000000 0000 2000", "version"},
  };
  for (const auto& [hex, text] : cases) {
    const Address d = create(format::fixed_point(4, true), 2);
    replace_body(*file_, d, format::MessageType::datatype, testing::from_hex(hex));
    EXPECT_THAT(read(d), AllOf(HasSubstr("datatype"), HasSubstr(text))) << hex;
  }
}

TEST_F(HostileDataset, WhoseTypeNestsTooDeeplySaysSo) {
  Buffer body;
  for (unsigned i = 0; i < 2000; ++i) {
    const Buffer level = testing::from_hex("39 000000 10000000");
    body.insert(body.end(), level.begin(), level.end());
  }
  const Address d = create(format::fixed_point(4, true), 2);
  replace_body(*file_, d, format::MessageType::datatype, body);
  EXPECT_THAT(read(d), HasSubstr("deep"));
}

/// Lets the process have only so much more memory. A sanitizer's own would count too.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t more) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    ::getrlimit(RLIMIT_AS, &before_);
    const rlimit limit{pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + more, before_.rlim_max};
    limited_ = pages > 0 && ::setrlimit(RLIMIT_AS, &limit) == 0;
#else
    (void)more;
#endif
  }
  ~MemoryLimit() {
    if (limited_) ::setrlimit(RLIMIT_AS, &before_);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool limited_ = false;
};

TEST_F(HostileDataset, OfHugeElementsThatWereNeverWrittenTakesNoMemoryForThem) {
  const MemoryLimit limit(200u << 20);
  const TypeCase cases[] = {
      {"10 000000 00000020 0000 0800", "number of 536870912 bytes"},
      {"10 080000 ffffffff 0000 0800", "number of 4294967295 bytes"},
      {"14 000000 ffffffff 0000 0800", "number of 4294967295 bytes"},
      {"11 201f00 08000020 0000 2000 17 08 00 17 7f000000", "number of 536870920 bytes"},
      // A member of a huge compound.
      {"36 010000 ffffffff 6100 0000007f 10000000 04000000 0000 2000", "4294967295 bytes was never written"},
      {"13 000000 ffffffff", "too large"},
      {"15 000000 ffffffff", "too large"},
      {"3a 000000 ffffffff 02 ffff0000 01000100 10000000 01000000 0000 0800", "too large"},
  };
  for (const auto& [hex, text] : cases) {
    const Address d = create(format::fixed_point(4, true), 1, format::AllocationTime::late);
    replace_body(*file_, d, format::MessageType::datatype, testing::from_hex(hex));
    EXPECT_THAT(read(d), HasSubstr(text)) << hex;
    EXPECT_THROW(Dataset(*file_, d).require_data(8, 1), Error) << hex;
  }
}

TEST_F(HostileDataset, OfManyUnwrittenElementsUsesNoMoreMemoryThanFileBytes) {
  const Address d = create(format::fixed_point(1, true), 1u << 30, format::AllocationTime::late);
  EXPECT_NO_THROW(Dataset(*file_, d).require_data(1u << 30, 1));
  EXPECT_THROW(Dataset(*file_, d).require_data(1u << 30, 8), Error);
  EXPECT_NO_THROW(Dataset(*file_, d).require_data(1u << 27, 8));
  EXPECT_THROW(Dataset(*file_, d).require_data(~std::uint64_t{0}, 8), Error);
}

TEST_F(HostileDataset, OfAsManyMembersAsFitIsReadInTime) {
  DatatypeMessage type;
  type.type_class = format::TypeClass::compound;
  type.version = 3;
  type.size = 3000;
  for (std::uint32_t i = 0; i < type.size; ++i)
    type.members.push_back({std::to_string(i), i, {}, 0, format::fixed_point(1, i % 2 == 0)});
  const Address d = create(type, 2);
  EXPECT_EQ(read(d), "");
}

}  // namespace
}  // namespace filigree::model
