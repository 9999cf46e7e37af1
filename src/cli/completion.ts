// Prints a script that completes commands and flags in a shell: `daybook completion bash|zsh|fish`.
//
// Invariant: the script is generated from the table of commands, so it completes new commands too
// (test/cli/completion.program.test.ts).
//
// Example: after `source <(daybook completion bash)`, the Tab key turns `daybook us` into `daybook user`. A second Tab
// offers `add`, `list` and so on.

import { Refusal, USAGE } from '../lib/errors.ts';
import { type Command, listFlags } from './command.ts';

/** Makes the command `completion`. `list` returns all commands, including this one. */
export function makeCompletion(list: () => readonly Command[]): Command {
  return {
    name: 'completion',
    args: ['SHELL'],
    summary: 'Print a script for bash, zsh or fish that completes commands and flags when you press Tab',
    settings: [],
    run({ args: [shell = ''], io }) {
      const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!write) throw new Refusal(`there is no script for ${shell}. Choose bash, zsh or fish`, USAGE);
      io.print(write(listChoices(list())));
    },
  };
}

const listFlagNames = (command: Command): string[] => Object.keys(listFlags(command)).map((flag) => `--${flag}`);

/**
 * The words that the shell offers next. `typed` is the text before them: nothing, the first word of a command, or a
 * whole command.
 */
type Choice = { typed: string; next: string[] };

function listChoices(commands: readonly Command[]): Choice[] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const groups = firsts.map((first) => ({
    typed: first,
    next: commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [])),
  }));
  const flags = commands.map((command) => ({
    typed: command.name,
    next: [...(command.args[0] === 'SHELL' ? Object.keys(SHELLS) : []), ...listFlagNames(command)],
  }));
  // A word such as "import" may be a command, and may also begin longer commands. The shell then offers the next words
  // of both.
  const byWord = new Map<string, string[]>();
  for (const { typed, next } of [...groups, ...flags]) byWord.set(typed, [...(byWord.get(typed) ?? []), ...next]);
  // The shell uses the first entry that matches. An entry with one word also matches two typed words. For this reason,
  // entries with two words come first.
  const all = [...byWord].map(([typed, next]) => ({ typed, next }));
  const two = all.filter(({ typed }) => typed.includes(' '));
  return [...two, ...all.filter((choice) => !two.includes(choice)), { typed: '', next: [...firsts, 'help'] }];
}

const pattern = (typed: string): string => (typed === '' ? "''" : `'${typed}'|'${typed} '*`);

const cases = (choices: readonly Choice[]): string =>
  choices.map(({ typed, next }) => `    ${pattern(typed)}) choices='${next.join(' ')}' ;;`).join('\n');

const SHELLS: Record<string, (choices: readonly Choice[]) => string> = {
  bash: (choices) => `# For bash: add this line to ~/.bashrc:  source <(daybook completion bash)
_daybook() {
  local choices='' typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" word="\${COMP_WORDS[COMP_CWORD]}"
  case "$typed" in
${cases(choices)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -F _daybook daybook`,
  zsh: (choices) => `#compdef daybook
# For zsh: add this line to ~/.zshrc, after compinit:  source <(daybook completion zsh)
_daybook() {
  local choices='' typed="\${(j: :)words[2,CURRENT-1]}"
  case "$typed" in
${cases(choices)}
  esac
  compadd -- \${=choices} || _files
}
compdef _daybook daybook`,
  fish: (choices) => `# For fish: daybook completion fish > ~/.config/fish/completions/daybook.fish
function __daybook_choices
  set -l typed (string join ' ' (commandline -opc)[2..-1])
  switch "$typed"
${choices
  .map(({ typed, next }) => {
    const patterns = typed === '' ? "''" : `'${typed}' '${typed} *'`;
    return `    case ${patterns}\n      printf '%s\\n' ${next.join(' ')}`;
  })
  .join('\n')}
  end
end
complete -c daybook -a '(__daybook_choices)'`,
};
