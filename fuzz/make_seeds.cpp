// SPDX-License-Identifier: Apache-2.0
//
// Writes the seeds of the fuzzers: small files of every kind, made with the public API, and the structures
// and messages in them and in the files that are named. Usage: make_seeds FOLDER [FILE...]
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <filigree/filigree.hpp>

#include "filter/packed_selection/packed_selection.hpp"
#include "filter/packed_values/packed_values.hpp"
#include "filter/table.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/object_header.hpp"
#include "space/encoding.hpp"

namespace {

using namespace filigree;
namespace fs = std::filesystem;
using Image = std::vector<std::byte>;

constexpr std::size_t largest_structure = 1024;
constexpr std::size_t largest_file = 64u << 10;

void write(const fs::path& folder, const std::string& name, std::initializer_list<unsigned> head,
           Bytes bytes) {
  fs::create_directories(folder);
  std::ofstream out(folder / name, std::ios::binary);
  for (const unsigned byte : head) out.put(static_cast<char>(byte));
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out) throw Error(ErrorKind::io, "cannot write " + (folder / name).string());
}

void fill(Group group, int links, int attributes) {
  for (int i = 0; i < links; ++i) group.create_group("group " + std::to_string(i)).set_attribute("n", i);
  group.link_soft("soft", "group 0");
  for (int i = 0; i < attributes; ++i)
    group.set_attribute("attribute " + std::to_string(i), std::vector<double>(3, i));
  group.set_attribute("words", std::vector<std::string>{"one", "two"});
  group.set_comment("a comment");
}

struct Hit {
  std::uint8_t detector = 0;
  std::array<float, 2> at{};
  std::string label;
  std::vector<std::int32_t> channels;
};
void describe(Members& members, Hit& h) {
  members("detector", h.detector)("at", h.at)("label", h.label)("channels", h.channels);
}

void fill_with_data(Group group, Layout layout) {
  DatasetOptions options;
  options.layout = layout;
  group.write_dataset("numbers", std::vector<std::int16_t>{1, 2, 3}, options);
  group.write_dataset("words", std::vector<std::string>{"one", "", "three"}, options);
  group.write_dataset("nested", std::vector<std::vector<std::string>>{{"a", "b"}, {}}, options);
  group.write_dataset("hits", std::vector<Hit>{{1, {2, 3}, "first", {4, 5}}, {}}, options);
  // A long double has padding, which is written with it. Objects of static storage have zeros there.
  static const long double wide = 1.5L;
  group.write_dataset("wide", wide, options);
  group.set_attribute("hit", Hit{1, {2, 3}, "first", {4, 5}});
  options.fill = Fill::of(7);
  group.create_dataset("unwritten", Datatype::integer(8, true, ByteOrder::big), Dataspace::simple({2, 3}),
                       options);
}

Image make(Version low, const CreateOptions& options, int links, int attributes) {
  AccessOptions access;
  access.versions.low = low;
  File file = File::create_in_memory(options, access);
  fill(file.root(), links, attributes);
  fill(file.root().create_group("below"), 2, 1);
  file.root().link_hard("below/cycle", file.root());
  if (links == 3)
    fill_with_data(file.root().create_group("data"), attributes == 2 ? Layout::compact : Layout::contiguous);
  file.root().commit("type", Datatype::of<float>());
  if (low != Version::earliest) file.root().link_external("external", "other.h5", "/x");
  file.root().remove("group 1");
  return file.image();
}

std::vector<Image> our_files() {
  std::vector<Image> files;
  CreateOptions plain;
  files.push_back(make(Version::earliest, plain, 3, 2));
  files.push_back(make(Version::earliest, plain, 10, 2));
  files.push_back(make(Version::v1_8, plain, 3, 2));
  files.push_back(make(Version::v1_8, plain, 9, 9));
  files.push_back(make(Version::latest, plain, 9, 9));
  CreateOptions ordered;
  ordered.root.track_order = ordered.root.index_order = true;
  ordered.root.attributes.track_order = ordered.root.attributes.index_order = true;
  files.push_back(make(Version::latest, ordered, 9, 9));
  CreateOptions shared;
  shared.shared_messages = {
      {{SharedMessage::attribute, SharedMessage::datatype, SharedMessage::dataspace}, 8}};
  shared.shared_list_max = 4;
  shared.shared_btree_min = 2;
  files.push_back(make(Version::latest, shared, 3, 2));
  files.push_back(make(Version::latest, shared, 3, 9));
  CreateOptions narrow;
  narrow.offset_bytes = narrow.length_bytes = 4;
  files.push_back(make(Version::earliest, narrow, 3, 2));
  files.push_back(make(Version::v1_8, narrow, 9, 9));
  for (const SpaceStrategy strategy : {SpaceStrategy::free_list, SpaceStrategy::paged}) {
    CreateOptions space;
    space.space.strategy = strategy;
    space.space.persist = true;
    space.space.page_bytes = 512;
    files.push_back(make(Version::latest, space, 9, 3));
  }
  return files;
}

enum class ChunkKind {
  dense,
  filtered,
  sparse,
  portable,
  packed,
  deflated_selection,
  sparse_texts,
  dense_texts
};

void add_chunked(Group root, const std::string& name, ChunkKind kind, const Dataspace& space,
                 std::vector<std::uint64_t> chunk) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  options.sparse = kind >= ChunkKind::sparse && kind < ChunkKind::dense_texts;
  options.portable = kind == ChunkKind::portable;
  options.choose_section_filters = false;
  options.heap_in_chunks = kind >= ChunkKind::sparse_texts;
  if (kind == ChunkKind::filtered || kind == ChunkKind::packed)
    options.filters = {filters::shuffle(), filters::deflate(1)};
  if (kind == ChunkKind::packed) options.selection_filters = {filters::packed_selection()};
  if (kind == ChunkKind::deflated_selection) options.selection_filters = {filters::deflate(1)};
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t at = 1; at < space.elements(); at += 1 + at % 7) offsets.push_back(at);
  if (options.heap_in_chunks) {
    std::vector<std::string> values;
    for (const std::uint64_t at : offsets) values.push_back(std::string(at % 5, 'x'));
    auto data = root.create_dataset<std::string>(name, space, options);
    write_offsets<std::string>(data, offsets, values);
  } else {
    auto data = root.create_dataset<std::int32_t>(name, space, options);
    write_offsets<std::int32_t>(data, offsets, std::vector<std::int32_t>(offsets.begin(), offsets.end()));
  }
}

/// Chunks of every kind with every chunk index, for fuzz_chunks.
void write_chunk_seeds(const fs::path& folder) {
  using Dims = std::vector<std::uint64_t>;
  for (int kind = 0; kind <= static_cast<int>(ChunkKind::dense_texts); ++kind) {
    for (const Version low : {Version::earliest, Version::latest}) {
      AccessOptions access;
      access.versions.low = low;
      File file = File::create_in_memory({}, access);
      int number = 0;
      for (const Dims& most : {Dims{10, 12}, Dims{20, 24}, Dims{unlimited, 12}, Dims{unlimited, unlimited}})
        add_chunked(file.root(), "d" + std::to_string(number++), static_cast<ChunkKind>(kind),
                    Dataspace::simple({10, 12}, most), {most[0] == 10 ? 10u : 4u, most[1] == 12 ? 12u : 5u});
      add_chunked(file.root(), "wide", static_cast<ChunkKind>(kind), Dataspace::simple({8, 128}), {8, 64});
      write(folder / "chunks", std::to_string(kind) + (low == Version::latest ? "-latest" : "-earliest"), {},
            file.image());
    }
  }
}

/// Portable chunks with the parameters of their filter, for fuzz_portable.
void write_portable_seeds(const fs::path& folder) {
  const std::vector<std::vector<FilterChoice>> values{{},
                                                      {filters::shuffle(), filters::deflate(1)},
                                                      {filters::zstd(1), filters::fletcher32()},
                                                      {filters::lz4()}};
  const std::vector<std::vector<FilterChoice>> selections{
      {}, {filters::packed_selection()}, {filters::deflate(1)}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < selections.size(); ++j) {
      auto data =
          File::create_in_memory().root().create_dataset<std::int16_t>("d", Dataspace::simple({4, 30}),
                                                                       sparse_chunks({4, 30})
                                                                           .unfiltered()
                                                                           .values(values[i])
                                                                           .selection(selections[j])
                                                                           .portable()
                                                                           .fill(Fill::of(5)));
      std::vector<std::uint64_t> offsets;
      for (std::uint64_t at = i; at < 120; at += 1 + at % 9) offsets.push_back(at);
      write_offsets<std::int16_t>(data, offsets, std::vector<std::int16_t>(offsets.begin(), offsets.end()));
      const std::vector<std::uint32_t> words = data.dataset_info().filters[0].parameters;
      const Image chunk = data.read_chunk({0, 0}).bytes;
      for (unsigned char flags = 0; flags < 8; ++flags) {
        Image seed{std::byte{flags}, static_cast<std::byte>(words.size())};
        for (const std::uint32_t word : words)
          for (int byte = 0; byte < 4; ++byte) seed.push_back(static_cast<std::byte>(word >> 8 * byte));
        seed.insert(seed.end(), chunk.begin(), chunk.end());
        write(folder / "portable", std::to_string(i) + std::to_string(j) + std::to_string(flags), {}, seed);
      }
    }
  }
}

/// Signatures of structures, and their indexes in the table of fuzz_structures.
constexpr std::array<std::pair<std::string_view, unsigned>, 14> signatures = {{
    {"TREE", 0},
    {"SNOD", 1},
    {"BTHD", 2},
    {"BTLF", 3},
    {"BTIN", 3},
    {"FRHP", 5},
    {"FHIB", 6},
    {"FHDB", 7},
    {"FSHD", 8},
    {"FSSE", 9},
    {"SMTB", 10},
    {"SMLI", 11},
    {"GCOL", 12},
    {"HEAP", 13},
}};

class Seeds {
 public:
  explicit Seeds(fs::path folder) : folder_(std::move(folder)) {}

  void add(const Image& image) {
    const std::string number = std::to_string(files_++);
    if (image.size() <= largest_file) write(folder_ / "file", number, {}, image);
    write(folder_ / "structures", "superblock-" + number, {17, 0, 0, 0},
          Bytes(image).first(std::min<std::size_t>(image.size(), 128)));
    const std::string_view text = as_text(image);
    for (const auto& [signature, selector] : signatures) {
      for (std::size_t at = text.find(signature), n = 0; at != text.npos && n < 4;
           at = text.find(signature, at + 1), ++n) {
        const Bytes rest = Bytes(image).subspan(at);
        write(folder_ / "structures", std::string(signature) + "-" + number + "-" + std::to_string(n),
              {selector, 0, 32, 16}, rest.first(std::min(rest.size(), largest_structure)));
      }
    }
    for (std::size_t at = text.find("OHDR"); at != text.npos; at = text.find("OHDR", at + 1))
      add_header(Bytes(image).subspan(at));
  }

 private:
  void add_header(Bytes bytes) {
    try {
      format::ObjectHeaderPrefixV2 prefix;
      const std::size_t start = format::decode(prefix, bytes, {});
      const Bytes area =
          bytes.subspan(start).first(std::min<std::uint64_t>(bytes.size() - start, prefix.area_bytes));
      write(folder_ / "structures", "header-" + std::to_string(headers_++),
            {14, 0, prefix.tracks_attribute_order ? 129u : 1u, 0}, area);
      std::uint32_t gap = 0;
      for (const auto& slot :
           format::walk_messages(area, 0, {2, prefix.tracks_attribute_order}, to_address(0), gap)) {
        const Bytes body = area.subspan(slot.body_at, slot.body_bytes);
        const auto type = static_cast<unsigned>(slot.type);
        const std::string name = std::to_string(type) + "-" + std::to_string(messages_++);
        const bool shared = (slot.flags & format::message_flag::shared) != 0;
        write(folder_ / "messages", name, {shared ? 25 : type, 0}, body);
        if (slot.type == format::MessageType::datatype && !shared) add_type(name, body);
      }
    } catch (const Error&) {
      // These four bytes were not a header.
    }
  }

  /// Writes the type alone, and as the source of a conversion to the type before it, with elements of
  /// ascending bytes.
  void add_type(const std::string& name, Bytes body) {
    write(folder_ / "datatype", name, {}, body);
    Buffer pair;
    const auto append = [&](Bytes type) {
      pair.push_back(static_cast<std::byte>(type.size()));
      pair.push_back(static_cast<std::byte>(type.size() >> 8));
      pair.insert(pair.end(), type.begin(), type.end());
    };
    append(body);
    append(last_type_.empty() ? body : Bytes(last_type_));
    for (unsigned i = 0; i < 200; ++i) pair.push_back(static_cast<std::byte>(i % 4 == 0 ? i : 0));
    write(folder_ / "conversion", name, {}, pair);
    last_type_.assign(body.begin(), body.end());
  }

  fs::path folder_;
  Buffer last_type_;
  int files_ = 0, headers_ = 0, messages_ = 0;
};

/// Encoded dataspaces of every kind, in every version.
void write_selections(const fs::path& folder) {
  const space::Frame frame({5, 6});
  const auto comb = space::Selection::regular(frame, {{0, 2, 2, 1}, {1, 3, 2, 2}});
  const auto block = space::Selection::regular(frame, {{3, 1, 1, 2}, {0, 1, 1, 4}});
  const space::Selection selections[] = {comb, combine(comb, space::SetOperator::unite, block),
                                         space::Selection::of_points(frame, {7, 3, 7}),
                                         space::Selection::all(frame), space::Selection::none(frame)};
  format::DataspaceMessage extent;
  extent.kind = format::DataspaceKind::simple;
  extent.dims = frame.dims();
  int number = 0;
  const auto add = [&](const format::EncodedSelection& encoded) {
    write(folder, std::to_string(number++), {}, space::encode_dataspace(extent, encoded));
  };
  for (const auto low : {space::Release::earliest, space::Release::v110, space::Release::v112}) {
    const space::ReleaseBounds bounds{low, space::Release::latest};
    for (const space::Selection& selection : selections) add(space::hdf5_encoding(selection, bounds));
    add(space::hdf5_encoding(space::UnlimitedSlab({{1, 3, space::unlimited, 2}, {0, 1, 1, 6}}), bounds));
  }
}

Image read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Bytes bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

/// Selections of every kind, encoded by filter 500. `index` is its index in the table of filters.
void write_packed_selections(const fs::path& folder, unsigned index) {
  using space::Run;
  const space::Frame frame({20, 30});
  const auto runs_every = [](std::uint64_t step, std::uint64_t length) {
    std::vector<Run> runs;
    for (std::uint64_t at = step / 2; at + length < 600; at += step + at % 3) runs.push_back({at, length});
    return space::RunSet::of_runs(runs);
  };
  int number = 0;
  for (const auto& set : {runs_every(3, 1), runs_every(29, 3), runs_every(40, 17), runs_every(5, 4),
                          runs_every(30, 30), space::RunSet(Run{0, 600}), space::RunSet(Run{100, 120})}) {
    for (const auto form : {space::DefinedEncoding::standard, space::DefinedEncoding::compact,
                            space::DefinedEncoding::smallest}) {
      const Buffer plain = space::encode_defined(frame, set, form);
      const auto head = {index, 0u, static_cast<unsigned>(plain.size() & 0xff),
                         static_cast<unsigned>(plain.size() >> 8)};
      write(folder / "filters", "500-" + std::to_string(number++), head, filter::pack_selection(plain));
    }
  }
}

/// A set whose columns differ in density, in the format of fuzz_filters.
void write_uneven_columns(const fs::path& folder, unsigned index) {
  std::vector<std::uint32_t> points;
  for (std::uint32_t at = 0; at < 60 * 40; ++at)
    if (at * 7919 % 101 < at % 40 * (at % 40) / 30) points.push_back(at);
  const auto packed = filter::pack_points(std::vector<std::uint64_t>{60, 40}, points);
  const auto bytes = static_cast<unsigned>(packed.value().unfiltered_bytes);
  write(folder / "filters", "500-lines", {index, 0u, bytes & 0xff, bytes >> 8}, packed->stored);
}

/// Values for every form of filter 501. `index` is its index in the table of filters.
void write_packed_values(const fs::path& folder, unsigned index) {
  constexpr std::size_t elements = 2100;
  using Value = std::uint64_t (*)(std::uint64_t);
  const std::array<Value, 6> kinds{
      [](std::uint64_t) { return std::uint64_t{7}; },
      [](std::uint64_t i) { return 1000 + i * i % 61; },
      [](std::uint64_t i) { return i * i % 5 * 4001; },
      [](std::uint64_t i) { return i / 50 * 40503 % 65536; },
      [](std::uint64_t i) { return i * i % 31 < 24 ? std::uint64_t{1} : i % 5; },
      [](std::uint64_t i) { return i % 100 == 3 ? i * 31 : i * i % 16 * (i % 7); },
  };
  int number = 0;
  for (const unsigned width : {2u, 4u, 8u}) {
    for (const Value value : kinds) {
      Buffer plain(width * elements);
      for (std::size_t i = 0; i < elements; ++i) store_word(plain.data() + width * i, value(i), width);
      Buffer seed(8);
      store_word(seed.data(), width, 4);
      const Buffer stored = filter::pack_values(plain, {width});
      seed.insert(seed.end(), stored.begin(), stored.end());
      const auto head = {index, 2u, static_cast<unsigned>(plain.size() & 0xff),
                         static_cast<unsigned>(plain.size() >> 8)};
      write(folder / "filters", "501-" + std::to_string(number++), head, seed);
    }
  }
}

/// For each filter a chunk of 12-bit numbers, in the format of fuzz_filters.
void write_filter_seeds(const fs::path& folder) {
  using filter::TypeFacts;
  constexpr std::size_t elements = 200;
  const filter::ChunkFacts chunk{
      {TypeFacts::Kind::integer, 4, TypeFacts::Order::little, 12}, {elements}, Buffer(4)};
  Buffer plain(4 * elements);
  for (std::size_t i = 0; i < elements; ++i) store_word(plain.data() + 4 * i, i * i % 4000, 4);
  const std::vector<std::vector<std::uint32_t>> wanted{
      {6}, {}, {}, {33, 8}, {}, {2, 0}, {}, {}, {}, {0, 0, 0, 0, 5, 1, 1}, {300}, {64, 2}, {3}};
  const auto filters = filter::builtin_filters();
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const auto params = filters[i]->prepare(wanted.at(i), chunk);
    Buffer seed(4 * params.size());
    for (std::size_t j = 0; j < params.size(); ++j) store_word(seed.data() + 4 * j, params[j], 4);
    const Buffer stored = filters[i]->bind(params, {4, elements})->encode(plain);
    seed.insert(seed.end(), stored.begin(), stored.end());
    const auto head = {static_cast<unsigned>(i), static_cast<unsigned>(params.size()),
                       static_cast<unsigned>(plain.size() & 0xff), static_cast<unsigned>(plain.size() >> 8)};
    write(folder / "filters", std::to_string(filters[i]->id()), head, seed);
    if (filters[i]->id() == 500) {
      write_packed_selections(folder, static_cast<unsigned>(i));
      write_uneven_columns(folder, static_cast<unsigned>(i));
    }
    if (filters[i]->id() == 501) write_packed_values(folder, static_cast<unsigned>(i));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: make_seeds FOLDER [FILE...]\n");
    return 2;
  }
  try {
    Seeds seeds(argv[1]);
    write_selections(fs::path(argv[1]) / "selection");
    for (const Image& image : our_files()) seeds.add(image);
    write_filter_seeds(argv[1]);
    write_chunk_seeds(argv[1]);
    write_portable_seeds(argv[1]);
    for (int i = 2; i < argc; ++i) seeds.add(read_file(argv[i]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_seeds: %s\n", error.what());
    return 1;
  }
}
