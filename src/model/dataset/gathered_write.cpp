// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/gathered_write.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <filigree/error.hpp>

#include "io/selection.hpp"
#include "io/stack/parallel_file.hpp"

namespace filigree::model {
namespace {

/// The number of runs, their starts and lengths, and the values.
std::vector<std::byte> pack(const GatheredElements& elements) {
  std::vector<std::uint64_t> words{elements.runs.size()};
  for (const space::Run& run : elements.runs) words.insert(words.end(), {run.start, run.length});
  const auto head = std::as_bytes(std::span(words));
  std::vector<std::byte> bytes(head.begin(), head.end());
  bytes.insert(bytes.end(), elements.values.begin(), elements.values.end());
  return bytes;
}

GatheredElements unpack(const std::vector<std::byte>& bytes) {
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof count);
  GatheredElements elements;
  elements.runs.resize(count);
  std::size_t at = sizeof count;
  for (space::Run& run : elements.runs) {
    std::memcpy(&run.start, bytes.data() + at, sizeof run.start);
    std::memcpy(&run.length, bytes.data() + at + sizeof run.start, sizeof run.length);
    at += sizeof run.start + sizeof run.length;
  }
  elements.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end());
  return elements;
}

/// A run of a member, and where its values are.
struct Part {
  space::Run run;
  std::size_t member = 0, at = 0;
};

/// The elements of all members in the order of their offsets; empty if members have the same elements.
GatheredElements merged(const std::vector<GatheredElements>& all, std::uint32_t element_bytes) {
  std::vector<Part> parts;
  for (std::size_t member = 0; member < all.size(); ++member) {
    std::size_t at = 0;
    for (const space::Run& run : all[member].runs) {
      parts.push_back({run, member, at});
      at += run.length * element_bytes;
    }
  }
  std::ranges::sort(parts, {}, [](const Part& part) { return part.run.start; });
  GatheredElements result;
  for (const Part& part : parts) result.runs.push_back(part.run);
  if (!result.ascend()) return {};
  for (const Part& part : parts) {
    const auto from = all[part.member].values.begin() + static_cast<std::ptrdiff_t>(part.at);
    result.values.insert(result.values.end(), from,
                         from + static_cast<std::ptrdiff_t>(part.run.length * element_bytes));
  }
  return result;
}

}  // namespace

bool GatheredElements::ascend() const {
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (runs[i].start < runs[i - 1].end()) return false;
  return true;
}

void GatheredWrite::send(std::span<const io::SelectionWrite> pieces) {
  const std::uint64_t most = round_bytes / static_cast<std::uint64_t>(state_->agreement.members().size());
  io::SelectionWalk<io::SelectionWrite> walk(pieces, io::MemoryType::raw);
  std::vector<io::WriteExtent> extents;
  while (walk.next(extents, 4096)) {
    for (const io::WriteExtent& e : extents) {
      for (std::size_t done = 0; done < e.from.size();) {
        const std::uint64_t held = mine_.values.size() + mine_.runs.size() * sizeof(space::Run);
        if (held >= most) round();
        const std::uint64_t part = std::max<std::uint64_t>(1, most / element_bytes_) * element_bytes_;
        const std::size_t taken = std::min<std::uint64_t>(part, e.from.size() - done);
        mine_.runs.push_back({(e.offset + done) / element_bytes_, taken / element_bytes_});
        mine_.values.insert(mine_.values.end(), e.from.begin() + static_cast<std::ptrdiff_t>(done),
                            e.from.begin() + static_cast<std::ptrdiff_t>(done + taken));
        done += taken;
      }
    }
  }
}

void GatheredWrite::finish() {
  while (round()) {
  }
}

/// Returns false if no member had elements.
bool GatheredWrite::round() {
  Agreement& agreement = state_->agreement;
  if (!agreement.meet({"gathering elements"}, nullptr, !mine_.runs.empty())) return false;
  std::vector<GatheredElements> all;
  for (const auto& bytes : agreement.members().all_gather(pack(std::exchange(mine_, {}))))
    all.push_back(unpack(bytes));
  GatheredElements together = merged(all, element_bytes_);
  if (!together.runs.empty()) {
    all.clear();
    apply_(together);
    return true;
  }
  for (const GatheredElements& one : all)
    if (!one.runs.empty()) apply_(one);
  return true;
}

}  // namespace filigree::model
