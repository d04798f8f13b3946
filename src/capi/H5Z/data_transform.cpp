// SPDX-License-Identifier: Apache-2.0
#include "capi/H5Z/data_transform.hpp"

#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::capi {

struct DataTransform::Node {
  enum class Kind : std::uint8_t { value, integer, real, add, subtract, multiply, divide };
  Kind kind = Kind::value;
  double number = 0;
  std::shared_ptr<const Node> left, right;
};

namespace {

using Node = DataTransform::Node;
using NodePointer = std::shared_ptr<const Node>;

/// Limits the depth of recursion to more than programs need.
constexpr int max_depth = 200;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePointer whole() {
    NodePointer root = sum();
    if (peek() != '\0') fail("an operator or the end");
    return root;
  }

 private:
  [[noreturn]] void fail(const char* expected) const {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("data transform '{}': expected {} at character {}", text_, expected, at_ + 1));
  }
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  static NodePointer make(Node::Kind kind, NodePointer left, NodePointer right = nullptr) {
    return std::make_shared<const Node>(Node{kind, 0, std::move(left), std::move(right)});
  }

  NodePointer sum() {
    NodePointer left = product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at_;
      left = make(c == '+' ? Node::Kind::add : Node::Kind::subtract, left, product());
    }
    return left;
  }
  NodePointer product() {
    NodePointer left = factor();
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      ++at_;
      left = make(c == '*' ? Node::Kind::multiply : Node::Kind::divide, left, factor());
    }
    return left;
  }
  NodePointer factor() {
    if (++depth_ > max_depth) fail("less depth");
    const NodePointer made = factor_inside();
    --depth_;
    return made;
  }
  NodePointer factor_inside() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      NodePointer inside = sum();
      if (peek() != ')') fail("')'");
      ++at_;
      return inside;
    }
    if (c == '+' || c == '-') {
      ++at_;
      NodePointer operand = factor();
      return c == '+' ? operand : make(Node::Kind::subtract, zero(), std::move(operand));
    }
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      return make(Node::Kind::value, nullptr);
    }
    return number();
  }
  static NodePointer zero() {
    return std::make_shared<const Node>(Node{Node::Kind::integer, 0, nullptr, nullptr});
  }
  NodePointer number() {
    Node node{Node::Kind::integer, 0, nullptr, nullptr};
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), node.number);
    if (error != std::errc() || end == begin) fail("a number, the variable, or '('");
    const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
    // As in C, a point or an exponent makes a floating-point constant. Integers beyond int are floating-point
    // as well.
    if (digits.find_first_of(".eE") != std::string_view::npos ||
        node.number > std::numeric_limits<int>::max())
      node.kind = Node::Kind::real;
    at_ += digits.size();
    return std::make_shared<const Node>(std::move(node));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// The value of a subexpression: a value of the type of the data, or a constant.
template <class T>
struct Operand {
  enum class Kind : std::uint8_t { value, integer, real };
  Kind kind = Kind::value;
  T value{};
  int integer = 0;
  double real = 0;

  template <class C>
  C as() const {
    return kind == Kind::value     ? static_cast<C>(value)
           : kind == Kind::integer ? static_cast<C>(integer)
                                   : static_cast<C>(real);
  }
};

/// Computes in C's arithmetic for C, without undefined behaviour: overflow wraps, and a division by zero
/// gives zero.
template <class C>
C compute(Node::Kind operation, C a, C b) {
  if constexpr (std::is_integral_v<C>) {
    using U = std::make_unsigned_t<C>;
    const U x = static_cast<U>(a), y = static_cast<U>(b);
    if (operation == Node::Kind::add) return static_cast<C>(x + y);
    if (operation == Node::Kind::subtract) return static_cast<C>(x - y);
    if (operation == Node::Kind::multiply) return static_cast<C>(x * y);
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<C>)
      if (b == -1) return static_cast<C>(U{} - x);
    return static_cast<C>(a / b);
  } else {
    if (operation == Node::Kind::add) return a + b;
    if (operation == Node::Kind::subtract) return a - b;
    if (operation == Node::Kind::multiply) return a * b;
    return a / b;
  }
}

/// Converts a number to T. Numbers beyond T are truncated to its bits, those beyond any integer are clamped.
template <class T, class C>
T fitted(C result) {
  if constexpr (std::is_integral_v<T> && std::is_floating_point_v<C>) {
    constexpr C limit = 9223372036854775807.0;
    if (!(result > -limit)) return static_cast<T>(result < 0 ? std::numeric_limits<std::int64_t>::min() : 0);
    if (result >= limit)
      return sizeof(T) == 8 && std::is_unsigned_v<T> && result < 2 * limit ? static_cast<T>(result)
                                                                           : static_cast<T>(-1);
    return static_cast<T>(static_cast<std::int64_t>(result));
  } else {
    return static_cast<T>(result);
  }
}

template <class T>
Operand<T> combine(Node::Kind operation, const Operand<T>& a, const Operand<T>& b) {
  using Kind = typename Operand<T>::Kind;
  const bool real = a.kind == Kind::real || b.kind == Kind::real;
  Operand<T> result;
  if (a.kind != Kind::value && b.kind != Kind::value) {
    result.kind = real ? Kind::real : Kind::integer;
    if (real)
      result.real = compute(operation, a.template as<double>(), b.template as<double>());
    else
      result.integer = compute(operation, a.integer, b.integer);
    return result;
  }
  if (real) {
    using C = std::common_type_t<T, double>;
    result.value = fitted<T>(compute(operation, a.template as<C>(), b.template as<C>()));
  } else {
    using C = std::common_type_t<T, int>;
    result.value = static_cast<T>(compute(operation, a.template as<C>(), b.template as<C>()));
  }
  return result;
}

template <class T>
Operand<T> evaluate(const Node& node, T value) {
  Operand<T> result;
  switch (node.kind) {
    case Node::Kind::value:
      result.value = value;
      return result;
    case Node::Kind::integer:
      result.kind = Operand<T>::Kind::integer;
      result.integer = static_cast<int>(node.number);
      return result;
    case Node::Kind::real:
      result.kind = Operand<T>::Kind::real;
      result.real = node.number;
      return result;
    case Node::Kind::add:
    case Node::Kind::subtract:
    case Node::Kind::multiply:
    case Node::Kind::divide:
      return combine(node.kind, evaluate(*node.left, value), evaluate(*node.right, value));
  }
  return result;
}

template <class T>
void apply_to(const Node& root, std::byte* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, values += sizeof(T)) {
    T value;
    std::memcpy(&value, values, sizeof value);
    const Operand<T> result = evaluate(root, value);
    value = result.kind == Operand<T>::Kind::real ? fitted<T>(result.real) : result.template as<T>();
    std::memcpy(values, &value, sizeof value);
  }
}

}  // namespace

DataTransform DataTransform::parse(std::string_view expression) {
  return DataTransform(Parser(expression).whole());
}

void DataTransform::apply(void* values, const format::DatatypeMessage& type, std::size_t count) const {
  auto* const bytes = static_cast<std::byte*>(values);
  const bool ours = type.order == (std::endian::native == std::endian::little ? format::ByteOrder::little
                                                                              : format::ByteOrder::big);
  const auto with = [&]<class T>(T) { apply_to<T>(*root_, bytes, count); };
  if (ours && type.type_class == format::TypeClass::floating_point) {
    if (type.size == sizeof(float)) return with(float{});
    if (type.size == sizeof(double)) return with(double{});
    if (type.size == sizeof(long double)) return with(static_cast<long double>(0));
  }
  if (ours && type.type_class == format::TypeClass::fixed_point) {
    switch (type.size) {
      case 1:
        return type.is_signed ? with(std::int8_t{}) : with(std::uint8_t{});
      case 2:
        return type.is_signed ? with(std::int16_t{}) : with(std::uint16_t{});
      case 4:
        return type.is_signed ? with(std::int32_t{}) : with(std::uint32_t{});
      case 8:
        return type.is_signed ? with(std::int64_t{}) : with(std::uint64_t{});
      default:
        break;
    }
  }
  throw Error(
      ErrorKind::unsupported,
      fmt::format("data transforms work on numbers of this machine, not on {}", format::describe_type(type)));
}

}  // namespace filigree::capi
