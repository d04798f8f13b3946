// SPDX-License-Identifier: Apache-2.0
#include "capi/H5ES/event_set.hpp"

#include <algorithm>
#include <chrono>

#include "capi/core/scoped_id.hpp"

namespace filigree::capi {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t now_microseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(now / std::chrono::microseconds(1));
}

/// Counts a time limit down while several events are waited for.
class TimeLimit {
 public:
  explicit TimeLimit(std::uint64_t nanoseconds) : nanoseconds_(nanoseconds) {}
  std::uint64_t left() const {
    if (nanoseconds_ == H5ES_WAIT_NONE || nanoseconds_ == H5ES_WAIT_FOREVER) return nanoseconds_;
    const auto used = static_cast<std::uint64_t>((Clock::now() - began_) / std::chrono::nanoseconds(1));
    return used >= nanoseconds_ ? H5ES_WAIT_NONE : nanoseconds_ - used;
  }

 private:
  std::uint64_t nanoseconds_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

H5ES_op_info_t Event::info() const {
  H5ES_op_info_t seen{};
  seen.op_ins_count = number;
  seen.op_ins_ts = inserted_microseconds;
  seen.op_exec_ts = began_microseconds;
  seen.op_exec_time = ran_nanoseconds;
  if (origin.api_name == nullptr) return seen;
  seen.api_name = origin.api_name;
  seen.api_args = const_cast<char*>(origin.api_arguments.c_str());
  seen.app_file_name = origin.app_file.c_str();
  seen.app_func_name = origin.app_function.c_str();
  seen.app_line_num = origin.app_line;
  return seen;
}

void EventSetHandle::close() {
  const MutexLock lock(mutex_);
  if (!active_.empty())
    throw NestedFailure({&H5E_EVENTSET_g, &H5E_CANTCLOSEOBJ_g},
                        "the event set has operations that nobody has waited for (call H5ESwait first)");
}

void EventSetHandle::require_no_failure() const {
  if (has_failed()) throw Failure({&H5E_EVENTSET_g, &H5E_CANTINSERT_g}, "event set has failed operations");
}

void EventSetHandle::insert(const std::shared_ptr<Event>& event) {
  std::function<int(const H5ES_op_info_t*)> callback;
  {
    const MutexLock lock(mutex_);
    event->number = inserted_++;
    event->inserted_microseconds = now_microseconds();
    active_.push_back(event);
    callback = on_insert_;
  }
  if (!callback) return;
  const H5ES_op_info_t info = event->info();
  if (callback(&info) >= 0) return;
  take(*event);
  throw CallbackFailure({&H5E_EVENTSET_g, &H5E_CALLBACK_g}, "the insertion callback of the event set failed");
}

/// Removes an event. Returns false when another thread did, which completes it then.
bool EventSetHandle::take(const Event& event) {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find(active_, &event, [](const auto& other) { return other.get(); });
  if (found == active_.end()) return false;
  active_.erase(found);
  return true;
}

/// Calls the completion callback for an event that was taken out of the set.
void EventSetHandle::complete(Event& event, H5ES_status_t status) {
  const bool failed = status == H5ES_STATUS_FAIL;
  std::function<int(const H5ES_op_info_t*, H5ES_status_t, hid_t)> callback;
  {
    const MutexLock lock(mutex_);
    callback = on_complete_;
  }
  if (status != H5ES_STATUS_CANCELED)
    event.request->get_times(event.began_microseconds, event.ran_nanoseconds);
  int result = 0;
  if (callback && failed) {
    const ScopedId stack(event.request->error_stack());
    const H5ES_op_info_t info = event.info();
    result = callback(&info, status, stack.get());
  } else if (callback) {
    const H5ES_op_info_t info = event.info();
    result = callback(&info, status, H5I_INVALID_HID);
  }
  if (result < 0)
    throw CallbackFailure({&H5E_EVENTSET_g, &H5E_CALLBACK_g},
                          "the completion callback of the event set failed");
}

/// Calls `visit` for the events in their order, and removes those that have ended, until one has failed.
template <class Visit>
EventSetHandle::Outcome EventSetHandle::visit_events(Visit visit) {
  Outcome outcome;
  for (const auto& event : events()) {
    const H5ES_status_t status = visit(*event, outcome);
    if (status == H5ES_STATUS_IN_PROGRESS) {
      ++outcome.remaining;
      continue;
    }
    if (!take(*event)) continue;
    if (status == H5ES_STATUS_FAIL) {
      const MutexLock lock(mutex_);
      has_failed_ = true;
      failed_.push_back(event);
    }
    complete(*event, status);
    if (status != H5ES_STATUS_FAIL) continue;
    outcome.failed = true;
    break;
  }
  return outcome;
}

EventSetHandle::Outcome EventSetHandle::wait(std::uint64_t nanoseconds) {
  const TimeLimit limit(nanoseconds);
  return visit_events([&](const Event& event, Outcome&) { return event.request->wait(limit.left()); });
}

EventSetHandle::Outcome EventSetHandle::cancel() {
  return visit_events([](const Event& event, Outcome& outcome) {
    const H5ES_status_t status = event.request->cancel();
    if (status == H5ES_STATUS_SUCCEED) ++outcome.remaining;
    return status;
  });
}

std::size_t EventSetHandle::count() const {
  const MutexLock lock(mutex_);
  return active_.size();
}

std::uint64_t EventSetHandle::inserted() const {
  const MutexLock lock(mutex_);
  return inserted_;
}

bool EventSetHandle::has_failed() const {
  const MutexLock lock(mutex_);
  return has_failed_;
}

std::size_t EventSetHandle::failures() const {
  const MutexLock lock(mutex_);
  return failed_.size();
}

std::vector<std::shared_ptr<Event>> EventSetHandle::take_failures(std::size_t most) {
  const MutexLock lock(mutex_);
  const auto end = failed_.begin() + static_cast<std::ptrdiff_t>(std::min(most, failed_.size()));
  std::vector<std::shared_ptr<Event>> taken(failed_.begin(), end);
  failed_.erase(failed_.begin(), end);
  return taken;
}

std::vector<std::shared_ptr<Event>> EventSetHandle::events() const {
  const MutexLock lock(mutex_);
  return {active_.begin(), active_.end()};
}

void EventSetHandle::set_insert_callback(H5ES_event_insert_func_t function, void* context) {
  const MutexLock lock(mutex_);
  on_insert_ = [=](const H5ES_op_info_t* info) { return function(info, context); };
}

void EventSetHandle::set_complete_callback(H5ES_event_complete_func_t function, void* context) {
  const MutexLock lock(mutex_);
  on_complete_ = [=](const H5ES_op_info_t* info, H5ES_status_t status, hid_t stack) {
    return function(info, status, stack, context);
  };
}

std::shared_ptr<EventSetHandle> get_event_set(hid_t id) {
  auto found = ids().find_as<EventSetHandle>(id);
  if (found == nullptr) bad_type("invalid event set identifier");
  return found;
}

}  // namespace filigree::capi
