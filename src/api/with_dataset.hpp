// SPDX-License-Identifier: Apache-2.0
//
// The dataset, the file lock and the error context of API calls on datasets.
#pragma once

#include <string>
#include <utility>

#include "base/context.hpp"
#include "base/file_lock.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"

namespace filigree::api {

/// Runs `work` with the dataset under the shared file lock. `doing` is the operation for error messages,
/// which name the dataset after it.
template <class Work>
decltype(auto) with_dataset(const model::OpenObject& object, const char* doing, Work&& work) {
  const FileLock::Shared shared(object.file()->lock());
  model::Dataset dataset(*object.file(), object.header());
  return in_context([&] { return std::string(doing) + ' ' + object.text(); },
                    [&]() -> decltype(auto) { return std::forward<Work>(work)(dataset); });
}

}  // namespace filigree::api
