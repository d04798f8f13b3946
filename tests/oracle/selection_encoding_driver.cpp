// SPDX-License-Identifier: Apache-2.0
//
// Makes random selections with HDF5 and with Filigree and compares their encodings. Then each library decodes
// the bytes of the other, and both decode the same lists of blocks. HDF5 1.10 writes and reads points of
// version 1 and hyperslabs of versions 1 and 2. Usage: selection_encoding_driver FIRST_SEED SEEDS; the exit
// code is 1 if there are differences, with one line for each.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <hdf5.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "space/encoding.hpp"

namespace {

using filigree::Buffer;
using filigree::Error;
namespace format = filigree::format;
namespace space = filigree::space;
using Numbers = std::vector<hsize_t>;

using Slab = std::vector<space::SlabDimension>;

/// One operation on the selection so far.
struct Step {
  space::SetOperator op;
  Slab slab;
};

constexpr space::ReleaseBounds defaults{space::Release::earliest, space::Release::v110};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  bool chance(unsigned one_in) { return below(one_in) == 0; }

 private:
  std::mt19937_64 engine_;
};

/// An HDF5 dataspace. The destructor closes it.
class Space {
 public:
  explicit Space(hid_t id) : id_(id) {}
  ~Space() {
    if (id_ >= 0) H5Sclose(id_);
  }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  hid_t id() const { return id_; }

 private:
  hid_t id_;
};

/// HDF5's encoding, or nothing if HDF5 fails.
std::optional<Buffer> reference_bytes(hid_t id) {
  std::size_t bytes = 0;
  if (H5Sencode(id, nullptr, &bytes) < 0) return std::nullopt;
  Buffer out(bytes);
  if (H5Sencode(id, out.data(), &bytes) < 0) return std::nullopt;
  return out;
}

std::optional<Buffer> our_bytes(const format::DataspaceMessage& extent, const space::Selection& selection,
                                const space::ReleaseBounds& bounds) {
  try {
    return space::encode_dataspace(extent, space::hdf5_encoding(selection, bounds));
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Every block of a hyperslab selection as HDF5 lists them.
Numbers reference_blocks(hid_t id) {
  const hssize_t count = H5Sget_select_hyper_nblocks(id);
  if (count <= 0) return {};
  Numbers blocks(static_cast<std::size_t>(count) * 2 *
                 static_cast<std::size_t>(H5Sget_simple_extent_ndims(id)));
  H5Sget_select_hyper_blocklist(id, 0, static_cast<hsize_t>(count), blocks.data());
  return blocks;
}

class Comparison {
 public:
  explicit Comparison(unsigned seed) : seed_(seed), random_(seed) {
    extent_.kind = format::DataspaceKind::simple;
    extent_.max_dims.emplace();
    const std::uint64_t rank = 1 + random_.below(4);
    for (std::uint64_t d = 0; d < rank; ++d) extent_.dims.push_back(1 + random_.below(9));
    if (random_.chance(5)) {
      extent_.dims[0] = std::uint64_t{1} << 40;
      large_start_ = random_.below(2) << 33;
    }
    for (const std::uint64_t dim : extent_.dims)
      extent_.max_dims->push_back(random_.chance(3)   ? dim + random_.below(3)
                                  : random_.chance(3) ? H5S_UNLIMITED
                                                      : dim);
    frame_ = space::Frame(extent_.dims);
  }

  void run() {
    const Numbers dims(extent_.dims.begin(), extent_.dims.end());
    const Numbers maxima(extent_.max_dims->begin(), extent_.max_dims->end());
    const Space reference(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), maxima.data()));
    switch (random_.below(8)) {
      case 0:
        select_points(reference.id());
        break;
      case 1:
        return compare_unlimited(reference.id());
      case 2:
        return compare_blocks();
      default:
        select_hyperslabs(reference.id());
        break;
    }
    compare(reference.id());
  }

  bool failed() const { return failed_; }

 private:
  void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("seed %u, kind %d: %s\n", seed_, static_cast<int>(ours_.kind()), what);
    failed_ = true;
  }

  void select_points(hid_t reference) {
    Numbers coordinates;
    std::vector<std::uint64_t> positions;
    const std::uint64_t count = 1 + random_.below(20);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::vector<std::uint64_t> at;
      for (const std::uint64_t dim : extent_.dims)
        at.push_back(random_.below(dim > 9 && random_.chance(3) ? 100 : dim));
      positions.push_back(frame_.offset(at));
      coordinates.insert(coordinates.end(), at.begin(), at.end());
    }
    H5Sselect_elements(reference, H5S_SELECT_SET, count, coordinates.data());
    ours_ = space::Selection::of_points(frame_, positions);
  }

  Slab some_slab() {
    Slab slab;
    for (std::size_t d = 0; d < frame_.rank(); ++d) {
      const bool vast = extent_.dims[d] > 9;
      const std::uint64_t limit = vast ? 30 : extent_.dims[d];
      space::SlabDimension s;
      s.start = random_.below(limit);
      s.block = 1 + random_.below(random_.chance(2) ? 1 : limit - s.start);
      s.stride = s.block + random_.below(3);
      s.count = 1 + random_.below((limit - s.start - s.block) / s.stride + 1);
      if (vast) s.start += large_start_;
      slab.push_back(s);
    }
    return slab;
  }

  static void select(hid_t reference, H5S_seloper_t op, const Slab& slab) {
    Numbers start, stride, count, block;
    for (const auto& d : slab) {
      start.push_back(d.start);
      stride.push_back(d.stride);
      count.push_back(d.count);
      block.push_back(d.block);
    }
    H5Sselect_hyperslab(reference, op, start.data(), stride.data(), count.data(), block.data());
  }

  void select_hyperslabs(hid_t reference) {
    static constexpr std::pair<H5S_seloper_t, space::SetOperator> operators[] = {
        {H5S_SELECT_OR, space::SetOperator::unite},      {H5S_SELECT_OR, space::SetOperator::unite},
        {H5S_SELECT_XOR, space::SetOperator::differ},    {H5S_SELECT_NOTB, space::SetOperator::subtract},
        {H5S_SELECT_NOTA, space::SetOperator::supplant}, {H5S_SELECT_AND, space::SetOperator::intersect},
    };
    const auto first = some_slab();
    select(reference, H5S_SELECT_SET, first);
    ours_ = space::Selection::regular(frame_, first);
    steps_.push_back({space::SetOperator::unite, first});
    for (std::uint64_t more = random_.below(6); more > 0; --more) {
      const auto& [reference_op, op] = operators[random_.below(std::size(operators))];
      const auto slab = some_slab();
      select(reference, reference_op, slab);
      ours_ = combine(ours_, op, space::Selection::regular(frame_, slab));
      steps_.push_back({op, slab});
    }
  }

  void compare(hid_t reference) {
    const auto theirs = reference_bytes(reference);
    if (theirs == our_bytes(extent_, ours_, defaults)) {
      if (theirs) expect_read_back(*theirs);
      expect(H5Sget_select_npoints(reference) == our_elements(), "HDF5 selects other elements");
    } else {
      expect(reference_errs(reference), "the bytes differ");
    }
    // HDF5 reads the versions of 1.10 although it writes older ones.
    std::optional<Numbers> blocks;
    for (const space::Release low : {space::Release::earliest, space::Release::v110}) {
      const auto bytes = our_bytes(extent_, ours_, {low, space::Release::v110});
      if (!bytes) return;
      const Space read(H5Sdecode(bytes->data()));
      expect(H5Sget_select_npoints(read.id()) == our_elements(), "HDF5 reads other elements");
      if (H5Sget_select_type(read.id()) != H5S_SEL_HYPERSLABS) return;
      if (blocks)
        expect(reference_blocks(read.id()) == *blocks, "HDF5 reads other blocks in another version");
      blocks = reference_blocks(read.id());
    }
  }

  void expect_read_back(const Buffer& bytes) {
    const auto back = space::decode_dataspace(bytes);
    expect(back.bytes == bytes.size(), "not all bytes are used");
    expect(same_elements(back.selection.selection, ours_), "HDF5's bytes are read as another selection");
  }

  hssize_t our_elements() const { return static_cast<hssize_t>(ours_.elements()); }

  /// Whether HDF5 is wrong and ours is right, judged by counting the elements. Release 1.10.8 takes evenly
  /// spaced blocks for a regular hyperslab even if the last one has another size, as in 1, 3-4. Then it
  /// encodes another selection, and uses that from then on.
  bool reference_errs(hid_t reference) const {
    std::set<std::uint64_t> truth;
    for (const Step& step : steps_) apply(truth, step);
    if (space::Selection::of_points(frame_, {truth.begin(), truth.end()}).runs() != ours_.runs())
      return false;
    std::set<std::uint64_t> listed;
    std::uint64_t times = 0;
    const Numbers blocks = reference_blocks(reference);
    const std::size_t rank = frame_.rank();
    for (std::size_t at = 0; at < blocks.size(); at += 2 * rank) {
      Slab block;
      for (std::size_t d = at; d < at + rank; ++d)
        block.push_back({blocks[d], 1, 1, blocks[d + rank] - blocks[d] + 1});
      apply(listed, {space::SetOperator::unite, block});
      times += std::accumulate(block.begin(), block.end(), std::uint64_t{1},
                               [](std::uint64_t volume, const auto& d) { return volume * d.block; });
    }
    return listed != truth || times != truth.size();
  }

  void apply(std::set<std::uint64_t>& elements, const Step& step) const {
    std::set<std::uint64_t> operand{0};
    for (std::size_t d = 0; d < frame_.rank(); ++d) {
      std::set<std::uint64_t> deeper;
      for (const std::uint64_t base : operand)
        for (std::uint64_t i = 0; i < step.slab[d].count; ++i)
          for (std::uint64_t j = 0; j < step.slab[d].block; ++j)
            deeper.insert(base + (step.slab[d].start + i * step.slab[d].stride + j) * frame_.step(d));
      operand = std::move(deeper);
    }
    std::set<std::uint64_t> all(operand);
    all.insert(elements.begin(), elements.end());
    std::erase_if(all, [&](std::uint64_t at) {
      const unsigned index = (elements.contains(at) ? 1u : 0u) | (operand.contains(at) ? 2u : 0u);
      return (static_cast<unsigned>(step.op) >> index & 1) == 0;
    });
    elements = std::move(all);
  }

  void compare_unlimited(hid_t reference) {
    auto slab = some_slab();
    auto& endless = slab[random_.below(slab.size())];
    if (random_.chance(2)) {
      endless.count = space::unlimited;
    } else {
      endless.count = 1;
      endless.block = space::unlimited;
    }
    select(reference, H5S_SELECT_SET, slab);
    const auto theirs = reference_bytes(reference);
    if (!theirs) return expect(false, "HDF5 has no unlimited selection");
    expect(*theirs ==
               space::encode_dataspace(extent_, space::hdf5_encoding(space::UnlimitedSlab(slab), defaults)),
           "the bytes of an unlimited selection differ");
    const auto back = space::decode_dataspace(*theirs).selection.unlimited;
    if (!back) return expect(false, "an unlimited selection is not read as one");
    expect(*theirs == space::encode_dataspace(extent_, space::hdf5_encoding(*back, defaults)),
           "an unlimited selection is read as another one");
  }

  /// Decodes blocks in any order, which may overlap. The result must be HDF5's.
  void compare_blocks() {
    format::EncodedSelection list;
    list.type = format::SelectionType::hyperslab;
    list.rank = static_cast<std::uint8_t>(frame_.rank());
    for (std::uint64_t blocks = 1 + random_.below(10); blocks > 0; --blocks) {
      Slab block;
      for (const std::uint64_t dim : extent_.dims) {
        const std::uint64_t limit = dim > 9 ? 20 : dim;
        const std::uint64_t low = random_.below(limit);
        block.push_back({low, 1, 1, 1 + random_.below(limit - low)});
      }
      for (const auto& d : block) list.coordinates.push_back(d.start);
      for (const auto& d : block) list.coordinates.push_back(d.last());
      steps_.push_back({space::SetOperator::unite, block});
    }
    const Buffer bytes = space::encode_dataspace(extent_, list);
    const Space read(H5Sdecode(bytes.data()));
    ours_ = space::decode_dataspace(bytes).selection.selection;
    compare(read.id());
  }

  unsigned seed_;
  Random random_;
  format::DataspaceMessage extent_;
  std::uint64_t large_start_ = 0;  ///< start of hyperslabs in a dimension of huge extent
  space::Frame frame_;
  space::Selection ours_;
  std::vector<Step> steps_;  ///< the hyperslab operations that made it
  bool failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: selection_encoding_driver FIRST_SEED SEEDS\n");
    return 2;
  }
  H5Eset_auto(H5E_DEFAULT, nullptr, nullptr);
  const unsigned first = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  const unsigned seeds = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  bool failed = false;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    try {
      Comparison comparison(seed);
      comparison.run();
      failed = failed || comparison.failed();
    } catch (const Error& error) {
      std::printf("seed %u: %s\n", seed, error.what());
      failed = true;
    }
  }
  return failed ? 1 : 0;
}
