// SPDX-License-Identifier: Apache-2.0
//
// Copies bytes between single files and files of several members, through the drivers of the latter. Usage:
//   io_members_driver from-family PATTERN MEMBER_BYTES FILE
//   io_members_driver to-family PATTERN MEMBER_BYTES FILE
//   io_members_driver from-split BASE METADATA_FILE RAW_FILE
//   io_members_driver to-split BASE METADATA_FILE RAW_FILE
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "io/family/family_file.hpp"
#include "io/multi/multi_file.hpp"
#include "io/posix/posix_file.hpp"

namespace io = filigree::io;
using filigree::Buffer;

namespace {

constexpr std::size_t piece_bytes = 1009;  // a prime, so that pieces cross all boundaries

/// Copies bytes [from, end) of one file to the start of the other, in one request of many extents.
void copy(const io::VirtualFile& from, std::uint64_t first, std::uint64_t end, io::VirtualFile& to,
          std::uint64_t at) {
  Buffer bytes(end - first);
  std::vector<io::ReadExtent> reads;
  std::vector<io::WriteExtent> writes;
  for (std::size_t done = 0; done < bytes.size(); done += piece_bytes) {
    const std::size_t count = std::min(piece_bytes, bytes.size() - done);
    reads.push_back({first + done, filigree::MutableBytes(bytes).subspan(done, count)});
    writes.push_back({at + done, filigree::Bytes(bytes).subspan(done, count)});
  }
  from.read(reads);
  to.write(writes);
}

io::PosixFile plain(const std::string& path, bool create) {
  return io::PosixFile(path, create ? io::DriverOpenMode::create_truncate : io::DriverOpenMode::read_only);
}

int run(const std::vector<std::string>& words) {
  if (words.size() != 4) return 2;
  const bool creating = words[0].starts_with("to-");
  const io::DriverOpenMode mode =
      creating ? io::DriverOpenMode::create_truncate : io::DriverOpenMode::read_only;
  if (words[0].ends_with("-family")) {
    const auto family = io::open_family(words[1], std::stoull(words[2]), mode);
    io::PosixFile file = plain(words[3], !creating);
    creating ? copy(file, 0, file.size(), *family, 0) : copy(*family, 0, family->size(), file, 0);
    return 0;
  }
  const auto split = io::open_split(words[1], mode);
  const io::MemoryType types[] = {io::MemoryType::superblock, io::MemoryType::raw};
  for (std::size_t i = 0; i < 2; ++i) {
    io::PosixFile file = plain(words[2 + i], !creating);
    const std::uint64_t first = split->addresses(types[i]).first;
    creating ? copy(file, 0, file.size(), *split, first)
             : copy(*split, first, split->end_of_file(types[i]), file, 0);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
