// SPDX-License-Identifier: Apache-2.0
//
// Converts random numbers between random number types with HDF5's H5Tconvert and with ours, and compares
// the bytes and the reported exceptions. Usage: convert_numbers_driver FIRST_SEED SEEDS. The exit code is 1
// if there are differences, with one line for each.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "type/numbers.hpp"

using filigree::Buffer;
using filigree::ConversionFault;
using filigree::FaultHandling;
using filigree::format::ByteOrder;
using filigree::format::DatatypeMessage;
using filigree::format::Normalisation;
using filigree::format::TypeClass;
namespace type = filigree::type;

namespace {

using Element = std::vector<unsigned char>;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(engine_() % limit); }
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }

 private:
  std::mt19937_64 engine_;
};

DatatypeMessage native_long_double() {
  DatatypeMessage made = filigree::format::ieee_float(8);
  made.size = 16;
  made.precision = 80;
  made.floating = {79, 64, 15, 0, 64, 16383, Normalisation::none};
  return made;
}

/// Up to twice as many random bits as the type needs, so that offsets and gaps occur.
DatatypeMessage odd_float(Random& random) {
  DatatypeMessage made = filigree::format::ieee_float(8);
  made.version = 3;
  auto& f = made.floating;
  f.exponent_bits = static_cast<std::uint8_t>(random.between(2, random.chance(4) ? 20 : 11));
  f.mantissa_bits = static_cast<std::uint8_t>(random.between(2, random.chance(4) ? 140 : 60));
  f.exponent_bias =
      random.chance(5) ? random.below(1u << f.exponent_bits) : (1u << (f.exponent_bits - 1)) - 1;
  f.normalisation = random.chance(4) ? Normalisation::none : Normalisation::msb_implied;
  unsigned at = random.chance(2) ? 0 : random.below(8);
  made.bit_offset = static_cast<std::uint16_t>(at);
  unsigned order[] = {0, 1, 2};
  // HDF5 writes one bit more than an explicit mantissa has.
  if (f.normalisation != Normalisation::none && random.chance(3)) {
    for (unsigned i = 2; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  }
  for (const unsigned part : order) {
    if (f.normalisation != Normalisation::none && random.chance(4)) at += random.below(5);
    if (part == 0) f.mantissa_position = static_cast<std::uint8_t>(std::exchange(at, at + f.mantissa_bits));
    if (part == 1) f.exponent_position = static_cast<std::uint8_t>(std::exchange(at, at + f.exponent_bits));
    if (part == 2) f.sign_position = static_cast<std::uint8_t>(at++);
  }
  // HDF5 clears the bit above the mantissa of a subnormal number, even in the next element.
  if (f.sign_position == f.mantissa_position + f.mantissa_bits)
    f.sign_position = static_cast<std::uint8_t>(at++);
  made.precision = static_cast<std::uint16_t>(at - made.bit_offset);
  made.size = (at + 7) / 8 + (random.chance(3) ? random.below(3) : 0);
  if (f.mantissa_position + unsigned{f.mantissa_bits} == made.size * 8) ++made.size;
  made.low_padding = random.chance(3);
  made.high_padding = random.chance(3);
  made.internal_padding = random.chance(3);
  made.order = random.chance(3) ? ByteOrder::big : ByteOrder::little;
  if (random.chance(6)) {
    made.order = ByteOrder::vax;
    made.size = (made.size + 3) / 4 * 4;  // HDF5 converts other sizes incorrectly
  }
  return made;
}

DatatypeMessage odd_integer(Random& random) {
  const unsigned bytes = random.chance(5) ? random.between(9, 40) : random.between(1, 8);
  DatatypeMessage made = filigree::format::fixed_point(bytes, random.chance(2), random.chance(2));
  if (random.chance(3)) return made;
  made.precision = static_cast<std::uint16_t>(random.between(1, bytes * 8));
  made.bit_offset = static_cast<std::uint16_t>(random.below(bytes * 8 - made.precision + 1));
  made.low_padding = random.chance(3);
  made.high_padding = random.chance(3);
  return made;
}

DatatypeMessage some_float(Random& random) {
  DatatypeMessage made;
  switch (random.below(8)) {
    case 0:
    case 1:
      return filigree::format::ieee_float(8, random.chance(3));
    case 2:
    case 3:
      return filigree::format::ieee_float(4, random.chance(3));
    case 4:
      return filigree::format::ieee_float(2, random.chance(3));
    case 5:
      return native_long_double();
    case 6:
      made = filigree::format::ieee_float(2, random.chance(3));
      made.floating = {15, 7, 8, 0, 7, 127, Normalisation::msb_implied};
      return made;
    default:
      return odd_float(random);
  }
}

DatatypeMessage some_number(Random& random, bool bitfield) {
  if (!bitfield && random.chance(2)) return some_float(random);
  DatatypeMessage made = random.chance(2) ? odd_integer(random)
                                          : filigree::format::fixed_point(1u << random.below(4),
                                                                          random.chance(2), random.chance(4));
  if (bitfield) {
    made.type_class = TypeClass::bitfield;
    made.is_signed = false;
  }
  return made;
}

bool get_bit(const Element& element, const DatatypeMessage& t, unsigned at) {
  unsigned byte = at / 8;
  if (t.order == ByteOrder::big) byte = t.size - 1 - byte;
  if (t.order == ByteOrder::vax) byte = (t.size - 1 - byte) ^ 1;
  return element[byte] >> (at % 8) & 1;
}

void set_bits(Element& element, const DatatypeMessage& t, unsigned at, unsigned count, bool value) {
  for (unsigned i = at; i < at + count; ++i) {
    unsigned byte = i / 8;
    if (t.order == ByteOrder::big) byte = t.size - 1 - byte;
    if (t.order == ByteOrder::vax) byte = (t.size - 1 - byte) ^ 1;
    element[byte] =
        static_cast<unsigned char>((element[byte] & ~(1u << (i % 8))) | unsigned{value} << (i % 8));
  }
}

bool in_field(const DatatypeMessage& t, unsigned at) {
  const auto& f = t.floating;
  return at == f.sign_position ||
         (at >= f.exponent_position && at < f.exponent_position + unsigned{f.exponent_bits}) ||
         (at >= f.mantissa_position && at < f.mantissa_position + unsigned{f.mantissa_bits});
}

bool is_subnormal(const Element& value, const DatatypeMessage& t) {
  for (unsigned i = 0; i < t.floating.exponent_bits; ++i) {
    if (get_bit(value, t, t.floating.exponent_position + i)) return false;
  }
  return true;
}

bool is_infinite(const Element& value, const DatatypeMessage& t) {
  const auto& f = t.floating;
  for (unsigned i = 0; i < f.exponent_bits; ++i) {
    if (!get_bit(value, t, f.exponent_position + i)) return false;
  }
  const unsigned fraction = f.mantissa_bits - (f.normalisation == Normalisation::none ? 1u : 0u);
  for (unsigned i = 0; i < fraction; ++i) {
    if (get_bit(value, t, f.mantissa_position + i)) return false;
  }
  return true;
}

/// A random number with runs of equal bits and with exponents near the limits.
Element some_value(Random& random, const DatatypeMessage& t) {
  Element element(t.size);
  for (auto& byte : element) byte = static_cast<unsigned char>(random.below(256));
  const unsigned runs = random.below(4);
  for (unsigned i = 0; i < runs; ++i) {
    const unsigned at = random.below(t.size * 8);
    set_bits(element, t, at, random.between(1, t.size * 8 - at), random.chance(2));
  }
  if (t.type_class != TypeClass::floating_point) {
    if (random.chance(3)) {
      const unsigned keep = random.between(0, t.precision);
      set_bits(element, t, t.bit_offset + keep, t.precision - keep, random.chance(2));
    }
    return element;
  }
  const auto& f = t.floating;
  unsigned exponent = f.exponent_bias;
  const unsigned limit = (1u << f.exponent_bits) - 1;
  const unsigned near = random.below(9);
  if (near == 0) exponent = 0;
  if (near == 1) exponent = limit;
  if (near == 2) exponent += random.below(70);
  if (near == 3) exponent -= random.below(40);
  if (near == 4) exponent = exponent + 127 - random.below(3);
  if (near == 5) exponent = exponent - 126 - random.below(30);
  if (near == 6) exponent = exponent + 15 - random.below(3);
  if (near == 7) exponent = exponent - 14 - random.below(12);
  if (near <= 7) {
    for (unsigned i = 0; i < f.exponent_bits; ++i) {
      set_bits(element, t, f.exponent_position + i, 1, std::min(exponent, limit) >> i & 1);
    }
  }
  if (random.chance(3)) {
    const unsigned at = random.below(f.mantissa_bits);
    set_bits(element, t, f.mantissa_position, at, random.chance(2));
    if (random.chance(2))
      set_bits(element, t, f.mantissa_position + at, f.mantissa_bits - at, random.chance(2));
  }
  if (f.normalisation == Normalisation::none && !random.chance(3)) {
    set_bits(element, t, f.mantissa_position + f.mantissa_bits - 1u, 1, true);
  }
  return element;
}

struct Fault {
  int code;
  Element value;
  bool operator==(const Fault&) const = default;
};

struct Log {
  std::vector<Fault> faults;
  std::size_t from_bytes;
  std::size_t to_bytes;
  FaultHandling answer;

  FaultHandling add(int code, const void* value, void* result) {
    const auto* bytes = static_cast<const unsigned char*>(value);
    faults.push_back({code, Element(bytes, bytes + from_bytes)});
    if (answer == FaultHandling::handled) std::memset(result, 0x5a, to_bytes);
    return answer;
  }
};

H5T_conv_ret_t reference_handler(H5T_conv_except_t code, hid_t, hid_t, void* value, void* result, void* log) {
  return static_cast<H5T_conv_ret_t>(static_cast<Log*>(log)->add(code, value, result));
}

hid_t reference_type(const DatatypeMessage& t) {
  Buffer bytes = filigree::format::encode(t, {});
  bytes.insert(bytes.begin(), {std::byte{3}, std::byte{0}});
  bytes.resize(bytes.size() + 16);
  return H5Tdecode(bytes.data());
}

std::string hex(const Element& element) {
  std::string text;
  char digits[3];
  for (const unsigned char byte : element) {
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

std::string describe(const DatatypeMessage& t) {
  const auto& f = t.floating;
  char text[200];
  const char order = t.order == ByteOrder::little ? '<' : t.order == ByteOrder::big ? '>' : 'v';
  const char kind = t.type_class == TypeClass::bitfield         ? 'b'
                    : t.type_class == TypeClass::floating_point ? 'f'
                    : t.is_signed                               ? 'i'
                                                                : 'u';
  int used = std::snprintf(text, sizeof text, "%c%c%u(prec %u off %u pad %d%d%d", order, kind, t.size * 8,
                           t.precision, t.bit_offset, t.low_padding, t.high_padding, t.internal_padding);
  if (kind == 'f')
    used += std::snprintf(text + used, sizeof text - used, " s%u e%u+%u m%u+%u bias %u norm %d",
                          f.sign_position, f.exponent_position, f.exponent_bits, f.mantissa_position,
                          f.mantissa_bits, f.exponent_bias, static_cast<int>(f.normalisation));
  return std::string(text, used) + ")";
}

struct Pair {
  DatatypeMessage from;
  DatatypeMessage to;
  hid_t reference_from;
  hid_t reference_to;
  type::ConversionPointer ours;
};

struct Outcome {
  bool failed = false;
  std::vector<Element> results;
  std::vector<Fault> faults;
};

Outcome run_reference(const Pair& pair, const std::vector<Element>& values, Log* log) {
  Outcome outcome;
  const std::size_t stride = std::max(pair.from.size, pair.to.size);
  std::vector<unsigned char> buffer(values.size() * stride, 0xab);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::copy(values[i].begin(), values[i].end(),
              buffer.begin() + static_cast<std::ptrdiff_t>(i * pair.from.size));
  }
  hid_t transfer = H5P_DEFAULT;
  if (log != nullptr) {
    transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_type_conv_cb(transfer, reference_handler, log);
  }
  outcome.failed =
      H5Tconvert(pair.reference_from, pair.reference_to, values.size(), buffer.data(), nullptr, transfer) < 0;
  if (log != nullptr) {
    H5Pclose(transfer);
    outcome.faults = log->faults;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* at = buffer.data() + i * pair.to.size;
    outcome.results.emplace_back(at, at + pair.to.size);
  }
  return outcome;
}

Outcome run_ours(const Pair& pair, const std::vector<Element>& values, Log* log, unsigned gap) {
  Outcome outcome;
  const std::size_t from_stride = pair.from.size + gap;
  const std::size_t to_stride = pair.to.size + gap;
  std::vector<std::byte> from(values.size() * from_stride + 1);
  std::vector<std::byte> to(values.size() * to_stride + 1, std::byte{0xab});
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(&from[1 + i * from_stride], values[i].data(), pair.from.size);
  type::FaultHandler handler;
  type::Context context;
  if (log != nullptr) {
    handler = [log](const type::FaultyValue& v) {
      return log->add(static_cast<int>(v.fault), v.value, v.result);
    };
    context.on_fault = &handler;
  }
  try {
    pair.ours->apply({from.data() + 1, from_stride, to.data() + 1, to_stride, values.size()}, context);
  } catch (const filigree::Error&) {
    outcome.failed = true;
  }
  if (log != nullptr) outcome.faults = log->faults;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* at = reinterpret_cast<const unsigned char*>(to.data()) + 1 + i * to_stride;
    outcome.results.emplace_back(at, at + pair.to.size);
  }
  return outcome;
}

bool excluded(const Pair& pair, const Element& value);

std::string show(const std::vector<Fault>& faults) {
  std::string text = "[";
  for (const Fault& fault : faults) text += std::to_string(fault.code) + " ";
  return text + "]";
}

unsigned differences = 0;

void report(unsigned seed, const char* way, const Pair& pair, const Element& value, const Outcome& reference,
            const Outcome& ours, std::size_t i) {
  if (++differences > 40) return;
  std::printf("seed %u %s %s -> %s: %s HDF5 %s%s %s ours %s%s %s\n", seed, way, describe(pair.from).c_str(),
              describe(pair.to).c_str(), hex(value).c_str(), reference.failed ? "failed " : "",
              hex(reference.results[i]).c_str(), show(reference.faults).c_str(), ours.failed ? "failed " : "",
              hex(ours.results[i]).c_str(), show(ours.faults).c_str());
}

bool is_long_double(const DatatypeMessage& t) { return filigree::format::same_type(t, native_long_double()); }

/// Clears the bits that HDF5 leaves undefined: those between the fields of a float, and the bytes after a
/// long double.
void normalise(const Pair& pair, Outcome& outcome) {
  const DatatypeMessage& t = pair.to;
  if (t.type_class != TypeClass::floating_point) return;
  for (Element& result : outcome.results) {
    if (is_long_double(t)) std::fill(result.begin() + 10, result.end(), static_cast<unsigned char>(0));
    for (unsigned at = t.bit_offset; at < unsigned{t.bit_offset} + t.precision; ++at) {
      if (!in_field(t, at)) set_bits(result, t, at, 1, false);
    }
  }
}

unsigned mantissa_ones(const Element& element, const DatatypeMessage& t) {
  unsigned ones = 0;
  for (unsigned i = 0; i < t.floating.mantissa_bits; ++i)
    ones += get_bit(element, t, t.floating.mantissa_position + i);
  return ones;
}

/// Results that HDF5 gets wrong (docs/conversion.md lists them).
bool is_tolerated(const Pair& pair, const Element& value, const Element& ours) {
  if (pair.to.type_class != TypeClass::floating_point) return false;
  // An integer beyond the greatest float becomes infinite, but with the integer's bits for a mantissa.
  if (pair.from.type_class != TypeClass::floating_point) return is_infinite(ours, pair.to);
  // Where rounding leads to the next power of two, the exponent stays.
  const unsigned ones = mantissa_ones(ours, pair.to);
  if (ones <= 1 && (mantissa_ones(value, pair.from) >= 2 || is_subnormal(ours, pair.to))) return true;
  // Next to infinity it sometimes does so, too.
  if (ones == pair.to.floating.mantissa_bits) return true;
  // Zeros and infinities whose leading bit is explicit come with the wrong one.
  return ones <= 1 && pair.to.floating.normalisation == Normalisation::none;
}

void try_pair(unsigned seed, Random& random) {
  Pair pair;
  const bool bitfield = random.chance(10);
  pair.from = some_number(random, bitfield);
  pair.to = some_number(random, bitfield);
  pair.reference_from = reference_type(pair.from);
  pair.reference_to = reference_type(pair.to);
  pair.ours = type::prepare_number(pair.from, pair.to);
  std::vector<Element> values;
  for (unsigned i = 0; i < 24; ++i) {
    Element value = some_value(random, pair.from);
    if (!excluded(pair, value)) values.push_back(std::move(value));
  }
  if (values.empty()) return;
  Outcome plain;
  for (const unsigned gap : {0u, 3u}) {
    Outcome reference = run_reference(pair, values, nullptr);
    Outcome ours = run_ours(pair, values, nullptr, gap);
    normalise(pair, reference);
    normalise(pair, ours);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (reference.results[i] == ours.results[i] || is_tolerated(pair, values[i], ours.results[i])) continue;
      return report(seed, gap != 0 ? "strided" : "bulk", pair, values[i], reference, ours, i);
    }
    plain = ours;
  }
  // One by one, because HDF5 goes through a buffer in no fixed order.
  const auto answer = static_cast<FaultHandling>(static_cast<int>(random.below(3)) - 1);
  // HDF5 sets padding in what the handler wrote as if it were little-endian.
  const bool padded = pair.to.precision != pair.to.size * 8;
  if (answer == FaultHandling::handled && padded && pair.to.order != ByteOrder::little) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Element& value = values[i];
    if (is_tolerated(pair, value, plain.results[i])) continue;
    Log reference_log{{}, pair.from.size, pair.to.size, answer};
    Log our_log = reference_log;
    Outcome reference = run_reference(pair, {value}, &reference_log);
    Outcome ours = run_ours(pair, {value}, &our_log, 0);
    normalise(pair, reference);
    normalise(pair, ours);
    const bool same_bytes = reference.failed || reference.results == ours.results;
    if (reference.failed != ours.failed || !same_bytes || reference.faults != ours.faults) {
      const char* way = answer == FaultHandling::handled ? "handled"
                        : answer == FaultHandling::abort ? "abort"
                                                         : "unhandled";
      return report(seed, way, pair, value, reference, ours, 0);
    }
  }
  H5Tclose(pair.reference_from);
  H5Tclose(pair.reference_to);
}

/// The highest bit of an integer's magnitude that is set, roughly.
unsigned integer_bits(const Element& value, const DatatypeMessage& t) {
  unsigned top = t.precision;
  const bool sign = t.is_signed && get_bit(value, t, t.bit_offset + t.precision - 1u);
  while (top > 0 && get_bit(value, t, t.bit_offset + top - 1u) == sign) --top;
  return top;
}

bool has_no_lead(const Element& value, const DatatypeMessage& t) {
  const auto& f = t.floating;
  if (f.normalisation != Normalisation::none) return false;
  for (unsigned i = 0; i < f.mantissa_bits; ++i) {
    if (get_bit(value, t, f.mantissa_position + i)) return false;
  }
  for (unsigned i = 0; i < f.exponent_bits; ++i) {
    if (get_bit(value, t, f.exponent_position + i)) return true;
  }
  return false;
}

/// Values that HDF5 converts arbitrarily or incorrectly (docs/conversion.md lists them).
bool excluded(const Pair& pair, const Element& value) {
  const bool from_float = pair.from.type_class == TypeClass::floating_point;
  const bool to_float = pair.to.type_class == TypeClass::floating_point;
  // It takes the dropped bits as one word, and overruns its stack when they are more.
  if (!from_float && to_float) {
    return integer_bits(value, pair.from) > pair.to.floating.mantissa_bits + 60u;
  }
  if (!from_float) return false;
  // It reads a bit before the mantissa.
  if (has_no_lead(value, pair.from)) return true;
  // It hands the callback a value without its only bit.
  if (pair.from.floating.normalisation == Normalisation::none && mantissa_ones(value, pair.from) == 1 &&
      get_bit(value, pair.from, pair.from.floating.mantissa_position)) {
    return true;
  }
  if (to_float) return false;
  // It sets the limits of an integer without regard to its bit offset.
  if (pair.to.bit_offset != 0 && is_infinite(value, pair.from)) return true;
  // It takes subnormal numbers for twice as large as they are.
  if (pair.from.floating.exponent_bias < 2 && is_subnormal(value, pair.from)) return true;
  // It works in a buffer whose size follows from the exponent's; bits that do not fit are lost.
  const unsigned buffer_bits = 1u << pair.from.floating.exponent_bits;
  if (pair.from.floating.mantissa_bits + 2u > buffer_bits) return true;
  if (get_bit(value, pair.from, pair.from.floating.sign_position) && pair.to.precision > buffer_bits)
    return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const auto first = static_cast<unsigned>(std::atoi(argv[1]));
  const auto count = static_cast<unsigned>(std::atoi(argv[2]));
  for (unsigned seed = first; seed < first + count; ++seed) {
    Random random(seed);
    try_pair(seed, random);
  }
  std::printf("%u differences\n", differences);
  return differences == 0 ? 0 : 1;
}
