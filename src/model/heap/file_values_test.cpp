// SPDX-License-Identifier: Apache-2.0
#include "model/heap/file_values.hpp"

#include <functional>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/heaps/global_heap.hpp"
#include "io/memory/memory_file.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "testing/pass_through_file.hpp"

namespace filigree::model {
namespace {

ErrorKind kind_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::internal;
}

format::DatatypeMessage text_type() { return format::variable_string(format::CharacterSet::utf8, 8); }

format::DatatypeMessage sequence_of(const format::DatatypeMessage& base) {
  format::DatatypeMessage type;
  type.type_class = format::TypeClass::variable_length;
  type.size = 16;
  type.base = {base};
  return type;
}

class HeapFile : public ::testing::Test {
 protected:
  explicit HeapFile(const CreateOptions& options = {})
      : file_(File::create(std::make_unique<testing::PassThroughFile>(memory_), options, {})) {
    file_->begin_change("test");
  }

  void reopen(OpenMode mode = OpenMode::read_write) {
    if (changing_) file_->end_change();
    changing_ = mode == OpenMode::read_write;
    file_->close();
    file_ = File::open(std::make_unique<testing::PassThroughFile>(memory_), {});
    if (changing_) file_->begin_change("test");
  }

  static void append(Buffer& elements, std::uint32_t length, const type::HeapObject& object) {
    elements.resize(elements.size() + 16);
    store_heap_value(elements.data() + elements.size() - 16, {length, object.collection, object.index}, 8);
  }

  Buffer store_texts(std::size_t count) {
    HeapFileValues values(*file_);
    Buffer elements;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string text(i * 7 % 41, static_cast<char>('a' + i % 26));
      append(elements, static_cast<std::uint32_t>(text.size()), values.store(as_bytes(text)));
    }
    return elements;
  }

  void expect_texts(Bytes elements) {
    HeapFileValues values(*file_);
    for (std::size_t i = 0; i < elements.size() / 16; ++i) {
      const HeapValue value = load_heap_value(elements.data() + 16 * i, 8);
      ASSERT_TRUE(value.stored());
      ASSERT_EQ(as_text(values.fetch({value.collection, value.index}).bytes),
                std::string(i * 7 % 41, static_cast<char>('a' + i % 26)));
    }
  }

  io::MemoryFile memory_;
  std::shared_ptr<File> file_;
  bool changing_ = true;
};

TEST_F(HeapFile, ReturnsWhatWasStored) {
  const Buffer elements = store_texts(3000);
  expect_texts(elements);
  reopen();
  expect_texts(elements);
}

TEST_F(HeapFile, DoesNotGrowWithoutEndWhenValuesAreReplaced) {
  constexpr std::size_t count = 200000;
  Buffer elements = store_texts(count);
  reopen();
  const std::uint64_t first = memory_.size();
  for (int i = 0; i < 10; ++i) {
    // In pieces, as a dataset is written.
    for (std::size_t at = 0; at < count; at += 65536) {
      const auto piece =
          MutableBytes(elements).subspan(16 * at, 16 * std::min<std::size_t>(65536, count - at));
      release_heap_values(*file_, text_type(), piece);
      const Buffer made = store_texts(piece.size() / 16);
      std::ranges::copy(made, piece.begin());
    }
    if (i % 3 == 2) reopen();
  }
  reopen();
  EXPECT_LE(memory_.size(), first + first / 2);
  expect_texts(Bytes(elements).first(16 * 65536));
}

TEST_F(HeapFile, KeepsFetchedContentsWhileTheyAreReplaced) {
  const Buffer elements = store_texts(500);
  HeapFileValues values(*file_);
  std::vector<type::FileValues::Content> held;
  for (std::size_t i = 0; i < 500; ++i) {
    const HeapValue value = load_heap_value(elements.data() + 16 * i, 8);
    held.push_back(values.fetch({value.collection, value.index}));
  }
  release_heap_values(*file_, text_type(), elements);
  const Buffer others = store_texts(5000);
  for (std::size_t i = 0; i < 500; ++i)
    ASSERT_EQ(as_text(held[i].bytes), std::string(i * 7 % 41, static_cast<char>('a' + i % 26)));
  // What is now stored at the same addresses is found as well.
  for (std::size_t i = 0; i < 5000; ++i) {
    const HeapValue value = load_heap_value(others.data() + 16 * i, 8);
    ASSERT_EQ(values.fetch({value.collection, value.index}).bytes.size(), i * 7 % 41);
  }
}

TEST_F(HeapFile, FreesAnObjectOfTwoElementsOnce) {
  Buffer elements = store_texts(3);
  elements.insert(elements.end(), elements.begin(), elements.begin() + 32);
  release_heap_values(*file_, text_type(), elements);
  const HeapValue value = load_heap_value(elements.data(), 8);
  EXPECT_THROW(file_->global_heap().get(value.collection, value.index), Error);
}

TEST_F(HeapFile, FreesNothingWhenAReferenceLeadsNowhere) {
  const Buffer good = store_texts(100);
  const Address there = load_heap_value(good.data(), 8).collection;
  const type::HeapObject lost[] = {{there, 5000}, {to_address(1u << 30), 1}, {to_address(8), 1}};
  for (const auto& object : lost) {
    Buffer elements = good;
    append(elements, 3, object);
    EXPECT_EQ(kind_of([&] { release_heap_values(*file_, text_type(), elements); }), ErrorKind::corrupt);
    expect_texts(good);
  }
}

TEST_F(HeapFile, FreesNestedValues) {
  const Buffer inner = store_texts(20);
  Buffer outer;
  append(outer, 20, HeapFileValues(*file_).store(inner));
  release_heap_values(*file_, sequence_of(text_type()), outer);
  const HeapValue value = load_heap_value(inner.data(), 8);
  EXPECT_EQ(kind_of([&] { file_->global_heap().get(value.collection, value.index); }), ErrorKind::corrupt);
}

TEST_F(HeapFile, TellsEmptyStringsFromMissingOnesInCopies) {
  Buffer elements = store_texts(1);  // the first is empty
  elements.resize(32);
  copy_heap_values(*file_, *file_, text_type(), elements);
  EXPECT_TRUE(load_heap_value(elements.data(), 8).stored());
  EXPECT_FALSE(load_heap_value(elements.data() + 16, 8).stored());
}

TEST_F(HeapFile, DoesNotFollowAnObjectThatRefersToItselfManyTimes) {
  // Each level of the type multiplies by the number of elements in the one object there is.
  constexpr std::uint32_t count = 300;
  store::GlobalHeap& heap = file_->global_heap();
  const auto first = heap.insert(Buffer(16 * count));
  Buffer content;
  for (std::uint32_t i = 0; i < count; ++i) append(content, count, {first.collection, first.index});
  heap.remove(first);
  const auto again = heap.insert(content);
  ASSERT_EQ(again, first);
  format::DatatypeMessage type = text_type();
  for (int depth = 0; depth < 6; ++depth) type = sequence_of(type);
  Buffer element;
  append(element, count, {first.collection, first.index});
  EXPECT_EQ(kind_of([&] { release_heap_values(*file_, type, element); }), ErrorKind::corrupt);
  EXPECT_EQ(kind_of([&] { copy_heap_values(*file_, *file_, type, element); }), ErrorKind::corrupt);
  EXPECT_EQ(heap.get(first), content);
}

TEST_F(HeapFile, BoundsHowOftenSmallObjectsAreFetched) {
  HeapFileValues values(*file_);
  const auto object = values.store(as_bytes("a"));
  const auto fetch_all = [&] {
    for (int i = 0; i < 3'000'000; ++i) values.fetch(object);
  };
  EXPECT_EQ(kind_of(fetch_all), ErrorKind::corrupt);
  // Unless the caller wants as many: they may all be the fill value.
  HeapFileValues many(*file_, 3'000'000);
  for (int i = 0; i < 3'000'000; ++i) many.fetch(object);
}

TEST_F(HeapFile, ReadsBackMoreThanHasReachedTheFile) {
  HeapFileValues values(*file_);
  std::vector<type::HeapObject> objects;
  for (int i = 0; i < 40; ++i) objects.push_back(values.store(Buffer(1u << 20, std::byte{7})));
  for (const auto& object : objects) EXPECT_EQ(values.fetch(object).bytes.size(), 1u << 20);
}

TEST_F(HeapFile, RefusesCollectionsThatOverlap) {
  // An object that holds the header of a collection, which reaches to the end of the one around it.
  store::GlobalHeap& heap = file_->global_heap();
  Buffer inner(64);
  format::encode(format::GlobalHeapHeader{4096 - 32}, MutableBytes(inner).first(16), {});
  format::encode(format::GlobalHeapObjectHeader{1, 0, 4096 - 64}, MutableBytes(inner).subspan(16, 16), {});
  const auto outer = heap.insert(inner);
  reopen(OpenMode::read_only);
  const type::HeapObject around{outer.collection, outer.index};
  const type::HeapObject within{outer.collection + 32, 1};
  EXPECT_EQ(HeapFileValues(*file_).fetch(within).bytes.size(), 4096u - 64);
  reopen(OpenMode::read_only);
  HeapFileValues both(*file_);
  both.fetch(around);
  EXPECT_EQ(kind_of([&] { both.fetch(within); }), ErrorKind::corrupt);
}

CreateOptions paged(std::uint64_t page_bytes) {
  CreateOptions options;
  options.space.strategy = SpaceStrategy::paged;
  options.space.persist = true;
  options.space.page_bytes = page_bytes;
  return options;
}

template <int page_bytes>
class PagedHeapFile : public HeapFile {
 protected:
  PagedHeapFile() : HeapFile(paged(page_bytes)) {}
  void replace_often() {
    Buffer elements = store_texts(9000);
    for (int i = 0; i < 6; ++i) {
      expect_texts(elements);
      release_heap_values(*file_, text_type(), elements);
      elements = store_texts(9000 + 100 * static_cast<std::size_t>(i));
      reopen();
    }
    expect_texts(elements);
  }
};
using SmallPages = PagedHeapFile<512>;
using UsualPages = PagedHeapFile<4096>;
using LargePages = PagedHeapFile<32768>;
TEST_F(SmallPages, HoldHeaps) { replace_often(); }
TEST_F(UsualPages, HoldHeaps) { replace_often(); }
TEST_F(LargePages, HoldHeaps) { replace_often(); }

}  // namespace
}  // namespace filigree::model
