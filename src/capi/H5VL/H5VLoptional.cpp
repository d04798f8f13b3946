// SPDX-License-Identifier: Apache-2.0
//
// Numbers for the optional operations that user-defined connectors have, and the state of the library.
#include <map>

#include "base/mutex.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/H5VL/connectors.hpp"

using namespace filigree::capi;
using filigree::Mutex;
using filigree::MutexLock;

namespace {

/// The operations of one subclass, by name. The first numbers belong to the native connector.
struct Operations {
  std::map<std::string, int> numbers;
  int next = H5VL_RESERVED_NATIVE_OPTIONAL;
};

Mutex& operations_mutex() {
  static auto* const mutex = new Mutex;
  return *mutex;
}

Operations& operations_of(H5VL_subclass_t subclass) FILIGREE_REQUIRES(operations_mutex()) {
  static auto* const all = new std::map<H5VL_subclass_t, Operations>;
  return (*all)[subclass];
}

void check_operation(H5VL_subclass_t subclass, const char* name) {
  required_string(name, "op_name");
  switch (subclass) {
    case H5VL_SUBCLS_ATTR:
    case H5VL_SUBCLS_DATASET:
    case H5VL_SUBCLS_DATATYPE:
    case H5VL_SUBCLS_FILE:
    case H5VL_SUBCLS_GROUP:
    case H5VL_SUBCLS_LINK:
    case H5VL_SUBCLS_OBJECT:
    case H5VL_SUBCLS_REQUEST:
      return;
    default:
      bad_value("invalid VOL subclass type");
  }
}

}  // namespace

herr_t H5VLregister_opt_operation(H5VL_subclass_t subcls, const char* op_name, int* op_val) {
  const Code refused{&H5E_VOL_g, &H5E_CANTREGISTER_g};
  return api_call({__func__, refused, "can't register the operation"}, [&] {
    required(op_val, "op_val");
    check_operation(subcls, op_name);
    const MutexLock lock(operations_mutex());
    Operations& known = operations_of(subcls);
    const auto [at, is_new] = known.numbers.emplace(op_name, known.next);
    if (!is_new) throw NestedFailure({&H5E_VOL_g, &H5E_EXISTS_g}, "the operation exists already");
    *op_val = known.next++;
  });
}

herr_t H5VLfind_opt_operation(H5VL_subclass_t subcls, const char* op_name, int* op_val) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_NOTFOUND_g}, "can't find the operation"}, [&] {
    required(op_val, "op_val");
    check_operation(subcls, op_name);
    const MutexLock lock(operations_mutex());
    const auto& numbers = operations_of(subcls).numbers;
    const auto found = numbers.find(op_name);
    if (found == numbers.end())
      throw NestedFailure({&H5E_VOL_g, &H5E_NOTFOUND_g}, "there is no such operation");
    *op_val = found->second;
  });
}

herr_t H5VLunregister_opt_operation(H5VL_subclass_t subcls, const char* op_name) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTREMOVE_g}, "can't unregister the operation"}, [&] {
    check_operation(subcls, op_name);
    const MutexLock lock(operations_mutex());
    if (operations_of(subcls).numbers.erase(op_name) == 0)
      throw NestedFailure({&H5E_VOL_g, &H5E_NOTFOUND_g}, "there is no such operation");
  });
}

// The state of the library that connectors keep for their threads. Calls of Filigree have none.

herr_t H5VLretrieve_lib_state(void** state) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTGET_g}, "can't retrieve library state"}, [&] {
    if (state == nullptr) throw Failure({&H5E_VOL_g, &H5E_BADVALUE_g}, "invalid state pointer");
    *state = new char(0);
  });
}

herr_t H5VLstart_lib_state(void) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTSET_g}, "can't start new library state"}, [] {});
}

herr_t H5VLrestore_lib_state(const void* state) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTSET_g}, "can't restore library state"}, [&] {
    if (state == nullptr) throw Failure({&H5E_VOL_g, &H5E_BADVALUE_g}, "invalid state pointer");
  });
}

herr_t H5VLfinish_lib_state(void) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTRESET_g}, "can't reset library state"}, [] {});
}

herr_t H5VLfree_lib_state(void* state) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTRELEASE_g}, "can't free library state"},
                  [&] { delete static_cast<char*>(required(state, "state")); });
}

// The names of HDF5 2.x for starting and finishing a state.

herr_t H5VLopen_lib_context(void** context) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTSET_g}, "can't start new library state"}, [&] {
    static char none;
    if (context == nullptr) throw Failure({&H5E_VOL_g, &H5E_BADVALUE_g}, "invalid context pointer");
    *context = &none;
  });
}

herr_t H5VLclose_lib_context(void* context) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTRESET_g}, "can't reset library state"}, [&] {
    if (context == nullptr) throw Failure({&H5E_VOL_g, &H5E_BADVALUE_g}, "invalid context pointer");
  });
}

hid_t H5VLget_file_type(void* file_obj, hid_t connector_id, hid_t dtype_id) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTINIT_g}, "can't make a datatype of the file"}, [&] {
    if (file_obj == nullptr) throw Failure({&H5E_ARGS_g, &H5E_UNINITIALIZED_g}, "no file object supplied");
    const auto type = get_type(dtype_id);
    // Datatypes of Filigree become those of a file when they are used with it.
    (void)connector_id;
    return add_type(*type->value.get());
  });
}
