// SPDX-License-Identifier: Apache-2.0
#include "base/address_map.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(AddressMap, RandomOperationsMatchAMap) {
  std::mt19937 random(3);
  AddressMap<int> map;
  std::map<std::uint64_t, int> model;
  for (int step = 0; step < 200'000; ++step) {
    // Few distinct addresses, so that slots collide, wrap around and are closed again.
    const std::uint64_t at = random() % 300 * 8;
    switch (random() % 3) {
      case 0: {
        const auto [value, fresh] = map.try_emplace(to_address(at));
        EXPECT_EQ(fresh, !model.contains(at));
        *value = step;
        model[at] = step;
        break;
      }
      case 1:
        EXPECT_EQ(map.erase(to_address(at)), model.erase(at) == 1);
        break;
      default: {
        const int* value = map.find(to_address(at));
        ASSERT_EQ(value != nullptr, model.contains(at));
        if (value != nullptr) {
          EXPECT_EQ(*value, model[at]);
        }
      }
    }
    ASSERT_EQ(map.size(), model.size());
  }
}

TEST(AddressMap, FindsNothingInAnEmptyMap) {
  AddressMap<int> map;
  EXPECT_EQ(map.find(to_address(0)), nullptr);
  EXPECT_FALSE(map.erase(to_address(0)));
}

}  // namespace
}  // namespace filigree
