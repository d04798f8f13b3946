// SPDX-License-Identifier: Apache-2.0
//
// Writes of several datasets; see several_parts.hpp.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "api/several_parts.hpp"
#include "api/with_dataset.hpp"
#include "base/file_lock.hpp"
#include "model/dataset/dataset_writes.hpp"
#include "model/layout/selected_values.hpp"

namespace filigree {
namespace {

using WritePart = api::Part<DatasetWrite>;
using WriteGroups = api::Groups<DatasetWrite>;
using PlannedWrite = api::Planned<DatasetWrite>;
using Items = std::vector<const DatasetWrite*>;

const std::byte* memory_of(const WritePart& part) {
  return static_cast<const std::byte*>(part.item->elements);
}

/// Whether a part cannot be planned: it needs a lock of its own, or its virtual dataset is out of date.
bool is_left_over(const WritePart& part, PlannedWrite& planned) {
  return api::is_separate(planned.dataset) || (part.source && !planned.is_current());
}

/// Adds the sources of a virtual dataset. Returns false if it is not virtual.
bool add_sources(WriteGroups& groups, const DatasetWrite& item, const model::OpenObject& object) {
  std::vector<model::SourcePart> sources;
  const bool divided = api::with_dataset(object, "writing", [&](const model::Dataset& dataset) {
    if (dataset.is_huge()) return false;
    PlannedWrite planned({&item, &object});
    return planned.dataset.plan_written_sources(
        planned.transfer(), [&](const model::SourcePart& source) { sources.push_back(source); });
  });
  for (model::SourcePart& source : sources) add(groups, WritePart{&item, &object, std::move(source)});
  return divided;
}

/// The writes of a group that share requests, in memory that lives until these are sent.
class GroupWrites {
 public:
  explicit GroupWrites(model::File& file) : file_(file) {}

  /// Returns false if the part is left over.
  bool add(const WritePart& part) {
    PlannedWrite& one = planned_.emplace_back(part);
    return with_part(part, "writing", [&] {
      if (is_left_over(part, one)) return false;
      find(part).writes.add(one.transfer(), memory_of(part));
      return true;
    });
  }
  void write() {
    read_before();
    io::SelectionWrites batch = model::make_writes(file_);
    std::vector<OneDataset*> rest;
    for (OneDataset& one : datasets_)
      if (!with_part(*one.first, "writing", [&] { return one.writes.plan_writes(batch); }))
        rest.push_back(&one);
    api::send(batch, "writing", datasets_.size(), file_);
    for (const OneDataset* one : rest) with_part(*one->first, "writing", [&] { one->writes.write(); });
  }

 private:
  struct OneDataset {
    const WritePart* first;
    model::DatasetWrites writes;
  };
  OneDataset& find(const WritePart& part) {
    const auto [at, is_new] = by_header_.try_emplace(to_number(part.header()), nullptr);
    if (is_new)
      at->second = &datasets_.emplace_back(OneDataset{&part, model::DatasetWrites(file_, part.header())});
    return *at->second;
  }
  void read_before() {
    std::uint64_t bytes_left = io::SelectionReads::most_staged_bytes;
    io::SelectionReads reads = model::make_reads(file_);
    for (OneDataset& one : datasets_)
      with_part(*one.first, "writing", [&] { one.writes.plan_reads(reads, bytes_left); });
    api::send(reads, "reading before writing", datasets_.size(), file_);
  }

  model::File& file_;
  std::deque<PlannedWrite> planned_;
  std::deque<OneDataset> datasets_;
  std::unordered_map<std::uint64_t, OneDataset*> by_header_;
};

/// Writes a group with one request. Returns the items that are left over.
Items write_group(const api::FileParts<DatasetWrite>& group) {
  const FileLock::Shared shared(group.file->lock());
  const model::Change change(*group.file, "write datasets");
  GroupWrites writes(*group.file);
  Items rest;
  for (const WritePart& part : group.parts)
    if (!writes.add(part)) rest.push_back(part.item);
  writes.write();
  return rest;
}

void write_item(const DatasetWrite& write) {
  Dataset(write.dataset)
      .write_elements(write.memory_type, write.elements, write.count, write.selection, write.options);
}

/// Writes a part by itself. Returns false if the item is left over.
bool write_part(const WritePart& part) {
  if (!part.source) {
    write_item(*part.item);
    return true;
  }
  const model::Change change(*part.file(), "write a source of a virtual dataset");
  return with_part(part, "writing", [&] {
    PlannedWrite planned(part);
    if (is_left_over(part, planned)) return false;
    planned.dataset.write(planned.transfer(), memory_of(part));
    return true;
  });
}

Items write_parts(const api::FileParts<DatasetWrite>& group) {
  Items rest;
  for (const WritePart& part : group.parts)
    if (!write_part(part)) rest.push_back(part.item);
  return rest;
}

}  // namespace

void Dataset::write_several(std::span<const DatasetWrite> writes) {
  const auto shares = [](const DatasetWrite& write) {
    return write.options.selection_io && api::shares_requests(*write.dataset.impl_->file());
  };
  if (std::ranges::none_of(writes, shares)) {
    for (const DatasetWrite& write : writes) write_item(write);
    return;
  }
  WriteGroups groups;
  for (const DatasetWrite& write : writes) {
    const model::OpenObject& object = *write.dataset.impl_;
    if (!add_sources(groups, write, object)) add(groups, WritePart{&write, &object});
  }
  Items rest;
  for (const api::FileParts<DatasetWrite>& group : groups) {
    const Items more = group.share_a_request() ? write_group(group) : write_parts(group);
    for (const DatasetWrite* write : more)
      if (std::ranges::find(rest, write) == rest.end()) rest.push_back(write);
  }
  for (const DatasetWrite* write : rest) write_item(*write);
}

}  // namespace filigree
