// SPDX-License-Identifier: Apache-2.0
//
// Properties of dataset access and dataset transfer.
#include "capi/H5P/properties/tables.hpp"

namespace filigree::capi {
namespace {

using Dapl = DatasetAccessSettings;
using Dxpl = TransferSettings;

/// A size of the chunk cache. The default, which stands for that of the file, is encoded as a zero byte.
template <auto Field>
void encode_cache_size(PlistCoder& coder, Settings& settings) {
  constexpr auto usual = static_cast<std::size_t>(-1);
  auto& value = field<Field>(settings);
  if (coder.writing()) {
    std::uint8_t none = 0;
    value == usual ? coder.byte(none) : coder.number(value);
  } else if (*coder.at() == std::byte{0}) {
    std::uint8_t none = 0;
    coder.byte(none);
    value = usual;
  } else {
    coder.number(value);
  }
}

template <auto Field>
constexpr LibraryProperty cache_size(const char* name) {
  return scalar<std::size_t, Field>(name).encoded(encode_cache_size<Field>);
}

template <auto Field>
constexpr LibraryProperty prefix(const char* name) {
  return opaque(name, sizeof(char*))
      .compared<Field>()
      .encoded(encode_field<Field, Encoding::string>)
      .kept_on_copy();
}

constexpr LibraryProperty dataset_access[] = {
    scalar<double, FILIGREE_FIELD(Dapl, cache_w0), Encoding::real>("rdcc_w0"),
    prefix<FILIGREE_FIELD(Dapl, virtual_prefix)>("vds_prefix"),
    prefix<FILIGREE_FIELD(Dapl, external_prefix)>("external file prefix"),
    opaque("append_flush", 280)
        .compared<FILIGREE_FIELD(Dapl, append_boundary), FILIGREE_FIELD(Dapl, append_callback),
                  FILIGREE_FIELD(Dapl, append_data)>(),
    choice<int, FILIGREE_FIELD(Dapl, view), H5D_VDS_LAST_AVAILABLE>("vds_view"),
    scalar<hsize_t, FILIGREE_FIELD(Dapl, printf_gap), Encoding::number>("vds_printf_gap"),
    cache_size<FILIGREE_FIELD(Dapl, cache_bytes)>("rdcc_nbytes"),
    cache_size<FILIGREE_FIELD(Dapl, cache_slots)>("rdcc_nslots"),
    unnamed<FILIGREE_FIELD(Dapl, spatial_tree)>().encoded_as(
        "tree", encode_choice<FILIGREE_FIELD(Dapl, spatial_tree), 1>),
};

void encode_ratios(PlistCoder& coder, Settings& settings) {
  coder.size_mark(8);
  for (double& ratio : dynamic_cast<Dxpl&>(settings).btree_ratios) coder.plain_real(ratio);
}

constexpr LibraryProperty dataset_transfer[] = {
    scalar<std::uint32_t, FILIGREE_FIELD(Dxpl, global_no_collective_cause)>("global_no_collective_cause"),
    scalar<void*, FILIGREE_FIELD(Dxpl, background_buffer)>("bkgr_buf"),
    scalar<unsigned, FILIGREE_FIELD(Dxpl, chunk_opt_ratio), Encoding::word>("mpio_chunk_opt_ratio"),
    scalar<std::array<double, 3>, FILIGREE_FIELD(Dxpl, btree_ratios)>("btree_split_ratio")
        .encoded(encode_ratios),
    scalar<int, FILIGREE_FIELD(Dxpl, actual_io_mode)>("actual_io_mode"),
    scalar<std::size_t, FILIGREE_FIELD(Dxpl, buffer_bytes), Encoding::number>("max_temp_buf"),
    scalar<std::uint32_t, FILIGREE_FIELD(Dxpl, local_no_collective_cause)>("local_no_collective_cause"),
    scalar<int, FILIGREE_FIELD(Dxpl, actual_chunk_opt)>("actual_chunk_opt_mode"),
    scalar<void*, FILIGREE_FIELD(Dxpl, allocate_info)>("vlen_alloc_info"),
    choice<int, FILIGREE_FIELD(Dxpl, edc), H5Z_ENABLE_EDC>("err_detect"),
    scalar<H5MM_allocate_t, FILIGREE_FIELD(Dxpl, allocate)>("vlen_alloc"),
    scalar<int, FILIGREE_FIELD(Dxpl, collective_opt), Encoding::byte>("mpio_collective_opt"),
    scalar<void*, FILIGREE_FIELD(Dxpl, conversion_buffer)>("tconv_buf"),
    choice<int, FILIGREE_FIELD(Dxpl, background), H5T_BKG_YES>("bkgr_buf_type"),
    opaque("data_transform", 8)
        .compared<FILIGREE_FIELD(Dxpl, expression)>()
        .encoded(encode_field<FILIGREE_FIELD(Dxpl, expression), Encoding::string_with_nul>)
        .kept_on_copy(),
    scalar<std::size_t, FILIGREE_FIELD(Dxpl, vector_size), Encoding::number>("vec_size"),
    scalar<H5MM_free_t, FILIGREE_FIELD(Dxpl, release)>("vlen_free"),
    scalar<int, FILIGREE_FIELD(Dxpl, chunk_opt), Encoding::byte>("mpio_chunk_opt_hard"),
    opaque("type_conv_cb", 16)
        .compared<FILIGREE_FIELD(Dxpl, conversion_callback), FILIGREE_FIELD(Dxpl, conversion_data)>(),
    opaque("filter_cb", 16)
        .compared<FILIGREE_FIELD(Dxpl, filter_callback), FILIGREE_FIELD(Dxpl, filter_data)>(),
    scalar<unsigned, FILIGREE_FIELD(Dxpl, chunk_opt_num), Encoding::word>("mpio_chunk_opt_num"),
    scalar<void*, FILIGREE_FIELD(Dxpl, release_info)>("vlen_free_info"),
    choice<int, FILIGREE_FIELD(Dxpl, transfer_mode), H5FD_MPIO_COLLECTIVE>("io_xfer_mode"),
    unnamed<FILIGREE_FIELD(Dxpl, preserve), FILIGREE_FIELD(Dxpl, modify_write_buffer),
            FILIGREE_FIELD(Dxpl, dataset_io_selection), FILIGREE_FIELD(Dxpl, selection_io)>(),
};

}  // namespace

std::span<const LibraryProperty> dataset_access_properties() { return dataset_access; }
std::span<const LibraryProperty> dataset_transfer_properties() { return dataset_transfer; }

}  // namespace filigree::capi
