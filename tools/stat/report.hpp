// SPDX-License-Identifier: Apache-2.0
//
// The report of `filigree stat`, in the words of h5stat.
#pragma once

#include <cstdint>
#include <string>

#include <filigree/filigree.hpp>

#include "file_statistics.hpp"

namespace filigree::tools {

/// Which parts are printed.
struct ReportParts {
  bool file = false, file_metadata = false;
  bool groups = false, group_metadata = false;
  bool datasets = false, dataset_metadata = false, types = false;
  bool attributes = false, free_space = false, summary = false;
  // Numbers below these are counted one by one.
  std::uint64_t small_groups = 10, small_dims = 10, small_attributes = 10;

  bool any() const {
    return file || file_metadata || groups || group_metadata || datasets || dataset_metadata || types ||
           attributes || free_space || summary;
  }
  /// Chooses what h5stat prints without options.
  void choose_default();
};

/// Returns the report behind the line with the name of the file.
std::string report_text(const ReportParts& parts, const FileStatistics& found, const File& file);

}  // namespace filigree::tools
