// SPDX-License-Identifier: Apache-2.0
#include "model/heap_budget.hpp"

#include <filigree/error.hpp>

#include "store/file_store.hpp"

namespace filigree::model {

HeapBudget::HeapBudget(const store::FileStore& store) : left_(spare_bytes + 4 * store.file_end()) {}

void HeapBudget::refuse() {
  throw Error(
      ErrorKind::corrupt,
      "what is stored takes more bytes than the file has: too many references name the same heap object");
}

}  // namespace filigree::model
