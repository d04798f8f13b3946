// SPDX-License-Identifier: Apache-2.0
#include "capi/hl/type_text.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace filigree::capi {
namespace {

struct Named {
  std::string_view name;
  const hid_t* id;
};

#define FILIGREE_NAMED(name) \
  { "H5T_" #name, &H5T_##name##_g }
// Types with a fixed storage format come first, so that the text of a type means the same on every machine.
const Named predefined[] = {
    FILIGREE_NAMED(STD_I8BE),      FILIGREE_NAMED(STD_I8LE),      FILIGREE_NAMED(STD_I16BE),
    FILIGREE_NAMED(STD_I16LE),     FILIGREE_NAMED(STD_I32BE),     FILIGREE_NAMED(STD_I32LE),
    FILIGREE_NAMED(STD_I64BE),     FILIGREE_NAMED(STD_I64LE),     FILIGREE_NAMED(STD_U8BE),
    FILIGREE_NAMED(STD_U8LE),      FILIGREE_NAMED(STD_U16BE),     FILIGREE_NAMED(STD_U16LE),
    FILIGREE_NAMED(STD_U32BE),     FILIGREE_NAMED(STD_U32LE),     FILIGREE_NAMED(STD_U64BE),
    FILIGREE_NAMED(STD_U64LE),     FILIGREE_NAMED(STD_B8BE),      FILIGREE_NAMED(STD_B8LE),
    FILIGREE_NAMED(STD_B16BE),     FILIGREE_NAMED(STD_B16LE),     FILIGREE_NAMED(STD_B32BE),
    FILIGREE_NAMED(STD_B32LE),     FILIGREE_NAMED(STD_B64BE),     FILIGREE_NAMED(STD_B64LE),
    FILIGREE_NAMED(IEEE_F32BE),    FILIGREE_NAMED(IEEE_F32LE),    FILIGREE_NAMED(IEEE_F64BE),
    FILIGREE_NAMED(IEEE_F64LE),    FILIGREE_NAMED(NATIVE_SCHAR),  FILIGREE_NAMED(NATIVE_UCHAR),
    FILIGREE_NAMED(NATIVE_SHORT),  FILIGREE_NAMED(NATIVE_USHORT), FILIGREE_NAMED(NATIVE_INT),
    FILIGREE_NAMED(NATIVE_UINT),   FILIGREE_NAMED(NATIVE_LONG),   FILIGREE_NAMED(NATIVE_ULONG),
    FILIGREE_NAMED(NATIVE_LLONG),  FILIGREE_NAMED(NATIVE_ULLONG), FILIGREE_NAMED(NATIVE_FLOAT),
    FILIGREE_NAMED(NATIVE_DOUBLE), FILIGREE_NAMED(NATIVE_LDOUBLE)};
#undef FILIGREE_NAMED

/// Text of several lines, with nested parts indented.
class Writer {
 public:
  std::string text;

  void type(hid_t id) {
    switch (H5Tget_class(id)) {
      case H5T_INTEGER:
        return number(id, "undefined integer");
      case H5T_FLOAT:
        return number(id, "undefined float");
      case H5T_BITFIELD:
        return number(id, "undefined bitfield");
      case H5T_STRING:
        return string(id);
      case H5T_OPAQUE:
        return opaque(id);
      case H5T_COMPOUND:
        return compound(id);
      case H5T_REFERENCE:
        text += H5Tequal(id, H5T_STD_REF_DSETREG_g) > 0 ? " H5T_REFERENCE { H5T_STD_REF_DSETREG }"
                                                        : " H5T_REFERENCE { H5T_STD_REF_OBJECT }";
        return;
      case H5T_ENUM:
        return enumeration(id);
      case H5T_VLEN:
        return block("H5T_VLEN", [&] {
          line();
          type(OwnedId(H5Tget_super(id)));
        });
      case H5T_ARRAY:
        return array(id);
      case H5T_TIME:
        text += "H5T_TIME: not yet implemented";
        return;
      default:
        text += "unknown datatype";
    }
  }

 private:
  static constexpr std::size_t step = 3;

  void line() { text.append("\n").append(indent_, ' '); }
  template <class Inside>
  void block(std::string_view name, Inside&& inside) {
    text.append(name).append(" {");
    indent_ += step;
    inside();
    indent_ -= step;
    line();
    text += '}';
  }

  void number(hid_t id, std::string_view otherwise) {
    const std::string_view name = predefined_name(id);
    text += name.empty() ? otherwise : name;
  }

  void string(hid_t id) {
    block("H5T_STRING", [&] {
      line();
      text +=
          H5Tis_variable_str(id) > 0 ? "STRSIZE H5T_VARIABLE;" : fmt::format("STRSIZE {};", H5Tget_size(id));
      line();
      const auto padding = static_cast<std::size_t>(checked(H5Tget_strpad(id)));
      text += fmt::format("STRPAD {};",
                          padding < std::size(string_paddings) ? string_paddings[padding] : "H5T_STR_ERROR");
      line();
      text += H5Tget_cset(id) == H5T_CSET_UTF8 ? "CSET H5T_CSET_UTF8;" : "CSET H5T_CSET_ASCII;";
      line();
      text += "CTYPE H5T_C_S1;";
    });
  }

  void opaque(hid_t id) {
    char* const tag = H5Tget_tag(id);
    const std::string copy = tag == nullptr ? "" : tag;
    H5free_memory(tag);
    block("H5T_OPAQUE", [&] {
      line();
      text += fmt::format("OPQ_SIZE {};", H5Tget_size(id));
      line();
      text += fmt::format("OPQ_TAG \"{}\";", copy);
    });
  }

  void compound(hid_t id) {
    block("H5T_COMPOUND", [&] {
      const int members = checked(H5Tget_nmembers(id));
      for (int i = 0; i < members; ++i) {
        const auto member = static_cast<unsigned>(i);
        line();
        type(OwnedId(H5Tget_member_type(id, member)));
        text += fmt::format(" \"{}\" : {};", member_name(id, member), H5Tget_member_offset(id, member));
      }
    });
  }

  void array(hid_t id) {
    std::vector<hsize_t> dims(static_cast<std::size_t>(checked(H5Tget_array_ndims(id))));
    checked(H5Tget_array_dims2(id, dims.data()));
    block("H5T_ARRAY", [&] {
      line();
      for (const hsize_t size : dims) text += fmt::format("[{}]", size);
      text += ' ';
      type(OwnedId(H5Tget_super(id)));
    });
  }

  void enumeration(hid_t id) {
    const OwnedId base(H5Tget_super(id));
    const int members = checked(H5Tget_nmembers(id));
    block("H5T_ENUM", [&] {
      line();
      type(base);
      text += ';';
      for (int i = 0; i < members; ++i) {
        const auto member = static_cast<unsigned>(i);
        const std::string name = member_name(id, member);
        line();
        constexpr std::size_t column = 17, least = 3;
        const std::string gap(name.size() + least < column ? column - name.size() : least, ' ');
        text += fmt::format("\"{}\"{}{};", name, gap, member_value(id, base, member));
      }
    });
  }

  static std::string member_name(hid_t id, unsigned member) {
    char* const name = H5Tget_member_name(id, member);
    if (name == nullptr) throw NestedCallFailed();
    std::string copy = name;
    H5free_memory(name);
    return copy;
  }

  static std::string member_value(hid_t id, hid_t base, unsigned member) {
    std::vector<std::byte> value(std::max(H5Tget_size(base), sizeof(long long)));
    checked(H5Tget_member_value(id, member, value.data()));
    const bool is_signed = H5Tget_sign(base) == H5T_SGN_2;
    checked(H5Tconvert(base, is_signed ? H5T_NATIVE_LLONG_g : H5T_NATIVE_ULLONG_g, 1, value.data(), nullptr,
                       H5P_DEFAULT));
    unsigned long long number = 0;
    std::memcpy(&number, value.data(), sizeof number);
    return is_signed ? fmt::format("{}", static_cast<long long>(number)) : fmt::format("{}", number);
  }

  std::size_t indent_ = step;
};

}  // namespace

std::string type_text(hid_t type) {
  Writer writer;
  writer.type(type);
  return std::move(writer.text);
}

hid_t predefined_type(std::string_view name) {
  if (name == "H5T_NATIVE_CHAR") return H5T_NATIVE_CHAR;
  for (const Named& known : predefined)
    if (known.name == name) return *known.id;
  return H5I_INVALID_HID;
}

std::string_view predefined_name(hid_t type) {
  for (const Named& known : predefined)
    if (H5Tequal(*known.id, type) > 0) return known.name;
  return {};
}

}  // namespace filigree::capi
