// SPDX-License-Identifier: Apache-2.0
#include "manual.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace filigree::tools {

namespace {

/// "{a,b,c}", which CLI11 adds to the names of values, as a list.
std::vector<std::string> choices_of(const std::string& type_name) {
  const std::size_t open = type_name.find('{'), close = type_name.find('}');
  std::vector<std::string> found;
  if (open == std::string::npos || close == std::string::npos) return found;
  for (std::size_t begin = open + 1; begin <= close;) {
    const std::size_t end = std::min(type_name.find(',', begin), close);
    const std::string choice = type_name.substr(begin, end - begin);
    found.push_back(choice.substr(0, choice.find("->")));  // what it stands for in the program comes behind
    begin = end + 1;
  }
  return found;
}

DescribedOption describe_option(const CLI::Option& option) {
  DescribedOption described;
  described.is_argument = option.get_positional();
  if (described.is_argument) {
    described.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0) {
      const std::string type = option.get_type_name();
      described.choices = choices_of(type);
      described.value = type.substr(0, type.find(':'));
    }
  }
  described.text = option.get_description();
  described.is_required = option.get_required();
  described.is_repeated = option.get_items_expected_max() > 1;
  return described;
}

DescribedCommand describe_command(const CLI::App& app, const std::string& above) {
  DescribedCommand described;
  described.name = above.empty() ? app.get_name() : above + " " + app.get_name();
  described.summary = app.get_description();
  described.text = app.get_footer();
  if (const std::size_t examples = described.text.find("Examples:\n"); examples != std::string::npos) {
    described.examples = described.text.substr(described.text.find('\n', examples) + 1);
    described.text.resize(examples);
  }
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) described.options.push_back(describe_option(*option));
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty())
      described.commands.push_back(describe_command(*command, described.name));
  return described;
}

/// Text as troff takes it.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

/// Text whose lines stay as they are, with the paragraphs that empty lines divide.
std::string block(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::string synopsis(const DescribedCommand& command) {
  std::string words = fmt::format(".B {}\n", roff(command.name));
  if (std::ranges::any_of(command.options, [](const auto& o) { return !o.is_argument; }))
    words += "[\\fIOPTIONS\\fR]\n";
  for (const DescribedOption& option : command.options) {
    if (!option.is_argument) continue;
    const std::string word =
        fmt::format("\\fI{}\\fR{}", roff(option.names.front()), option.is_repeated ? "..." : "");
    words += option.is_required ? word + "\n" : "[" + word + "]\n";
  }
  if (!command.commands.empty()) words += "\\fICOMMAND\\fR ...\n";
  return words;
}

std::string options_text(const DescribedCommand& command) {
  std::string out;
  for (const DescribedOption& option : command.options) {
    std::string names;
    for (const std::string& name : option.names)
      names += (names.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
    if (!option.value.empty()) names += " \\fI" + roff(option.value) + "\\fR";
    out += fmt::format(".TP\n{}\n{}\n", names, roff(option.text));
  }
  return out;
}

std::string commands_text(const DescribedCommand& command) {
  std::string out;
  for (const DescribedCommand& one : command.commands) {
    const std::string short_name = one.name.substr(one.name.rfind(' ') + 1);
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(short_name), roff(one.summary));
  }
  return out;
}

/// The synopses and options of commands below a command, which have no page of their own.
std::string nested_text(const DescribedCommand& command) {
  std::string out;
  for (const DescribedCommand& one : command.commands)
    out += fmt::format(".SS {}\n{}.PP\n{}\n{}", roff(one.name), synopsis(one), roff(one.summary),
                       options_text(one));
  return out;
}

std::string see_also(const DescribedCommand& command, const DescribedCommand& all) {
  std::string out;
  for (const DescribedCommand* one = &all;;) {
    if (one->name != command.name)
      out += fmt::format("{}.BR {} (1)", out.empty() ? "" : ",\n", roff(manual_name(*one)));
    one = one == &all ? all.commands.data() : one + 1;
    if (one == all.commands.data() + all.commands.size()) return out + "\n";
  }
}

}  // namespace

DescribedCommand describe_program(const CLI::App& program) { return describe_command(program, ""); }

std::string manual_name(const DescribedCommand& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string manual_page(const DescribedCommand& command, const DescribedCommand& all) {
  const bool is_program = command.name == all.name;
  std::string page = fmt::format(".TH \"{}\" 1 \"\" \"filigree {}\" \"HDF5 files\"\n",
                                 roff(manual_name(command)), FILIGREE_VERSION);
  page += fmt::format(".SH NAME\n{} \\- {}\n", roff(manual_name(command)), roff(command.summary));
  page += ".SH SYNOPSIS\n" + synopsis(command);
  if (!command.text.empty()) page += ".SH DESCRIPTION\n" + block(command.text);
  if (is_program) page += ".SH COMMANDS\n" + commands_text(command);
  if (!is_program && !command.commands.empty()) page += ".SH COMMANDS\n" + nested_text(command);
  page += ".SH OPTIONS\n" + options_text(command);
  if (!command.examples.empty()) page += ".SH EXAMPLES\n" + block(command.examples);
  return page + ".SH SEE ALSO\n" + see_also(command, all);
}

}  // namespace filigree::tools
