// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <langinfo.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "text.hpp"

namespace filigree::tools {

OutputFacts output_facts() {
  static const char* const locale = std::setlocale(LC_CTYPE, "");
  OutputFacts facts;
  facts.is_terminal = isatty(STDOUT_FILENO) != 0;
  facts.is_utf8 = locale != nullptr && std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  const char* const no_color = std::getenv("NO_COLOR");
  facts.no_color = no_color != nullptr && *no_color != '\0';
  const char* const term = std::getenv("TERM");
  facts.is_dumb = term != nullptr && std::string_view(term) == "dumb";
  return facts;
}

Style make_style(ColorChoice choice, const OutputFacts& facts) {
  Style style;
  style.colors = choice == ColorChoice::always ||
                 (choice == ColorChoice::automatic && facts.is_terminal && !facts.no_color && !facts.is_dumb);
  style.boxes = facts.is_terminal && facts.is_utf8;
  style.ascii = !facts.is_utf8;
  return style;
}

std::string Style::safe(std::string_view text) const {
  return ascii ? printable_ascii(text) : printable(text);
}

std::string Style::painted(const char* code, const std::string& text) const {
  return colors && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

void add_color_option(CLI::App& command, ColorChoice& choice) {
  static const std::map<std::string, ColorChoice> choices{
      {"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}};
  command.add_option("--color", choice, "Colours: auto (on a terminal), always, never")
      ->transform(CLI::CheckedTransformer(choices))
      ->type_name("WHEN");
}

std::size_t shown_columns(std::string_view text) {
  std::size_t hidden = 0;
  for (std::size_t at = text.find('\033'); at != std::string_view::npos; at = text.find('\033', at + 1))
    hidden += std::min(text.find('m', at), text.size() - 1) - at + 1;
  return columns_of(text) - hidden;
}

}  // namespace filigree::tools
