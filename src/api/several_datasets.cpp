// SPDX-License-Identifier: Apache-2.0
//
// Transfers of several datasets.
//
//  1. Reads of virtual datasets are divided into reads of their sources. Then all transfers are grouped by
//     their files. A group is worth a common request if a user-defined driver takes more than one range of
//     bytes at a time.
//  2. Under one lock, each dataset adds its elements to the request. Datasets that cannot are left over: they
//     are external, or they are contiguous and a write merges with their elements.
//  3. The request is sent. What remains to be done then, such as decoding, is done under the same lock.
//  4. The rest is read or written one by one.
//
// A write has a request before step 2 for chunks that elements are merged into. A dataset that is listed
// twice may find its own unfinished request. Its writes are in one request only if they touch different
// chunks or, if it is contiguous, different boxes of elements.
#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <filigree/dataset.hpp>

#include "api/conversion_access.hpp"
#include "api/filter_faults.hpp"
#include "api/transfer_selections.hpp"
#include "api/type_access.hpp"
#include "api/with_dataset.hpp"
#include "base/context.hpp"
#include "base/file_lock.hpp"
#include "io/user/user_driver_file.hpp"
#include "model/file/file.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/selected_values.hpp"
#include "model/object/object.hpp"
#include "model/virtual/virtual_layout.hpp"
#include "store/file_store.hpp"

namespace filigree {
namespace {

bool shares_requests(const model::File& file) {
  const io::VirtualFile& driver = file.store().file();
  const io::DriverCapabilities& able = driver.capabilities();
  return able.selections || (able.vector_extents > 1 && io::find_user_driver_file(driver) != nullptr);
}

/// Whether a dataset must be transferred by itself: its extent depends on other files, or is divided.
bool is_separate(const model::Dataset& dataset) {
  return dataset.layout().computes_extent() || dataset.is_huge();
}

/// A dataset of a request: that of an item, or a source of its virtual dataset.
template <class Item>
struct Part {
  const Item* item = nullptr;
  const model::OpenObject* object = nullptr;
  std::optional<model::SourceRead> source{};

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
        in_memory_(part.source ? part.source->memory : api::memory_selection(item_.options, item_.count)),
        conversions_(item_.options),
        faults_(item_.options) {
    if (part.source) in_file_ = part.source->elements;
  }

  model::Transfer transfer() {
    if (!in_file_) in_file_ = api::file_selection(dataset, item_.selection);
    const auto& [rules, on_fault, memory] = conversions_.choice();
    model::Transfer made{*in_file_, in_memory_, api::TypeAccess::impl(item_.memory_type).message,
                         rules,     on_fault,   memory};
    made.verify_checksums = item_.options.verify_checksums;
    made.on_filter_fault = faults_.handler();
    return made;
  }
  /// Whether a source still has the extent that it was selected in.
  bool is_current() { return transfer().file_elements.frame().dims() == dataset.messages().space.dims; }

  model::Dataset dataset;

 private:
  const Item& item_;
  space::Selection in_memory_;
  std::optional<space::Selection> in_file_;
  api::Conversions conversions_;
  api::FilterFaults faults_;
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

/// Runs `work(planned)` with the name of the dataset in errors.
template <class Item, class Work>
decltype(auto) plan_part(const Part<Item>& part, const char* doing, Planned<Item>& planned, Work work) {
  return in_context([&] { return std::string(doing) + ' ' + part.text(); }, [&] { return work(planned); });
}

template <class Batch>
void send(Batch& batch, const char* doing, std::size_t datasets, const model::File& file) {
  in_context([&] { return fmt::format("{} {} datasets of '{}'", doing, datasets, file.name()); },
             [&] { batch.send(); });
}

// Reading.

/// Adds the sources of a virtual dataset. Returns false if it must be read separately, or is not virtual.
bool add_sources(Groups<DatasetRead>& groups, const DatasetRead& item, const model::OpenObject& object) {
  if (!item.options.selection_io || !shares_requests(*object.file())) return false;
  return api::with_dataset(object, "reading", [&](const model::Dataset& dataset) {
    if (!dataset.layout().computes_extent()) return false;
    std::vector<model::SourceRead> sources;
    Planned<DatasetRead> planned({&item, &object});
    const bool divided =
        planned.dataset.plan_sources(planned.transfer(), static_cast<std::byte*>(item.elements),
                                     [&](const model::SourceRead& source) { sources.push_back(source); });
    for (model::SourceRead& source : sources)
      if (divided) add(groups, {&item, &object, std::move(source)});
    return divided;
  });
}

/// Returns whether nothing is left to do. A source that cannot be planned is read at once.
bool plan_read(const Part<DatasetRead>& part, Planned<DatasetRead>& planned, io::SelectionReads& batch) {
  const model::Dataset& dataset = planned.dataset;
  auto* const memory = static_cast<std::byte*>(part.item->elements);
  if (!part.source) {
    if (is_separate(dataset)) return false;
    return dataset.plan_read(planned.transfer(), memory, batch);
  }
  if (is_separate(dataset) || !planned.is_current()) return false;
  if (!dataset.plan_read(planned.transfer(), memory, batch)) dataset.read(planned.transfer(), memory);
  return true;
}

/// Reads a group with one request. Returns the items that are left over.
std::vector<const DatasetRead*> read_group(const FileParts<DatasetRead>& group) {
  const FileLock::Shared shared(group.file->lock());
  io::SelectionReads batch = model::make_reads(*group.file);
  std::vector<const DatasetRead*> rest;
  std::deque<Planned<DatasetRead>> planned;
  for (const Part<DatasetRead>& part : group.parts) {
    const bool added = plan_part(part, "reading", planned.emplace_back(part),
                                 [&](Planned<DatasetRead>& one) { return plan_read(part, one, batch); });
    if (!added) rest.push_back(part.item);
  }
  send(batch, "reading", group.parts.size(), *group.file);
  return rest;
}

/// Returns the items that are to be read separately, each once.
std::vector<const DatasetRead*> read_groups(const Groups<DatasetRead>& groups) {
  std::vector<const DatasetRead*> rest;
  for (const FileParts<DatasetRead>& group : groups) {
    if (group.share_a_request()) {
      const auto more = read_group(group);
      rest.insert(rest.end(), more.begin(), more.end());
    } else {
      for (const Part<DatasetRead>& part : group.parts) rest.push_back(part.item);
    }
  }
  std::ranges::sort(rest);
  rest.erase(std::unique(rest.begin(), rest.end()), rest.end());
  return rest;
}

// Writing.

/// Returns whether two writes of one dataset can be in one request.
bool are_independent(const Part<DatasetWrite>& a, const Part<DatasetWrite>& b) {
  return api::with_dataset(*a.object, "writing", [&](const model::Dataset& dataset) {
    if (is_separate(dataset)) return false;
    const auto first = api::file_selection(dataset, a.item->selection).bounds();
    const auto second = api::file_selection(dataset, b.item->selection).bounds();
    return !first || !second || dataset.layout().are_independent(dataset, *first, *second);
  });
}

/// Divides a group where a write depends on an earlier one.
Groups<DatasetWrite> divide(const FileParts<DatasetWrite>& group) {
  Groups<DatasetWrite> divided;
  divided.push_back({group.file, {}});
  for (const Part<DatasetWrite>& part : group.parts) {
    const auto depends = [&](const Part<DatasetWrite>& earlier) {
      return earlier.header() == part.header() && !are_independent(earlier, part);
    };
    if (std::ranges::any_of(divided.back().parts, depends)) divided.push_back({group.file, {}});
    divided.back().parts.push_back(part);
  }
  return divided;
}

/// Writes a group with one request. Returns the items that are left over.
std::vector<const DatasetWrite*> write_group(const FileParts<DatasetWrite>& group) {
  const FileLock::Shared shared(group.file->lock());
  const model::Change change(*group.file, "write datasets");
  std::vector<const DatasetWrite*> rest;
  std::deque<Planned<DatasetWrite>> planned;
  std::vector<Planned<DatasetWrite>*> written;
  std::vector<const Part<DatasetWrite>*> parts;
  io::SelectionReads reads = model::make_reads(*group.file);
  for (const Part<DatasetWrite>& part : group.parts) {
    plan_part(part, "writing", planned.emplace_back(part), [&](Planned<DatasetWrite>& one) {
      if (is_separate(one.dataset)) return rest.push_back(part.item);
      one.dataset.plan_read_before_write(one.transfer(), reads);
      written.push_back(&one);
      parts.push_back(&part);
    });
  }
  send(reads, "reading before writing", written.size(), *group.file);
  io::SelectionWrites batch = model::make_writes(*group.file);
  for (std::size_t i = 0; i < written.size(); ++i) {
    const bool added = plan_part(*parts[i], "writing", *written[i], [&](Planned<DatasetWrite>& one) {
      // An earlier plan may have changed the messages of a dataset that is listed twice.
      const model::Dataset now(*group.file, parts[i]->header());
      return now.plan_write(one.transfer(), static_cast<const std::byte*>(parts[i]->item->elements), batch);
    });
    if (!added) rest.push_back(parts[i]->item);
  }
  send(batch, "writing", written.size(), *group.file);
  return rest;
}

}  // namespace

void Dataset::read_several(std::span<const DatasetRead> reads) {
  Groups<DatasetRead> groups;
  for (const DatasetRead& read : reads) {
    const model::OpenObject& object = *read.dataset.impl_;
    if (!add_sources(groups, read, object)) add(groups, {&read, &object});
  }
  for (const DatasetRead* read : read_groups(groups)) {
    read->dataset.read_elements(read->memory_type, read->elements, read->count, read->selection,
                                read->options);
  }
}

void Dataset::write_several(std::span<const DatasetWrite> writes) {
  const auto write_one = [](const DatasetWrite& write) {
    Dataset(write.dataset)
        .write_elements(write.memory_type, write.elements, write.count, write.selection, write.options);
  };
  Groups<DatasetWrite> groups;
  for (const DatasetWrite& write : writes) add(groups, {&write, write.dataset.impl_.get()});
  for (const FileParts<DatasetWrite>& group : groups) {
    if (!group.share_a_request()) {
      for (const Part<DatasetWrite>& part : group.parts) write_one(*part.item);
      continue;
    }
    for (const FileParts<DatasetWrite>& some : divide(group))
      for (const DatasetWrite* write : write_group(some)) write_one(*write);
  }
}

}  // namespace filigree
