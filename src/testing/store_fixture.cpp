// SPDX-License-Identifier: Apache-2.0
#include "testing/store_fixture.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "io/virtual_file.hpp"

namespace filigree::testing {
namespace {

class BufferFile : public io::VirtualFile {
 public:
  explicit BufferFile(Buffer image) : bytes_(std::move(image)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }
  bool writable() const override { return true; }
  const Buffer& bytes() const { return bytes_; }

 private:
  void do_read(std::span<const io::ReadExtent> extents) const override {
    for (const auto& e : extents) std::copy_n(bytes_.begin() + e.offset, e.into.size(), e.into.begin());
  }
  void do_write(std::span<const io::WriteExtent> extents) override {
    for (const auto& e : extents) {
      if (e.offset + e.from.size() > bytes_.size()) bytes_.resize(e.offset + e.from.size());
      std::copy(e.from.begin(), e.from.end(), bytes_.begin() + e.offset);
    }
  }
  void do_truncate(std::uint64_t bytes) override { bytes_.resize(bytes); }
  void do_sync() override {}

  std::string name_ = "test.h5";
  Buffer bytes_;
};

}  // namespace

Address TestSpace::allocate(store::SpaceKind kind, std::uint64_t bytes) {
  if (bytes == 0) throw Error(ErrorKind::internal, "allocating no bytes");
  std::uint64_t at = end_;
  const auto fit = std::find_if(free_.begin(), free_.end(), [&](const auto& f) { return f.second >= bytes; });
  if (fit != free_.end()) {
    at = fit->first;
    const std::uint64_t rest = fit->second - bytes;
    free_.erase(fit);
    if (rest > 0) free_.insert({at + bytes, rest});
  } else {
    end_ += bytes;
  }
  used_.insert({at, bytes, kind});
  in_use_ += bytes;
  return to_address(at);
}

void TestSpace::adopt(store::SpaceKind kind, Address at, std::uint64_t bytes) {
  used_.insert({to_number(at), bytes, kind});
  in_use_ += bytes;
}

TestSpace::Blocks::iterator TestSpace::holder(store::SpaceKind kind, Address at, std::uint64_t bytes) {
  auto found = used_.upper_bound({to_number(at), 0, kind});
  if (found == used_.begin()) return used_.end();
  --found;
  const bool inside =
      to_number(at) - found->at <= found->bytes && bytes <= found->bytes - (to_number(at) - found->at);
  return inside && found->kind == kind ? found : used_.end();
}

void TestSpace::release(store::SpaceKind kind, Address at, std::uint64_t bytes) {
  const auto found = holder(kind, at, bytes);
  // Structures of the initial file image are not known, unless the test adopted them.
  const bool original = to_number(at) < original_end_ && bytes <= original_end_ - to_number(at);
  if (original && found == used_.end()) return;
  if (bytes == 0 || found == used_.end()) {
    throw Error(ErrorKind::internal,
                fmt::format("released {} bytes at {}, which were not allocated with this kind and size",
                            bytes, to_string(at)));
  }
  const Block block = *found;
  used_.erase(found);
  const std::uint64_t end = to_number(at) + bytes;
  if (block.at < to_number(at)) used_.insert({block.at, to_number(at) - block.at, kind});
  if (end < block.at + block.bytes) used_.insert({end, block.at + block.bytes - end, kind});
  if (!keeps_released) free_.insert({to_number(at), bytes});
  in_use_ -= bytes;
}

bool TestSpace::try_extend(store::SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) {
  if (to_number(at) < original_end_) return false;
  const auto found = holder(kind, at, bytes);
  if (found == used_.end()) {
    throw Error(ErrorKind::internal,
                fmt::format("extending {} bytes at {}, which were not allocated with this kind and size",
                            bytes, to_string(at)));
  }
  if (to_number(at) + bytes != end_) return false;
  const Block longer{found->at, found->bytes + extra, kind};
  used_.erase(found);
  used_.insert(longer);
  end_ += extra;
  in_use_ += extra;
  return true;
}

MemoryStore::MemoryStore(format::Widths widths, Buffer image, std::size_t cache_bytes) {
  store::FileStore::Setup setup;
  setup.widths = widths;
  setup.end_of_file = image.size();
  setup.cache_bytes = cache_bytes;
  auto owned = std::make_unique<TestSpace>(image.size());
  space = owned.get();
  store = std::make_unique<store::FileStore>(std::make_unique<BufferFile>(std::move(image)), setup,
                                             std::move(owned));
}

Buffer MemoryStore::image() {
  store->flush_metadata();
  store->set_file_end(space->end_of_allocation());
  return static_cast<BufferFile&>(store->file()).bytes();
}

std::unique_ptr<store::FileStore> MemoryStore::reopened() {
  MemoryStore other(store->widths(), image());
  return std::move(other.store);
}

}  // namespace filigree::testing
