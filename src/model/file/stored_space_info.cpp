// SPDX-License-Identifier: Apache-2.0
#include "model/file/stored_space_info.hpp"

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/free_space/free_space.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"
#include "store/space/file_space.hpp"

namespace filigree::model {

SpaceOptions StoredSpaceInfo::options() const {
  SpaceOptions options;
  options.strategy = static_cast<SpaceStrategy>(fields_.strategy);
  options.persist = fields_.persist;
  options.threshold = fields_.threshold;
  options.page_bytes = fields_.page_bytes;
  return options;
}

void StoredSpaceInfo::set_options(const SpaceOptions& options) {
  fields_.strategy = static_cast<format::FileSpaceStrategy>(options.strategy);
  fields_.page_bytes = options.page_bytes;
  const bool tracks =
      options.strategy == SpaceStrategy::free_list || options.strategy == SpaceStrategy::paged;
  if (tracks) {
    fields_.persist = options.persist;
    fields_.threshold = options.threshold;
  }
  present_ = options.strategy != SpaceStrategy::free_list || fields_.persist || fields_.threshold != 1 ||
             options.page_bytes != 4096;
}

void StoredSpaceInfo::set_fields(const format::FileSpaceInfo& fields) {
  fields_ = fields;
  present_ = true;
  // As in HDF5: version 0 has a meaningless threshold where free space is not managed.
  if (fields.version == 0 && fields.strategy != format::FileSpaceStrategy::managers_and_aggregators)
    fields_.threshold = format::FileSpaceInfo{}.threshold;
}

void StoredSpaceInfo::write(store::FileStore& store, Address extension) const {
  store::ObjectHeader(store, extension)
      .set(format::MessageType::file_space_info,
           format::message_flag::mark_if_unknown | format::message_flag::dont_share,
           format::encode(fields_, store.widths()));
}

void StoredSpaceInfo::remove(store::FileStore& store, Address extension) {
  store::ObjectHeader(store, extension).remove(format::MessageType::file_space_info);
  present_ = false;
}

FreeSpaceBytes StoredSpaceInfo::managed_bytes(const store::FileStore& store) const {
  FreeSpaceBytes bytes;
  const format::Widths& widths = store.widths();
  const std::size_t header_bytes = format::encoded_bytes(format::FreeSpaceHeader{}, widths);
  for (const Address at : fields_.managers) {
    if (!is_valid(at)) continue;
    try {
      const Buffer body = store.read(at, header_bytes, format::FreeSpaceHeader::structure);
      const auto header = format::decode<format::FreeSpaceHeader>(body, widths, at);
      bytes.free += header.free_bytes;
      bytes.metadata += header_bytes + header.list_allocated_bytes;
    } catch (const Error&) {
      // As in load_free_space().
    }
  }
  return bytes;
}

void StoredSpaceInfo::load_free_space(store::FileStore& store, store::FileSpace& space, Address extension) {
  if (!present_ || !fields_.persist) return;
  try {
    space.restore(store, fields_.managers, fields_.end_before_free_space);
  } catch (const Error&) {
    // The space stays unused.
  }
  fields_.managers = format::FileSpaceInfo::undefined_managers();
  fields_.end_before_free_space = Address::undefined;
  write(store, extension);
}

void StoredSpaceInfo::save_free_space(store::FileStore& store, store::FileSpace& space, Address extension) {
  if (!present_ || !fields_.persist) return space.finish();
  const store::SavedFreeSpace saved = space.save(store);
  fields_.version = 1;
  fields_.managers = saved.managers;
  fields_.end_before_free_space = saved.end_before;
  write(store, extension);
}

}  // namespace filigree::model
