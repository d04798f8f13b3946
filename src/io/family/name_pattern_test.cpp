// SPDX-License-Identifier: Apache-2.0
#include "io/family/name_pattern.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::io {
namespace {

TEST(NumberedName, AgreesWithPrintf) {
  for (const char* pattern : {"a%d", "%05d.h5", "x%5d", "x%-5dy", "%+d", "% d", "%u", "%o", "%x", "%X", "%#x",
                              "%#o", "%#08X", "100%%-%3i", "%-05d|", "%+05d", "%hd", "%ld"}) {
    for (const int number : {0, 1, 9, 42, 12345, 1234567}) {
      char expected[100];
      std::snprintf(expected, sizeof expected, pattern, number);
      if (std::string_view(pattern) == "%hd" && number > 32767) continue;
      EXPECT_EQ(NumberedName(pattern)(static_cast<std::uint64_t>(number)), expected) << pattern;
    }
  }
}

TEST(NumberedName, RefusesEverythingElse) {
  for (const char* pattern : {"", "name.h5", "%s", "%n", "%d%d", "%f", "%", "a%", "%5", "%*d", "%.3d",
                              "%999d", "%1$d", "%%", "%c", "%p", "%18446744073709551617d"}) {
    try {
      NumberedName name(pattern);
      ADD_FAILURE() << pattern;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    }
  }
}

TEST(MemberName, InsertsTheBase) {
  EXPECT_EQ(member_name("%s-m.h5", "/a/b/set"), "/a/b/set-m.h5");
  EXPECT_EQ(member_name("%s", "set"), "set");
  EXPECT_EQ(member_name("100%%%s", "set"), "100%set");
  EXPECT_EQ(member_name("raw.h5", "/a/b/set"), "/a/b/raw.h5");
  EXPECT_EQ(member_name("raw.h5", "set"), "raw.h5");
}

TEST(MemberName, RefusesNamesThatLeadElsewhere) {
  for (const std::string& name : {std::string("../%s"), std::string("/etc/passwd"), std::string("%s/x"),
                                  std::string(".."), std::string("."), std::string(""), std::string("%d"),
                                  std::string("%s%s"), std::string("a%"), std::string("a\0b", 3)}) {
    try {
      member_name(name, "/a/set");
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt) << name;
    }
  }
}

}  // namespace
}  // namespace filigree::io
