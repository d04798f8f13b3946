// SPDX-License-Identifier: Apache-2.0
//
// Visitors of the structures of a file. Each reads what is at an address, notes its findings and ranges in
// the walk, and returns or passes on what it leads to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/btrees/btree1.hpp"
#include "format/codec/inspect.hpp"
#include "format/messages/attribute.hpp"
#include "format/messages/attribute_info.hpp"
#include "format/messages/datatype.hpp"
#include "format/messages/file_messages.hpp"
#include "format/messages/link.hpp"
#include "format/object_header/message_type.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

class FileWalk;

/// Superblock, driver information, and what the superblock extension leads to.
void visit_file_structures(FileWalk& walk);
void visit_free_space_managers(FileWalk& walk, const format::FileSpaceInfo& info);
void visit_shared_messages(FileWalk& walk, const format::SharedMessageTableInfo& info);

/// An object header with all messages, and what they lead to. Returns false if there is no object header.
bool visit_object(FileWalk& walk, Address header);
/// The blocks and messages of a header, without its links, attributes and elements. Null if it is damaged.
std::shared_ptr<const store::HeaderEntry> visit_header(FileWalk& walk, Address header);
/// Returns the body of a message, which may be shared; empty after a finding.
std::optional<Buffer> resolve_message(FileWalk& walk, Address header, format::MessageType type, Bytes body);
/// Decodes the body of a message as far as its type is known. Throws: Error.
void decode_message(format::MessageType type, Bytes body, const format::Widths& widths, Address where);
/// The fields of a message; none if the type is not known.
format::Inspection inspect_message(format::MessageType type, Bytes body, const format::Widths& widths);
/// The fields of the block of an object header at an address, damaged or not. `shape` is that of the header
/// for continuation blocks; the block is the first one without it.
format::Inspection inspect_header_block(Bytes block, const format::Widths& widths,
                                        const store::HeaderEntry* header);

void visit_symbol_table(FileWalk& walk, const format::SymbolTableMessage& message);
/// The root group as superblocks of versions 0 and 1 repeat it.
void check_root_entry(FileWalk& walk);
void visit_dense_links(FileWalk& walk, const format::LinkInfo& info);
void visit_link(FileWalk& walk, const format::LinkMessage& link);
void visit_dense_attributes(FileWalk& walk, const format::AttributeInfo& info);
/// An attribute of the current owner: its datatype, dataspace and values.
void visit_attribute(FileWalk& walk, Address where, const format::AttributeMessage& attribute);

/// References and heap values in stored elements. `structure` and `where` are named in findings.
void visit_values(FileWalk& walk, std::string_view structure, Address where,
                  const format::DatatypeMessage& type, Bytes elements);

/// The storage of a dataset: layout, chunk index, external files.
void visit_dataset(FileWalk& walk, Address header);

/// The nodes of a version 1 B-tree. Calls `leaf` for each node of level 0.
void visit_btree1(FileWalk& walk, Address root, const format::BTree1Node& like,
                  FunctionRef<void(const format::BTree1Node&)> leaf);
/// The header and nodes of a version 2 B-tree, the records of which have the given type. Calls `record` for
/// those of all sound nodes, in order. Returns whether everything is sound.
bool visit_btree2(FileWalk& walk, Address header, std::uint8_t type, FunctionRef<void(Bytes)> record);
/// A local heap. Returns the bytes of its data segment; nothing after a finding.
std::optional<Buffer> visit_local_heap(FileWalk& walk, Address at);
/// The header and blocks of a fractal heap, its free space and huge objects. Returns whether all is sound.
bool visit_fractal_heap(FileWalk& walk, Address header);
void visit_fixed_array(FileWalk& walk, Address header);
void visit_extensible_array(FileWalk& walk, Address header);

}  // namespace filigree::model
