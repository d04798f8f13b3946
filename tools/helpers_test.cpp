// SPDX-License-Identifier: Apache-2.0
//
// The small helpers of the commands.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include <filigree/filigree.hpp>

#include "filter_text.hpp"
#include "json.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "type_text.hpp"

namespace filigree::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FolderTest : public ::testing::Test {
 protected:
  FolderTest() {
    std::filesystem::create_directory(folder_);
    std::filesystem::current_path(folder_);
  }
  ~FolderTest() override {
    std::filesystem::current_path("/");
    std::filesystem::remove_all(folder_);
  }
  static void touch(const std::string& path) {
    if (path.find('/') != std::string::npos)
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << "x";
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("filigree_tools_" + std::to_string(getpid()));
};

using Targets = FolderTest;

TEST_F(Targets, TheLongestPrefixThatNamesAFileIsTheFile) {
  touch("a.h5");
  touch("d/b.h5");
  const auto split = [](const std::string& argument) {
    const Target target = split_target(argument);
    return target.file + "|" + target.path;
  };
  EXPECT_EQ(split("a.h5"), "a.h5|/");
  EXPECT_EQ(split("a.h5/x/y"), "a.h5|/x/y");
  EXPECT_EQ(split("d/b.h5/x"), "d/b.h5|/x");
  EXPECT_EQ(split("a.h5::x"), "a.h5|/x");
  EXPECT_EQ(split("a.h5::/x::y"), "a.h5|/x::y");
  EXPECT_EQ(split("a.h5/x::y/z"), "a.h5|/x::y/z");
  EXPECT_EQ(split("missing.h5/x"), "missing.h5/x|/");
  EXPECT_EQ(split("missing.h5::x/y"), "missing.h5|/x/y");
  EXPECT_EQ(split("::x"), "::x|/");
  EXPECT_EQ(split(""), "|/");
}

TEST_F(Targets, BracketsAreASliceUnlessAnObjectHasThem) {
  File file = File::create("s.h5");
  file.root().write_dataset("x", std::vector<int>{1, 2, 3});
  file.root().write_dataset("y[1]", std::vector<int>{4});
  file.close();
  EXPECT_EQ(open_target("s.h5/x[1]").path, "/x");
  EXPECT_TRUE(open_target("s.h5/x[1]").slice.has_value());
  EXPECT_EQ(open_target("s.h5/y[1]").path, "/y[1]");
  EXPECT_FALSE(open_target("s.h5/y[1]").slice.has_value());
  EXPECT_EQ(open_target("s.h5/y[1][0]").path, "/y[1]");
  const auto position_of = [](const std::string& argument) {
    try {
      open_target(argument);
    } catch (const SliceError& error) {
      return error.position();
    }
    return std::size_t{0};
  };
  EXPECT_EQ(position_of("s.h5/x[1:z]"), 9u);
  EXPECT_EQ(position_of("s.h5::x[1:z]"), 10u);
  EXPECT_EQ(position_of("s.h5/x[1"), 8u);
}

using OutputFiles = FolderTest;

TEST_F(OutputFiles, AppearWhenTheyAreComplete) {
  {
    OutputFile output("out", false);
    std::ofstream(output.temporary_path()) << "done";
    EXPECT_FALSE(std::filesystem::exists("out"));
    output.commit();
  }
  EXPECT_EQ(std::filesystem::file_size("out"), 4u);
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFiles, DisappearWithoutCommit) {
  { const OutputFile output("out", false); }
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFiles, ReplaceNothingUnlessTheyMay) {
  touch("out");
  EXPECT_THROW(OutputFile("out", false), Error);
  OutputFile late("new", false);
  touch("new");
  EXPECT_THROW(late.commit(), Error);
  OutputFile("out", true).commit();
  EXPECT_EQ(std::filesystem::file_size("out"), 0u);
}

TEST_F(OutputFiles, NameTheFolderThatDoesNotExist) {
  try {
    OutputFile("nowhere/out", false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
    EXPECT_THAT(error.what(), HasSubstr("nowhere/out"));
  }
}

TEST_F(OutputFiles, SignalsRemoveThem) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = fork();
    if (child == 0) {
      handle_interrupts();
      OutputFile output("out", false);
      kill(getpid(), signal);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
    EXPECT_EQ(files(), 0u);
  }
}

TEST(Json, NestsAndEscapes) {
  JsonWriter json;
  json.begin_object().key("a").numbers({1, 2}).key("b").begin_array().text("x\"\n\\").null().boolean(true);
  json.number(-1).number(0.1).number(std::uint64_t{18446744073709551615u}).end_array().end_object();
  EXPECT_EQ(json.pending(),
            R"({"a": [1, 2], "b": ["x\"\u000a\\", null, true, -1, 0.1, 18446744073709551615]})");
}

TEST(Json, NumbersThatJsonLacksAreStrings) {
  JsonWriter json;
  json.begin_array().number(std::nan("")).number(INFINITY).number(-INFINITY).end_array();
  EXPECT_EQ(json.pending(), R"(["NaN", "Infinity", "-Infinity"])");
}

TEST(Json, NamesThatAreNotUtf8HaveTheirBytesToo) {
  JsonWriter json;
  json.begin_object().name("path", "a\xff").name("plain", "\u00e4").end_object();
  EXPECT_EQ(json.pending(), "{\"path\": \"a\\ufffd\", \"path_hex\": \"61ff\", \"plain\": \"\u00e4\"}");
}

TEST(Terminals, ColorsFollowTheOptionTheTerminalAndTheEnvironment) {
  const OutputFacts terminal{true, true, false, false};
  OutputFacts quiet = terminal, dumb = terminal;
  quiet.no_color = true;
  dumb.is_dumb = true;
  EXPECT_TRUE(make_style(ColorChoice::automatic, terminal).colors);
  EXPECT_FALSE(make_style(ColorChoice::automatic, quiet).colors);
  EXPECT_FALSE(make_style(ColorChoice::automatic, dumb).colors);
  EXPECT_FALSE(make_style(ColorChoice::automatic, {}).colors);
  EXPECT_FALSE(make_style(ColorChoice::never, terminal).colors);
  EXPECT_TRUE(make_style(ColorChoice::always, {}).colors);
}

TEST(Terminals, BoxesNeedATerminalAndUtf8) {
  EXPECT_TRUE(make_style(ColorChoice::never, {true, true}).boxes);
  EXPECT_FALSE(make_style(ColorChoice::always, {true, false}).boxes);
  EXPECT_FALSE(make_style(ColorChoice::always, {false, true}).boxes);
  EXPECT_EQ(make_style(ColorChoice::never, {true, false}).safe("\u00e4\n"), "\\303\\244\\n");
  EXPECT_EQ(make_style(ColorChoice::never, {true, true}).safe("\u00e4\n"), "\u00e4\\n");
}

TEST(Terminals, PaintDoesNotCountAsWidth) {
  Style style;
  style.colors = true;
  EXPECT_EQ(shown_columns(style.bold("abc")), 3u);
  EXPECT_EQ(shown_columns("\u00e4b"), 2u);
}

TEST(Texts, SizesAndNumbersAreShort) {
  EXPECT_EQ(bytes_text(800), "800 B");
  EXPECT_EQ(bytes_text(4096000), "4.1 MB");
  EXPECT_EQ(bytes_text(132122), "132 kB");
  EXPECT_EQ(bytes_text(999999), "1.0 MB");
  EXPECT_EQ(bytes_text(~std::uint64_t{0}), "18 EB");
  EXPECT_EQ(grouped(1600), "1,600");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(Texts, ProgressHasShareRateAndTimeLeft) {
  EXPECT_EQ(progress_text(50, 100, 5), "50 %, 10 B/s, 0:05 left");
  EXPECT_EQ(progress_text(1000000, 61000000, 1), "2 %, 1.0 MB/s, 1:00 left");
  EXPECT_EQ(progress_text(0, 100, 5), "0 %, 0 B/s");
  EXPECT_EQ(progress_text(200, 100, 5), "100 %, 40 B/s");
  EXPECT_EQ(progress_text(1, 0, 5), "");
}

TEST(Filters, AreReadByNameAndNumber) {
  const auto filters = parse_filters("shuffle,zstd=7,32008=0:2", false);
  ASSERT_EQ(filters.size(), 3u);
  EXPECT_EQ(filters[0].id, 2);
  EXPECT_THAT(filters[1].parameters, ElementsAre(7u));
  EXPECT_THAT(filters[2].parameters, ElementsAre(0u, 2u));
  EXPECT_EQ(filters_text(filters), "shuffle, zstd 7, bitshuffle");
  EXPECT_EQ(parse_filters("packed", true).at(0).id, 500);
  EXPECT_EQ(parse_filters("packed", false).at(0).id, 501);
  EXPECT_TRUE(parse_filters("none", false).empty());
}

TEST(Filters, FaultsNameThePart) {
  for (const char* text : {"shuffel", "zstd=x", "zstd=1:2", "shuffle,", "70000", "0", "zstd="}) {
    try {
      parse_filters(text, false);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    }
  }
}

TEST(Types, HaveTheNamesOfNumpy) {
  EXPECT_EQ(parse_type("u2"), Datatype::integer(2, false));
  EXPECT_EQ(parse_type(">f8"), Datatype::floating(8, ByteOrder::big));
  EXPECT_EQ(parse_type("S10")->size(), 10u);
  for (const char* bad : {"", "u", "u3", "x4", "f1", "u2x", "uint7", "V0"})
    EXPECT_FALSE(parse_type(bad)) << bad;
}

TEST(Types, TextIsShortAndReadBack) {
  for (const char* name : {"uint16", "int8", "float64", "float32be", "int64be"})
    EXPECT_EQ(type_text(parse_type(name).value()), name);
  EXPECT_EQ(type_text(Datatype::of<std::string>()), "string");
  EXPECT_EQ(type_text(Datatype::array(Datatype::of<int>(), {2, 3})), "int32[2, 3]");
  EXPECT_EQ(
      type_text(Datatype::packed_compound({{"a", Datatype::of<int>()}, {"b\n", Datatype::of<float>()}})),
      "{a: int32, b\\n: float32}");
}

}  // namespace
}  // namespace filigree::tools
