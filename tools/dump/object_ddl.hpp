// SPDX-License-Identifier: Apache-2.0
//
// Groups, datasets, committed datatypes, links and attributes in DDL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/filigree.hpp>

#include "dump_context.hpp"

namespace filigree::tools {

class ObjectDump {
 public:
  explicit ObjectDump(DumpContext& context) : context_(context) {}

  /// Writes an object under a name, unless it was written before: then a line HARDLINK with its path. Of a
  /// dataset, the ranges are printed; all elements by default. `subset` says that these are a choice of the
  /// user, who sees their numbers.
  void dump(const Object& object, std::string_view name);
  void dump_dataset(const Dataset& data, std::string_view name,
                    const std::optional<std::vector<Selection::Range>>& subset = std::nullopt);
  void dump_group(const Group& group, std::string_view name);
  void dump_datatype(const CommittedDatatype& type, std::string_view name);
  /// Writes a link that is not hard. `target` is what an external link leads to, or null.
  void dump_link(const Link& link, std::string_view name, const Object* target = nullptr);
  void dump_attribute(const Attribute& attribute, const std::string& owner);

 private:
  bool is_written(const Object& object);
  void dump_comment(const Object& object);
  void dump_attributes(const Object& object);
  void dump_links(const Group& group);
  std::unique_ptr<Object> find_target(const Group& group, const Link& link) const;
  void dump_target(const Object& target, const std::string& name);
  void dump_unnamed_types();
  void dump_values(const Dataset& data, const std::optional<std::vector<Selection::Range>>& subset);
  void dump_subset(const Dataset& data, const std::vector<Selection::Range>& subset);

  DumpContext& context_;
};

/// Visits the committed datatypes of datasets that no link leads to, in the order of their first dataset.
std::vector<CommittedDatatype> unnamed_types(const File& file, PathFinder& paths);

}  // namespace filigree::tools
