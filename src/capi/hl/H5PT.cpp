// SPDX-License-Identifier: Apache-2.0
//
// Packet tables: datasets with one dimension that are appended to and read in order.
#include <memory>

#include <hdf5_hl.h>

#include "base/mutex.hpp"
#include "capi/hl/tables.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// The type of the ids of packet tables. As in HDF5, it exists while such ids are open.
class IdType {
 public:
  IdType() : number_(checked(H5Iregister_type(0, 0, nullptr))) {}
  ~IdType() {
    if (ids().type_exists(number_)) ids().destroy_type(number_);
  }
  IdType(const IdType&) = delete;
  IdType& operator=(const IdType&) = delete;
  H5I_type_t number() const { return number_; }

 private:
  H5I_type_t number_;
};

std::shared_ptr<IdType> id_type() {
  static Mutex mutex;
  static std::weak_ptr<IdType> in_use;
  const MutexLock lock(mutex);
  std::shared_ptr<IdType> type = in_use.lock();
  if (type == nullptr) in_use = type = std::make_shared<IdType>();
  return type;
}

/// An open packet table.
/// *Thread safety*: all functions may be called concurrently.
class PacketTable final : public Handle {
 public:
  PacketTable(OwnedId opened, OwnedId type_of_packets, hsize_t packets)
      : dataset(std::move(opened)), packet_type(std::move(type_of_packets)), size_(packets) {}
  H5I_type_t type() const override { return id_type_->number(); }

  void append(std::size_t count, const void* packets) {
    const MutexLock lock(mutex_);
    append_range(dataset, packet_type, {size_, count}, packets);
    size_ += count;
  }
  void read(RecordRange range, void* to) const {
    check_range(range, size());
    read_range(dataset, packet_type, range, to);
  }
  void read_next(std::size_t count, void* to) {
    const MutexLock lock(mutex_);
    check_range({index_, count}, size_);
    read_range(dataset, packet_type, {index_, count}, to);
    index_ += count;
  }
  hsize_t size() const {
    const MutexLock lock(mutex_);
    return size_;
  }
  hsize_t index() const {
    const MutexLock lock(mutex_);
    return index_;
  }
  void set_index(hsize_t index) {
    const MutexLock lock(mutex_);
    if (index >= size_)
      refuse("the table has " + std::to_string(size_) + " packets: there is no number " +
             std::to_string(index));
    index_ = index;
  }
  void reset_index() {
    const MutexLock lock(mutex_);
    index_ = 0;
  }

 private:
  std::shared_ptr<IdType> id_type_ = ::id_type();  // released last

 public:
  // Programs get these ids, which belong to the table.
  const OwnedId dataset, packet_type;

 private:
  mutable Mutex mutex_;
  hsize_t size_ FILIGREE_GUARDED_BY(mutex_);
  hsize_t index_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

std::shared_ptr<PacketTable> get_table(hid_t id) { return ids().get<PacketTable>(id, "a packet table"); }

/// Creates a packet table without packets.
hid_t create(hid_t loc_id, const char* path, hid_t type, hid_t creation) {
  const hsize_t none = 0, unlimited = H5S_UNLIMITED;
  const OwnedId space(H5Screate_simple(1, &none, &unlimited));
  OwnedId dataset(H5Dcreate2(loc_id, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  return ids().add(std::make_shared<PacketTable>(std::move(dataset), OwnedId(H5Tcopy(type)), none));
}

}  // namespace

hid_t H5PTcreate(hid_t loc_id, const char* dset_name, hid_t dtype_id, hsize_t chunk_size, hid_t plist_id) {
  return high_level(hid_t{H5I_INVALID_HID}, outer(__func__), [&](auto&) {
    required_argument(dset_name, "dset_name");
    const OwnedId creation(plist_id == H5P_DEFAULT ? H5Pcreate(H5P_CLS_DATASET_CREATE_ID_g)
                                                   : H5Pcopy(plist_id));
    if (chunk_size > 0) checked(H5Pset_chunk(creation, 1, &chunk_size));
    return create(loc_id, dset_name, dtype_id, creation);
  });
}

hid_t H5PTcreate_fl(hid_t loc_id, const char* dset_name, hid_t dtype_id, hsize_t chunk_size,
                    int compression) {
  return high_level(hid_t{H5I_INVALID_HID}, outer(__func__), [&](auto&) {
    required_argument(dset_name, "dset_name");
    const OwnedId creation(H5Pcreate(H5P_CLS_DATASET_CREATE_ID_g));
    checked(H5Pset_chunk(creation, 1, &chunk_size));
    constexpr int max_level = 9;
    if (compression >= 0 && compression <= max_level)
      checked(H5Pset_deflate(creation, static_cast<unsigned>(compression)));
    return create(loc_id, dset_name, dtype_id, creation);
  });
}

hid_t H5PTopen(hid_t loc_id, const char* dset_name) {
  return high_level(hid_t{H5I_INVALID_HID}, outer(__func__), [&](auto&) {
    OwnedId dataset = open_dataset(loc_id, dset_name);
    OwnedId type(H5Dget_type(dataset));
    const hsize_t packets = record_count(dataset);
    return ids().add(std::make_shared<PacketTable>(std::move(dataset), std::move(type), packets));
  });
}

herr_t H5PTclose(hid_t table_id) {
  return high_level(outer(__func__), [&](auto&) {
    get_table(table_id);
    ids().remove(table_id);
  });
}

herr_t H5PTappend(hid_t table_id, size_t nrecords, const void* data) {
  return high_level(outer(__func__), [&](auto&) {
    const auto table = get_table(table_id);
    if (nrecords > 0) table->append(nrecords, data);
  });
}

herr_t H5PTget_next(hid_t table_id, size_t nrecords, void* data) {
  return high_level(outer(__func__), [&](auto&) {
    const auto table = get_table(table_id);
    if (nrecords > 0) table->read_next(nrecords, data);
  });
}

herr_t H5PTread_packets(hid_t table_id, hsize_t start, size_t nrecords, void* data) {
  return high_level(outer(__func__), [&](auto&) {
    const auto table = get_table(table_id);
    if (nrecords > 0) table->read({start, nrecords}, data);
  });
}

herr_t H5PTcreate_index(hid_t table_id) {
  return high_level(outer(__func__), [&](auto&) { get_table(table_id)->reset_index(); });
}

herr_t H5PTset_index(hid_t table_id, hsize_t pt_index) {
  return high_level(outer(__func__), [&](auto&) { get_table(table_id)->set_index(pt_index); });
}

herr_t H5PTget_index(hid_t table_id, hsize_t* pt_index) {
  return high_level(outer(__func__), [&](auto&) {
    const auto table = get_table(table_id);
    if (pt_index != nullptr) *pt_index = table->index();
  });
}

herr_t H5PTget_num_packets(hid_t table_id, hsize_t* nrecords) {
  return high_level(outer(__func__), [&](auto&) {
    const auto table = get_table(table_id);
    if (nrecords != nullptr) *nrecords = table->size();
  });
}

herr_t H5PTis_valid(hid_t table_id) {
  return high_level(outer(__func__), [&](auto&) { get_table(table_id); });
}

herr_t H5PTis_varlen(hid_t table_id) {
  return high_level(herr_t{-1}, outer(__func__), [&](auto&) {
    return checked(H5Tget_class(get_table(table_id)->packet_type)) == H5T_VLEN ? 1 : 0;
  });
}

herr_t H5PTfree_vlen_buff(hid_t table_id, size_t bufflen, void* buff) {
  return high_level(outer(__func__), [&](auto&) {
    const auto table = get_table(table_id);
    const hsize_t count = bufflen;
    const OwnedId space(H5Screate_simple(1, &count, nullptr));
    checked(H5Dvlen_reclaim(table->packet_type, space, H5P_DEFAULT, buff));
  });
}

hid_t H5PTget_dataset(hid_t table_id) {
  return high_level(hid_t{H5I_INVALID_HID}, outer(__func__),
                    [&](auto&) -> hid_t { return get_table(table_id)->dataset; });
}

hid_t H5PTget_type(hid_t table_id) {
  return high_level(hid_t{H5I_INVALID_HID}, outer(__func__),
                    [&](auto&) -> hid_t { return get_table(table_id)->packet_type; });
}
