// SPDX-License-Identifier: Apache-2.0
//
// File::check() and File::describe() on files that are changed meanwhile, and on damaged ones.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "damage.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

using Image = std::vector<std::byte>;

/// All damages and leaks as text.
std::string faults(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    if (finding.severity >= Severity::leak)
      text += std::string(to_string(finding.severity)) + " " + finding.path + ": " + finding.message + "\n";
  }
  return text;
}

CheckOptions with_data() {
  CheckOptions options;
  options.data = true;
  return options;
}

void expect_sound(const File& file) {
  const CheckReport report = file.check(with_data());
  EXPECT_TRUE(report.is_sound()) << faults(report);
  EXPECT_EQ(report.used_bytes + report.free_bytes + report.unused_bytes, file.info().file_bytes);
}

DatasetOptions chunks(std::vector<std::uint64_t> dims) {
  DatasetOptions options;
  options.chunk = std::move(dims);
  return options;
}

/// A dataset whose chunk index depends on its maximum dimensions.
void add_chunks(Group& group, const std::string& name, std::uint64_t chunk,
                const std::vector<std::uint64_t>& most) {
  DatasetOptions options = chunks({chunk, chunk});
  if (name == "wide") options.filters = {filters::deflate(1)};
  group.create_dataset<float>(name, Dataspace::simple({100, 30}, most), options)
      .write(std::vector<float>(3000, 1.5f));
}

/// Groups of both storages, attributes, and datasets of all layouts with all kinds of chunk indexes.
void add_contents(File& file) {
  Group root = file.root();
  std::vector<double> numbers(300);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  root.write_dataset("plain", numbers);
  root.link_hard("again", root.open("plain"));
  Group many = root.create_group("many");
  for (int i = 0; i < 30; ++i) {
    many.create_group("member " + std::to_string(i));
    many.set_attribute("attribute " + std::to_string(i), numbers);
  }
  root.write_dataset("texts", std::vector<std::string>{"one", "two", std::string(500, 'x')});
  root.set_attribute("reference", root.open("plain").reference());
  add_chunks(root, "fixed", 10, {100, 30});
  add_chunks(root, "growing", 7, {unlimited, 30});
  add_chunks(root, "wide", 9, {unlimited, unlimited});
}

void add_sparse(File& file) {
  for (const bool portable : {false, true}) {
    DatasetOptions options = sparse_chunks({8, 8});
    options.portable = portable;
    auto data = file.root().create_dataset<std::uint16_t>(portable ? "portable" : "structured",
                                                          Dataspace::simple({64, 64}), options);
    for (std::uint64_t row = 0; row < 64; row += 5)
      data.write(std::vector<std::uint16_t>(20, 7), Selection::box({row, row % 40}, {1, 20}));
  }
}

TEST(Check, SeesUnsavedChangesOfAnOpenFile) {
  for (const Version version : {Version::earliest, Version::v1_8, Version::v1_10}) {
    File file = File::create_in_memory({}, bounds(version));
    expect_sound(file);
    add_contents(file);
    expect_sound(file);
    for (int i = 0; i < 30; i += 2) {
      file.root().open_group("many").remove("member " + std::to_string(i));
      file.root().open("many").remove_attribute("attribute " + std::to_string(i));
    }
    Dataset(file.root().open("growing")).resize({40, 30});
    Dataset(file.root().open("wide")).resize({150, 200});
    expect_sound(file);
    file.root().remove("many");
    file.root().remove("fixed");
    add_sparse(file);
    expect_sound(file);
    const File reopened = File::open_image(file.image());
    expect_sound(reopened);
    EXPECT_GT(reopened.check().objects, 5u);
  }
}

TEST(Check, AccountsForEachByteOfAFileThatStoresItsFreeSpace) {
  for (const SpaceStrategy strategy : {SpaceStrategy::free_list, SpaceStrategy::paged}) {
    CreateOptions options;
    options.space.strategy = strategy;
    options.space.persist = true;
    const Scratch folder;
    const std::string path = folder / "f.h5";
    File file = File::create(path, CreateMode::exclusive, options, bounds(Version::v1_10));
    add_contents(file);
    file.root().remove("many");
    file.root().remove("wide");
    file.close();
    const File stored = File::open(path);
    expect_sound(stored);
    const CheckReport report = stored.check();
    EXPECT_GT(report.free_bytes, 0u);
    if (strategy == SpaceStrategy::free_list) {
      EXPECT_EQ(report.unused_bytes, 0u);
    }
  }
}

TEST(Check, StopsListingAtTheLimitAndCountsOn) {
  File file = File::create_in_memory({}, bounds(Version::v1_10));
  add_contents(file);
  Image image = file.image();
  const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
  for (std::size_t at = text.find("OHDR", 200); at != text.npos; at = text.find("OHDR", at + 1))
    image[at + 9] ^= std::byte{1};
  CheckOptions options;
  options.most_findings = 3;
  const CheckReport report = File::open_image(image).check(options);
  EXPECT_THAT(report.findings, SizeIs(3));
  EXPECT_GT(report.damages, 3u);
}

TEST(Check, ReportsProgress) {
  File file = File::create_in_memory({}, bounds(Version::v1_10));
  file.root().write_dataset("large", std::vector<double>(1'000'000));
  std::uint64_t last = 0;
  CheckOptions options;
  options.on_progress = [&](std::uint64_t bytes) { last = bytes; };
  file.check(options);
  EXPECT_GE(last, 8'000'000u);
}

TEST(Check, LeavesLargeChunksAlone) {
  File file = File::create_in_memory();
  file.root()
      .create_dataset<double>("x", Dataspace::simple({1000}), chunks({500}))
      .write(std::vector<double>(1000));
  CheckOptions options = with_data();
  options.most_chunk_bytes = 3999;
  const CheckReport report = file.check(options);
  EXPECT_EQ(report.chunks_read, 0u);
  EXPECT_EQ(report.informations, 1u);
  EXPECT_TRUE(report.is_sound());
  options.most_chunk_bytes = 4000;
  EXPECT_EQ(file.check(options).chunks_read, 2u);
}

/// Whether a check finds something, or the file cannot even be opened.
bool notices(const Image& image) {
  try {
    return !File::open_image(image).check().is_sound();
  } catch (const Error&) {
    return true;
  }
}

TEST(Check, NoticesEachChangedByteOfMetadataWithChecksums) {
  File file = File::create_in_memory({}, bounds(Version::v1_10));
  Group group = file.root().create_group("g");
  for (int i = 0; i < 12; ++i) group.set_attribute("a" + std::to_string(i), i);
  file.root()
      .create_dataset<std::int8_t>("f", Dataspace::simple({6}), chunks({2}))
      .write(std::vector<std::int8_t>(6));
  add_sparse(file);
  const Image image = file.image();
  const File sound = File::open_image(image);
  ASSERT_TRUE(sound.check().is_sound());
  std::uint64_t changed = 0;
  for (std::size_t at = 0; at < image.size(); ++at) {
    // A description says which bytes are fields of a structure with a checksum.
    const StructureDescription found = sound.describe(at);
    const auto covers = [&](const StructureField& field) { return field.name == "checksum"; };
    const auto sum = std::ranges::find_if(found.fields, covers);
    if (!found.is_linked || sum == found.fields.end()) continue;
    const bool is_heap_block = found.structure == "fractal heap direct block";
    if (!is_heap_block && at - found.address >= sum->offset + sum->bytes) continue;
    Image damaged = image;
    damaged[at] ^= static_cast<std::byte>(1u << (at % 8));
    EXPECT_TRUE(notices(damaged)) << "byte " << at << " of " << found.structure;
    ++changed;
  }
  EXPECT_GT(changed, 1500u);
}

/// Whether a reader finds damage, which others than readers should find, too.
bool stops_readers(const Image& image) {
  try {
    damage::read_everything(image);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated;
  }
  return false;
}

TEST(Check, FindsWhatStopsReaders) {
  for (const Version version : {Version::earliest, Version::v1_10}) {
    File file = File::create_in_memory({}, bounds(version));
    add_contents(file);
    add_sparse(file);
    const Image image = file.image();
    std::size_t stopped = 0;
    std::uint64_t state = 12345;
    for (int i = 0; i < 400; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::size_t pick = static_cast<std::size_t>(state >> 20);
      const Image damaged = i % 2 == 0 ? damage::with_flipped_bit(image, pick % (image.size() * 8))
                                       : damage::with_word(image, pick % (image.size() / 4 * 7));
      if (!stops_readers(damaged)) continue;
      ++stopped;
      bool found = true;
      try {
        found = !File::open_image(damaged).check(with_data()).is_sound();
      } catch (const Error&) {
        // It cannot even be opened.
      }
      EXPECT_TRUE(found) << "damage " << i << " of version " << static_cast<int>(version);
    }
    EXPECT_GT(stopped, 20u);
  }
}

TEST(Describe, NamesStructuresAndTheirObjects) {
  File file = File::create_in_memory({}, bounds(Version::v1_10));
  add_contents(file);
  const auto describe = [&](const Object& object) { return file.describe(object.address() + 3); };
  const Object growing = file.root().open("growing");
  const StructureDescription header = describe(growing);
  EXPECT_EQ(header.structure, "object header");
  EXPECT_EQ(header.address, growing.address());
  EXPECT_EQ(header.bytes, growing.info().header_bytes);
  EXPECT_EQ(header.path, "/growing");
  EXPECT_EQ(header.fault, "");
  EXPECT_EQ(file.describe(0).structure, "superblock");
  const auto chunk = Dataset(file.root().open("wide")).chunk_info({0, 0});
  const StructureDescription stored = file.describe(chunk.address + 1);
  EXPECT_EQ(stored.structure, "chunk");
  EXPECT_EQ(stored.path, "/wide");
  EXPECT_THAT(File::structure_kinds(), Contains("object header"));
}

TEST(Describe, RefusesWhatThereIsNot) {
  const File file = File::create_in_memory();
  EXPECT_THROW(file.describe(1u << 30), Error);
  EXPECT_THROW(file.describe(0, "nothing"), Error);
  const StructureDescription unused = file.describe(file.info().file_bytes - 1);
  EXPECT_NE(unused.structure, "");
}

TEST(Check, SeveritiesHaveNames) {
  EXPECT_EQ(to_string(Severity::information), "information");
  EXPECT_EQ(to_string(Severity::unused), "unused");
  EXPECT_EQ(to_string(Severity::leak), "leak");
  EXPECT_EQ(to_string(Severity::damage), "damage");
}

}  // namespace
}  // namespace filigree
