// SPDX-License-Identifier: Apache-2.0
//
// What all parts of a dump of one file share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <filigree/filigree.hpp>

#include "../references.hpp"
#include "ddl_output.hpp"
#include "element_lines.hpp"
#include "element_text.hpp"
#include "options.hpp"

namespace filigree::tools {

/// Objects that were written once.
struct WrittenObjects {
  std::set<std::pair<std::string, std::uint64_t>> objects;  ///< files and addresses
  /// Whether an external link led to one of them. Objects with one hard link can be met again then.
  bool followed_links = false;
};

struct DumpContext {
  DumpContext(const DumpOptions& chosen, const File& opened, TextStream& ddl, TextStream& data);

  /// For an object of another file, to which a link leads.
  DumpContext(const DumpContext& outer, const File& opened);

  /// Runs `work`. Reports an Error, after which the dump goes on and its exit code is 1.
  void attempt(const std::string& subject, const std::function<void()>& work);
  /// Reports that something of `subject` cannot be read.
  void report(const std::string& subject, const std::string& message);

  const DumpOptions& options;
  const File file;
  DdlOutput out;
  PathFinder paths;
  ElementStyle elements;
  LineStyle lines;
  std::vector<File>
      files;  ///< that are being printed: this one, and those from which external links led here
  std::vector<std::uint64_t> references_on_way;  ///< datasets of references that are being printed
  std::shared_ptr<WrittenObjects> written = std::make_shared<WrittenObjects>();
  bool failed = false;
};

}  // namespace filigree::tools
