// SPDX-License-Identifier: Apache-2.0
//
// Objects: what groups, datasets and committed datatypes have in common.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <filigree/object.hpp>
#include <filigree/options.hpp>

#include "base/address.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"
#include "format/messages/layout.hpp"
#include "model/object/remembered.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

class File;
struct SmallBoxRead;
struct SmallRead;

/// An open object. While one exists, the object is not freed, even if it has no links.
class OpenObject {
 public:
  /// `kind` is that of the header, if the caller knows it.
  OpenObject(std::shared_ptr<File> file, Address header, std::string path,
             std::optional<ObjectKind> kind = std::nullopt);
  ~OpenObject();
  OpenObject(const OpenObject&) = delete;
  OpenObject& operator=(const OpenObject&) = delete;

  const std::shared_ptr<File>& file() const { return file_; }
  Address header() const { return header_; }
  const std::string& path() const { return path_; }
  /// Returns the path and file for error messages, such as "'/a' of 'x.h5'".
  std::string text() const;

  /// Returns the kind of the object, which cannot change while it is open. Throws: Error(closed, corrupt).
  /// Thread safety: takes the lock of the file only if the kind is not known yet.
  ObjectKind kind() const;

  /// How the elements of a dataset were last read, if they are few.
  Remembered<SmallRead>& small_read() { return small_read_; }
  /// How boxes of few elements of a dataset were last read.
  Remembered<SmallBoxRead>& small_boxes() { return small_boxes_; }

 private:
  std::shared_ptr<File> file_;
  Address header_;
  std::string path_;
  mutable std::atomic<int> kind_;  ///< an ObjectKind, or -1 for one that is not known yet
  Remembered<SmallRead> small_read_;
  Remembered<SmallBoxRead> small_boxes_;
};

/// The elements of an attribute, and how they were last read, if they are few.
struct SmallAttribute;

/// The message of an attribute as this library has stored it.
struct AttributeForm {
  Buffer head;  ///< its bytes before the elements
  format::DatatypeMessage type;
  std::uint64_t count = 0;  ///< of elements
};

/// An attribute of an open object, by name.
class OpenAttribute {
 public:
  OpenAttribute(std::shared_ptr<OpenObject> owner, std::string called)
      : object(std::move(owner)), name(std::move(called)) {}
  std::shared_ptr<OpenObject> object;
  std::string name;
  Remembered<SmallAttribute> small;
  /// Null if it is not known. The attribute of the name may have another form by now. Requires: the exclusive
  /// file lock.
  std::shared_ptr<const AttributeForm> form;
};

/// "group", "dataset" or "committed datatype".
std::string_view to_string(ObjectKind kind);
ObjectKind object_kind(File& file, Address header);
ObjectInfo object_info(File& file, Address header);
/// Returns the sizes of the metadata outside of the header.
ObjectMetadata object_metadata(File& file, Address header);
/// Returns the size of all blocks of a header.
std::uint64_t header_bytes(File& file, Address header);

/// Returns the header prefix of a new object for the file's version bounds.
store::HeaderShape make_header_shape(const File& file, const AttributeStorage& attributes, bool track_times);

/// Returns the body of the first message of `type`, resolved if it is shared; empty if there is none.
std::optional<Buffer> find_message(File& file, Address header, format::MessageType type);
/// Returns the body of the first message of `type`, resolved if it is shared.
/// Throws: Error(corrupt) if there is none.
Buffer get_message(File& file, Address header, format::MessageType type);

/// Decodes the datatype message of an object.
format::DatatypeMessage object_datatype(File& file, Address header);
/// Decodes the dataspace message of an object.
format::DataspaceMessage object_dataspace(File& file, Address header);

/// Returns the storage size of a contiguous dataset. Layout messages before version 3 do not record it.
std::uint64_t contiguous_bytes(File& file, Address header, const format::LayoutMessage& layout);

std::optional<std::string> object_comment(File& file, Address header);
void set_object_comment(File& file, Address header, std::string_view text);

/// Returns the datatype in the message versions for the file's version bounds.
/// Throws: Error(invalid_argument) if no file, or no file within the upper bound, can store it.
format::DatatypeMessage versioned_type(const File& file, format::DatatypeMessage type);

/// Creates a committed datatype without links and returns its header.
Address create_committed_datatype(File& file, const format::DatatypeMessage& type,
                                  const CommitOptions& options = {});

/// Updates the modification time, if the object records times.
void touch(File& file, Address header);

/// Increments the reference count of an object.
/// Throws: Error(limit) if it is at its maximum.
void add_link_to(File& file, Address header);
/// Decrements the reference count of an object. The object is freed with its last link and last handle.
void drop_link_to(File& file, Address header);
/// Frees a header and releases its shared messages. The caller frees everything else that messages refer to.
void destroy_header(File& file, Address header);
/// Frees an object and decrements the reference counts of the objects it links to. Called only by File, which
/// queues objects that become free, so that deep trees need no stack.
void destroy_object(File& file, Address header);

}  // namespace filigree::model
