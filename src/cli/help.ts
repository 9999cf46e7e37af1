import { nameVariable, OPTION_NAMES, OPTIONS } from '../options.ts';
import { type Command, commandsUnder, findCommand, listFlags } from './command.ts';

export function helpOn(command: Command): string {
  const rows = Object.entries(listFlags(command)).map(([name, { value, help, required }]): [string, string] => {
    // A flag of this command may have the name of a setting of the server. The help on such a flag shows neither the
    // default nor the environment variable of the setting.
    const isOwn = command.flags !== undefined && name in command.flags;
    const setting = isOwn ? undefined : OPTION_NAMES.find((option) => option === name);
    const more = [
      ...(setting && OPTIONS[setting].fallback !== '' ? [`default ${OPTIONS[setting].fallback}`] : []),
      ...(setting ? [`or ${nameVariable(setting)}`] : []),
      ...(required ? ['required'] : []),
    ];
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [flag, more.length === 0 ? help : `${help} (${more.join(', ')})`];
  });
  const usage = ['daybook', command.name, ...command.args, '[flags]'].join(' ');
  return `${usage}\n\n${command.summary}\n\n${twoColumns(rows)}`;
}

/**
 * Writes the help. Without words, the help lists all commands. Otherwise the help is about the commands that begin with
 * these words.
 */
export function helpFor(commands: readonly Command[], words: readonly string[]): string {
  if (words.length === 0) return helpOnAll(commands);
  const under = commandsUnder(commands, words);
  const [only = findCommand(commands, words)[0], ...others] = under;
  return others.length === 0 ? helpOn(only) : helpOnAll(under);
}

function twoColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function helpOnAll(commands: readonly Command[]): string {
  const rows = commands.map(({ name, args, summary }): [string, string] => [[name, ...args].join(' '), summary]);
  return `daybook: web analytics in one file\n\n${twoColumns(rows)}\n\nHelp on a command: daybook COMMAND --help`;
}
