// SPDX-License-Identifier: Apache-2.0
#include "model/virtual/mappings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "format/codec/codec.hpp"
#include "model/file/file.hpp"
#include "space/encoding.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"

namespace filigree::model {
namespace {

using format::EncodedSelection;
using format::SelectionType;
using space::unlimited;

/// The largest size of names that many mappings share. Longer ones indicate a malicious file.
constexpr std::uint64_t most_shared_name_bytes = 1u << 28;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::invalid_argument, why); }

void require(bool holds, const char* otherwise) {
  if (!holds) refuse(otherwise);
}

/// Returns the number of elements in each step of the unlimited dimension.
std::uint64_t elements_per_step(const space::UnlimitedSlab& slab) {
  std::uint64_t product = 1;
  for (std::size_t d = 0; d < slab.dims().size(); ++d) {
    if (d == slab.dimension()) continue;
    const std::uint64_t along =
        checked_multiply(slab.dims()[d].count, slab.dims()[d].block, "the elements of a mapping");
    product = checked_multiply(product, along, "the elements of a mapping");
  }
  return product;
}

void check_numbered(const VirtualMapping& m) {
  require(m.file->numbered() || m.dataset->numbered(),
          "the virtual elements are unlimited, the source's are not, and neither name has a %b");
  const space::UnlimitedSlab& slab = *m.virtual_elements.unlimited;
  const space::SlabDimension& blocks = slab.dims()[slab.dimension()];
  require(blocks.count == unlimited, "with %b the number of blocks is what must be unlimited");
  if (m.source_elements.all()) return;
  const std::uint64_t block =
      checked_multiply(elements_per_step(slab), blocks.block, "the elements of a mapping");
  if (block != m.source_elements.fixed->elements()) {
    refuse(fmt::format("a block of the virtual elements has {}, but {} of the source are selected", block,
                       m.source_elements.fixed->elements()));
  }
}

void check_plain(const VirtualMapping& m, const std::vector<std::uint64_t>& dims) {
  require(!m.file->numbered() && !m.dataset->numbered(),
          "%b in a name needs unlimited virtual elements and a limited source");
  if (m.virtual_elements.unlimited) {
    if (elements_per_step(*m.virtual_elements.unlimited) != elements_per_step(*m.source_elements.unlimited))
      refuse("virtual and source elements differ in number in the dimensions that are not unlimited");
    return;
  }
  require(!m.source_elements.unlimited, "the source's elements are unlimited, the virtual ones are not");
  if (m.source_elements.all()) return;
  const std::uint64_t wanted =
      m.virtual_elements.all() ? space::Frame(dims).elements() : m.virtual_elements.fixed->elements();
  const std::uint64_t given = m.source_elements.fixed->elements();
  if (wanted != given)
    refuse(fmt::format("{} virtual elements are mapped to {} of the source", wanted, given));
}

void check_mapping(const VirtualMapping& m, const std::vector<std::uint64_t>& dims) {
  for (const MappedElements* side : {&m.virtual_elements, &m.source_elements})
    require(!side->fixed || side->fixed->is_set(), "points cannot be mapped");
  const auto& elements = m.virtual_elements;
  const std::size_t rank = elements.fixed       ? elements.fixed->frame().rank()
                           : elements.unlimited ? elements.unlimited->dims().size()
                                                : dims.size();
  if (rank != dims.size())
    refuse(fmt::format("virtual elements of {} dimensions, the dataset has {}", rank, dims.size()));
  m.numbered ? check_numbered(m) : check_plain(m, dims);
}

constexpr const char* mapping_end = "the end of a mapping";

/// Returns the end of a dimension of a hyperslab; 0 if nothing is selected.
std::uint64_t end_of(std::uint64_t start, std::uint64_t stride, std::uint64_t count, std::uint64_t block) {
  if (count == 0 || block == 0) return 0;
  const std::uint64_t last = checked_multiply(count - 1, stride, mapping_end);
  return checked_add(checked_add(start, last, mapping_end), block, mapping_end);
}

/// Returns the dimensions that the mapping needs, except the unlimited one.
void widen(std::vector<std::uint64_t>& least, const MappedElements& elements) {
  if (elements.fixed) {
    const auto bounds = elements.fixed->bounds();
    for (std::size_t d = 0; bounds && d < least.size(); ++d)
      least[d] = std::max(least[d], bounds->high[d] + 1);
  }
  if (!elements.unlimited) return;
  for (std::size_t d = 0; d < least.size(); ++d) {
    const space::SlabDimension& along = elements.unlimited->dims()[d];
    if (d != elements.unlimited->dimension())
      least[d] = std::max(least[d], end_of(along.start, along.stride, along.count, along.block));
  }
}

space::Release to_release(Version version) {
  switch (version) {
    case Version::earliest:
      return space::Release::earliest;
    case Version::v1_8:
      return space::Release::v18;
    case Version::v1_10:
      return space::Release::v110;
    case Version::v1_12:
      return space::Release::v112;
    case Version::v1_14:
      return space::Release::v114;
    case Version::v2_0:
      return space::Release::v200;
  }
  return space::Release::latest;
}

EncodedSelection encode_elements(const MappedElements& elements, const space::ReleaseBounds& bounds) {
  if (elements.all()) return {};
  if (elements.unlimited) return space::hdf5_encoding(*elements.unlimited, bounds);
  return space::hdf5_encoding(*elements.fixed, bounds);
}

/// Returns the smallest extent that contains the selection.
space::Frame frame_around(const EncodedSelection& s) {
  std::vector<std::uint64_t> dims(s.rank, 0);
  for (std::size_t d = 0; d < s.slab.size(); ++d) {
    const auto& along = s.slab[d];
    if (along.count != unlimited && along.block != unlimited)
      dims[d] = end_of(along.start, along.stride, along.count, along.block);
  }
  for (std::size_t i = 0; i < s.coordinates.size(); ++i)
    dims[i % s.rank] = std::max(dims[i % s.rank], checked_add(s.coordinates[i], 1, mapping_end));
  return space::Frame(std::move(dims));
}

MappedElements decode_elements(const EncodedSelection& encoded) {
  MappedElements elements;
  if (encoded.type == SelectionType::all) return elements;
  auto decoded = space::decode_selection(encoded, frame_around(encoded));
  if (decoded.unlimited) {
    elements.unlimited = std::move(decoded.unlimited);
  } else {
    elements.fixed = std::move(decoded.selection);
  }
  return elements;
}

format::VirtualMappings load_block(File& file, const format::LayoutMessage& layout) {
  if (!is_valid(layout.address)) return {};
  const Buffer bytes = file.global_heap().get(layout.address, layout.heap_index);
  return format::decode<format::VirtualMappings>(Bytes(bytes), file.store().widths(), layout.address);
}

void store_block(File& file, const format::VirtualMappings& block, format::LayoutMessage& layout) {
  layout.address = Address::undefined;
  layout.heap_index = 0;
  if (block.mappings.empty()) return;
  const store::GlobalHeapId id = file.global_heap().insert(format::encode(block, file.store().widths()));
  layout.address = id.collection;
  layout.heap_index = id.index;
}

}  // namespace

SourceName::SourceName(std::string_view stored) : parts_(1) {
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (stored[i] != '%') {
      parts_.back() += stored[i];
      continue;
    }
    const char next = i + 1 < stored.size() ? stored[i + 1] : '\0';
    if (next != 'b' && next != '%')
      refuse(fmt::format("'{}': a % must be followed by b, or by another % if it is meant", stored));
    next == 'b' ? (void)parts_.emplace_back() : (void)(parts_.back() += '%');
    ++i;
  }
}

std::string SourceName::with(std::uint64_t block) const {
  std::string name = parts_[0];
  for (std::size_t i = 1; i < parts_.size(); ++i) name += std::to_string(block) + parts_[i];
  return name;
}

CheckedMappings check_mappings(const std::vector<MappedSource>& sources,
                               const std::vector<std::uint64_t>& dims) {
  CheckedMappings checked;
  checked.least_dims.resize(dims.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    in_context([&] { return fmt::format("mapping {}", i); },
               [&] {
                 const MappedSource& source = sources[i];
                 require(!source.file.empty() && !source.dataset.empty(), "a source needs a file and a name");
                 require((source.file + source.dataset).find('\0') == std::string::npos,
                         "the name of a source holds a NUL");
                 VirtualMapping m{std::make_shared<const SourceName>(source.file),
                                  std::make_shared<const SourceName>(source.dataset),
                                  source.source_elements,
                                  source.virtual_elements,
                                  false,
                                  std::nullopt};
                 m.numbered = source.virtual_elements.unlimited && !source.source_elements.unlimited;
                 check_mapping(m, dims);
                 if (m.virtual_elements.fixed) m.bounds = m.virtual_elements.fixed->bounds();
                 widen(checked.least_dims, m.virtual_elements);
                 checked.unlimited = checked.unlimited || m.virtual_elements.unlimited;
                 checked.mappings.push_back(std::move(m));
               });
  }
  return checked;
}

void store_mappings(File& file, const std::vector<MappedSource>& sources, format::LayoutMessage& layout) {
  const VersionBounds& bounds = file.formats().bounds;
  const space::ReleaseBounds releases{to_release(bounds.low), to_release(bounds.high)};
  format::VirtualMappings block;
  for (const MappedSource& source : sources) {
    format::VirtualMapping& m = block.mappings.emplace_back();
    m.file = source.file;
    m.dataset = source.dataset;
    m.source_elements = encode_elements(source.source_elements, releases);
    m.virtual_elements = encode_elements(source.virtual_elements, releases);
  }
  store_block(file, block, layout);
}

std::vector<MappedSource> load_mappings(File& file, const format::LayoutMessage& layout, std::size_t rank) {
  format::VirtualMappings block = load_block(file, layout);
  std::vector<MappedSource> sources;
  std::uint64_t shared_bytes = 0;
  for (format::VirtualMapping& m : block.mappings) {
    MappedSource& source = sources.emplace_back();
    source.file = m.file_of ? sources[*m.file_of].file : std::move(m.file);
    source.dataset = m.dataset_of ? sources[*m.dataset_of].dataset : std::move(m.dataset);
    if (m.file_of) shared_bytes += source.file.size();
    if (m.dataset_of) shared_bytes += source.dataset.size();
    if (shared_bytes > most_shared_name_bytes)
      throw Error(ErrorKind::limit, "virtual mappings: the names that they share are too long");
    source.source_elements = decode_elements(m.source_elements);
    source.virtual_elements = decode_elements(m.virtual_elements);
    if (source.virtual_elements.fixed &&
        source.virtual_elements.fixed->kind() == space::Selection::Kind::none)
      source.virtual_elements.fixed = space::Selection::none(space::Frame(std::vector<std::uint64_t>(rank)));
  }
  return sources;
}

void copy_mappings(File& from, File& to, format::LayoutMessage& layout) {
  store_block(to, load_block(from, layout), layout);
}

}  // namespace filigree::model
