// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/converted_io.hpp"

#include <cstring>
#include <vector>

#include <filigree/error.hpp>

#include "api/type_access.hpp"
#include "capi/H5D/converted_values.hpp"
#include "capi/H5D/packed_values.hpp"
#include "capi/H5T/datatype.hpp"

namespace filigree::capi {
namespace {

using Values = std::vector<std::byte>;

/// Looks up conversions, and records whether a user-defined one was found.
class RecordingConversions final : public type::CustomConversions {
 public:
  type::ConversionPointer find(const DatatypeMessage& from, const DatatypeMessage& to) const override {
    type::ConversionPointer found = user_conversions().find(from, to);
    if (found != nullptr) used_ = true;
    return found;
  }
  bool used() const { return used_; }

 private:
  mutable bool used_ = false;
};

/// Returns the memory form of the type of a dataset or attribute.
DatatypeMessage memory_type_of(const Datatype& type) {
  return memory_form(api::TypeAccess::impl(type).message);
}

/// Returns whether the conversion keeps parts of the values that the result already has.
bool needs_background(const type::Conversion& conversion) {
  const auto path = path_of(conversion);
  return path == nullptr || path->data.need_bkg != H5T_BKG_NO;
}

/// Converts `values`. `result` holds the background before, and the converted values after.
void apply(const type::Conversion& conversion, const Values& values, Values& result, std::uint64_t count,
           const TransferSettings& settings, hid_t plist) {
  CMemory memory{settings.allocate, settings.release, settings.allocate_info, settings.release_info};
  const type::FaultHandler on_fault = fault_handler(settings);
  type::Context context;
  context.memory = &memory;
  if (on_fault) context.on_fault = &on_fault;
  const TransferPlistScope in_use(plist);
  const std::uint32_t from = conversion.traits().from_bytes, to = conversion.traits().to_bytes;
  conversion.apply({values.data(), from, result.data(), to, static_cast<std::size_t>(count)}, context);
}

/// Frees the variable-length data of results when the scope ends.
class Reclaimed {
 public:
  Reclaimed(const ConvertedSide& side, Values& result) : side_(side), result_(result) {}
  ~Reclaimed() {
    try {
      side_.reclaim_rest(result_);
    } catch (...) {  // A failure here only leaks memory.
    }
  }
  Reclaimed(const Reclaimed&) = delete;
  Reclaimed& operator=(const Reclaimed&) = delete;

 private:
  const ConvertedSide& side_;
  Values& result_;
};

}  // namespace

type::ConversionPointer user_conversion(const DatatypeMessage& from, const DatatypeMessage& to) {
  if (user_conversions().empty()) return nullptr;
  const RecordingConversions watched;
  try {
    type::ConversionPointer conversion = type::prepare(from, to, {type::Rules::hdf5, &watched});
    return watched.used() ? conversion : nullptr;
  } catch (const Error&) {  // The C++ API reports it with more context.
    return nullptr;
  }
}

bool read_converted(const ConvertedElements& elements, const DatatypeMessage& memory_type, void* memory) {
  if (user_conversions().empty()) return false;  // before anything is decoded
  const DatatypeMessage stored = memory_type_of(elements.dataset.datatype());
  const auto conversion = user_conversion(stored, memory_type);
  if (conversion == nullptr) return false;
  Values values = buffer_for(stored.size, elements.count);
  elements.dataset.read_elements(api::TypeAccess::make(stored), values.data(), elements.count,
                                 elements.selection, packed(elements.options));
  Values result = gather(memory, memory_type.size, elements.options, elements.count);
  apply(*conversion, values, result, elements.count, elements.settings, elements.plist);
  scatter(result, memory, memory_type.size, elements.options, elements.count);
  ConvertedSide{stored, memory_type, true, elements.options.c_memory}.reclaim_rest(values);
  return true;
}

bool write_converted(const ConvertedElements& elements, const DatatypeMessage& memory_type,
                     const void* memory) {
  if (user_conversions().empty()) return false;  // before anything is decoded
  const DatatypeMessage stored = memory_type_of(elements.dataset.datatype());
  const auto conversion = user_conversion(memory_type, stored);
  if (conversion == nullptr) return false;
  const Values values = gather(memory, memory_type.size, elements.options, elements.count);
  const Datatype type = api::TypeAccess::make(stored);
  const TransferOptions options = packed(elements.options);
  Values result = buffer_for(stored.size, elements.count);
  const ConvertedSide side{stored, memory_type, false, elements.options.c_memory};
  if (needs_background(*conversion)) {
    elements.dataset.read_elements(type, result.data(), elements.count, elements.selection, options);
    side.reclaim_replaced(result);
  }
  apply(*conversion, values, result, elements.count, elements.settings, elements.plist);
  const Reclaimed reclaimed(side, result);
  Dataset(elements.dataset).write_elements(type, result.data(), elements.count, elements.selection, options);
  return true;
}

bool read_converted(const Attribute& attribute, const DatatypeMessage& memory_type, void* memory,
                    const ConversionOptions& options) {
  if (user_conversions().empty()) return false;  // before anything is decoded
  const DatatypeMessage stored = memory_type_of(attribute.datatype());
  const auto conversion = user_conversion(stored, memory_type);
  if (conversion == nullptr) return false;
  const std::uint64_t count = attribute.elements();
  Values values = buffer_for(stored.size, count);
  attribute.read_elements(api::TypeAccess::make(stored), values.data(), count, options);
  Values result = gather(memory, memory_type.size, {}, count);
  apply(*conversion, values, result, count, {}, H5P_LST_DATASET_XFER_ID_g);
  scatter(result, memory, memory_type.size, {}, count);
  ConvertedSide{stored, memory_type, true, options.c_memory}.reclaim_rest(values);
  return true;
}

bool write_converted(Attribute attribute, const DatatypeMessage& memory_type, const void* memory,
                     const ConversionOptions& options) {
  if (user_conversions().empty()) return false;  // before anything is decoded
  const DatatypeMessage stored = memory_type_of(attribute.datatype());
  const auto conversion = user_conversion(memory_type, stored);
  if (conversion == nullptr) return false;
  const std::uint64_t count = attribute.elements();
  const Values values = gather(memory, memory_type.size, {}, count);
  const Datatype type = api::TypeAccess::make(stored);
  Values result = buffer_for(stored.size, count);
  const ConvertedSide side{stored, memory_type, false, options.c_memory};
  if (needs_background(*conversion)) {
    attribute.read_elements(type, result.data(), count, options);
    side.reclaim_replaced(result);
  }
  apply(*conversion, values, result, count, {}, H5P_LST_DATASET_XFER_ID_g);
  const Reclaimed reclaimed(side, result);
  attribute.write_elements(type, result.data(), count, options);
  return true;
}

}  // namespace filigree::capi
