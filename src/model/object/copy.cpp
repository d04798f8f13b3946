// SPDX-License-Identifier: Apache-2.0
#include "model/object/copy.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/context.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/dataset/copy.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/link/group_filters.hpp"
#include "model/link/link_table.hpp"
#include "model/object/copy_references.hpp"
#include "model/object/merged_datatypes.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::LinkKind;
using format::MessageType;

namespace {

/// One copy call. Every object is copied once. As in HDF5, the tree below an object is copied before its next
/// sibling, because the order decides which objects references reach first. Only chains of references use the
/// call stack.
class Copier {
 public:
  Copier(File& to, const CopyOptions& options) : to_(to), options_(options), merged_(to, options_) {}

  Address copy(const ObjectLocation& source) {
    const Address copied = shell(source);
    finish(0);
    return copied;
  }

  void copy_contents(const ObjectLocation& root, const ContentsHooks& hooks) {
    hooks_ = &hooks;
    copied_[{root.file.get(), to_number(root.header)}] = to_.root();
    copy_comment(*root.file, root.header, to_.root());
    copy_attributes(*root.file, root.header, to_.root());
    unfinished_.push_back({root, to_.root(), {}});
    finish(0);
    for (std::size_t i = 0; i < referring_.size(); ++i) {
      copy_references(Referring(referring_[i]));  // may add committed datatypes that have no link
      finish(0);
    }
  }

 private:
  /// An object whose copy is incomplete: remaining links of a group, then references in attributes. Without
  /// expand_references, all links of a group are copied at once.
  struct Unfinished {
    ObjectLocation from;
    Address made;
    std::deque<LinkMessage> links;
  };

  /// Completes all pending objects except the first `kept`, in reverse order.
  void finish(std::size_t kept) {
    while (unfinished_.size() > kept) {
      Unfinished& last = unfinished_.back();
      if (last.links.empty()) {
        const auto [from, made, none] = std::move(last);
        unfinished_.pop_back();
        options_.expand_references ? expand_attributes(from, made) : copy_links(from, made);
        continue;
      }
      const LinkMessage link = std::move(last.links.front());
      last.links.pop_front();
      LinkTable target(to_, last.made);
      copy_link(ObjectLocation(last.from), link, target);
    }
  }

  /// Creates a copy without links, which finish() completes.
  Address shell(const ObjectLocation& source) {
    File& from = *source.file;
    const auto [known, fresh] = copied_.try_emplace({&from, to_number(source.header)}, Address::undefined);
    if (!fresh) return known->second;
    const bool fill = !options_.shallow || copied_.size() == 1;
    Address made = find_merged(source);
    if (is_valid(made)) {
      add_link_to(to_, made);
      return copied_[{&from, to_number(source.header)}] = made;
    }
    switch (object_kind(from, source.header)) {
      case ObjectKind::group:
        made = group_shell(source);
        break;
      case ObjectKind::datatype:
        made = copy_committed_datatype(source);
        break;
      case ObjectKind::dataset:
        made = dataset_shell(source);
        break;
    }
    copied_[{&from, to_number(source.header)}] = made;
    copy_comment(from, source.header, made);
    if (!options_.without_attributes) copy_attributes(from, source.header, made);
    if (hooks_ != nullptr && object_kind(from, source.header) == ObjectKind::dataset &&
        has_references(Dataset(from, source.header).messages().type))
      referring_.push_back({source, made, false});
    expand_elements(source, made);
    const bool is_group = fill && object_kind(from, source.header) == ObjectKind::group;
    if (options_.expand_references)
      unfinished_.push_back({source, made, is_group ? links_of(source) : std::deque<LinkMessage>{}});
    else if (is_group)
      unfinished_.push_back({source, made, {}});
    return made;
  }

  /// Returns an equal committed datatype of the destination.
  Address find_merged(const ObjectLocation& source) {
    if (!options_.merge_datatypes || object_kind(*source.file, source.header) != ObjectKind::datatype)
      return Address::undefined;
    return merged_.find(adapted(object_datatype(*source.file, source.header)));
  }

  /// As HDF5, which expands only references in attributes if source and destination are one file.
  void expand_elements(const ObjectLocation& source, Address made) {
    if (!options_.expand_references || source.file.get() == &to_ ||
        object_kind(*source.file, source.header) != ObjectKind::dataset)
      return;
    translate_dataset_references(*source.file, source.header, to_, made, [&](Address header) {
      return referred({source.file, header, ""});
    });
  }

  void expand_attributes(const ObjectLocation& source, Address made) {
    if (options_.without_attributes) return;
    translate_attribute_references(*source.file, source.header, to_, made, [&](Address header) {
      return referred({source.file, header, ""});
    });
  }

  /// Returns the copy of the target of a reference and increments its reference count. A target that was not
  /// copied before is linked in the root group.
  Address referred(const ObjectLocation& source) {
    if (copied_.contains({source.file.get(), to_number(source.header)})) return linked(source);
    if (!exists(source)) return Address::undefined;
    if (const Address there = find_merged(source); is_valid(there))
      return copied_[{source.file.get(), to_number(source.header)}] = there;
    const std::size_t before = unfinished_.size();
    const Address made = shell(source);
    // Long chains of references are completed later, in another order than in HDF5, which overflows its
    // stack.
    if (++nested_ < most_nested) finish(before);
    --nested_;
    add_link_to(to_, made);
    LinkMessage link;
    link.name = fmt::format("~obj_pointed_by_{}", to_number(made));
    link.header = made;
    LinkTable(to_, to_.root()).insert(link);
    return made;
  }

  /// An object of copy_contents() whose references are copied last, when all their targets have copies.
  struct Referring {
    ObjectLocation from;
    Address made;
    bool attributes = false;  ///< none are copied yet; otherwise the elements are meant
  };

  void copy_references(const Referring& object) {
    File& from = *object.from.file;
    const auto copy_of = [&](Address header) {
      const auto found = copied_.find({&from, to_number(header)});
      return found == copied_.end() ? Address::undefined : found->second;
    };
    const auto doing = [&] {
      return fmt::format("copying references of the object at {:#x}", to_number(object.from.header));
    };
    in_context(doing, [&] {
      if (object.attributes)
        insert_attributes(from, object.from.header, object.made, copy_of);
      else
        translate_contained_references(from, object.from.header, to_, object.made, copy_of);
    });
  }

  /// Returns whether the target of a reference still exists.
  static bool exists(const ObjectLocation& location) {
    try {
      object_kind(*location.file, location.header);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  static AttributeStorage attribute_storage(const store::HeaderEntry& header) {
    AttributeStorage like;
    like.track_order = header.shape.attribute_order_tracked;
    like.index_order = header.shape.attribute_order_indexed;
    if (header.shape.attribute_phase) {
      like.max_compact = header.shape.attribute_phase->max_compact;
      like.min_dense = header.shape.attribute_phase->min_dense;
    }
    return like;
  }

  Address copy_committed_datatype(const ObjectLocation& source) {
    const auto header = store::ObjectHeader(source.file->store(), source.header).load();
    const format::DatatypeMessage type = adapted(object_datatype(*source.file, source.header));
    const Address made = create_committed_datatype(to_, type, {attribute_storage(*header), true});
    if (options_.merge_datatypes) merged_.add(type, made);
    return made;
  }

  Address group_shell(const ObjectLocation& source) {
    const GroupState state = LinkTable(*source.file, source.header).state();
    const auto header = store::ObjectHeader(source.file->store(), source.header).load();
    GroupOptions like;
    like.track_order = state.info.tracks_order;
    like.index_order = state.info.indexes_order;
    like.max_compact = state.phase().max_compact;
    like.min_dense = state.phase().min_dense;
    const auto estimate = state.group.estimate.value_or(format::LinkEstimate{});
    like.expected_links = estimate.entries;
    like.expected_name_bytes = estimate.name_bytes;
    like.attributes = attribute_storage(*header);
    like.filters = decode_group_filters(stored_group_filters(*source.file, source.header), source.header);
    const Address made = LinkTable::create_group(to_, like);
    return made;
  }

  template <class See>
  static void for_each_link(const ObjectLocation& group, See see) {
    const LinkTable source(*group.file, group.header);
    const auto see_all = [&](const LinkMessage& link) {
      see(link);
      return true;
    };
    if (source.state().info.tracks_order)
      source.for_each(IndexBy::creation_order, Direction::ascending, see_all);
    else
      source.for_each_stored(see_all);
  }

  static std::deque<LinkMessage> links_of(const ObjectLocation& group) {
    std::deque<LinkMessage> links;
    for_each_link(group, [&](const LinkMessage& link) { links.push_back(link); });
    return links;
  }

  void copy_links(const ObjectLocation& from, Address made) {
    LinkTable target(to_, made);
    for_each_link(from, [&](const LinkMessage& link) { copy_link(from, link, target); });
  }

  void copy_link(const ObjectLocation& group, const LinkMessage& link, LinkTable& target) {
    LinkMessage made = link;
    std::optional<ObjectLocation> leads_to;
    if (link.kind == LinkKind::hard) {
      leads_to = ObjectLocation{group.file, link.header, group.path + "/" + link.name};
    } else if ((link.kind == LinkKind::soft && options_.expand_soft) ||
               (link.kind == LinkKind::external && options_.expand_external)) {
      leads_to = find_object(group, link.name);
    }
    if (leads_to && hooks_ != nullptr && hooks_->leave_out && hooks_->leave_out(*leads_to)) return;
    if (leads_to) {
      made = {};
      made.name = link.name;
      made.charset = link.charset;
      made.header = linked(*leads_to);
    }
    target.insert(made);
  }

  /// Returns the copy of an object with its reference count incremented.
  Address linked(const ObjectLocation& source) {
    const bool known = copied_.contains({source.file.get(), to_number(source.header)});
    const Address made = shell(source);
    if (known) add_link_to(to_, made);
    return made;
  }

  format::DatatypeMessage adapted(format::DatatypeMessage type) const {
    adapt_to_widths(type, to_.store().widths().offset_bytes);
    return type;
  }

  static void adapt_to_widths(format::DatatypeMessage& type, std::uint8_t offset_bytes) {
    if (type.type_class == format::TypeClass::variable_length) type.size = 8u + offset_bytes;
    for (auto& base : type.base) adapt_to_widths(base, offset_bytes);
  }

  void require_same_widths(File& from, const format::DatatypeMessage& type) const {
    if (from.store().widths().offset_bytes == to_.store().widths().offset_bytes || !has_heap_values(type))
      return;
    throw Error(ErrorKind::unsupported,
                "variable-length values cannot be copied between files of different offset sizes");
  }

  void copy_comment(File& from, Address header, Address made) {
    if (const auto text = object_comment(from, header)) set_object_comment(to_, made, *text);
  }

  /// Attributes keep their order, so that those of an object are copied later if one of them refers.
  void copy_attributes(File& from, Address header, Address made) {
    const bool all_now = hooks_ == nullptr ||
                         AttributeTable(from, header).for_each_stored([&](const StoredAttribute& attribute) {
                           return !has_references(attribute_datatype(from, attribute.message));
                         });
    if (all_now)
      insert_attributes(from, header, made, [](Address) { return Address::undefined; });
    else
      referring_.push_back({{from.shared_from_this(), header, ""}, made, true});
  }

  void insert_attributes(File& from, Address header, Address made, CopyOf copy_of) {
    AttributeTable target(to_, made);
    const AttributeTable source(from, header);
    const bool ordered = source.order_tracked();
    source.for_each(ordered ? IndexBy::creation_order : IndexBy::name, Direction::ascending,
                    [&](const StoredAttribute& attribute) {
                      target.insert(copy_attribute(from, attribute.message, copy_of));
                      return true;
                    });
  }

  format::AttributeMessage copy_attribute(File& from, const format::AttributeMessage& attribute,
                                          CopyOf copy_of) {
    const format::DatatypeMessage type = attribute_datatype(from, attribute);
    const format::DataspaceMessage space = attribute_dataspace(from, attribute);
    require_same_widths(from, type);
    // This is first because it checks that the message has as many elements as its dataspace.
    const Bytes elements = format::attribute_elements(attribute, type, space);
    format::AttributeMessage made =
        make_attribute(to_, attribute.name, adapted(type), space, committed_copy(from, attribute));
    set_charset(to_, made, attribute.character_set);
    made.data.assign(elements.begin(), elements.end());
    if (hooks_ != nullptr)
      copy_with_references(from, to_, type, made.data, copy_of);
    else
      copy_heap_values(from, to_, type, made.data);
    return made;
  }

  /// Returns the committed datatype of the copy of an attribute, or Address::undefined. As in HDF5, it is a
  /// copy even within one file, and has no link unless it is in the copied tree.
  Address committed_copy(File& from, const format::AttributeMessage& attribute) {
    if (!attribute.shared_datatype) return Address::undefined;
    const auto reference = format::decode<format::SharedReference>(attribute.datatype, from.store().widths());
    if (reference.kind != format::SharedKind::header) return Address::undefined;
    return linked({from.shared_from_this(), reference.header, ""});
  }

  /// Copies a dataset without attributes. As for attributes, a committed datatype is copied even within one
  /// file.
  Address dataset_shell(const ObjectLocation& source) {
    File& from = *source.file;
    const Dataset dataset(from, source.header);
    const DatasetMessages& parts = dataset.messages();
    require_same_widths(from, parts.type);
    const Address committed =
        is_valid(parts.committed) ? linked({source.file, parts.committed, ""}) : Address::undefined;
    if (hooks_ != nullptr) {
      const Address made = hooks_->copy_dataset(source, committed);
      if (is_valid(made)) return made;
    }
    return copy_dataset(dataset, to_, adapted(parts.type), committed);
  }

  struct Key {
    const File* file;
    std::uint64_t header;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      return std::hash<const void*>()(k.file) ^ std::hash<std::uint64_t>()(k.header);
    }
  };

  File& to_;
  const CopyOptions options_;
  std::unordered_map<Key, Address, Hash> copied_;
  MergedDatatypes merged_;
  std::vector<Unfinished> unfinished_;
  const ContentsHooks* hooks_ = nullptr;  ///< of copy_contents(); null for other copies
  std::vector<Referring> referring_;
  static constexpr unsigned most_nested = 64;
  unsigned nested_ = 0;  ///< references that are being followed from each other
};

}  // namespace

Address copy_object(const ObjectLocation& source, File& to, const CopyOptions& options) {
  return Copier(to, options).copy(source);
}

void copy_contents(File& from, File& to, const ContentsHooks& hooks) {
  Copier(to, {}).copy_contents({from.shared_from_this(), from.root(), ""}, hooks);
}

}  // namespace filigree::model
