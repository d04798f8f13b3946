// SPDX-License-Identifier: Apache-2.0
//
// Conversion between datatypes, by the conversions of the library and by user-defined ones.
#include <algorithm>
#include <cstring>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "capi/H5T/conversions.hpp"

namespace filigree::capi {

using namespace filigree::type;

namespace {

type::Rules rules() { return {type::Rules::hdf5, &user_conversions()}; }

CMemory memory_of(const TransferSettings& settings) {
  return {settings.allocate, settings.release, settings.allocate_info, settings.release_info};
}

void convert(const DatatypeMessage& from, const DatatypeMessage& to, std::size_t count, void* buffer,
             void* background, hid_t plist) {
  const auto transfer = get_settings<TransferSettings>(plist, "a transfer property list");
  const TransferSettings& settings = *transfer;
  const type::ConversionPointer conversion = type::prepare(from, to, rules());
  if (const auto path = path_of(*conversion))
    return path->convert(count, buffer, background, plist == H5P_DEFAULT ? H5P_LST_DATASET_XFER_ID_g : plist);
  if (count == 0 || conversion->traits().copies) return;
  if (conversion->traits().partial && background == nullptr)
    throw Failure(type_bad_value(), "some members have no source, and there is no background for them");
  CMemory memory = memory_of(settings);
  const type::FaultHandler on_fault = fault_handler(settings);
  type::Context context;
  context.memory = &memory;
  if (on_fault) context.on_fault = &on_fault;
  auto* const bytes = static_cast<std::byte*>(buffer);
  const std::size_t from_bytes = checked_multiply(count, from.size, "the values to convert");
  const std::vector<std::byte> source(bytes, bytes + from_bytes);
  if (background != nullptr) std::memcpy(buffer, background, checked_multiply(count, to.size, "the results"));
  conversion->apply({source.data(), from.size, bytes, to.size, count}, context);
}

bool has_compound(const DatatypeMessage& type) {
  return type.type_class == format::TypeClass::compound ||
         (!type.base.empty() && has_compound(type.base.front()));
}

/// The function that H5Tfind returns for conversions of the library.
herr_t our_conversion(hid_t from_id, hid_t to_id, H5T_cdata_t* data, size_t count, size_t stride, size_t,
                      void* buffer, void* background, hid_t plist) {
  return api_call({"H5Tconvert", type_cant_init(), "unable to convert"}, [&] {
    if (data == nullptr || data->command != H5T_CONV_CONV) return;
    if (stride != 0) bad_value("values with a stride are not converted by this function");
    convert(*get_type(from_id)->value.get(), *get_type(to_id)->value.get(), count, buffer, background, plist);
  });
}

/// Returns the conversion data of H5Tfind. *Invalidates* the data of the previous call in this thread.
H5T_cdata_t* conversion_data_of(const type::Conversion& conversion, const DatatypeMessage& to) {
  thread_local H5T_cdata_t data;
  data = {};
  data.command = H5T_CONV_CONV;
  data.need_bkg = conversion.traits().partial ? H5T_BKG_YES : has_compound(to) ? H5T_BKG_TEMP : H5T_BKG_NO;
  return &data;
}

/// Whether the type is a number of C, which the compiler converts.
bool is_native_number(const DatatypeMessage& type) {
  const hid_t natives[] = {
      H5T_NATIVE_SCHAR_g,   H5T_NATIVE_UCHAR_g, H5T_NATIVE_SHORT_g,  H5T_NATIVE_USHORT_g, H5T_NATIVE_INT_g,
      H5T_NATIVE_UINT_g,    H5T_NATIVE_LONG_g,  H5T_NATIVE_ULONG_g,  H5T_NATIVE_LLONG_g,  H5T_NATIVE_ULLONG_g,
      H5T_NATIVE_FLOAT16_g, H5T_NATIVE_FLOAT_g, H5T_NATIVE_DOUBLE_g, H5T_NATIVE_LDOUBLE_g};
  return std::ranges::any_of(natives,
                             [&](hid_t id) { return format::same_type(*get_type(id)->value.get(), type); });
}

/// Returns the type of an id, or null for an invalid id, which means any type to H5Tunregister.
std::shared_ptr<const DatatypeMessage> any_or(hid_t id) {
  return id <= 0 ? nullptr : get_type(id)->value.get();
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;

herr_t H5Tconvert(hid_t src_id, hid_t dst_id, size_t nelmts, void* buf, void* background, hid_t plist_id) {
  return api_call({"H5Tconvert", type_cant_init(), "unable to convert between the datatypes"}, [&] {
    const auto from = get_type(src_id)->value.get(), to = get_type(dst_id)->value.get();
    if (nelmts != 0) required(buf, "buf");
    convert(*from, *to, nelmts, buf, background, plist_id);
  });
}

herr_t H5Tregister(H5T_pers_t pers, const char* name, hid_t src_id, hid_t dst_id, H5T_conv_t func) {
  return api_call({"H5Tregister", type_cant_init(), "unable to register the conversion"}, [&] {
    if (pers != H5T_PERS_HARD && pers != H5T_PERS_SOFT) bad_value("pers is neither hard nor soft");
    required_string(name, "name");
    const auto from = get_type(src_id)->value.get(), to = get_type(dst_id)->value.get();
    if (func == nullptr) bad_value("func cannot be NULL");
    user_conversions().add({pers == H5T_PERS_HARD, name, *from, *to, func, nullptr});
  });
}

herr_t H5Tunregister(H5T_pers_t pers, const char* name, hid_t src_id, hid_t dst_id, H5T_conv_t func) {
  return api_call({"H5Tunregister", type_cant_init(), "unable to unregister the conversion"}, [&] {
    const auto from = any_or(src_id), to = any_or(dst_id);
    user_conversions().remove(pers, name, from.get(), to.get(), func);
  });
}

H5T_conv_t H5Tfind(hid_t src_id, hid_t dst_id, H5T_cdata_t** pcdata) {
  const Code not_found{&H5E_DATATYPE_g, &H5E_NOTFOUND_g};
  return api_call_or(H5T_conv_t{nullptr}, {"H5Tfind", not_found, "there is no conversion"}, [&] {
    const auto from = get_type(src_id)->value.get(), to = get_type(dst_id)->value.get();
    required(pcdata, "pcdata");
    const auto conversion = filigree::type::prepare(*from, *to, rules());
    if (const auto path = path_of(*conversion)) {
      *pcdata = const_cast<H5T_cdata_t*>(&path->data);
      return path->function;
    }
    *pcdata = conversion_data_of(*conversion, *to);
    return H5T_conv_t{our_conversion};
  });
}

htri_t H5Tcompiler_conv(hid_t src_id, hid_t dst_id) {
  const Code not_found{&H5E_DATATYPE_g, &H5E_NOTFOUND_g};
  return api_call({"H5Tcompiler_conv", not_found, "there is no conversion"}, [&]() -> htri_t {
    const auto from = get_type(src_id)->value.get(), to = get_type(dst_id)->value.get();
    const auto conversion = filigree::type::prepare(*from, *to, rules());
    if (path_of(*conversion) != nullptr) return user_conversions().has_hard(*from, *to) ? 1 : 0;
    if (filigree::format::same_type(*from, *to)) return 0;
    return is_native_number(*from) && is_native_number(*to) ? 1 : 0;
  });
}

herr_t H5Treclaim(hid_t type_id, hid_t space_id, hid_t plist_id, void* buf) {
  return api_call({"H5Treclaim", {&H5E_DATATYPE_g, &H5E_CANTFREE_g}, "unable to free the values"}, [&] {
    const auto type = ids().find_as<TypeHandle>(type_id);
    if (type == nullptr) bad_type("not a datatype");
    const auto space = get_space(space_id);
    const auto settings = get_settings<TransferSettings>(plist_id, "a transfer property list");
    required(buf, "buf");
    reclaim_values(*type->value.get(), *space, *settings, buf);
  });
}
