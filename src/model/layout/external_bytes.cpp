// SPDX-License-Identifier: Apache-2.0
#include "model/layout/external_bytes.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "io/posix/posix_file.hpp"
#include "model/file/file.hpp"

namespace filigree::model {
namespace {

constexpr std::string_view origin = "${ORIGIN}";

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

class ExternalBytes : public DataBytes {
 public:
  ExternalBytes(File& file, Address dataset, const std::vector<ExternalSegment>& segments, bool write)
      : write_(write) {
    std::uint64_t start = 0;
    for (const ExternalSegment& segment : segments) {
      segments_.push_back({external_path(file, dataset, segment.path), segment.offset, start, 0, nullptr});
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
    const std::lock_guard lock(mutex_);
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
  mutable std::mutex mutex_;
  mutable std::vector<Segment> segments_;
};

}  // namespace

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

std::unique_ptr<DataBytes> open_external(File& file, Address dataset,
                                         const std::vector<ExternalSegment>& segments, bool write) {
  return std::make_unique<ExternalBytes>(file, dataset, segments, write);
}

}  // namespace filigree::model
