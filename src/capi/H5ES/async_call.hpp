// SPDX-License-Identifier: Apache-2.0
//
// How every asynchronous function begins: it captures its arguments and starts an operation that calls the
// synchronous function. With H5ES_NONE, it calls the synchronous function at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "capi/H5ES/operations.hpp"
#include "capi/H5P/settings.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

/// A call of an asynchronous function. FILIGREE_ASYNC_CALL makes it from the parameters that all have.
struct AsyncCall {
  const char* function;
  const char* names;  ///< of the parameters that are captured, separated by commas
  const char* app_file;
  const char* app_function;
  unsigned app_line;
  hid_t event_set;
};
#define FILIGREE_ASYNC_CALL(names) \
  ::filigree::capi::AsyncCall { __func__, names, app_file, app_func, app_line, es_id }

// The roles of ids among the arguments.
struct LocationId {
  hid_t id;
};  ///< of a file, or of something in one
/// The same, or H5L_SAME_LOC.
struct LinkLocationId {
  hid_t id;
};
struct FileId {
  hid_t id;
};
struct DatasetId {
  hid_t id;
};
struct AttributeId {
  hid_t id;
};
struct TypeId {
  hid_t id;
};
/// A datatype that the operation commits: the id itself, and no copy.
struct CommittedTypeId {
  hid_t id;
};
/// A dataspace, or a constant such as H5S_ALL.
struct SpaceId {
  hid_t id;
};
/// A property list of a class, or H5P_DEFAULT.
struct PlistId {
  hid_t id;
  PlistType type;
};
/// A pointer that must not be null. `name` is that of the parameter.
template <class T>
struct Needed {
  T* pointer;
  const char* name;
};
template <class T>
Needed(T*, const char*) -> Needed<T>;
/// The path of a file that the operation opens.
struct FilePath {
  const char* text;
};
/// An array that is copied; null is passed on.
template <class T>
struct Array {
  T* items;
  std::size_t count;
};
template <class T>
Array(T*, std::size_t) -> Array<T>;
/// An array of ids in a role; null is passed on.
template <class Role>
struct IdArray {
  hid_t* items;
  std::size_t count;
};
/// The new extent of a dataset. Its rank is that of the dataset.
struct ExtentOf {
  hid_t dataset;
  const hsize_t* size;
};

/// The arguments of an operation: copies, and hidden ids that it owns.
/// *Thread safety*: one thread builds it, and the thread of the operation uses it afterwards.
class CapturedArguments {
 public:
  CapturedArguments() = default;
  ~CapturedArguments() { release(); }
  CapturedArguments(const CapturedArguments&) = delete;
  CapturedArguments& operator=(const CapturedArguments&) = delete;

  // Each of these checks an argument and returns what the operation passes on. They *throw* Failure.
  hid_t capture(LocationId argument);
  hid_t capture(LinkLocationId argument);
  hid_t capture(FileId argument);
  hid_t capture(DatasetId argument);
  hid_t capture(AttributeId argument);
  hid_t capture(TypeId argument);
  hid_t capture(CommittedTypeId argument);
  hid_t capture(SpaceId argument);
  hid_t capture(PlistId argument);
  std::string capture(const char* text);
  std::string capture(FilePath argument);
  std::vector<hsize_t> capture(ExtentOf argument);
  std::shared_ptr<H5R_ref_t> capture(H5R_ref_t* reference);
  template <class T>
  T* capture(Needed<T> argument) {
    return required(argument.pointer, argument.name);
  }
  template <class T>
  std::optional<std::vector<T>> capture(Array<T> argument) {
    if (argument.items == nullptr) return std::nullopt;
    return std::vector<T>(argument.items, argument.items + argument.count);
  }
  template <class Role>
  std::optional<std::vector<hid_t>> capture(IdArray<Role> argument) {
    auto captured = capture(Array{argument.items, argument.count});
    if (captured)
      for (hid_t& id : *captured) id = capture(Role{id});
    return captured;
  }
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>) T capture(T value) {
    return value;
  }
  /// Adds the order of an id that is closed by the operation.
  void add_closed(hid_t hidden);

  const FileOrders& orders() const { return orders_; }
  /// Whether one of the ids comes from an operation that failed or was cancelled.
  bool has_dead_id() const;
  /// Makes operations that use the committed datatypes later wait for this one.
  void note_committed() const;
  /// Frees copies and hidden ids.
  void release() noexcept;

 private:
  hid_t capture_in_file(hid_t id);
  hid_t own(hid_t copy);
  void add_orders(const FileOrders& orders);

  std::vector<hid_t> copies_, aliases_, committed_;
  std::vector<std::shared_ptr<Future>> futures_;
  FileOrders orders_;
};

// What a role is in a synchronous call, and what a captured argument is in the call of an operation.
template <class T>
auto plain(const T& argument) {
  if constexpr (requires { argument.id; })
    return argument.id;
  else if constexpr (requires { argument.pointer; })
    return argument.pointer;
  else if constexpr (requires { argument.items; })
    return argument.items;
  else if constexpr (requires { argument.text; })
    return argument.text;
  else if constexpr (requires { argument.size; })
    return argument.size;
  else
    return argument;
}
template <class T>
requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>) T passed(T value) {
  return value;
}
inline const char* passed(const std::string& text) { return text.c_str(); }
inline const hsize_t* passed(const std::vector<hsize_t>& extent) { return extent.data(); }
inline H5R_ref_t* passed(const std::shared_ptr<H5R_ref_t>& reference) { return reference.get(); }
template <class T>
T* passed(std::optional<std::vector<T>>& items) {
  return items ? items->data() : nullptr;
}

// The text of an argument, for H5ES_op_info_t.
std::string argument_text(hid_t id);
std::string argument_text(const char* text);
std::string argument_text(const void* pointer);
template <class T>
std::string argument_text(T value) {
  if constexpr (std::is_pointer_v<T>)
    return argument_text(reinterpret_cast<const void*>(value));
  else
    return std::to_string(value);
}

/// An operation that is about to start.
struct NewOperation {
  std::shared_ptr<CapturedArguments> arguments;
  std::vector<std::string> texts;  ///< of the arguments
  std::function<hid_t()> work;     ///< negative for a failure
  H5I_type_t opens = H5I_UNINIT;   ///< the type of the id that it makes, if it makes one
  hid_t closes = H5I_INVALID_HID;  ///< the id that it closes
  hid_t hidden = H5I_INVALID_HID;  ///< the same under its hidden id
};
/// Inserts the operation into the event set and starts it. Returns the new id, or 0. *Throws* Failure.
hid_t start_operation(const AsyncCall& call, NewOperation operation);
/// *Throws* Failure unless the event set takes operations.
void require_usable_event_set(const AsyncCall& call);
/// Inserts an operation that is done. *Throws* Failure.
void insert_done(const AsyncCall& call, std::vector<std::string> texts);
ApiFunction async_entry(const AsyncCall& call);

/// Calls `function` with the arguments, now or later. `opens` is the type of the id that it returns.
template <class Function, class... Arguments>
auto call_async(const AsyncCall& call, H5I_type_t opens, Function function, const Arguments&... arguments) {
  using Result = std::invoke_result_t<Function, decltype(plain(arguments))...>;
  if (call.event_set == H5ES_NONE) return function(plain(arguments)...);
  return static_cast<Result>(api_call(async_entry(call), [&]() -> hid_t {
    require_usable_event_set(call);
    NewOperation made{std::make_shared<CapturedArguments>(), {argument_text(plain(arguments))...}, {}, opens};
    // Braces make the checks run in the order of the parameters.
    auto kept = std::make_shared<std::tuple<decltype(made.arguments->capture(arguments))...>>(
        std::tuple<decltype(made.arguments->capture(arguments))...>{made.arguments->capture(arguments)...});
    made.work = [function, kept] {
      return static_cast<hid_t>(
          std::apply([&](auto&... argument) { return function(passed(argument)...); }, *kept));
    };
    return start_operation(call, std::move(made));
  }));
}

/// The same for functions that return no id.
template <class Function, class... Arguments>
herr_t call_async(const AsyncCall& call, Function function, const Arguments&... arguments) requires
    std::is_invocable_v<Function, decltype(plain(arguments))...> {
  return call_async(call, H5I_UNINIT, function, arguments...);
}

/// Calls `close` with an id of one of the types. The id is invalid at once; if closing it fails later, it is
/// valid again.
herr_t close_async(const AsyncCall& call, herr_t (*close)(hid_t), std::initializer_list<H5I_type_t> types,
                   hid_t id);

/// Calls a function whose result has a type that is only known afterwards. The type is part of an id, so the
/// call waits, after the operations of the file.
template <class Function, class... Arguments>
hid_t call_and_insert(const AsyncCall& call, Function function, const Arguments&... arguments) {
  if (call.event_set == H5ES_NONE) return function(arguments...);
  const herr_t usable = api_call(async_entry(call), [&] { require_usable_event_set(call); });
  const hid_t made = usable < 0 ? H5I_INVALID_HID : function(arguments...);
  if (made < 0) return made;
  const herr_t inserted =
      api_call(async_entry(call), [&] { insert_done(call, {argument_text(arguments)...}); });
  if (inserted < 0) ids().release(made);
  return inserted < 0 ? H5I_INVALID_HID : made;
}

}  // namespace filigree::capi
