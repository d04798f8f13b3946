// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/converted_io.hpp"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <filigree/error.hpp>

#include "api/type_access.hpp"
#include "base/checked.hpp"
#include "capi/H5D/converted_values.hpp"
#include "capi/H5D/packed_values.hpp"
#include "capi/H5T/datatype.hpp"
#include "type/datatypes.hpp"

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

/// How much memory packed values take while they are converted from or to a type of the program.
std::uint64_t bytes_of(const DatatypeMessage& stored, const DatatypeMessage& in_memory, std::uint64_t count) {
  for (const DatatypeMessage* type : {&stored, &in_memory})
    if (type::has_variable_parts(*type) || type::has_references(*type)) return unknown_bytes;
  return checked_multiply(count, stored.size, "the elements of a transfer");
}

/// The two types of a transfer with a user-defined conversion.
template <class Memory>
struct ConvertedTransfer {
  std::uint64_t bytes() const { return bytes_of(stored, in_memory, elements.count); }
  /// Of the values in the type of the file.
  Datatype type() const { return api::TypeAccess::make(stored); }

  TransferredElements<Memory> elements;
  DatatypeMessage stored, in_memory;
  type::ConversionPointer conversion;
};

class ConvertedRead final : public PackedRead {
 public:
  explicit ConvertedRead(ConvertedTransfer<void> made) : made_(std::move(made)) {}

  std::uint64_t bytes() const override { return made_.bytes(); }
  DatasetRead request() override {
    values_ = buffer_for(made_.stored.size, made_.elements.count);
    return packed_request(made_.elements, made_.type(), values_.data());
  }
  void finish() override {
    const auto& [dataset, type, memory, count, selection, options, settings, plist] = made_.elements;
    Values result = gather(memory, made_.in_memory.size, options, count);
    apply(*made_.conversion, values_, result, count, settings, plist);
    scatter(result, memory, made_.in_memory.size, options, count);
    ConvertedSide{made_.stored, made_.in_memory, true, options.c_memory}.reclaim_rest(values_);
  }

 private:
  ConvertedTransfer<void> made_;
  Values values_;
};

class ConvertedWrite final : public PackedWrite {
 public:
  explicit ConvertedWrite(ConvertedTransfer<const void> made) : made_(std::move(made)) {}

  std::uint64_t bytes() const override { return made_.bytes(); }
  bool keeps_background() const override { return needs_background(*made_.conversion); }
  std::optional<DatasetRead> background() override {
    if (!keeps_background()) return std::nullopt;
    result_ = buffer_for(made_.stored.size, made_.elements.count);
    return packed_request(made_.elements, made_.type(), result_.data());
  }
  DatasetWrite request() override {
    const auto& [dataset, type, memory, count, selection, options, settings, plist] = made_.elements;
    const Values values = gather(memory, made_.in_memory.size, options, count);
    if (keeps_background())
      side_.reclaim_replaced(result_);
    else
      result_ = buffer_for(made_.stored.size, count);
    apply(*made_.conversion, values, result_, count, settings, plist);
    reclaimed_.emplace(side_, result_);
    return packed_request(made_.elements, made_.type(), std::as_const(result_).data());
  }

 private:
  const ConvertedTransfer<const void> made_;
  const ConvertedSide side_{made_.stored, made_.in_memory, false, made_.elements.options.c_memory};
  Values result_;
  std::optional<Reclaimed> reclaimed_;
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

std::unique_ptr<PackedRead> converted_read(const TransferredElements<void>& elements) {
  if (user_conversions().empty()) return nullptr;  // before anything is decoded
  const DatatypeMessage stored = memory_type_of(elements.dataset.datatype());
  const DatatypeMessage& in_memory = api::TypeAccess::impl(elements.memory_type).message;
  auto conversion = user_conversion(stored, in_memory);
  if (conversion == nullptr) return nullptr;
  return std::make_unique<ConvertedRead>(
      ConvertedTransfer<void>{elements, stored, in_memory, std::move(conversion)});
}

std::unique_ptr<PackedWrite> converted_write(const TransferredElements<const void>& elements) {
  if (user_conversions().empty()) return nullptr;  // before anything is decoded
  const DatatypeMessage stored = memory_type_of(elements.dataset.datatype());
  const DatatypeMessage& in_memory = api::TypeAccess::impl(elements.memory_type).message;
  auto conversion = user_conversion(in_memory, stored);
  if (conversion == nullptr) return nullptr;
  return std::make_unique<ConvertedWrite>(
      ConvertedTransfer<const void>{elements, stored, in_memory, std::move(conversion)});
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
