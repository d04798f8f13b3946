// SPDX-License-Identifier: Apache-2.0
//
// What standard output can show: colours, and characters that are not ASCII.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace filigree::tools {

enum class ColorChoice : std::uint8_t { automatic, always, never };

/// What the process knows about its output.
struct OutputFacts {
  bool is_terminal = false;
  bool is_utf8 = false;   ///< the locale's encoding
  bool no_color = false;  ///< the environment variable NO_COLOR is set and not empty
  bool is_dumb = false;   ///< TERM is "dumb"
};
OutputFacts output_facts();

/// How text is printed.
struct Style {
  bool colors = false;
  bool boxes = false;  ///< lines of trees are drawn with box characters
  bool ascii = true;   ///< all that is not ASCII is escaped

  /// Escapes a name or message; see printable().
  std::string safe(std::string_view text) const;
  std::string bold(const std::string& text) const { return painted("1", text); }
  std::string dim(const std::string& text) const { return painted("2", text); }
  std::string blue(const std::string& text) const { return painted("1;34", text); }
  std::string red(const std::string& text) const { return painted("31", text); }

 private:
  std::string painted(const char* code, const std::string& text) const;
};
Style make_style(ColorChoice choice, const OutputFacts& facts);

/// Adds the option --color.
void add_color_option(CLI::App& command, ColorChoice& choice);

/// Returns the width of `text`, which may have been painted, in characters.
std::size_t shown_columns(std::string_view text);

}  // namespace filigree::tools
