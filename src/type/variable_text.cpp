// SPDX-License-Identifier: Apache-2.0
//
// Conversions of variable-length strings, to each other and to fixed-length strings.
#include <cstring>
#include <string_view>

#include "type/conversion_parts.hpp"
#include "type/strings.hpp"
#include "type/variable.hpp"

namespace filigree::type {

using format::TypeClass;

namespace {

struct Text {
  std::string_view characters;
  bool missing = false;
  std::shared_ptr<const void> owner;
};

struct FixedSource {
  FixedText text;
  void check(const Context&) const {}
  Text get(const std::byte* element, const Context&) const { return {text.get(element), false, nullptr}; }
};

struct VariableSource {
  VariableStorage storage;
  bool cut;  ///< whether the text ends at the first NUL, which some writers store
  void check(const Context& context) const { storage.check(context.from_file); }
  Text get(const std::byte* element, const Context& context) const {
    VariableValue value = storage.get(element, context.from_file);
    std::string_view characters = as_text(value.bytes(1));
    if (cut) characters = characters.substr(0, characters.find('\0'));
    return {characters, value.missing, std::move(value.owner)};
  }
};

struct FixedSink {
  FixedText text;
  void check(const Context&) const {}
  void put(std::byte* element, const Text& value, const Context&) const {
    text.put(element, value.characters);
  }
};

struct MemorySink {
  VariableStorage storage;
  void check(const Context&) const {}
  void put(std::byte* element, const Text& value, const Context& context) const {
    if (value.missing) return storage.clear(element);
    const std::size_t length = value.characters.size();
    void* copy = storage.container()->resize(element, length, 1, context.memory);
    if (length != 0) std::memcpy(copy, value.characters.data(), length);
  }
};

struct FileSink {
  VariableStorage storage;
  void check(const Context& context) const { storage.check(context.to_file); }
  void put(std::byte* element, const Text& value, const Context& context) const {
    if (value.missing) return storage.clear(element);
    storage.store(element, value.characters.size(), as_bytes(value.characters), context.to_file);
  }
};

template <class Source, class Sink>
class TextConversion final : public Conversion {
 public:
  TextConversion(const Traits& traits, const Source& from, const Sink& to)
      : Conversion(traits), from_(from), to_(to) {}

 private:
  void do_apply(const Tile& tile, const Context& context) const override {
    from_.check(context);
    to_.check(context);
    for (std::size_t i = 0; i < tile.count; ++i) {
      to_.put(tile.to + i * tile.to_stride, from_.get(tile.from + i * tile.from_stride, context), context);
    }
  }

  Source from_;
  Sink to_;
};

bool is_fixed(const DatatypeMessage& type) { return type.type_class == TypeClass::string; }
bool is_stored(const DatatypeMessage& type) { return !is_fixed(type) && type.container == nullptr; }

template <class Source>
ConversionPointer to_any_sink(const DatatypeMessage& from, const DatatypeMessage& to, const Source& source) {
  const Conversion::Traits traits{
      .uses_files = is_stored(from) || is_stored(to), .from_bytes = from.size, .to_bytes = to.size};
  if (is_fixed(to)) {
    const FixedSink sink{FixedText{to.size, to.padding, false}};
    return std::make_shared<TextConversion<Source, FixedSink>>(traits, source, sink);
  }
  const VariableStorage storage(to);
  if (storage.in_file()) {
    return std::make_shared<TextConversion<Source, FileSink>>(traits, source, FileSink{storage});
  }
  return std::make_shared<TextConversion<Source, MemorySink>>(traits, source, MemorySink{storage});
}

}  // namespace

ConversionPointer prepare_text(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  if (rules == Rules::hdf5) {
    if (is_fixed(from) || is_fixed(to) || from.character_set != to.character_set) return nullptr;
  }
  if (is_fixed(from)) return to_any_sink(from, to, FixedSource{FixedText{from.size, from.padding, false}});
  return to_any_sink(from, to, VariableSource{VariableStorage(from), is_stored(from) && !is_stored(to)});
}

}  // namespace filigree::type
