// SPDX-License-Identifier: Apache-2.0
#include "details.hpp"

#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "filter_text.hpp"
#include "sections.hpp"
#include "text.hpp"

namespace filigree::tools {

namespace {

/// A listing shows values only if they fit on the line. For other attributes it shows shape and type.
constexpr std::uint64_t most_values = 8;
constexpr std::size_t most_characters = 60;

std::string_view storage_text(GroupStorage storage) {
  switch (storage) {
    case GroupStorage::symbol_table:
      return "symbol table";
    case GroupStorage::compact:
      return "compact";
    case GroupStorage::dense:
      return "dense";
  }
  return "unknown";
}

std::string integers_text(const Attribute& attribute) {
  // Each conversion clips: the unsigned one clips negative values, the signed one clips values from 2^63 on.
  const auto with_sign = attribute.read<std::vector<std::int64_t>>();
  const auto without = attribute.read<std::vector<std::uint64_t>>();
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < with_sign.size(); ++i) {
    texts.push_back(with_sign[i] < 0 ? std::to_string(with_sign[i]) : std::to_string(without[i]));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string strings_text(const Attribute& attribute) {
  std::vector<std::string> texts;
  for (const std::string& value : attribute.read<std::vector<std::string>>()) {
    texts.push_back(value.size() > most_characters ? fmt::format("({} bytes)", value.size())
                                                   : fmt::format("\"{}\"", printable(value)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Returns " = 1, 2, 3" if there are few values of a printable type class; otherwise an empty string.
std::string values_text(const Attribute& attribute, const Datatype& type, const Dataspace& space) {
  if (space.kind() == Dataspace::Kind::null || space.elements() == 0 || space.elements() > most_values)
    return "";
  switch (type.type_class()) {
    case TypeClass::integer:
      return type.size() > 8 ? "" : " = " + integers_text(attribute);
    case TypeClass::floating_point:
      if (type.size() == 4)
        return fmt::format(" = {}", fmt::join(attribute.read<std::vector<float>>(), ", "));
      return type.size() > 8 ? ""
                             : fmt::format(" = {}", fmt::join(attribute.read<std::vector<double>>(), ", "));
    case TypeClass::string:
      return " = " + strings_text(attribute);
    default:
      return "";
  }
}

/// Collects the detail lines of one object. A line that cannot be made shows the error instead.
class Lines {
 public:
  explicit Lines(std::string file) : file_(std::move(file)) {}

  void add(std::string_view label, const std::function<std::string()>& make) {
    std::string text;
    try {
      text = make();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::unsupported) {
        text = fmt::format("({})", printable(error.message()));
      } else {
        text = error_mark(error, file_);
        details_.complete = false;
      }
    }
    if (!text.empty()) details_.text += fmt::format("    {:<11} {}\n", label, text);
  }
  Details take() { return std::move(details_); }

 private:
  std::string file_;
  Details details_;
};

std::string header_text(const ObjectInfo& info) {
  return fmt::format("version {}, {} bytes in {} {}, {} {}", info.header_version, info.header_bytes,
                     info.header_blocks, info.header_blocks == 1 ? "block" : "blocks", info.header_messages,
                     info.header_messages == 1 ? "message" : "messages");
}

std::string group_text(const GroupInfo& info) {
  const char* order = info.order_indexed   ? ", creation order indexed"
                      : info.order_tracked ? ", creation order tracked"
                                           : "";
  return fmt::format("{}, {} {}{}", storage_text(info.storage), info.links,
                     info.links == 1 ? "link" : "links", order);
}

std::string dims_text(const std::vector<std::uint64_t>& dims) {
  return fmt::format("{{{}}}", fmt::join(dims, ", "));
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string layout_text(const DatasetInfo& info) {
  switch (info.layout) {
    case Layout::compact:
      return "compact";
    case Layout::contiguous:
      return info.external.empty() ? "contiguous" : counted(info.external.size(), "external file");
    case Layout::chunked:
      return (info.portable ? "portable sparse chunks of " : "chunks of ") + dims_text(info.chunk);
    case Layout::structured:
      return (info.sparse ? "sparse chunks of " : "chunks with a heap, of ") + dims_text(info.chunk);
    case Layout::virtual_dataset:
      return "virtual, " + counted(info.virtual_sources.size(), "mapping");
  }
  return "unknown";
}

namespace {

std::string filter_names(const std::vector<FilterChoice>& filters) {
  std::vector<std::string> names;
  for (const FilterChoice& filter : filters) {
    const auto known = filters::find(filter.id);
    names.push_back(known ? printable(known->name) : fmt::format("{} (not available)", filter.id));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string stored_chunks_text(const Dataset& data, const std::vector<std::uint64_t>& chunk) {
  const std::uint64_t stored = data.chunk_count();
  const auto all = chunks_in(data.space(), chunk);
  return all ? fmt::format(": {} of {} stored", stored, *all) : fmt::format(": {} stored", stored);
}

std::string defined_text(const Dataset& data) {
  const std::uint64_t defined = data.defined_count();
  std::uint64_t elements = 0;
  try {
    elements = data.space().elements();
  } catch (const Error&) {
    return fmt::format("{} elements of more than 2^64", defined);
  }
  if (elements == 0) return "0 of 0 elements";
  return fmt::format("{} of {} elements ({:.3g} %)", defined, elements,
                     100.0 * static_cast<double>(defined) / static_cast<double>(elements));
}

std::string section_text(SectionKind kind, const SectionSizes& sizes,
                         const std::vector<FilterChoice>& filters) {
  std::string text(section_name(kind));
  if (sizes.original_bytes > 0) {
    text += fmt::format(", {} bytes of {}", sizes.stored_bytes, sizes.original_bytes);
    if (sizes.stored_bytes > 0)
      text += fmt::format(
          " ({:.3g}:1)", static_cast<double>(sizes.original_bytes) / static_cast<double>(sizes.stored_bytes));
  } else if (sizes.stored_bytes > 0) {
    text += fmt::format(", {} bytes", sizes.stored_bytes);
  }
  return text + (filters.empty() ? "" : ", ") + filters_text(filters);
}

/// HDF5 defines only elements that differ from the fill value, and leaves a mark in chunks that it stores.
std::string from_hdf5_text(const Dataset& data) {
  const std::uint64_t stored = data.chunk_count();
  if (stored > most_counted_envelopes) return "";
  const std::uint64_t marked = data.hdf5_chunk_count();
  if (marked == 0) return "";
  return fmt::format("stored {} of {} chunks, where no element with the fill value is defined", marked,
                     stored);
}

/// Lines about the chunks of a dataset with sections. The chunk index has all numbers of structured chunks.
void add_sections(Lines& lines, const Dataset& data, const DatasetInfo& info) {
  if (info.sparse) {
    lines.add("Defined:", [&]() -> std::string {
      if (info.portable && data.chunk_count() > most_counted_envelopes)
        return "not counted: each of the portable chunks would be read";
      return defined_text(data);
    });
  }
  if (info.portable) lines.add("HDF5:", [&] { return from_hdf5_text(data); });
  std::vector<SectionSizes> sizes;
  lines.add("Sections:", [&] {
    sizes = section_sizes(data, info);
    return "";
  });
  const std::vector<SectionKind> kinds = section_kinds(info);
  sizes.resize(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    lines.add(fmt::format("Section {}:", i),
              [&] { return section_text(kinds[i], sizes[i], section_filters(info, kinds[i])); });
  }
}

/// The size of the elements in the file, beside their size without chunks and filters.
std::string stored_text(const Dataset& data, const DatasetInfo& info) {
  if (info.layout == Layout::virtual_dataset) return "";
  const std::uint64_t stored = data.stored_bytes();
  std::string text = fmt::format("{} bytes for {} of elements", stored, info.data_bytes);
  if (info.data_bytes > 0) {
    text += fmt::format(" ({:.3g} %)",
                        100.0 * static_cast<double>(stored) / static_cast<double>(info.data_bytes));
  }
  if (!info.chunk.empty()) text += ", " + counted(data.chunk_count(), "chunk");
  return text;
}

void add_dataset(Lines& lines, const Dataset& data) {
  lines.add("Type:", [&] { return printable(data.datatype().text()); });
  DatasetInfo info;
  bool known = false;
  lines.add("Layout:", [&] {
    info = data.dataset_info();
    known = true;
    const bool sections = info.layout == Layout::structured || info.portable;
    return layout_text(info) + (sections ? stored_chunks_text(data, info.chunk) : "");
  });
  if (!known) return;
  if (info.layout == Layout::structured || info.portable)
    add_sections(lines, data, info);
  else
    lines.add("Filters:", [&] { return filter_names(info.filters); });
  lines.add("Stored:", [&] { return stored_text(data, info); });
}

void add_info(Lines& lines, const Object& object) {
  lines.add("Address:", [&] { return fmt::format("{0} ({0:#x})", object.address()); });
  std::optional<ObjectInfo> info;
  lines.add("Links:", [&] {
    info = object.info();
    return fmt::format("{}", info->link_count);
  });
  if (!info) return;
  lines.add("Header:", [&] { return header_text(*info); });
  lines.add("Modified:", [&] { return info->modified ? time_text(*info->modified) : ""; });
  lines.add("Created:", [&] { return info->created ? time_text(*info->created) : ""; });
}

void add_kind(Lines& lines, const Object& object) {
  switch (object.kind()) {
    case ObjectKind::group:
      lines.add("Storage:", [&] { return group_text(Group(object).group_info()); });
      return;
    case ObjectKind::dataset:
      add_dataset(lines, Dataset(object));
      return;
    case ObjectKind::datatype:
      lines.add("Type:", [&] { return printable(CommittedDatatype(object).datatype().text()); });
      return;
  }
}

void add_attribute(Lines& lines, const Attribute& attribute) {
  const std::string name = escaped_name(attribute.name());
  std::string text;
  lines.add("Attribute:", [&] {
    const Dataspace space = attribute.space();
    const Datatype type = attribute.datatype();
    text = fmt::format("{} {} {}", name, space.text(), printable(type.text()));
    try {
      return text + values_text(attribute, type, space);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::unsupported) return text;
      throw;
    }
  });
}

}  // namespace

std::string error_text(const Error& error, const std::string& file) {
  std::string text = error.what();
  const std::string opening = fmt::format("opening '{}': ", file), of = fmt::format(" of '{}'", file);
  if (text.starts_with(opening)) text.erase(0, opening.size());
  for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at))
    text.erase(at, of.size());
  return text;
}

std::string error_mark(const Error& error, const std::string& file) {
  return fmt::format("[error: {}]", printable(error_text(error, file)));
}

std::string file_details(const File& file) {
  const FileInfo info = file.info();
  std::string text = fmt::format("File \"{}\": {} bytes, superblock version {}", printable(file.name()),
                                 info.file_bytes, info.superblock_version);
  if (info.user_block_bytes > 0) text += fmt::format(", user block of {} bytes", info.user_block_bytes);
  if (info.offset_bytes != 8 || info.length_bytes != 8) {
    text += fmt::format(", offsets of {} and lengths of {} bytes", info.offset_bytes, info.length_bytes);
  }
  return text + "\n";
}

Details object_details(const Object& object) {
  Lines lines(object.file().name());
  add_info(lines, object);
  add_kind(lines, object);
  lines.add("Comment:", [&]() -> std::string {
    const auto comment = object.comment();
    return comment ? fmt::format("\"{}\"", printable(*comment)) : "";
  });
  std::vector<Attribute> attributes;
  lines.add("Attributes:", [&]() -> std::string {
    attributes = object.attributes();
    return "";
  });
  for (const Attribute& attribute : attributes) add_attribute(lines, attribute);
  return lines.take();
}

}  // namespace filigree::tools
