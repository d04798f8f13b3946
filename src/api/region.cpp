// SPDX-License-Identifier: Apache-2.0
//
// Region references: a global heap object that holds the dataset and an encoded selection.
#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>

#include "api/inside.hpp"
#include "api/selection_access.hpp"
#include "base/bytes.hpp"
#include "format/codec/codec.hpp"
#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/object/object.hpp"
#include "space/encoding.hpp"
#include "store/file_store.hpp"

namespace filigree {
namespace {

// In memory a reference has an 8-byte address, whatever the size of addresses in the file.
constexpr unsigned address_bytes = 8;

RegionReference to_reference(const type::HeapObject& object) {
  RegionReference reference;
  store_word(reference.bytes.data(), to_number(object.collection), address_bytes);
  store_word(reference.bytes.data() + address_bytes, object.index, 4);
  return reference;
}

type::HeapObject to_heap_object(const RegionReference& reference) {
  return {to_address(load_word(reference.bytes.data(), address_bytes)),
          static_cast<std::uint32_t>(load_word(reference.bytes.data() + address_bytes, 4))};
}

space::ReleaseBounds release_bounds(const model::File& file) {
  const VersionBounds& bounds = file.formats().bounds;
  return {static_cast<space::Release>(bounds.low), static_cast<space::Release>(bounds.high)};
}

}  // namespace

RegionReference Dataset::region_reference(const Selection& selection) {
  return api::exclusively(
      *impl_->file(), [&] { return fmt::format("making a reference to a region of {}", impl_->text()); },
      [&] {
        model::File& file = *impl_->file();
        const model::Change change(file, "make a reference to a region");
        const format::Widths widths = file.store().widths();
        const space::Selection elements = api::to_space(selection, space().dims());
        const auto encoded = space::hdf5_encoding(elements, release_bounds(file));
        Buffer content(widths.offset_bytes);
        store_word(content.data(), address(), widths.offset_bytes);
        const Buffer body = format::encode(encoded, widths);
        content.insert(content.end(), body.begin(), body.end());
        return to_reference(model::HeapFileValues(file).store(content));
      });
}

Region File::open_region(const RegionReference& reference) const {
  return api::inside(
      *impl_, [&] { return fmt::format("following a reference to a region in '{}'", name()); },
      [&] {
        const type::HeapObject object = to_heap_object(reference);
        if (!is_valid(object.collection) || to_number(object.collection) == 0)
          throw Error(ErrorKind::not_found, "it points nowhere");
        model::HeapFileValues values(*impl_, 1);
        const auto content = values.fetch(object);
        const unsigned width = impl_->store().widths().offset_bytes;
        if (content.bytes.size() < width)
          throw Error(ErrorKind::corrupt, "the description of the region ends in the dataset's address");
        const std::uint64_t at = load_word(content.bytes.data(), width);
        const Dataset dataset(open_object(ObjectReference{at}));
        const space::Frame frame(dataset.space().dims());
        space::DecodedSelection decoded = space::decode_selection(content.bytes.subspan(width), frame);
        return Region{dataset, api::SelectionAccess::make(std::move(decoded.selection))};
      });
}

}  // namespace filigree
