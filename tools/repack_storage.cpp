// SPDX-License-Identifier: Apache-2.0
#include "repack_storage.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "filter_text.hpp"

namespace filigree::tools {

namespace {

constexpr std::uint16_t last_standard_id = 6;  // scale-offset

LayoutChoice::Kind kind_of(const DatasetInfo& info) {
  if (info.sparse) return LayoutChoice::Kind::sparse_chunks;
  if (info.layout == Layout::compact) return LayoutChoice::Kind::compact;
  const bool has_chunks = info.layout == Layout::chunked || info.layout == Layout::structured;
  return has_chunks ? LayoutChoice::Kind::chunks : LayoutChoice::Kind::contiguous;
}

/// Returns a stored filter as users choose it: without parameters that depend on datatype and chunk.
FilterChoice as_chosen(FilterChoice filter) {
  const auto keep = [&](std::size_t first, std::size_t count) {
    auto& words = filter.parameters;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(first, words.size())));
    words.resize(std::min(count, words.size()));
  };
  switch (filter.id) {
    case 2:      // shuffle
    case 3:      // Fletcher-32
    case 5:      // N-bit
    case 32000:  // LZF
      keep(0, 0);
      break;
    case 4:  // szip
    case 6:  // scale-offset
      keep(0, 2);
      break;
    case 32008:  // bitshuffle: versions and the size of elements come first
      keep(3, filter.parameters.size());
      break;
    default:
      break;
  }
  return filter;
}

std::vector<FilterChoice> as_chosen(const std::vector<FilterChoice>& stored) {
  std::vector<FilterChoice> filters;
  for (const FilterChoice& filter : stored) filters.push_back(as_chosen(filter));
  return filters;
}

/// Returns filters for dense chunks, which programs that use HDF5 read: others than its own are replaced.
std::vector<FilterChoice> for_dense_chunks(const std::vector<FilterChoice>& filters) {
  const bool are_standard =
      std::ranges::all_of(filters, [](const FilterChoice& f) { return f.id <= last_standard_id; });
  return are_standard ? filters : std::vector{filters::shuffle(), filters::deflate()};
}

bool same_filters(const std::vector<FilterChoice>& a, const std::vector<FilterChoice>& b) {
  return std::ranges::equal(a, b, [](const FilterChoice& x, const FilterChoice& y) {
    return x.id == y.id && x.parameters == y.parameters;
  });
}

const std::vector<FilterChoice>& value_filters(const DatasetInfo& info) {
  return info.portable ? info.value_filters : info.filters;
}

[[noreturn]] void refuse(std::string why) { throw Error(ErrorKind::invalid_argument, std::move(why)); }

/// Elements that cannot be decoded cannot be stored in another way.
void require_filter(const FilterChoice& filter) {
  const auto known = filters::find(filter.id);
  if (!known || !known->decodes) refuse(fmt::format("its {} is not available", filter_text(filter)));
}

}  // namespace

StorageDraft::StorageDraft(const Dataset& data)
    : source_(data.dataset_info()),
      stored_(data.creation_options()),
      space_(data.space()),
      has_variable_parts_(data.datatype().has_variable_parts()),
      kind_(kind_of(source_)),
      is_elsewhere_(source_.layout == Layout::virtual_dataset || !source_.external.empty()),
      chunk_(source_.chunk),
      portable_(source_.portable) {}

bool StorageDraft::has_own_storage() const { return !is_elsewhere_ && source_.layout != Layout::compact; }

bool StorageDraft::may_become_sparse() const {
  return !source_.sparse && has_own_storage() && space_.kind() == Dataspace::Kind::simple &&
         !space_.dims().empty() && std::ranges::find(space_.dims(), 0u) == space_.dims().end();
}

void StorageDraft::set_layout(const LayoutChoice& choice) {
  kind_ = choice.kind;
  is_layout_chosen_ = true;
  if (!has_chunks()) chunk_.clear();
  if (choice.chunk.empty()) return;
  chunk_ = choice.chunk;
  // As the API, which refuses chunks that are larger than a dimension can become.
  for (std::size_t d = 0; d < std::min(chunk_.size(), space_.max_dims().size()); ++d)
    chunk_[d] = std::min(chunk_[d], std::max<std::uint64_t>(1, space_.max_dims()[d]));
}

bool StorageDraft::set_form(SparseForm form) {
  const bool before = std::exchange(portable_, form == SparseForm::portable);
  return is_sparse() && before != portable_;
}

bool StorageDraft::set_filters(const std::vector<const SectionFilterChoice*>& choices) {
  using Section = SectionFilterChoice::Section;
  bool applies = false, filters = false;
  for (const SectionFilterChoice* const choice : choices) {
    const bool has_section = choice->section == Section::values ||
                             (is_sparse() && (choice->section == Section::selection || has_variable_parts_));
    if (!has_section && choice->objects.empty()) continue;
    auto& section = choice->section == Section::values      ? values_
                    : choice->section == Section::selection ? selection_
                                                            : heap_;
    if (!section) section.emplace();
    section->insert(section->end(), choice->filters.begin(), choice->filters.end());
    applies = true;
    filters = filters || !choice->filters.empty();
  }
  if (has_chunks()) return applies;
  if (filters && !is_layout_chosen_) kind_ = Kind::chunks;
  return filters;
}

void StorageDraft::set_density(double share) { density_ = std::max(share, 1e-9); }

void StorageDraft::require_possible() const {
  if (space_.kind() == Dataspace::Kind::null) refuse("it has no elements");
  if (has_chunks() && space_.kind() == Dataspace::Kind::scalar) refuse("a scalar has no chunks");
  if (!chunk_.empty() && chunk_.size() != space_.dims().size())
    refuse(fmt::format("it has {} dimension{}, the chunks have {}", space_.dims().size(),
                       space_.dims().size() == 1 ? "" : "s", chunk_.size()));
  if (!has_chunks() && values_ && !values_->empty()) refuse("only chunks have filters");
  if (!is_sparse() && selection_) refuse("only sparse chunks have a selection section");
}

void StorageDraft::require_decodable() const {
  for (const auto* const filters :
       {&value_filters(source_), &source_.selection_filters, &source_.heap_filters})
    for (const FilterChoice& filter : *filters) require_filter(filter);
}

bool StorageDraft::is_unsuitable() const {
  return space_.kind() != Dataspace::Kind::simple || is_elsewhere_ ||
         (!chunk_.empty() && chunk_.size() != space_.dims().size());
}

Dataspace StorageDraft::space() const {
  return has_chunks() || space_.kind() != Dataspace::Kind::simple ? space_ : Dataspace::simple(space_.dims());
}

bool StorageDraft::keeps_kind() const { return kind_ == kind_of(source_) && !is_elsewhere_; }

DatasetOptions StorageDraft::options() const {
  DatasetOptions options;
  options.fill = fill_.value_or(stored_.fill);
  // Elements that are not defined need a value.
  if (is_sparse() != source_.sparse && source_.fill == Fill::State::undefined) options.fill = Fill();
  options.fill_time = stored_.fill_time;
  options.track_times = stored_.track_times;
  options.attributes = stored_.attributes;
  options.chunk = chunk_;
  if (keeps_kind()) {
    options.allocation = stored_.allocation;
    options.filter_partial_chunks = stored_.filter_partial_chunks || portable_;
    options.heap_in_chunks = stored_.heap_in_chunks;
    options.heap_sets = stored_.heap_sets;
  }
  options.sparse = is_sparse();
  options.portable = is_sparse() && portable_;
  if (kind_ == Kind::compact) options.layout = Layout::compact;
  if (kind_ == Kind::chunks) options.layout = Layout::chunked;
  if (density_ > 0) options.density = ExpectedDensity::of(density_);
  if (has_chunks()) add_filters(options);
  return options;
}

/// Filters stay with their sections. Those of a dense dataset become filters of the values of a sparse one.
void StorageDraft::add_filters(DatasetOptions& options) const {
  const std::vector<FilterChoice> before = as_chosen(stored_.filters);
  options.filters = values_.value_or(source_.sparse && !is_sparse() ? for_dense_chunks(before) : before);
  options.selection_filters = selection_.value_or(as_chosen(stored_.selection_filters));
  options.heap_filters = heap_.value_or(as_chosen(stored_.heap_filters));
  options.choose_section_filters = false;
  if (!is_sparse()) {
    options.selection_filters.clear();
    if (!options.heap_in_chunks) options.heap_filters.clear();
    return;
  }
  if (source_.sparse) return;
  options.choose_section_filters = !values_ && !selection_ && !heap_ && before.empty();
  if (!options.choose_section_filters && !selection_)
    options.selection_filters = {filters::packed_selection()};
}

DatasetOptions StorageDraft::options_without_space() const {
  DatasetOptions made = options();
  made.allocation = AllocationTime::by_layout;
  return made;
}

bool StorageDraft::differs(const DatasetInfo& made) const {
  return is_elsewhere_ || made.layout != source_.layout || made.portable != source_.portable ||
         made.chunk != source_.chunk || made.sparse != source_.sparse ||
         !same_filters(value_filters(made), value_filters(source_)) ||
         !same_filters(made.selection_filters, source_.selection_filters) ||
         !same_filters(made.heap_filters, source_.heap_filters);
}

bool StorageDraft::differs_in_form_only(const DatasetInfo& made) const {
  return made.sparse && source_.sparse && made.portable != source_.portable && made.chunk == source_.chunk &&
         same_filters(value_filters(made), value_filters(source_)) &&
         same_filters(made.selection_filters, source_.selection_filters) &&
         same_filters(made.heap_filters, source_.heap_filters);
}

}  // namespace filigree::tools
