// SPDX-License-Identifier: Apache-2.0
//
// Applies random operations on a chunked dataset (see chunk_twin_life.hpp) to two files, in several parts. In
// one file we apply the first part and HDF5 the next one, in the other file it is the other way round. After
// every part, both libraries must read the same contents from both files. Usage: chunk_twin_driver FOLDER,
// run by chunk_twin_test.py, which applies HDF5's parts through standard input and output. RapidCheck reports
// to standard error.
#include <array>
#include <iostream>
#include <map>
#include <sstream>

#include <rapidcheck.h>

#include <filigree/filigree.hpp>

#include "chunk_twin_life.hpp"
#include "wire.hpp"

namespace {

using namespace filigree;
using namespace oracle;
using Lines = std::vector<std::string>;

Numbers numbers(const std::string& list) {
  Numbers all;
  if (list == "-") return all;
  for (const auto item : split(list, ','))
    all.push_back(item == "u" ? unlimited : std::stoull(std::string(item)));
  return all;
}

/// Sends a request to HDF5 and returns its answer, which is one line.
std::string ask(const std::string& request) {
  std::cout << request << std::endl;
  std::string answer;
  if (!std::getline(std::cin, answer)) throw std::runtime_error("HDF5's process has ended");
  if (answer.starts_with("failed")) throw std::runtime_error("HDF5 " + answer);
  return answer;
}

std::string pack(const Definition& made, std::uint32_t mask, const Numbers& values) {
  return ask("pack " + made.line() + " / " + std::to_string(mask) + " / " + text(values));
}

void play_reference(const std::string& path, const Lines& lines) {
  std::string all = "play " + path + '\n';
  for (const std::string& line : lines) all += line + '\n';
  ask(all + "end");
}

FilterChoice filter_of(const std::string& name) {
  static const std::map<std::string, FilterChoice> known{{"deflate", filters::deflate(4)},
                                                         {"shuffle", filters::shuffle()},
                                                         {"fletcher32", filters::fletcher32()},
                                                         {"scale", filters::scale_offset()},
                                                         {"lzf", filters::lzf()},
                                                         {"nbit", filters::nbit()}};
  return known.at(name);
}

AccessOptions access_of(const std::string& bounds) {
  AccessOptions access;
  if (bounds == "latest") access.versions = {Version::latest, Version::latest};
  return access;
}

/// Applies operations with Filigree.
class Player {
 public:
  explicit Player(std::string path) : path_(std::move(path)) {}

  void play(const std::string& line) {
    std::istringstream in(line);
    std::string what, a, b, c, d;
    std::uint64_t number = 0;
    in >> what;
    if (what == "create") return create(in);
    if (what == "open") {
      in >> bounds_;
      return open();
    }
    if (what == "reopen") {
      file_->close();
      return open();
    }
    if (what == "flush") return file_->flush();
    Dataset data = file_->root().open_dataset("d");
    if (what == "resize") {
      in >> a;
      data.resize(numbers(a));
    } else if (what == "chunk") {
      in >> a >> number >> b;
      data.write_chunk(numbers(a), bytes_of(b), static_cast<std::uint32_t>(number));
    } else if (what == "points") {
      in >> a >> number;
      write(data, Selection::points(data.space().dims(), numbers(a)), number);
    } else {
      in >> a >> b >> c >> d >> number;
      const Numbers start = numbers(a), stride = numbers(b), count = numbers(c), block = numbers(d);
      std::vector<Selection::Range> ranges;
      for (std::size_t i = 0; i < start.size(); ++i)
        ranges.push_back({start[i], stride[i], count[i], block[i]});
      write(data, Selection::blocks(ranges), number);
    }
  }
  void close() { file_->close(); }

 private:
  static std::vector<std::byte> bytes_of(const std::string& digits) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
      bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    return bytes;
  }

  static void write(Dataset& data, const Selection& selection, std::uint64_t first) {
    std::vector<std::int64_t> values(selection.elements());
    const std::uint64_t modulus = data.datatype().size() == 1 ? 127 : 251;
    for (auto& value : values) value = static_cast<std::int64_t>(first++ % modulus);
    data.write(values, selection);
  }

  void create(std::istringstream& in) {
    std::string type, dims, most, chunk, chain, fill, allocation;
    in >> bounds_ >> type >> dims >> most >> chunk >> chain >> fill >> allocation;
    file_ = File::create(path_, CreateMode::truncate, {}, access_of(bounds_));
    DatasetOptions options;
    options.chunk = numbers(chunk);
    if (chain != "-")
      for (const auto name : split(chain, ',')) options.filters.push_back(filter_of(std::string(name)));
    if (fill != "-") options.fill = Fill::of<std::int64_t>(std::stoll(fill));
    if (allocation == "early") options.allocation = AllocationTime::early;
    if (allocation == "late") options.allocation = AllocationTime::late;
    Datatype made = Datatype::integer(static_cast<std::uint32_t>(type[1] - '0'), type[0] == 'i');
    if (type.size() > 2) {
      BitLayout bits = made.bits();
      bits.precision = static_cast<std::uint16_t>(std::stoi(type.substr(3)));
      made = made.with_bits(bits);
    }
    file_->root().create_dataset("d", made, Dataspace::simple(numbers(dims), numbers(most)), options);
  }
  void open() { file_ = File::open(path_, OpenMode::read_write, access_of(bounds_)); }

  std::string path_;
  std::string bounds_;
  std::optional<File> file_;
};

void play_ours(const std::string& path, const Lines& lines) {
  Player player(path);
  for (const std::string& line : lines) player.play(line);
  player.close();
}

/// The contents in the format of HDF5's answer: "DIMS STORAGE COUNT VALUES CHUNKS".
std::string look_ours(const std::string& path) {
  const File file = File::open(path);
  const Dataset data = file.root().open_dataset("d");
  const auto values = data.read<std::vector<std::int64_t>>();
  std::string chunks, all;
  for (const std::int64_t value : values) all += (all.empty() ? "" : ",") + std::to_string(value);
  std::vector<ChunkInfo> infos;
  data.for_each_chunk([&](const ChunkInfo& info) {
    infos.push_back(info);
    return true;
  });
  std::ranges::sort(infos, {}, &ChunkInfo::address);
  for (const ChunkInfo& info : infos)
    chunks += (chunks.empty() ? "" : ";") + std::to_string(info.filter_mask) + ':' +
              std::to_string(info.stored_bytes);
  return text(data.space().dims()) + ' ' + std::to_string(data.stored_bytes()) + ' ' +
         std::to_string(data.chunk_count()) + ' ' + (all.empty() ? "-" : all) + ' ' +
         (chunks.empty() ? "-" : chunks);
}

/// The same without sizes, which depend on the compressor.
std::string without_sizes(const std::string& seen) {
  std::istringstream in(seen);
  std::string dims, storage, count, values;
  in >> dims >> storage >> count >> values;
  return dims + ' ' + count + ' ' + values;
}

void compare(const std::array<std::string, 2>& paths, const std::string& when) {
  std::array<std::string, 2> seen;
  for (std::size_t i = 0; i < 2; ++i) {
    seen[i] = ask("look " + paths[i]);
    const std::string ours = look_ours(paths[i]);
    if (ours != seen[i])
      RC_FAIL(when + ": of file " + std::to_string(i) + " HDF5 sees\n" + seen[i] + "\nand we\n" + ours);
  }
  if (without_sizes(seen[0]) != without_sizes(seen[1]))
    RC_FAIL(when + ": the files differ:\n" + seen[0] + "\n" + seen[1]);
}

std::map<std::string, int> met;

void lead(const std::string& folder, const Definition& made, const std::vector<Step>& steps) {
  Life life(made, pack);
  const std::array<std::string, 2> paths{folder + "/a.h5", folder + "/b.h5"};
  Lines seen;
  for (std::size_t part = 0; part < 3; ++part) {
    Lines lines{(part == 0 ? "create " : "open ") + made.bounds() + ' ' + made.line()};
    for (std::size_t i = part * steps.size() / 3; i < (part + 1) * steps.size() / 3; ++i) {
      auto line = life.line(steps[i]);
      if (!line) continue;
      ++met[line->substr(0, line->find(' '))];
      lines.push_back(std::move(*line));
    }
    seen.insert(seen.end(), lines.begin(), lines.end());
    std::string story;
    for (const std::string& line : seen) story += line + '\n';
    try {
      play_ours(paths[part % 2], lines);
      play_reference(paths[1 - part % 2], lines);
      compare(paths, "after\n" + story);
    } catch (const std::exception& error) {
      RC_FAIL("after\n" + story + ": " + error.what());
    }
  }
  ++met[index_names[static_cast<int>(made.index)]];
  ++met[made.filters];
  ++met[made.allocation];
}

rc::Gen<std::vector<Step>> steps() {
  const auto act = rc::gen::weightedElement<Act>({{5, Act::box},
                                                  {3, Act::strided},
                                                  {3, Act::points},
                                                  {4, Act::resize},
                                                  {4, Act::chunk},
                                                  {1, Act::flush},
                                                  {2, Act::reopen}});
  const auto salt = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
  return rc::gen::container<std::vector<Step>>(
      rc::gen::map(rc::gen::pair(act, salt), [](const std::pair<Act, std::uint32_t>& p) {
        return Step{p.first, p.second};
      }));
}

}  // namespace

void showValue(const Step& step, std::ostream& out) { out << static_cast<int>(step.act) << ':' << step.salt; }

int main(int, char** argv) {
  const std::string folder = argv[1];
  const bool good = rc::check("files of both libraries lead the same life", [&] {
    const auto nominal = rc::kNominalSize;  // the choice does not depend on the progress of the test
    const auto index = static_cast<Index>(*rc::gen::resize(nominal, rc::gen::inRange(0, 6)));
    const auto chain = *rc::gen::resize(nominal, rc::gen::inRange<std::size_t>(0, chains.size()));
    const auto salt = *rc::gen::resize(nominal, rc::gen::arbitrary<std::uint32_t>());
    lead(folder, define(index, chain, salt), *steps());
  });
  for (const auto& [what, times] : met) std::cerr << what << ": " << times << '\n';
  return good ? 0 : 1;
}
