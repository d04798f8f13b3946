// SPDX-License-Identifier: Apache-2.0
//
// Private functions of HDF5 that its command-line tools call: command-line options, and a map from keys to
// objects. Only the parts that the tools of HDF5 1.10 use exist.
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include <hdf5.h>

extern "C" {

/// A map from addresses to items. The caller owns both. The tools use no other type of key.
struct H5SL_t {
  struct Item {
    void* item;
    const void* key;
  };
  std::map<haddr_t, Item> items;
};
using H5SL_operator_t = herr_t (*)(void* item, void* key, void* data);

H5_DLL H5SL_t* H5SL_create(int kind, int (*compare)(const void*, const void*)) {
  constexpr int address_key = 1;
  return kind == address_key && compare == nullptr ? new H5SL_t : nullptr;
}

H5_DLL herr_t H5SL_insert(H5SL_t* list, void* item, const void* key) {
  return list->items.emplace(*static_cast<const haddr_t*>(key), H5SL_t::Item{item, key}).second ? 0 : -1;
}

H5_DLL void* H5SL_search(H5SL_t* list, const void* key) {
  const auto found = list->items.find(*static_cast<const haddr_t*>(key));
  return found == list->items.end() ? nullptr : found->second.item;
}

H5_DLL herr_t H5SL_destroy(H5SL_t* list, H5SL_operator_t release, void* data) {
  const std::unique_ptr<H5SL_t> owned(list);
  if (release == nullptr) return 0;
  for (const auto& [address, entry] : owned->items) release(entry.item, const_cast<void*>(entry.key), data);
  return 0;
}

/// An option with a long name. `argument` is 0 for none, 1 for a required one, 2 for an optional one.
struct LongOption {
  const char* name;
  int argument;
  char letter;
};

H5_DLLVAR int H5_opterr;
H5_DLLVAR int H5_optind;
H5_DLLVAR const char* H5_optarg;
int H5_opterr = 1;
int H5_optind = 1;
const char* H5_optarg = nullptr;

/// Returns whether the next word may be an optional argument. The last word is a file name.
static bool may_be_argument(int count, const char* const* words) {
  return H5_optind + 1 < count && words[H5_optind][0] != '-';
}

static int long_option(int count, const char* const* words, const LongOption* options) {
  const char* text = words[H5_optind++] + 2;
  const size_t length = std::strcspn(text, "=");
  H5_optarg = nullptr;
  for (const LongOption* option = options; option != nullptr && option->name != nullptr; ++option) {
    if (std::strlen(option->name) != length || std::strncmp(option->name, text, length) != 0) continue;
    if (text[length] == '=') {
      if (option->argument == 0) break;
      H5_optarg = text + length + 1;
    } else if (option->argument == 1) {
      if (H5_optind >= count) break;
      H5_optarg = words[H5_optind++];
    } else if (option->argument == 2 && may_be_argument(count, words)) {
      H5_optarg = words[H5_optind++];
    }
    return option->letter;
  }
  if (H5_opterr != 0) std::fprintf(stderr, "%s: bad option \"--%s\"\n", words[0], text);
  return '?';
}

/// Returns the letter of the next option, '?' for an unknown one, -1 after the last. In `letters`, ':'
/// follows options with an argument, and '*' options with an optional one.
H5_DLL int H5_get_option(int count, const char* const* words, const char* letters,
                         const LongOption* options) {
  static int at = 1;  // position in a word with several letters
  H5_optarg = nullptr;
  if (at == 1) {
    if (H5_optind >= count || words[H5_optind][0] != '-' || words[H5_optind][1] == '\0') return -1;
    if (std::strcmp(words[H5_optind], "--") == 0) {
      ++H5_optind;
      return -1;
    }
    if (words[H5_optind][1] == '-') return long_option(count, words, options);
  }
  const char* word = words[H5_optind];
  const char letter = word[at];
  const char* found = letter == ':' || letter == '*' ? nullptr : std::strchr(letters, letter);
  const char takes = found == nullptr ? '\0' : found[1];
  const bool at_end = word[++at] == '\0';
  if (found == nullptr && H5_opterr != 0)
    std::fprintf(stderr, "%s: unknown option \"%c\"\n", words[0], letter);
  if (takes != ':' && takes != '*') {
    if (at_end) {
      ++H5_optind;
      at = 1;
    }
    return found == nullptr ? '?' : letter;
  }
  const char* rest = at_end ? nullptr : word + at;
  at = 1;
  ++H5_optind;
  if (rest != nullptr) {
    H5_optarg = rest;
  } else if (takes == ':' ? H5_optind < count : may_be_argument(count, words)) {
    H5_optarg = words[H5_optind++];
  } else if (takes == ':') {
    if (H5_opterr != 0) std::fprintf(stderr, "%s: value expected for option \"%c\"\n", words[0], letter);
    return '?';
  }
  return letter;
}

}  // extern "C"
