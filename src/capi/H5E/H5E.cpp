// SPDX-License-Identifier: Apache-2.0
//
// Error stacks and error classes.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "capi/core/errors.hpp"
#include "capi/core/strings.hpp"

using namespace filigree::capi;

namespace {

Code stack_failure() { return {&H5E_ERROR_g, &H5E_CANTGET_g}; }

/// The stack of an id, and what keeps it alive.
struct Stack {
  explicit Stack(hid_t id) : value(error_stack(id, keep)) {}
  std::shared_ptr<Handle> keep;
  ErrorStack& value;
};

/// Returns a record in the form of H5Ewalk2.
H5E_error2_t to_c(const ErrorRecord& record) {
  H5E_error2_t seen;
  seen.cls_id = record.error_class;
  seen.maj_num = record.major;
  seen.min_num = record.minor;
  seen.line = record.line;
  seen.func_name = record.function.c_str();
  seen.file_name = record.file.c_str();
  seen.desc = record.text.c_str();
  return seen;
}

/// Walks over a copy of the records, because the callback may call functions that fail.
template <class Visit>
herr_t walk(const std::vector<std::shared_ptr<const ErrorRecord>>& records, H5E_direction_t direction,
            Visit visit) {
  if (direction != H5E_WALK_UPWARD && direction != H5E_WALK_DOWNWARD) direction = H5E_WALK_UPWARD;
  herr_t result = 0;
  for (std::size_t i = 0; i < records.size() && result == 0; ++i) {
    const std::size_t at = direction == H5E_WALK_UPWARD ? i : records.size() - 1 - i;
    result = visit(static_cast<unsigned>(i), *records[at]);
  }
  return result;
}

void check_codes(hid_t error_class, hid_t major, hid_t minor) {
  ids().get<ErrorClassHandle>(error_class, "an error class ID");
  ids().get<ErrorMessageHandle>(major, "a major error message ID");
  ids().get<ErrorMessageHandle>(minor, "a minor error message ID");
}

std::string formatted(const char* format, std::va_list arguments) {
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(length < 0 ? 0 : static_cast<std::size_t>(length), '\0');
  if (length > 0) std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  return text;
}

herr_t default_reporter(hid_t stack, void* stream) {
  return H5Eprint2(stack, static_cast<std::FILE*>(stream));
}

herr_t default_reporter_1(void* stream) { return H5Eprint1(static_cast<std::FILE*>(stream)); }

}  // namespace

hid_t H5Eregister_class(const char* cls_name, const char* lib_name, const char* version) {
  return api_call({__func__, {&H5E_ERROR_g, &H5E_CANTCREATE_g}, "can't create error class"}, [&] {
    return ids().add(std::make_shared<ErrorClassHandle>(required(cls_name, "class name"),
                                                        required(lib_name, "library name"),
                                                        required(version, "version"), false));
  });
}

herr_t H5Eunregister_class(hid_t class_id) {
  return api_call(
      {__func__, {&H5E_ERROR_g, &H5E_CANTDEC_g}, "unable to decrement ref count on error class"}, [&] {
        const auto closed = ids().get<ErrorClassHandle>(class_id, "an error class");
        for (const hid_t id : ids().of_type(H5I_ERROR_MSG)) {
          const auto message = ids().find_as<ErrorMessageHandle>(id);
          if (message != nullptr && message->error_class == closed && ids().references(class_id) == 1)
            ids().remove(id);
        }
        ids().release(class_id);
      });
}

ssize_t H5Eget_class_name(hid_t class_id, char* name, size_t size) {
  return api_call({__func__, {&H5E_ERROR_g, &H5E_CANTGET_g}, "can't get error class name"}, [&] {
    return copy_string(ids().get<ErrorClassHandle>(class_id, "an error class ID")->name, name, size);
  });
}

hid_t H5Ecreate_msg(hid_t cls, H5E_type_t msg_type, const char* msg) {
  return api_call({__func__, {&H5E_ERROR_g, &H5E_CANTCREATE_g}, "can't create error message"}, [&] {
    if (msg_type != H5E_MAJOR && msg_type != H5E_MINOR) bad_value("not a valid message type");
    required(msg, "message");
    const auto owner = ids().get<ErrorClassHandle>(cls, "an error class ID");
    return ids().add(std::make_shared<ErrorMessageHandle>(owner, msg_type, msg));
  });
}

herr_t H5Eclose_msg(hid_t err_id) {
  return api_call(
      {__func__, {&H5E_ERROR_g, &H5E_CANTDEC_g}, "unable to decrement ref count on error message"}, [&] {
        ids().get<ErrorMessageHandle>(err_id, "an error message");
        ids().release(err_id);
      });
}

ssize_t H5Eget_msg(hid_t msg_id, H5E_type_t* type, char* msg, size_t size) {
  return api_call_keeping_errors(
      ssize_t{-1}, {__func__, stack_failure(), "can't get error message text"}, [&] {
        const auto message = ids().get<ErrorMessageHandle>(msg_id, "an error message ID");
        if (type != nullptr) *type = message->message_type;
        return copy_string(message->text, msg, size);
      });
}

hid_t H5Ecreate_stack(void) {
  return api_call({__func__, {&H5E_ERROR_g, &H5E_CANTCREATE_g}, "can't create error stack"},
                  [&] { return ids().add(std::make_shared<ErrorStackHandle>()); });
}

hid_t H5Eget_current_stack(void) {
  return api_call_keeping_errors(
      hid_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTCREATE_g}, "can't create error stack"}, [&] {
        const auto taken = std::make_shared<ErrorStackHandle>();
        taken->stack.reporting = thread_errors().reporting;
        taken->stack.records = std::move(thread_errors().records);
        thread_errors().records.clear();
        return ids().add(taken);
      });
}

herr_t H5Eset_current_stack(hid_t err_stack_id) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTSET_g}, "unable to set error stack"}, [&] {
        if (err_stack_id == H5E_DEFAULT) return 0;
        const auto given = ids().get<ErrorStackHandle>(err_stack_id, "a error stack ID");
        thread_errors().records = given->stack.records;
        ids().release(err_stack_id);
        return 0;
      });
}

herr_t H5Eappend_stack(hid_t dst_stack_id, hid_t src_stack_id, hbool_t close_source_stack) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTAPPEND_g}, "can't append stack"}, [&] {
        const auto to = ids().get<ErrorStackHandle>(dst_stack_id, "an error stack ID");
        const auto from = ids().get<ErrorStackHandle>(src_stack_id, "an error stack ID");
        const auto records = from->stack.records;
        for (const auto& record : records) push_error(to->stack, *record);
        if (close_source_stack) ids().release(src_stack_id);
        return 0;
      });
}

herr_t H5Eclose_stack(hid_t stack_id) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTDEC_g}, "unable to decrement ref count on error stack"},
      [&] {
        if (stack_id == H5E_DEFAULT) return 0;
        if (IdTable::type_of(stack_id) != H5I_ERROR_STACK) bad_type("not an error stack ID");
        if (ids().find(stack_id) == nullptr)
          throw NestedFailure({&H5E_ID_g, &H5E_BADID_g}, "the error stack is closed already");
        ids().release(stack_id);
        return 0;
      });
}

ssize_t H5Eget_num(hid_t error_stack_id) {
  return api_call_keeping_errors(
      ssize_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTCOUNT_g}, "can't get number of errors"},
      [&] { return static_cast<ssize_t>(Stack(error_stack_id).value.records.size()); });
}

herr_t H5Epop(hid_t err_stack, size_t count) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTRELEASE_g}, "can't pop errors from stack"}, [&] {
        auto& records = Stack(err_stack).value.records;
        records.resize(records.size() - std::min(records.size(), count));
        return 0;
      });
}

herr_t H5Epush2(hid_t err_stack, const char* file, const char* func, unsigned line, hid_t cls_id,
                hid_t maj_id, hid_t min_id, const char* msg, ...) {
  std::va_list arguments;
  va_start(arguments, msg);
  const herr_t result = api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTSET_g}, "can't push error on stack"}, [&] {
        check_codes(cls_id, maj_id, min_id);
        push_error(Stack(err_stack).value,
                   {cls_id, maj_id, min_id, line, func == nullptr ? "Unknown_Function" : func,
                    file == nullptr ? "Unknown_File" : file,
                    msg == nullptr ? "No description given" : formatted(msg, arguments)});
        return 0;
      });
  va_end(arguments);
  return result;
}

herr_t H5Epush1(const char* file, const char* func, unsigned line, H5E_major_t maj, H5E_minor_t min,
                const char* str) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTSET_g}, "can't push error on stack"}, [&] {
        push_error(thread_errors(),
                   {H5E_ERR_CLS_g, maj, min, line, func == nullptr ? "Unknown_Function" : func,
                    file == nullptr ? "Unknown_File" : file, str == nullptr ? "No description given" : str});
        return 0;
      });
}

herr_t H5Eclear2(hid_t err_stack) {
  return api_call_keeping_errors(herr_t{-1},
                                 {__func__, {&H5E_ERROR_g, &H5E_CANTSET_g}, "can't clear error stack"}, [&] {
                                   Stack(err_stack).value.records.clear();
                                   return 0;
                                 });
}

herr_t H5Eclear1(void) { return H5Eclear2(H5E_DEFAULT); }

herr_t H5Eprint2(hid_t err_stack, FILE* stream) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTLIST_g}, "can't display error stack"}, [&] {
        print_errors(Stack(err_stack).value, stream == nullptr ? stderr : stream);
        return 0;
      });
}

herr_t H5Eprint1(FILE* stream) { return H5Eprint2(H5E_DEFAULT, stream); }

herr_t H5Ewalk2(hid_t err_stack, H5E_direction_t direction, H5E_walk2_t func, void* client_data) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTLIST_g}, "can't walk error stack"}, [&] {
        const auto records = Stack(err_stack).value.records;
        return walk(records, direction, [&](unsigned number, const ErrorRecord& record) {
          const H5E_error2_t seen = to_c(record);
          return func == nullptr ? 0 : func(number, &seen, client_data);
        });
      });
}

herr_t H5Ewalk1(H5E_direction_t direction, H5E_walk1_t func, void* client_data) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTLIST_g}, "can't walk error stack"}, [&] {
        const auto records = thread_errors().records;
        return walk(records, direction, [&](unsigned number, const ErrorRecord& record) {
          H5E_error1_t seen;
          seen.maj_num = record.major;
          seen.min_num = record.minor;
          seen.func_name = record.function.c_str();
          seen.file_name = record.file.c_str();
          seen.line = record.line;
          seen.desc = record.text.c_str();
          return func == nullptr ? 0 : func(static_cast<int>(number), &seen, client_data);
        });
      });
}

herr_t H5Eset_auto2(hid_t estack_id, H5E_auto2_t func, void* client_data) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTSET_g}, "can't set automatic error info"}, [&] {
        ErrorReporting how;
        how.second = func;
        how.data = client_data;
        how.is_default = false;
        Stack(estack_id).value.reporting = how;
        return 0;
      });
}

herr_t H5Eget_auto2(hid_t estack_id, H5E_auto2_t* func, void** client_data) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTGET_g}, "can't get automatic error info"}, [&] {
        const ErrorReporting how = Stack(estack_id).value.reporting;
        if (!how.is_default && !how.second_form)
          throw Failure({&H5E_ERROR_g, &H5E_CANTGET_g}, "the other form of H5Eset_auto is in use");
        if (func != nullptr) *func = how.is_default ? default_reporter : how.second;
        if (client_data != nullptr) *client_data = how.data;
        return 0;
      });
}

herr_t H5Eset_auto1(H5E_auto1_t func, void* client_data) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTSET_g}, "can't set automatic error info"}, [&] {
        ErrorReporting how;
        how.second_form = false;
        how.first = func;
        how.data = client_data;
        how.is_default = false;
        thread_errors().reporting = how;
        return 0;
      });
}

herr_t H5Eget_auto1(H5E_auto1_t* func, void** client_data) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTGET_g}, "can't get automatic error info"}, [&] {
        const ErrorReporting how = thread_errors().reporting;
        if (!how.is_default && how.second_form && how.second != default_reporter)
          throw Failure({&H5E_ERROR_g, &H5E_CANTGET_g}, "the other form of H5Eset_auto is in use");
        if (func != nullptr)
          *func = how.first != nullptr || !how.second_form ? how.first : default_reporter_1;
        if (client_data != nullptr) *client_data = how.data;
        return 0;
      });
}

herr_t H5Eauto_is_v2(hid_t err_stack, unsigned* is_stack) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTGET_g}, "can't get automatic error info"}, [&] {
        const bool second = Stack(err_stack).value.reporting.second_form;
        if (is_stack != nullptr) *is_stack = second ? 1 : 0;
        return 0;
      });
}

char* H5Eget_major(H5E_major_t maj) {
  return api_call_keeping_errors(
      static_cast<char*>(nullptr), {__func__, stack_failure(), "can't get major text"},
      [&] { return new_string(ids().get<ErrorMessageHandle>(maj, "a major error message ID")->text); });
}

char* H5Eget_minor(H5E_minor_t min) {
  return api_call_keeping_errors(
      static_cast<char*>(nullptr), {__func__, stack_failure(), "can't get minor text"},
      [&] { return new_string(ids().get<ErrorMessageHandle>(min, "a minor error message ID")->text); });
}

herr_t H5Epause_stack(hid_t stack_id) {
  return api_call({__func__, {&H5E_ERROR_g, &H5E_CANTGET_g}, "can't pause error stack"},
                  [&] { ++Stack(stack_id).value.paused; });
}

herr_t H5Eresume_stack(hid_t stack_id) {
  return api_call({__func__, {&H5E_ERROR_g, &H5E_CANTGET_g}, "can't resume error stack"}, [&] {
    const Stack stack(stack_id);
    if (stack.value.paused == 0) throw Failure({&H5E_ERROR_g, &H5E_BADRANGE_g}, "resuming more than paused");
    --stack.value.paused;
  });
}

herr_t H5Eis_paused(hid_t stack_id, hbool_t* is_paused) {
  return api_call_keeping_errors(
      herr_t{-1}, {__func__, {&H5E_ERROR_g, &H5E_CANTGET_g}, "can't look at error stack"}, [&] {
        if (stack_id != H5E_DEFAULT) thread_errors().records.clear();
        const Stack stack(stack_id);
        if (is_paused == nullptr) bad_value("is_paused parameter is NULL");
        *is_paused = stack.value.paused > 0;
        return 0;
      });
}
