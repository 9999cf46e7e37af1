// Writes the help: on all commands, on the commands that begin with a word, or on one command with its flags. Lines
// have at most 100 columns, so that they fit into most terminals.
//
// Example: `daybook help user add` and `daybook user add --help` print the same text. `daybook help import` prints the
// help on `import`, and below it the commands that begin with `import`. run.ts calls `helpFor`.

import { nameVariable, OPTION_NAMES, OPTIONS } from '../options.ts';
import { type Command, type CommandGroup, commandsUnder, findCommand, listFlags } from './command.ts';

/** Writes the help on the commands that begin with these words. Without words, lists all commands. */
export function helpFor(groups: readonly CommandGroup[], words: readonly string[]): string {
  if (words.length === 0) return helpOnAll(groups);
  const commands = groups.flatMap((group) => group.commands);
  const under = commandsUnder(commands, words);
  const own = under.find(({ name }) => name === words.join(' '));
  if (own) return helpOn(own, under);
  return under.length > 0 ? `${listCommands(under)}\n\n${MORE}` : helpOn(findCommand(commands, words)[0], []);
}

const MORE = 'Help on a command: daybook COMMAND --help';

/** Writes the help on one command. `under` are the commands whose names begin with the name of this command. */
function helpOn(command: Command, under: readonly Command[]): string {
  const flags = Object.entries(listFlags(command)).map(([name, { value, help, required }]): Row => {
    // A flag of this command may have the name of a server setting. The help on such a flag shows neither the default
    // nor the environment variable of the setting.
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
  const others = under.filter((one) => one !== command);
  return [
    ['daybook', command.name, ...command.args, '[flags]'].join(' '),
    wrap(command.summary, WIDTH).join('\n'),
    twoColumns(flags),
    ...(others.length > 0 ? [`See also:\n${listCommands(others)}`] : []),
  ].join('\n\n');
}

function helpOnAll(groups: readonly CommandGroup[]): string {
  const parts = groups.map(({ title, commands }) => `${title}\n${listCommands(commands)}`);
  return ['daybook: privacy-friendly web analytics that you run yourself', ...parts, MORE].join('\n\n');
}

const listCommands = (commands: readonly Command[]): string =>
  twoColumns(commands.map(({ name, args, summary }): Row => [[name, ...args].join(' '), summary]));

type Row = readonly [left: string, right: string];

const WIDTH = 100;
/** The width of the left column. A longer entry gets a line of its own. */
const LEFT = 26;

function twoColumns(rows: readonly Row[]): string {
  const indent = ' '.repeat(LEFT + 4);
  return rows
    .flatMap(([left, right]) => {
      const [first = '', ...rest] = wrap(right, WIDTH - indent.length);
      const head = left.length > LEFT ? [`  ${left}`, indent + first] : [`  ${left.padEnd(LEFT)}  ${first}`];
      return [...head, ...rest.map((line) => indent + line)];
    })
    .join('\n');
}

/** Breaks a text into lines between its words. */
function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
