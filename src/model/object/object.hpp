// SPDX-License-Identifier: Apache-2.0
//
// What all objects have in common.
#pragma once

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
#include "store/object_header/object_header.hpp"

namespace filigree::model {

class File;

/// A handle's view of an object. While one exists the object is not freed, linked or not.
class OpenObject {
 public:
  OpenObject(std::shared_ptr<File> file, Address header, std::string path);
  ~OpenObject();
  OpenObject(const OpenObject&) = delete;
  OpenObject& operator=(const OpenObject&) = delete;

  const std::shared_ptr<File>& file() const { return file_; }
  Address header() const { return header_; }
  const std::string& path() const { return path_; }
  /// "group '/a' of 'x.h5'" and the like, for error texts.
  std::string text() const;

 private:
  std::shared_ptr<File> file_;
  Address header_;
  std::string path_;
};

/// An attribute of an open object, by name.
class OpenAttribute {
 public:
  OpenAttribute(std::shared_ptr<OpenObject> owner, std::string called)
      : object(std::move(owner)), name(std::move(called)) {}
  std::shared_ptr<OpenObject> object;
  std::string name;
};

/// "group", "dataset" or "committed datatype".
std::string_view to_string(ObjectKind kind);
ObjectKind object_kind(File& file, Address header);
ObjectInfo object_info(File& file, Address header);
/// What the object keeps outside its header.
ObjectMetadata object_metadata(File& file, Address header);
/// All blocks of a header together.
std::uint64_t header_bytes(File& file, Address header);

/// How the header of a new object begins, by the file's version bounds.
store::HeaderShape make_header_shape(const File& file, const AttributeStorage& attributes, bool track_times);

/// The first message of `type` in the header, with a shared one replaced by what it refers to.
std::optional<Buffer> find_message(File& file, Address header, format::MessageType type);
/// As above, throwing Error(corrupt) when it is missing.
Buffer get_message(File& file, Address header, format::MessageType type);

format::DatatypeMessage object_datatype(File& file, Address header);
format::DataspaceMessage object_dataspace(File& file, Address header);

/// Bytes of a contiguous dataset. Layouts before version 3 do not state them.
std::uint64_t contiguous_bytes(File& file, Address header, const format::LayoutMessage& layout);

std::optional<std::string> object_comment(File& file, Address header);
void set_object_comment(File& file, Address header, std::string_view text);

/// The type in the versions that the file's bounds ask for. Throws Error(invalid_argument) when no file could
/// hold it, or none within the upper bound.
format::DatatypeMessage versioned_type(const File& file, format::DatatypeMessage type);

/// A header that holds nothing but a datatype; not linked to yet.
Address create_committed_datatype(File& file, const format::DatatypeMessage& type,
                                  const CommitOptions& options = {});

/// Notes that the object has changed, where it keeps times.
void touch(File& file, Address header);

void add_link_to(File& file, Address header);
/// One link or user less; the last one frees the object (or leaves that to its last handle).
void drop_link_to(File& file, Address header);
/// Frees a header, whose messages give up their shares in others. What else they refer to is the caller's
/// business.
void destroy_header(File& file, Address header);
/// Frees the object, which then drops its links to others. Called by File only, which keeps what these free
/// waiting, so that depth costs no stack.
void destroy_object(File& file, Address header);

}  // namespace filigree::model
