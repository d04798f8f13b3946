// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <pybind11/stl.h>

#include <functional>
#include <initializer_list>
#include <string_view>

#include "elements.hpp"

namespace filigree::python {

namespace {

/// An option: its key, and how its value is stored.
struct Key {
  std::string_view name;
  std::function<void(const py::handle&)> store;
};

void apply(const py::dict& options, std::initializer_list<Key> keys) {
  for (const auto& [name, value] : options) {
    const auto text = py::cast<std::string>(name);
    const Key* found = nullptr;
    for (const Key& key : keys)
      if (key.name == text) found = &key;
    if (found == nullptr) throw py::type_error("there is no option '" + text + "'");
    try {
      found->store(value);
    } catch (const py::cast_error&) {
      throw py::value_error("the option '" + text + "' cannot be " + py::cast<std::string>(py::repr(value)));
    }
  }
}

template <class T>
Key key(std::string_view name, T& into) {
  return {name, [&into](const py::handle& value) { into = py::cast<T>(value); }};
}
Key text_key(std::string_view name, std::string& into) {
  return {name, [&into](const py::handle& value) { into = py::cast<Text>(value).value; }};
}
Key filters_key(std::string_view name, std::vector<FilterChoice>& into) {
  return {name, [&into](const py::handle& value) {
            for (const py::handle filter : value) into.push_back(filter_choice(filter));
          }};
}
Key dims_key(std::string_view name, Dims& into) {
  return {name, [&into](const py::handle& value) { into = to_dims(value); }};
}
/// An enumerator by its name.
template <class T>
Key name_key(std::string_view name, T& into, std::initializer_list<std::pair<std::string_view, T>> names) {
  const std::vector<std::pair<std::string_view, T>> list(names);
  return {name, [&into, list, name](const py::handle& value) {
            const auto text = py::cast<std::string>(value);
            for (const auto& [each, result] : list)
              if (each == text) return void(into = result);
            throw py::value_error("'" + text + "' is not a value of " + std::string(name));
          }};
}
Key order_key(AttributeStorage& storage) {
  return {"track_attribute_order", [&storage](const py::handle& value) {
            storage.track_order = storage.index_order = py::cast<bool>(value);
          }};
}

/// The fill value as (elements, array of one element).
Fill fill_of(const py::handle& value) {
  const auto pair = py::cast<py::tuple>(value);
  const auto& elements = py::cast<const Elements&>(pair[0]);
  const auto array = py::cast<py::array>(pair[1]);
  if (elements.has_objects() || elements.count_in(array) != 1)
    throw py::type_error("a fill value with variable length is not supported");
  return Fill::of(elements.memory_type(), array.data());
}

ExternalFile external_file(const py::handle& value) {
  const auto parts = py::cast<py::tuple>(value);
  return {py::cast<Text>(parts[0]).value, py::cast<std::uint64_t>(parts[1]),
          py::cast<std::uint64_t>(parts[2])};
}

VirtualSource virtual_source(const py::handle& value) {
  const auto parts = py::cast<py::tuple>(value);
  return {py::cast<Text>(parts[0]).value, py::cast<Text>(parts[1]).value, py::cast<Selection>(parts[2]),
          py::cast<Selection>(parts[3])};
}

const std::initializer_list<std::pair<std::string_view, Version>> versions = {
    {"earliest", Version::earliest}, {"v108", Version::v1_8},  {"v110", Version::v1_10},
    {"v112", Version::v1_12},        {"v114", Version::v1_14}, {"v200", Version::v2_0},
    {"latest", Version::latest}};

}  // namespace

DatasetOptions dataset_options(const py::dict& options) {
  DatasetOptions made;
  apply(
      options,
      {name_key<Layout>(
           "layout", made.layout,
           {{"compact", Layout::compact}, {"contiguous", Layout::contiguous}, {"chunked", Layout::chunked}}),
       name_key<FillTime>(
           "fill_time", made.fill_time,
           {{"alloc", FillTime::on_allocation}, {"never", FillTime::never}, {"ifset", FillTime::if_set}}),
       name_key<AllocationTime>("allocation", made.allocation,
                                {{"early", AllocationTime::early},
                                 {"late", AllocationTime::late},
                                 {"incremental", AllocationTime::incremental}}),
       name_key<ChunkAccess>("access", made.access,
                             {{"anything", ChunkAccess::anything},
                              {"rows", ChunkAccess::rows},
                              {"columns", ChunkAccess::columns},
                              {"frames", ChunkAccess::frames}}),
       {"fill", [&](const py::handle& value) { made.fill = fill_of(value); }},
       {"external",
        [&](const py::handle& value) {
          for (const py::handle each : value) made.external.push_back(external_file(each));
        }},
       {"virtual_sources",
        [&](const py::handle& value) {
          made.layout = Layout::virtual_dataset;
          for (const py::handle each : value) made.virtual_sources.push_back(virtual_source(each));
        }},
       {"density",
        [&](const py::handle& value) { made.density = ExpectedDensity::of(py::cast<double>(value)); }},
       dims_key("chunk", made.chunk),
       filters_key("filters", made.filters),
       filters_key("selection_filters", made.selection_filters),
       filters_key("heap_filters", made.heap_filters),
       key("sparse", made.sparse),
       key("portable", made.portable),
       key("choose_section_filters", made.choose_section_filters),
       key("track_times", made.track_times),
       order_key(made.attributes)});
  return made;
}

GroupOptions group_options(const py::dict& options) {
  GroupOptions made;
  apply(options,
        {{"track_order",
          [&](const py::handle& value) { made.track_order = made.index_order = py::cast<bool>(value); }},
         key("track_times", made.track_times),
         order_key(made.attributes)});
  return made;
}

CreateOptions create_options(const py::dict& options) {
  CreateOptions made;
  apply(options, {key("user_block_bytes", made.user_block_bytes),
                  key("persist", made.space.persist),
                  key("threshold", made.space.threshold),
                  key("page_bytes", made.space.page_bytes),
                  name_key<SpaceStrategy>("strategy", made.space.strategy,
                                          {{"fsm", SpaceStrategy::free_list},
                                           {"page", SpaceStrategy::paged},
                                           {"aggregate", SpaceStrategy::aggregated},
                                           {"none", SpaceStrategy::none}}),
                  {"track_order", [&](const py::handle& value) {
                     made.root.track_order = made.root.index_order = py::cast<bool>(value);
                     made.root.attributes.track_order = made.root.attributes.index_order =
                         made.root.track_order;
                   }}});
  return made;
}

AccessOptions access_options(const py::dict& options) {
  AccessOptions made;
  MemoryDriver memory;
  FamilyDriver family;
  SplitDriver split;
  std::string driver, configuration;
  apply(options,
        {name_key<Version>("low", made.versions.low, versions),
         name_key<Version>("high", made.versions.high, versions),
         name_key<Locking>("locking", made.locking,
                           {{"automatic", Locking::automatic}, {"off", Locking::off}, {"on", Locking::on}}),
         text_key("driver", driver), text_key("configuration", configuration), key("save", memory.save),
         key("member_bytes", family.member_bytes), text_key("metadata_extension", split.metadata_extension),
         text_key("raw_extension", split.raw_extension), key("alignment", made.alignment),
         key("alignment_threshold", made.alignment_threshold),
         key("metadata_block_bytes", made.metadata_block_bytes),
         key("page_buffer_bytes", made.page_buffer_bytes),
         key("page_buffer_metadata_percent", made.page_buffer_metadata_percent),
         key("page_buffer_raw_percent", made.page_buffer_raw_percent),
         key("ignore_write_mark", made.ignore_write_mark), text_key("external_prefix", made.external_prefix),
         text_key("virtual_prefix", made.virtual_prefix),
         text_key("external_data_prefix", made.external_data_prefix)});
  if (driver == MemoryDriver::driver_name)
    made.driver = memory;
  else if (driver == FamilyDriver::driver_name)
    made.driver = family;
  else if (driver == SplitDriver::driver_name)
    made.driver = split;
  else if (driver == MultiDriver::driver_name)
    made.driver = MultiDriver{};
  else if (!driver.empty())
    made.driver = DriverChoice(driver, configuration);
  return made;
}

CopyOptions copy_options(const py::dict& options) {
  CopyOptions made;
  apply(options,
        {key("shallow", made.shallow), key("expand_soft", made.expand_soft),
         key("expand_external", made.expand_external), key("expand_references", made.expand_references),
         key("without_attributes", made.without_attributes), key("create_parents", made.create_parents)});
  return made;
}

Dataspace dataspace(const py::handle& shape, const py::handle& max_shape) {
  if (shape.is_none()) return Dataspace::null();
  Dims dims = to_dims(shape);
  if (dims.empty()) return Dataspace::scalar();
  Dims most;
  if (!max_shape.is_none())
    for (const py::handle one : max_shape)
      most.push_back(one.is_none() ? unlimited : to_dims(py::make_tuple(one)).front());
  return Dataspace::simple(std::move(dims), std::move(most));
}

py::tuple from_dataspace(const Dataspace& space) {
  if (space.kind() == Dataspace::Kind::null) return py::make_tuple(py::none(), py::none());
  py::tuple most(space.max_dims().size());
  for (std::size_t i = 0; i < space.max_dims().size(); ++i) {
    const std::uint64_t one = space.max_dims()[i];
    most[i] = one == unlimited ? py::object(py::none()) : py::object(py::int_(one));
  }
  return py::make_tuple(to_tuple(space.dims()), most);
}

FilterChoice filter_choice(const py::handle& filter) {
  const auto parts = py::cast<py::tuple>(filter);
  return {py::cast<std::uint16_t>(parts[0]), py::cast<std::vector<std::uint32_t>>(parts[1]),
          py::cast<bool>(parts[2])};
}

py::list from_filters(const std::vector<FilterChoice>& filters) {
  py::list list;
  for (const FilterChoice& filter : filters)
    list.append(py::make_tuple(filter.id, py::tuple(py::cast(filter.parameters)), filter.optional,
                               Text{filter.name}));
  return list;
}

}  // namespace filigree::python
