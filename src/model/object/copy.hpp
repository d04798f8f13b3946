// SPDX-License-Identifier: Apache-2.0
//
// Copying of objects, within a file and between files (H5Ocopy).
#pragma once

#include <functional>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "model/link/path.hpp"

namespace filigree::model {

class File;

/// Copies an object to the file `to` and returns the header of the copy, which has no links yet. Objects with
/// several hard links in the copied tree are copied once.
/// Requires: the exclusive lock of `to`, within a Change, and a lock of the source file.
Address copy_object(const ObjectLocation& source, File& to, const CopyOptions& options);

/// Creates the copy of a dataset, without attributes, in another way than copy_object() does. `committed` is
/// the copy of its committed datatype, or Address::undefined. Returns Address::undefined to let the dataset
/// be copied as it is.
using CopyDataset = std::function<Address(const ObjectLocation& source, Address committed)>;

/// How copy_contents() treats objects.
struct ContentsHooks {
  CopyDataset copy_dataset;
  /// Returns whether an object and all links to it are left out; may be null.
  std::function<bool(const ObjectLocation& source)> leave_out;
};

/// Copies everything that the root group of `from` leads to: its attributes and comment, links of all kinds,
/// and objects, each once. References lead to the copies, whatever types contain them; those to objects that
/// no link leads to become null.
/// Requires: the exclusive lock of `to`, within a Change, and a lock of `from`; the root group of `to` is
/// empty. Throws: Error(unsupported) for datasets with references within elements of variable length.
void copy_contents(File& from, File& to, const ContentsHooks& hooks);

}  // namespace filigree::model
