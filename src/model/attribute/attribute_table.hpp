// SPDX-License-Identifier: Apache-2.0
//
// The attributes of one object, as messages of its header or in dense storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <filigree/object.hpp>
#include <filigree/options.hpp>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "format/messages/attribute.hpp"
#include "format/messages/attribute_info.hpp"
#include "format/object_header/shared_reference.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

class File;

/// An attribute as it stands in a file.
struct StoredAttribute {
  format::AttributeMessage message;
  std::uint32_t order = 0;                     ///< of creation, where tracked
  std::optional<format::SharedHeapId> shared;  ///< where the message itself is shared
};

class AttributeTable {
 public:
  AttributeTable(File& file, Address header);

  bool order_tracked() const;
  std::uint64_t size() const;
  /// What is kept outside the header for them.
  MetadataBytes metadata_bytes() const;
  std::optional<StoredAttribute> find(std::string_view name) const;
  /// The caller has seen that the name is free, and has counted the attribute as a user of its shared parts.
  void insert(const format::AttributeMessage& attribute);
  /// Gives the attribute of that name other contents, and with them perhaps another name.
  void replace(std::string_view name, const format::AttributeMessage& attribute);
  /// Also frees what the attribute's values keep in the global heap.
  bool remove(std::string_view name);
  bool for_each(IndexBy by, Direction direction, FunctionRef<bool(const StoredAttribute&)> see) const;
  /// In the order of storage.
  bool for_each_stored(FunctionRef<bool(const StoredAttribute&)> see) const;
  /// Frees everything that attributes keep outside the header.
  void destroy();

 private:
  format::AttributeInfo info() const { return info(*header_.load()); }
  format::AttributeInfo info(const store::HeaderEntry& entry) const;
  void store_info(const format::AttributeInfo& info);
  StoredAttribute decode_compact(const store::HeaderEntry& entry, std::size_t index) const;
  std::optional<std::size_t> find_compact(const store::HeaderEntry& entry, std::string_view name) const;
  void insert_with_order(const format::AttributeMessage& attribute, std::uint32_t order,
                         format::AttributeInfo now);
  /// `body` is the message as encoded.
  void add_compact(Bytes body, std::uint32_t order, const std::optional<format::SharedHeapId>& shared);
  /// Takes the attribute out of its storage; values and shared parts are not touched.
  std::optional<StoredAttribute> take(std::string_view name);
  void convert_to_dense(format::AttributeInfo& info);
  void convert_to_compact(format::AttributeInfo& info);
  void release(const StoredAttribute& attribute);
  void release_values(const StoredAttribute& attribute);

  File& file_;
  store::ObjectHeader header_;
};

}  // namespace filigree::model
