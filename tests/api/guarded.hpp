// SPDX-License-Identifier: Apache-2.0
//
// Parts of a file that a checksum guards, and the sum that fits when they were changed on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <filigree/filigree.hpp>

#include "damage.hpp"

namespace filigree::damage {

inline std::uint32_t turned(std::uint32_t x, unsigned by) { return x << by | x >> (32 - by); }

/// The sum of the format (lookup3).
inline std::uint32_t sum_of(const std::byte* bytes, std::size_t length) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(length), b = a, c = a;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4 && at + i < length; ++i)
      value |= std::to_integer<std::uint32_t>(bytes[at + i]) << 8 * i;
    return value;
  };
  std::size_t at = 0;
  for (; length - at > 12; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= turned(c, 4), c += b;
    b -= a, b ^= turned(a, 6), a += c;
    c -= b, c ^= turned(b, 8), b += a;
    a -= c, a ^= turned(c, 16), c += b;
    b -= a, b ^= turned(a, 19), a += c;
    c -= b, c ^= turned(b, 4), b += a;
  }
  if (length == at) return c;
  a += word(at), b += word(at + 4), c += word(at + 8);
  c ^= b, c -= turned(b, 14);
  a ^= c, a -= turned(c, 11);
  b ^= a, b -= turned(a, 25);
  c ^= b, c -= turned(b, 16);
  a ^= c, a -= turned(c, 4);
  b ^= a, b -= turned(a, 14);
  c ^= b, c -= turned(b, 24);
  return c;
}

/// Bytes with their sum behind them.
struct Guarded {
  std::size_t start, length;
};

inline bool is_guarded(const Image& image, Guarded part) {
  std::uint32_t stored = 0;
  std::memcpy(&stored, &image[part.start + part.length], 4);
  return sum_of(&image[part.start], part.length) == stored;
}

inline void guard(Image& image, Guarded part) {
  const std::uint32_t sum = sum_of(&image[part.start], part.length);
  std::memcpy(&image[part.start + part.length], &sum, 4);
}

/// Structures by their signatures, and the sections of chunks.
inline std::vector<Guarded> guarded_parts(const Image& image) {
  std::vector<Guarded> parts;
  for (const char* signature :
       {"OHDR", "OCHK", "FAHD", "FADB", "EAHD", "EAIB", "EASB", "EADB", "BTHD", "BTIN", "BTLF", "FGSC"}) {
    for (std::size_t at = 0; at + 8 < image.size(); ++at) {
      if (std::memcmp(&image[at], signature, 4) != 0) continue;
      for (std::size_t length = 8; length < 4096 && at + length + 4 <= image.size(); ++length) {
        if (!is_guarded(image, {at, length})) continue;
        parts.push_back({at, length});
        break;
      }
    }
  }
  const File file = File::open_image(image);
  for (const Link& link : file.root().links()) {
    const Dataset data = file.root().open_dataset(link.name);
    const DatasetInfo info = data.dataset_info();
    if (info.layout != Layout::structured && !info.portable) continue;
    data.for_each_chunk([&](const ChunkInfo& chunk) {
      std::size_t at = chunk.address + (info.portable ? 54 : 0);  // behind the envelope
      for (const SectionInfo& section :
           info.portable ? data.structured_chunk_sections(chunk.offset) : chunk.sections) {
        for (const std::size_t sum : {4u, 0u}) {  // inside of a packed section, behind another
          const Guarded part{at, section.stored_bytes + sum - 4};
          if (section.stored_bytes < 4 || part.start + part.length + 4 > image.size()) continue;
          if (!is_guarded(image, part)) continue;
          parts.push_back(part);
          at += sum;
          break;
        }
        at += section.stored_bytes;
      }
      return true;
    });
  }
  return parts;
}

}  // namespace filigree::damage
