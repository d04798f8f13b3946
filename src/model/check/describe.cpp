// SPDX-License-Identifier: Apache-2.0
#include "model/check/describe.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>

#include "base/bytes.hpp"
#include "format/btrees/btree1.hpp"
#include "format/btrees/btree2.hpp"
#include "format/btrees/symbol_node.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "format/free_space/free_space.hpp"
#include "format/heaps/fractal_heap.hpp"
#include "format/heaps/global_heap.hpp"
#include "format/heaps/local_heap.hpp"
#include "format/object_header/shared_message_index.hpp"
#include "format/superblock/superblock.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"
#include "model/file/file.hpp"

namespace filigree::model {
namespace {

using format::Inspection;

constexpr std::uint64_t most_bytes = 65536;

/// Decodes the bytes as one kind of structure, with the parameters that are known of the file alone.
using Inspect = Inspection (*)(const File& file, Bytes bytes);

template <class T>
Inspection inspect_as(const File& file, Bytes bytes) {
  T model;
  return format::inspect(model, bytes, file.store().widths());
}

Inspection inspect_header(const File& file, Bytes bytes) {
  return inspect_header_block(bytes, file.store().widths(), nullptr);
}

/// The type in the bytes decides; keys of chunks have a size that only the dataset knows.
Inspection inspect_btree1(const File& file, Bytes bytes) {
  format::BTree1Node node;
  const bool of_chunks = bytes.size() > 4 && bytes[4] == std::byte{1};
  node.type = of_chunks ? format::BTree1Type::chunk : format::BTree1Type::group;
  node.k = of_chunks ? file.superblock().chunk_k : file.superblock().group_internal_k;
  Inspection found = format::inspect(node, bytes, file.store().widths());
  constexpr std::size_t fields_before_keys = 6;
  if (!of_chunks) return found;
  found.fields.resize(std::min(found.fields.size(), fields_before_keys));
  found.fault = "the keys of chunks depend on the dataset, which is not known";
  return found;
}

Inspection inspect_symbol_node(const File& file, Bytes bytes) {
  format::SymbolNode node;
  node.leaf_k = file.superblock().group_leaf_k;
  return format::inspect(node, bytes, file.store().widths());
}

/// The fields before the first one that depends on the owner of the structure.
template <class T>
Inspection inspect_start(const File& file, Bytes bytes) {
  Inspection found = inspect_as<T>(file, bytes);
  if (!found.fault.empty() || found.fields.size() > 4) {
    constexpr std::size_t known_fields = 4;
    found.fields.resize(std::min(found.fields.size(), known_fields));
    found.fault = "the other fields depend on the owner of this structure, which is not known";
  }
  return found;
}

struct Kind {
  std::string_view name;
  std::string_view signature;  ///< empty if there is none
  Inspect inspect;
};

constexpr std::array kinds{
    Kind{"superblock", format::superblock_signature, inspect_as<format::Superblock>},
    Kind{"object header", format::object_header_signature, inspect_header},
    Kind{"version 1 B-tree node", "TREE", inspect_btree1},
    Kind{"symbol table node", "SNOD", inspect_symbol_node},
    Kind{"local heap", "HEAP", inspect_as<format::LocalHeapPrefix>},
    Kind{"global heap collection", "GCOL", inspect_as<format::GlobalHeapHeader>},
    Kind{"version 2 B-tree header", "BTHD", inspect_as<format::BTree2Header>},
    Kind{"fractal heap header", "FRHP", inspect_as<format::FractalHeapHeader>},
    Kind{"fractal heap direct block", "FHDB", inspect_start<format::FractalHeapDirectPrefix>},
    Kind{"fractal heap indirect block", "FHIB", inspect_start<format::FractalHeapIndirectBlock>},
    Kind{"free-space manager header", "FSHD", inspect_as<format::FreeSpaceHeader>},
    Kind{"free-space section list", "FSSE", inspect_start<format::FreeSpaceList>},
    Kind{"fixed array header", "FAHD", inspect_as<format::FixedArrayHeader>},
    Kind{"fixed array data block", "FADB", inspect_start<format::FixedArrayBlock>},
    Kind{"extensible array header", "EAHD", inspect_as<format::ExtensibleArrayHeader>},
    Kind{"extensible array index block", "EAIB", inspect_start<format::ExtensibleArrayIndexBlock>},
    Kind{"extensible array super block", "EASB", inspect_start<format::ExtensibleArraySuperBlock>},
    Kind{"extensible array data block", "EADB", inspect_start<format::ExtensibleArrayDataBlock>},
};

const Kind* find_kind(std::string_view name) {
  const auto found = std::ranges::find(kinds, name, &Kind::name);
  return found == kinds.end() ? nullptr : &*found;
}

const Kind* find_signature(Bytes bytes) {
  const auto found = std::ranges::find_if(kinds, [&](const Kind& kind) {
    return !kind.signature.empty() && as_text(bytes).starts_with(kind.signature);
  });
  return found == kinds.end() ? nullptr : &*found;
}

StructureDescription describe_as(const File& file, const Kind& kind, std::uint64_t address, Bytes bytes) {
  StructureDescription description;
  description.structure = kind.name;
  description.address = address;
  Inspection inspection = kind.inspect(file, bytes);
  for (format::InspectedField& field : inspection.fields)
    description.fields.push_back({field.offset, field.bytes, std::move(field.name), std::move(field.value)});
  description.fault = std::move(inspection.fault);
  if (!description.fields.empty())
    description.bytes = description.fields.back().offset + description.fields.back().bytes;
  return description;
}

std::optional<StructureDescription> find_free_section(const File& file, std::uint64_t address) {
  for (const FreeSection& section : file.free_sections()) {
    if (section.address > address || address - section.address >= section.bytes) continue;
    StructureDescription description;
    description.structure = "free section";
    description.address = section.address;
    description.bytes = section.bytes;
    description.is_linked = true;
    return description;
  }
  return std::nullopt;
}

std::optional<StructureDescription> find_by_walk(File& file, std::uint64_t address) {
  CheckOptions options;
  options.most_findings = 0;
  FileWalk walk(file, options);
  walk.want(address);
  walk.run();
  return std::move(walk.description());
}

}  // namespace

StructureDescription describe_structure(File& file, std::uint64_t address, std::string_view as) {
  const Kind* kind = as.empty() ? nullptr : find_kind(as);
  if (!as.empty() && kind == nullptr) {
    throw Error(ErrorKind::invalid_argument, fmt::format("'{}' is no kind of structure; there are: {}", as,
                                                         fmt::join(structure_kinds(), ", ")));
  }
  const store::FileStore& store = file.store();
  if (store.available(to_address(address)) == 0)
    throw Error(ErrorKind::invalid_argument, "the address is beyond the end of the file");
  const Buffer bytes = store.read_up_to(to_address(address), most_bytes, "bytes");
  if (kind == nullptr) {
    if (auto found = find_by_walk(file, address)) return *std::move(found);
    if (auto free = find_free_section(file, address)) return *std::move(free);
    kind = find_signature(bytes);
  }
  if (kind != nullptr) return describe_as(file, *kind, address, bytes);
  StructureDescription nothing;
  nothing.address = address;
  nothing.structure = "unused";
  nothing.fault = "nothing leads to this address, and no signature is there";
  return nothing;
}

std::vector<std::string> structure_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

}  // namespace filigree::model
