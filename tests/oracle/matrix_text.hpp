// SPDX-License-Identifier: Apache-2.0
//
// Types and values as words separated by spaces, in prefix notation; matrix.py describes the grammar and
// writes and reads the same words for HDF5.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/filigree.hpp>

#include "wire.hpp"

namespace oracle {

using namespace filigree;

/// How object references are written: by the path of what they refer to.
struct ObjectPaths {
  std::function<std::uint64_t(const std::string&)> address;
  std::function<std::string(std::uint64_t)> path;
};

class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  std::string_view peek() const { return text_.substr(0, text_.find(' ')); }
  std::string_view next() {
    const std::size_t end = text_.find(' ');
    const std::string_view word = text_.substr(0, end);
    if (word.empty()) throw std::runtime_error("a word is missing");
    text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
    return word;
  }
  bool done() const { return text_.empty(); }
  std::string name() { return unquote(next().substr(1)); }
  template <class T = std::uint32_t>
  T number() {
    const std::string word(next());
    return static_cast<T>(word[0] == '-' ? static_cast<std::uint64_t>(std::stoll(word)) : std::stoull(word));
  }
  void expect(std::string_view word) {
    if (const std::string_view got = next(); got != word)
      throw std::runtime_error("'" + std::string(word) + "' is missing before '" + std::string(got) + "'");
  }

 private:
  std::string_view text_;
};

inline ByteOrder order_from(Words& words) {
  return words.next() == "be" ? ByteOrder::big : ByteOrder::little;
}

inline BitLayout bits_from(Words& words) {
  BitLayout bits;
  bits.precision = words.number<std::uint16_t>();
  bits.offset = words.number<std::uint16_t>();
  bits.low_padding = words.number<bool>();
  bits.high_padding = words.number<bool>();
  return bits;
}

inline Datatype float_from(Words& words) {
  const auto bytes = words.number();
  const ByteOrder order = order_from(words);
  const BitLayout bits = bits_from(words);
  FloatLayout f;
  f.sign_position = words.number<std::uint8_t>();
  f.exponent_position = words.number<std::uint8_t>();
  f.exponent_bits = words.number<std::uint8_t>();
  f.mantissa_position = words.number<std::uint8_t>();
  f.mantissa_bits = words.number<std::uint8_t>();
  f.exponent_bias = words.number();
  f.normalisation = static_cast<Normalisation>(words.number<std::uint8_t>());
  f.internal_padding = words.number<bool>();
  return Datatype::custom_float(bytes, order, bits, f);
}

/// `committed` returns the committed datatype at a path.
inline Datatype type_from(Words& words, const std::function<Datatype(const std::string&)>& committed) {
  const std::string_view kind = words.next();
  if (kind == "@") return committed(words.name());
  if (kind == "int") {
    const auto bytes = words.number();
    const bool is_signed = words.number<bool>();
    const ByteOrder order = order_from(words);
    return Datatype::integer(bytes, is_signed, order).with_bits(bits_from(words));
  }
  if (kind == "bits") {
    const auto bytes = words.number();
    const ByteOrder order = order_from(words);
    return Datatype::bitfield(bytes, order).with_bits(bits_from(words));
  }
  if (kind == "float") return float_from(words);
  if (kind == "str" || kind == "vstr") {
    const auto bytes = kind == "str" ? words.number() : 0;
    const auto padding = static_cast<StringPadding>(words.number<std::uint8_t>());
    const auto charset = static_cast<CharacterSet>(words.number<std::uint8_t>());
    return kind == "str" ? Datatype::fixed_string(bytes, padding, charset)
                         : Datatype::variable_string(charset, padding);
  }
  if (kind == "opaque") {
    const auto bytes = words.number();
    return Datatype::opaque(bytes, words.name());
  }
  if (kind == "compound") {
    const auto bytes = words.number();
    std::vector<Member> members;
    for (auto left = words.number(); left > 0; --left) {
      const std::string name = words.name();
      const auto offset = words.number();
      members.push_back({name, type_from(words, committed), offset});
    }
    return Datatype::compound(bytes, std::move(members));
  }
  if (kind == "enum") {
    std::vector<Enumerator> names;
    for (auto left = words.number(); left > 0; --left) {
      const std::string name = words.name();
      names.push_back({name, words.number<std::int64_t>()});
    }
    return Datatype::enumeration(type_from(words, committed), std::move(names));
  }
  if (kind == "array") {
    std::vector<std::uint32_t> dims(words.number());
    for (auto& n : dims) n = words.number();
    return Datatype::array(type_from(words, committed), std::move(dims));
  }
  if (kind == "seq") return Datatype::sequence(type_from(words, committed));
  if (kind == "ref")
    return Datatype::reference(words.next() == "object" ? ReferenceKind::object : ReferenceKind::region);
  throw std::runtime_error("no type: " + std::string(kind));
}

inline std::string numbers(std::initializer_list<std::int64_t> list) {
  std::string out;
  for (const auto n : list) out += ' ' + std::to_string(n);
  return out;
}

inline std::string bits_text(const Datatype& type) {
  const BitLayout b = type.bits();
  static constexpr const char* orders[] = {" le", " be", " vax"};
  return orders[static_cast<int>(type.order())] +
         numbers({b.precision, b.offset, b.low_padding, b.high_padding});
}

inline std::string type_text(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::integer:
      return "int" + numbers({type.size(), type.is_signed()}) + bits_text(type);
    case TypeClass::bitfield:
      return "bits" + numbers({type.size()}) + bits_text(type);
    case TypeClass::floating_point: {
      const FloatLayout f = type.float_layout();
      return "float" + numbers({type.size()}) + bits_text(type) +
             numbers({f.sign_position, f.exponent_position, f.exponent_bits, f.mantissa_position,
                      f.mantissa_bits, f.exponent_bias, static_cast<int>(f.normalisation),
                      f.internal_padding});
    }
    case TypeClass::string:
      return (type.is_variable_string() ? "vstr" : "str" + numbers({type.size()})) +
             numbers({static_cast<int>(type.padding()), static_cast<int>(type.charset())});
    case TypeClass::opaque:
      return "opaque" + numbers({type.size()}) + " '" + quote(type.tag());
    case TypeClass::compound: {
      std::string out = "compound" + numbers({type.size(), static_cast<std::int64_t>(type.members().size())});
      for (const Member& m : type.members())
        out += " '" + quote(m.name) + numbers({m.offset}) + ' ' + type_text(m.type);
      return out;
    }
    case TypeClass::reference:
      return type.reference_kind() == ReferenceKind::object ? "ref object" : "ref region";
    case TypeClass::enumeration: {
      std::string out = "enum" + numbers({static_cast<std::int64_t>(type.enumerators().size())});
      for (const Enumerator& e : type.enumerators()) out += " '" + quote(e.name) + numbers({e.value});
      return out + ' ' + type_text(type.base());
    }
    case TypeClass::sequence:
      return "seq " + type_text(type.base());
    case TypeClass::array: {
      std::string out = "array" + numbers({static_cast<std::int64_t>(type.dims().size())});
      for (const auto n : type.dims()) out += numbers({n});
      return out + ' ' + type_text(type.base());
    }
    default:
      return "other";
  }
}

/// A sequence in memory, as Datatype::native() has it.
struct CSequence {
  std::size_t count;
  void* elements;
};

inline std::size_t count_of(const Datatype& array) {
  std::size_t count = 1;
  for (const auto n : array.dims()) count *= n;
  return count;
}

template <class T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline std::string integer_text(const Datatype& type, const std::byte* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, type.size());
  const bool is_signed = type.type_class() == TypeClass::integer && type.is_signed();
  const unsigned unused = 64 - 8 * type.size();
  if (is_signed) return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
  return std::to_string(value);
}

inline std::string float_text(const Datatype& type, const std::byte* at) {
  if (type.size() == sizeof(long double)) {
    const bool nan = std::isnan(load<long double>(at));
    return nan ? "nan" : hex({at, 10});
  }
  const double value = type.size() == 4 ? load<float>(at) : load<double>(at);
  return std::isnan(value) ? "nan" : hex(std::as_bytes(std::span(&value, 1)));
}

inline std::string fixed_text(const Datatype& type, const std::byte* at) {
  std::string_view text(reinterpret_cast<const char*>(at), type.size());
  if (type.padding() == StringPadding::nul_terminated) text = text.substr(0, text.find('\0'));
  const char filler = type.padding() == StringPadding::space_padded ? ' ' : '\0';
  return "'" + quote(text.substr(0, text.find_last_not_of(filler) + 1));
}

/// One value in memory, where `type` is native.
inline std::string value_text(const Datatype& type, const std::byte* at, const ObjectPaths& paths) {
  switch (type.type_class()) {
    case TypeClass::integer:
    case TypeClass::bitfield:
      return integer_text(type, at);
    case TypeClass::enumeration:
      return integer_text(type.base(), at);
    case TypeClass::floating_point:
      return float_text(type, at);
    case TypeClass::string: {
      if (!type.is_variable_string()) return fixed_text(type, at);
      const char* text = load<const char*>(at);
      return text == nullptr ? "~" : "'" + quote(text);
    }
    case TypeClass::opaque:
      return hex({at, type.size()});
    case TypeClass::reference: {
      if (type.reference_kind() == ReferenceKind::region) return hex({at, type.size()});
      const auto address = load<std::uint64_t>(at);
      return address == 0 ? "~" : "'" + quote(paths.path(address));
    }
    case TypeClass::compound: {
      std::string out = "(";
      for (const Member& m : type.members()) out += ' ' + value_text(m.type, at + m.offset, paths);
      return out + " )";
    }
    case TypeClass::array: {
      const Datatype base = type.base();
      std::string out = "[";
      for (std::size_t i = 0; i < count_of(type); ++i)
        out += ' ' + value_text(base, at + i * base.size(), paths);
      return out + " ]";
    }
    case TypeClass::sequence: {
      const Datatype base = type.base();
      const auto sequence = load<CSequence>(at);
      std::string out = "< " + std::to_string(sequence.count);
      for (std::size_t i = 0; i < sequence.count; ++i)
        out +=
            ' ' + value_text(base, static_cast<const std::byte*>(sequence.elements) + i * base.size(), paths);
      return out + " >";
    }
    default:
      throw std::runtime_error("no words for such values");
  }
}

inline void bytes_from(Words& words, std::byte* at, std::size_t bytes) {
  const std::string word(words.next());
  if (word.size() != 2 * bytes) throw std::runtime_error("not as many bytes: " + word);
  for (std::size_t i = 0; i < bytes; ++i)
    at[i] = static_cast<std::byte>(std::stoi(word.substr(2 * i, 2), nullptr, 16));
}

inline void float_from(Words& words, const Datatype& type, std::byte* at) {
  const bool nan = words.peek() == "nan";
  if (nan) words.next();
  if (type.size() == sizeof(long double)) {
    const long double extended = std::nanl("");
    if (nan)
      std::memcpy(at, &extended, 10);
    else
      bytes_from(words, at, 10);
    return;
  }
  double value = std::nan("");
  if (!nan) bytes_from(words, reinterpret_cast<std::byte*>(&value), sizeof value);
  const auto narrow = static_cast<float>(value);
  std::memcpy(at, type.size() == 4 ? static_cast<const void*>(&narrow) : &value, type.size());
}

inline void text_from(Words& words, const Datatype& type, std::byte* at) {
  const std::string_view word = words.next();
  const std::string text = unquote(word.substr(1));
  if (type.is_variable_string()) {
    char* copy = word == "~" ? nullptr : strdup(text.c_str());
    std::memcpy(at, &copy, sizeof copy);
    return;
  }
  if (text.size() > type.size()) throw std::runtime_error("too long: " + text);
  std::memset(at, type.padding() == StringPadding::space_padded ? ' ' : '\0', type.size());
  std::memcpy(at, text.data(), text.size());
}

/// Writes one value over zeros. release() of the type frees what this allocates.
inline void value_from(Words& words, const Datatype& type, std::byte* at, const ObjectPaths& paths) {
  switch (type.type_class()) {
    case TypeClass::integer:
    case TypeClass::bitfield:
    case TypeClass::enumeration: {
      const auto value = words.number<std::uint64_t>();
      std::memcpy(at, &value, type.size());
      return;
    }
    case TypeClass::floating_point:
      return float_from(words, type, at);
    case TypeClass::string:
      return text_from(words, type, at);
    case TypeClass::opaque:
      return bytes_from(words, at, type.size());
    case TypeClass::reference: {
      if (type.reference_kind() == ReferenceKind::region) return bytes_from(words, at, type.size());
      const std::string_view word = words.next();
      const std::uint64_t address = word == "~" ? 0 : paths.address(unquote(word.substr(1)));
      std::memcpy(at, &address, sizeof address);
      return;
    }
    case TypeClass::compound:
      words.expect("(");
      for (const Member& m : type.members()) value_from(words, m.type, at + m.offset, paths);
      return words.expect(")");
    case TypeClass::array: {
      const Datatype base = type.base();
      words.expect("[");
      for (std::size_t i = 0; i < count_of(type); ++i) value_from(words, base, at + i * base.size(), paths);
      return words.expect("]");
    }
    case TypeClass::sequence: {
      const Datatype base = type.base();
      words.expect("<");
      CSequence sequence{words.number<std::size_t>(), nullptr};
      sequence.elements = sequence.count == 0 ? nullptr : std::calloc(sequence.count, base.size());
      for (std::size_t i = 0; i < sequence.count; ++i)
        value_from(words, base, static_cast<std::byte*>(sequence.elements) + i * base.size(), paths);
      std::memcpy(at, &sequence, sizeof sequence);
      return words.expect(">");
    }
    default:
      throw std::runtime_error("no such values");
  }
}

}  // namespace oracle
