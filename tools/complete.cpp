// SPDX-License-Identifier: Apache-2.0
//
// `filigree complete`: what may follow on a command line, for the scripts of `filigree completions`.
//
// A person waits for the answer, so there is none after 100 ms. The program opens files as for any command,
// and prints nothing about failures.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "manual.hpp"
#include "target.hpp"

namespace filigree::tools {
namespace {

struct Candidate {
  std::string text, description;
};

constexpr std::size_t most_candidates = 1000;

extern "C" void give_up(int) { _exit(0); }

void limit_time() {
  std::signal(SIGALRM, give_up);
  itimerval limit{};
  limit.it_value.tv_usec = 100'000;
  setitimer(ITIMER_REAL, &limit, nullptr);
}

/// Undoes the quoting of a shell. A quote that is still open is left out.
std::string unquoted(const std::string& word) {
  std::string out;
  char quote = '\0';
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (c == '\\' && quote != '\'' && i + 1 < word.size())
      out += word[++i];
    else if (quote != '\0' ? c == quote : c == '\'' || c == '"')
      quote = quote != '\0' ? '\0' : c;
    else
      out += c;
  }
  return out;
}

/// The members of the group in which the last component of `word` is, if a part before names a file.
std::vector<Candidate> complete_path(const std::string& word) {
  const Target target = split_target(word);
  std::error_code ignored;
  if (target.file == word || !std::filesystem::is_regular_file(target.file, ignored)) return {};
  const File file = File::open(target.file, OpenMode::read_only, access_for_one_visit());
  const std::size_t start = target.path.rfind('/') + 1;
  const std::string group_path = normalised(target.path.substr(0, start)), begin = target.path.substr(start);
  const Group group = group_path == "/" ? file.root() : file.root().open_group(group_path);
  const std::string before = word.substr(0, word.size() - begin.size());
  std::vector<Candidate> found;
  group.for_each([&](const Link& link) {
    if (!link.name.starts_with(begin) || link.name.find('\n') != std::string::npos) return true;
    const auto object = group.find(link.name);
    const bool is_group = object && object->kind() == ObjectKind::group;
    found.push_back({before + link.name + (is_group ? "/" : ""), is_group ? "group"
                                                                 : object ? "dataset"
                                                                          : "link"});
    return found.size() < most_candidates;
  });
  return found;
}

const DescribedCommand* find_command(const std::vector<DescribedCommand>& commands, const std::string& word) {
  for (const DescribedCommand& one : commands)
    if (one.name.ends_with(" " + word)) return &one;
  return nullptr;
}

/// The option whose value the last word is; null if it is none.
const DescribedOption* option_before(const DescribedCommand& command, const std::string& word) {
  for (const DescribedOption& option : command.options) {
    const bool has_name = std::ranges::find(option.names, word) != option.names.end();
    if (has_name && !option.is_argument && !option.value.empty()) return &option;
  }
  return nullptr;
}

void add(std::vector<Candidate>& found, const std::string& text, const std::string& begin,
         const std::string& description) {
  if (text.starts_with(begin)) found.push_back({text, description});
}

std::vector<Candidate> complete_option(const DescribedCommand& command, const std::string& word) {
  std::vector<Candidate> found;
  for (const DescribedOption& option : command.options)
    for (const std::string& name : option.names)
      if (name.starts_with("--") || word == "-") add(found, name, word, option.text);
  std::erase_if(found, [](const Candidate& c) { return !c.text.starts_with('-'); });
  return found;
}

std::vector<Candidate> complete_words(const DescribedCommand& program, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const std::string word = unquoted(words.back());
  words.pop_back();
  const DescribedCommand* command = &program;
  for (const std::string& one : words)
    if (const DescribedCommand* below = find_command(command->commands, one)) command = below;
  std::vector<Candidate> found;
  if (!words.empty()) {
    if (const DescribedOption* option = option_before(*command, words.back())) {
      for (const std::string& choice : option->choices) add(found, choice, word, "");
      return found;
    }
  }
  if (word.starts_with('-')) return complete_option(*command, word);
  const bool after_help = words.size() == 1 && words[0] == "help";
  if (words.empty() || after_help || (command != &program && !command->commands.empty()))
    for (const DescribedCommand& one : command->commands)
      add(found, one.name.substr(one.name.rfind(' ') + 1), word, one.summary);
  return found.empty() ? complete_path(word) : found;
}

Exit complete(const DescribedCommand& program, const std::vector<std::string>& words, bool describe) {
  limit_time();
  std::string lines;
  try {
    for (const Candidate& one : complete_words(program, words))
      lines += describe && !one.description.empty() ? fmt::format("{}\t{}\n", one.text, one.description)
                                                    : one.text + "\n";
  } catch (const Error&) {
    return Exit::ok;  // there is nothing to offer
  }
  std::signal(SIGALRM, SIG_IGN);
  std::fwrite(lines.data(), 1, lines.size(), stdout);
  return Exit::ok;
}

}  // namespace

void set_up_complete(CLI::App& command, Run& run) {
  static std::vector<std::string> words;
  static bool describe = false;
  command.group("");  // hidden: it is for scripts
  command.add_flag("--describe", describe, "Add descriptions after a tab");
  command.add_option("WORDS", words, "The words after 'filigree' up to the cursor; the last may be empty");
  command.footer("Prints what may follow, one candidate a line.");
  command.callback([&command, &run] {
    run = [&command] { return complete(describe_program(*command.get_parent()), words, describe); };
  });
}

}  // namespace filigree::tools
