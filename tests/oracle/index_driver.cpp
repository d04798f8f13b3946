// SPDX-License-Identifier: Apache-2.0
//
// Reads and changes chunk indexes of files that HDF5 wrote:
//   list FILE DATASET           prints coordinates, address, size and mask of every chunk; then the
//                               size of the index
//   rebuild FILE DATASET SEED   makes the index anew over the same chunks, shuffled unless SEED is 0
//   thin FILE DATASET N         removes every N-th chunk and frees its space
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <filigree/error.hpp>
#include <filigree/options.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/layout.hpp"
#include "format/messages/pipeline.hpp"
#include "format/object_header/message_type.hpp"
#include "format/superblock/superblock.hpp"
#include "index/chunk_index.hpp"
#include "model/file/file.hpp"
#include "model/link/path.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"

namespace {

using namespace filigree;
using index::ChunkCoordinates;
using index::ChunkIndex;
using index::ChunkLocation;

struct Chunk {
  std::vector<std::uint64_t> at;
  ChunkLocation location;
};

struct Target {
  Target(const std::string& name, const std::string& path, bool writes)
      : file(model::File::open_path(name, writes ? OpenMode::read_write : OpenMode::read_only, {})),
        header(model::get_object({file, file->root(), "/"}, path).header) {
    const auto space = model::object_dataspace(*file, header);
    facts.extent = space.dims;
    facts.max_extent = space.max_dims.value_or(space.dims);
    if (const auto pipeline = model::find_message(*file, header, format::MessageType::filter_pipeline)) {
      facts.filtered =
          !format::decode<format::PipelineMessage>(*pipeline, file->store().widths()).filters.empty();
    }
    const auto body = model::get_message(*file, header, format::MessageType::layout);
    chunks = index::make_index(file->store(),
                               format::decode<format::LayoutMessage>(body, file->store().widths()), facts);
  }
  void save_layout() {
    store::ObjectHeader(file->store(), header)
        .set(format::MessageType::layout, 0, format::encode(chunks->layout(), file->store().widths()));
  }
  std::vector<Chunk> all() const {
    std::vector<Chunk> list;
    chunks->for_each([&](ChunkCoordinates at, const ChunkLocation& location) {
      return list.push_back({{at.begin(), at.end()}, location}), true;
    });
    return list;
  }

  std::shared_ptr<model::File> file;
  Address header;
  index::DatasetFacts facts;
  std::unique_ptr<ChunkIndex> chunks;
};

/// Single look-ups and batched look-ups must agree with the list.
void check_lookups(const ChunkIndex& chunks, const std::vector<Chunk>& list) {
  std::vector<std::uint64_t> coordinates;
  for (const Chunk& chunk : list) coordinates.insert(coordinates.end(), chunk.at.begin(), chunk.at.end());
  std::vector<ChunkLocation> found(list.size());
  chunks.find(coordinates, found);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (found[i] != list[i].location || chunks.find(list[i].at) != list[i].location)
      throw Error(ErrorKind::internal, "a look-up differs from the list");
  }
}

void list(const std::string& name, const std::string& path) {
  const Target target(name, path, false);
  const auto chunks = target.all();
  check_lookups(*target.chunks, chunks);
  for (const auto& [at, location] : chunks) {
    for (const std::uint64_t coordinate : at) std::cout << coordinate << ' ';
    std::cout << to_number(location.address) + target.file->store().base() << ' ' << location.stored_bytes
              << ' ' << location.filter_mask << '\n';
  }
  std::cout << "index " << target.chunks->index_bytes() << '\n';
}

void rebuild(const std::string& name, const std::string& path, unsigned seed) {
  Target target(name, path, true);
  {
    const model::Change change(*target.file, "rebuild an index");
    auto chunks = target.all();
    target.chunks->destroy([](ChunkCoordinates, const ChunkLocation&) {});
    if (seed != 0) std::shuffle(chunks.begin(), chunks.end(), std::mt19937(seed));
    for (const auto& [at, location] : chunks) target.chunks->insert(at, location);
    check_lookups(*target.chunks, chunks);
    target.save_layout();
  }
  target.file->close();
}

void thin(const std::string& name, const std::string& path, std::size_t n) {
  Target target(name, path, true);
  {
    const model::Change change(*target.file, "remove chunks");
    const auto chunks = target.all();
    for (std::size_t i = 0; i < chunks.size(); i += n) {
      const auto gone = target.chunks->remove(chunks[i].at);
      target.file->store().space().release(store::SpaceKind::raw, gone.value().address, gone->stored_bytes);
    }
    target.save_layout();
  }
  target.file->close();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  try {
    if (args.size() == 3 && args[0] == "list") {
      list(args[1], args[2]);
    } else if (args.size() == 4 && args[0] == "rebuild") {
      rebuild(args[1], args[2], static_cast<unsigned>(std::stoul(args[3])));
    } else if (args.size() == 4 && args[0] == "thin") {
      thin(args[1], args[2], std::stoul(args[3]));
    } else {
      std::cerr << "index_driver list FILE DATASET | rebuild FILE DATASET SEED | thin FILE DATASET N\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
