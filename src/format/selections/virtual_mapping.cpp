// SPDX-License-Identifier: Apache-2.0
#include "format/selections/virtual_mapping.hpp"

#include "format/codec/codec_instantiate.hpp"
#include "format/selections/selection_fields.hpp"

namespace filigree::format {

namespace {

constexpr std::uint8_t shared_file_flag = 1;
constexpr std::uint8_t shared_dataset_flag = 2;
constexpr std::uint8_t same_file_flag = 4;

/// The smallest mapping: empty names and two selections of all elements.
constexpr std::size_t least_mapping_bytes = 33;

template <class Io>
void check_name(Io& io, std::string_view field, const std::string& name) {
  io.require(!name.empty(), field, "is empty");
}

/// A name, or the index of an earlier mapping with that name.
template <class Io, class List, class Text, class Of>
void describe_name(Io& io, std::string_view field, List& list, std::size_t own, Text name, Of of) {
  auto& m = list[own];
  if (!(m.*of)) {
    io.terminated(field, m.*name);
    return check_name(io, field, m.*name);
  }
  auto& earlier = *(m.*of);
  io.length(field, earlier);
  io.require(earlier < own, field, "refers to no earlier mapping");
}

template <class Io, class List>
void describe_shared_names(Io& io, List& list, std::size_t own) {
  auto& m = list[own];
  const bool same = m.file == same_file && !m.file_of;
  std::uint8_t flags =
      static_cast<std::uint8_t>((m.file_of ? shared_file_flag : 0) |
                                (m.dataset_of ? shared_dataset_flag : 0) | (same ? same_file_flag : 0));
  io.u8("flags", flags);
  io.require(flags < 8, "flags", "has unknown bits");
  io.require((flags & (shared_file_flag | same_file_flag)) != (shared_file_flag | same_file_flag), "flags",
             "says both that the file is the same and that it is that of another mapping");
  if constexpr (Io::decodes) {
    if ((flags & shared_file_flag) != 0) m.file_of = 0;
    if ((flags & shared_dataset_flag) != 0) m.dataset_of = 0;
    if ((flags & same_file_flag) != 0) m.file = same_file;
  }
  if ((flags & same_file_flag) == 0)
    describe_name(io, "source file", list, own, &VirtualMapping::file, &VirtualMapping::file_of);
  describe_name(io, "source dataset", list, own, &VirtualMapping::dataset, &VirtualMapping::dataset_of);
}

}  // namespace

template <class Io, Model<VirtualMappings> M>
void describe(Io& io, M& m) {
  if constexpr (Io::decodes) m = {};
  std::uint64_t count = m.mappings.size();
  io.u8("version", m.version);
  io.range("version", m.version, 0, 1);
  io.length("mappings", count);
  io.resize("mappings", m.mappings, count, least_mapping_bytes);
  for (std::size_t i = 0; i < m.mappings.size(); ++i) {
    auto& mapping = m.mappings[i];
    if (m.version == 1) {
      describe_shared_names(io, m.mappings, i);
    } else {
      io.terminated("source file", mapping.file);
      check_name(io, "source file", mapping.file);
      io.terminated("source dataset", mapping.dataset);
      check_name(io, "source dataset", mapping.dataset);
    }
    describe_selection(io, mapping.source_elements);
    describe_selection(io, mapping.virtual_elements);
  }
  io.checksum();
}

FILIGREE_DESCRIBED(VirtualMappings);

}  // namespace filigree::format
