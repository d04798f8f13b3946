// SPDX-License-Identifier: Apache-2.0
//
// Datasets and attributes of every kind of type and storage, a few elements each, to be damaged.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::damage {

enum class Colour : std::uint8_t { red = 1, green = 2 };
inline void describe(Enumerators& names, Colour) { names("red", Colour::red)("green", Colour::green); }

struct Hit {
  std::uint8_t detector = 0;
  std::array<float, 2> at{};
  std::string label;
  std::vector<std::int32_t> channels;
  Colour colour = Colour::red;
};
inline void describe(Members& members, Hit& h) {
  members("detector", h.detector)("at", h.at)("label", h.label)("channels", h.channels)("colour", h.colour);
}

inline void fill_with_values_in_the_heap(Group group, const DatasetOptions& options) {
  group.write_dataset("words", std::vector<std::string>{"one", "", "three"}, options);
  group.write_dataset("ragged", std::vector<std::vector<double>>{{1, 2}, {}, {3}}, options);
  group.write_dataset("nested", std::vector<std::vector<std::string>>{{"a", "b"}, {}, {"c"}}, options);
  const std::vector<Hit> hits = {{1, {2, 3}, "first", {4, 5}, Colour::green}, {}};
  group.write_dataset("hits", hits, options).set_attribute("hits", hits);
  group.set_attribute("nested", std::vector<std::vector<std::int16_t>>{{1, 2, 3}, {4}});
}

inline void fill_with_plain_values(Group group, const DatasetOptions& options) {
  group.create_dataset("big", Datatype::integer(2, true, ByteOrder::big), Dataspace::simple({2, 3}), options)
      .write(std::vector<int>{1, 2, 3, 4, 5, 6});
  group
      .create_dataset("narrow", Datatype::integer(4, false).with_bits({.precision = 11, .offset = 3}),
                      Dataspace::simple({2}), options)
      .write(std::vector<int>{7, 8});
  group.write_dataset("scalar", 1.5, options);
  group.write_dataset("wide", 1.25L, options);
  group.create_dataset("fixed", Datatype::fixed_string(5), Dataspace::simple({2}), options)
      .write(std::vector<std::string>{"ab", "cdefg"});
  group.write_dataset("arrays", std::vector<std::array<std::array<short, 3>, 2>>(2), options);
  group.write_dataset("colours", std::vector<Colour>{Colour::green, Colour::red}, options)
      .set_attribute("colour", Colour::green);
  group.create_dataset<int>("null", Dataspace::null(), options);
  const Datatype reference = Datatype::reference(ReferenceKind::object);
  const std::array<std::uint64_t, 2> addresses = {96, 0};
  group.create_dataset("references", reference, Dataspace::simple({2}), options)
      .write_elements(reference, addresses.data(), 2);
  const Datatype opaque = Datatype::opaque(3, "bytes");
  group.create_dataset("opaque", opaque, Dataspace::simple({1}), options).write_elements(opaque, "abc", 1);
  DatasetOptions filled = options;
  filled.fill = Fill::of(7.5f);
  group.create_dataset<double>("unwritten", Dataspace::simple({4}), filled);
}

/// A folder for `external` must exist; the file named there is made.
inline void fill_with_data(Group group, Layout layout, const std::string& external) {
  DatasetOptions options;
  options.layout = layout;
  fill_with_values_in_the_heap(group.create_group("heap"), options);
  fill_with_plain_values(group.create_group("plain"), options);
  group.commit("type", Datatype::of<Hit>());
  DatasetOptions outside;
  outside.external = {{external, 4, 8}, {external, 20, 100}};
  group.create_dataset<int>("outside", Dataspace::simple({4}), outside).write(std::vector<int>{1, 2, 3, 4});
}

}  // namespace filigree::damage
