// SPDX-License-Identifier: Apache-2.0
//
// HDF5's pass-through connector. Its info names the next connector; its objects are those of the native one.
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "capi/H5VL/native_objects.hpp"
#include "capi/core/strings.hpp"

namespace filigree::capi {
namespace {

using Info = H5VL_pass_through_info_t;

void* copy_info(const void* from) {
  return native_call<void*>(nullptr, [&]() -> void* {
    const auto& info = *static_cast<const Info*>(required(from, "info"));
    const auto next = get_connector(info.under_vol_id);
    void* const below = copy_connector_info(next->functions(), info.under_vol_info);
    ids().retain(info.under_vol_id);
    auto* const made = static_cast<Info*>(std::calloc(1, sizeof(Info)));
    if (made == nullptr) throw std::bad_alloc();
    *made = {info.under_vol_id, below};
    return made;
  });
}

herr_t compare_infos(int* result, const void* a, const void* b) {
  return native_call(herr_t{-1}, [&] {
    const auto &one = *static_cast<const Info*>(a), &two = *static_cast<const Info*>(b);
    const auto next = get_connector(one.under_vol_id);
    *result = compare_connectors(next->functions(), get_connector(two.under_vol_id)->functions());
    if (*result == 0)
      *result = compare_connector_infos(next->functions(), one.under_vol_info, two.under_vol_info);
    return 0;
  });
}

herr_t free_info(void* old) {
  return native_call(herr_t{-1}, [&] {
    auto* const info = static_cast<Info*>(old);
    if (const auto next = ids().find_as<ConnectorHandle>(info->under_vol_id)) {
      free_connector_info(next->functions(), info->under_vol_info);
      ids().release(info->under_vol_id);
    }
    std::free(info);
    return 0;
  });
}

herr_t info_to_text(const void* from, char** text) {
  return native_call(herr_t{-1}, [&] {
    const auto& info = *static_cast<const Info*>(from);
    const auto next = get_connector(info.under_vol_id);
    char* below = nullptr;
    if (info.under_vol_info != nullptr && next->functions().info_cls.to_str != nullptr)
      next->functions().info_cls.to_str(info.under_vol_info, &below);
    *text = new_string(fmt::format("under_vol={};under_info={{{}}}",
                                   static_cast<unsigned>(next->functions().value),
                                   below == nullptr ? "" : below));
    std::free(below);
    return 0;
  });
}

/// Reads "under_vol=VALUE;under_info={TEXT}".
herr_t text_to_info(const char* text, void** made) {
  return native_call(herr_t{-1}, [&] {
    unsigned value = 0;
    const char* const open = std::strchr(required(text, "str"), '{');
    const char* const close = std::strrchr(text, '}');
    if (std::sscanf(text, "under_vol=%u;", &value) != 1 || open == nullptr || close == nullptr ||
        close < open)
      bad_value(fmt::format("'{}' is not of the form under_vol=VALUE;under_info={{TEXT}}", text));
    const hid_t next = H5VLregister_connector_by_value(static_cast<int>(value), H5P_DEFAULT);
    if (next < 0) return -1;
    const std::string below(open + 1, close);
    Info info{next, nullptr};
    const auto& functions = get_connector(next)->functions();
    if (!below.empty() && functions.info_cls.from_str != nullptr &&
        functions.info_cls.from_str(below.c_str(), &info.under_vol_info) < 0) {
      ids().release(next);
      return -1;
    }
    auto* const copy = static_cast<Info*>(std::calloc(1, sizeof(Info)));
    if (copy == nullptr) throw std::bad_alloc();
    *copy = info;
    *made = copy;
    return 0;
  });
}

herr_t get_class(void*, H5VL_get_conn_lvl_t level, const H5VL_class_t** found) {
  *found = level == H5VL_GET_CONN_LVL_CURR ? &pass_through_class() : &native_class();
  return 0;
}

herr_t get_capabilities(const void* info, uint64_t* found) {
  return native_call(herr_t{-1}, [&] {
    const auto& next = *static_cast<const Info*>(required(info, "info"));
    *found = capabilities(get_connector(next.under_vol_id)->functions(), next.under_vol_info);
    return 0;
  });
}

H5VL_class_t make_class() {
  H5VL_class_t made = native_class();
  made.value = H5VL_PASSTHRU_VALUE;
  made.name = H5VL_PASSTHRU_NAME;
  made.conn_version = H5VL_PASSTHRU_VERSION;
  made.cap_flags = 0;  // those of the next connector count
  made.info_cls = {sizeof(Info), copy_info, compare_infos, free_info, info_to_text, text_to_info};
  made.introspect_cls.get_conn_cls = get_class;
  made.introspect_cls.get_cap_flags = get_capabilities;
  return made;
}

}  // namespace

const H5VL_class_t& pass_through_class() {
  static const H5VL_class_t made = make_class();
  return made;
}

}  // namespace filigree::capi
