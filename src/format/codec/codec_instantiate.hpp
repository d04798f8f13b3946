// SPDX-License-Identifier: Apache-2.0
//
// The implementation of codec.hpp on top of a describe() function. Only sources with descriptions include it.
#pragma once

#include <algorithm>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/codec/inspect.hpp"
#include "format/codec/inspector.hpp"
#include "format/codec/visitors.hpp"

namespace filigree::format {

/// Restricts a description to one structure, const or not.
template <class M, class T>
concept Model = std::is_same_v<std::remove_const_t<M>, T>;

template <class T>
std::size_t decode(T& model, Bytes bytes, const Widths& widths, Address where) {
  Decoder io(bytes, widths, T::structure, where);
  describe(io, model);
  io.finish();
  return io.position();
}

template <class T>
std::size_t encoded_bytes(const T& model, const Widths& widths) {
  Sizer io(widths);
  describe(io, model);
  return io.position();
}

template <class T>
std::size_t encode(const T& model, MutableBytes out, const Widths& widths) {
  Encoder io(out, widths, T::structure);
  describe(io, model);
  std::fill(out.begin() + io.position(), out.end(), std::byte{0});
  return io.position();
}

template <class T>
std::string dump(const T& model, const Widths& widths) {
  Dumper io(widths);
  describe(io, model);
  return io.take();
}

template <class T>
Inspection inspect(T& model, Bytes bytes, const Widths& widths) {
  Inspector io(bytes, widths, T::structure);
  describe(io, model);
  return io.take();
}

}  // namespace filigree::format

/// Instantiates the codec of a structure. *Requires* that its describe() is declared before.
#define FILIGREE_DESCRIBED(T)                                            \
  template std::size_t decode<T>(T&, Bytes, const Widths&, Address);     \
  template std::size_t encoded_bytes<T>(const T&, const Widths&);        \
  template std::size_t encode<T>(const T&, MutableBytes, const Widths&); \
  template std::string dump<T>(const T&, const Widths&);                 \
  template Inspection inspect<T>(T&, Bytes, const Widths&)
