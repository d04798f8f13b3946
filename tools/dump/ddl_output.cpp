// SPDX-License-Identifier: Apache-2.0
#include "ddl_output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::tools {

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw Error(ErrorKind::io, fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

}  // namespace

TextStream::TextStream(const std::string& path, Unfinished unfinished) : path_(path), nowhere_(path.empty()) {
  if (nowhere_) return;
  const auto status = std::filesystem::status(path);
  const bool is_device = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (unfinished == Unfinished::removed && !is_device) output_ = std::make_unique<OutputFile>(path, true);
  file_.reset(std::fopen((output_ ? output_->temporary_path() : path).c_str(), "wb"));
  if (!file_) fail(path);
}

void TextStream::put(std::string_view text) const {
  if (nowhere_) return;
  std::fwrite(text.data(), 1, text.size(), file_ ? file_.get() : stdout);
}

void TextStream::finish() {
  if (!file_) return;
  const bool failed = std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0;
  if (failed) fail(path_);
  file_.reset();
  if (output_) output_->commit();
  nowhere_ = true;
}

void DdlOutput::line(std::string_view text) const {
  ddl_.put(indent());
  ddl_.put(text);
  ddl_.put("\n");
}

void DdlOutput::open(std::string_view text) {
  line(text);
  braces_.push_back(true);
}

void DdlOutput::unwind(std::size_t level) {
  while (braces_.size() > level) {
    if (braces_.back())
      close();
    else
      higher();
  }
}

void DdlOutput::close(std::string_view suffix) {
  braces_.pop_back();
  line(fmt::format("}}{}", suffix));
}

}  // namespace filigree::tools
