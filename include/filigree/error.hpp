// SPDX-License-Identifier: Apache-2.0
//
// The one exception type of Filigree.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// What went wrong, for programs that act on it. The text says it for people.
enum class ErrorKind {
  invalid_argument,  ///< the caller asked for something that makes no sense
  not_found,         ///< no object, link, attribute or file of that name
  already_exists,    ///< the name is taken
  wrong_type,        ///< the object is of another kind than the call needs
  not_hdf5,          ///< the file carries no HDF5 signature
  truncated,         ///< the file, or a structure in it, ends too early
  corrupt,           ///< bytes that contradict the format
  unsupported,       ///< valid, but not something this version can do
  limit,             ///< beyond a limit of the format or of the options
  read_only,         ///< a change was asked of a file opened for reading
  locked,            ///< another process holds the file
  permission,        ///< the system denies access
  no_space,          ///< the device is full
  io,                ///< any other failure of the system
  conversion,        ///< a value that its destination type cannot hold, and the caller wants none changed
  closed,            ///< the handle's file has been closed
  internal,          ///< a bug in Filigree
};

/// Lower-case words for `kind`, such as "not found".
FILIGREE_EXPORT std::string_view to_string(ErrorKind kind) noexcept;

/// A failure: its kind, what happened, and what was being done at the time.
///
/// `what()` reads from the outside in: "opening group '/a' of 'x.h5': object header at
/// 0x320: field 'version' at byte 0 is 9, allowed 1 to 2".
class FILIGREE_EXPORT Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message);
  Error(const Error&) = default;
  Error(Error&&) noexcept = default;
  Error& operator=(const Error&) = default;
  Error& operator=(Error&&) noexcept = default;
  ~Error() override;

  /// What programs act on.
  ErrorKind kind() const noexcept { return kind_; }
  /// The innermost statement, without the frames.
  const std::string& message() const noexcept { return message_; }
  /// What callers were doing, innermost first.
  const std::vector<std::string>& frames() const noexcept { return frames_; }
  /// The whole text, frames first.
  const char* what() const noexcept override { return text_.c_str(); }

  /// Adds what the caller was doing; it is put in front of the text.
  void add_frame(std::string doing);

 private:
  ErrorKind kind_;
  std::string message_;
  std::vector<std::string> frames_;
  std::string text_;
};

}  // namespace filigree
