// SPDX-License-Identifier: Apache-2.0
//
// Event sets: the operations that a program waits for together.
//
// An event is an operation in a set. As in HDF5, it stays there until H5ESwait or H5EScancel find that it has
// ended. They call the completion callback and remove the event; failed ones stay until the program asks for
// their errors. The first failure that they find closes the set for further operations.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "capi/H5ES/operations.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

/// What an event waits for: an operation of the library, or a request of another connector.
class Request {
 public:
  Request() = default;
  virtual ~Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  /// Waits for `nanoseconds` at most, or without limit for H5ES_WAIT_FOREVER. *Throws* Failure.
  virtual H5ES_status_t wait(std::uint64_t nanoseconds) = 0;
  /// Returns the status after the attempt. *Throws* Failure.
  virtual H5ES_status_t cancel() = 0;
  /// Returns the time at which the request began and the time that it took. *Throws* Failure.
  virtual void get_times(std::uint64_t& began_microseconds, std::uint64_t& ran_nanoseconds) = 0;
  /// Returns a new id of the error stack of a failed request. *Throws* Failure.
  virtual hid_t error_stack() = 0;

  virtual hid_t connector() const = 0;
  virtual void* pointer() const = 0;
};

/// Returns the request of an operation.
std::shared_ptr<Request> make_request(std::shared_ptr<Operation> operation);
/// Returns the request that a connector made. *Throws* Failure for ids of other types, and for pointers to
/// something else than a request in an event set if the connector is the native one.
std::shared_ptr<Request> make_request(hid_t connector, void* request);

/// Where and how an operation was started.
struct EventOrigin {
  const char* api_name = nullptr;  ///< null for requests of connectors; a literal otherwise
  std::string api_arguments;
  std::string app_file, app_function;
  unsigned app_line = 0;
};

/// A request in an event set.
struct Event {
  Event(std::shared_ptr<Request> what, EventOrigin where)
      : request(std::move(what)), origin(std::move(where)) {}
  const std::shared_ptr<Request> request;
  const EventOrigin origin;
  std::uint64_t number = 0;  ///< among those that were inserted
  std::uint64_t inserted_microseconds = 0;
  std::uint64_t began_microseconds = UINT64_MAX;
  std::uint64_t ran_nanoseconds = UINT64_MAX;

  /// Returns the event in the form of callbacks. It is valid while the event lives.
  H5ES_op_info_t info() const;
};

/// The handle of an event set.
/// *Thread safety*: all functions may be called concurrently. Callbacks run without locks.
class EventSetHandle final : public Handle {
 public:
  H5I_type_t type() const override { return H5I_EVENTSET; }
  /// *Throws* Failure while events are in the set that nobody has waited for.
  void close() override;

  /// *Throws* Failure when an operation of the set has failed.
  void require_no_failure() const;
  /// Adds an event and calls the insertion callback. *Throws* CallbackFailure when it fails, and adds nothing
  /// then.
  void insert(const std::shared_ptr<Event>& event);

  /// What wait() and cancel() found.
  struct Outcome {
    std::size_t remaining = 0;  ///< in progress, or not cancelled
    bool failed = false;
  };
  /// Waits for the events in their order, until one of them has failed.
  Outcome wait(std::uint64_t nanoseconds);
  /// Cancels what has not begun, in the order of the events, until one of them has failed.
  Outcome cancel();

  std::size_t count() const;
  std::uint64_t inserted() const;
  bool has_failed() const;
  std::size_t failures() const;
  /// Removes up to `most` failed events, the oldest first.
  std::vector<std::shared_ptr<Event>> take_failures(std::size_t most);
  /// Returns the events in the set, in the order of insertion.
  std::vector<std::shared_ptr<Event>> events() const;

  void set_insert_callback(H5ES_event_insert_func_t function, void* context);
  void set_complete_callback(H5ES_event_complete_func_t function, void* context);

 private:
  template <class Visit>
  Outcome visit_events(Visit visit);
  bool take(const Event& event);
  void complete(Event& event, H5ES_status_t status);

  mutable Mutex mutex_;
  std::deque<std::shared_ptr<Event>> active_ FILIGREE_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Event>> failed_ FILIGREE_GUARDED_BY(mutex_);
  std::uint64_t inserted_ FILIGREE_GUARDED_BY(mutex_) = 0;
  bool has_failed_ FILIGREE_GUARDED_BY(mutex_) = false;
  std::function<int(const H5ES_op_info_t*)> on_insert_ FILIGREE_GUARDED_BY(mutex_);
  std::function<int(const H5ES_op_info_t*, H5ES_status_t, hid_t)> on_complete_ FILIGREE_GUARDED_BY(mutex_);
};

/// *Throws* bad_type().
std::shared_ptr<EventSetHandle> get_event_set(hid_t id);

}  // namespace filigree::capi
