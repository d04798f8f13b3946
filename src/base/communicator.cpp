// SPDX-License-Identifier: Apache-2.0
#include <filigree/communicator.hpp>

namespace filigree {

Communicator::~Communicator() = default;

}  // namespace filigree
