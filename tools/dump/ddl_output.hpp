// SPDX-License-Identifier: Apache-2.0
//
// The two streams of a dump: the description of objects (DDL), and the values of datasets.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../output_file.hpp"

namespace filigree::tools {

/// Where text goes: standard output, a file, or nowhere.
class TextStream {
 public:
  /// Writes to standard output.
  TextStream() = default;
  /// What happens to a new file that is never finished.
  enum class Unfinished : std::uint8_t { kept, removed };
  /// Creates or replaces a file. An empty path stands for nowhere. With `removed` the file gets its name in
  /// finish(), unless it is a device or a pipe; see OutputFile.
  /// Throws: Error(io).
  explicit TextStream(const std::string& path, Unfinished unfinished = Unfinished::kept);
  void put(std::string_view text) const;
  /// Throws: Error(io) if a file could not be written.
  void finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<std::FILE, Close> file_;
  bool nowhere_ = false;
};

/// Writes DDL with three columns for each level.
class DdlOutput {
 public:
  /// Values go to the stream of the DDL unless there is one of their own.
  DdlOutput(TextStream& ddl, TextStream& data) : ddl_(ddl), data_(data) {}

  std::size_t level() const { return braces_.size(); }
  std::string indent(std::size_t more = 0) const { return std::string(3 * (level() + more), ' '); }
  /// Writes an indented line.
  void line(std::string_view text) const;
  /// Writes a line that ends in a brace, and goes a level deeper.
  void open(std::string_view text);
  /// Goes back one level, and closes the brace; `suffix` follows it.
  void close(std::string_view suffix = "");
  void deeper() { braces_.push_back(false); }
  void higher() { braces_.pop_back(); }
  /// Goes back to this level, and closes the braces that are open.
  void unwind(std::size_t level);
  /// Writes text as it is.
  void put(std::string_view text) const { ddl_.put(text); }
  void put_data(std::string_view text) const { (data_in_ddl_ ? ddl_ : data_).put(text); }
  /// Whether values go to the stream of the DDL although they have one of their own.
  void keep_data_in_ddl(bool keep) { data_in_ddl_ = keep; }

 private:
  TextStream& ddl_;
  TextStream& data_;
  std::vector<bool> braces_;  ///< of each level: whether a brace is open
  bool data_in_ddl_ = false;
};

}  // namespace filigree::tools
