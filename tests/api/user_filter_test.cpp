// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

std::vector<std::byte> moved(std::span<const std::byte> bytes, int by) {
  std::vector<std::byte> result(bytes.begin(), bytes.end());
  for (std::byte& byte : result) byte = static_cast<std::byte>(std::to_integer<int>(byte) + by);
  return result;
}

/// Adds its parameter to every byte.
UserFilter adding(std::uint16_t id) {
  UserFilter filter;
  filter.id = id;
  filter.name = "adding";
  filter.encode = [](auto bytes, auto parameters) { return moved(bytes, static_cast<int>(parameters[0])); };
  filter.decode = [](auto bytes, auto parameters, std::size_t) {
    return moved(bytes, -static_cast<int>(parameters[0]));
  };
  return filter;
}

std::vector<std::uint8_t> numbers() {
  std::vector<std::uint8_t> values(64);
  std::iota(values.begin(), values.end(), std::uint8_t{0});
  return values;
}

Dataset write_with(File& file, std::uint16_t id) {
  DatasetOptions options;
  options.chunk = {64};
  options.filters = {{id, {7}, false}};
  return file.root().write_dataset("set", numbers(), options);
}

TEST(UserFilter, ServesChunksOnTheirWayInAndOut) {
  filters::add(adding(310));
  File file = File::create_in_memory();
  Dataset set = write_with(file, 310);
  EXPECT_EQ(set.read_chunk({0}).bytes.at(3), std::byte{10});
  const File again = File::open_image(file.image());
  EXPECT_EQ(again.root().read_dataset<std::vector<std::uint8_t>>("set"), numbers());
  EXPECT_EQ(again.root().open_dataset("set").dataset_info().filters.at(0).parameters,
            std::vector<std::uint32_t>{7});
  EXPECT_TRUE(filters::remove(310));
}

TEST(UserFilter, ThatIsGoneIsMissing) {
  filters::add(adding(311));
  File file = File::create_in_memory();
  write_with(file, 311);
  const std::vector<std::byte> image = file.image();
  EXPECT_TRUE(filters::remove(311));
  EXPECT_FALSE(filters::remove(311));
  const File again = File::open_image(image);
  try {
    again.root().read_dataset<std::vector<std::uint8_t>>("set");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    const std::string text = error.what();
    EXPECT_NE(text.find("filter 311, which the file calls 'adding'"), text.npos) << text;
    EXPECT_NE(text.find("register"), text.npos) << text;
  }
}

/// Whatever the functions of a program do: chunks of the wrong size are never read, nor written unnoticed.
TEST(UserFilter, ThatLiesOrThrowsIsNoticed) {
  enum class Lie { shorter, longer, nothing, throws };
  for (const Lie lie : {Lie::shorter, Lie::longer, Lie::nothing, Lie::throws}) {
    filters::add(adding(314));
    File file = File::create_in_memory();
    Dataset set = write_with(file, 314);
    const std::vector<std::byte> image = file.image();
    UserFilter liar = adding(314);
    const auto spoilt = [lie](std::vector<std::byte> bytes) {
      if (lie == Lie::throws) throw std::runtime_error("no such luck");
      bytes.resize(lie == Lie::nothing ? 0 : lie == Lie::longer ? bytes.size() * 1000 : bytes.size() - 1);
      return bytes;
    };
    liar.decode = [spoilt](auto bytes, auto, std::size_t) { return spoilt(moved(bytes, 0)); };
    liar.encode = [spoilt](auto bytes, auto) { return spoilt(moved(bytes, 0)); };
    filters::remove(314);
    filters::add(liar);
    const File again = File::open_image(image);
    const auto read = [&] { again.root().read_dataset<std::vector<std::uint8_t>>("set"); };
    if (lie == Lie::throws) {  // what it throws comes through
      EXPECT_THROW(read(), std::runtime_error);
      File other = File::create_in_memory();
      EXPECT_THROW(write_with(other, 314), std::runtime_error);
    } else {
      EXPECT_THROW(read(), Error);
    }
    filters::remove(314);
    filters::add(adding(314));  // the file is none the worse
    EXPECT_EQ(File::open_image(image).root().read_dataset<std::vector<std::uint8_t>>("set"), numbers());
    filters::remove(314);
  }
}

TEST(UserFilter, ReplacesOursUntilItIsRemoved) {
  filters::add(adding(32015));
  EXPECT_EQ(filters::find(32015)->name, "adding");
  EXPECT_TRUE(filters::remove(32015));
  EXPECT_NE(filters::find(32015)->name, "adding");
  EXPECT_FALSE(filters::remove(32015));
}

TEST(UserFilter, IsAskedOfTheFinderOnce) {
  int asked = 0;
  filters::set_finder([&](std::uint16_t id) -> std::optional<UserFilter> {
    ++asked;
    if (id != 312) return std::nullopt;
    UserFilter found = adding(id);
    found.encode = nullptr;
    return found;
  });
  EXPECT_FALSE(filters::find(313));
  ASSERT_TRUE(filters::find(312));
  EXPECT_FALSE(filters::find(312)->encodes);
  EXPECT_EQ(asked, 2);
  filters::set_finder(nullptr);
  filters::remove(312);
}

TEST(UserFilter, WithoutFunctionsIsRefused) { EXPECT_THROW(filters::add(UserFilter{}), Error); }

}  // namespace
}  // namespace filigree
