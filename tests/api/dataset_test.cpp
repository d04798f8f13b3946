// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <complex>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace probe {

enum class Phase : std::uint8_t { solid = 1, liquid = 2 };
inline void describe(filigree::Enumerators& names, Phase) {
  names("solid", Phase::solid)("liquid", Phase::liquid);
}

struct Position {
  double x = 0, y = 0;
  friend bool operator==(const Position&, const Position&) = default;
};
inline void describe(filigree::Members& members, Position& p) { members("x", p.x)("y", p.y); }

struct Hit {
  std::uint8_t detector = 0;
  Position at;
  std::array<float, 3> energy{};
  std::string label;
  std::vector<std::int32_t> channels;
  Phase phase = Phase::solid;
  bool good = false;
  friend bool operator==(const Hit&, const Hit&) = default;
};
inline void describe(filigree::Members& members, Hit& h) {
  members("detector", h.detector)("at", h.at)("energy", h.energy)("label", h.label)("channels", h.channels)(
      "phase", h.phase)("good", h.good);
}

struct Labels {
  std::string label;
  std::int64_t detector = 0;
  friend bool operator==(const Labels&, const Labels&) = default;
};
inline void describe(filigree::Members& members, Labels& l) {
  members("label", l.label)("detector", l.detector);
}

}  // namespace probe

namespace filigree {
namespace {

using probe::Hit;
using probe::Labels;
using probe::Phase;
using probe::Position;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DatasetTest : public ::testing::Test {
 protected:
  /// The same file again, as its bytes say.
  File reopened(OpenMode mode = OpenMode::read_only) { return File::open_image(file_.image(), mode); }
  File file_ = File::create_in_memory();
  Group root_ = file_.root();
};

template <class Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

template <class T>
void expect_round_trip(const T& values) {
  for (const Layout layout : {Layout::contiguous, Layout::compact}) {
    File file = File::create_in_memory();
    DatasetOptions options;
    options.layout = layout;
    file.root().write_dataset("d", values, options);
    file.root().set_attribute("a", values);
    const File again = File::open_image(file.image());
    EXPECT_EQ(again.root().read_dataset<T>("d"), values);
    EXPECT_EQ(again.root().get_attribute<T>("a"), values);
  }
}

TEST(Values, OfEveryKindComeBack) {
  expect_round_trip(42);
  expect_round_trip(std::vector<std::uint16_t>{1, 2, 65535});
  expect_round_trip(std::vector<float>{1.5f, -2.25f});
  expect_round_trip(1.25L);
  expect_round_trip(true);
  expect_round_trip(std::string("Grüße"));
  expect_round_trip(std::vector<std::string>{"one", "", "three"});
  expect_round_trip(std::array<std::int8_t, 3>{1, -2, 3});
  expect_round_trip(std::vector<std::array<std::array<short, 3>, 2>>{{{{1, 2, 3}, {4, 5, 6}}}, {}});
  expect_round_trip(std::vector<std::vector<double>>{{1, 2}, {}, {3}});
  expect_round_trip(std::vector<std::vector<std::string>>{{"a", "b"}, {}, {"c"}});
  expect_round_trip(std::vector<std::complex<float>>{{1, 2}, {3, -4}});
  expect_round_trip(std::vector<Phase>{Phase::liquid, Phase::solid});
  expect_round_trip(Position{1, 2});
  expect_round_trip(std::vector<Hit>{{1, {2, 3}, {4, 5, 6}, "first", {7, 8}, Phase::liquid, true}, {}});
}

TEST_F(DatasetTest, StructsAreMatchedByName) {
  root_.write_dataset("hits", std::vector<Hit>{{7, {}, {}, "seven", {}, Phase::solid, false},
                                               {8, {}, {}, "eight", {}, Phase::solid, false}});
  EXPECT_THAT(root_.read_dataset<std::vector<Labels>>("hits"),
              ElementsAre(Labels{"seven", 7}, Labels{"eight", 8}));
  // Members that the program does not know keep their values.
  root_.open_dataset("hits").write(std::vector<Labels>{{"neun", 9}, {"zehn", 10}});
  const auto hits = root_.read_dataset<std::vector<Hit>>("hits");
  EXPECT_EQ(hits[0].label, "neun");
  EXPECT_EQ(hits[1].detector, 10);
  EXPECT_EQ(hits[1].phase, Phase::solid);
}

TEST_F(DatasetTest, MembersThatAreNotWrittenKeepTheirStringsAndSequences) {
  const std::vector<Hit> hits{{7, {}, {}, "seven", {1, 2, 3}, Phase::solid, false},
                              {8, {}, {}, "eight", {4, 5}, Phase::solid, false}};
  root_.write_dataset("d", hits);
  root_.set_attribute("a", hits);
  for (const char* text : {"first", "second"}) {
    const std::vector<Labels> labels{{text, 1}, {std::string(text) + " again", 2}};
    root_.open_dataset("d").write(labels);
    root_.attribute("a").write(labels);
  }
  const File again = reopened();
  const auto dataset = again.root().read_dataset<std::vector<Hit>>("d");
  EXPECT_EQ(dataset[1].label, "second again");
  EXPECT_THAT(dataset[0].channels, ElementsAre(1, 2, 3));
  EXPECT_THAT(dataset[1].channels, ElementsAre(4, 5));
  EXPECT_EQ(again.root().get_attribute<std::vector<Hit>>("a"), dataset);
}

TEST_F(DatasetTest, ManyStringsStayWhereOnlyNumbersBesideThemAreWritten) {
  constexpr std::size_t count = 100'000;
  std::vector<Labels> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = {std::to_string(i), 0};
  Dataset d = root_.write_dataset("rows", rows);
  struct Detector {
    std::int64_t number;
  };
  const Datatype detector = Datatype::compound(8, {{"detector", Datatype::of<std::int64_t>(), 0}});
  std::vector<Detector> numbers(count);
  for (std::size_t i = 0; i < count; ++i) rows[i].detector = numbers[i].number = static_cast<std::int64_t>(i);
  d.write_elements(detector, numbers.data(), count);
  EXPECT_EQ(d.read<std::vector<Labels>>(), rows);
}

TEST_F(DatasetTest, MembersThatWereNeverWrittenHaveTheFillValue) {
  DatasetOptions options;
  options.fill = Fill::of(Position{7, 8});
  const Datatype only_x = Datatype::compound(8, {{"x", Datatype::of<double>(), 0}});
  const std::array<double, 2> x{1, 2};
  Dataset filled = root_.create_dataset<Position>("filled", Dataspace::simple({2}), options);
  filled.write_elements(only_x, x.data(), 2);
  EXPECT_THAT(filled.read<std::vector<Position>>(), ElementsAre(Position{1, 8}, Position{2, 8}));
  Dataset plain = root_.create_dataset<Position>("plain", Dataspace::simple({2}));
  plain.write_elements(only_x, x.data(), 2);
  EXPECT_THAT(plain.read<std::vector<Position>>(), ElementsAre(Position{1, 0}, Position{2, 0}));
}

TEST_F(DatasetTest, NumbersAreConverted) {
  Dataset d = root_.create_dataset("d", Datatype::integer(2, true, ByteOrder::big), Dataspace::simple({3}));
  d.write(std::vector<double>{1.9, -40000, 7});
  EXPECT_THAT(d.read<std::vector<int>>(), ElementsAre(1, -32768, 7));
  EXPECT_THAT(d.read<std::vector<std::uint8_t>>(), ElementsAre(1, 0, 7));
}

TEST_F(DatasetTest, FaultsAreReportedWithTheirValues) {
  Dataset d = root_.create_dataset<std::int8_t>("d", Dataspace::simple({3}));
  TransferOptions options;
  std::vector<int> seen;
  options.on_fault = [&](const ConversionProblem& p) {
    seen.push_back(*static_cast<const int*>(p.value));
    EXPECT_EQ(p.fault, ConversionFault::range_high);
    *static_cast<std::int8_t*>(p.result) = -1;
    return FaultHandling::handled;
  };
  d.write(std::vector<int>{1, 1000, 3}, {}, options);
  EXPECT_THAT(seen, ElementsAre(1000));
  EXPECT_THAT(d.read<std::vector<int>>(), ElementsAre(1, -1, 3));
  options.on_fault = [](const ConversionProblem&) { return FaultHandling::abort; };
  EXPECT_THAT(message_of([&] {
                d.write(std::vector<int>{1, 1000, 3}, {}, options);
              }),
              HasSubstr("writing '/d' of"));
}

TEST_F(DatasetTest, SelectionsReadAndWriteTheirElementsOnly) {
  Dataset d = root_.create_dataset<int>("d", Dataspace::simple({6, 8}));
  std::vector<int> all(48);
  std::iota(all.begin(), all.end(), 0);
  d.write(all);
  EXPECT_THAT(d.read<std::vector<int>>(Selection::box({1, 2}, {2, 3})), ElementsAre(10, 11, 12, 18, 19, 20));
  EXPECT_THAT(d.read<std::vector<int>>(Selection::strided({0, 1}, {5, 3}, {2, 3})),
              ElementsAre(1, 4, 7, 41, 44, 47));
  d.write(std::vector<int>{-1, -2, -3, -4}, Selection::blocks({{0, 4, 2, 1}, {2, 3, 2, 1}}));
  all[2] = -1, all[5] = -2, all[34] = -3, all[37] = -4;
  EXPECT_EQ(d.read<std::vector<int>>(), all);
  EXPECT_EQ(d.read<int>(Selection::box({4, 5}, {1, 1})), -4);
}

TEST_F(DatasetTest, MemoryMayBeAPartOfALargerArray) {
  Dataset d = root_.write_dataset("d", std::vector<int>{1, 2, 3, 4});
  std::vector<int> memory(15, 0);
  TransferOptions options;
  options.memory = MemoryShape{{3, 5}, Selection::strided({0, 1}, {2, 2}, {2, 2})};
  d.read_elements(Datatype::memory<int>(), memory.data(), memory.size(), {}, options);
  EXPECT_THAT(memory, ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0));
}

TEST_F(DatasetTest, UnwrittenElementsHaveTheFillValue) {
  DatasetOptions options;
  options.fill = Fill::of(7.5);
  Dataset d = root_.create_dataset<float>("d", Dataspace::simple({5}), options);
  EXPECT_FALSE(d.dataset_info().data_address);
  EXPECT_THAT(d.read<std::vector<double>>(), ElementsAre(7.5, 7.5, 7.5, 7.5, 7.5));
  d.write(std::vector<int>{1, 2}, Selection::box({1}, {2}));
  EXPECT_TRUE(d.dataset_info().data_address);
  EXPECT_THAT(reopened().root().read_dataset<std::vector<double>>("d"), ElementsAre(7.5, 1, 2, 7.5, 7.5));
  EXPECT_THAT(root_.create_dataset<int>("zeros", Dataspace::simple({2})).read<std::vector<int>>(),
              ElementsAre(0, 0));
  options.fill = Fill::undefined();
  EXPECT_THAT(message_of([&] {
                root_.create_dataset<int>("none", Dataspace::simple({2}), options).read<std::vector<int>>();
              }),
              HasSubstr("no fill value"));
}

TEST_F(DatasetTest, EmptyShapesReadAsNothing) {
  Dataset nothing = root_.create_dataset<int>("null", Dataspace::null());
  EXPECT_THAT(nothing.read<std::vector<int>>(), ElementsAre());
  EXPECT_THAT(message_of([&] { (void)nothing.read<int>(); }), HasSubstr("0 elements"));
  Dataset empty = root_.write_dataset("empty", std::vector<double>{});
  EXPECT_THAT(empty.read<std::vector<double>>(), ElementsAre());
}

TEST_F(DatasetTest, WrongCountsAndTypesAreNamed) {
  Dataset d = root_.write_dataset("d", std::vector<int>{1, 2, 3});
  EXPECT_THAT(message_of([&] {
                d.write(std::vector<int>{1, 2});
              }),
              HasSubstr("3 elements are selected in the dataset, 2 in memory"));
  EXPECT_THAT(message_of([&] { (void)d.read<int>(); }), HasSubstr("3 elements"));
  EXPECT_THAT(message_of([&] { (void)d.read<std::vector<std::string>>(); }), HasSubstr("32-bit"));
  EXPECT_THAT(message_of([&] { (void)d.read<std::vector<int>>(Selection::box({2}, {2})); }),
              HasSubstr("dimension 0"));
  EXPECT_THAT(message_of([&] { File::open_image(file_.image()).root().open_dataset("d").write(1); }),
              HasSubstr("read"));
}

TEST_F(DatasetTest, StringsOfAnyKindReadAsStrings) {
  Dataset fixed = root_.create_dataset("fixed", Datatype::fixed_string(5, StringPadding::space_padded),
                                       Dataspace::simple({2}));
  fixed.write(std::vector<std::string>{"ab", "fünf"});
  EXPECT_THAT(fixed.read<std::vector<std::string>>(), ElementsAre("ab", "fünf"));
  EXPECT_THAT(message_of([&] { fixed.write(std::vector<std::string>{"toolong", ""}); }), HasSubstr("7"));
  Dataset ascii =
      root_.create_dataset("ascii", Datatype::variable_string(CharacterSet::ascii), Dataspace::scalar());
  ascii.write("text");
  EXPECT_EQ(ascii.read<std::string>(), "text");
}

TEST_F(DatasetTest, NativeFormsCanBeUsedFromC) {
  root_.write_dataset("d", std::vector<std::string>{"one", "two"});
  const Dataset d = root_.open_dataset("d");
  const Datatype native = d.datatype().native();
  ASSERT_EQ(native.size(), sizeof(char*));
  std::array<char*, 2> texts{};
  d.read_elements(native, texts.data(), 2);
  EXPECT_STREQ(texts[1], "two");
  native.release(texts.data(), 2);
}

TEST_F(DatasetTest, OverwrittenStringsGiveTheirSpaceBack) {
  Dataset d = root_.create_dataset<std::string>("d", Dataspace::simple({1000}));
  const auto write = [&](char c) { d.write(std::vector<std::string>(1000, std::string(100, c))); };
  write('a');
  const std::size_t first = file_.image().size();
  for (int i = 0; i < 20; ++i) write(static_cast<char>('b' + i));
  EXPECT_LE(file_.image().size(), first * 2);
  EXPECT_EQ(reopened().root().read_dataset<std::vector<std::string>>("d")[999], std::string(100, 'u'));
}

TEST_F(DatasetTest, ReferencesLeadToTheirObjects) {
  const Group target = root_.create_group("target");
  root_.write_dataset("links", std::vector<ObjectReference>{target.reference(), {}});
  const File again = reopened();
  const auto links = again.root().read_dataset<std::vector<ObjectReference>>("links");
  EXPECT_EQ(again.open_object(links[0]), again.open_object("target"));
  EXPECT_THAT(message_of([&] { again.open_object(links[1]); }), HasSubstr("points nowhere"));
  EXPECT_THAT(message_of([&] { again.open_object(ObjectReference{12345}); }), HasSubstr("0x3039"));
}

TEST_F(DatasetTest, ATypeCanBeShared) {
  CommittedDatatype type = root_.commit("point", Datatype::of<Position>());
  Dataset d = root_.create_dataset("d", type.datatype(), Dataspace::simple({2}));
  EXPECT_EQ(type.info().link_count, 2u);
  d.write(std::vector<Position>{{1, 2}, {3, 4}});
  EXPECT_EQ(reopened().root().read_dataset<std::vector<Position>>("d")[1], (Position{3, 4}));
  root_.remove("d");
  EXPECT_EQ(d.datatype(), Datatype::of<Position>());
}

}  // namespace
}  // namespace filigree
