// SPDX-License-Identifier: Apache-2.0
//
// Copies of whole files, in which datasets may get other storage.
#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>
#include <filigree/sparse.hpp>

#include "api/element_copier.hpp"
#include "api/inside.hpp"
#include "api/new_dataset.hpp"
#include "model/object/copy.hpp"
#include "model/object/object.hpp"

namespace filigree {

namespace {

/// Copies the chunks of a sparse dataset to another one, which has the same chunks and filters in another
/// form. Sections are copied as they are stored, where both datasets give access to them.
class ChunkTranscriber {
 public:
  ChunkTranscriber(const Dataset& from, Dataset& to)
      : from_(from),
        to_(to),
        type_(from.datatype()),
        extent_(from.space().dims()),
        chunk_(from.dataset_info().chunk),
        // Otherwise a section at the edge would be taken for a filtered one.
        by_sections_(from.dataset_info().filter_partial_chunks) {}

  void run() {
    from_.for_each_chunk([&](const ChunkInfo& info) {
      // Files of other writers may store chunks outside of the extent.
      if (!std::ranges::equal(info.offset, extent_, std::less<>())) return true;
      if (by_sections_) by_sections_ = copy_sections(info.offset);
      if (!by_sections_) copy_elements(info.offset);
      return true;
    });
  }

 private:
  /// Returns false, having done nothing, if the elements have to be copied.
  bool copy_sections(const std::vector<std::uint64_t>& offset) {
    try {
      const std::vector<RawSection> sections = from_.read_structured_chunk(offset);
      // HDF5 may store portable chunks that define nothing.
      if (!sections.empty() && sections[0].bytes.empty()) return true;
      to_.write_structured_chunk(offset, sections);
      return true;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::unsupported || error.kind() == ErrorKind::invalid_argument) return false;
      throw;
    }
  }

  void copy_elements(const std::vector<std::uint64_t>& offset) {
    std::vector<std::uint64_t> count(chunk_);
    for (std::size_t d = 0; d < count.size(); ++d) count[d] = std::min(count[d], extent_[d] - offset[d]);
    std::vector<std::byte> values;
    const Selection defined =
        from_.read_defined_elements(type_, Selection::box(offset, count), [&](std::size_t elements) {
          values.resize(elements * type_.size());
          return values.data();
        });
    if (!values.empty()) to_.write_elements(type_, values.data(), values.size() / type_.size(), defined);
  }

  const Dataset& from_;
  Dataset& to_;
  const Datatype type_;
  const std::vector<std::uint64_t> extent_, chunk_;
  bool by_sections_;
};

/// Returns the options of a copy in the other form.
DatasetOptions in_form(const Dataset& source, SparseForm form) {
  DatasetOptions options = source.creation_options();
  options.portable = form == SparseForm::portable;
  options.filter_partial_chunks = options.filter_partial_chunks || options.portable;
  return options;
}

void tell(const ContentsOptions& options, const CopiedDataset& copied) {
  if (options.on_dataset) options.on_dataset(copied);
}

bool changes_form(const Dataset& source, const ContentsOptions& options) {
  if (!options.sparse_form) return false;
  const DatasetInfo info = source.dataset_info();
  return info.sparse && info.portable != (*options.sparse_form == SparseForm::portable);
}

std::optional<StorageChange> find_change(const Dataset& source, const ContentsOptions& options) {
  std::optional<StorageChange> change;
  if (options.change_storage) change = options.change_storage(source);
  if (!change && changes_form(source, options)) change = StorageChange{in_form(source, *options.sparse_form)};
  return change;
}

bool same_filters(const std::vector<FilterChoice>& a, const std::vector<FilterChoice>& b) {
  return std::ranges::equal(a, b, [](const FilterChoice& x, const FilterChoice& y) {
    return x.id == y.id && x.parameters == y.parameters;
  });
}

const std::vector<FilterChoice>& value_filters(const DatasetInfo& info) {
  return info.portable ? info.value_filters : info.filters;
}

/// Whether chunks of one dataset are chunks of the other, but for the form in which they are stored.
bool has_same_sections(const Dataset& a, const Dataset& b) {
  const DatasetInfo in_a = a.dataset_info(), in_b = b.dataset_info();
  return in_a.sparse && in_b.sparse && in_a.chunk == in_b.chunk && in_a.heap_sets == in_b.heap_sets &&
         same_filters(value_filters(in_a), value_filters(in_b)) &&
         same_filters(in_a.selection_filters, in_b.selection_filters) &&
         same_filters(in_a.heap_filters, in_b.heap_filters);
}

/// Copies datasets to other storage.
class StorageChanger {
 public:
  /// Makes the handle of an object.
  using Open = std::function<Object(const model::ObjectLocation&)>;

  StorageChanger(std::shared_ptr<model::File> to, const ContentsOptions& options, Open open)
      : to_(std::move(to)), options_(options), open_(std::move(open)) {}

  /// Returns the header of the copy; Address::undefined for a dataset that is copied as it is.
  Address copy(const model::ObjectLocation& at, Address committed) const {
    const Dataset source(open_(at));
    tell(options_, {source});
    const std::optional<StorageChange> change = find_change(source, options_);
    if (!change) return Address::undefined;
    const Address header = create(source, *change, committed);
    if (!is_valid(header)) return header;
    Dataset made(open_({to_, header, at.path}));
    if (has_same_sections(source, made))
      ChunkTranscriber(source, made).run();
    else
      api::copy_elements(source, made, *change);
    tell(options_, {source, &made, nullptr});
    return header;
  }

 private:
  /// Creates a dataset without elements. Returns Address::undefined if there is none with these options.
  Address create(const Dataset& source, const StorageChange& change, Address committed) const {
    try {
      model::NewDataset made =
          api::to_new_dataset(*to_, source.datatype(), change.space.value_or(source.space()), change.options);
      made.committed = committed;
      const Address header = model::create_dataset(*to_, made);
      // The caller has counted the reference to the committed datatype, too.
      if (is_valid(committed)) model::drop_link_to(*to_, committed);
      return header;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::invalid_argument && error.kind() != ErrorKind::unsupported) throw;
      tell(options_, {source, nullptr, &error});
      return Address::undefined;
    }
  }

  const std::shared_ptr<model::File> to_;
  const ContentsOptions& options_;
  const Open open_;
};

}  // namespace

void File::copy_contents_to(File& to, const ContentsOptions& options) const {
  model::File& one = *impl_;
  model::File& other = *to.impl_;
  const auto open = [](const model::ObjectLocation& at) {
    return Object(std::make_shared<model::OpenObject>(at.file, at.header, at.path));
  };
  const StorageChanger changer(to.impl_, options, open);
  model::ContentsHooks hooks;
  hooks.copy_dataset = [&](const model::ObjectLocation& at, Address committed) {
    return in_context([&] { return fmt::format("copying '{}'", at.path); },
                      [&] { return changer.copy(at, committed); });
  };
  if (options.leave_out)
    hooks.leave_out = [&](const model::ObjectLocation& at) { return options.leave_out(open(at)); };
  // All copies lock files in the same order, so that two copies in opposite directions cannot deadlock.
  const bool in_order = std::less<>()(&one, &other);
  const FileLock::Exclusive first(in_order ? one.lock() : other.lock());
  api::exclusively(
      in_order ? other : one, [&] { return fmt::format("copying '{}' to '{}'", name(), to.name()); },
      [&] {
        if (to.root().size() > 0)
          throw Error(ErrorKind::invalid_argument, "the destination is not empty: it has links");
        const model::Change change(other, "copy a file");
        model::copy_contents(one, other, hooks);
      });
}

}  // namespace filigree
