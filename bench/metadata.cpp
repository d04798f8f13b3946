// SPDX-License-Identifier: Apache-2.0
//
// Many small objects: 20,000 groups with an attribute each, created, reopened at random and read; and
// a group with a million links.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"

namespace bench {
namespace {

constexpr int objects = 20'000;
constexpr int turns = 7;
constexpr int many_links = 1'000'000;
// HDF5 needs minutes for a million links in an old-style group.
constexpr int compared_links = 50'000;

struct Bound {
  const char* name;
  filigree::Version ours;
  H5F_libver_t reference;
};
constexpr Bound bounds[] = {{"1.0", filigree::Version::earliest, H5F_LIBVER_EARLIEST},
                            {"1.10", filigree::Version::v1_10, H5F_LIBVER_V110}};

std::string object_name(int i) { return fmt::format("object_{:06}", i); }

std::vector<int> shuffled() {
  std::vector<int> order(objects);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  return order;
}

filigree::AccessOptions access(const Bound& bound) {
  filigree::AccessOptions options;
  options.versions.low = bound.ours;
  return options;
}

void create_ours(const std::string& path, const Bound& bound) {
  auto file = filigree::File::create(path, filigree::CreateMode::truncate, {}, access(bound));
  auto root = file.root();
  for (int i = 0; i < objects; ++i) root.create_group(object_name(i)).set_attribute("value", double(i));
  file.close();
}

void read_ours(const std::string& path, const std::vector<int>& order) {
  const auto file = filigree::File::open(path);
  const auto root = file.root();
  for (int i : order)
    require(root.open(object_name(i)).get_attribute<double>("value") == i, "attribute value (Filigree)");
}

hid_t reference_access(const Bound& bound) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(list, bound.reference, H5F_LIBVER_LATEST);
  return list;
}

void create_reference(const std::string& path, const Bound& bound) {
  const hid_t list = reference_access(bound);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
  const hid_t space = H5Screate(H5S_SCALAR);
  for (int i = 0; i < objects; ++i) {
    const hid_t group = H5Gcreate2(file, object_name(i).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t attribute = H5Acreate2(group, "value", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    const double value = i;
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Gclose(group);
  }
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(list);
}

void read_reference(const std::string& path, const std::vector<int>& order) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (int i : order) {
    const hid_t group = H5Gopen2(file, object_name(i).c_str(), H5P_DEFAULT);
    const hid_t attribute = H5Aopen(group, "value", H5P_DEFAULT);
    double value = -1;
    H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
    require(value == i, "attribute value (HDF5)");
    H5Aclose(attribute);
    H5Gclose(group);
  }
  H5Fclose(file);
}

void links_ours(const std::string& path, const Bound& bound, int count) {
  auto file = filigree::File::create(path, filigree::CreateMode::truncate, {}, access(bound));
  auto group = file.root().create_group("many");
  for (int i = 0; i < count; ++i) group.link_soft(object_name(i), "/target");
  require(group.size() == static_cast<std::uint64_t>(count), "number of links (Filigree)");
  file.close();
}

void links_reference(const std::string& path, const Bound& bound, int count) {
  const hid_t list = reference_access(bound);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
  const hid_t group = H5Gcreate2(file, "many", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < count; ++i)
    H5Lcreate_soft("/target", group, object_name(i).c_str(), H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(group);
  H5Fclose(file);
  H5Pclose(list);
}

int links_seen_by_reference(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5G_info_t info{};
  H5Gget_info_by_name(file, "many", &info, H5P_DEFAULT);
  H5Fclose(file);
  return static_cast<int>(info.nlinks);
}

}  // namespace

void run_metadata() {
  const auto order = shuffled();
  for (const Bound& bound : bounds) {
    const std::string ours = scratch("ours.h5");
    const std::string reference = scratch("reference.h5");
    const Race created = race(
        turns, [&] { create_ours(ours, bound); }, [&] { create_reference(reference, bound); });
    const Race own = race(
        turns, [&] { read_ours(ours, order); }, [&] { read_reference(reference, order); });
    // Each library reads the file of the other.
    const Race others = race(
        turns, [&] { read_ours(reference, order); }, [&] { read_reference(ours, order); });
    report({.name = fmt::format("create 20,000 groups with an attribute, format {}", bound.name),
            .ours = created.ours,
            .other = created.other,
            .aim = 3,
            .bytes = file_bytes(ours)});
    report({.name = fmt::format("open 20,000 at random and read, own file, format {}", bound.name),
            .ours = own.ours,
            .other = own.other,
            .aim = 3});
    report({.name = fmt::format("open 20,000 at random and read, other's file, format {}", bound.name),
            .ours = others.ours,
            .other = others.other,
            .aim = 3});
  }
  for (const Bound& bound : bounds) {
    const std::string ours = scratch("links.h5"), reference = scratch("links-reference.h5");
    const Race some = race(
        2, [&] { links_ours(ours, bound, compared_links); },
        [&] { links_reference(reference, bound, compared_links); });
    require(links_seen_by_reference(ours) == compared_links &&
                links_seen_by_reference(reference) == compared_links,
            "links as HDF5 sees them");
    report({.name = fmt::format("create 50,000 links in one group, format {}", bound.name),
            .ours = some.ours,
            .other = some.other,
            .bytes = file_bytes(ours)});
    const double many = seconds([&] { links_ours(ours, bound, many_links); });
    require(links_seen_by_reference(ours) == many_links, "a million links as HDF5 sees them");
    report({.name = fmt::format("create 1,000,000 links in one group, format {}", bound.name),
            .ours = many,
            .limit = 20,
            .bytes = file_bytes(ours)});
  }
}

}  // namespace bench
