// SPDX-License-Identifier: Apache-2.0
//
// Copies of whole files, in which sparse datasets may get another form.
#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>
#include <filigree/sparse.hpp>

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

/// Creates a dataset without elements in the other form. Returns Address::undefined if there is no such form.
Address create_in_form(const Dataset& source, model::File& to, Address committed,
                       const ContentsOptions& options) {
  try {
    model::NewDataset made =
        api::to_new_dataset(to, source.datatype(), source.space(), in_form(source, *options.sparse_form));
    made.committed = committed;
    const Address header = model::create_dataset(to, made);
    // The caller has counted the reference to the committed datatype, too.
    if (is_valid(committed)) model::drop_link_to(to, committed);
    return header;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid_argument) throw;
    tell(options, {source, nullptr, &error});
    return Address::undefined;
  }
}

bool changes_form(const Dataset& source, const ContentsOptions& options) {
  if (!options.sparse_form) return false;
  const DatasetInfo info = source.dataset_info();
  return info.sparse && info.portable != (*options.sparse_form == SparseForm::portable);
}

}  // namespace

void File::copy_contents_to(File& to, const ContentsOptions& options) const {
  model::File& one = *impl_;
  model::File& other = *to.impl_;
  const auto copy_dataset = [&](const model::ObjectLocation& at, Address committed) {
    const Dataset source{Object(std::make_shared<model::OpenObject>(at.file, at.header, at.path))};
    return in_context([&] { return fmt::format("copying '{}'", at.path); },
                      [&] {
                        tell(options, {source});
                        if (!changes_form(source, options)) return Address::undefined;
                        const Address header = create_in_form(source, other, committed, options);
                        if (!is_valid(header)) return header;
                        Dataset made{Object(std::make_shared<model::OpenObject>(to.impl_, header, at.path))};
                        ChunkTranscriber(source, made).run();
                        tell(options, {source, &made, nullptr});
                        return header;
                      });
  };
  // All copies lock files in the same order, so that two copies in opposite directions cannot deadlock.
  const bool in_order = std::less<>()(&one, &other);
  const FileLock::Exclusive first(in_order ? one.lock() : other.lock());
  api::exclusively(
      in_order ? other : one, [&] { return fmt::format("copying '{}' to '{}'", name(), to.name()); },
      [&] {
        if (to.root().size() > 0)
          throw Error(ErrorKind::invalid_argument, "the destination is not empty: it has links");
        const model::Change change(other, "copy a file");
        model::copy_contents(one, other, copy_dataset);
      });
}

}  // namespace filigree
