// SPDX-License-Identifier: Apache-2.0
//
// Requests: operations of the library, and requests that other connectors made.
#include <unordered_set>

#include <fmt/format.h>

#include "capi/H5ES/event_set.hpp"

extern "C" {
H5_DLLVAR hid_t H5VL_NATIVE_g;
}

namespace filigree::capi {
namespace {

/// An operation of the library.
class OperationRequest final : public Request, public std::enable_shared_from_this<OperationRequest> {
 public:
  explicit OperationRequest(std::shared_ptr<Operation> operation);
  ~OperationRequest() override;

  H5ES_status_t wait(std::uint64_t nanoseconds) override {
    using Limit = std::optional<std::uint64_t>;
    return status_of(operation_->wait(nanoseconds == H5ES_WAIT_FOREVER ? Limit{} : Limit{nanoseconds}));
  }
  H5ES_status_t cancel() override { return status_of(operation_->cancel()); }
  void get_times(std::uint64_t& began_microseconds, std::uint64_t& ran_nanoseconds) override {
    began_microseconds = operation_->began_microseconds();
    ran_nanoseconds = operation_->ran_nanoseconds();
  }
  hid_t error_stack() override {
    const auto stack = std::make_shared<ErrorStackHandle>();
    stack->stack.records = operation_->errors();
    return ids().add(stack);
  }
  hid_t connector() const override { return H5VL_NATIVE_g; }
  void* pointer() const override { return const_cast<OperationRequest*>(this); }

 private:
  static H5ES_status_t status_of(Operation::State state) {
    switch (state) {
      case Operation::State::waiting:
      case Operation::State::running:
        return H5ES_STATUS_IN_PROGRESS;
      case Operation::State::succeeded:
        return H5ES_STATUS_SUCCEED;
      case Operation::State::cancelled:
        return H5ES_STATUS_CANCELED;
      case Operation::State::failed:
        break;
    }
    return H5ES_STATUS_FAIL;
  }
  const std::shared_ptr<Operation> operation_;
};

/// The requests of operations that exist, so that a program's pointers can be checked.
struct KnownRequests {
  Mutex mutex;
  std::unordered_set<OperationRequest*> all FILIGREE_GUARDED_BY(mutex);
};

KnownRequests& known_requests() {
  static auto* const known = new KnownRequests;  // outlives everything that closes ids at exit
  return *known;
}

OperationRequest::OperationRequest(std::shared_ptr<Operation> operation) : operation_(std::move(operation)) {
  const MutexLock lock(known_requests().mutex);
  known_requests().all.insert(this);
}

OperationRequest::~OperationRequest() {
  const MutexLock lock(known_requests().mutex);
  known_requests().all.erase(this);
}

/// Returns the request at an address, or null.
std::shared_ptr<Request> find_request(void* pointer) {
  const MutexLock lock(known_requests().mutex);
  const auto found = known_requests().all.find(static_cast<OperationRequest*>(pointer));
  return found == known_requests().all.end() ? nullptr : (*found)->weak_from_this().lock();
}

/// A request of another connector, which it frees.
class ConnectorRequest final : public Request {
 public:
  ConnectorRequest(hid_t connector, void* request) : connector_(connector), request_(request) {
    ids().retain(connector);
  }
  ~ConnectorRequest() override {
    H5VLrequest_free(request_, connector_);
    try {
      ids().release(connector_);
    } catch (...) {  // The library is being closed.
    }
  }

  H5ES_status_t wait(std::uint64_t nanoseconds) override {
    H5VL_request_status_t status = H5VL_REQUEST_STATUS_IN_PROGRESS;
    check(H5VLrequest_wait(request_, connector_, nanoseconds, &status), "unable to wait for the request");
    return status_of(status);
  }
  H5ES_status_t cancel() override {
    H5VL_request_status_t status = H5VL_REQUEST_STATUS_IN_PROGRESS;
    check(H5VLrequest_cancel(request_, connector_, &status), "unable to cancel the request");
    return status_of(status);
  }
  void get_times(std::uint64_t& began_microseconds, std::uint64_t& ran_nanoseconds) override {
    H5VL_request_specific_args_t arguments;
    arguments.op_type = H5VL_REQUEST_GET_EXEC_TIME;
    arguments.args.get_exec_time.exec_ts = &began_microseconds;
    arguments.args.get_exec_time.exec_time = &ran_nanoseconds;
    check(H5VLrequest_specific(request_, connector_, &arguments), "unable to get the times of the request");
  }
  hid_t error_stack() override {
    H5VL_request_specific_args_t arguments;
    arguments.op_type = H5VL_REQUEST_GET_ERR_STACK;
    arguments.args.get_err_stack.err_stack_id = H5I_INVALID_HID;
    check(H5VLrequest_specific(request_, connector_, &arguments), "unable to get the errors of the request");
    return arguments.args.get_err_stack.err_stack_id;
  }
  hid_t connector() const override { return connector_; }
  void* pointer() const override { return request_; }

 private:
  static void check(herr_t result, const char* text) {
    if (result < 0) throw CallbackFailure({&H5E_EVENTSET_g, &H5E_CANTWAIT_g}, text);
  }
  static H5ES_status_t status_of(H5VL_request_status_t status) {
    switch (status) {
      case H5VL_REQUEST_STATUS_SUCCEED:
        return H5ES_STATUS_SUCCEED;
      case H5VL_REQUEST_STATUS_FAIL:
        return H5ES_STATUS_FAIL;
      case H5VL_REQUEST_STATUS_CANCELED:
        return H5ES_STATUS_CANCELED;
      case H5VL_REQUEST_STATUS_IN_PROGRESS:
      case H5VL_REQUEST_STATUS_CANT_CANCEL:
        break;
    }
    return H5ES_STATUS_IN_PROGRESS;
  }

  const hid_t connector_;
  void* const request_;
};

}  // namespace

std::shared_ptr<Request> make_request(std::shared_ptr<Operation> operation) {
  return std::make_shared<OperationRequest>(std::move(operation));
}

std::shared_ptr<Request> make_request(hid_t connector, void* request) {
  // An operation of this library is the request of no other connector.
  if (auto ours = find_request(request)) return ours;
  if (IdTable::type_of(connector) != H5I_VOL || ids().find(connector) == nullptr)
    throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "not a VOL connector ID");
  if (connector == H5VL_NATIVE_g) bad_value("the native connector has made no such request");
  return std::make_shared<ConnectorRequest>(connector, request);
}

}  // namespace filigree::capi
