// SPDX-License-Identifier: Apache-2.0
//
// The exception type of Filigree.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// The category of a failure, for programs. The message is for people.
enum class ErrorKind {
  invalid_argument,  ///< an argument is invalid, or arguments contradict each other
  not_found,         ///< there is no object, link, attribute or file of that name
  already_exists,    ///< the name is in use
  wrong_type,        ///< the object has another type than the call needs
  not_hdf5,          ///< the file has no HDF5 signature
  truncated,         ///< the file, or a structure in it, is incomplete
  corrupt,           ///< the file contradicts the format
  unsupported,       ///< valid, but not supported by this version
  limit,             ///< a limit of the format or of the options is exceeded
  read_only,         ///< the file is open for reading only
  locked,            ///< another process has locked the file
  permission,        ///< the operating system denies access
  no_space,          ///< the device is full
  io,                ///< any other failure of the operating system or driver
  conversion,        ///< the destination type cannot represent a value, and the handler aborts
  closed,            ///< the handle's file has been closed
  internal,          ///< a bug in Filigree
  diverged,          ///< members of a communicator are in different calls, or have made different changes
};

/// Returns the lower-case words for `kind`, such as "not found".
FILIGREE_EXPORT std::string_view to_string(ErrorKind kind) noexcept;

/// A failure: its kind, its message, and the operations that it interrupted.
///
/// what() lists the operations from the outermost to the innermost: "opening group '/a' of 'x.h5': object
/// header at 0x320: field 'version' at byte 0 is 9, allowed 1 to 2".
class FILIGREE_EXPORT Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message);
  Error(const Error&) = default;
  Error(Error&&) noexcept = default;
  Error& operator=(const Error&) = default;
  Error& operator=(Error&&) noexcept = default;
  ~Error() override;

  /// Returns the category.
  ErrorKind kind() const noexcept { return kind_; }
  /// Returns the message without the frames.
  const std::string& message() const noexcept { return message_; }
  /// Returns the interrupted operations, innermost first.
  const std::vector<std::string>& frames() const noexcept { return frames_; }
  /// Returns the complete text: frames, then the message.
  const char* what() const noexcept override { return text_.c_str(); }

  /// Adds the operation of a caller; it is put in front of the text.
  void add_frame(std::string doing);

 private:
  ErrorKind kind_;
  std::string message_;
  std::vector<std::string> frames_;
  std::string text_;
};

}  // namespace filigree
