import type { DescribedCommand, DescribedFlag, Value } from '../options/described.ts';
import { briefly, type Completed, flagsOf } from './completed.ts';

/** A script for PowerShell 5.1 and later. If it offers nothing, PowerShell completes the names of files. */
export function powershellScript({ names, program, commands }: Completed): string {
  const [name] = names;
  const first = [...commands.map((command) => `${command.name} ${briefly(command.summary)}`), ...offered(program)];
  return `# Completes ${names.join(' and ')} in PowerShell. Made by: ${name} completion powershell

Register-ArgumentCompleter -Native -CommandName @(${names.map(quotedInPowershell).join(', ')}) -ScriptBlock {
    param($word, $line, $cursor)
    # Flags differ in their case, so all comparisons are ordinal. The keys of a hash table would not be.
    $typed = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    $offered = @()
    $valued = @()
    $places = @()
    $rest = ''
    if ($typed.Count -le 1) {
        $holds = 'words'
        $offered = @(
${listOf(first)}
        )
    } else {
        switch -CaseSensitive -Exact ($typed[1]) {
${commands.map(caseOf).join('\n')}
        }
        $holds = $null
        $isEnded = $false
        $argumentCount = 0
        foreach ($argument in ($typed | Select-Object -Skip 2)) {
            if ($null -ne $holds) {
                $holds = $null
            } elseif (-not $isEnded -and $argument -ceq '--') {
                $isEnded = $true
            } elseif (-not $isEnded -and $argument -like '-?*') {
                $found = @($valued | Where-Object { $_.StartsWith("$argument ", 'Ordinal') })
                if ($found.Count -gt 0) { $holds = $found[0].Split(' ', 2)[1] }
            } else {
                $argumentCount++
            }
        }
        $before = ''
        if ($null -eq $holds -and -not $isEnded -and $word -match '^(--[^=]+)=(.*)$') {
            $before = $Matches[1] + '='
            $word = $Matches[2]
            $flag = $before.TrimEnd('=') + ' '
            $found = @($valued | Where-Object { $_.StartsWith($flag, 'Ordinal') })
            if ($found.Count -gt 0) { $holds = $found[0].Split(' ', 2)[1] }
        }
        if ($null -eq $holds) {
            if (-not $isEnded -and $word.StartsWith('-')) { $holds = 'words' }
            elseif ($argumentCount -lt $places.Count) { $holds = $places[$argumentCount] }
            else { $holds = $rest }
        }
        if ($holds.StartsWith('words ')) {
            $offered = $holds.Split(' ') | Select-Object -Skip 1
            $holds = 'words'
        }
    }
    if ($holds -ceq 'filter') {
        $folder = $word -replace '[^\\\\/]*$'
        $files = @(Get-ChildItem -Path "$word*" -ErrorAction SilentlyContinue)
        if (@($files | Where-Object { $_.Name -like '*.bloom' }).Count -eq 0) { return }
        foreach ($file in ($files | Where-Object { $_.Name -like '*.bloom' -or $_.PSIsContainer })) {
            $path = $before + $folder + $file.Name
            if ($path -match '[^\\w@%+=:,./\\\\-]') { $path = "'" + $path.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($path, $file.Name, 'ParameterValue', $file.Name)
        }
        return
    }
    if ($holds -cne 'words') { return }
    foreach ($entry in $offered) {
        $text, $tip = $entry.Split(' ', 2)
        if (-not $text.StartsWith($word, 'Ordinal')) { continue }
        if (-not $tip) { $tip = $text }
        [System.Management.Automation.CompletionResult]::new($before + $text, $text, 'ParameterValue', $tip)
    }
}
`;
}

/** The description of a command: its flags, the values of its flags, and its arguments. */
function caseOf(command: DescribedCommand): string {
  const flags = flagsOf(command);
  const valued = flags.flatMap(({ names, value }) =>
    value === undefined ? [] : names.map((name) => `${name} ${holding(value)}`),
  );
  const places = command.args.filter(({ isVariadic }) => !isVariadic).map(({ value }) => holding(value));
  const rest = command.args.find(({ isVariadic }) => isVariadic);
  return `            ${quotedInPowershell(command.name)} {
                $offered = @(
${listOf(offered(command))}
                )
                $valued = @(
${listOf(valued)}
                )
                $places = @(${places.map(quotedInPowershell).join(', ')})
                $rest = ${quotedInPowershell(rest === undefined ? '' : holding(rest.value))}
            }`;
}

/** Each name of each flag, with its description. */
function offered(command: DescribedCommand): string[] {
  return flagsOf(command).flatMap(({ names, description }: DescribedFlag) =>
    names.map((name) => `${name} ${briefly(description)}`),
  );
}

/** The kind of a value, followed by its possible words. */
function holding({ holds, words }: Value): string {
  return holds === 'words' ? ['words', ...words].join(' ') : holds;
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `                    ${quotedInPowershell(line)}`).join('\n');
}

function quotedInPowershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
