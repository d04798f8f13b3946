// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/transformed_io.hpp"

#include <utility>
#include <vector>

#include "api/type_access.hpp"
#include "base/checked.hpp"
#include "capi/H5D/packed_values.hpp"
#include "capi/H5Z/data_transform.hpp"

namespace filigree::capi {
namespace {

/// The packed values of a transfer, in the type of memory.
template <class Memory>
class Transformed {
 public:
  explicit Transformed(const TransferredElements<Memory>& of)
      : elements(of), transform_(DataTransform::parse(of.settings.expression)) {}

  std::uint64_t bytes() const {
    return checked_multiply(elements.count, elements.memory_type.size(), "the elements of a transfer");
  }
  void transform() {
    transform_.apply(values.data(), api::TypeAccess::impl(elements.memory_type).message, elements.count);
  }

  TransferredElements<Memory> elements;
  std::vector<std::byte> values;

 private:
  DataTransform transform_;
};

class TransformedRead final : public PackedRead {
 public:
  explicit TransformedRead(const TransferredElements<void>& of) : packed_(of) {}

  std::uint64_t bytes() const override { return packed_.bytes(); }
  DatasetRead request() override {
    const auto& elements = packed_.elements;
    packed_.values = buffer_for(elements.memory_type.size(), elements.count);
    return packed_request(elements, elements.memory_type, packed_.values.data());
  }
  void finish() override {
    const auto& elements = packed_.elements;
    packed_.transform();
    scatter(packed_.values, elements.memory, elements.memory_type.size(), elements.options, elements.count);
  }

 private:
  Transformed<void> packed_;
};

class TransformedWrite final : public PackedWrite {
 public:
  explicit TransformedWrite(const TransferredElements<const void>& of) : packed_(of) {}

  std::uint64_t bytes() const override { return packed_.bytes(); }
  DatasetWrite request() override {
    const auto& elements = packed_.elements;
    packed_.values = gather(elements.memory, elements.memory_type.size(), elements.options, elements.count);
    packed_.transform();
    return packed_request(elements, elements.memory_type, std::as_const(packed_.values).data());
  }

 private:
  Transformed<const void> packed_;
};

}  // namespace

std::unique_ptr<PackedRead> transformed_read(const TransferredElements<void>& elements) {
  return std::make_unique<TransformedRead>(elements);
}

std::unique_ptr<PackedWrite> transformed_write(const TransferredElements<const void>& elements) {
  return std::make_unique<TransformedWrite>(elements);
}

}  // namespace filigree::capi
