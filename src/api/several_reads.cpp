// SPDX-License-Identifier: Apache-2.0
//
// Reads of several datasets; see several_parts.hpp.
#include <algorithm>
#include <deque>
#include <vector>

#include "api/several_parts.hpp"
#include "api/with_dataset.hpp"
#include "base/file_lock.hpp"
#include "io/user/user_driver_file.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/selected_values.hpp"
#include "store/file_store.hpp"

namespace filigree {
namespace api {

bool shares_requests(const model::File& file) {
  if (file.parallel()) return false;  // each transfer says what its requests mean
  const io::VirtualFile& driver = file.store().file();
  const io::DriverCapabilities& able = driver.capabilities();
  return able.selections || (able.vector_extents > 1 && io::find_user_driver_file(driver) != nullptr);
}

bool is_separate(const model::Dataset& dataset) {
  return dataset.layout().computes_extent() || dataset.is_huge();
}

}  // namespace api

namespace {

using ReadPart = api::Part<DatasetRead>;
using ReadGroups = api::Groups<DatasetRead>;
using PlannedRead = api::Planned<DatasetRead>;

/// Adds the sources of a virtual dataset. Returns false if it must be read separately, or is not virtual.
bool add_sources(ReadGroups& groups, const DatasetRead& item, const model::OpenObject& object) {
  if (!item.options.selection_io || !api::shares_requests(*object.file())) return false;
  return api::with_dataset(object, "reading", [&](const model::Dataset& dataset) {
    if (!dataset.layout().computes_extent()) return false;
    std::vector<model::SourcePart> sources;
    PlannedRead planned({&item, &object});
    const bool divided =
        planned.dataset.plan_sources(planned.transfer(), static_cast<std::byte*>(item.elements),
                                     [&](const model::SourcePart& source) { sources.push_back(source); });
    for (model::SourcePart& source : sources)
      if (divided) add(groups, ReadPart{&item, &object, std::move(source)});
    return divided;
  });
}

/// Returns whether nothing is left to do. A source that cannot be planned is read at once.
bool plan_read(const ReadPart& part, PlannedRead& planned, io::SelectionReads& batch) {
  const model::Dataset& dataset = planned.dataset;
  auto* const memory = static_cast<std::byte*>(part.item->elements);
  if (!part.source) {
    if (api::is_separate(dataset)) return false;
    return dataset.plan_read(planned.transfer(), memory, batch);
  }
  if (api::is_separate(dataset) || !planned.is_current()) return false;
  if (!dataset.plan_read(planned.transfer(), memory, batch)) dataset.read(planned.transfer(), memory);
  return true;
}

/// Reads a group with one request. Returns the items that are left over.
std::vector<const DatasetRead*> read_group(const api::FileParts<DatasetRead>& group) {
  const FileLock::Shared shared(group.file->lock());
  io::SelectionReads batch = model::make_reads(*group.file);
  std::vector<const DatasetRead*> rest;
  std::deque<PlannedRead> planned;
  for (const ReadPart& part : group.parts) {
    PlannedRead& one = planned.emplace_back(part);
    const bool added = with_part(part, "reading", [&] { return plan_read(part, one, batch); });
    if (!added) rest.push_back(part.item);
  }
  api::send(batch, "reading", group.parts.size(), *group.file);
  return rest;
}

/// Returns the items that are to be read separately, each once.
std::vector<const DatasetRead*> read_groups(const ReadGroups& groups) {
  std::vector<const DatasetRead*> rest;
  for (const api::FileParts<DatasetRead>& group : groups) {
    if (group.share_a_request()) {
      const auto more = read_group(group);
      rest.insert(rest.end(), more.begin(), more.end());
    } else {
      for (const ReadPart& part : group.parts) rest.push_back(part.item);
    }
  }
  std::ranges::sort(rest);
  rest.erase(std::unique(rest.begin(), rest.end()), rest.end());
  return rest;
}

}  // namespace

void Dataset::read_several(std::span<const DatasetRead> reads) {
  ReadGroups groups;
  for (const DatasetRead& read : reads) {
    const model::OpenObject& object = *read.dataset.impl_;
    if (!add_sources(groups, read, object)) add(groups, ReadPart{&read, &object});
  }
  for (const DatasetRead* read : read_groups(groups)) {
    read->dataset.read_elements(read->memory_type, read->elements, read->count, read->selection,
                                read->options);
  }
}

}  // namespace filigree
