// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing elements of datasets.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "capi/H5D/collective_io.hpp"
#include "capi/H5D/dataset_ids.hpp"
#include "capi/H5D/selection_io.hpp"
#include "capi/H5D/several_io.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5R/references.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/H5T/conversions.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/core/nested_error.hpp"
#include "space/cursor.hpp"
#include "type/datatypes.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code bad_values() { return {&H5E_ARGS_g, &H5E_BADVALUE_g}; }

/// The arguments of one transfer.
struct Arguments {
  Arguments(hid_t dataset_id, hid_t type_id, hid_t memory_id, hid_t file_id)
      : dataset(get_dataset(dataset_id, "a dataset ID")) {
    of_plist = file_id == H5S_PLIST;
    if (file_id != H5S_ALL && !of_plist) file = space(file_id);
    if (memory_id == H5S_BLOCK) {
      block = true;
    } else if (memory_id != H5S_ALL) {
      memory = space(memory_id);
    }
    type = ids().find_as<TypeHandle>(type_id);
    if (type == nullptr) throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "mem_type_id is not a datatype");
  }
  static std::shared_ptr<const SpaceValue> space(hid_t id) {
    return with_error_code(bad_values(), [&] { return get_space(id); });
  }
  std::shared_ptr<DatasetHandle> dataset;
  std::shared_ptr<TypeHandle> type;
  std::shared_ptr<const SpaceValue> file;    ///< null: H5S_ALL
  std::shared_ptr<const SpaceValue> memory;  ///< null: the same selection as in the file
  bool block = false;                        ///< the elements are contiguous in memory
  bool of_plist = false;                     ///< H5S_PLIST: the selection of the transfer property list
};

/// A transfer whose selections are checked against their extents and against each other.
struct Plan {
  Plan(const Arguments& arguments, const TransferSettings& settings) : options(transfer_options(settings)) {
    c_memory = {settings.allocate, settings.release, settings.allocate_info, settings.release_info};
    options.rules = ConversionRules::hdf5;
    options.c_memory = &c_memory;
    SpaceValue extent = space_of(arguments.dataset->dataset.space());
    if (extent.is_huge()) {
      plan_huge(arguments, settings, std::move(extent));
    } else {
      plan(arguments, settings, std::move(extent));
    }
  }
  void plan(const Arguments& arguments, const TransferSettings& settings, SpaceValue extent) {
    const auto extent_frame = frame_of(extent);
    space::Selection in_file = space::Selection::all(extent_frame);
    if (arguments.file != nullptr) {
      const auto chosen = checked(*arguments.file, "file");
      in_file = chosen.frame() == extent_frame ? chosen : reframed(chosen, extent_frame);
    } else if (arguments.of_plist) {
      in_file = plist_selection(settings, std::move(extent));
    }
    space::Selection in_memory = arguments.block ? space::Selection::all(space::Frame({in_file.elements()}))
                                 : arguments.memory == nullptr ? in_file
                                                               : checked(*arguments.memory, "memory");
    require_equal(in_file.elements(), in_memory.elements());
    selection = api::SelectionAccess::make(in_file);
    set_memory(in_memory);
  }
  void set_memory(const space::Selection& in_memory) {
    elements = in_memory.elements();
    capacity = in_memory.frame().elements();
    if (in_memory.kind() != space::Selection::Kind::all)
      options.memory = MemoryShape{in_memory.frame().dims(), api::SelectionAccess::make(in_memory)};
  }
  /// Plans the transfer of a dataset with 2^64 elements or more.
  void plan_huge(const Arguments& arguments, const TransferSettings& settings, SpaceValue extent) {
    if (arguments.of_plist) select_by_plist(settings, extent);
    const SpaceValue& chosen = arguments.file != nullptr ? *arguments.file : extent;
    const auto in_file = checked_huge(chosen);
    if (!in_file.is_within(extent.extent.dims()))
      bad_value("file selection is outside of the dataset's extent");
    if (arguments.memory == nullptr && !arguments.block)
      throw NestedFailure(bad_values(),
                          "elements of an extent of 2^64 elements or more need a dataspace in memory");
    const auto in_memory = arguments.block ? space::Selection::all(space::Frame({in_file.elements()}))
                                           : checked(*arguments.memory, "memory");
    require_equal(in_file.elements(), in_memory.elements());
    selection = api::SelectionAccess::make(in_file, extent.extent.dims());
    set_memory(in_memory);
  }
  static void require_equal(std::uint64_t in_file, std::uint64_t in_memory) {
    if (in_file != in_memory)
      throw NestedFailure(bad_values(), "src and dest dataspaces have different number of elements selected");
  }
  /// The selection of the transfer property list, in the extent of the dataset.
  static space::Selection plist_selection(const TransferSettings& settings, SpaceValue extent) {
    select_by_plist(settings, extent);
    return as_nested_error([&] { return reframed(checked(extent, "file"), frame_of(extent)); });
  }
  static void select_by_plist(const TransferSettings& settings, SpaceValue& extent) {
    if (settings.dataset_io_selection.empty())
      throw NestedFailure(bad_values(), "the transfer property list has no selection for H5S_PLIST");
    for (const SlabOperation& one : settings.dataset_io_selection) {
      if (one.slab.size() != extent.rank())
        throw NestedFailure(bad_values(), "the selection of the list has another rank than the dataset");
      select_slab(extent, one.op, one.slab);
    }
  }
  /// HDF5 reports an invalid selection as an invalid argument.
  static space::Selection checked(const SpaceValue& space, const char* what) {
    try {
      return valid_selection(space, what);
    } catch (const Failure& failure) {
      bad_value(failure.what());
    }
  }
  static space::HugeSelection checked_huge(const SpaceValue& space) {
    try {
      return valid_huge_selection(space, "file");
    } catch (const Failure& failure) {
      bad_value(failure.what());
    }
  }
  static space::Selection reframed(const space::Selection& chosen, const space::Frame& extent_frame) {
    try {
      return chosen.reframed(extent_frame);
    } catch (const Error&) {
      bad_value("file selection is outside of the dataset's extent");
    }
  }

  /// Whether nothing is to be done. A process without elements takes part in collective transfers.
  bool is_empty() const { return elements == 0 && !options.collective; }

  std::uint64_t elements = 0;
  std::uint64_t capacity = 0;  ///< capacity of the memory buffer in elements, selected or not
  Selection selection;
  CMemory c_memory;
  TransferOptions options;
};

std::shared_ptr<const TransferSettings> transfer_settings(hid_t id) {
  return get_settings<TransferSettings>(id, "xfer parms");
}

/// Whether the C API may have to change values on their way.
bool may_change_values(const TransferSettings& settings) {
  return !settings.expression.empty() || !user_conversions().empty();
}

/// The part of a call for one dataset. It refers to the arguments, the plan and the settings.
template <class Memory>
PartOfCall<Memory> part_of_call(const Arguments& arguments, const Plan& plan,
                                const TransferSettings& settings, Memory* buf, hid_t plist) {
  return {arguments.dataset,
          {arguments.dataset->dataset, memory_datatype(*arguments.type), buf, plan.elements, plan.selection,
           plan.options, settings, plist},
          plan.capacity};
}

/// *Throws* NestedFailure for a collective transfer of a file that one process uses, as HDF5 does.
void check_mode(std::span<const Arguments> all, const TransferSettings& settings) {
  if (settings.transfer_mode != H5FD_MPIO_COLLECTIVE) return;
  for (const Arguments& one : all)
    if (!one.dataset->open()->is_parallel())
      throw NestedFailure({&H5E_DATASET_g, &H5E_UNSUPPORTED_g}, "collective access needs the driver of MPI");
}

void read(const Arguments& arguments, const TransferSettings& settings, void* buf,
          hid_t plist = H5P_DEFAULT) {
  check_mode({&arguments, 1}, settings);
  const Plan plan(arguments, settings);
  if (plan.is_empty()) return;
  if (buf == nullptr && plan.elements > 0) throw NestedFailure(bad_values(), "no output buffer");
  if (may_change_values(settings)) {
    const auto part = part_of_call(arguments, plan, settings, buf, plist);
    return read_parts({&part, 1});
  }
  const ReferenceFileScope home(arguments.dataset->open(), *arguments.type->value.get());
  arguments.dataset->dataset.read_elements(memory_datatype(*arguments.type), buf, plan.capacity,
                                           plan.selection, plan.options);
}

void require_write_intent(const Arguments& arguments) {
  if (!arguments.dataset->open()->file.writable())
    throw NestedFailure({&H5E_DATASET_g, &H5E_WRITEERROR_g}, "no write intent on file");
}

void write(const Arguments& arguments, const TransferSettings& settings, const void* buf, hid_t plist) {
  check_mode({&arguments, 1}, settings);
  const Plan plan(arguments, settings);
  require_write_intent(arguments);
  if (plan.is_empty()) return;
  if (buf == nullptr && plan.elements > 0) throw NestedFailure(bad_values(), "no input buffer");
  if (may_change_values(settings)) {
    const auto part = part_of_call(arguments, plan, settings, buf, plist);
    return write_parts({&part, 1});
  }
  const ReferenceFileScope home(arguments.dataset->open(), *arguments.type->value.get());
  Dataset(arguments.dataset->dataset)
      .write_elements(memory_datatype(*arguments.type), buf, plan.capacity, plan.selection, plan.options);
}

/// Whether all elements are transferred with default properties.
bool transfers_all(const Arguments& arguments, hid_t plist, const void* buf) {
  const bool all =
      arguments.file == nullptr && arguments.memory == nullptr && !arguments.block && !arguments.of_plist;
  return all && plist == H5P_DEFAULT && buf != nullptr && user_conversions().empty();
}

/// Read or write all elements of a small dataset. Return false, having done nothing, for other transfers.
bool read_small(const Arguments& arguments, hid_t plist, void* buf) {
  return transfers_all(arguments, plist, buf) &&
         arguments.dataset->dataset.read_small(memory_datatype(*arguments.type), buf);
}
bool write_small(const Arguments& arguments, hid_t plist, const void* buf) {
  return transfers_all(arguments, plist, buf) &&
         arguments.dataset->dataset.write_small(memory_datatype(*arguments.type), buf);
}

/// The parts of a call, without those that have no elements. They refer to the plans.
template <class Memory>
std::vector<PartOfCall<Memory>> parts_of_call(std::deque<Plan>& plans, std::span<const Arguments> all,
                                              const TransferSettings& settings, std::span<Memory*> buffers,
                                              hid_t plist) {
  std::vector<PartOfCall<Memory>> made;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Plan& plan = plans.emplace_back(all[i], settings);
    if (plan.is_empty()) continue;
    if (buffers[i] == nullptr && plan.elements > 0)
      throw NestedFailure(bad_values(), fmt::format("buf[{}] is no buffer", i));
    made.push_back(part_of_call(all[i], plan, settings, buffers[i], plist));
  }
  return made;
}

void read_several(std::span<const Arguments> all, const TransferSettings& settings, std::span<void*> buffers,
                  hid_t plist) {
  check_mode(all, settings);
  std::deque<Plan> plans;
  read_parts(parts_of_call(plans, all, settings, buffers, plist));
}

void write_several(std::span<const Arguments> all, const TransferSettings& settings,
                   std::span<const void*> buffers, hid_t plist) {
  check_mode(all, settings);
  for (const Arguments& one : all) require_write_intent(one);
  std::deque<Plan> plans;
  write_parts(parts_of_call(plans, all, settings, buffers, plist));
}

/// Tells the transfer property list how the elements went between driver and memory.
void note_io(hid_t plist_id, std::span<const Arguments> all, TransferDirection direction) {
  const auto plist = ids().find_as<PropertyListHandle>(plist_id);
  if (plist == nullptr || plist->is_default) return;
  const auto settings = std::dynamic_pointer_cast<const TransferSettings>(plist->settings());
  SelectionIo done;
  CollectiveIo together;
  for (const Arguments& one : all) {
    done |= selection_io_of(one.dataset, *settings, direction);
    together |= collective_io_of(*one.dataset, *settings, direction);
  }
  if (done.cause == settings->no_selection_io_cause && done.mode == settings->actual_selection_io &&
      together.is_in(*settings))
    return;
  plist->change<TransferSettings>({}, [&](auto& s) {
    s.no_selection_io_cause = done.cause;
    s.actual_selection_io = done.mode;
    together.store(s);
  });
}

/// Checks the arguments of all transfers before the first transfer starts.
std::vector<Arguments> all_arguments(std::size_t count, const hid_t* datasets, const hid_t* types,
                                     const hid_t* memories, const hid_t* files) {
  required(datasets, "dset_id array");
  required(types, "mem_type_id array");
  required(memories, "mem_space_id array");
  required(files, "file_space_id array");
  std::vector<Arguments> all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(datasets[i], types[i], memories[i], files[i]);
  return all;
}

/// Returns one element, converted to another type.
Buffer converted(const format::DatatypeMessage& from, const void* value, const format::DatatypeMessage& to) {
  Buffer result(to.size);
  if (value == nullptr) return result;
  const auto conversion = type::prepare(from, to, type::Rules::hdf5);
  conversion->apply({static_cast<const std::byte*>(value), from.size, result.data(), to.size, 1}, {});
  return result;
}

/// Calls `visit` with the offset of each selected element of an array in memory, in order, until it returns a
/// value other than zero.
template <class Visit>
herr_t for_each_selected(const space::Selection& selection, Visit visit) {
  for (space::Cursor cursor(selection); !cursor.done();) {
    const space::RunPattern pattern = cursor.pattern();
    for (std::uint64_t i = 0; i < pattern.length; ++i)
      if (const herr_t result = visit(pattern.start + i); result != 0) return result;
    cursor.advance(pattern.length);
  }
  return 0;
}

}  // namespace

herr_t H5Dread(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id, hid_t dxpl_id,
               void* buf) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_READERROR_g}, "can't read data"}, [&] {
    const Arguments arguments(dset_id, mem_type_id, mem_space_id, file_space_id);
    if (read_small(arguments, dxpl_id, buf)) return;
    read(arguments, *transfer_settings(dxpl_id), buf, dxpl_id);
    note_io(dxpl_id, {&arguments, 1}, TransferDirection::read);
  });
}

herr_t H5Dwrite(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id, hid_t dxpl_id,
                const void* buf) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_WRITEERROR_g}, "can't write data"}, [&] {
    const Arguments arguments(dset_id, mem_type_id, mem_space_id, file_space_id);
    if (write_small(arguments, dxpl_id, buf)) return;
    write(arguments, *transfer_settings(dxpl_id), buf, dxpl_id);
    note_io(dxpl_id, {&arguments, 1}, TransferDirection::write);
  });
}

herr_t H5Dread_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[], hid_t mem_space_id[],
                     hid_t file_space_id[], hid_t dxpl_id, void* buf[]) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_READERROR_g}, "can't read data"}, [&] {
    if (count == 0) return;
    const auto all = all_arguments(count, dset_id, mem_type_id, mem_space_id, file_space_id);
    required(buf, "buf array");
    const auto settings = transfer_settings(dxpl_id);
    read_several(all, *settings, {buf, count}, dxpl_id);
    note_io(dxpl_id, all, TransferDirection::read);
  });
}

herr_t H5Dwrite_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[], hid_t mem_space_id[],
                      hid_t file_space_id[], hid_t dxpl_id, const void* buf[]) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_WRITEERROR_g}, "can't write data"}, [&] {
    if (count == 0) return;
    const auto all = all_arguments(count, dset_id, mem_type_id, mem_space_id, file_space_id);
    required(buf, "buf array");
    const auto settings = transfer_settings(dxpl_id);
    write_several(all, *settings, {buf, count}, dxpl_id);
    note_io(dxpl_id, all, TransferDirection::write);
  });
}

herr_t H5Diterate(void* buf, hid_t type_id, hid_t space_id, H5D_operator_t op, void* operator_data) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_BADITER_g}, "unable to iterate over elements"},
                  [&]() -> herr_t {
                    if (op == nullptr) bad_value("invalid operator");
                    if (buf == nullptr) bad_value("invalid buffer");
                    const std::size_t bytes = get_type(type_id)->value.get()->size;
                    const auto space = get_space(space_id);
                    const space::Selection selection = valid_selection(*space, "the");
                    std::vector<std::uint64_t> at(std::max<std::size_t>(space->rank(), 1));
                    const herr_t result = for_each_selected(selection, [&](std::uint64_t position) {
                      selection.frame().coordinates(position, at.data());
                      return op(static_cast<std::byte*>(buf) + position * bytes, type_id,
                                static_cast<unsigned>(space->rank()),
                                reinterpret_cast<const hsize_t*>(at.data()), operator_data);
                    });
                    if (result < 0)
                      throw CallbackFailure({&H5E_DATASPACE_g, &H5E_CANTNEXT_g}, "iteration operator failed");
                    return result;
                  });
}

herr_t H5Dfill(const void* fill, hid_t fill_type_id, void* buf, hid_t buf_type_id, hid_t space_id) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTENCODE_g}, "unable to fill memory"}, [&] {
    if (buf == nullptr) bad_value("invalid buffer");
    const auto space = get_space(space_id);
    const auto from = get_type(fill_type_id)->value.get();
    const auto to = get_type(buf_type_id)->value.get();
    const bool variable = fill != nullptr && type::has_variable_parts(*from);
    const Buffer value = converted(*from, fill, *to);
    for_each_selected(valid_selection(*space, "the"), [&](std::uint64_t position) {
      // Each element owns the variable-length data that it points to.
      const Buffer own = variable && position != 0 ? converted(*from, fill, *to) : value;
      std::memcpy(static_cast<std::byte*>(buf) + position * own.size(), own.data(), own.size());
      return 0;
    });
  });
}

herr_t H5Dvlen_reclaim(hid_t type_id, hid_t space_id, hid_t dxpl_id, void* buf) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTFREE_g}, "can't reclaim vlen data"}, [&] {
    if (buf == nullptr) bad_value("invalid argument");
    const auto type = with_error_code(bad_values(), [&] { return get_type(type_id)->value.get(); });
    reclaim_values(*type, *get_space(space_id), *transfer_settings(dxpl_id), buf);
  });
}

herr_t H5Dvlen_get_buf_size(hid_t dset_id, hid_t type_id, hid_t space_id, hsize_t* size) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTGET_g}, "can't get size of vlen buf needed"}, [&] {
    with_error_code(bad_values(), [&] {
      get_dataset(dset_id, "a dataset ID");
      return get_type(type_id);
    });
    get_space(space_id);
    const Arguments arguments(dset_id, type_id, space_id, space_id);
    required(size, "size");
    // Reads the values with an allocator that counts bytes.
    struct Counter {
      hsize_t bytes = 0;
      static void* allocate(std::size_t bytes, void* info) {
        static_cast<Counter*>(info)->bytes += bytes;
        return std::malloc(bytes);
      }
    } counter;
    TransferSettings settings;
    settings.allocate = Counter::allocate;
    settings.allocate_info = &counter;
    settings.release = [](void* block, void*) { std::free(block); };
    const auto type = arguments.type->value.get();
    const std::uint64_t capacity = frame_of(*arguments.memory).elements();
    Buffer values(capacity * type->size);
    read(arguments, settings, values.data());
    reclaim_values(*type, *arguments.memory, settings, values.data());
    *size = counter.bytes;
  });
}

herr_t H5Dscatter(H5D_scatter_func_t op, void* op_data, hid_t type_id, hid_t dst_space_id, void* dst_buf) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_WRITEERROR_g}, "can't scatter data"}, [&] {
    required(op, "op");
    required(dst_buf, "dst_buf");
    const std::size_t bytes = get_type(type_id)->value.get()->size;
    const space::Selection selection = valid_selection(*get_space(dst_space_id), "the");
    const void* source = nullptr;
    std::size_t left = 0;
    const herr_t result = for_each_selected(selection, [&](std::uint64_t position) -> herr_t {
      if (left == 0) {
        if (op(&source, &left, op_data) < 0) return -1;
        if (source == nullptr || left == 0 || left % bytes != 0) return -2;
      }
      std::memcpy(static_cast<std::byte*>(dst_buf) + position * bytes, source, bytes);
      source = static_cast<const std::byte*>(source) + bytes;
      left -= bytes;
      return 0;
    });
    if (result == -1)
      throw CallbackFailure({&H5E_DATASET_g, &H5E_CALLBACK_g}, "the function for more data failed");
    if (result == -2) bad_value("the function for data gave no whole elements");
    if (left != 0) bad_value("the function for data gave more than fits the selection");
  });
}

herr_t H5Dgather(hid_t src_space_id, const void* src_buf, hid_t type_id, size_t dst_buf_size, void* dst_buf,
                 H5D_gather_func_t op, void* op_data) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_WRITEERROR_g}, "can't gather data"}, [&] {
    required(src_buf, "src_buf");
    required(dst_buf, "dst_buf");
    const std::size_t bytes = get_type(type_id)->value.get()->size;
    const space::Selection selection = valid_selection(*get_space(src_space_id), "the");
    const std::size_t capacity = dst_buf_size / bytes;
    if (capacity == 0) bad_value("the destination is too small for one element");
    if (op == nullptr && selection.elements() > capacity)
      bad_value("the destination is too small, and there is no function to empty it");
    std::size_t filled = 0;
    const auto empty = [&] {
      const herr_t result = op == nullptr ? 0 : op(dst_buf, filled * bytes, op_data);
      filled = 0;
      return result;
    };
    const herr_t result = for_each_selected(selection, [&](std::uint64_t position) -> herr_t {
      std::memcpy(static_cast<std::byte*>(dst_buf) + filled * bytes,
                  static_cast<const std::byte*>(src_buf) + position * bytes, bytes);
      return ++filled == capacity && empty() < 0 ? -1 : 0;
    });
    if (result < 0 || (filled != 0 && empty() < 0))
      throw CallbackFailure({&H5E_DATASET_g, &H5E_CALLBACK_g}, "the function that takes the data failed");
  });
}
