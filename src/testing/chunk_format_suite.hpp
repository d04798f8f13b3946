// SPDX-License-Identifier: Apache-2.0
//
// What every chunk format must do. A format's test describes the datasets that have it, and instantiates the
// suite:
//
//   struct SparseChunks {
//     static constexpr auto layout = format::LayoutClass::structured;
//     static constexpr auto composition = format::ChunkComposition::make(true, false);
//     using Elements = testing::IntegerElements;
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Sparse, ChunkFormatSuite, SparseChunks);
//
// The format is made by chunk::make_format(), so that its row in the table is tested too. A format that has
// no row gives a function `static std::unique_ptr<const chunk::ChunkFormat> make(chunk::FormatSetup)`
// instead.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "chunk/format/make_format.hpp"
#include "format/messages/datatype.hpp"
#include "testing/hex.hpp"
#include "type/conversion.hpp"
#include "type/datatypes.hpp"

namespace filigree::testing {

/// The suite's values are integers from 0 to 9999; these are 16 bits wide in chunks, 32 in memory.
struct IntegerElements {
  static format::DatatypeMessage type() { return format::fixed_point(2, true); }
  static chunk::VariableCells fill(int digit) { return {{static_cast<std::byte>(digit), std::byte{0}}, {}}; }

  /// Calls `use` with the values in memory, to be written.
  template <class Use>
  static void give(std::vector<int> values, Use use) {
    const auto conversion = type::prepare(format::fixed_point(4, true), type());
    const type::Context context;
    use(chunk::Values{*conversion, context, reinterpret_cast<std::byte*>(values.data()), sizeof(int)});
  }
  /// Calls `use` with memory for values; returns those that were read, and -1 for others.
  template <class Use>
  static std::vector<int> take(std::size_t count, Use use) {
    std::vector<int> values(count, -1);
    const auto conversion = type::prepare(type(), format::fixed_point(4, true));
    const type::Context context;
    use(chunk::Values{*conversion, context, reinterpret_cast<std::byte*>(values.data()), sizeof(int)});
    return values;
  }
};

/// The same as strings of variable length, which have payloads in a heap.
struct StringElements {
  static format::DatatypeMessage type() { return format::variable_string(format::CharacterSet::ascii, 8); }
  static chunk::VariableCells fill(int digit) {
    Buffer heap = from_hex("00000000 30");
    heap.back() = static_cast<std::byte>('0' + digit);
    return {from_hex("01000000 0400000000000000 00000000"), std::move(heap)};
  }

  template <class Use>
  static void give(const std::vector<int>& values, Use use) {
    std::vector<std::string> strings;
    for (const int value : values) strings.push_back(std::to_string(value));
    std::vector<const char*> pointers;
    for (const std::string& text : strings) pointers.push_back(text.c_str());
    const auto conversion = type::prepare(type::c_type(type()), type());
    const type::Context context;
    use(chunk::Values{*conversion, context, reinterpret_cast<std::byte*>(pointers.data()), sizeof(char*)});
  }
  template <class Use>
  static std::vector<int> take(std::size_t count, Use use) {
    std::vector<char*> pointers(count);
    const auto form = type::c_type(type());
    const auto conversion = type::prepare(type(), form);
    const type::Context context;
    auto* const memory = reinterpret_cast<std::byte*>(pointers.data());
    use(chunk::Values{*conversion, context, memory, sizeof(char*)});
    std::vector<int> values;
    for (const char* text : pointers) values.push_back(text == nullptr ? -1 : std::atoi(text));
    type::reclaim(form, memory, count, nullptr);
    return values;
  }
};

/// How the chunks of a test are filtered.
struct FilterVariant {
  std::vector<format::PipelineFilter> filters;
  bool filter_partial_edges = true;
  bool detects_changes = false;  ///< no changed byte remains undetected
};

/// Returns the ways of filtering with which each test runs.
inline std::vector<FilterVariant> filter_variants() {
  const format::PipelineFilter shuffle{2, 1, "shuffle", {2}}, deflate{1, 0, "deflate", {6}};
  const format::PipelineFilter fletcher32{3, 0, "fletcher32", {}};
  return {{{}, true, false},
          {{deflate}, true, false},
          {{shuffle, deflate}, false, false},
          {{fletcher32}, true, true}};
}

/// The fill value of all chunks of the suite.
inline constexpr int suite_fill = 7;

template <class Case>
std::unique_ptr<const chunk::ChunkFormat> make_suite_format(const std::vector<std::uint64_t>& dims,
                                                            const FilterVariant& variant) {
  format::LayoutMessage layout;
  layout.layout = Case::layout;
  layout.composition = Case::composition;
  layout.raw_partial_chunks = !variant.filter_partial_edges;
  const format::DatatypeMessage type = Case::Elements::type();
  format::PipelineMessage pipeline;
  format::SectionPipelinesMessage sections;
  if (Case::layout == format::LayoutClass::chunked) {
    pipeline.filters = variant.filters;
  } else if (!variant.filters.empty()) {
    for (std::uint8_t i = 0; i < layout.composition.sections; ++i)
      sections.sections.push_back({i, variant.filters});
  }
  chunk::FormatSetup setup{layout, type, pipeline, sections, dims, 0, Case::Elements::fill(suite_fill)};
  setup.chunk_bytes = space::Frame(dims).elements() * type.size;
  if constexpr (requires { Case::make(std::move(setup)); }) {
    return Case::make(std::move(setup));
  } else {
    return chunk::make_format(std::move(setup));
  }
}

/// A decoded chunk beside an array with a mask.
template <class Case>
class FormatTwin {
 public:
  using Runs = std::vector<space::ChunkRun>;

  FormatTwin(const std::vector<std::uint64_t>& dims, const FilterVariant& variant, unsigned seed)
      : format_(make_suite_format<Case>(dims, variant)),
        decoded_(format_->blank()),
        values_(space::Frame(dims).elements()),
        random_(seed) {}

  const chunk::ChunkFormat& format() const { return *format_; }
  const chunk::DecodedChunk& decoded() const { return *decoded_; }
  std::uint64_t elements() const { return values_.size(); }
  /// Returns whether the format has no notion of undefined elements.
  bool defines_all() const { return format_->defined_elements() == nullptr; }
  /// Returns whether the element was written and not erased since.
  bool has_value(std::uint64_t at) const { return values_[at].has_value(); }
  /// Returns a random number below `end`, the same in every run of the test.
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  /// Ascending runs, sometimes adjacent, with consecutive memory; not empty.
  Runs some_runs() {
    Runs runs;
    std::uint64_t memory = 0;
    const std::uint64_t step = 1 + below(elements());
    for (std::uint64_t at = below(step); at < elements();) {
      const std::uint64_t length = std::min(1 + below(step), elements() - at);
      runs.push_back({0, at, memory, length});
      memory += length;
      at += length + below(step);
    }
    if (runs.empty()) runs.push_back({0, 0, 0, 1});
    return runs;
  }
  /// Returns all elements as one run.
  Runs all_runs() const { return {{0, 0, 0, elements()}}; }

  /// Writes new random values to the runs.
  void write(const Runs& runs) {
    const std::vector<int> numbers = new_values(runs);
    Case::Elements::give(numbers, [&](const chunk::Values& v) { format_->write(*decoded_, runs, v); });
  }
  /// In any order, and some of them twice: the last one counts.
  void write_points() {
    Runs points;
    for (std::uint64_t i = 1 + below(20); i > 0; --i)
      points.push_back({0, below(elements()), points.size(), 1});
    write(points);
  }
  /// Makes the elements of the runs undefined.
  void erase(const Runs& runs) {
    std::vector<space::Run> erased;
    for (const auto& run : runs) {
      erased.push_back({run.chunk_offset, run.length});
      std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(run.chunk_offset), run.length, std::nullopt);
    }
    format_->erase(*decoded_, space::RunSet::of_runs(std::move(erased)));
  }
  /// Goes through the file. The encoding of what comes back is the same again.
  void store(chunk::ChunkEdge edge) {
    const chunk::StoredChunk stored = format_->encode(*decoded_, edge);
    decoded_ = format_->decode(stored.view(edge));
    EXPECT_EQ(to_hex(format_->encode(*decoded_, edge).bytes), to_hex(stored.bytes));
  }
  /// Replaces the chunk by one of which all elements are written as it is encoded.
  void store_all(chunk::ChunkEdge edge) {
    const Runs runs = all_runs();
    const std::vector<int> numbers = new_values(runs);
    Case::Elements::give(numbers, [&](const chunk::Values& v) {
      decoded_ = format_->decode(format_->write_stored(runs, v, edge).view(edge));
    });
  }
  /// The original goes its own way.
  void copy() {
    const auto original = std::move(decoded_);
    decoded_ = format_->copy(*original);
    format_->erase(*original, space::RunSet({0, elements()}));
  }

  /// Returns what a read of the runs must return. Memory that no run refers to stays -1.
  std::vector<int> expected(const Runs& runs) const {
    std::vector<int> expected(elements(), -1);
    for (const auto& run : runs)
      for (std::uint64_t i = 0; i < run.length; ++i)
        expected[run.memory + i] = values_[run.chunk_offset + i].value_or(suite_fill);
    return expected;
  }
  /// Reads the runs from a decoded chunk, which may be another one than decoded().
  std::vector<int> read(const chunk::DecodedChunk& from, const Runs& runs) const {
    return Case::Elements::take(elements(), [&](const chunk::Values& v) { format_->read(from, runs, v); });
  }
  /// Returns the elements that must be defined.
  space::RunSet defined() const {
    std::vector<space::Run> runs;
    for (std::uint64_t at = 0; at < elements(); ++at)
      if (has_value(at)) runs.push_back({at, 1});
    return space::RunSet::of_runs(std::move(runs));
  }

 private:
  /// Draws a value for every element of the runs, and keeps it as the expected one.
  std::vector<int> new_values(const Runs& runs) {
    std::vector<int> numbers;
    for (const auto& run : runs) {
      for (std::uint64_t i = 0; i < run.length; ++i) {
        numbers.push_back(static_cast<int>(below(10'000)));
        values_[run.chunk_offset + i] = numbers.back();
      }
    }
    return numbers;
  }

  std::unique_ptr<const chunk::ChunkFormat> format_;
  std::unique_ptr<chunk::DecodedChunk> decoded_;
  std::vector<std::optional<int>> values_;
  std::mt19937 random_;
};

/// Chunks within the extent, and chunks that reach over its edge.
inline constexpr std::array both_edges{chunk::ChunkEdge::full, chunk::ChunkEdge::partial};

template <class Case>
class ChunkFormatSuite : public ::testing::Test {
 protected:
  using Twin = FormatTwin<Case>;

  /// Runs `test(twin, variant)` for each way of filtering and some shapes of chunks.
  template <class Test>
  static void for_each_twin(Test test) {
    unsigned seed = 1;
    for (const FilterVariant& variant : filter_variants()) {
      for (const auto& dims : std::vector<std::vector<std::uint64_t>>{{1}, {13}, {64}, {4, 5}, {3, 2, 7}}) {
        Twin twin(dims, variant, ++seed);
        test(twin, variant);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  /// A few random changes.
  static void change(Twin& twin) {
    for (int i = 0; i < 3; ++i) twin.write(twin.some_runs());
    twin.erase(twin.some_runs());
    twin.write_points();
  }
  /// Returns the part of the stored bytes that suffices to find the defined elements.
  static chunk::StoredChunkView part_of(const Twin& twin, const chunk::StoredChunk& stored,
                                        chunk::ChunkEdge edge) {
    const chunk::DefinedElements& defined = *twin.format().defined_elements();
    chunk::StoredChunkView part = stored.view(edge);
    const space::Run most = defined.defined_part(stored.info, stored.bytes.size());
    part.bytes = Bytes(stored.bytes).first(std::min(defined.header_bytes(), stored.bytes.size()));
    const space::Run run = defined.defined_part_of(part);
    EXPECT_TRUE(run.start >= most.start && run.end() <= most.end());
    part.bytes = Bytes(stored.bytes).subspan(run.start, run.length);
    return part;
  }
  /// Expects that the chunk defines the elements that the twin has.
  static void check_defined(const Twin& twin) {
    const chunk::DefinedElements* const defined = twin.format().defined_elements();
    if (defined == nullptr) return;
    ASSERT_EQ(defined->defined(twin.decoded()), twin.defined());
    ASSERT_EQ(defined->is_empty(twin.decoded()), twin.defined().empty());
  }
  /// Damaged bytes are refused, or make a chunk that can be used. Returns whether they were refused.
  static bool is_refused(const Twin& twin, const chunk::StoredChunkView& damaged) {
    try {
      const auto decoded = twin.format().decode(damaged);
      twin.read(*decoded, twin.all_runs());
      twin.format().encode(*decoded, damaged.edge);
      return false;
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal) << error.what();
      return true;
    }
  }
};

TYPED_TEST_SUITE_P(ChunkFormatSuite);

TYPED_TEST_P(ChunkFormatSuite, BlankChunksHaveTheFillValue) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    EXPECT_EQ(twin.read(twin.decoded(), twin.all_runs()), twin.expected(twin.all_runs()));
    ChunkFormatSuite<TypeParam>::check_defined(twin);
    for (const chunk::ChunkEdge edge : both_edges) {
      const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
      const auto back = twin.format().decode(stored.view(edge));
      EXPECT_EQ(twin.read(*back, twin.all_runs()), twin.expected(twin.all_runs()));
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, BehavesLikeAnArrayWithAMask) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    for (int step = 0; step < 60; ++step) {
      const chunk::ChunkEdge edge = both_edges[twin.below(2)];
      switch (twin.below(8)) {
        case 0:
          twin.store(edge);
          break;
        case 1:
          twin.store_all(edge);
          break;
        case 2:
          twin.copy();
          break;
        case 3:
        case 4:
          twin.erase(twin.some_runs());
          break;
        case 5:
          twin.write_points();
          break;
        default:
          twin.write(twin.some_runs());
      }
      const auto some = twin.some_runs();
      ASSERT_EQ(twin.read(twin.decoded(), some), twin.expected(some));
      ASSERT_EQ(twin.read(twin.decoded(), twin.all_runs()), twin.expected(twin.all_runs()));
      ChunkFormatSuite<TypeParam>::check_defined(twin);
      ASSERT_GT(twin.decoded().memory_bytes(), 0u);
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, ErasedChunksAreBlank) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    ChunkFormatSuite<TypeParam>::change(twin);
    twin.erase(twin.all_runs());
    EXPECT_EQ(twin.read(twin.decoded(), twin.all_runs()), twin.expected(twin.all_runs()));
    EXPECT_EQ(to_hex(twin.format().encode(twin.decoded(), chunk::ChunkEdge::full).bytes),
              to_hex(twin.format().encode(*twin.format().blank(), chunk::ChunkEdge::full).bytes));
    ChunkFormatSuite<TypeParam>::check_defined(twin);
  });
}

TYPED_TEST_P(ChunkFormatSuite, TakesOutSomeElements) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    const chunk::DefinedElements* const defined = twin.format().defined_elements();
    if (defined == nullptr) return;
    ChunkFormatSuite<TypeParam>::change(twin);
    const std::uint64_t end = twin.elements();
    for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, end}) {
      std::vector<space::Run> wanted;
      for (std::uint64_t at = 0; at < end; at += 2 * step) wanted.push_back({at, std::min(step, end - at)});
      std::vector<std::uint64_t> offsets;
      std::vector<std::size_t> ends;
      for (const space::Run& run : wanted) {
        for (std::uint64_t at = run.start; at < run.end(); ++at)
          if (twin.has_value(at)) offsets.push_back(at);
        ends.push_back(offsets.size());
      }
      const auto check = [&](const chunk::TakenElements& taken) {
        EXPECT_EQ(taken.offsets, offsets);
        EXPECT_EQ(taken.ends, ends);
      };
      check(defined->take(twin.decoded(), wanted, false));
      for (const chunk::ChunkEdge edge : both_edges) {
        const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
        check(defined->take_defined(ChunkFormatSuite<TypeParam>::part_of(twin, stored, edge), wanted));
        if (twin.format().offset_codec() == nullptr) continue;  // variable lengths
        const auto decoded = twin.format().decode(stored.view(edge));
        const chunk::TakenElements taken = defined->take(*decoded, wanted, true);
        check(taken);
        EXPECT_EQ(taken.values, defined->take(twin.decoded(), wanted, true).values);
        EXPECT_EQ(taken.values.size(), offsets.size() * TypeParam::Elements::type().size);
      }
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, ShowsTheElementsThatItHolds) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    ChunkFormatSuite<TypeParam>::change(twin);
    const std::uint64_t held = twin.defines_all() ? twin.elements() : twin.defined().elements();
    const std::size_t size = TypeParam::Elements::type().size;
    std::uint64_t shown = 0;
    twin.format().for_each_value(twin.decoded(),
                                 FunctionRef<void(Bytes)>([&](Bytes some) { shown += some.size(); }));
    EXPECT_EQ(shown, held * size);
    if (const chunk::DefinedElements* const defined = twin.format().defined_elements()) {
      Buffer buffer;
      EXPECT_EQ(defined->values(twin.decoded(), buffer).size(), held * size);
      EXPECT_EQ(defined->count(twin.decoded()), held);
    }
    // A change by the second form is seen by the first.
    const auto changed = twin.format().copy(twin.decoded());
    twin.format().for_each_value(*changed, FunctionRef<void(MutableBytes)>([](MutableBytes some) {
      std::ranges::fill(some, std::byte{0});
    }));
    bool all_zero = true;
    const chunk::DecodedChunk& seen = *changed;
    twin.format().for_each_value(seen, FunctionRef<void(Bytes)>([&](Bytes some) {
                                   all_zero &= std::ranges::all_of(
                                       some, [](std::byte b) { return b == std::byte{0}; });
                                 }));
    EXPECT_TRUE(all_zero);
  });
}

TYPED_TEST_P(ChunkFormatSuite, ReadsStoredChunksLikeDecodedOnes) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    ChunkFormatSuite<TypeParam>::change(twin);
    const auto runs = twin.some_runs();
    for (const chunk::ChunkEdge edge : both_edges) {
      const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
      const auto read = TypeParam::Elements::take(twin.elements(), [&](const chunk::Values& v) {
        twin.format().read_stored(stored.view(edge), runs, v);
      });
      EXPECT_EQ(read, twin.expected(runs));
      chunk::StoredChunk buffer;
      EXPECT_EQ(to_hex(chunk::encode_view(twin.format(), twin.decoded(), edge, buffer)),
                to_hex(stored.bytes));
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, EncodesPartialEdgesAsItsTraitsSay) {
  this->for_each_twin([](auto& twin, const FilterVariant& variant) {
    ChunkFormatSuite<TypeParam>::change(twin);
    const chunk::StoredChunk full = twin.format().encode(twin.decoded(), chunk::ChunkEdge::full);
    const chunk::StoredChunk partial = twin.format().encode(twin.decoded(), chunk::ChunkEdge::partial);
    const bool differ = twin.format().traits(full.bytes.size()).partial_edges_differ;
    EXPECT_EQ(differ, !variant.filters.empty() && !variant.filter_partial_edges);
    if (!differ) {
      EXPECT_EQ(to_hex(full.bytes), to_hex(partial.bytes));
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, UnfilteredChunksAreStoredAsInMemory) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    ChunkFormatSuite<TypeParam>::change(twin);
    for (const chunk::ChunkEdge edge : both_edges) {
      const chunk::UnfilteredLayout* const layout = twin.format().unfiltered(edge);
      if (layout == nullptr) continue;
      const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
      EXPECT_EQ(to_hex(layout->stored_bytes(twin.decoded())), to_hex(stored.bytes));
      MutableBytes unread;
      const auto read = layout->make_unread(stored.bytes.size(), unread);
      ASSERT_TRUE(read);
      std::ranges::copy(stored.bytes, unread.begin());
      EXPECT_EQ(twin.read(*read, twin.all_runs()), twin.expected(twin.all_runs()));
      EXPECT_FALSE(layout->make_unread(stored.bytes.size() + 1, unread));
      EXPECT_EQ(twin.read(*layout->adopt(stored.bytes), twin.all_runs()), twin.expected(twin.all_runs()));
      EXPECT_THROW(layout->adopt(Buffer(stored.bytes.size() + 1)), Error);
      const std::vector<int> numbers(twin.elements(), 42);
      Buffer chunk(stored.bytes.size());
      TypeParam::Elements::give(numbers, [&](const chunk::Values& v) {
        layout->write_unfiltered(twin.all_runs(), v, edge, chunk);
      });
      EXPECT_EQ(twin.read(*layout->adopt(chunk), twin.all_runs()), numbers);
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, FindsDefinedElementsInStoredChunks) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    const chunk::DefinedElements* const defined = twin.format().defined_elements();
    if (defined == nullptr) return;
    ChunkFormatSuite<TypeParam>::change(twin);
    const auto runs = twin.some_runs();
    std::vector<space::Run> wanted;
    for (const auto& run : runs) wanted.push_back({run.chunk_offset, run.length});
    for (const chunk::ChunkEdge edge : both_edges) {
      const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
      const chunk::StoredChunkView part = ChunkFormatSuite<TypeParam>::part_of(twin, stored, edge);
      EXPECT_EQ(defined->decode_defined(part), twin.defined());
      if (!defined->finds_values(edge)) continue;
      const chunk::StoredValues found = defined->find_values(part, space::RunSet::of_runs(wanted));
      Buffer values;
      for (const space::Run& run : found.bytes) {
        const Bytes bytes = Bytes(stored.bytes).subspan(run.start, run.length);
        values.insert(values.end(), bytes.begin(), bytes.end());
      }
      EXPECT_EQ(twin.read(*defined->assemble(found, std::move(values)), runs), twin.expected(runs));
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, ListsElementsAndIsMadeOfLists) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    const chunk::OffsetCodec* const codec = twin.format().offset_codec();
    if (codec == nullptr) return;
    ChunkFormatSuite<TypeParam>::change(twin);
    std::vector<std::uint32_t> offsets;
    for (std::uint64_t at = 0; at < twin.elements(); ++at)
      if (twin.has_value(at)) offsets.push_back(static_cast<std::uint32_t>(at));
    for (const chunk::ChunkEdge edge : both_edges) {
      const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
      const auto declared = twin.format().defined_elements()->declared_elements(stored.view(edge));
      ASSERT_TRUE(declared);
      EXPECT_GE(*declared, offsets.size());
      chunk::ChunkElements listed = codec->decode_elements(stored.view(edge));
      EXPECT_EQ(filter::listed(std::move(listed.offsets), offsets.size()), offsets);
      EXPECT_EQ(codec->list_elements(twin.decoded()).offsets.list, offsets);
      const chunk::StoredChunk made = codec->encode_elements(offsets, listed.values, edge);
      EXPECT_EQ(twin.read(*twin.format().decode(made.view(edge)), twin.all_runs()),
                twin.expected(twin.all_runs()));
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, RefusesTruncatedChunks) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    ChunkFormatSuite<TypeParam>::change(twin);
    twin.write({{0, 0, 0, 1}});
    for (const chunk::ChunkEdge edge : both_edges) {
      const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
      for (std::size_t kept = 0; kept < stored.bytes.size(); ++kept) {
        // A copy of exact size, so that the sanitizer sees a read beyond it.
        const Buffer bytes(stored.bytes.begin(), stored.bytes.begin() + static_cast<std::ptrdiff_t>(kept));
        ASSERT_TRUE(ChunkFormatSuite<TypeParam>::is_refused(twin, chunk::view_of(bytes, stored.info, edge)))
            << kept << " of " << stored.bytes.size();
      }
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, SurvivesChangedBits) {
  this->for_each_twin([](auto& twin, const FilterVariant& variant) {
    ChunkFormatSuite<TypeParam>::change(twin);
    twin.write({{0, 0, 0, 1}});
    const chunk::ChunkEdge edge = chunk::ChunkEdge::full;
    const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
    for (std::size_t bit = 0; bit < stored.bytes.size() * 8; ++bit) {
      Buffer bytes = stored.bytes;
      bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      const chunk::StoredChunkView damaged = chunk::view_of(bytes, stored.info, edge);
      if (ChunkFormatSuite<TypeParam>::is_refused(twin, damaged)) continue;
      const auto decoded = twin.format().decode(damaged);
      if (variant.detects_changes) {
        ASSERT_EQ(twin.read(*decoded, twin.all_runs()), twin.expected(twin.all_runs())) << bit;
      }
      // Which elements are defined is protected by a checksum in any case.
      if (const chunk::DefinedElements* const defined = twin.format().defined_elements()) {
        ASSERT_EQ(defined->defined(*decoded), twin.defined()) << bit;
      }
    }
  });
}

TYPED_TEST_P(ChunkFormatSuite, SurvivesWrongEntriesOfTheIndex) {
  this->for_each_twin([](auto& twin, const FilterVariant&) {
    ChunkFormatSuite<TypeParam>::change(twin);
    twin.write({{0, 0, 0, 1}});
    const chunk::ChunkEdge edge = chunk::ChunkEdge::full;
    const chunk::StoredChunk stored = twin.format().encode(twin.decoded(), edge);
    const auto check = [&](const chunk::StoredChunkInfo& info) {
      ChunkFormatSuite<TypeParam>::is_refused(twin, chunk::view_of(stored.bytes, info, edge));
    };
    for (std::size_t bit = 0; bit < 64; ++bit) {
      chunk::StoredChunkInfo info = stored.info;
      info.filter_mask ^= std::uint32_t{1} << bit % 32;
      check(info);
      info = stored.info;
      info.sections.count ^= static_cast<std::uint8_t>(1u << bit % 3);
      check(info);
      for (std::size_t section = 0; section < stored.info.sections.count; ++section) {
        info = stored.info;
        info.sections.offsets[section] ^= std::uint64_t{1} << bit;
        check(info);
        info = stored.info;
        info.sections.unfiltered_bytes[section] ^= std::uint64_t{1} << bit;
        check(info);
        info = stored.info;
        info.sections.filter_masks[section] ^= std::uint32_t{1} << bit % 32;
        check(info);
      }
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(ChunkFormatSuite, BlankChunksHaveTheFillValue, BehavesLikeAnArrayWithAMask,
                            ErasedChunksAreBlank, TakesOutSomeElements, ShowsTheElementsThatItHolds,
                            ReadsStoredChunksLikeDecodedOnes, EncodesPartialEdgesAsItsTraitsSay,
                            UnfilteredChunksAreStoredAsInMemory, FindsDefinedElementsInStoredChunks,
                            ListsElementsAndIsMadeOfLists, RefusesTruncatedChunks, SurvivesChangedBits,
                            SurvivesWrongEntriesOfTheIndex);

}  // namespace filigree::testing
