// SPDX-License-Identifier: Apache-2.0
//
// Transfers of several datasets.
//
//  1. The transfers are grouped by their files. A group is worth a common request if a user-defined driver
//     takes more than one range of bytes at a time.
//  2. Under one lock, each dataset adds its elements to the request. Datasets that cannot, because of filters
//     or their layout, are left over.
//  3. The request is sent. What remains to be done then, such as conversions, is done under the same lock.
//  4. The rest is read or written one by one.
//
// A dataset that is listed twice would find its own unfinished request, so its file has no common request.
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <filigree/dataset.hpp>

#include "api/conversion_access.hpp"
#include "api/transfer_selections.hpp"
#include "api/type_access.hpp"
#include "base/context.hpp"
#include "base/file_lock.hpp"
#include "io/user/user_driver_file.hpp"
#include "model/file/file.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/selected_values.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree {
namespace {

bool shares_requests(const model::File& file) {
  const io::VirtualFile& driver = file.store().file();
  const io::DriverCapabilities& able = driver.capabilities();
  return able.selections || (able.vector_extents > 1 && io::find_user_driver_file(driver) != nullptr);
}

/// One transfer, with all that its steps refer to.
template <class Item>
struct Planned {
  Planned(const Item& item, const model::OpenObject& object)
      : dataset(*object.file(), object.header()),
        in_memory(api::memory_selection(item.options, item.count)),
        conversions(item.options) {}

  model::Transfer transfer(const Item& item) {
    in_file = api::file_selection(dataset, item.selection);
    const auto& [rules, on_fault, memory] = conversions.choice();
    model::Transfer made{in_file, in_memory, api::TypeAccess::impl(item.memory_type).message,
                         rules,   on_fault,  memory};
    made.verify_checksums = item.options.verify_checksums;
    return made;
  }

  model::Dataset dataset;
  space::Selection in_memory;
  space::Selection in_file;
  api::Conversions conversions;
};

/// The transfers of one file.
template <class Item>
struct FileItems {
  std::shared_ptr<model::File> file;
  std::vector<const Item*> items;
  std::vector<const model::OpenObject*> objects;

  /// Returns whether one request is worth it, and possible.
  bool share_a_request() const {
    const auto wants_selections = [](const Item* item) { return item->options.selection_io; };
    return items.size() > 1 && shares_requests(*file) && std::ranges::all_of(items, wants_selections) &&
           !repeats();
  }
  bool repeats() const {
    std::vector<Address> headers;
    for (const model::OpenObject* object : objects) headers.push_back(object->header());
    std::ranges::sort(headers);
    return std::ranges::adjacent_find(headers) != headers.end();
  }
};

/// Adds the transfers of a file to a batch by `plan(dataset, transfer, item)` and sends it. Returns those
/// that are left over. *Requires*: the lock that the transfers need.
template <class Item, class Batch, class Plan>
std::vector<const Item*> transfer_group(const FileItems<Item>& group, const char* doing, Batch& batch,
                                        Plan plan) {
  std::vector<const Item*> rest;
  std::deque<Planned<Item>> planned;
  for (std::size_t i = 0; i < group.items.size(); ++i) {
    const Item& item = *group.items[i];
    const model::OpenObject& object = *group.objects[i];
    const bool added = in_context([&] { return std::string(doing) + ' ' + object.text(); },
                                  [&] {
                                    Planned<Item>& one = planned.emplace_back(item, object);
                                    if (one.dataset.layout().computes_extent() || one.dataset.is_huge())
                                      return false;
                                    return plan(one.dataset, one.transfer(item), item);
                                  });
    if (!added) rest.push_back(&item);
  }
  in_context(
      [&] { return fmt::format("{} {} datasets of '{}'", doing, group.items.size(), group.file->name()); },
      [&] { batch.send(); });
  return rest;
}

std::vector<const DatasetRead*> read_group(const FileItems<DatasetRead>& group) {
  const FileLock::Shared shared(group.file->lock());
  io::SelectionReads batch = model::make_reads(*group.file);
  return transfer_group(
      group, "reading", batch,
      [&](const model::Dataset& dataset, const model::Transfer& transfer, const DatasetRead& item) {
        return dataset.plan_read(transfer, static_cast<std::byte*>(item.elements), batch);
      });
}

std::vector<const DatasetWrite*> write_group(const FileItems<DatasetWrite>& group) {
  const FileLock::Shared shared(group.file->lock());
  const model::Change change(*group.file, "write datasets");
  io::SelectionWrites batch = model::make_writes(*group.file);
  return transfer_group(
      group, "writing", batch,
      [&](const model::Dataset& dataset, const model::Transfer& transfer, const DatasetWrite& item) {
        return dataset.plan_write(transfer, static_cast<const std::byte*>(item.elements), batch);
      });
}

/// Calls `of_group(group)` for files with common requests, and `of_item(item)` for all that is left over.
template <class Item, class TransferGroup, class TransferOne>
void transfer_all(std::deque<FileItems<Item>>& groups, TransferGroup of_group, TransferOne of_item) {
  for (const FileItems<Item>& group : groups) {
    for (const Item* item : group.share_a_request() ? of_group(group) : group.items) of_item(*item);
  }
}

template <class Item>
void add(std::deque<FileItems<Item>>& groups, const Item& item, const model::OpenObject& object) {
  const auto same =
      std::ranges::find_if(groups, [&](const auto& group) { return group.file == object.file(); });
  FileItems<Item>& group = same == groups.end() ? groups.emplace_back() : *same;
  group.file = object.file();
  group.items.push_back(&item);
  group.objects.push_back(&object);
}

}  // namespace

void Dataset::read_several(std::span<const DatasetRead> reads) {
  std::deque<FileItems<DatasetRead>> groups;
  for (const DatasetRead& read : reads) add(groups, read, *read.dataset.impl_);
  transfer_all(groups, read_group, [](const DatasetRead& read) {
    read.dataset.read_elements(read.memory_type, read.elements, read.count, read.selection, read.options);
  });
}

void Dataset::write_several(std::span<const DatasetWrite> writes) {
  std::deque<FileItems<DatasetWrite>> groups;
  for (const DatasetWrite& write : writes) add(groups, write, *write.dataset.impl_);
  transfer_all(groups, write_group, [](const DatasetWrite& write) {
    Dataset(write.dataset)
        .write_elements(write.memory_type, write.elements, write.count, write.selection, write.options);
  });
}

}  // namespace filigree
