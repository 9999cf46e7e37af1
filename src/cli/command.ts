import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { engineHere } from '../compose.ts';
import { type Config, OPTION_NAMES, OPTIONS, type OptionName, ownUrl, readConfig, variableOf } from '../config.ts';
import type { Engine } from '../engine.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import type { Schema } from '../lib/input.ts';
import { nearest } from '../lib/nearest.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { openReader, openStore } from '../store/open.ts';
import type { Db } from '../store/statements.ts';
import { findUpkeep } from '../store/upkeep.ts';

/** The world outside, handed in by main.ts. */
export type Io = {
  environment: Record<string, string | undefined>;
  /** For what was asked for, so that another program can read it. */
  print(line: string): void;
  /** For everything else. */
  explain(line: string): void;
  readInput(): Promise<string>;
  /** Calls back once when the operating system asks the program to stop. */
  onStop(stop: () => void): void;
};

type Flag = { value?: string; help: string; required?: true };

export type Invocation = { args: string[]; flags: Record<string, string | undefined>; config: Config; io: Io };

export type Command = {
  /** One or two words. */
  name: string;
  args: readonly string[];
  summary: string;
  /** Which of the program's settings it looks at; they may be given as flags. */
  settings: readonly OptionName[];
  flags?: Record<string, Flag>;
  run(invocation: Invocation): void | Promise<void>;
};

/** The flags of a command: those of its settings, then its own. */
const flagsOf = (command: Command): Record<string, Flag> => ({
  ...Object.fromEntries(command.settings.map((name) => [name, OPTIONS[name]])),
  ...command.flags,
  help: { help: 'show this' },
});

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

export function helpOn(command: Command): string {
  const rows = Object.entries(flagsOf(command)).map(([name, { value, help, required }]): [string, string] => {
    const setting = OPTION_NAMES.find((option) => option === name);
    const more = [
      ...(setting && OPTIONS[setting].fallback !== '' ? [`default ${OPTIONS[setting].fallback}`] : []),
      ...(setting ? [`or ${variableOf(setting)}`] : []),
      ...(required ? ['required'] : []),
    ];
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [flag, more.length === 0 ? help : `${help} (${more.join(', ')})`];
  });
  const usage = ['daybook', command.name, ...command.args, '[flags]'].join(' ');
  return `${usage}\n\n${command.summary}\n\n${columns(rows)}`;
}

export function helpOnAll(commands: readonly Command[]): string {
  const rows = commands.map(({ name, args, summary }): [string, string] => [[name, ...args].join(' '), summary]);
  return `daybook: web analytics in one file\n\n${columns(rows)}\n\nMore on one of them: daybook COMMAND --help`;
}

/** The command that the first words name, and the words that are left. */
export function findCommand(commands: readonly Command[], argv: readonly string[]): [Command, string[]] {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, i) => argv[i] === word)) return [command, argv.slice(words.length)];
  }
  const typed = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const names = commands.map(({ name }) => name);
  const alike = names.filter((name) => name.startsWith(`${typed[0]} `));
  const meant = nearest(typed.join(' '), alike.length > 0 ? alike : names);
  throw new Refusal(`unknown command "${typed.join(' ')}"; did you mean "${meant}"? See daybook --help`, USAGE);
}

/** Reads what stands behind a command; undefined when it asks for help. */
export function parse(command: Command, words: readonly string[], io: Io): Invocation | undefined {
  const known = flagsOf(command);
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
  );
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  const flags: Record<string, string | undefined> = {};
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!flag) {
      const meant = nearest(token.name, Object.keys(known));
      throw new Refusal(`unknown flag ${token.rawName}; did you mean --${meant}?`, USAGE);
    }
    if (token.name in flags) throw new Refusal(`${token.rawName} is given twice`, USAGE);
    const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'));
    if (flag.value && isMissing) throw new Refusal(`--${token.name} needs ${flag.value}`, USAGE);
    if (!flag.value && token.value !== undefined) throw new Refusal(`--${token.name} takes no value`, USAGE);
    flags[token.name] = token.value ?? '';
  }
  if (flags.help !== undefined) return undefined;

  const missing = command.args[args.length];
  if (missing) throw new Refusal(`${missing} is missing: daybook ${[command.name, ...command.args].join(' ')}`, USAGE);
  const extra = args[command.args.length];
  if (extra !== undefined)
    throw new Refusal(`"${extra}" is one word too many; see daybook ${command.name} --help`, USAGE);
  for (const [name, { required, value }] of Object.entries(known)) {
    if (required && flags[name] === undefined) throw new Refusal(`--${name} ${value} is required`, USAGE);
  }
  return { args, flags, config: readConfig(flags, io.environment), io };
}

/**
 * Opens the file beside a server that may be running, and closes it whatever happens. Only a command that can be the first
 * makes the file; for the others a missing one is a mistyped --db.
 */
export async function withStore(
  config: Config,
  work: (db: Db) => void | Promise<void>,
  { create = false }: { create?: boolean } = {},
): Promise<void> {
  const store = openStore(config.db, { create });
  try {
    await work(store.db);
  } finally {
    store.close();
  }
}

/** The same with the engine that keeps hits. */
export const withEngine = (
  config: Config,
  work: (opened: { db: Db; engine: Engine }) => Promise<void>,
  options: { create?: boolean } = {},
): Promise<void> =>
  withStore(
    config,
    async (db) => {
      const engine = engineHere(db, clock);
      try {
        await work({ db, engine });
      } finally {
        engine.settle();
      }
    },
    options,
  );

/** The engine for a command that only reads, which waits for nobody and keeps nobody waiting. */
export function withReader(config: Config, work: (engine: Engine) => void): void {
  // Opened for writing once, which says clearly what is wrong with a file, and brings an older one up to date.
  openStore(config.db, { create: false }).close();
  const reader = openReader(config.db);
  try {
    work(engineHere(reader.db, clock));
  } finally {
    reader.close();
  }
}

/** Where people reach the server: as the command is told, else as the server on this file was told last. */
export function reachedAt(db: Db, { baseUrl, host, port }: Config): string {
  const isSaid = baseUrl !== ownUrl(host, port);
  return isSaid ? baseUrl : (findUpkeep(db, 'base-url')?.words ?? baseUrl);
}

/** What a schema of the API makes of a word on the command line. */
export function word<S extends Schema>(schema: S, name: string, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new Refusal(`${name}: ${result.issues[0].message}`, USAGE);
}

export const clock: Clock = { now: () => Date.now(), tick: () => performance.now() };

export const now = (): number => seconds(clock);
