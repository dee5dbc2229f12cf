// What bash and zsh run to complete kith's words: both ask `kith complete -- WORDS`, whose lines
// are
// "=WORD<tab>MEANING", "files:PREFIX" and "command".
#pragma once

#include <string_view>

namespace kith::tools {

inline constexpr std::string_view bash_script = R"script(# bash completion for kith
_kith()
{
  # Bash breaks words also at ":" and "="; kith wants them whole, up to the cursor.
  local rest=${COMP_LINE:0:COMP_POINT} part i
  local -a words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part=${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then words+=(""); fi
    rest=${rest#"${rest%%[![:space:]]*}"}
    if ((i == COMP_CWORD)); then part=$rest; fi
    words[-1]+=$part
    rest=${rest#"$part"}
  done
  local last=${words[-1]} kept=
  case $part in
    : | =) kept=$last ;;
    *) kept=${last%"$part"} ;;
  esac

  COMPREPLY=()
  local line word name
  while IFS= read -r line; do
    case $line in
      =*)
        word=${line#=} word=${word%%$'\t'*}
        case $word in *[:=,]) compopt -o nospace 2> /dev/null ;; esac
        COMPREPLY+=("${word#"$kept"}")
        ;;
      files:*)
        name=${line#files:}
        compopt -o filenames 2> /dev/null
        while IFS= read -r word; do
          word=$name$word
          COMPREPLY+=("${word#"$kept"}")
        done < <(compgen -f -- "${last#"$name"}")
        ;;
      command)
        for ((i = 1; i < COMP_CWORD; i++)); do
          if [[ ${COMP_WORDS[i]} == -- ]]; then break; fi
        done
        if declare -F _command_offset > /dev/null; then
          _command_offset $((i + 1))
        elif ((i + 1 == COMP_CWORD)); then
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$part")
        else
          compopt -o filenames 2> /dev/null
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$part")
        fi
        ;;
    esac
  done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2> /dev/null)
}
complete -F _kith kith
)script";

inline constexpr std::string_view zsh_script = R"script(#compdef kith
_kith()
{
  local line word program=${(Q)words[1]}
  if [[ $program == "~/"* ]]; then program=$HOME${program#"~"}; fi
  local -a candidates shown spaceless
  for line in "${(@f)$($program complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)}"; do
    case $line in
      "="*)
        word=${${line#"="}%%$'\t'*}
        if [[ $word == *[:=,] ]]; then
          spaceless+=("$word")
        else
          candidates+=("$word")
          shown+=("$word  ${line#*$'\t'}")
        fi
        ;;
      files:*)
        compset -P "${(b)${line#files:}}"
        _files
        ;;
      command)
        local behind=$words[(i)--]
        shift behind words
        (( CURRENT -= behind ))
        _normal
        ;;
    esac
  done
  (( $#candidates )) && compadd -l -d shown -- $candidates
  (( $#spaceless )) && compadd -S '' -- $spaceless
}
if [[ $funcstack[1] == _kith ]]; then
  _kith "$@"
else
  compdef _kith kith
fi
)script";

}  // namespace kith::tools
