import type { DescribedArgument, DescribedCommand, DescribedFlag, Value } from '../options/described.ts';
import { briefly, type Completed, flagsOf } from './completed.ts';

/** A script for zsh 5 and later. compinit reads it, or the user sources it after compinit. */
export function zshScript({ names, program, commands }: Completed): string {
  const [name] = names;
  return `#compdef ${names.join(' ')}
# Completes ${names.join(' and ')} in zsh. Made by: ${name} completion zsh

_${name}() {
    local curcontext=$curcontext state line
    typeset -A opt_args
    local -a commands=(
${commands.map((command) => `        ${quotedInZsh(`${command.name}:${command.summary}`)}`).join('\n')}
    )
    _arguments -C -S \\
${flagsOf(program)
  .flatMap(specsOf)
  .map((spec) => `        ${spec} \\`)
  .join('\n')}
        '1: :{_describe -t commands command commands}' '*:: :->taken' && return
    [[ $state == taken ]] || return
    curcontext=\${curcontext%:*}-$words[1]:
    case $words[1] in
${commands.map(caseOf).join('\n')}
    esac
}

if [[ $funcstack[1] == _${name} ]]; then
    _${name} "$@"
else
    compdef _${name} ${names.join(' ')}
fi
`;
}

function caseOf(command: DescribedCommand): string {
  const specs = [...flagsOf(command).flatMap(specsOf), ...command.args.map(argumentSpec)];
  return `    ${command.name})
        _arguments -s -S ${specs.map((spec) => `\\\n            ${spec}`).join(' ')}
        ;;`;
}

/** A flag under each of its names. zsh does not offer a flag again if only its first use counts. */
function specsOf({ names, value, isRepeatable, description }: DescribedFlag): string[] {
  const before = isRepeatable ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
  const said = briefly(description).replace(/[[\]\\]/g, '\\$&');
  return names.map((name) => {
    const attached = value === undefined ? '' : name.startsWith('--') ? '=' : '+';
    return quotedInZsh(`${before}${name}${attached}[${said}]${value === undefined ? '' : `:${actionOf(value)}`}`);
  });
}

function argumentSpec({ value, isVariadic }: DescribedArgument): string {
  return quotedInZsh(`${isVariadic ? '*' : ''}:${actionOf(value)}`);
}

/** The name of a value, and its completion. Files with a filter's ending are preferred, if there are any. */
function actionOf({ name, holds, words }: Value): string {
  const message = name.replaceAll(':', '\\:');
  if (holds === 'file') return `${message}:_files`;
  if (holds === 'filter') return `${message}:_files -g "*.bloom"`;
  return `${message}:${words.length > 0 ? `(${words.join(' ')})` : ' '}`;
}

function quotedInZsh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
