// SPDX-License-Identifier: Apache-2.0
//
// Chunked datasets: frames of a detector, many small chunks, scattered points.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"

namespace bench {
namespace {

using Dims = std::vector<std::uint64_t>;
using Frames = std::vector<std::uint16_t>;

const Dims frames_extent{64, 512, 1024};
const Dims frames_chunk{1, 256, 512};

/// The creation properties of a dataset.
struct Plan {
  Dims extent;
  Dims chunk;
  bool packed = false;  ///< shuffle and deflate 6
  bool latest = false;  ///< otherwise the chunk index is one that every release of HDF5 reads
};

/// Photon counts: a weak background, and a few bright spots that move from frame to frame.
Frames detector_frames() {
  std::mt19937 random(5);
  std::poisson_distribution<int> background(6.0);
  // A random number per pixel would take longer than everything that is measured here.
  std::vector<std::uint16_t> drawn(1u << 20);
  for (auto& value : drawn) value = static_cast<std::uint16_t>(background(random));
  Frames values(64 * 512 * 1024);
  for (std::uint64_t frame = 0; frame < 64; ++frame) {
    std::uint16_t* const pixels = values.data() + frame * 512 * 1024;
    for (std::uint64_t i = 0; i < 512 * 1024; i += 1024)
      std::memcpy(pixels + i, drawn.data() + random() % (drawn.size() - 1024), 1024 * sizeof(pixels[0]));
    for (int spot = 0; spot < 40; ++spot) {
      const std::uint64_t row = 2 + random() % 508, column = 2 + random() % 1020;
      for (std::uint64_t y = row - 2; y < row + 3; ++y)
        for (std::uint64_t x = column - 2; x < column + 3; ++x)
          pixels[y * 1024 + x] = static_cast<std::uint16_t>(500 + random() % 3000);
    }
  }
  return values;
}

template <class T>
hid_t native() {
  return sizeof(T) == 2 ? H5T_NATIVE_UINT16 : H5T_NATIVE_INT32;
}

template <class T>
filigree::File make_ours(const std::string& path, const Plan& plan) {
  filigree::AccessOptions access;
  if (plan.latest) access.versions.low = filigree::Version::v1_10;
  auto file = filigree::File::create(path, filigree::CreateMode::truncate, {}, access);
  filigree::DatasetOptions options;
  options.chunk = plan.chunk;
  if (plan.packed) options.filters = {filigree::filters::shuffle(), filigree::filters::deflate(6)};
  file.root().create_dataset<T>("data", filigree::Dataspace::simple(plan.extent), options);
  return file;
}

/// An HDF5 file with one dataset, open.
class Reference {
 public:
  template <class T>
  static Reference make(const std::string& path, const Plan& plan, T /*element*/) {
    Reference made;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (plan.latest) H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    made.file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    const std::vector<hsize_t> extent(plan.extent.begin(), plan.extent.end());
    const std::vector<hsize_t> chunk(plan.chunk.begin(), plan.chunk.end());
    const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, static_cast<int>(chunk.size()), chunk.data());
    if (plan.packed) H5Pset_shuffle(create), H5Pset_deflate(create, 6);
    made.set_ = H5Dcreate2(made.file_, "data", native<T>(), space, H5P_DEFAULT, create, H5P_DEFAULT);
    H5Pclose(create), H5Sclose(space), H5Pclose(access);
    return made;
  }
  static Reference open(const std::string& path, bool writable = false) {
    Reference opened;
    opened.file_ = H5Fopen(path.c_str(), writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);
    opened.set_ = H5Dopen2(opened.file_, "data", H5P_DEFAULT);
    return opened;
  }
  ~Reference() {
    if (set_ >= 0) H5Dclose(set_);
    if (file_ >= 0) H5Fclose(file_);
  }
  Reference(Reference&& from) noexcept
      : file_(std::exchange(from.file_, -1)), set_(std::exchange(from.set_, -1)) {}

  template <class T>
  void write(const std::vector<T>& values) const {
    require(H5Dwrite(set_, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, "H5Dwrite");
  }
  template <class T>
  void read(std::vector<T>& values) const {
    require(H5Dread(set_, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, "H5Dread");
  }
  hid_t set() const { return set_; }

 private:
  Reference() = default;
  hid_t file_ = -1;
  hid_t set_ = -1;
};

template <class T>
void read_ours(const std::string& path, std::vector<T>& values) {
  filigree::File::open(path).root().open_dataset("data").read_into(std::span(values));
}

/// Paths of one scenario. Every run makes a new file, since truncating an old one takes longer than writing.
struct Paths {
  std::string ours, reference, plain;

  void next() {
    remove();
    static int made = 0;
    ours = scratch(fmt::format("chunks{}.h5", made++));
    reference = scratch(fmt::format("chunks{}.h5", made++));
    plain = scratch(fmt::format("chunks{}.raw", made++));
  }
  void remove() const {
    for (const auto& path : {ours, reference, plain})
      if (!path.empty()) std::filesystem::remove(path);
  }
  ~Paths() { remove(); }
};

/// The best of several runs, each with a new file.
template <class T>
Race race_write(int turns, Paths& paths, const Plan& plan, const std::vector<T>& values) {
  Race race;
  for (int i = 0; i < turns; ++i) {
    paths.next();
    race.turn(
        [&] {
          auto file = make_ours<T>(paths.ours, plan);
          file.root().open_dataset("data").write(values);
          file.close();
        },
        [&] { Reference::make(paths.reference, plan, T{}).write(values); });
  }
  return race;
}

/// Each library reads the file of the other.
template <class T>
Race race_read(int turns, const Paths& paths, const std::vector<T>& values) {
  std::vector<T> ours(values.size()), reference(values.size());
  Race race;
  for (int i = 0; i < turns; ++i)
    race.turn([&] { read_ours(paths.reference, ours); },
              [&] { Reference::open(paths.ours).read(reference); });
  require(ours == values && reference == values, "values of chunks");
  return race;
}

void report(std::string name, const Race& race, std::uint64_t bytes, std::optional<double> aim) {
  bench::report(
      {.name = std::move(name), .ours = race.ours, .other = race.other, .aim = aim, .bytes = bytes});
}

/// Reads the same boxes from a file that was just opened, and once more while it is open.
void boxes(const Paths& paths, const Frames& values) {
  constexpr std::uint64_t side = 64;
  std::mt19937 random(9);
  std::vector<Dims> corners(400);
  for (auto& at : corners) at = {random() % 64, random() % (512 - side), random() % (1024 - side)};
  Frames box(side * side);
  const auto check = [&](const Dims& at) {
    for (std::uint64_t y = 0; y < side; ++y) {
      const auto* row = values.data() + (at[0] * 512 + at[1] + y) * 1024 + at[2];
      require(std::memcmp(row, box.data() + y * side, side * sizeof(row[0])) == 0, "a box of a frame");
    }
  };
  const hsize_t count[] = {1, side, side};
  const hid_t memory = H5Screate_simple(3, count, nullptr);
  Race first, again;
  for (int turn = 0; turn < 3; ++turn) {
    const auto ours = filigree::File::open(paths.ours).root().open_dataset("data");
    const auto read_ours_boxes = [&] {
      for (const auto& at : corners) {
        ours.read_into(std::span(box), filigree::Selection::box(at, {1, side, side}));
        check(at);
      }
    };
    const Reference reference = Reference::open(paths.ours);
    const hid_t space = H5Dget_space(reference.set());
    const auto read_reference_boxes = [&] {
      for (const auto& at : corners) {
        const hsize_t start[] = {at[0], at[1], at[2]};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
        require(H5Dread(reference.set(), H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, box.data()) >= 0,
                "a box");
        check(at);
      }
    };
    first.turn(read_ours_boxes, read_reference_boxes);
    again.turn(read_ours_boxes, read_reference_boxes);
    H5Sclose(space);
  }
  H5Sclose(memory);
  const std::uint64_t bytes = corners.size() * box.size() * sizeof(box[0]);
  report("400 random boxes of 64 x 64 of them, file just opened", first, bytes, 20);
  report("400 random boxes once more through the same open file", again, bytes, 20);
}

void packed_frames(const Frames& values) {
  Paths paths;
  const Plan plan{frames_extent, frames_chunk, true};
  const Race write = race_write(2, paths, plan, values);
  const Race read = race_read(3, paths, values);
  const std::uint64_t bytes = values.size() * sizeof(values[0]);
  report("write 64 frames of 512 x 1024 uint16, shuffle + deflate 6", write, bytes, 3.5);
  bench::report({.name = "bytes of the file of frames",
                 .ours = static_cast<double>(file_bytes(paths.ours)),
                 .other = static_cast<double>(file_bytes(paths.reference)),
                 .aim = 1 / 1.05,
                 .unit = "bytes",
                 .bytes = file_bytes(paths.ours)});
  report("read 64 frames, shuffle + deflate 6", read, bytes, 4);
  boxes(paths, values);
}

/// Uses one system call if the kernel takes all bytes at once.
void write_plain(const std::string& path, const void* bytes, std::size_t count) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
  for (std::size_t done = 0; done < count;) {
    const ssize_t wrote =
        ::pwrite(file, static_cast<const char*>(bytes) + done, count - done, static_cast<off_t>(done));
    require(wrote > 0, "pwrite");
    done += static_cast<std::size_t>(wrote);
  }
  ::close(file);
}

void read_plain(const std::string& path, void* bytes, std::size_t count) {
  const int file = ::open(path.c_str(), O_RDONLY);
  for (std::size_t done = 0; done < count;) {
    const ssize_t got =
        ::pread(file, static_cast<char*>(bytes) + done, count - done, static_cast<off_t>(done));
    require(got > 0, "pread");
    done += static_cast<std::size_t>(got);
  }
  ::close(file);
}

void unfiltered_frames(const Frames& values) {
  Paths paths;
  const std::size_t bytes = values.size() * sizeof(values[0]);
  const Plan plan{frames_extent, frames_chunk};
  Race write, read;
  double direct_write = 1e9, direct_read = 1e9;
  const auto best = [](Race& of, const Race& one) {
    of.ours = std::min(of.ours, one.ours);
    of.other = std::min(of.other, one.other);
  };
  for (int turn = 0; turn < 7; ++turn) {
    best(write, race_write(1, paths, plan, values));
    direct_write = std::min(direct_write, seconds([&] { write_plain(paths.plain, values.data(), bytes); }));
  }
  Frames back(values.size());
  for (int turn = 0; turn < 7; ++turn) {
    best(read, race_read(1, paths, values));
    direct_read = std::min(direct_read, seconds([&] { read_plain(paths.plain, back.data(), bytes); }));
  }
  require(back == values, "plain bytes");
  const auto against = [&](const char* call, double ours, double plain) {
    bench::report({.name = fmt::format("64 frames without filters, only {}", call),
                   .ours = ours,
                   .other = plain,
                   .against = call,
                   .aim = 0.8,
                   .bytes = bytes});
  };
  report("write 64 frames in chunks without filters", write, bytes, 1.2);
  against("pwrite", write.ours, direct_write);
  report("read 64 frames in chunks without filters", read, bytes, 1.2);
  against("pread", read.ours, direct_read);
}

void small_chunks_in(Paths& paths, const std::string& name, const Plan& plan,
                     const std::vector<std::int32_t>& values) {
  const Race write = race_write(2, paths, plan, values);
  const Race read = race_read(2, paths, values);
  const std::uint64_t bytes = values.size() * sizeof(values[0]);
  report("write 250,000 chunks of " + name, write, bytes, 8);
  report("read 250,000 chunks of " + name, read, bytes, 8);
}

void small_chunks() {
  std::vector<std::int32_t> values(250'000 * 64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i * 2654435761u);
  for (const bool latest : {false, true}) {
    Paths paths;
    const std::string name = latest ? "latest format" : "earliest format";
    const Plan plan{{values.size()}, {64}, false, latest};
    small_chunks_in(paths, fmt::format("64 elements, {}", name), plan, values);
  }
  Paths paths;
  const Plan plan{{4000, 4000}, {8, 8}, false, false};
  small_chunks_in(paths, "8 x 8, earliest format", plan, values);
}

/// An HDF5 selection of the points.
hid_t reference_points(const Reference& data, const Dims& coordinates) {
  const hid_t space = H5Dget_space(data.set());
  const std::vector<hsize_t> points(coordinates.begin(), coordinates.end());
  H5Sselect_elements(space, H5S_SELECT_SET, points.size() / 3, points.data());
  return space;
}

void scattered_points(const Frames& values) {
  constexpr std::size_t count = 1'000'000;
  std::mt19937_64 random(3);
  Dims coordinates;
  Frames chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t at = random() % values.size();
    coordinates.insert(coordinates.end(), {at / (512 * 1024), at / 1024 % 512, at % 1024});
    chosen.push_back(values[at]);
  }
  const hsize_t listed = count;
  const hid_t memory = H5Screate_simple(1, &listed, nullptr);
  Paths paths;
  const Plan plan{frames_extent, frames_chunk};
  Race write, read;
  Frames ours(count), reference(count);
  for (int i = 0; i < 3; ++i) {
    paths.next();
    write.turn(
        [&] {
          auto file = make_ours<std::uint16_t>(paths.ours, plan);
          file.root().open_dataset("data").write(chosen,
                                                 filigree::Selection::points(frames_extent, coordinates));
          file.close();
        },
        [&] {
          const Reference data = Reference::make(paths.reference, plan, std::uint16_t{});
          const hid_t space = reference_points(data, coordinates);
          require(H5Dwrite(data.set(), H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, chosen.data()) >= 0,
                  "H5Dwrite of points");
          H5Sclose(space);
        });
    read.turn(
        [&] {
          filigree::File::open(paths.reference)
              .root()
              .open_dataset("data")
              .read_into(std::span(ours), filigree::Selection::points(frames_extent, coordinates));
        },
        [&] {
          const Reference data = Reference::open(paths.ours);
          const hid_t space = reference_points(data, coordinates);
          require(H5Dread(data.set(), H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, reference.data()) >= 0,
                  "H5Dread of points");
          H5Sclose(space);
        });
  }
  H5Sclose(memory);
  require(ours == chosen && reference == chosen, "scattered points");
  const std::uint64_t bytes = count * sizeof(chosen[0]);
  report("write a million scattered points into the frames", write, bytes, 20);
  report("read a million scattered points of the frames", read, bytes, 20);
}

}  // namespace

void run_chunks() {
  const Frames values = detector_frames();
  packed_frames(values);
  unfiltered_frames(values);
  small_chunks();
  scattered_points(values);
}

}  // namespace bench
