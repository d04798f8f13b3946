// SPDX-License-Identifier: Apache-2.0
//
// Transfers of several datasets.
//
//  1. Transfers of virtual datasets are divided into those of their sources. Then all are grouped by their
//     files. A group is worth a common request if a user-defined driver takes more than one range of bytes at
//     a time.
//  2. Under one lock, each dataset adds its elements to the request. Datasets that cannot are left over: they
//     are compact or external, or merge too many elements.
//  3. The request is sent. What remains to be done then, such as decoding, is done under the same lock.
//  4. The rest is read or written one by one.
//
// A write has a request before step 2 for elements and chunks that it is merged with. Several writes of a
// dataset have the effect of their order; see model::DatasetWrites.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <filigree/dataset.hpp>

#include "api/conversion_access.hpp"
#include "api/filter_faults.hpp"
#include "api/transfer_selections.hpp"
#include "api/type_access.hpp"
#include "base/context.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "model/virtual/virtual_layout.hpp"

namespace filigree::api {

/// Whether several datasets of a file share a request.
bool shares_requests(const model::File& file);
/// Whether a dataset must be transferred by itself: its extent depends on other files, or is divided.
bool is_separate(const model::Dataset& dataset);

/// A dataset of a request: that of an item, or a source of its virtual dataset.
template <class Item>
struct Part {
  const Item* item = nullptr;
  const model::OpenObject* object = nullptr;
  std::optional<model::SourcePart> source{};

  const std::shared_ptr<model::File>& file() const { return source ? source->location.file : object->file(); }
  Address header() const { return source ? source->location.header : object->header(); }
  std::string text() const {
    if (!source) return object->text();
    return fmt::format("source '{}' of {}", source->location.path, object->text());
  }
};

/// One transfer, with all that its steps refer to.
template <class Item>
class Planned {
 public:
  explicit Planned(const Part<Item>& part)
      : dataset(*part.file(), part.header()),
        item_(*part.item),
        in_memory_(part.source ? part.source->memory : memory_selection(item_.options, item_.count)),
        conversions_(item_.options),
        faults_(item_.options) {
    if (part.source) in_file_ = part.source->elements;
  }

  model::Transfer transfer() {
    if (!in_file_) in_file_ = file_selection(dataset, item_.selection);
    const auto& [rules, on_fault, memory] = conversions_.choice();
    model::Transfer made{*in_file_, in_memory_, TypeAccess::impl(item_.memory_type).message,
                         rules,     on_fault,   memory};
    made.verify_checksums = item_.options.verify_checksums;
    made.on_filter_fault = faults_.handler();
    made.selections = item_.options.selection_io;
    return made;
  }
  /// Whether a source still has the extent that it was selected in.
  bool is_current() { return transfer().file_elements.frame().dims() == dataset.messages().space.dims; }

  model::Dataset dataset;

 private:
  const Item& item_;
  space::Selection in_memory_;
  std::optional<space::Selection> in_file_;
  Conversions conversions_;
  FilterFaults faults_;
};

/// The transfers of one file.
template <class Item>
struct FileParts {
  std::shared_ptr<model::File> file;
  std::vector<Part<Item>> parts;

  /// Returns whether one request is worth it, and possible.
  bool share_a_request() const {
    const auto wants_selections = [](const Part<Item>& part) { return part.item->options.selection_io; };
    return parts.size() > 1 && shares_requests(*file) && std::ranges::all_of(parts, wants_selections);
  }
};

template <class Item>
using Groups = std::deque<FileParts<Item>>;

template <class Item>
void add(Groups<Item>& groups, Part<Item> part) {
  const auto same =
      std::ranges::find_if(groups, [&](const auto& group) { return group.file == part.file(); });
  FileParts<Item>& group = same == groups.end() ? groups.emplace_back() : *same;
  group.file = part.file();
  group.parts.push_back(std::move(part));
}

/// Runs `work()` with the name of the dataset in errors.
template <class Item, class Work>
decltype(auto) with_part(const Part<Item>& part, const char* doing, Work work) {
  return in_context([&] { return std::string(doing) + ' ' + part.text(); }, work);
}

template <class Batch>
void send(Batch& batch, const char* doing, std::size_t datasets, const model::File& file) {
  in_context([&] { return fmt::format("{} {} datasets of '{}'", doing, datasets, file.name()); },
             [&] { batch.send(); });
}

}  // namespace filigree::api
