// SPDX-License-Identifier: Apache-2.0
//
// Chunks whose index or bytes lie: they give an error that says so, and cost nothing else in the file.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "guarded.hpp"

namespace filigree {
namespace {

using damage::Image;
using Dims = std::vector<std::uint64_t>;

constexpr std::uint64_t length = 32, count = 4;
constexpr std::size_t chunk_bytes = length * sizeof(int);

std::vector<int> numbers() {
  std::vector<int> values(length * count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// What finds the chunks: old trees, which have no checksums, so that any lie is found by itself, and others.
enum class Finder { tree1, fixed_array, extensible_array, tree2 };

std::string name_of(Finder finder) {
  return std::array{"tree1", "fixed array", "extensible array", "tree2"}[static_cast<std::size_t>(finder)];
}

/// With a second dimension where there has to be one.
Dims of_rank(std::size_t rank, std::uint64_t first, std::uint64_t second) {
  return rank == 1 ? Dims{first} : Dims{first, second};
}

/// Two datasets, of which one is going to be damaged.
Image make_image(std::vector<FilterChoice> chosen, Finder finder = Finder::tree1) {
  AccessOptions access;
  if (finder != Finder::tree1) access.versions.low = Version::latest;
  File file = File::create_in_memory({}, access);
  const std::size_t rank = finder == Finder::tree2 ? 2 : 1;
  const std::uint64_t most = finder == Finder::fixed_array ? length * count * 2 : unlimited;
  DatasetOptions options;
  options.chunk = of_rank(rank, length, 1);
  options.filters = std::move(chosen);
  for (const char* name : {"other", "d"})
    file.root()
        .create_dataset<int>(
            name, Dataspace::simple(of_rank(rank, length * count, 1), of_rank(rank, most, unlimited)),
            options)
        .write(numbers());
  return file.image();
}

std::vector<ChunkInfo> chunks_of(const Image& image) {
  const File file = File::open_image(image);
  std::vector<ChunkInfo> all;
  file.root().open_dataset("d").for_each_chunk([&](const ChunkInfo& one) {
    all.push_back(one);
    return true;
  });
  return all;
}

template <class Word>
std::size_t find_word(const Image& image, Word word) {
  std::array<std::byte, sizeof word> bytes;
  std::memcpy(bytes.data(), &word, sizeof word);
  const auto found = std::search(image.begin(), image.end(), bytes.begin(), bytes.end());
  EXPECT_NE(found, image.end());
  return static_cast<std::size_t>(found - image.begin());
}

/// The key of a chunk in an old tree: its size, its mask, its offset, and that of a byte in an element; then
/// its address.
constexpr std::size_t key_bytes = 4 + 4 + 8 + 8;

Image with_size(Image image, const ChunkInfo& chunk, std::uint32_t bytes) {
  std::memcpy(image.data() + find_word(image, chunk.address) - key_bytes, &bytes, sizeof bytes);
  return image;
}

/// The sum of the index, where it has one, fits.
Image with_position(Image image, const ChunkInfo& chunk, std::uint64_t position) {
  const auto guarded = damage::guarded_parts(image);
  const std::size_t at = find_word(image, chunk.address);
  std::memcpy(image.data() + at, &position, sizeof position);
  for (const damage::Guarded& part : guarded)
    if (part.start <= at && at < part.start + part.length) damage::guard(image, part);
  return image;
}

std::string error_of(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated) << error.what();
    return error.what();
  }
  return "";
}

/// Everything that may be done to "d" gives an error or works, and "other" is as it was, in memory and in
/// what is written.
void use_and_expect_no_harm(const Image& image) {
  using Use = std::function<void(Dataset&)>;
  const std::vector<Use> uses = {
      [](Dataset& data) { data.read<std::vector<int>>(); },
      [](Dataset& data) { data.write(numbers()); },
      [](Dataset& data) {
        const std::size_t rank = data.space().dims().size();
        data.write(7, Selection::box(of_rank(rank, length + 3, 0), of_rank(rank, 1, 1)));
      },
      [](Dataset& data) { data.resize(of_rank(data.space().dims().size(), length / 2, 1)); },
      [](Dataset& data) { data.resize(of_rank(data.space().dims().size(), 0, 1)); },
      [](Dataset& data) {
        data.write_chunk(of_rank(data.space().dims().size(), length, 0), std::vector<std::byte>(chunk_bytes),
                         1);
      },
      [](Dataset& data) { data.stored_bytes(); },
  };
  for (std::size_t i = 0; i <= uses.size(); ++i) {
    File file = File::open_image(image, OpenMode::read_write);
    Group root = file.root();
    error_of([&] {
      if (i == uses.size()) return root.remove("d");
      Dataset data = root.open_dataset("d");
      uses[i](data);
    });
    // What was freed goes to somebody else.
    DatasetOptions options;
    options.chunk = {length};
    auto fresh = root.create_dataset<int>("fresh", Dataspace::simple({length * 8}), options);
    fresh.write(std::vector<int>(length * 8, 5));
    error_of([&] { file.flush(); });
    EXPECT_EQ(root.read_dataset<std::vector<int>>("other"), numbers()) << "use " << i;
    EXPECT_EQ(fresh.read<std::vector<int>>(), std::vector<int>(length * 8, 5)) << "use " << i;
  }
}

TEST(HostileChunks, OfWrongSizesAreRefused) {
  for (const bool filtered : {false, true}) {
    const Image good =
        make_image(filtered ? std::vector{filters::fletcher32()} : std::vector<FilterChoice>{});
    const auto chunks = chunks_of(good);
    ASSERT_EQ(chunks.size(), count);
    const auto right = static_cast<std::uint32_t>(chunks[2].stored_bytes);
    for (const std::uint32_t bytes : {0u, 1u, right - 1, right + 1, 1u << 30, ~0u}) {
      const Image bad = with_size(good, chunks[2], bytes);
      const File file = File::open_image(bad);
      EXPECT_NE(error_of([&] { file.root().read_dataset<std::vector<int>>("d"); }), "") << bytes;
      use_and_expect_no_harm(bad);
    }
  }
}

TEST(HostileChunks, OutsideOfTheFileAreRefused) {
  const Image good = make_image({filters::deflate()});
  for (const std::uint64_t position : {good.size() - 3, std::size_t{1} << 40, ~std::size_t{0} - 7}) {
    const Image bad = with_position(good, chunks_of(good)[1], position);
    const File file = File::open_image(bad);
    EXPECT_NE(error_of([&] { file.root().read_dataset<std::vector<int>>("d"); }), "") << position;
    use_and_expect_no_harm(bad);
  }
}

TEST(HostileChunks, ThatOverlapDoNoHarm) {
  for (const Finder finder : {Finder::tree1, Finder::fixed_array, Finder::extensible_array, Finder::tree2}) {
    for (const bool filtered : {false, true}) {
      SCOPED_TRACE(name_of(finder) + (filtered ? ", filtered" : ""));
      const Image good =
          make_image(filtered ? std::vector{filters::shuffle()} : std::vector<FilterChoice>{}, finder);
      const auto chunks = chunks_of(good);
      ASSERT_EQ(chunks.size(), count);
      const auto lie = [&](const ChunkInfo& chunk, std::uint64_t position) {
        const Image bad = with_position(good, chunk, position);
        EXPECT_TRUE(std::ranges::any_of(chunks_of(bad), [&](const ChunkInfo& one) {
          return one.offset == chunk.offset && one.address == position;
        }));
        use_and_expect_no_harm(bad);
      };
      lie(chunks[1], chunks[0].address);
      lie(chunks[1], chunks[0].address + 8);
      lie(chunks[3], chunks[1].address - 8);
    }
  }
}

TEST(HostileChunks, WhoseFiltersLieAboutTheirOutputAreRefused) {
  // Chunks of another length, packed by the same filters.
  const auto packed = [](std::uint64_t elements) {
    File file = File::create_in_memory();
    DatasetOptions options;
    options.chunk = {elements};
    options.filters = {filters::deflate()};
    auto data = file.root().create_dataset<int>("d", Dataspace::simple({elements}), options);
    data.write(std::vector<int>(elements, 3));
    return data.read_chunk({0}).bytes;
  };
  for (const std::uint64_t elements : {std::uint64_t{1}, length - 1, length + 1, length * 1000}) {
    File file = File::open_image(make_image({filters::deflate()}), OpenMode::read_write);
    auto data = file.root().open_dataset("d");
    data.write_chunk({length}, packed(elements));
    EXPECT_NE(error_of([&] { data.read<std::vector<int>>(); }), "") << elements;
    EXPECT_EQ(data.read<int>(Selection::box({2}, {1})), 3);
    use_and_expect_no_harm(file.image());
  }
}

}  // namespace
}  // namespace filigree
