// SPDX-License-Identifier: Apache-2.0
//
// Datasets that cannot be made.
#include <functional>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "model/dataset/test_parts.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

using format::AllocationTime;
using format::FillState;
using format::FillTime;
using format::LayoutClass;
using ::testing::HasSubstr;

struct Refusal {
  const char* name;
  std::function<void(NewDataset&)> change;
  ErrorKind kind;
  const char* says;
};

const Refusal refusals[] = {
    {"extendible",
     [](auto& m) {
       m.space.max_dims = {{10, 30}};
     },
     ErrorKind::invalid_argument, "dimension 1"},
    {"unlimited",
     [](auto& m) {
       m.space.max_dims = {{format::unlimited, 20}};
     },
     ErrorKind::invalid_argument, "any number"},
    {"max_below",
     [](auto& m) {
       m.space.max_dims = {{10, 19}};
     },
     ErrorKind::invalid_argument, "dimension 1"},
    {"rank", [](auto& m) { m.space = extent(std::vector<std::uint64_t>(33, 1)); }, ErrorKind::limit, "32"},
    {"compact_extendible",
     [](auto& m) {
       m.layout = LayoutClass::compact;
       m.space.max_dims = {{20, 20}};
     },
     ErrorKind::invalid_argument, "compact"},
    {"compact_large",
     [](auto& m) {
       m.layout = LayoutClass::compact;
       m.space = extent({16381});
     },
     ErrorKind::limit, "65524 bytes"},
    {"compact_late",
     [](auto& m) {
       m.layout = LayoutClass::compact;
       m.allocation = AllocationTime::late;
     },
     ErrorKind::invalid_argument, "early"},
    {"compact_external",
     [](auto& m) {
       m.layout = LayoutClass::compact;
       m.external = {{"a", 0, 800}};
     },
     ErrorKind::invalid_argument, "external"},
    {"chunked_external",
     [](auto& m) {
       m.layout = LayoutClass::chunked;
       m.external = {{"a", 0, 800}};
     },
     ErrorKind::invalid_argument, "external"},
    {"chunked", [](auto& m) { m.layout = LayoutClass::chunked; }, ErrorKind::invalid_argument,
     "dimensions of its chunks"},
    {"external_small",
     [](auto& m) {
       m.external = {{"a", 0, 799}};
     },
     ErrorKind::invalid_argument, "799"},
    {"external_second",
     [](auto& m) {
       m.external = {{"a", 0, format::unlimited}};
       m.space.max_dims = {{10, 21}};
     },
     ErrorKind::invalid_argument, "dimension 1"},
    {"external_unlimited_extent",
     [](auto& m) {
       m.external = {{"a", 0, 800}};
       m.space.max_dims = {{format::unlimited, 20}};
     },
     ErrorKind::invalid_argument, "any size"},
    {"external_nameless",
     [](auto& m) {
       m.external = {{"", 0, 800}};
     },
     ErrorKind::invalid_argument, "name"},
    {"external_unlimited_first",
     [](auto& m) {
       m.external = {{"a", 0, format::unlimited}, {"b", 0, 8}};
     },
     ErrorKind::invalid_argument, "last"},
    {"external_far",
     [](auto& m) {
       m.external = {{"a", ~std::uint64_t{0} - 10, 800}};
     },
     ErrorKind::limit, "'a'"},
    {"fill_undefined_on_allocation",
     [](auto& m) {
       m.fill_state = FillState::undefined;
       m.fill_time = FillTime::on_allocation;
     },
     ErrorKind::invalid_argument, "undefined"},
    {"fill_size",
     [](auto& m) {
       m.fill_state = FillState::user;
       m.fill.resize(3);
     },
     ErrorKind::invalid_argument, "3 bytes"},
    {"strings_never",
     [](auto& m) {
       m = strings(3);
       m.fill_time = FillTime::never;
     },
     ErrorKind::invalid_argument, "variable length"},
    {"no_bytes", [](auto& m) { m.type.size = 0; }, ErrorKind::invalid_argument, "0 bytes"},
    {"no_members", [](auto& m) { m.type.type_class = format::TypeClass::compound; },
     ErrorKind::invalid_argument, "no members"},
    {"overflow",
     [](auto& m) {
       m.space = extent({1ull << 33, 1ull << 33});
     },
     ErrorKind::limit, "dataspace"},
    {"overflow_of_bytes", [](auto& m) { m.space = extent({1ull << 62}); }, ErrorKind::limit, "size"},
    {"beyond_files", [](auto& m) { m.space = extent({1ull << 61}); }, ErrorKind::limit, "offsets"},
    {"exabytes_early",
     [](auto& m) {
       m.space = extent({1ull << 60});
       m.allocation = AllocationTime::early;
     },
     ErrorKind::no_space, "limit"},
};

class RefusedDataset : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedDataset, LeavesTheFileAsItWas) {
  const auto file = make_file();
  file->flush();
  const std::uint64_t end = file->store().space().end_of_allocation();
  NewDataset made = plain();
  GetParam().change(made);
  try {
    create_dataset(*file, made);
    FAIL() << "was created";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), GetParam().kind) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
  const std::uint64_t free = file->reusable_bytes();
  EXPECT_LE(file->store().space().end_of_allocation() - free, end);
}

INSTANTIATE_TEST_SUITE_P(Cases, RefusedDataset, ::testing::ValuesIn(refusals),
                         [](const auto& row) { return row.param.name; });

TEST(Dataset, OfRevisedReferencesIsRefusedBelow112) {
  AccessOptions access;
  access.versions.high = Version::v1_10;
  const auto file = File::create(std::make_unique<io::MemoryFile>(), {}, access);
  file->begin_change("test");
  NewDataset made = plain();
  made.type = {};
  made.type.type_class = format::TypeClass::reference;
  made.type.reference = format::ReferenceKind::revised_object;
  made.type.version = 4;
  made.type.size = 18;
  EXPECT_THROW(create_dataset(*file, made), Error);
}

TEST(Dataset, LargerThanNarrowOffsetsReachIsRefused) {
  CreateOptions options;
  options.offset_bytes = 4;
  const auto file = make_file(options);
  EXPECT_THROW(create_dataset(*file, plain({1u << 30})), Error);
  EXPECT_NO_THROW(create_dataset(*file, plain({1u << 29})));
}

}  // namespace
}  // namespace filigree::model
