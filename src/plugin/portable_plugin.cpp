// SPDX-License-Identifier: Apache-2.0
//
// The plug-in libh5z_filigree, by which HDF5 reads and writes portable sparse chunks as dense ones. See
// docs/format/portable-chunks.md.
//
// The plug-in calls no function of HDF5, so that it loads into every program, whatever its copy of the
// library is called and however it was loaded. HDF5 frees the buffers with free(). The parameters of the
// filter say all that is needed, so nothing is set up when a dataset is created.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "base/executor.hpp"
#include "base/immortal.hpp"
#include "base/mutex.hpp"
#include "chunk/format/portable/portable_format.hpp"
#include "format/chunk_index/portable_chunk.hpp"

namespace filigree {
namespace {

// What H5Zpublic.h and H5PLextern.h declare. They are repeated here because those of another release would
// not differ, and because their other declarations do not belong into the plug-in.
constexpr unsigned reverse_flag = 0x0100;  ///< H5Z_FLAG_REVERSE
constexpr int class_version = 1;           ///< H5Z_CLASS_T_VERS
constexpr int filter_plugin = 0;           ///< H5PL_TYPE_FILTER

using FilterFunction = std::size_t (*)(unsigned flags, std::size_t parameters, const unsigned* values,
                                       std::size_t bytes, std::size_t* buffer_bytes, void** buffer);

/// H5Z_class2_t.
struct FilterClass {
  int version;
  int id;
  unsigned has_encoder, has_decoder;
  const char* name;
  void* can_apply;
  void* set_local;
  FilterFunction filter;
};

using Words = std::vector<std::uint32_t>;
using FormatPointer = std::shared_ptr<const chunk::PortableFormat>;

/// The formats of the datasets that were used last, since every call names its parameters again.
class Formats {
 public:
  FormatPointer find(std::span<const std::uint32_t> words) {
    const MutexLock lock(mutex_);
    for (const auto& [known, format] : recent_)
      if (std::ranges::equal(known, words)) return format;
    auto made = std::make_shared<const chunk::PortableFormat>(format::from_words(words));
    recent_.emplace_front(Words(words.begin(), words.end()), made);
    if (recent_.size() > most_kept) recent_.pop_back();
    return made;
  }

 private:
  static constexpr std::size_t most_kept = 16;
  Mutex mutex_;
  std::deque<std::pair<Words, FormatPointer>> recent_ FILIGREE_GUARDED_BY(mutex_);
};

Formats& formats() {
  static Immortal<Formats> all;
  return *all;
}

void report(const char* what) noexcept {
  if (std::getenv("FILIGREE_PLUGIN_DEBUG") != nullptr) std::fprintf(stderr, "libh5z_filigree: %s\n", what);
}

/// Memory that HDF5 frees.
struct Freed {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
struct Result {
  std::unique_ptr<void, Freed> memory;
  std::size_t bytes = 0;

  MutableBytes allocate(std::size_t wanted) {
    memory.reset(std::calloc(1, wanted));
    if (memory == nullptr) throw std::bad_alloc();
    bytes = wanted;
    return {static_cast<std::byte*>(memory.get()), wanted};
  }
};

Result decode(const chunk::PortableFormat& format, Bytes stored) {
  Result result;
  format.decode_dense(stored, [&](std::size_t bytes) { return result.allocate(bytes); });
  return result;
}

Result encode(const chunk::PortableFormat& format, Bytes dense) {
  const Buffer stored = format.encode_dense(dense);
  Result result;
  std::ranges::copy(stored, result.allocate(stored.size()).begin());
  return result;
}

std::size_t replace(Result result, std::size_t* buffer_bytes, void** buffer) {
  std::free(*buffer);
  *buffer = result.memory.release();
  *buffer_bytes = result.bytes;
  return result.bytes;
}

/// Returns the size of the result, or 0 for a failure, which leaves the buffer unchanged.
std::size_t filter(unsigned flags, std::size_t parameters, const unsigned* values, std::size_t bytes,
                   std::size_t* buffer_bytes, void** buffer) {
  try {
    static std::once_flag sequential;
    std::call_once(sequential, [] { Executor::make_default_sequential(); });
    const FormatPointer format = formats().find({values, parameters});
    const Bytes given(static_cast<const std::byte*>(*buffer), bytes);
    return replace((flags & reverse_flag) != 0 ? decode(*format, given) : encode(*format, given),
                   buffer_bytes, buffer);
  } catch (const std::exception& error) {
    report(error.what());
  } catch (...) {
    report("unknown failure");
  }
  return 0;
}

constexpr FilterClass portable_chunks{
    class_version, format::portable_filter_id, 1, 1, format::portable_filter_name.data(), nullptr, nullptr,
    filter};

}  // namespace
}  // namespace filigree

#define FILIGREE_PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

FILIGREE_PLUGIN_EXPORT int H5PLget_plugin_type(void);
FILIGREE_PLUGIN_EXPORT const void* H5PLget_plugin_info(void);

int H5PLget_plugin_type(void) { return filigree::filter_plugin; }
const void* H5PLget_plugin_info(void) { return &filigree::portable_chunks; }
