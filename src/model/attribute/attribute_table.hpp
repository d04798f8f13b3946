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

/// An attribute as it is stored.
struct StoredAttribute {
  format::AttributeMessage message;
  std::uint32_t order = 0;                     ///< the creation order, if tracked
  std::optional<format::SharedHeapId> shared;  ///< if the message itself is shared
};

/// The attributes of the object at a header. A cheap value that lasts for one operation.
/// Requires: the file lock, exclusively for functions that are not const.
class AttributeTable {
 public:
  AttributeTable(File& file, Address header);

  bool order_tracked() const;
  std::uint64_t size() const;
  /// Returns the sizes of indexes and heaps outside of the header.
  MetadataBytes metadata_bytes() const;
  /// Returns the attribute; empty if there is none of that name.
  std::optional<StoredAttribute> find(std::string_view name) const;
  /// The same for dense storage by visiting all attributes, which works if the name index is out of order.
  std::optional<StoredAttribute> find_listed(std::string_view name) const;
  /// Adds an attribute. Converts to dense storage if the header has too many.
  /// Returns the encoded message. Requires: the name is free; acquire_attribute_parts() was called.
  Buffer insert(const format::AttributeMessage& attribute);
  /// Replaces the attribute of that name; the new one may have another name.
  void replace(std::string_view name, const format::AttributeMessage& attribute);
  /// Calls `convert` with the stored elements of an attribute, which it changes, if the message is in the
  /// header and begins with `head`, up to its elements. Returns false, having done nothing, otherwise.
  bool change_elements(std::string_view name, Bytes head, std::size_t element_bytes,
                       FunctionRef<void(MutableBytes)> convert);
  /// Removes an attribute and frees its values in the global heap. Returns false if there is none.
  bool remove(std::string_view name);
  /// Visits attributes in the given order until `visit` returns false. Returns false if it did.
  bool for_each(IndexBy by, Direction direction, FunctionRef<bool(const StoredAttribute&)> visit) const;
  /// Visits attributes in storage order, which is fastest.
  bool for_each_stored(FunctionRef<bool(const StoredAttribute&)> visit) const;
  /// Frees all storage of attributes outside of the header.
  void destroy();

 private:
  format::AttributeInfo info() const { return info(*header_.load()); }
  format::AttributeInfo info(const store::HeaderEntry& entry) const;
  void store_info(const format::AttributeInfo& info);
  StoredAttribute decode_compact(const store::HeaderEntry& entry, std::size_t index) const;
  std::optional<std::size_t> find_compact(const store::HeaderEntry& entry, std::string_view name) const;
  Buffer insert_with_order(const format::AttributeMessage& attribute, std::uint32_t order,
                           format::AttributeInfo now);
  /// Runs `change`, which inserts an attribute. Members of a communicator meet for it if it writes to the
  /// file at once: huge objects of a fractal heap do not wait for a flush.
  void change_together(const format::AttributeMessage& attribute, FunctionRef<void()> change);
  bool makes_huge_objects(const format::AttributeMessage& attribute) const;
  void replace_elsewhere(std::string_view name, const format::AttributeMessage& attribute);
  /// Adds the encoded message `body` to the header.
  void add_compact(Bytes body, std::uint32_t order, const std::optional<format::SharedHeapId>& shared);
  /// Removes the attribute from its storage without freeing values or shared messages.
  std::optional<StoredAttribute> take(std::string_view name);
  void convert_to_dense(format::AttributeInfo& info);
  void convert_to_compact(format::AttributeInfo& info);
  void release(const StoredAttribute& attribute);
  void release_values(const StoredAttribute& attribute);

  File& file_;
  store::ObjectHeader header_;
};

}  // namespace filigree::model
