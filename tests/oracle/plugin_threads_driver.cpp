// SPDX-License-Identifier: Apache-2.0
//
// Calls the filter of the plug-in from several threads, as HDF5 calls it, with the vectors of
// portable_vectors.txt and with damaged ones. Sanitizers watch it in their builds.
//
//   plugin_threads_driver PLUGIN VECTORS THREADS ROUNDS
#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr unsigned reverse_flag = 0x0100;

using FilterFunction = std::size_t (*)(unsigned, std::size_t, const unsigned*, std::size_t, std::size_t*,
                                       void**);

/// H5Z_class2_t.
struct FilterClass {
  int version, id;
  unsigned has_encoder, has_decoder;
  const char* name;
  void *can_apply, *set_local;
  FilterFunction filter;
};

using Bytes = std::vector<unsigned char>;

struct Vector {
  std::vector<unsigned> words;
  Bytes stored, dense;
};

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

std::vector<Vector> load(const char* path) {
  std::vector<Vector> all;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string name, words, defined, stored, dense;
    for (std::string* field : {&name, &words, &defined, &stored, &dense}) std::getline(fields, *field, '|');
    Vector made{{}, from_hex(stored), from_hex(dense)};
    std::istringstream numbers(words);
    for (unsigned word = 0; numbers >> word;) made.words.push_back(word);
    all.push_back(std::move(made));
  }
  return all;
}

/// The result, or nothing for a failure.
Bytes call(FilterFunction filter, unsigned flags, const std::vector<unsigned>& words, const Bytes& given) {
  void* buffer = std::malloc(given.size() + 1);
  if (buffer == nullptr) throw std::bad_alloc();
  std::memcpy(buffer, given.data(), given.size());
  std::size_t bytes = given.size();
  const std::size_t made = filter(flags, words.size(), words.data(), given.size(), &bytes, &buffer);
  const auto* const first = static_cast<const unsigned char*>(buffer);
  Bytes result(first, first + made);
  std::free(buffer);
  return result;
}

/// Returns the number of wrong results.
unsigned work(FilterFunction filter, const std::vector<Vector>& vectors, unsigned thread, unsigned rounds) {
  std::mt19937 random(thread);
  unsigned wrong = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      const Vector& one = vectors[(i + thread) % vectors.size()];
      wrong += call(filter, reverse_flag, one.words, one.stored) != one.dense;
      wrong += call(filter, reverse_flag, one.words, call(filter, 0, one.words, one.dense)) != one.dense;
      Bytes damaged = one.stored;
      damaged[random() % damaged.size()] ^= static_cast<unsigned char>(1u << random() % 8);
      const std::size_t made = call(filter, reverse_flag, one.words, damaged).size();
      wrong += made != 0 && made != one.dense.size();
    }
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  using Info = const void* (*)();
  const void* const info = reinterpret_cast<Info>(dlsym(library, "H5PLget_plugin_info"))();
  const FilterFunction filter = static_cast<const FilterClass*>(info)->filter;
  const std::vector<Vector> vectors = load(argv[2]);
  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < static_cast<unsigned>(std::stoul(argv[3])); ++i)
    threads.emplace_back(
        [&, i] { wrong += work(filter, vectors, i, static_cast<unsigned>(std::stoul(argv[4]))); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%zu vectors, %u wrong\n", vectors.size(), wrong.load());
  return wrong.load() != 0 || vectors.empty();
}
