// SPDX-License-Identifier: Apache-2.0
//
// Iteration over selections as sequences of offsets and lengths.
#include <optional>

#include "base/mutex.hpp"
#include "capi/H5S/dataspace.hpp"
#include "space/pattern_segments.hpp"
#include "space/sequences.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

class IteratorHandle final : public Handle {
 public:
  IteratorHandle(space::Selection iterated, std::size_t bytes, unsigned how,
                 std::optional<space::PatternIterator> begun = std::nullopt)
      : element_bytes(bytes), flags(how), selection(std::move(iterated)), patterns(std::move(begun)) {}
  H5I_type_t type() const override { return H5I_SPACE_SEL_ITER; }

  const std::size_t element_bytes;
  const unsigned flags;
  Mutex mutex;
  space::Selection selection FILIGREE_GUARDED_BY(mutex);
  std::optional<space::SequenceIterator> sequences FILIGREE_GUARDED_BY(mutex);
  std::optional<space::PatternIterator> patterns FILIGREE_GUARDED_BY(mutex);

  void reset(space::Selection iterated) FILIGREE_REQUIRES(mutex) {
    selection = std::move(iterated);
    sequences.reset();
    patterns.reset();
  }
};

std::shared_ptr<IteratorHandle> get_iterator(hid_t id) {
  return ids().get<IteratorHandle>(id, "a dataspace selection iterator");
}

space::SequenceIterator& sequences_of(IteratorHandle& handle) FILIGREE_REQUIRES(handle.mutex) {
  if (!handle.sequences) {
    const bool sorted = (handle.flags & H5S_SEL_ITER_GET_SEQ_LIST_SORTED) != 0;
    handle.sequences.emplace(handle.selection, handle.element_bytes,
                             sorted ? space::SequenceOrder::ascending : space::SequenceOrder::as_selected);
  }
  return *handle.sequences;
}

space::PatternIterator& patterns_of(IteratorHandle& handle) FILIGREE_REQUIRES(handle.mutex) {
  if (!handle.patterns) handle.patterns.emplace(handle.selection, handle.element_bytes);
  return *handle.patterns;
}

}  // namespace

hid_t H5Ssel_iter_create(hid_t spaceid, size_t elmt_size, unsigned flags) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTCREATE_g}, "can't create selection iterator"}, [&] {
    const auto value = get_space(spaceid);
    if (elmt_size == 0) bad_value("element size must be greater than 0");
    constexpr unsigned known = H5S_SEL_ITER_GET_SEQ_LIST_SORTED | H5S_SEL_ITER_SHARE_WITH_DATASPACE;
    if ((flags & ~known) != 0) bad_value("invalid selection iterator flag");
    return ids().add(std::make_shared<IteratorHandle>(valid_selection(*value, "the"), elmt_size, flags));
  });
}

herr_t H5Ssel_iter_get_seq_list(hid_t sel_iter_id, size_t maxseq, size_t maxelmts, size_t* nseq,
                                size_t* nelmts, hsize_t* off, size_t* len) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTGET_g}, "sequence length generation failed"}, [&] {
    const auto handle = get_iterator(sel_iter_id);
    required(nseq, "nseq");
    required(nelmts, "nelmts");
    required(off, "off");
    required(len, "len");
    const MutexLock lock(handle->mutex);
    std::vector<space::ByteRun> runs(maxseq);
    const space::SequenceCount got = sequences_of(*handle).fill(runs, maxelmts);
    for (std::size_t i = 0; i < got.sequences; ++i) {
      off[i] = runs[i].offset;
      len[i] = runs[i].length;
    }
    *nseq = got.sequences;
    *nelmts = got.elements;
  });
}

herr_t H5Ssel_iter_reset(hid_t sel_iter_id, hid_t space_id) {
  return api_call(
      {__func__, {&H5E_DATASPACE_g, &H5E_CANTINIT_g}, "unable to re-initialize selection iterator"}, [&] {
        const auto handle = get_iterator(sel_iter_id);
        space::Selection iterated = valid_selection(*get_space(space_id), "the");
        const MutexLock lock(handle->mutex);
        handle->reset(std::move(iterated));
      });
}

herr_t H5Ssel_iter_close(hid_t sel_iter_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTDEC_g}, "unable to close selection iterator"}, [&] {
    get_iterator(sel_iter_id);
    ids().release(sel_iter_id);
  });
}

herr_t H5Ssel_iter_get_pattern_segment(hid_t sel_iter, H5S_sel_pattern_segment_t* segment,
                                       hbool_t* complete) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTGET_g}, "can't get pattern segment"}, [&] {
    const auto handle = get_iterator(sel_iter);
    required(segment, "segment");
    const MutexLock lock(handle->mutex);
    space::PatternIterator& patterns = patterns_of(*handle);
    space::PatternSegment next = patterns.next();
    *segment = {};
    segment->start = next.start;
    segment->stride = next.stride;
    segment->count = next.count;
    segment->block = next.block;
    segment->sub_pattern_size = next.sub_pattern_size;
    segment->sub_pattern_iter = H5I_INVALID_HID;
    segment->udata = next.udata;
    if (next.sub_pattern_iter) {
      segment->sub_pattern_iter = ids().add(std::make_shared<IteratorHandle>(
          handle->selection, handle->element_bytes, handle->flags, std::move(next.sub_pattern_iter)));
    }
    if (complete != nullptr) *complete = patterns.complete();
  });
}

herr_t H5Ssel_iter_pattern_cache_udata(hid_t sel_iter, void* udata) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTSET_g}, "can't keep user data"}, [&] {
    const auto handle = get_iterator(sel_iter);
    const MutexLock lock(handle->mutex);
    patterns_of(*handle).cache_udata(udata);
  });
}
