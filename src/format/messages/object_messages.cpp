// SPDX-License-Identifier: Apache-2.0
#include "format/messages/object_messages.hpp"

#include <algorithm>
#include <chrono>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

namespace {

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

unsigned number(std::string_view digits) {
  unsigned value = 0;
  for (char c : digits) value = value * 10 + static_cast<unsigned>(c - '0');
  return value;
}

}  // namespace

template <class Io, Model<Comment> M>
void describe(Io& io, M& m) {
  io.terminated("text", m.text);
}

template <class Io, Model<ModificationTimeOld> M>
void describe(Io& io, M& m) {
  io.characters("digits", m.digits, 14);
  io.require(all_digits(m.digits), "digits", "holds something else");
  io.reserved(2);
}

template <class Io, Model<ModificationTime> M>
void describe(Io& io, M& m) {
  io.constant("version", 1);
  io.reserved(3);
  io.u32("seconds", m.seconds);
}

template <class Io, Model<ReferenceCount> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  io.u32("links", m.links);
}

template <class Io, Model<Continuation> M>
void describe(Io& io, M& m) {
  io.address("block", m.block);
  io.require(is_valid(m.block), "block", "is undefined");
  io.length("bytes", m.bytes);
}

template <class Io, Model<ExternalFiles> M>
void describe(Io& io, M& m) {
  io.constant("version", 1);
  io.reserved(3);
  io.u16("allocated", m.allocated);
  io.range("allocated", m.allocated, 1, 0xffff);
  std::uint64_t used = m.files.size();
  io.u16("used", used);
  io.range("used", used, 0, m.allocated);
  io.address("local heap", m.heap);
  io.resize("files", m.files, used, 3u * io.widths().length_bytes);
  for (auto& file : m.files) {
    io.length("name offset", file.name_offset);
    io.length("file offset", file.file_offset);
    io.length_or_unlimited("bytes", file.bytes);
    io.require(file.bytes != unlimited || &file == &m.files.back(), "bytes",
               "is unlimited before the last file");
  }
}

FILIGREE_DESCRIBED(Comment);
FILIGREE_DESCRIBED(ModificationTimeOld);
FILIGREE_DESCRIBED(ModificationTime);
FILIGREE_DESCRIBED(ReferenceCount);
FILIGREE_DESCRIBED(Continuation);
FILIGREE_DESCRIBED(ExternalFiles);

std::optional<std::int64_t> find_seconds(const ModificationTimeOld& time) {
  const std::string_view digits = time.digits;
  if (digits.size() != 14 || !all_digits(digits)) return std::nullopt;
  const auto part = [&](std::size_t from, std::size_t count) { return number(digits.substr(from, count)); };
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(part(0, 4))),
                                         std::chrono::month(part(4, 2)), std::chrono::day(part(6, 2))};
  if (!date.ok() || part(8, 2) > 23 || part(10, 2) > 59 || part(12, 2) > 60) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * 86400 + part(8, 2) * 3600 + part(10, 2) * 60 + part(12, 2);
}

}  // namespace filigree::format
