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

/// The position in a word with several letters.
static int letter_at = 1;

static void next_word() {
  ++H5_optind;
  letter_at = 1;
}

static int bad_option(const char* program, const char* text, const char* name, std::size_t length) {
  if (H5_opterr != 0)
    std::fprintf(stderr, "%s: %s \"%.*s\"\n", program, text, static_cast<int>(length), name);
  return '?';
}

static const LongOption* find_option(const LongOption* options, const char* name, std::size_t length) {
  for (const LongOption* option = options; option->name != nullptr; ++option)
    if (std::strlen(option->name) == length && std::strncmp(option->name, name, length) == 0) return option;
  return nullptr;
}

/// An optional argument follows '=' only. A required one may be the next word, if that is no option.
static int long_option(int count, const char* const* words, const LongOption* options) {
  const char* const name = words[H5_optind++] + 2;
  const std::size_t length = std::strcspn(name, "=");
  H5_optarg = name[length] == '=' ? name + length + 1 : nullptr;
  if (options == nullptr) return '?';
  const LongOption* const option = find_option(options, name, length);
  if (option == nullptr) return bad_option(words[0], "unknown option", name, length);
  if (option->argument == 0 && H5_optarg != nullptr) {
    if (H5_opterr != 0)
      std::fprintf(stderr, "%s: no option required for \"%s\" flag\n", words[0], option->name);
    return '?';
  }
  if (option->argument == 1 && H5_optarg == nullptr && H5_optind < count && words[H5_optind][0] != '-')
    H5_optarg = words[H5_optind++];
  return option->letter;
}

/// The argument is the rest of the word, or else the next word.
static int with_argument(int count, const char* const* words, const char* letter) {
  next_word();
  if (letter[1] != '\0') {
    H5_optarg = letter + 1;
  } else if (H5_optind < count) {
    H5_optarg = words[H5_optind++];
  } else {
    return bad_option(words[0], "value expected for option", letter, 1);
  }
  return *letter;
}

/// The argument is the next word, unless that is an option or the last word. The tools look at the rest of
/// this word themselves ("-v1"), and step back from a word that they do not want.
static int with_optional_argument(int count, const char* const* words, const char* letter) {
  next_word();
  const bool follows = H5_optind + 1 < count && words[H5_optind][0] != '-';
  H5_optarg = follows ? words[H5_optind++] : nullptr;
  return *letter;
}

static int short_option(int count, const char* const* words, const char* letters) {
  const char* const letter = words[H5_optind] + letter_at;
  const char* const found = *letter == ':' ? nullptr : std::strchr(letters, *letter);
  if (found != nullptr && found[1] == ':') return with_argument(count, words, letter);
  if (found != nullptr && found[1] == '*') return with_optional_argument(count, words, letter);
  ++letter_at;
  if (letter[1] == '\0') next_word();
  if (found == nullptr) return bad_option(words[0], "unknown option", letter, 1);
  H5_optarg = nullptr;
  return *letter;
}

/// Returns the letter of the next option, '?' for an unknown one, -1 after the last. In `letters`, ':'
/// follows options with an argument, and '*' options with an optional one.
H5_DLL int H5_get_option(int count, const char* const* words, const char* letters,
                         const LongOption* options) {
  if (letter_at > 1) return short_option(count, words, letters);
  if (H5_optind >= count || words[H5_optind][0] != '-' || words[H5_optind][1] == '\0') return -1;
  if (words[H5_optind][1] != '-') return short_option(count, words, letters);
  if (words[H5_optind][2] != '\0') return long_option(count, words, options);
  ++H5_optind;
  return -1;
}

}  // extern "C"
