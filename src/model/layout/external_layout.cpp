// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "base/immortal.hpp"
#include "base/mutex.hpp"
#include "format/codec/fields.hpp"
#include "io/posix/posix_file.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/external_files.hpp"
#include "model/file/file.hpp"
#include "model/layout/flat_layout.hpp"
#include "model/layout/new_extent.hpp"
#include "model/layout/plausible_bytes.hpp"

namespace filigree::model {
namespace {

constexpr std::string_view origin = "${ORIGIN}";

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

/// Returns the path of an external file. Relative names start at the folder of the dataset's access options,
/// HDF5_EXTFILE_PREFIX or AccessOptions::external_data_prefix, or at the current directory.
std::string external_path(const File& file, Address dataset, const std::string& name) {
  if (name.starts_with('/')) return name;
  const char* environment = std::getenv("HDF5_EXTFILE_PREFIX");
  std::string prefix =
      environment != nullptr && *environment != '\0'
          ? environment
          : file.external_prefixes().find(dataset).value_or(file.access().external_data_prefix);
  if (prefix.empty() || prefix == ".") return name;
  if (prefix.starts_with(origin)) prefix = folder_of(file.name()) + prefix.substr(origin.size());
  return prefix + "/" + name;
}

/// The elements in external files. Each file is opened at its first use. A missing file is created for
/// writing. Bytes beyond the end of a file read as zero.
class ExternalBytes : public DataBytes {
 public:
  ExternalBytes(const Dataset& dataset, bool write) : write_(write) {
    std::uint64_t start = 0;
    for (const ExternalSegment& segment : dataset.messages().external) {
      segments_.push_back(
          {external_path(dataset.file(), dataset.header(), segment.path), segment.offset, start, 0, nullptr});
      start = try_add(start, segment.bytes).value_or(~std::uint64_t{0});
      segments_.back().end = start;
    }
  }

  void read(std::span<const io::ReadExtent> extents) const override {
    for (const auto& e : extents) {
      for_each_part(e.offset, e.into.size(),
                    [&](Segment& s, std::uint64_t at, std::size_t from, std::size_t n) {
                      read_part(s, at, e.into.subspan(from, n));
                    });
    }
  }

  void write(std::span<const io::WriteExtent> extents) override {
    for (const auto& e : extents) {
      for_each_part(e.offset, e.from.size(),
                    [&](Segment& s, std::uint64_t at, std::size_t from, std::size_t n) {
                      opened(s).write(at, e.from.subspan(from, n));
                    });
    }
  }

  void require(std::uint64_t offset, std::uint64_t bytes) const override {
    const std::uint64_t end = segments_.empty() ? 0 : segments_.back().end;
    if (offset <= end && bytes <= end - offset) return;
    throw Error(ErrorKind::truncated,
                fmt::format("its external files hold {} bytes, {} are needed", end, offset + bytes));
  }

  bool stores(std::uint64_t offset, std::uint64_t bytes) const override {
    bool all = true;
    for_each_part(offset, bytes, [&](Segment& s, std::uint64_t at, std::size_t, std::size_t n) {
      const std::uint64_t size = opened(s).size();
      all = all && at <= size && n <= size - at;
    });
    return all;
  }

 private:
  struct Segment {
    std::string path;
    std::uint64_t file_offset;
    std::uint64_t start;  ///< in the dataset's bytes
    std::uint64_t end;
    std::unique_ptr<io::PosixFile> file;
  };

  template <class Work>
  void for_each_part(std::uint64_t offset, std::size_t bytes, Work work) const {
    require(offset, bytes);
    std::size_t done = 0;
    auto s = std::partition_point(segments_.begin(), segments_.end(),
                                  [&](const Segment& segment) { return segment.end <= offset; });
    for (; done < bytes; ++s) {
      const std::uint64_t inside = offset + done - s->start;
      const std::size_t n = std::min<std::uint64_t>(bytes - done, s->end - s->start - inside);
      in_context([&] { return fmt::format("using external file '{}'", s->path); },
                 [&] { work(*s, checked_add(s->file_offset, inside, "an offset in it"), done, n); });
      done += n;
    }
  }

  void read_part(Segment& s, std::uint64_t at, MutableBytes into) const {
    const io::PosixFile& file = opened(s);
    const std::uint64_t size = file.size();
    const std::size_t held =
        at >= size ? 0 : static_cast<std::size_t>(std::min<std::uint64_t>(size - at, into.size()));
    if (held > 0) file.read(at, into.first(held));
    std::ranges::fill(into.subspan(held), std::byte{0});
  }

  io::PosixFile& opened(Segment& s) const {
    const MutexLock lock(mutex_);
    if (!s.file) {
      io::PosixOptions options;
      options.lock = io::LockPolicy::never;
      const bool fresh = write_ && !io::find_file_identity(s.path);
      const auto mode = fresh    ? io::DriverOpenMode::create_new
                        : write_ ? io::DriverOpenMode::read_write
                                 : io::DriverOpenMode::read_only;
      s.file = std::make_unique<io::PosixFile>(s.path, mode, options);
    }
    return *s.file;
  }

  bool write_;
  mutable Mutex mutex_;  ///< held while a file is opened
  mutable std::vector<Segment> segments_;
};

/// Returns the size of the maximum extent; `unlimited` if a dimension is.
std::uint64_t largest_bytes(const NewDataset& made) {
  format::DataspaceMessage largest = made.space;
  largest.dims = max_dims(made);
  if (std::ranges::find(largest.dims, format::unlimited) != largest.dims.end()) return format::unlimited;
  return checked_multiply(format::element_count(largest), made.type.size, "the size of the dataset");
}

void check_segment(const ExternalSegment& segment, bool last) {
  require(!segment.path.empty(), "an external file needs a name");
  require(segment.path.find('\0') == std::string::npos, "the name of an external file holds a NUL");
  require(last || segment.bytes != format::unlimited, "only the last external file can be unlimited");
  require(segment.bytes > 0, "an external file of no bytes");
  const auto end = try_add(segment.offset, segment.bytes == format::unlimited ? 0 : segment.bytes);
  if (!end || *end > largest_position) {
    throw Error(ErrorKind::limit,
                fmt::format("external file '{}': {} bytes at {} lie beyond what files can hold", segment.path,
                            segment.bytes, segment.offset));
  }
}

/// Elements in other files, which are not HDF5 files. The layout message is that of a contiguous dataset
/// without storage.
class ExternalLayout final : public FlatLayout {
 public:
  void check_new(File& file, const NewDataset& made, std::uint64_t bytes) const override;
  format::AllocationTime usual_allocation() const override { return format::AllocationTime::late; }
  bool is_constant(const DatasetMessages& messages) const override {
    return messages.fill.allocation == format::AllocationTime::early && messages.elements > 0;
  }
  void check(const DatasetMessages& messages, Address header) const override;
  ParallelWrite parallel_write(const DatasetMessages&) const override {
    return {ParallelWrite::Form::refused, "a dataset in external files"};
  }
  void require_data(const Dataset& dataset, std::uint64_t elements,
                    std::uint64_t memory_bytes) const override;
  void resize(const Dataset& dataset, const std::vector<std::uint64_t>& dims) const override;
  /// Layout messages before version 3 have no size, and HDF5 reports none.
  std::uint64_t stored_bytes(const Dataset& dataset) const override {
    return dataset.messages().layout.version < 3 ? 0 : dataset.messages().data_bytes;
  }

 protected:
  std::unique_ptr<DataBytes> open_for_reading(const Dataset& dataset) const override {
    return std::make_unique<ExternalBytes>(dataset, false);
  }
  std::unique_ptr<DataBytes> open_for_writing(const Dataset& dataset, bool) const override {
    return std::make_unique<ExternalBytes>(dataset, true);
  }
};

void ExternalLayout::check_new(File&, const NewDataset& made, std::uint64_t) const {
  require(made.layout == format::LayoutClass::contiguous, "only contiguous datasets can have external files");
  if (made.external.size() > 0xffff) {
    throw Error(ErrorKind::limit, fmt::format("{} external files are more than the 65535 that a dataset can "
                                              "have",
                                              made.external.size()));
  }
  for (const ExternalSegment& segment : made.external)
    check_segment(segment, &segment == &made.external.back());
  if (const std::size_t dim = find_extendible(made, 1); dim < made.space.dims.size())
    refuse_extendible(made, dim, "of a dataset with external files only dimension 0 can");
  const std::uint64_t held = external_bytes(made.external);
  const std::uint64_t needed = largest_bytes(made);
  if (held < needed) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the external files hold {} bytes, but the dataset may grow to {}", held,
                            needed == format::unlimited ? "any size" : fmt::format("{} bytes", needed)));
  }
}

void ExternalLayout::check(const DatasetMessages& messages, Address header) const {
  if (messages.layout.layout != format::LayoutClass::contiguous)
    contradict(header, "it has external files, but is not contiguous");
  const std::uint64_t held = external_bytes(messages.external);
  if (held < messages.data_bytes) {
    contradict(header, fmt::format("its external files hold {} bytes, but its elements need {}", held,
                                   messages.data_bytes));
  }
}

void ExternalLayout::require_data(const Dataset& dataset, std::uint64_t elements,
                                  std::uint64_t memory_bytes) const {
  std::uint64_t plausible = most_unwritten_bytes;
  for (const ExternalSegment& segment : dataset.messages().external) {
    std::error_code failure;
    const std::string path = external_path(dataset.file(), dataset.header(), segment.path);
    const auto held = std::filesystem::file_size(path, failure);
    if (!failure) plausible = try_add(plausible, held).value_or(~std::uint64_t{0});
  }
  require_plausible(wanted_bytes(dataset, elements, memory_bytes), plausible);
}

void ExternalLayout::resize(const Dataset& dataset, const std::vector<std::uint64_t>& dims) const {
  const format::DataspaceMessage space = make_new_extent(dataset, dims);
  const std::uint64_t bytes = format::element_count(space) * dataset.messages().type.size;
  if (const std::uint64_t held = external_bytes(dataset.messages().external); bytes > held) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("elements of {} bytes do not fit the {} bytes of the external files", bytes, held));
  }
  // As in HDF5, the layout message of external data keeps the size of its creation.
  store_extent(dataset, space);
}

}  // namespace

const Layout& external_layout() {
  static const Immortal<ExternalLayout> layout;
  return *layout;
}

}  // namespace filigree::model
