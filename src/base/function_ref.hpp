// SPDX-License-Identifier: Apache-2.0
//
// A reference to a callable object, for parameters that are called but not stored.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace filigree {

template <class Signature>
class FunctionRef;

/// Refers to a callable object without owning it: two pointers, no allocation.
///
/// *Requires* that the callable outlives every call. A FunctionRef is a parameter, never a member that
/// outlives the function it was passed to.
template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Result, Callable&, Args...>)
      FunctionRef(Callable&& callable)  // NOLINT: implicit on purpose, callers pass lambdas
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace filigree
