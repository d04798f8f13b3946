// SPDX-License-Identifier: Apache-2.0
//
// An encoded dataspace: its codecs, its selection, and every way to encode that selection again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "format/messages/dataspace.hpp"
#include "format/selections/selection.hpp"
#include "round_trip.hpp"
#include "space/encoding.hpp"

namespace {

using namespace filigree;

/// A larger limit would make every input too slow.
constexpr std::uint64_t most_runs = 10'000;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "selection: %s\n", what);
  std::abort();
}

/// Compares sets as sets. A point list in row-major order may come back as a set of its points.
bool same(const space::Selection& a, const space::Selection& b) {
  return a.is_set() == b.is_set() ? same_elements(a, b)
                                  : a.elements() == b.elements() && a.runs() == b.runs();
}

void read_again(const space::Selection& selection, const format::EncodedSelection& encoded) {
  const Buffer bytes = format::encode(encoded, {});
  const auto again = space::decode_selection(bytes, selection.frame(), {most_runs, Address::undefined});
  require(again.bytes == bytes.size(), "not all its bytes are read");
  require(same(again.selection, selection), "not the same after being written and read");
}

void write_again(const space::Selection& selection) {
  if (selection.run_count() > most_runs) return;
  read_again(selection, space::smallest_encoding(selection));
  for (const auto low : {space::Release::earliest, space::Release::v110, space::Release::v112})
    read_again(selection, space::hdf5_encoding(selection, {low, space::Release::latest}));
  if (selection.frame().rank() == 0 || !selection.is_set()) return;
  for (const auto form : {space::DefinedEncoding::standard, space::DefinedEncoding::compact}) {
    const Buffer bytes = space::encode_defined(selection.frame(), selection.runs(), form);
    require(same(space::decode_defined(bytes, selection.frame()), selection), "not the same from a chunk");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  fuzz::round_trip(format::EncodedExtent{}, bytes, {});
  fuzz::round_trip(format::EncodedSelection{}, bytes, {});
  space::DecodedDataspace decoded;
  const space::DecodeOptions options{most_runs, Address::undefined};
  if (!fuzz::survives([&] { decoded = space::decode_dataspace(bytes, options); })) return 0;
  require(decoded.bytes <= size, "more bytes used than there are");
  const auto& unlimited = decoded.selection.unlimited;
  if (!unlimited) {
    write_again(decoded.selection.selection);
  } else {
    const Buffer again = format::encode(space::hdf5_encoding(*unlimited), {});
    const space::Frame& frame = decoded.selection.selection.frame();
    require(space::decode_selection(again, frame).unlimited.has_value(), "no longer unlimited");
  }
  return 0;
}
