// SPDX-License-Identifier: Apache-2.0
//
// A user-defined driver: it keeps the bytes of an HDF5 file as blocks of 64 KiB in a store of named blobs, as
// in an object store. The store counts its requests.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

constexpr std::uint64_t block_bytes = 64 << 10;
using Block = std::vector<std::byte>;

/// Stands for a service with high latency.
struct BlobStore {
  std::map<std::string, std::map<std::uint64_t, Block>> blobs;  ///< blocks by number, under the file's name
  std::map<std::string, std::uint64_t> sizes;
  std::size_t requests = 0, extents = 0;
};

/// One file in the store. Extents are checked, merged and batched already; the driver only moves bytes.
class BlobFile : public filigree::FileDriver {
 public:
  BlobFile(BlobStore& store, std::string name) : store_(store), name_(std::move(name)) {}

  filigree::DriverCapabilities capabilities() const override {
    filigree::DriverCapabilities able;
    // With high latency, reading a gap costs less than a second request.
    able.coalescing.read_gap_bytes = able.coalescing.write_gap_bytes = 16 << 10;
    return able;
  }

  void read(std::span<const filigree::ReadExtent> extents) override {
    ++store_.requests;
    for (const auto& extent : extents) {
      for_blocks(extent.offset, extent.into.size(),
                 [&](Block& block, std::uint64_t at, std::uint64_t done, std::uint64_t n) {
                   std::memcpy(extent.into.data() + done, block.data() + at, n);
                 });
    }
  }

  void write(std::span<const filigree::WriteExtent> extents) override {
    ++store_.requests;
    for (const auto& extent : extents) {
      for_blocks(extent.offset, extent.from.size(),
                 [&](Block& block, std::uint64_t at, std::uint64_t done, std::uint64_t n) {
                   std::memcpy(block.data() + at, extent.from.data() + done, n);
                 });
      store_.sizes[name_] = std::max(store_.sizes[name_], extent.offset + extent.from.size());
    }
  }

  std::uint64_t size() override { return store_.sizes[name_]; }

  void truncate(std::uint64_t bytes) override {
    auto& blocks = store_.blobs[name_];
    blocks.erase(blocks.lower_bound((bytes + block_bytes - 1) / block_bytes), blocks.end());
    if (const auto last = blocks.find(bytes / block_bytes); last != blocks.end())
      std::fill(last->second.begin() + static_cast<std::ptrdiff_t>(bytes % block_bytes), last->second.end(),
                std::byte{0});
    store_.sizes[name_] = bytes;
  }

 private:
  /// Blocks that were never written are zero.
  template <class Work>
  void for_blocks(std::uint64_t offset, std::uint64_t bytes, Work work) {
    ++store_.extents;
    for (std::uint64_t done = 0; done < bytes;) {
      Block& block = store_.blobs[name_][(offset + done) / block_bytes];
      block.resize(block_bytes);
      const std::uint64_t at = (offset + done) % block_bytes;
      const std::uint64_t n = std::min(bytes - done, block_bytes - at);
      work(block, at, done, n);
      done += n;
    }
  }

  BlobStore& store_;
  std::string name_;
};

}  // namespace

int main() {
  try {
    BlobStore store;
    const filigree::UserDriver driver{.open = [&](const filigree::DriverOpenRequest& request) {
      if (request.mode == filigree::DriverOpenMode::create_truncate) {
        store.blobs[request.path].clear();
        store.sizes[request.path] = 0;
      }
      return std::make_unique<BlobFile>(store, request.path);
    }};

    auto file = filigree::create_through(driver, "table", filigree::CreateMode::truncate);
    auto table = file.root().create_dataset<double>("values", filigree::Dataspace::simple({1000, 1000}));
    std::vector<double> values(1000 * 1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 * static_cast<double>(i);
    table.write(values);
    file.close();
    std::cout << store.blobs["table"].size() << " blocks written\n";

    store.requests = store.extents = 0;
    const auto again = filigree::open_through(driver, "table");
    const auto column = again.root().open_dataset("values").read<std::vector<double>>(
        filigree::Selection::box({0, 8}, {1000, 1}));
    std::cout << "a column of " << column.size() << " elements, the last " << column.back() << ", took "
              << store.requests << " requests\n";
    const bool right = column.size() == 1000 && column.back() == 499504 && store.requests < 300;
    if (!right) std::cerr << "not what was written\n";
    return right ? 0 : 1;
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
