// SPDX-License-Identifier: Apache-2.0
//
// What a damaged file may do to a program that reads it: give its contents, or an Error that blames the file,
// soon, and without memory that the size of the file does not justify.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::damage {

using Image = std::vector<std::byte>;

// Requests to operator new, where the program replaces that.
inline thread_local std::size_t largest_allocation = 0;  ///< of this thread
inline std::atomic<bool> counting{false};
inline std::atomic<std::uint64_t> allocations{0}, allocated_bytes{0};  ///< of all, while `counting`

/// More than this of one dataset or attribute is not read: files may rightly promise much that is unwritten.
inline constexpr std::uint64_t most_bytes = 64u << 10;

inline bool is_number(const Datatype& type) {
  const TypeClass c = type.type_class();
  return c == TypeClass::integer || c == TypeClass::floating_point;
}

/// Asks for all there is to know of it.
inline void look_at(const Datatype& type) {
  (void)type.text();
  (void)type.packed();
  (void)type.stored();
  switch (type.type_class()) {
    case TypeClass::compound:
      for (const Member& member : type.members()) look_at(member.type);
      break;
    case TypeClass::enumeration:
      (void)type.enumerators();
      break;
    case TypeClass::sequence:
    case TypeClass::array:
    case TypeClass::complex:
      look_at(type.base());
      break;
    default:
      break;
  }
}

/// As the types of C++ that the values convert to.
template <class Source>
void read_as_cpp(const Source& source, const Datatype& type) {
  if (is_number(type)) {
    (void)source.template read<std::vector<double>>();
    (void)source.template read<std::vector<std::int8_t>>();
  }
  if (type.type_class() == TypeClass::enumeration) (void)source.template read<std::vector<std::int16_t>>();
  if (type.type_class() == TypeClass::string) (void)source.template read<std::vector<std::string>>();
  if (type.type_class() != TypeClass::sequence) return;
  const Datatype base = type.base();
  if (is_number(base)) (void)source.template read<std::vector<std::vector<float>>>();
  if (base.type_class() == TypeClass::string)
    (void)source.template read<std::vector<std::vector<std::string>>>();
}

/// Memory for elements as C holds them; gives back what they refer to.
class NativeElements {
 public:
  NativeElements(const Datatype& type, std::size_t count)
      : type_(type), count_(count), bytes_(type.size() * count + 1) {}
  ~NativeElements() { type_.release(bytes_.data(), count_); }
  NativeElements(const NativeElements&) = delete;
  NativeElements& operator=(const NativeElements&) = delete;
  void* data() { return bytes_.data(); }
  std::size_t count() const { return count_; }

 private:
  Datatype type_;
  std::size_t count_;
  std::vector<std::byte> bytes_;
};

inline bool affordable(std::uint64_t count, std::uint64_t bytes) { return count <= most_bytes / bytes; }

inline void read_attribute(const Attribute& a) {
  (void)a.space().text();
  const Datatype type = a.datatype();
  look_at(type);
  const std::uint64_t count = a.elements();
  const Datatype native = type.native();
  if (!affordable(count, native.size())) return;
  NativeElements elements(native, count);
  a.read_elements(native, elements.data(), elements.count());
  if (affordable(count, 64)) read_as_cpp(a, type);
}

/// All of it where that is little, else its first element.
inline void read_dataset(const Dataset& d) {
  const Datatype type = d.datatype();
  look_at(type);
  const Dataspace space = d.space();
  (void)space.text();
  const DatasetInfo info = d.dataset_info();
  (void)d.fill_bytes();
  const Datatype native = type.native();
  const std::uint64_t count = space.elements();
  if (count == 0 || !affordable(1, native.size())) return;
  const bool all = affordable(count, native.size());
  const Selection first = Selection::box(std::vector<std::uint64_t>(space.dims().size(), 0),
                                         std::vector<std::uint64_t>(space.dims().size(), 1));
  NativeElements elements(native, all ? count : 1);
  d.read_elements(native, elements.data(), elements.count(), all ? Selection::all() : first);
  if (affordable(info.data_bytes, 1) && affordable(count, 64)) read_as_cpp(d, type);
}

/// Reads a file as far as it can be read, and then complains about the first thing that could not.
class Reader {
 public:
  /// What a program that lists a file would do. Returns the number of things seen.
  int read_everything(const File& file) {
    step([&] { file.root().visit([&](const Visited& v) { return see(v); }); });
    if (first_error_) std::rethrow_exception(first_error_);
    return seen_;
  }

 private:
  bool see(const Visited& v) {
    ++seen_;
    if (!v.object || v.seen_before) return true;
    step([&] {
      (void)v.object->info();
      (void)v.object->comment();
    });
    step([&] {
      for (const Attribute& a : v.object->attributes()) {
        ++seen_;
        step([&] { read_attribute(a); });
      }
    });
    step([&] {
      if (v.object->kind() == ObjectKind::dataset) read_dataset(Dataset(*v.object));
      if (v.object->kind() == ObjectKind::datatype) look_at(CommittedDatatype(*v.object).datatype());
    });
    return seen_ < 10000;
  }

  template <class Work>
  void step(Work&& work) {
    try {
      work();
    } catch (const Error&) {
      if (!first_error_) first_error_ = std::current_exception();
    }
  }

  int seen_ = 0;
  std::exception_ptr first_error_;
};

/// Of the processor: a busy machine must not count.
inline double seconds_of_this_thread() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline int read_everything(const Image& image) { return Reader().read_everything(File::open_image(image)); }

/// Looks for damage instead of being stopped by it.
inline CheckReport check_everything(const Image& image) {
  CheckOptions options;
  options.data = true;
  options.most_chunk_bytes = most_bytes;
  return File::open_image(image).check(options);
}

/// Empty when the outcome is one that a reader may have, else what is wrong with it.
inline std::string judge(const Image& image, bool& readable) {
  readable = false;
  largest_allocation = 0;
  const double start = seconds_of_this_thread();
  std::string complaint;
  try {
    read_everything(image);
    readable = true;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal) complaint = std::string("blames Filigree: ") + error.what();
    if (std::strlen(error.what()) < 20) complaint = std::string("says too little: ") + error.what();
  } catch (const std::exception& error) {
    complaint = std::string("not an Error: ") + error.what();
  }
  try {
    const CheckReport report = check_everything(image);
    for (const Finding& finding : report.findings)
      if (finding.message.size() < 10) complaint += " finds too little: " + finding.message;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal) complaint += std::string(" the check fails: ") + error.what();
  }
  const std::size_t limit = (64u << 10) + 2 * most_bytes + 4 * image.size();
  if (largest_allocation > limit)
    complaint += " allocates " + std::to_string(largest_allocation) + " bytes at once";
  if (seconds_of_this_thread() - start > 5) complaint += " takes seconds";
  return complaint;
}

/// Judges `count` images, made by `damaged` on all cores. Calls `complain` with a number and what is wrong,
/// a few times at most. Returns how many could be read.
template <class Damaged, class Complain>
int judge_all(std::size_t count, Damaged&& damaged, Complain&& complain) {
  std::atomic<int> failures{0}, readable_count{0};
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < count && failures < 5;) {
      bool readable = false;
      const std::string complaint = judge(damaged(i), readable);
      if (readable) ++readable_count;
      if (complaint.empty()) continue;
      ++failures;
      complain(i, complaint);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return readable_count;
}

inline Image with_flipped_bit(Image image, std::size_t bit) {
  image[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  return image;
}

/// Where no checksum stands in the way: extreme numbers in place of sizes, counts and addresses.
inline constexpr std::uint64_t extreme_words[] = {
    0, ~std::uint64_t{0}, ~std::uint64_t{0} >> 1, std::uint64_t{1} << 32, 96, 0xffffffff, 0xffff};

inline Image with_word(Image image, std::size_t pick) {
  const std::size_t at = pick / std::size(extreme_words) * 4;
  std::memcpy(&image[at], &extreme_words[pick % std::size(extreme_words)],
              std::min<std::size_t>(pick % 2 == 0 ? 8 : 4, image.size() - at));
  return image;
}

}  // namespace filigree::damage
