// SPDX-License-Identifier: Apache-2.0
#include "capi/H5ES/async_call.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "capi/H5ES/event_set.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/H5R/references.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/H5T/datatype.hpp"

namespace filigree::capi {
namespace {

constexpr std::initializer_list<H5I_type_t> location_types = {H5I_FILE, H5I_GROUP, H5I_DATASET, H5I_DATATYPE,
                                                              H5I_ATTR};

/// Returns what is behind an id of one of the types. *Throws* bad_type().
IdState look(hid_t id, std::initializer_list<H5I_type_t> types, const char* what) {
  IdState state;
  if (std::ranges::find(types, IdTable::type_of(id)) != types.end()) state = ids().look(id);
  if (!state.is_open()) IdTable::refuse(id, what);
  return state;
}

/// The id that an operation makes.
class OpenedLater final : public Future {
 public:
  std::shared_ptr<Handle> wait() override {
    operation->wait();
    return peek();
  }
  std::shared_ptr<Handle> peek() const override {
    const MutexLock lock(mutex_);
    return handle_;
  }
  bool is_dead() const override {
    const Operation::State state = operation->state();
    return state == Operation::State::failed || state == Operation::State::cancelled;
  }
  void set(std::shared_ptr<Handle> made) {
    const MutexLock lock(mutex_);
    handle_ = std::move(made);
  }

  // These are set before the operation starts.
  std::shared_ptr<Operation> operation;
  hid_t id = H5I_INVALID_HID;

 private:
  mutable Mutex mutex_;
  std::shared_ptr<Handle> handle_ FILIGREE_GUARDED_BY(mutex_);
};

/// Fails an operation because one of its ids comes from another one that did not succeed.
bool refuse_dead_ids(const char* function) {
  return api_call({function, {&H5E_EVENTSET_g, &H5E_CANTINIT_g}, "unable to run the operation"}, [] {
           throw NestedFailure({&H5E_ID_g, &H5E_BADID_g},
                               "an id of the operation is the result of an operation that failed or was "
                               "cancelled");
         }) >= 0;
}

EventOrigin origin_of(const AsyncCall& call, const std::vector<std::string>& texts) {
  EventOrigin origin{call.function, "", call.app_file == nullptr ? "" : call.app_file,
                     call.app_function == nullptr ? "" : call.app_function, call.app_line};
  std::string_view names = call.names;
  for (const std::string& text : texts) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 2));
    origin.api_arguments += fmt::format("{}={}, ", name, text);
  }
  origin.api_arguments += fmt::format("es_id={}", argument_text(call.event_set));
  return origin;
}

/// Gives an id back that an operation has not closed, unless there is nothing behind it.
void undo_close(hid_t id, hid_t hidden) {
  const IdState state = ids().look(hidden);
  if (!state.is_open()) return;
  state.future != nullptr&& state.future->is_dead() ? ids().forget(hidden) : ids().give_back(id, hidden);
}

/// Moves the handle of the id that an operation has made to the id that its caller got.
void settle(OpenedLater& future, hid_t made) {
  std::shared_ptr<Handle> handle = ids().remove(made);
  handle->moved_to(future.id);
  future.set(std::move(handle));
}

/// Returns what the operation does. `future` is null unless it makes an id.
OperationWork work_of(const char* function, const NewOperation& given,
                      const std::shared_ptr<OpenedLater>& future) {
  OperationWork work;
  work.run = [arguments = given.arguments, future, run = given.work, function] {
    if (arguments->has_dead_id()) return refuse_dead_ids(function);
    const hid_t result = run();
    if (result >= 0 && future != nullptr) settle(*future, result);
    return result >= 0;
  };
  work.end = [arguments = given.arguments, closes = given.closes, hidden = given.hidden](bool succeeded) {
    if (!succeeded && hidden != H5I_INVALID_HID) undo_close(closes, hidden);
    arguments->release();
  };
  return work;
}

}  // namespace

void CapturedArguments::add_orders(const FileOrders& orders) {
  for (const auto& order : orders)
    if (std::ranges::find(orders_, order) == orders_.end()) orders_.push_back(order);
}

hid_t CapturedArguments::own(hid_t copy) {
  ids().hide(copy);
  copies_.push_back(copy);
  return copy;
}

hid_t CapturedArguments::capture_in_file(hid_t id) {
  const hid_t alias = ids().add_alias(id);
  aliases_.push_back(alias);
  add_closed(alias);
  return alias;
}

void CapturedArguments::add_closed(hid_t hidden) {
  const IdState state = ids().look(hidden);
  add_orders(state.origin);
  if (state.handle != nullptr) add_orders(state.handle->orders());
  if (state.future != nullptr) futures_.push_back(state.future);
}

hid_t CapturedArguments::capture(LocationId argument) {
  look(argument.id, location_types, "a location: no id of a file, or of something in a file");
  return capture_in_file(argument.id);
}

hid_t CapturedArguments::capture(LinkLocationId argument) {
  return argument.id == H5L_SAME_LOC ? argument.id : capture(LocationId{argument.id});
}

hid_t CapturedArguments::capture(FileId argument) {
  look(argument.id, {H5I_FILE}, "a file ID");
  return capture_in_file(argument.id);
}

hid_t CapturedArguments::capture(DatasetId argument) {
  look(argument.id, {H5I_DATASET}, "a dataset ID");
  return capture_in_file(argument.id);
}

hid_t CapturedArguments::capture(AttributeId argument) {
  look(argument.id, {H5I_ATTR}, "an attribute");
  return capture_in_file(argument.id);
}

hid_t CapturedArguments::capture(TypeId argument) {
  const IdState state = look(argument.id, {H5I_DATATYPE}, "a datatype");
  const auto type = std::dynamic_pointer_cast<TypeHandle>(state.handle);
  if (state.is_queued() || type == nullptr || type->open() != nullptr) return capture_in_file(argument.id);
  return type->permanent() ? argument.id : own(add_type(*type->value.get(), type->state));
}

hid_t CapturedArguments::capture(CommittedTypeId argument) {
  look(argument.id, {H5I_DATATYPE}, "a datatype");
  committed_.push_back(argument.id);
  return capture_in_file(argument.id);
}

hid_t CapturedArguments::capture(SpaceId argument) {
  if (argument.id == H5S_ALL || argument.id == H5S_BLOCK || argument.id == H5S_PLIST) return argument.id;
  const IdState state = look(argument.id, {H5I_DATASPACE}, "a dataspace");
  const auto space = std::dynamic_pointer_cast<SpaceHandle>(state.handle);
  return state.is_queued() || space == nullptr ? capture_in_file(argument.id)
                                               : own(add_space(*space->value.get()));
}

hid_t CapturedArguments::capture(PlistId argument) {
  if (argument.id == H5P_DEFAULT) return argument.id;
  const auto list = get_plist(argument.id);
  const PropertyClass* found = list->property_class.get();
  while (found != nullptr && found->type != argument.type) found = found->parent.get();
  if (found == nullptr) bad_type("not a property list of the class that the parameter needs");
  return list->permanent() ? argument.id : own(copy_plist(*list));
}

std::string CapturedArguments::capture(const char* text) { return required_string(text, "name"); }

std::string CapturedArguments::capture(FilePath argument) {
  if (argument.text == nullptr || *argument.text == '\0') bad_value("invalid file name");
  add_orders({file_order(argument.text)});
  return argument.text;
}

/// The rank of an id that an operation makes is only known after the operation.
std::vector<hsize_t> CapturedArguments::capture(ExtentOf argument) {
  const IdState state = look(argument.dataset, {H5I_DATASET}, "a dataset ID");
  if (argument.size == nullptr) bad_value("no size specified");
  const auto handle = state.future == nullptr ? state.handle : state.future->wait();
  const auto dataset = std::dynamic_pointer_cast<DatasetHandle>(handle);
  if (dataset == nullptr) bad_type("not a dataset ID");
  return {argument.size, argument.size + dataset->dataset.space().dims().size()};
}

std::shared_ptr<H5R_ref_t> CapturedArguments::capture(H5R_ref_t* reference) {
  const Reference& value = get_reference(reference);
  if (!value.file.empty()) add_orders(value.file.open()->orders());
  const std::shared_ptr<H5R_ref_t> copy(new H5R_ref_t{}, [](H5R_ref_t* owned) {
    try {
      destroy_reference(owned);
    } catch (...) {  // An operation does not overwrite its reference.
    }
    delete owned;
  });
  store_reference(copy.get(), value);
  return copy;
}

bool CapturedArguments::has_dead_id() const {
  return std::ranges::any_of(futures_, [](const auto& future) { return future->wait() == nullptr; });
}

void CapturedArguments::note_committed() const {
  for (const hid_t id : committed_) ids().add_origin(id, orders_);
}

void CapturedArguments::release() noexcept {
  try {
    for (const hid_t id : aliases_) ids().remove(id);
    for (const hid_t id : copies_) ids().release(id);
  } catch (...) {  // The library was closed: its ids are gone.
  }
  aliases_.clear();
  copies_.clear();
  futures_.clear();
}

std::string argument_text(hid_t id) { return id <= 0 ? std::to_string(id) : fmt::format("{:#x}", id); }

std::string argument_text(const char* text) { return text == nullptr ? "NULL" : fmt::format("\"{}\"", text); }

std::string argument_text(const void* pointer) {
  return pointer == nullptr ? "NULL" : fmt::format("{}", pointer);
}

ApiFunction async_entry(const AsyncCall& call) {
  return {call.function, {&H5E_EVENTSET_g, &H5E_CANTINSERT_g}, "unable to start the operation"};
}

void require_usable_event_set(const AsyncCall& call) { get_event_set(call.event_set)->require_no_failure(); }

void insert_done(const AsyncCall& call, std::vector<std::string> texts) {
  get_event_set(call.event_set)
      ->insert(std::make_shared<Event>(make_request(Operation::done()), origin_of(call, texts)));
}

hid_t start_operation(const AsyncCall& call, NewOperation given) {
  const auto set = get_event_set(call.event_set);
  const FileOrders orders = given.arguments->orders();
  const auto future = given.opens == H5I_UNINIT ? nullptr : std::make_shared<OpenedLater>();
  const auto operation = std::make_shared<Operation>(work_of(call.function, given, future));
  hid_t id = 0;
  if (future != nullptr) {
    future->operation = operation;
    future->id = id = ids().add_future(given.opens, future, orders);
  }
  try {
    set->insert(std::make_shared<Event>(make_request(operation), origin_of(call, given.texts)));
  } catch (...) {
    operation->cancel();
    if (future != nullptr) ids().remove(id);
    throw;
  }
  given.arguments->note_committed();
  given = {};  // the operation alone owns its arguments from now on
  start(operation, orders);
  return id;
}

herr_t close_async(const AsyncCall& call, herr_t (*close)(hid_t), std::initializer_list<H5I_type_t> types,
                   hid_t id) {
  if (call.event_set == H5ES_NONE) return close(id);
  return api_call(async_entry(call), [&] {
    require_usable_event_set(call);
    const IdState state = look(id, types, "an id that this function closes");
    if (state.handle != nullptr && state.handle->permanent())
      bad_value("ids of the library cannot be closed");
    NewOperation made{std::make_shared<CapturedArguments>(), {argument_text(id)}, {}};
    made.closes = id;
    made.hidden = ids().take_reference(id);
    if (made.hidden != H5I_INVALID_HID) made.arguments->add_closed(made.hidden);
    made.work = [close, hidden = made.hidden]() -> hid_t {
      return hidden == H5I_INVALID_HID ? 0 : close(hidden);
    };
    start_operation(call, std::move(made));
  });
}

}  // namespace filigree::capi
