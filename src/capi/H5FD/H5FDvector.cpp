// SPDX-License-Identifier: Apache-2.0
//
// H5FD: reading and writing bytes, one after the other, as vectors and as selections. What a driver has no
// function for is done with the next simpler one: selections become vectors, vectors single calls.
#include <algorithm>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "capi/H5FD/driver_files.hpp"
#include "capi/H5FD/repeated.hpp"
#include "capi/H5FD/transfer_plist.hpp"
#include "capi/H5S/dataspace.hpp"
#include "space/cursor.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// What differs between reading and writing.
struct Reading {
  using Pointer = void*;
  static constexpr const char* verb = "read";
  static const hid_t* minor() { return &H5E_READERROR_g; }
  static auto scalar(const H5FD_class_t& calls) { return calls.read; }
  static auto vector(const H5FD_class_t& calls) { return calls.read_vector; }
  static auto selection(const H5FD_class_t& calls) { return calls.read_selection; }
};

struct Writing {
  using Pointer = const void*;
  static constexpr const char* verb = "write";
  static const hid_t* minor() { return &H5E_WRITEERROR_g; }
  static auto scalar(const H5FD_class_t& calls) { return calls.write; }
  static auto vector(const H5FD_class_t& calls) { return calls.write_vector; }
  static auto selection(const H5FD_class_t& calls) { return calls.write_selection; }
};

template <class Way>
ApiFunction transfer_entry(const char* function) {
  return {function, {&H5E_VFL_g, Way::minor()}, "file transfer request failed"};
}

template <class Way>
void require_done(herr_t result) {
  if (result < 0) {
    throw NestedFailure({&H5E_VFL_g, Way::minor()}, std::string("driver ") + Way::verb + " request failed");
  }
}

/// Throws for bytes beyond what is in use.
void check_region(const H5FD_class_t& calls, const H5FD_t* file, H5FD_mem_t type, haddr_t at,
                  std::size_t bytes) {
  const haddr_t end = calls.get_eoa(file, type);
  if (end == HADDR_UNDEF) throw NestedFailure({&H5E_VFL_g, &H5E_CANTINIT_g}, "driver get_eoa request failed");
  if (at <= end && bytes <= end - at) return;
  throw NestedFailure({&H5E_ARGS_g, &H5E_OVERFLOW_g},
                      fmt::format("addr overflow, addr = {}, size = {}, eoa = {}", at, bytes, end));
}

/// Pieces that were worked out here, without shorthands.
template <class Way>
struct Pieces {
  std::vector<H5FD_mem_t> types;
  std::vector<haddr_t> addresses;
  std::vector<std::size_t> sizes;
  std::vector<typename Way::Pointer> buffers;

  void add(H5FD_mem_t type, haddr_t at, std::size_t bytes, typename Way::Pointer memory) {
    types.push_back(type);
    addresses.push_back(at);
    sizes.push_back(bytes);
    buffers.push_back(memory);
  }
  void clear() {
    types.clear();
    addresses.clear();
    sizes.clear();
    buffers.clear();
  }
};

template <class Way>
void one_by_one(const DriverFile& file, hid_t transfer, const Pieces<Way>& pieces) {
  require_done<Way>(file.call([&](const H5FD_class_t& calls, H5FD_t* f) -> herr_t {
    for (std::size_t i = 0; i < pieces.types.size(); ++i) {
      const herr_t result = Way::scalar(calls)(f, pieces.types[i], transfer, pieces.addresses[i],
                                               pieces.sizes[i], pieces.buffers[i]);
      if (result < 0) return result;
    }
    return 0;
  }));
}

template <class Way>
void as_vector(const DriverFile& file, hid_t transfer, Pieces<Way>& pieces) {
  if (pieces.types.empty()) return;
  if (Way::vector(file.calls()) == nullptr) return one_by_one(file, transfer, pieces);
  require_done<Way>(file.call([&](const H5FD_class_t& calls, H5FD_t* f) {
    return Way::vector(calls)(f, transfer, static_cast<std::uint32_t>(pieces.types.size()),
                              pieces.types.data(), pieces.addresses.data(), pieces.sizes.data(),
                              pieces.buffers.data());
  }));
}

template <class Way>
void transfer_scalar(const DriverFile& file, H5FD_mem_t type, hid_t dxpl, haddr_t at, std::size_t bytes,
                     typename Way::Pointer memory) {
  const hid_t transfer = transfer_plist(dxpl);
  if (memory == nullptr) bad_value("result buffer parameter can't be NULL");
  if (bytes == 0) return;
  require_done<Way>(file.call([&](const H5FD_class_t& calls, H5FD_t* f) {
    check_region(calls, f, type, at, bytes);
    return Way::scalar(calls)(f, type, transfer, at, bytes, memory);
  }));
}

template <class T>
void require_array(const T* array, std::uint32_t count, const char* what) {
  if (count > 0 && array == nullptr)
    bad_value(fmt::format("{} parameter can't be NULL if count is positive", what));
}

template <class Way>
void transfer_vector(const DriverFile& file, hid_t dxpl, std::uint32_t count, H5FD_mem_t* types,
                     haddr_t* addresses, std::size_t* sizes, typename Way::Pointer* buffers) {
  require_array(types, count, "types");
  require_array(addresses, count, "addrs");
  require_array(sizes, count, "sizes");
  require_array(buffers, count, "bufs");
  if (count > 0 && sizes[0] == 0) bad_value("sizes[0] can't be 0");
  if (count > 0 && types[0] == H5FD_MEM_NOLIST) bad_value("types[0] can't be H5FD_MEM_NOLIST");
  const hid_t transfer = transfer_plist(dxpl);
  if (count == 0) return;
  Pieces<Way> pieces;
  const auto type = Repeated<H5FD_mem_t>(types, count, H5FD_MEM_NOLIST).checked("types");
  const auto size = Repeated<std::size_t>(sizes, count, 0).checked("sizes");
  for (std::uint32_t i = 0; i < count; ++i) {
    const H5FD_mem_t kind = type[i];
    if (buffers[i] == nullptr) bad_value(fmt::format("bufs[{}] can't be NULL", i));
    pieces.add(kind, addresses[i], size[i], buffers[i]);
  }
  file.call([&](const H5FD_class_t& calls, const H5FD_t* f) {
    for (std::uint32_t i = 0; i < count; ++i)
      check_region(calls, f, pieces.types[i], pieces.addresses[i], pieces.sizes[i]);
    return 0;
  });
  if (Way::vector(file.calls()) == nullptr) return one_by_one(file, transfer, pieces);
  // As it was given: shorthands are for drivers to profit from.
  require_done<Way>(file.call([&](const H5FD_class_t& calls, H5FD_t* f) {
    return Way::vector(calls)(f, transfer, count, types, addresses, sizes, buffers);
  }));
}

/// How far selections go down.
enum class Interface { selection, vector, scalar };

template <class Way>
struct SelectionCall {
  H5FD_mem_t type;
  std::uint32_t count;
  hid_t* memory_spaces;
  hid_t* file_spaces;
  haddr_t* offsets;
  std::size_t* element_bytes;
  typename Way::Pointer* buffers;
};

template <class Way>
void check_arguments(const SelectionCall<Way>& call) {
  require_array(call.memory_spaces, call.count, "mem_spaces");
  require_array(call.file_spaces, call.count, "file_spaces");
  require_array(call.element_bytes, call.count, "element_sizes");
  require_array(call.buffers, call.count, "bufs");
  if (call.count == 0) return;
  if (call.element_bytes[0] == 0) bad_value("element_sizes[0] can't be 0");
  if (call.buffers[0] == nullptr) bad_value("bufs[0] can't be NULL");
  Repeated<std::size_t>(call.element_bytes, call.count, 0).checked("element_sizes");
  Repeated<typename Way::Pointer>(call.buffers, call.count, nullptr).checked("bufs");
  for (std::uint32_t i = 0; i < call.count; ++i) {
    const auto memory = get_space(call.memory_spaces[i]), in_file = get_space(call.file_spaces[i]);
    if (selected_elements(*memory) != selected_elements(*in_file))
      bad_value(fmt::format("mem_spaces[{0}] and file_spaces[{0}] select different numbers of elements", i));
  }
}

/// Hands the selections over as pieces, a bounded number at a time.
template <class Way>
void walk(const DriverFile& file, hid_t transfer, const SelectionCall<Way>& call, Interface interface) {
  constexpr std::size_t at_once = 4096;
  Pieces<Way> pieces;
  const auto hand_over = [&] {
    file.call([&](const H5FD_class_t& calls, const H5FD_t* f) {
      for (std::size_t i = 0; i < pieces.types.size(); ++i)
        check_region(calls, f, pieces.types[i], pieces.addresses[i], pieces.sizes[i]);
      return 0;
    });
    interface == Interface::scalar ? one_by_one(file, transfer, pieces) : as_vector(file, transfer, pieces);
    pieces.clear();
  };
  using Byte = std::conditional_t<std::is_same_v<Way, Reading>, char, const char>;
  const Repeated<std::size_t> element(call.element_bytes, call.count, 0);
  const Repeated<typename Way::Pointer> buffer(call.buffers, call.count, nullptr);
  for (std::uint32_t i = 0; i < call.count; ++i) {
    const std::size_t bytes = element[i];
    auto* const memory = static_cast<Byte*>(buffer[i]);
    const haddr_t offset = call.offsets == nullptr ? 0 : call.offsets[i];
    const space::Selection in_file = valid_selection(*get_space(call.file_spaces[i]), "file");
    const space::Selection in_memory = valid_selection(*get_space(call.memory_spaces[i]), "memory");
    space::MatchedCursor cursor(in_file, in_memory);
    for (space::MatchedRun run; cursor.next(run);) {
      constexpr std::string_view what = "the bytes of selected elements";
      pieces.add(call.type, checked_add(offset, checked_multiply(run.first, bytes, what), what),
                 checked_multiply(run.length, bytes, what),
                 memory + checked_multiply(run.second, bytes, what));
      if (pieces.types.size() == at_once) hand_over();
    }
  }
  hand_over();
}

template <class Way>
void transfer_selection(const DriverFile& file, hid_t dxpl, const SelectionCall<Way>& call,
                        Interface interface) {
  check_arguments(call);
  const hid_t transfer = transfer_plist(dxpl);
  if (call.count == 0) return;
  if (interface != Interface::selection || Way::selection(file.calls()) == nullptr)
    return walk(file, transfer, call, interface);
  std::vector<haddr_t> none;
  if (call.offsets == nullptr) none.resize(call.count);
  require_done<Way>(file.call([&](const H5FD_class_t& calls, H5FD_t* f) {
    return Way::selection(calls)(f, call.type, transfer, call.count, call.memory_spaces, call.file_spaces,
                                 call.offsets == nullptr ? none.data() : call.offsets, call.element_bytes,
                                 call.buffers);
  }));
}

/// Runs a transfer. A failure is also one of the concurrent section that it is part of.
template <class Work>
void with_file(const H5FD_t* pointer, Work work) {
  const auto file = get_driver_file(pointer);
  try {
    work(*file);
  } catch (...) {
    file->note_failure();
    throw;
  }
}

}  // namespace

herr_t H5FDread(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, size_t size, void* buf) {
  return api_call(transfer_entry<Reading>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_scalar<Reading>(known, type, dxpl_id, addr, size, buf);
    });
  });
}

herr_t H5FDwrite(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, size_t size, const void* buf) {
  return api_call(transfer_entry<Writing>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_scalar<Writing>(known, type, dxpl_id, addr, size, buf);
    });
  });
}

herr_t H5FDread_vector(H5FD_t* file, hid_t dxpl_id, uint32_t count, H5FD_mem_t types[], haddr_t addrs[],
                       size_t sizes[], void* bufs[]) {
  return api_call(transfer_entry<Reading>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_vector<Reading>(known, dxpl_id, count, types, addrs, sizes, bufs);
    });
  });
}

herr_t H5FDwrite_vector(H5FD_t* file, hid_t dxpl_id, uint32_t count, H5FD_mem_t types[], haddr_t addrs[],
                        size_t sizes[], const void* bufs[]) {
  return api_call(transfer_entry<Writing>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_vector<Writing>(known, dxpl_id, count, types, addrs, sizes, bufs);
    });
  });
}

herr_t H5FDread_selection(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, uint32_t count, hid_t mem_spaces[],
                          hid_t file_spaces[], haddr_t offsets[], size_t element_sizes[], void* bufs[]) {
  return api_call(transfer_entry<Reading>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_selection<Reading>(known, dxpl_id,
                                  {type, count, mem_spaces, file_spaces, offsets, element_sizes, bufs},
                                  Interface::selection);
    });
  });
}

herr_t H5FDwrite_selection(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, uint32_t count, hid_t mem_spaces[],
                           hid_t file_spaces[], haddr_t offsets[], size_t element_sizes[],
                           const void* bufs[]) {
  return api_call(transfer_entry<Writing>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_selection<Writing>(known, dxpl_id,
                                  {type, count, mem_spaces, file_spaces, offsets, element_sizes, bufs},
                                  Interface::selection);
    });
  });
}

herr_t H5FDread_vector_from_selection(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, uint32_t count,
                                      hid_t mem_spaces[], hid_t file_spaces[], haddr_t offsets[],
                                      size_t element_sizes[], void* bufs[]) {
  return api_call(transfer_entry<Reading>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_selection<Reading>(known, dxpl_id,
                                  {type, count, mem_spaces, file_spaces, offsets, element_sizes, bufs},
                                  Interface::vector);
    });
  });
}

herr_t H5FDwrite_vector_from_selection(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, uint32_t count,
                                       hid_t mem_spaces[], hid_t file_spaces[], haddr_t offsets[],
                                       size_t element_sizes[], const void* bufs[]) {
  return api_call(transfer_entry<Writing>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_selection<Writing>(known, dxpl_id,
                                  {type, count, mem_spaces, file_spaces, offsets, element_sizes, bufs},
                                  Interface::vector);
    });
  });
}

herr_t H5FDread_from_selection(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, uint32_t count,
                               hid_t mem_space_ids[], hid_t file_space_ids[], haddr_t offsets[],
                               size_t element_sizes[], void* bufs[]) {
  return api_call(transfer_entry<Reading>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_selection<Reading>(known, dxpl_id,
                                  {type, count, mem_space_ids, file_space_ids, offsets, element_sizes, bufs},
                                  Interface::scalar);
    });
  });
}

herr_t H5FDwrite_from_selection(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, uint32_t count,
                                hid_t mem_space_ids[], hid_t file_space_ids[], haddr_t offsets[],
                                size_t element_sizes[], const void* bufs[]) {
  return api_call(transfer_entry<Writing>(__func__), [&] {
    with_file(file, [&](const DriverFile& known) {
      transfer_selection<Writing>(known, dxpl_id,
                                  {type, count, mem_space_ids, file_space_ids, offsets, element_sizes, bufs},
                                  Interface::scalar);
    });
  });
}
