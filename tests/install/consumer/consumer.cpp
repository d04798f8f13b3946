// SPDX-License-Identifier: Apache-2.0
//
// A program as a user writes it, built from an installed prefix by check.sh.
#include <cstdio>
#include <string>

#include <filigree/error.hpp>
#if __has_include(<filigree/filigree.hpp>)
#include <filigree/filigree.hpp>
#endif

int main() {
  try {
    throw filigree::Error(filigree::ErrorKind::not_found, "nothing here");
  } catch (const filigree::Error& error) {
    std::printf("%s\n", std::string(to_string(error.kind())).c_str());
  }
}
