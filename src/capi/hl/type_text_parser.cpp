// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capi/hl/type_text.hpp"

namespace filigree::capi {
namespace {

bool is_word(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  OwnedId whole() {
    OwnedId found = type();
    skip_space();
    if (at_ != text_.size()) fail("the end of the text");
    return found;
  }

 private:
  // Limits the depth of recursion. Programs nest only a few types.
  static constexpr int max_depth = 64;

  [[noreturn]] void fail(const char* expected) const {
    throw Failure({&H5E_ARGS_g, &H5E_BADVALUE_g},
                  fmt::format("at character {} of the text: {} expected", at_, expected));
  }
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char mark) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != mark) return false;
    ++at_;
    return true;
  }
  void expect(char mark) {
    if (!take(mark)) fail((std::string("'") + mark + "'").c_str());
  }
  /// Reads letters, digits, underscores and minus signs. Returns an empty string when there are none.
  std::string_view word() {
    skip_space();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  void expect_word(std::string_view expected) {
    const std::size_t start = at_;
    if (word() == expected) return;
    at_ = start;
    fail(std::string(expected).c_str());
  }
  template <class Number>
  Number number() {
    Number value = 0;
    const std::string_view digits = word();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) fail("a number");
    return value;
  }
  std::string quoted() {
    expect('"');
    const std::size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) fail("the end of a quoted text");
    const std::size_t start = std::exchange(at_, end + 1);
    return std::string(text_.substr(start, end - start));
  }

  /// Returns the index of the word that comes next.
  std::size_t position(std::span<const std::string_view> words, const char* what) {
    const std::size_t start = at_;
    const auto found = std::ranges::find(words, word());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    at_ = start;
    fail(what);
  }

  OwnedId type() {
    if (++depth_ > max_depth) fail("fewer types within each other");
    const std::size_t start = at_;
    const std::string_view name = word();
    if (const hid_t known = predefined_type(name); known != H5I_INVALID_HID) {
      --depth_;
      return OwnedId(H5Tcopy(known));
    }
    const auto kind = std::ranges::find(kinds, name, &Kind::name);
    if (kind == std::end(kinds)) {
      at_ = start;
      fail("the name of a type");
    }
    expect('{');
    OwnedId found = (this->*kind->read)();
    expect('}');
    --depth_;
    return found;
  }

  OwnedId string() {
    expect_word("STRSIZE");
    const bool variable = peek_word() == "H5T_VARIABLE";
    const std::size_t size = variable ? (word(), H5T_VARIABLE) : number<std::size_t>();
    expect(';');
    expect_word("STRPAD");
    const auto padding = static_cast<H5T_str_t>(position(string_paddings, "a padding of strings"));
    expect(';');
    expect_word("CSET");
    constexpr std::string_view charsets[] = {"H5T_CSET_ASCII", "H5T_CSET_UTF8"};
    const auto charset = static_cast<H5T_cset_t>(position(charsets, "a character set"));
    expect(';');
    expect_word("CTYPE");
    constexpr std::string_view bases[] = {"H5T_C_S1", "H5T_FORTRAN_S1"};
    const bool is_c = position(bases, "H5T_C_S1 or H5T_FORTRAN_S1") == 0;
    expect(';');
    OwnedId made(H5Tcopy(is_c ? H5T_C_S1_g : H5T_FORTRAN_S1_g));
    checked(H5Tset_size(made, size));
    checked(H5Tset_strpad(made, padding));
    checked(H5Tset_cset(made, charset));
    return made;
  }

  OwnedId opaque() {
    expect_word("OPQ_SIZE");
    OwnedId made(H5Tcreate(H5T_OPAQUE, number<std::size_t>()));
    expect(';');
    expect_word("OPQ_TAG");
    checked(H5Tset_tag(made, quoted().c_str()));
    expect(';');
    return made;
  }

  OwnedId reference() {
    const std::string_view name = word();
    if (name == "H5T_STD_REF_OBJECT" || name == "H5T_STD_REF_OBJ") return OwnedId(H5Tcopy(H5T_STD_REF_OBJ_g));
    if (name == "H5T_STD_REF_DSETREG") return OwnedId(H5Tcopy(H5T_STD_REF_DSETREG_g));
    fail("a kind of references before");
  }

  OwnedId compound() {
    struct Member {
      OwnedId type;
      std::string name;
      std::size_t offset;
    };
    std::vector<Member> members;
    std::size_t end = 0;
    do {
      OwnedId of = type();
      std::string name = quoted();
      std::size_t offset = take(':') ? number<std::size_t>() : 0;
      expect(';');
      // As in HDF5, a member without an offset follows the previous member.
      if (offset == 0) offset = end;
      const std::size_t bytes = H5Tget_size(of);
      if (offset + bytes < offset) fail("a smaller offset before");
      end = std::max(end, offset + bytes);
      members.push_back({std::move(of), std::move(name), offset});
    } while (!peek('}'));
    OwnedId made(H5Tcreate(H5T_COMPOUND, end));
    for (const Member& member : members)
      checked(H5Tinsert(made, member.name.c_str(), member.offset, member.type));
    return made;
  }

  OwnedId enumeration() {
    const OwnedId base = type();
    expect(';');
    if (H5Tget_class(base) != H5T_INTEGER) fail("a type of integers before");
    const bool is_signed = H5Tget_sign(base) == H5T_SGN_2;
    OwnedId made(H5Tenum_create(base));
    do {
      const std::string name = quoted();
      std::uint64_t value =
          is_signed ? static_cast<std::uint64_t>(number<long long>()) : number<std::uint64_t>();
      expect(';');
      checked(H5Tconvert(is_signed ? H5T_NATIVE_LLONG_g : H5T_NATIVE_ULLONG_g, base, 1, &value, nullptr,
                         H5P_DEFAULT));
      checked(H5Tenum_insert(made, name.c_str(), &value));
    } while (!peek('}'));
    return made;
  }

  OwnedId array() {
    std::vector<hsize_t> dims;
    while (take('[')) {
      dims.push_back(number<hsize_t>());
      expect(']');
    }
    if (dims.empty()) fail("'['");
    const OwnedId of = type();
    return OwnedId(H5Tarray_create2(of, static_cast<unsigned>(dims.size()), dims.data()));
  }

  OwnedId sequence() { return OwnedId(H5Tvlen_create(type())); }

  bool peek(char mark) {
    skip_space();
    return at_ < text_.size() && text_[at_] == mark;
  }
  std::string_view peek_word() {
    const std::size_t start = at_;
    const std::string_view found = word();
    at_ = start;
    return found;
  }

  struct Kind {
    std::string_view name;
    OwnedId (Parser::*read)();
  };
  static const Kind kinds[7];

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

const Parser::Kind Parser::kinds[7] = {
    {"H5T_STRING", &Parser::string},       {"H5T_OPAQUE", &Parser::opaque},
    {"H5T_REFERENCE", &Parser::reference}, {"H5T_COMPOUND", &Parser::compound},
    {"H5T_ENUM", &Parser::enumeration},    {"H5T_ARRAY", &Parser::array},
    {"H5T_VLEN", &Parser::sequence},
};

}  // namespace

OwnedId parse_type(std::string_view text) { return Parser(text).whole(); }

}  // namespace filigree::capi
