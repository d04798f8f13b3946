// SPDX-License-Identifier: Apache-2.0
//
// `filigree completions`: the scripts by which shells complete command lines. They ask `filigree complete`.
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "command.hpp"

namespace filigree::tools {
namespace {

// Names in files can have spaces, so candidates are lines. bash divides words at ':', which targets have.
constexpr const char* bash_script = R"sh(# Completion of filigree for bash.
_filigree() {
  local cur words cword found
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n := cur words cword
  else
    cur=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
  fi
  mapfile -t found < <(command "${words[0]}" complete -- "${words[@]:1:cword}" 2>/dev/null)
  COMPREPLY=()
  if ((${#found[@]} == 0)); then
    compopt -o default
    return
  fi
  local one
  for one in "${found[@]}"; do COMPREPLY+=("$(printf '%q' "$one")"); done
  if ((${#found[@]} > 1)) || [[ ${found[0]} == */ || ${found[0]} == *= ]]; then compopt -o nospace; fi
  if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "$cur"; fi
}
complete -F _filigree filigree
)sh";

constexpr const char* zsh_script = R"sh(#compdef filigree
# Completion of filigree for zsh.
_filigree() {
  local -a found groups others
  found=("${(@f)$(command ${words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(${found:#})
  if (( ! ${#found} )); then
    _files
    return
  fi
  groups=(${(M)found:#*/})
  others=(${found:#*/})
  (( ${#groups} )) && compadd -S '' -- "${groups[@]}"
  (( ${#others} )) && compadd -- "${others[@]}"
}
compdef _filigree filigree
)sh";

constexpr const char* fish_script = R"sh(# Completion of filigree for fish.
function __filigree_complete
    set -l words (commandline -opc)
    set -l found (command filigree complete --describe -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c filigree -f -a '(__filigree_complete)'
)sh";

Exit print_script(const std::string& shell) {
  std::fputs(shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script, stdout);
  return Exit::ok;
}

constexpr const char* explanation =
    R"(Prints a script by which a shell completes commands, options, and paths in files. 'make install' installs
them where shells look.

Examples:
  source <(filigree completions bash)
  filigree completions zsh > ~/.zfunc/_filigree
  filigree completions fish > ~/.config/fish/completions/filigree.fish)";

}  // namespace

void set_up_completions(CLI::App& command, Run& run) {
  static std::string shell;
  command.add_option("SHELL", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.footer(explanation);
  command.callback([&run] { run = [] { return print_script(shell); }; });
}

}  // namespace filigree::tools
