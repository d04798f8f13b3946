// SPDX-License-Identifier: Apache-2.0
//
// The worked example of the format reference in whole files, and headers that contradict it.
#include <algorithm>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using Image = std::vector<std::byte>;
using ::testing::ElementsAre;

Image from_hex(std::string_view text) {
  Image bytes;
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != ' '; });
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

Image word(std::uint64_t value) {
  Image bytes(8);
  std::memcpy(bytes.data(), &value, 8);
  return bytes;
}

Image joined(std::initializer_list<Image> parts) {
  Image all;
  for (const Image& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Returns where it is stored. Fails unless it is stored exactly once.
std::size_t address_of(const Image& image, const Image& wanted) {
  const auto found = std::ranges::search(image, wanted);
  EXPECT_FALSE(found.empty());
  EXPECT_TRUE(std::ranges::search(std::ranges::subrange(found.end(), image.end()), wanted).empty());
  return static_cast<std::size_t>(found.begin() - image.begin());
}

const char* const layout_start = "0504 00 0100 00 03 01 050504 08 02 01 00";
const char* const sections =
    "01000828000000 0102010000000000 0500000000000000 0500000000000000 0500000000000000 0500000000000000"
    "02000000 01000000 00000000 18000000 02000000 01000000 03000000 02000000 04000000 04000000 fa5f9954"
    "20000000 21000000 22000000 2a000000 2b000000 2c000000";

/// Rows 3 and 4, columns 2 to 4 with 10 * row + column, in chunks of 5 x 5.
Dataset write_example(File& file, const Dims& dims, const Dims& most) {
  auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple(dims, most),
                                                       sparse_chunks({5, 5}).unfiltered());
  data.write(Ints{32, 33, 34, 42, 43, 44}, Selection::box({3, 2}, {2, 3}));
  return data;
}

class StructuredFormat : public ::testing::Test {
 protected:
  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5", CreateMode::truncate, {}, bounds(Version::earliest));
};

TEST_F(StructuredFormat, IsThatOfTheWorkedExample) {
  const auto info = write_example(file_, {10, 10}, {10, 10}).chunk_info({0, 0});
  const Image image = file_.image();
  EXPECT_EQ(address_of(image, from_hex(sections)), info.address);
  // An element of the fixed array: address, size, start of section 1.
  address_of(image, joined({from_hex("46414442 00 02"), {}}));
  address_of(image, joined({word(info.address), from_hex("7300 5b00000000000000")}));
  address_of(image, joined({from_hex(layout_start), from_hex("03 0a")}));
}

TEST_F(StructuredFormat, IsThatOfTheWorkedExampleInATree) {
  const auto info = write_example(file_, {10, 10}, {unlimited, unlimited}).chunk_info({0, 0});
  const Image image = file_.image();
  address_of(image, joined({from_hex("42544c46 00 0c"), word(info.address),
                            from_hex("7300 0000000000000000 0000000000000000 5b00000000000000")}));
  address_of(image, joined({from_hex(layout_start), from_hex("05 00080000 64 28")}));
}

TEST_F(StructuredFormat, IsThatOfTheWorkedExampleAsASingleChunk) {
  const auto info = write_example(file_, {5, 5}, {5, 5}).chunk_info({0, 0});
  const Image image = file_.image();
  address_of(image,
             joined({from_hex(layout_start), from_hex("01 7300 5b00000000000000"), word(info.address)}));
}

TEST_F(StructuredFormat, IsThatOfTheWorkedExampleOfVariableLength) {
  using Bytes = std::vector<std::uint8_t>;
  auto data =
      file_.root().create_dataset<Bytes>("d", Dataspace::simple({4}), sparse_chunks({4}).unfiltered());
  data.write(std::vector<Bytes>{{1, 2, 3}, {}, {9}}, Selection::box({1}, {3}));
  const auto info = data.chunk_info({0});
  EXPECT_EQ(info.stored_bytes, 131u);
  EXPECT_THAT(info.sections, ElementsAre(SectionInfo{SectionKind::selection, 0, 63, 63},
                                         SectionInfo{SectionKind::elements, 0, 48, 48},
                                         SectionInfo{SectionKind::heap, 0, 8, 8}));
  const Image image = file_.image();
  EXPECT_EQ(address_of(image, from_hex("03000000 0400000000000000 00000000"
                                       "00000000 0000000000000000 00000000"
                                       "01000000 0700000000000000 00000000 3911c201"
                                       "00000000 01 02 03 09 a1bbb5ee")),
            info.address + 0x43);
}

/// The messages that the prototype writes for the same dataset, but for its type word of 0, its spare bytes,
/// and the order of sections, which there is that of the calls.
TEST_F(StructuredFormat, HasTheMessagesOfThePrototypeWithFilters) {
  auto file = File::create(scratch_ / "l.h5", CreateMode::truncate, {}, bounds(Version::latest));
  auto data = file.root().create_dataset<std::int32_t>(
      "d", Dataspace::simple({10, 10}),
      sparse_chunks({5, 5}).selection(filters::deflate(6)).values(filters::shuffle(), filters::deflate(6)));
  data.write(Ints{32, 33, 34, 42, 43, 44}, Selection::box({3, 2}, {2, 3}));
  const Image image = file.image();
  const auto index = data.dataset_info().index_address;
  ASSERT_TRUE(index);
  // Each message has its type, its size, its flags, and its body.
  address_of(image, joined({from_hex("08 1900 00"),
                            from_hex("0504 00 0100 00 03 01 050504 08 02 01 00 03 0a"), word(*index)}));
  address_of(image, from_hex("19 2800 01 01 02 00 01 0a00 0100 0100 0100 06000000"
                             "01 02 1400 0200 0100 0100 04000000 0100 0100 0100 06000000"));
  // A header of a fixed array of client 3 with elements of 8 + 2 + 8 + 16 + 8 bytes.
  address_of(image, from_hex("46414844 00 03 2a 0a 0400000000000000"));
}

TEST_F(StructuredFormat, HasHeapSetsOnRequest) {
  using Bytes = std::vector<std::uint8_t>;
  auto data = file_.root().create_dataset<Bytes>("d", Dataspace::simple({4}),
                                                 sparse_chunks({4}).heap_sets().unfiltered());
  EXPECT_TRUE(data.dataset_info().heap_sets);
  EXPECT_TRUE(data.creation_options().heap_sets);
  data.write(std::vector<Bytes>{{1, 2, 3}, {}, {9}}, Selection::box({1}, {3}));
  const auto all = data.read<std::vector<Bytes>>();
  EXPECT_THAT(all, ElementsAre(Bytes{}, Bytes{1, 2, 3}, Bytes{}, Bytes{9}));
  const Image image = file_.image();
  address_of(image, from_hex("0504 00 0000 00 02 01 0410 08 03 03 000102"));
  address_of(image, from_hex("48474c53 01 000000 01000000 1c00000000000000 4000000000000000"
                             "47434f4c 01 000000 4000000000000000"
                             "0100 0000 00000000 0300000000000000 0102030000000000"
                             "0200 0000 00000000 0100000000000000 0900000000000000"));
  auto numbers = sparse_chunks({4}).heap_sets().unfiltered();
  EXPECT_THROW(file_.root().create_dataset<int>("n", Dataspace::simple({4}), numbers), Error);
}

TEST_F(StructuredFormat, HoldsTheMatrixOfTheRfc) {
  // 13 x 10 with 3 * (10 * row + column) in rows 2 to 6, columns 2 to 6, of which the first chunk has six.
  auto data = file_.root().create_dataset<std::int32_t>("d", Dataspace::simple({13, 10}),
                                                        sparse_chunks({4, 5}).unfiltered());
  Ints values;
  for (int row = 2; row < 7; ++row)
    for (int column = 2; column < 7; ++column) values.push_back(3 * (10 * row + column));
  data.write(values, Selection::box({2, 2}, {5, 5}));
  const auto first = data.read_structured_chunk({0, 0});
  Ints held(6);
  ASSERT_EQ(first[1].bytes.size(), 24u);
  std::memcpy(held.data(), first[1].bytes.data(), 24);
  EXPECT_THAT(held, ElementsAre(66, 69, 72, 96, 99, 102));
  const Image block = from_hex("02000000 02000000 03000000 04000000");
  EXPECT_TRUE(std::equal(block.begin(), block.end(), first[0].bytes.end() - 16));
}

/// Of the decoder checklist: the layout message against itself and the rest of the header.
TEST_F(StructuredFormat, RefusesHeadersThatContradictThemselves) {
  write_example(file_, {10, 10}, {10, 10});
  const Image good = file_.image();
  const std::size_t layout = address_of(good, joined({from_hex(layout_start), from_hex("03 0a")}));
  const auto read = [](const Image& image) { (void)File::open_image(image).root().read_dataset<Ints>("d"); };
  EXPECT_NO_THROW(read(good));
  struct Patch {
    const char* what;
    std::size_t at;
    unsigned value;
  };
  const Patch patches[] = {
      {"version", 0, 7},
      {"class", 1, 5},
      {"property version", 2, 1},
      {"type", 3, 4},
      {"type, high", 4, 1},
      {"flags", 5, 4},
      {"dimensionality", 6, 2},
      {"dimensionality", 6, 4},
      {"width", 7, 0},
      {"width", 7, 9},
      {"dimension", 8, 0},
      {"dimension", 9, 0},
      {"element size", 10, 8},
      {"element size", 10, 2},
      {"offset size", 11, 7},
      {"sections", 12, 1},
      {"sections", 12, 3},
      {"sections", 12, 13},
      {"checksums", 13, 0},
      {"checksums", 13, 3},
      {"checksum of section", 14, 1},
      {"checksum of section", 14, 2},
      {"index type", 15, 0},
      {"index type", 15, 2},
      {"index type", 15, 4},
      {"index type", 15, 5},
      {"index type", 15, 6},
      {"page bits", 16, 0},
      {"type: dense with a heap", 3, 2},
      {"type: with a heap", 3, 3},
  };
  for (const Patch& patch : patches) {
    SCOPED_TRACE(patch.what);
    Image bad = good;
    bad[layout + patch.at] = static_cast<std::byte>(patch.value);
    const ErrorKind kind = error_of([&] { read(bad); });
    EXPECT_TRUE(kind == ErrorKind::corrupt || kind == ErrorKind::unsupported || kind == ErrorKind::truncated);
  }
}

/// And the other way round: a list of filters, and an index of chunks without.
TEST_F(StructuredFormat, RefusesIndexesOfOtherDatasets) {
  const std::pair<Dims, const char*> kinds[] = {{{10, 10}, "03 0a"},
                                                {{unlimited, 10}, "04 20 04 04 10 0a"},
                                                {{unlimited, unlimited}, "05 00080000 64 28"}};
  for (const auto& [most, index] : kinds) {
    File file = File::create(scratch_ / "g.h5", CreateMode::truncate, {}, bounds(Version::earliest));
    for (const bool filtered : {false, true}) {
      auto options = sparse_chunks({5, 5}).unfiltered();
      if (filtered) options.values({filters::fletcher32()});
      auto data = file.root().create_dataset<std::int32_t>(filtered ? "filtered" : "plain",
                                                           Dataspace::simple({10, 10}, most), options);
      data.write(1, Selection::box({0, 0}, {1, 1}));
    }
    Image image = file.image();
    const Image layout = joined({from_hex(layout_start), from_hex(index)});
    const auto first = std::ranges::search(image, layout);
    const auto second = std::ranges::search(std::ranges::subrange(first.end(), image.end()), layout);
    ASSERT_FALSE(second.empty());
    std::swap_ranges(first.end(), first.end() + 8, second.end());  // the addresses
    for (const char* name : {"plain", "filtered"}) {
      const ErrorKind kind = error_of([&] { (void)File::open_image(image).root().read_dataset<Ints>(name); });
      EXPECT_EQ(kind, ErrorKind::corrupt) << name << ' ' << index;
    }
  }
}

/// Clients 2 and 3 of arrays, and types 12 and 13 of trees, go with the message that lists filters.
TEST_F(StructuredFormat, RefusesIndexesThatDoNotGoWithTheFilters) {
  for (const Dims& most : {Dims{10}, Dims{unlimited}, Dims{5}}) {
    File file = File::create(scratch_ / "g.h5", CreateMode::truncate, {}, bounds(Version::earliest));
    auto data =
        file.root().create_dataset<std::int32_t>("d", Dataspace::simple({most == Dims{5} ? 5u : 10u}, most),
                                                 sparse_chunks({5}).values({filters::fletcher32()}));
    data.write(1, Selection::box({0}, {1}));
    Image image = file.image();
    // Version 1, one section, number 1, one filter of 6 bytes; before it the type of the message.
    const std::size_t at = address_of(image, from_hex("01 01 01 01 0600 0300 0000 0000"));
    image[at - 8] = std::byte{0};  // now a message of nothing
    const ErrorKind kind = error_of([&] { (void)File::open_image(image).root().read_dataset<Ints>("d"); });
    EXPECT_EQ(kind, ErrorKind::corrupt);
  }
}

}  // namespace
}  // namespace filigree
