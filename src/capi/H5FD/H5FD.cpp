// SPDX-License-Identifier: Apache-2.0
//
// H5FD: registering drivers, and files of drivers as bytes.
#include <algorithm>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "capi/H5FD/transfer_plist.hpp"
#include "capi/H5FD/user_driver.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/core/nested_error.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

ApiFunction of_file(const char* function, const hid_t* minor, const char* words) {
  return {function, {&H5E_VFL_g, minor}, words};
}

[[noreturn]] void report_failed_section() {
  throw NestedFailure({&H5E_VFL_g, &H5E_FCNTL_g}, "a transfer of the concurrent section has failed");
}

/// What a class was before 1.14: no version, no value, no vectors, selections, deletion and operations.
struct OldClass {
  const char* name;
  haddr_t maxaddr;
  H5F_close_degree_t fc_degree;
  herr_t (*terminate)(void);
  hsize_t (*sb_size)(H5FD_t*);
  herr_t (*sb_encode)(H5FD_t*, char*, unsigned char*);
  herr_t (*sb_decode)(H5FD_t*, const char*, const unsigned char*);
  size_t fapl_size;
  void* (*fapl_get)(H5FD_t*);
  void* (*fapl_copy)(const void*);
  herr_t (*fapl_free)(void*);
  size_t dxpl_size;
  void* (*dxpl_copy)(const void*);
  herr_t (*dxpl_free)(void*);
  H5FD_t* (*open)(const char*, unsigned, hid_t, haddr_t);
  herr_t (*close)(H5FD_t*);
  int (*cmp)(const H5FD_t*, const H5FD_t*);
  herr_t (*query)(const H5FD_t*, unsigned long*);
  herr_t (*get_type_map)(const H5FD_t*, H5FD_mem_t*);
  haddr_t (*alloc)(H5FD_t*, H5FD_mem_t, hid_t, hsize_t);
  herr_t (*free)(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, hsize_t);
  haddr_t (*get_eoa)(const H5FD_t*, H5FD_mem_t);
  herr_t (*set_eoa)(H5FD_t*, H5FD_mem_t, haddr_t);
  haddr_t (*get_eof)(const H5FD_t*, H5FD_mem_t);
  herr_t (*get_handle)(H5FD_t*, hid_t, void**);
  herr_t (*read)(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, void*);
  herr_t (*write)(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*);
  herr_t (*flush)(H5FD_t*, hid_t, hbool_t);
  herr_t (*truncate)(H5FD_t*, hid_t, hbool_t);
  herr_t (*lock)(H5FD_t*, hbool_t);
  herr_t (*unlock)(H5FD_t*);
  H5FD_mem_t fl_map[H5FD_MEM_NTYPES];
};

H5FD_class_t from_old(const OldClass& old) {
  H5FD_class_t made{};
  made.version = H5FD_CLASS_VERSION;
  made.value = H5_VFD_INVALID;
  made.name = old.name;
  made.maxaddr = old.maxaddr;
  made.fc_degree = old.fc_degree;
  made.terminate = old.terminate;
  made.sb_size = old.sb_size;
  made.sb_encode = old.sb_encode;
  made.sb_decode = old.sb_decode;
  made.fapl_size = old.fapl_size;
  made.fapl_get = old.fapl_get;
  made.fapl_copy = old.fapl_copy;
  made.fapl_free = old.fapl_free;
  made.dxpl_size = old.dxpl_size;
  made.dxpl_copy = old.dxpl_copy;
  made.dxpl_free = old.dxpl_free;
  made.open = old.open;
  made.close = old.close;
  made.cmp = old.cmp;
  made.query = old.query;
  made.get_type_map = old.get_type_map;
  made.alloc = old.alloc;
  made.free = old.free;
  made.get_eoa = old.get_eoa;
  made.set_eoa = old.set_eoa;
  made.get_eof = old.get_eof;
  made.get_handle = old.get_handle;
  made.read = old.read;
  made.write = old.write;
  made.flush = old.flush;
  made.truncate = old.truncate;
  made.lock = old.lock;
  made.unlock = old.unlock;
  std::copy(std::begin(old.fl_map), std::end(old.fl_map), std::begin(made.fl_map));
  return made;
}

/// A copy of what the program gives, in the form of 1.14.
H5FD_class_t checked_class(const H5FD_class_t* given) {
  const Code missing{&H5E_ARGS_g, &H5E_UNINITIALIZED_g};
  if (given == nullptr) throw Failure(missing, "null class pointer is disallowed");
  // Structures of programs built for releases before 1.14 begin with the name: no version is that large.
  constexpr unsigned versions = 256;
  const bool has_version = given->version < versions;
  const H5FD_class_t made = has_version ? *given : from_old(*reinterpret_cast<const OldClass*>(given));
  if (made.version != H5FD_CLASS_VERSION)
    throw Failure({&H5E_ARGS_g, &H5E_VERSION_g}, "wrong file driver version #");
  if (made.open == nullptr || made.close == nullptr)
    throw Failure(missing, "'open' and/or 'close' methods are not defined");
  if (made.get_eoa == nullptr || made.set_eoa == nullptr)
    throw Failure(missing, "'get_eoa' and/or 'set_eoa' methods are not defined");
  if (made.get_eof == nullptr) throw Failure(missing, "'get_eof' method is not defined");
  if (made.read == nullptr || made.write == nullptr)
    throw Failure(missing, "'read' and/or 'write' method is not defined");
  for (const H5FD_mem_t kind : made.fl_map)
    if (kind < H5FD_MEM_NOLIST || kind >= H5FD_MEM_NTYPES)
      throw Failure(missing, "invalid free-list mapping");
  if (made.name == nullptr) throw Failure(missing, "the class has no name");
  if (made.maxaddr == 0) throw Failure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "the class has no addresses");
  return made;
}

bool any_driver(const std::function<bool(const DriverHandle&)>& is) {
  for (const hid_t id : ids().of_type(H5I_VFL))
    if (const auto driver = ids().find_as<DriverHandle>(id); driver != nullptr && is(*driver)) return true;
  return false;
}

void check_kind(H5FD_mem_t kind, const char* otherwise) {
  if (kind < H5FD_MEM_DEFAULT || kind >= H5FD_MEM_NTYPES) bad_value(otherwise);
}

/// Bytes at the end of what is in use, as the list of the file wants them aligned.
haddr_t extend(const H5FD_class_t& calls, H5FD_t* file, H5FD_mem_t kind, hsize_t bytes) {
  const haddr_t end = calls.get_eoa(file, kind);
  const bool align = !file->paged_aggr && file->alignment > 1 && bytes >= file->threshold;
  const hsize_t beyond = align ? end % file->alignment : 0;
  const hsize_t gap = beyond == 0 ? 0 : file->alignment - beyond;
  if (end > file->maxaddr || gap > file->maxaddr - end || bytes > file->maxaddr - end - gap)
    return HADDR_UNDEF;
  if (calls.set_eoa(file, kind, end + gap + bytes) < 0) return HADDR_UNDEF;
  return end + gap;
}

}  // namespace

hid_t H5FDregister(const H5FD_class_t* cls) {
  return api_call(of_file("H5FDregister", &H5E_CANTREGISTER_g, "unable to register file driver ID"),
                  [&] { return ids().add(std::make_shared<DriverHandle>(checked_class(cls), false)); });
}

herr_t H5FDunregister(hid_t driver_id) {
  return api_call(of_file("H5FDunregister", &H5E_CANTDEC_g, "unable to unregister file driver"), [&] {
    const auto driver = ids().get<DriverHandle>(driver_id, "a file driver");
    if (!driver->permanent()) ids().release(driver_id);
  });
}

htri_t H5FDis_driver_registered_by_name(const char* driver_name) {
  return api_call(of_file(__func__, &H5E_CANTGET_g, "can't check if VFD is registered"), [&]() -> htri_t {
    required_string(driver_name, "driver_name");
    return drivers::find(driver_name).has_value() ||
           any_driver([&](const DriverHandle& driver) { return driver.name == driver_name; });
  });
}

htri_t H5FDis_driver_registered_by_value(H5FD_class_value_t driver_value) {
  return api_call(of_file(__func__, &H5E_CANTGET_g, "can't check if VFD is registered"), [&]() -> htri_t {
    if (driver_value < 0 || driver_value > H5_VFD_MAX) bad_value("invalid value for the driver");
    return any_driver([&](const DriverHandle& driver) { return driver.functions.value == driver_value; });
  });
}

herr_t H5FDdriver_query(hid_t driver_id, unsigned long* flags) {
  return api_call(of_file(__func__, &H5E_CANTGET_g, "driver flag query failed"), [&] {
    required(flags, "flags parameter");
    const auto driver = with_error_code({&H5E_ID_g, &H5E_BADID_g},
                                        [&] { return ids().get<DriverHandle>(driver_id, "a VFL ID"); });
    *flags = 0;
    if (driver->functions.query == nullptr) return;
    std::unique_lock lock(driver->calls, std::defer_lock);
    if (!driver->of_library) lock.lock();
    if (driver->functions.query(nullptr, flags) < 0)
      throw NestedFailure({&H5E_VFL_g, &H5E_CANTGET_g}, "the driver cannot tell its features");
  });
}

H5FD_t* H5FDopen(const char* name, unsigned flags, hid_t fapl_id, haddr_t maxaddr) {
  return api_call_or<H5FD_t*>(nullptr, of_file("H5FDopen", &H5E_CANTINIT_g, "unable to open file"),
                              [&] { return DriverFile::open(name, flags, fapl_id, maxaddr)->file(); });
}

herr_t H5FDclose(H5FD_t* file) {
  return api_call(of_file("H5FDclose", &H5E_CANTCLOSEFILE_g, "unable to close file"), [&] {
    if (!get_driver_file(file)->close())
      throw NestedFailure({&H5E_VFL_g, &H5E_CANTCLOSEFILE_g}, "close failed");
  });
}

int H5FDcmp(const H5FD_t* f1, const H5FD_t* f2) {
  return api_call(of_file("H5FDcmp", &H5E_CANTCOMPARE_g, "can't compare files"), [&] {
    if (f1 == nullptr || f2 == nullptr) return f1 == f2 ? 0 : (f1 == nullptr ? -1 : 1);
    const auto first = get_driver_file(f1), second = get_driver_file(f2);
    if (first->driver() != second->driver()) return first->driver() < second->driver() ? -1 : 1;
    return first->call([&](const H5FD_class_t& calls, const H5FD_t*) {
      if (calls.cmp == nullptr) return f1 == f2 ? 0 : (std::less<>()(f1, f2) ? -1 : 1);
      return calls.cmp(f1, f2);
    });
  });
}

int H5FDquery(const H5FD_t* f, unsigned long* flags) {
  return api_call(of_file("H5FDquery", &H5E_CANTGET_g, "unable to query feature flags"), [&] {
    const auto file = get_driver_file(f);
    required(flags, "flags parameter");
    return file->call([&](const H5FD_class_t& calls, const H5FD_t* known) {
      *flags = 0;
      return calls.query == nullptr ? 0 : calls.query(known, flags);
    });
  });
}

haddr_t H5FDalloc(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, hsize_t size) {
  const ApiFunction entry = of_file("H5FDalloc", &H5E_CANTINIT_g, "unable to allocate file memory");
  return api_call_or(haddr_t{HADDR_UNDEF}, entry, [&] {
    const auto known = get_driver_file(file);
    check_kind(type, "invalid request type");
    if (size == 0) bad_value("zero-size request");
    const hid_t transfer = transfer_plist(dxpl_id);
    const haddr_t at = known->call([&](const H5FD_class_t& calls, H5FD_t* f) {
      return calls.alloc != nullptr ? calls.alloc(f, type, transfer, size) : extend(calls, f, type, size);
    });
    if (at == HADDR_UNDEF)
      throw NestedFailure({&H5E_VFL_g, &H5E_NOSPACE_g}, "the driver has no space to give");
    return at;
  });
}

herr_t H5FDfree(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, hsize_t size) {
  return api_call(of_file("H5FDfree", &H5E_CANTFREE_g, "file deallocation request failed"), [&] {
    const auto known = get_driver_file(file);
    check_kind(type, "invalid request type");
    const hid_t transfer = transfer_plist(dxpl_id);
    if (addr == HADDR_UNDEF || size > HADDR_MAX || addr > HADDR_MAX - size) bad_value("invalid region");
    const herr_t result = known->call([&](const H5FD_class_t& calls, H5FD_t* f) -> herr_t {
      if (calls.free != nullptr) return calls.free(f, type, transfer, addr, size);
      if (calls.get_eoa(f, type) == addr + size) return calls.set_eoa(f, type, addr);
      return 0;  // in the middle: nobody keeps account of it
    });
    if (result < 0) throw NestedFailure({&H5E_VFL_g, &H5E_CANTFREE_g}, "driver free request failed");
  });
}

haddr_t H5FDget_eoa(H5FD_t* file, H5FD_mem_t type) {
  const ApiFunction entry = of_file("H5FDget_eoa", &H5E_CANTINIT_g, "file get eoa request failed");
  return api_call_or(haddr_t{HADDR_UNDEF}, entry, [&] {
    const auto known = get_driver_file(file);
    check_kind(type, "invalid file type");
    const haddr_t end =
        known->call([&](const H5FD_class_t& calls, H5FD_t* f) { return calls.get_eoa(f, type); });
    if (end == HADDR_UNDEF)
      throw NestedFailure({&H5E_VFL_g, &H5E_CANTGET_g}, "driver get_eoa request failed");
    return end;
  });
}

herr_t H5FDset_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t eoa) {
  return api_call(of_file("H5FDset_eoa", &H5E_CANTINIT_g, "file set eoa request failed"), [&] {
    const auto known = get_driver_file(file);
    check_kind(type, "invalid file type");
    if (eoa == HADDR_UNDEF || eoa > known->file()->maxaddr) bad_value("invalid end-of-address value");
    const herr_t result =
        known->call([&](const H5FD_class_t& calls, H5FD_t* f) { return calls.set_eoa(f, type, eoa); });
    if (result < 0) throw NestedFailure({&H5E_VFL_g, &H5E_CANTINIT_g}, "driver set_eoa request failed");
  });
}

haddr_t H5FDget_eof(H5FD_t* file, H5FD_mem_t type) {
  const ApiFunction entry = of_file("H5FDget_eof", &H5E_CANTINIT_g, "file get eof request failed");
  return api_call_or(haddr_t{HADDR_UNDEF}, entry, [&] {
    const haddr_t end = get_driver_file(file)->call(
        [&](const H5FD_class_t& calls, H5FD_t* f) { return calls.get_eof(f, type); });
    if (end == HADDR_UNDEF)
      throw NestedFailure({&H5E_VFL_g, &H5E_CANTGET_g}, "driver get_eof request failed");
    return end;
  });
}

herr_t H5FDget_vfd_handle(H5FD_t* file, hid_t fapl, void** file_handle) {
  return api_call(
      of_file("H5FDget_vfd_handle", &H5E_CANTGET_g, "can't get file handle for file driver"), [&] {
        const auto known = get_driver_file(file);
        required(file_handle, "file handle parameter");
        if (fapl == H5P_DEFAULT) fapl = H5P_LST_FILE_ACCESS_ID_g;
        if (known->calls().get_handle == nullptr)
          throw NestedFailure({&H5E_VFL_g, &H5E_UNSUPPORTED_g}, "file driver has no 'get_handle' method");
        const herr_t result = known->call(
            [&](const H5FD_class_t& calls, H5FD_t* f) { return calls.get_handle(f, fapl, file_handle); });
        if (result < 0) throw NestedFailure({&H5E_VFL_g, &H5E_CANTGET_g}, "driver get_handle request failed");
      });
}

herr_t H5FDflush(H5FD_t* file, hid_t dxpl_id, hbool_t closing) {
  return api_call(of_file("H5FDflush", &H5E_CANTFLUSH_g, "file flush request failed"), [&] {
    const auto known = get_driver_file(file);
    const hid_t transfer = transfer_plist(dxpl_id);
    if (known->calls().flush == nullptr) return;
    const herr_t result =
        known->call([&](const H5FD_class_t& calls, H5FD_t* f) { return calls.flush(f, transfer, closing); });
    if (result < 0) throw NestedFailure({&H5E_VFL_g, &H5E_CANTINIT_g}, "driver flush request failed");
  });
}

herr_t H5FDtruncate(H5FD_t* file, hid_t dxpl_id, hbool_t closing) {
  return api_call(of_file("H5FDtruncate", &H5E_CANTUPDATE_g, "file truncate request failed"), [&] {
    const auto known = get_driver_file(file);
    const hid_t transfer = transfer_plist(dxpl_id);
    if (known->calls().truncate == nullptr) return;
    const herr_t result = known->call(
        [&](const H5FD_class_t& calls, H5FD_t* f) { return calls.truncate(f, transfer, closing); });
    if (result < 0) throw NestedFailure({&H5E_VFL_g, &H5E_CANTUPDATE_g}, "driver truncate request failed");
  });
}

herr_t H5FDlock(H5FD_t* file, hbool_t rw) {
  return api_call(of_file("H5FDlock", &H5E_CANTLOCKFILE_g, "file lock request failed"), [&] {
    const auto known = get_driver_file(file);
    if (known->calls().lock == nullptr) return;
    if (known->call([&](const H5FD_class_t& calls, H5FD_t* f) { return calls.lock(f, rw); }) < 0)
      throw NestedFailure({&H5E_VFL_g, &H5E_CANTLOCKFILE_g}, "driver lock request failed");
  });
}

herr_t H5FDunlock(H5FD_t* file) {
  return api_call(of_file("H5FDunlock", &H5E_CANTUNLOCKFILE_g, "file unlock request failed"), [&] {
    const auto known = get_driver_file(file);
    if (known->calls().unlock == nullptr) return;
    if (known->call([](const H5FD_class_t& calls, H5FD_t* f) { return calls.unlock(f); }) < 0)
      throw NestedFailure({&H5E_VFL_g, &H5E_CANTUNLOCKFILE_g}, "driver unlock request failed");
  });
}

herr_t H5FDdelete(const char* name, hid_t fapl_id) {
  return api_call(of_file("H5FDdelete", &H5E_CANTDELETEFILE_g, "unable to delete file"), [&] {
    required_string(name, "name");
    delete_by_driver(name, fapl_id);
  });
}

herr_t H5FDctl(H5FD_t* file, uint64_t op_code, uint64_t flags, const void* input, void** output) {
  return api_call(of_file("H5FDctl", &H5E_FCNTL_g, "VFD ctl request failed"), [&] {
    const auto known = get_driver_file(file);
    if (op_code == H5FD_CTL_COBEGIN_OPCODE) known->begin_section();
    const bool all_succeeded = op_code != H5FD_CTL_COEND_OPCODE || known->end_section();
    if (known->calls().ctl == nullptr) {
      if (!all_succeeded) report_failed_section();
      if ((flags & H5FD_CTL_FAIL_IF_UNKNOWN_FLAG) == 0) return;
      throw NestedFailure({&H5E_VFL_g, &H5E_FCNTL_g},
                          fmt::format("the operation of code {} is unknown: the driver has no ctl", op_code));
    }
    const herr_t result = known->call(
        [&](const H5FD_class_t& calls, H5FD_t* f) { return calls.ctl(f, op_code, flags, input, output); });
    if (result < 0) throw NestedFailure({&H5E_VFL_g, &H5E_FCNTL_g}, "driver ctl request failed");
    if (!all_succeeded) report_failed_section();
  });
}
