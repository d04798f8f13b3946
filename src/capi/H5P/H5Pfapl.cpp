// SPDX-License-Identifier: Apache-2.0
//
// Properties of file access, except those of drivers.
#include <algorithm>

#include "capi/H5F/mdc_config.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5P/plist_calls.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Access = FileAccessSettings;

void check_w0(double w0) {
  if (!(w0 >= 0.0 && w0 <= 1.0)) bad_value("rdcc_w0 is from 0 to 1");
}

/// Frees the image of a list with the operation that HDF5 names for it.
void remove_image(const std::shared_ptr<PropertyListHandle>& plist, H5FD_file_image_op_t op) {
  std::shared_ptr<FileImage> old;
  plist->change<Access>({"file_image_info"}, [&](auto& s) { old = std::move(s.image.image); });
  if (old != nullptr) old->release(op);
}

}  // namespace

herr_t H5Pset_libver_bounds(hid_t plist_id, H5F_libver_t low, H5F_libver_t high) {
  return api_call(plist_call("H5Pset_libver_bounds"), [&] {
    if (low < H5F_LIBVER_EARLIEST || low >= H5F_LIBVER_NBOUNDS) out_of_range("low bound is not valid");
    if (high < H5F_LIBVER_EARLIEST || high >= H5F_LIBVER_NBOUNDS) out_of_range("high bound is not valid");
    if (high == H5F_LIBVER_EARLIEST || high < low) bad_value("these bounds leave no version of the format");
    change_settings<Access>(plist_id, {"libver_low_bound", "libver_high_bound"}, [&](auto& s) {
      s.low = low;
      s.high = high;
    });
  });
}

herr_t H5Pget_libver_bounds(hid_t plist_id, H5F_libver_t* low, H5F_libver_t* high) {
  return api_call(plist_call("H5Pget_libver_bounds"), [&] {
    const auto settings = get_settings<Access>(plist_id);
    store_if(low, settings->low);
    store_if(high, settings->high);
  });
}

herr_t H5Pset_alignment(hid_t fapl_id, hsize_t threshold, hsize_t alignment) {
  return api_call(plist_call("H5Pset_alignment"), [&] {
    if (alignment < 1) bad_value("alignment must be positive");
    change_settings<Access>(fapl_id, {"threshold", "align"}, [&](auto& s) {
      s.options.alignment_threshold = threshold;
      s.options.alignment = alignment;
    });
  });
}

herr_t H5Pget_alignment(hid_t fapl_id, hsize_t* threshold, hsize_t* alignment) {
  return api_call(plist_call("H5Pget_alignment"), [&] {
    const auto settings = get_settings<Access>(fapl_id);
    store_if(threshold, settings->options.alignment_threshold);
    store_if(alignment, settings->options.alignment);
  });
}

herr_t H5Pset_meta_block_size(hid_t fapl_id, hsize_t size) {
  return api_call(plist_call("H5Pset_meta_block_size"), [&] {
    change_settings<Access>(fapl_id, {"meta_block_size"},
                            [&](auto& s) { s.options.metadata_block_bytes = size; });
  });
}

herr_t H5Pget_meta_block_size(hid_t fapl_id, hsize_t* size) {
  return api_call(plist_call("H5Pget_meta_block_size"),
                  [&] { store_if(size, get_settings<Access>(fapl_id)->options.metadata_block_bytes); });
}

herr_t H5Pset_small_data_block_size(hid_t fapl_id, hsize_t size) {
  return api_call(plist_call("H5Pset_small_data_block_size"), [&] {
    change_settings<Access>(fapl_id, {"sdata_block_size"},
                            [&](auto& s) { s.options.small_data_block_bytes = size; });
  });
}

herr_t H5Pget_small_data_block_size(hid_t fapl_id, hsize_t* size) {
  return api_call(plist_call("H5Pget_small_data_block_size"),
                  [&] { store_if(size, get_settings<Access>(fapl_id)->options.small_data_block_bytes); });
}

herr_t H5Pset_sieve_buf_size(hid_t fapl_id, size_t size) {
  return api_call(plist_call("H5Pset_sieve_buf_size"), [&] {
    change_settings<Access>(fapl_id, {"sieve_buf_size"}, [&](auto& s) { s.sieve_bytes = size; });
  });
}

herr_t H5Pget_sieve_buf_size(hid_t fapl_id, size_t* size) {
  return api_call(plist_call("H5Pget_sieve_buf_size"),
                  [&] { store_if(size, get_settings<Access>(fapl_id)->sieve_bytes); });
}

herr_t H5Pset_metadata_read_attempts(hid_t plist_id, unsigned attempts) {
  return api_call(plist_call("H5Pset_metadata_read_attempts"), [&] {
    if (attempts == 0) bad_value("number of metadata read attempts must be greater than 0");
    change_settings<Access>(plist_id, {"metadata_read_attempts"},
                            [&](auto& s) { s.metadata_read_attempts = attempts; });
  });
}

herr_t H5Pget_metadata_read_attempts(hid_t plist_id, unsigned* attempts) {
  return api_call(plist_call("H5Pget_metadata_read_attempts"), [&] {
    if (attempts != nullptr) *attempts = std::max(1u, get_settings<Access>(plist_id)->metadata_read_attempts);
  });
}

herr_t H5Pset_cache(hid_t plist_id, int mdc_nelmts, size_t rdcc_nslots, size_t rdcc_nbytes, double rdcc_w0) {
  return api_call(plist_call("H5Pset_cache"), [&] {
    check_w0(rdcc_w0);
    change_settings<Access>(plist_id, {"rdcc_nslots", "rdcc_nbytes", "rdcc_w0"}, [&](auto& s) {
      s.metadata_elements = mdc_nelmts;
      s.cache_slots = rdcc_nslots;
      s.cache_bytes = rdcc_nbytes;
      s.cache_w0 = rdcc_w0;
    });
  });
}

herr_t H5Pget_cache(hid_t plist_id, int* mdc_nelmts, size_t* rdcc_nslots, size_t* rdcc_nbytes,
                    double* rdcc_w0) {
  return api_call(plist_call("H5Pget_cache"), [&] {
    const auto settings = get_settings<Access>(plist_id);
    store_if(mdc_nelmts, 0);  // HDF5 has not used this value since version 1.6.
    store_if(rdcc_nslots, settings->cache_slots);
    store_if(rdcc_nbytes, settings->cache_bytes);
    store_if(rdcc_w0, settings->cache_w0);
  });
}

herr_t H5Pset_fclose_degree(hid_t fapl_id, H5F_close_degree_t degree) {
  return api_call(plist_call("H5Pset_fclose_degree"), [&] {
    change_settings<Access>(fapl_id, {"close_degree"}, [&](auto& s) { s.close_degree = degree; });
  });
}

herr_t H5Pget_fclose_degree(hid_t fapl_id, H5F_close_degree_t* degree) {
  return api_call(plist_call("H5Pget_fclose_degree"),
                  [&] { store_if(degree, get_settings<Access>(fapl_id)->close_degree); });
}

herr_t H5Pset_file_locking(hid_t fapl_id, hbool_t use_file_locking, hbool_t ignore_when_disabled) {
  return api_call(
      property_call("H5Pset_file_locking", &H5E_CANTREGISTER_g, "not a file access property list"), [&] {
        change_settings<Access>(fapl_id, {"use_file_locking", "ignore_disabled_file_locks"}, [&](auto& s) {
          s.use_locking = use_file_locking;
          s.ignore_disabled_locks = ignore_when_disabled;
          s.locking_given = true;
        });
      });
}

herr_t H5Pget_file_locking(hid_t fapl_id, hbool_t* use_file_locking, hbool_t* ignore_when_disabled) {
  return api_call(
      property_call("H5Pget_file_locking", &H5E_CANTREGISTER_g, "not a file access property list"), [&] {
        const auto settings = get_settings<Access>(fapl_id);
        store_if(use_file_locking, settings->use_locking);
        store_if(ignore_when_disabled, settings->ignore_disabled_locks);
      });
}

herr_t H5Pset_page_buffer_size(hid_t plist_id, size_t buf_size, unsigned min_meta_per, unsigned min_raw_per) {
  return api_call(plist_call("H5Pset_page_buffer_size"), [&] {
    const auto plist = find_plist<Access>(plist_id);
    if (min_meta_per > 100) bad_value("min_meta_per is at most 100");
    if (min_raw_per > 100) bad_value("min_raw_per is at most 100");
    if (min_meta_per + min_raw_per > 100) bad_value("min_meta_per and min_raw_per are at most 100 together");
    plist->change<Access>({"page_buffer_size", "page_buffer_min_meta_perc", "page_buffer_min_raw_perc"},
                          [&](auto& s) {
                            s.options.page_buffer_bytes = buf_size;
                            s.options.page_buffer_metadata_percent = min_meta_per;
                            s.options.page_buffer_raw_percent = min_raw_per;
                          });
  });
}

herr_t H5Pget_page_buffer_size(hid_t plist_id, size_t* buf_size, unsigned* min_meta_perc,
                               unsigned* min_raw_perc) {
  return api_call(plist_call("H5Pget_page_buffer_size"), [&] {
    const auto settings = get_settings<Access>(plist_id);
    store_if(buf_size, settings->options.page_buffer_bytes);
    store_if(min_meta_perc, settings->options.page_buffer_metadata_percent);
    store_if(min_raw_perc, settings->options.page_buffer_raw_percent);
  });
}

herr_t H5Pset_mdc_config(hid_t plist_id, H5AC_cache_config_t* config_ptr) {
  const ApiFunction entry("H5Pset_mdc_config", {&H5E_ARGS_g, &H5E_BADVALUE_g},
                          "invalid metadata cache configuration");
  return api_call(entry, [&] {
    const auto plist = ids().find_as<PropertyListHandle>(plist_id);
    if (plist == nullptr || dynamic_cast<const Access*>(plist->settings().get()) == nullptr)
      throw Failure({&H5E_ID_g, &H5E_BADID_g}, "not a file access property list");
    check_mdc_config(config_ptr);
    plist->change<Access>({"mdc_initCacheCfg"}, [&](auto& s) {
      s.mdc_config = *config_ptr;
      if (config_ptr->max_size != default_mdc_config().max_size)
        s.options.metadata_cache_bytes = config_ptr->max_size;
    });
  });
}

herr_t H5Pget_mdc_config(hid_t plist_id, H5AC_cache_config_t* config_ptr) {
  return api_call(plist_call("H5Pget_mdc_config"), [&] {
    const auto settings = get_settings<Access>(plist_id);
    required(config_ptr, "config_ptr");
    if (config_ptr->version != H5AC__CURR_CACHE_CONFIG_VERSION)
      bad_value("unknown version of the configuration");
    *config_ptr = settings->mdc_config.value_or(default_mdc_config());
  });
}

herr_t H5Pset_elink_file_cache_size(hid_t plist_id, unsigned efc_size) {
  return api_call(plist_call("H5Pset_elink_file_cache_size"), [&] {
    change_settings<Access>(plist_id, {"efc_size"}, [&](auto& s) { s.external_file_cache = efc_size; });
  });
}

herr_t H5Pget_elink_file_cache_size(hid_t plist_id, unsigned* efc_size) {
  return api_call(plist_call("H5Pget_elink_file_cache_size"),
                  [&] { store_if(efc_size, get_settings<Access>(plist_id)->external_file_cache); });
}

herr_t H5Pset_file_image(hid_t fapl_id, void* buf_ptr, size_t buf_len) {
  return api_call(plist_call("H5Pset_file_image"), [&] {
    if ((buf_ptr == nullptr) != (buf_len == 0)) bad_value("buf_ptr and buf_len contradict each other");
    constexpr auto op = H5FD_FILE_IMAGE_OP_PROPERTY_LIST_SET;
    const auto plist = find_plist<Access>(fapl_id);
    remove_image(plist, op);
    if (buf_len == 0) return;
    plist->change<Access>({"file_image_info"}, [&](auto& s) {
      void* const memory =
          copy_image(*s.image.functions, {static_cast<const std::byte*>(buf_ptr), buf_len}, op);
      s.image.image = std::make_shared<FileImage>(s.image.functions, memory, buf_len);
    });
  });
}

herr_t H5Pget_file_image(hid_t fapl_id, void** buf_ptr_ptr, size_t* buf_len_ptr) {
  return api_call(plist_call("H5Pget_file_image"), [&] {
    const auto settings = get_settings<Access>(fapl_id);
    const ImageSetting& image = settings->image;
    store_if(buf_len_ptr, image.bytes().size());
    if (buf_ptr_ptr == nullptr) return;
    constexpr auto op = H5FD_FILE_IMAGE_OP_PROPERTY_LIST_GET;
    *buf_ptr_ptr = image.empty() ? nullptr : copy_image(*image.functions, image.bytes(), op);
  });
}

herr_t H5Pset_file_image_callbacks(hid_t fapl_id, H5FD_file_image_callbacks_t* callbacks_ptr) {
  return api_call(plist_call("H5Pset_file_image_callbacks"), [&] {
    const auto plist = find_plist<Access>(fapl_id);
    required(callbacks_ptr, "callbacks_ptr");
    if (callbacks_ptr->udata != nullptr &&
        (callbacks_ptr->udata_copy == nullptr || callbacks_ptr->udata_free == nullptr))
      throw Failure({&H5E_PLIST_g, &H5E_SETDISALLOWED_g}, "udata needs udata_copy and udata_free");
    const auto replace = [&](std::shared_ptr<const ImageFunctions> functions) {
      plist->change<Access>({"file_image_info"}, [&](auto& s) {
        if (!s.image.empty())
          throw Failure({&H5E_PLIST_g, &H5E_SETDISALLOWED_g}, "the list holds the image of a file already");
        s.image.functions = std::move(functions);
      });
    };
    replace(std::make_shared<const ImageFunctions>());  // HDF5 frees the old user data first
    replace(std::make_shared<const ImageFunctions>(*callbacks_ptr));
  });
}

herr_t H5Pget_file_image_callbacks(hid_t fapl_id, H5FD_file_image_callbacks_t* callbacks_ptr) {
  return api_call(plist_call("H5Pget_file_image_callbacks"), [&] {
    const auto settings = get_settings<Access>(fapl_id);
    const H5FD_file_image_callbacks_t& held = settings->image.functions->callbacks();
    *required(callbacks_ptr, "callbacks_ptr") = held;
    if (held.udata != nullptr) callbacks_ptr->udata = held.udata_copy(held.udata);
  });
}

herr_t H5Pset_family_offset(hid_t fapl_id, hsize_t offset) {
  return api_call(plist_call("H5Pset_family_offset"), [&] {
    if (fapl_id == H5P_DEFAULT) bad_value("can't set values in default property list");
    change_settings<Access>(fapl_id, {"family_offset"}, [&](auto& s) { s.family_offset = offset; });
  });
}

herr_t H5Pget_family_offset(hid_t fapl_id, hsize_t* offset) {
  return api_call(plist_call("H5Pget_family_offset"), [&] {
    if (fapl_id == H5P_DEFAULT) bad_value("can't get values of default property list");
    store_if(offset, get_settings<Access>(fapl_id)->family_offset);
  });
}

herr_t H5Pset_multi_type(hid_t fapl_id, H5FD_mem_t type) {
  return api_call(plist_call("H5Pset_multi_type"), [&] {
    if (fapl_id == H5P_DEFAULT) bad_value("can't set values in default property list");
    change_settings<Access>(fapl_id, {"multi_type"}, [&](auto& s) { s.multi_type = type; });
  });
}

herr_t H5Pget_multi_type(hid_t fapl_id, H5FD_mem_t* type) {
  return api_call(plist_call("H5Pget_multi_type"), [&] {
    if (fapl_id == H5P_DEFAULT) bad_value("can't get values of default property list");
    store_if(type, get_settings<Access>(fapl_id)->multi_type);
  });
}

// References do not own what they refer to, so there is nothing to collect: HDF5 only keeps the value, too.
herr_t H5Pset_gc_references(hid_t fapl_id, unsigned gc_ref) {
  return api_call(plist_call("H5Pset_gc_references"), [&] {
    change_settings<Access>(fapl_id, {"gc_ref"}, [&](auto& s) { s.garbage_references = gc_ref; });
  });
}

herr_t H5Pget_gc_references(hid_t fapl_id, unsigned* gc_ref) {
  return api_call(plist_call("H5Pget_gc_references"),
                  [&] { store_if(gc_ref, get_settings<Access>(fapl_id)->garbage_references); });
}

herr_t H5Pset_relax_file_integrity_checks(hid_t plist_id, uint64_t flags) {
  return api_call({"H5Pset_relax_file_integrity_checks",
                   {&H5E_ARGS_g, &H5E_BADVALUE_g},
                   "plist_id is not a file access property list"},
                  [&] {
                    if (plist_id == H5P_DEFAULT) bad_value("can't modify default property list");
                    if ((flags & ~std::uint64_t{H5F_RFIC_ALL}) != 0) bad_value("invalid flags");
                    change_settings<Access>(plist_id, {}, [&](auto& s) { s.relaxed_checks = flags; });
                  });
}

herr_t H5Pget_relax_file_integrity_checks(hid_t plist_id, uint64_t* flags) {
  return api_call({"H5Pget_relax_file_integrity_checks",
                   {&H5E_ARGS_g, &H5E_BADVALUE_g},
                   "plist_id is not a file access property list"},
                  [&] { store_if(flags, get_settings<Access>(plist_id)->relaxed_checks); });
}
