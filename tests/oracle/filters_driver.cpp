// SPDX-License-Identifier: Apache-2.0
//
// Runs filters on raw chunks for filters_test.py. A request on standard input is a line of words, followed by
// the number of bytes that its last word says. An answer on standard output is "ok", numbers, and as many
// bytes as the last number says; or "error", a kind and a message.
//
//   encode PIPELINE BYTES           ok MASK BYTES
//   decode MASK MAX PIPELINE BYTES  ok BYTES
//   prepare ID LIST DIMS TYPE FILL  ok LIST 0        FILL: bytes, or -1 if undefined
//   name ID                         ok BYTES
//
// LIST and DIMS are a count and that many numbers; PIPELINE is a count and that many "ID OPTIONAL LIST". TYPE
// is one of "integer SIZE ORDER PRECISION OFFSET SIGNED", "floating ...", "array SIZE TYPE", "compound SIZE
// COUNT" and that many "AT TYPE", or "other SIZE ORDER PRECISION OFFSET"; ORDER is 0 little, 1 big, 2 none.
#include <iostream>
#include <sstream>
#include <string>

#include <filigree/error.hpp>

#include "base/bytes.hpp"
#include "filter/pipeline.hpp"
#include "filter/registry.hpp"

namespace {

using namespace filigree;
using namespace filigree::filter;

template <class Number>
Number take(std::istream& in) {
  Number value{};
  if (!(in >> value)) throw std::runtime_error("malformed request");
  return value;
}

template <class Number>
std::vector<Number> take_list(std::istream& in) {
  std::vector<Number> values(take<std::size_t>(in));
  for (Number& value : values) value = take<Number>(in);
  return values;
}

Buffer take_bytes(std::size_t count) {
  Buffer bytes(count);
  std::cin.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
  return bytes;
}

std::vector<FilterSpec> take_specs(std::istream& in) {
  std::vector<FilterSpec> specs(take<std::size_t>(in));
  for (FilterSpec& spec : specs) {
    spec.id = take<std::uint16_t>(in);
    spec.optional = take<int>(in) != 0;
    spec.params = take_list<std::uint32_t>(in);
  }
  return specs;
}

TypeFacts take_type(std::istream& in) {
  TypeFacts type;
  const auto kind = take<std::string>(in);
  type.bytes = take<std::uint32_t>(in);
  if (kind == "array") {
    type.kind = TypeFacts::Kind::array;
    type.parts.push_back(take_type(in));
  } else if (kind == "compound") {
    type.kind = TypeFacts::Kind::compound;
    for (auto members = take<int>(in); members > 0; --members) {
      const auto at = take<std::uint32_t>(in);
      type.parts.push_back(take_type(in));
      type.parts.back().at = at;
    }
  } else {
    type.kind = kind == "integer"    ? TypeFacts::Kind::integer
                : kind == "floating" ? TypeFacts::Kind::floating
                                     : TypeFacts::Kind::other;
    type.order = static_cast<TypeFacts::Order>(take<int>(in));
    type.precision_bits = take<std::uint32_t>(in);
    type.offset_bits = take<std::uint32_t>(in);
    if (type.kind == TypeFacts::Kind::integer) type.is_signed = take<int>(in) != 0;
  }
  return type;
}

void answer(const std::string& numbers, Bytes bytes) {
  std::cout << "ok " << numbers << bytes.size() << '\n' << as_text(bytes);
}

void serve(std::istream& in) {
  const auto what = take<std::string>(in);
  if (what == "encode") {
    const auto specs = take_specs(in);
    const Buffer plain = take_bytes(take<std::size_t>(in));
    std::uint32_t mask = 0;
    const Buffer stored = Pipeline(specs, {}).encode(plain, mask);
    answer(std::to_string(mask) + ' ', stored);
  } else if (what == "decode") {
    const auto mask = take<std::uint32_t>(in);
    const auto bytes = take<std::size_t>(in);
    const auto specs = take_specs(in);
    const Buffer stored = take_bytes(take<std::size_t>(in));
    answer("", Pipeline(specs, {}).decode(stored, mask, bytes));
  } else if (what == "prepare") {
    const auto filter = shared_registry().find(take<std::uint16_t>(in));
    const auto wanted = take_list<std::uint32_t>(in);
    ChunkFacts chunk;
    chunk.dims = take_list<std::uint64_t>(in);
    chunk.type = take_type(in);
    if (const int fill = take<int>(in); fill >= 0) chunk.fill = take_bytes(static_cast<std::size_t>(fill));
    const auto params = filter->prepare(wanted, chunk);
    std::string numbers = std::to_string(params.size()) + ' ';
    for (std::uint32_t value : params) numbers += std::to_string(value) + ' ';
    answer(numbers, {});
  } else {
    answer("", as_bytes(shared_registry().find(take<std::uint16_t>(in))->name()));
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    try {
      serve(in);
    } catch (const Error& error) {
      std::cout << "error " << to_string(error.kind()) << ": " << error.what() << '\n';
    }
    std::cout.flush();
  }
}
