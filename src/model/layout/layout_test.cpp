// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/test_parts.hpp"

namespace filigree::model {
namespace {

using format::LayoutClass;

/// A dataset of each layout, and what the layout must say about it.
struct Case {
  const char* name;
  NewDataset made;
  const Layout& (*expected)();
  bool resizable = false;
  bool chunked = false;
  bool allocated = false;  ///< has stored elements before the first write
};

NewDataset growing(LayoutClass layout) {
  NewDataset made = plain({4, 6});
  made.space.max_dims = std::vector<std::uint64_t>{8, 6};
  made.layout = layout;
  return made;
}

NewDataset in_chunks(LayoutClass layout, bool sparse) {
  NewDataset made = growing(layout);
  made.chunk = {2, 3};
  made.sparse = sparse;
  return made;
}

std::vector<Case> cases() {
  NewDataset compact = plain({4, 6});
  compact.layout = LayoutClass::compact;
  NewDataset external = growing(LayoutClass::contiguous);
  external.external = {{"elements.raw", 0, 8 * 6 * 4}};
  NewDataset strings_in_chunks = strings(4);
  strings_in_chunks.layout = LayoutClass::structured;
  strings_in_chunks.chunk = {2};
  return {
      {"compact", compact, compact_layout, false, false, true},
      {"contiguous", plain({4, 6}), contiguous_layout},
      {"external", external, external_layout, true, false, true},
      {"chunked", in_chunks(LayoutClass::chunked, false), chunked_layout, true, true},
      {"structured", strings_in_chunks, structured_layout, false, true},
      {"sparse", in_chunks(LayoutClass::structured, true), sparse_layout, true, true},
      {"portable", in_chunks(LayoutClass::chunked, true), portable_layout, true, true},
      {"virtual", growing(LayoutClass::virtual_dataset), virtual_layout, true},
  };
}

TEST(Layout, IsTheSameForCreationOptionsAndForMessages) {
  const auto file = make_file({}, Version::latest);
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(&layout_of(one.made), &one.expected());
    const Dataset dataset(*file, create_dataset(*file, one.made));
    EXPECT_EQ(&dataset.layout(), &one.expected());
    // External files are not part of the layout message.
    const bool external = !one.made.external.empty();
    // Nor is the filter of portable chunks.
    const bool portable = dataset.messages().is_portable();
    EXPECT_EQ(&layout_of(dataset.messages().layout), external   ? &contiguous_layout()
                                                     : portable ? &chunked_layout()
                                                                : &one.expected());
  }
}

TEST(Layout, SaysWhatADatasetCanDo) {
  const auto file = make_file({}, Version::latest);
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Dataset dataset(*file, create_dataset(*file, one.made));
    EXPECT_EQ(dataset.layout().sparse() != nullptr, one.made.sparse);
    EXPECT_EQ(dataset.stored_bytes(), one.allocated ? dataset.messages().data_bytes : 0u);
    if (one.chunked) {
      EXPECT_NE(dataset.layout().open_chunks(dataset), nullptr);
    } else {
      EXPECT_THROW(dataset.layout().open_chunks(dataset), Error);
    }
    if (one.resizable) {
      dataset.resize({6, 6});
      EXPECT_EQ(dataset.extent().dims, (std::vector<std::uint64_t>{6, 6}));
      EXPECT_THROW(dataset.resize({9, 6}), Error);
    } else {
      EXPECT_THROW(dataset.resize({6, 6}), Error);
    }
  }
}

TEST(Layout, SaysHowSeveralProcessesWriteIt) {
  const auto file = make_file({}, Version::latest);
  using Form = ParallelWrite::Form;
  const std::map<std::string, Form> expected{
      {"compact", Form::gathered},  {"contiguous", Form::in_place}, {"external", Form::refused},
      {"chunked", Form::in_place},  {"structured", Form::gathered}, {"sparse", Form::gathered},
      {"portable", Form::gathered}, {"virtual", Form::refused},
  };
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const Dataset dataset(*file, create_dataset(*file, one.made));
    EXPECT_EQ(dataset.layout().parallel_write(dataset.messages()).form, expected.at(one.name));
    // Space at creation is for datasets that are written in place.
    EXPECT_EQ(dataset.layout().wants_early_space(one.made), expected.at(one.name) == Form::in_place);
    EXPECT_EQ(dataset.layout().has_sections(), one.made.layout == LayoutClass::structured);
    EXPECT_EQ(dataset.layout().has_sources(), one.made.layout == LayoutClass::virtual_dataset);
  }
  NewDataset deflated = in_chunks(LayoutClass::chunked, false);
  deflated.filters = {{1, 0, "", {6}, 0}};
  const Dataset dataset(*file, create_dataset(*file, deflated));
  EXPECT_EQ(dataset.layout().parallel_write(dataset.messages()).form, Form::gathered);
  EXPECT_FALSE(dataset.layout().wants_early_space(deflated));
}

TEST(Layout, FindsElementsThatAreStoredAsOneSequenceOfBytes) {
  const auto file = make_file({}, Version::latest);
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const Dataset dataset(*file, create_dataset(*file, one.made));
    const auto stored = dataset.layout().stored_elements(dataset.messages());
    EXPECT_EQ(stored.has_value(), one.expected == compact_layout);
    EXPECT_EQ(dataset.layout().is_one_block(), one.expected == contiguous_layout);
    if (stored) {
      EXPECT_FALSE(is_valid(stored->address));
      EXPECT_EQ(stored->in_header.size(), dataset.messages().data_bytes);
    }
  }
  NewDataset early = plain({4, 6});
  early.allocation = format::AllocationTime::early;
  const Dataset dataset(*file, create_dataset(*file, early));
  const auto stored = dataset.layout().stored_elements(dataset.messages());
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->address, dataset.messages().layout.address);
}

TEST(Layout, OfADatasetThatIsNotSparseDefinesAllElementsAndErasesNone) {
  const auto file = make_file({}, Version::latest);
  for (const Case& one : cases()) {
    if (one.made.sparse) continue;
    SCOPED_TRACE(one.name);
    const Dataset dataset(*file, create_dataset(*file, one.made));
    const auto all = space::Selection::all(space::Frame(dataset.extent().dims));
    EXPECT_EQ(dataset.defined(all).elements(), all.elements());
    EXPECT_THROW(dataset.erase(all), Error);
  }
}

}  // namespace
}  // namespace filigree::model
