import type { DescribedCommand, Value } from '../options/described.ts';
import { type Completed, flagsOf } from './completed.ts';

/** A script for bash 3.2 and later. It does not need the package bash-completion. */
export function bashScript({ names, program, commands }: Completed): string {
  const [name] = names;
  return `# Completes ${names.join(' and ')} in bash. Made by: ${name} completion bash

_${name}() {
    local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
    local IFS=$' \\t\\n' holds='' words='' flags='' valued='' places='' rest='' ended='' i
    COMPREPLY=()
    # Readline takes --kind=bloom for three words.
    if [[ $current == = ]]; then
        current=''
    elif [[ $before == = ]]; then
        before=\${COMP_WORDS[COMP_CWORD-2]}
    fi
    case \${COMP_WORDS[1]} in
${commands.map((command) => `    ${command.name})\n${caseOf(command)}\n        ;;`).join('\n')}
    esac
    if ((COMP_CWORD == 1)); then
        holds=words
        words='${[...commands.map((command) => command.name), ...flagsOf(program).flatMap((flag) => flag.names)].join(' ')}'
    elif [[ -z $holds ]]; then
        set -- $places
        for ((i = 2; i < COMP_CWORD; i++)); do
            if [[ -z $ended && \${COMP_WORDS[i]} == -- ]]; then
                ended=yes
            elif [[ -z $ended && \${COMP_WORDS[i]} == -?* ]]; then
                if [[ " $valued " == *" \${COMP_WORDS[i]} "* ]]; then
                    [[ \${COMP_WORDS[i+1]} == = ]] && ((i++))
                    ((i++))
                fi
            else
                shift
            fi
        done
        if [[ -z $ended && $current == -* ]]; then
            holds=words words=$flags
        else
            holds=\${1:-$rest}
        fi
    fi
    case $holds in
    file) ;;
    filter)
        IFS=$'\\n'
        # Other names of filters are completed as those of files are.
        COMPREPLY=($(compgen -f -X '!*.bloom' -- "$current"))
        if [[ -n \${COMPREPLY[*]} ]]; then
            COMPREPLY+=($(compgen -d -- "$current"))
            compopt -o filenames 2> /dev/null
        fi
        ;;
    *)
        [[ $holds == words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
        compopt +o default 2> /dev/null
        ;;
    esac
}
complete -o default -F _${name} ${names.join(' ')}
`;
}

/** The description of a command: its flags, the values of its flags, and its arguments. */
function caseOf(command: DescribedCommand): string {
  const flags = flagsOf(command);
  const valued = flags.flatMap(({ names, value }) => (value === undefined ? [] : [{ names, value }]));
  const places = command.args.filter(({ isVariadic }) => !isVariadic);
  const rest = command.args.find(({ isVariadic }) => isVariadic);
  return [
    `flags='${flags.flatMap(({ names }) => names).join(' ')}'`,
    `valued='${valued.flatMap(({ names }) => names).join(' ')}'`,
    `places='${places.map(({ value }) => value.holds).join(' ')}' rest='${rest?.value.holds ?? 'other'}'`,
    `words='${command.args.flatMap(({ value }) => value.words).join(' ')}'`,
    'case $before in',
    ...[...new Set(valued.map(({ value }) => assigned(value)))].map(
      (line) =>
        `${valued
          .filter(({ value }) => assigned(value) === line)
          .flatMap(({ names }) => names)
          .join(' | ')}) ${line} ;;`,
    ),
    'esac',
  ]
    .map((line) => `        ${line}`)
    .join('\n');
}

function assigned({ holds, words }: Value): string {
  return holds === 'words' ? `holds=words words='${words.join(' ')}'` : `holds=${holds}`;
}
