// SPDX-License-Identifier: Apache-2.0
#include "model/attribute/attribute_io.hpp"

#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

void read_attribute(File& file, const format::DatatypeMessage& type, Bytes stored,
                    const format::DatatypeMessage& memory_type, std::byte* memory, std::uint64_t count,
                    const ConversionChoice& choice) {
  const auto conversion = type::prepare(type, memory_type, choice.rules);
  HeapFileValues values(file, count);
  type::Context context;
  context.from_file = &values;
  context.on_fault = choice.on_fault;
  context.memory = choice.memory;
  conversion->apply({stored.data(), type.size, memory, memory_type.size, count}, context);
}

void write_attribute(File& file, const format::DatatypeMessage& type, MutableBytes stored,
                     const format::DatatypeMessage& memory_type, const std::byte* memory, std::uint64_t count,
                     const ConversionChoice& choice) {
  const auto conversion = type::prepare(memory_type, type, choice.rules);
  HeapFileValues values(file);
  type::Context context;
  context.to_file = &values;
  context.on_fault = choice.on_fault;
  context.memory = choice.memory;
  conversion->apply({memory, memory_type.size, stored.data(), type.size, count}, context);
}

}  // namespace filigree::model
