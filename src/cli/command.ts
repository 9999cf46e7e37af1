// Defines a command: its name, arguments and flags, and the function that runs it. This file also has the helpers that
// open the database file or the engine for a command.
//
// The help, the parser and the documents are generated from the fields of a command. So each flag is declared once
// (test/cli/command.test.ts). run.ts finds a command by the first words of a command line.
//
// Example: `daybook site add example.com --db a.db` runs the command "site add" with the argument "example.com" and the
// setting db.

import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { openClusterForCommand } from '../cluster/engine.ts';
import { type Config, ownUrl, readConfig } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { inEnglish } from '../lang/sentences.ts';
import { openLedgerInProcess } from '../ledger/in-process.ts';
import { assertNoOwnHits } from '../ledger/own-hits.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { readCoded } from '../lib/http/fault.ts';
import type { Schema } from '../lib/http/input.ts';
import { findNearest } from '../lib/nearest.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { OPTIONS, type OptionName } from '../options.ts';
import { assertNotOnCluster } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { openReader, openStore } from '../store/file/open-file.ts';
import { findUpkeep } from '../store/server/upkeep.ts';

/**
 * What a command needs from its process: the terminal, the environment, and signals such as SIGTERM. Tests pass an `Io`
 * of their own.
 */
export type Io = {
  environment: Record<string, string | undefined>;
  /** Prints a line of the result on standard output, for people and other programs. */
  print(line: string): void;
  /** Prints logs and hints on standard error. */
  explain(line: string): void;
  readInput(): Promise<string>;
  /** Reads the first line of standard input, such as an answer that a person types. */
  readLine(): Promise<string>;
  /** Reads all lines of standard input, each as soon as it is there. */
  readLines(): AsyncIterable<string>;
  /** Calls `stop` once: when the process receives SIGTERM or SIGINT, or after an unexpected error. */
  onStop(stop: () => void): void;
};

/**
 * A flag of a command. With `many`, the flag may be given several times. Its values are then one text, with one value
 * on each line.
 */
export type Flag = { value?: string; help: string; required?: true; many?: true };

export type Invocation = { args: string[]; flags: Record<string, string | undefined>; config: Config; io: Io };

export type Command = {
  /** One or two words, such as "serve" or "user add". */
  name: string;
  /** The names of the arguments, in order. An argument in brackets is optional. */
  args: readonly string[];
  summary: string;
  /** The server's settings that the command uses. Each of these settings is also a flag of the command. */
  settings: readonly OptionName[];
  /** Help texts for settings that have another meaning in this command than in the server. */
  settingHelp?: Partial<Record<OptionName, string>>;
  flags?: Record<string, Flag>;
  /**
   * True if the command runs until somebody stops it, shows its own progress, or asks a question. The terminal then
   * does not show the elapsed time.
   */
  isUntimed?: true;
  run(invocation: Invocation): void | Promise<void>;
};

/** Commands about one subject. The help shows them together. */
export type CommandGroup = { title: string; commands: readonly Command[] };

export const listFlags = (command: Command): Record<string, Flag> => ({
  ...Object.fromEntries(
    command.settings.map((name) => [name, { ...OPTIONS[name], ...describeSetting(command, name) }]),
  ),
  ...command.flags,
  help: { help: 'show this' },
});

/** Lists the commands whose names begin with these words. Example: "user" gives all commands for users. */
export const commandsUnder = (commands: readonly Command[], words: readonly string[]): Command[] =>
  commands.filter(({ name }) => `${name} `.startsWith(`${words.join(' ')} `));

export function findCommand(commands: readonly Command[], argv: readonly string[]): [Command, string[]] {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, i) => argv[i] === word)) return [command, argv.slice(words.length)];
  }
  const typed = argv.filter((word) => !isOption(word)).slice(0, 2);
  const [first = ''] = typed;
  const under = commandsUnder(commands, [first]).map(({ name }) => name);
  const groups = commands.map(({ name }) => name.split(' ')[0] ?? name);
  const known = under.length > 0 ? under : [...commands.map(({ name }) => name), ...groups];
  const suggestion = typed.length < 2 && under.length > 0 ? undefined : findNearest(typed.join(' '), known);
  if (suggestion === undefined && under.length > 0) {
    const choice = under.map((name) => name.slice(first.length + 1)).join(', ');
    throw new Refusal(`"${first}" takes one of ${choice}. See daybook help ${first}`, USAGE);
  }
  const meant = suggestion === undefined ? 'See daybook --help' : `Did you mean "${suggestion}"? See daybook --help`;
  throw new Refusal(`unknown command "${typed.join(' ')}". ${meant}`, USAGE);
}

/**
 * Reads the arguments and flags of a command. Throws if an argument or a flag is wrong or missing. Returns undefined if
 * --help is given.
 */
export function parse(command: Command, words: readonly string[], io: Io): Invocation | undefined {
  const known = listFlags(command);
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value ? 'string' : 'boolean', ...(name === 'help' && { short: 'h' }) } as const,
    ]),
  );
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  const flags: Record<string, string | undefined> = {};
  const args: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!flag) {
      const suggestion = findNearest(
        token.rawName,
        Object.keys(known).map((name) => `--${name}`),
      );
      const more = suggestion === undefined ? `See daybook ${command.name} --help` : `Did you mean ${suggestion}?`;
      throw new Refusal(`unknown flag ${token.rawName}. ${more}`, USAGE);
    }
    const before = flags[token.name];
    if (before !== undefined && !flag.many) throw new Refusal(`${token.rawName} is given twice`, USAGE);
    const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'));
    if (flag.value && isMissing) throw new Refusal(`--${token.name} needs ${flag.value}`, USAGE);
    if (!flag.value && token.value !== undefined) throw new Refusal(`--${token.name} takes no value`, USAGE);
    flags[token.name] = before === undefined ? (token.value ?? '') : `${before}\n${token.value}`;
  }
  if (flags.help !== undefined) return undefined;

  const missing = command.args[args.length];
  if (missing && !missing.startsWith('['))
    throw new Refusal(`${missing} is missing: daybook ${[command.name, ...command.args].join(' ')}`, USAGE);
  const extra = args[command.args.length];
  if (extra !== undefined)
    throw new Refusal(`unexpected argument "${extra}". See daybook ${command.name} --help`, USAGE);
  for (const [name, { required, value }] of Object.entries(known)) {
    if (required && flags[name] === undefined) throw new Refusal(`--${name} ${value} is required`, USAGE);
  }
  return { args, flags, config: readConfig(flags, io.environment), io };
}

/**
 * Opens the database file for `work`. A running server may have the file open too. A missing file usually means that
 * --db is mistyped, so a missing file is refused (test/cli/command.test.ts). With `create`, a missing file is created.
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

export const withEngine = (
  config: Config,
  work: (opened: { db: Db; engine: Engine }) => Promise<void>,
  options: { create?: boolean } = {},
): Promise<void> =>
  withStore(
    config,
    async (db) => {
      const engine = await openEngine(config, db);
      try {
        await work({ db, engine });
      } finally {
        engine.intake.settle();
      }
    },
    options,
  );

/**
 * Opens the engine for a command that only reads. The command then neither waits for a running server's writes, nor
 * delays them.
 */
export async function withReader(config: Config, work: (engine: Engine, db: Db) => Promise<void>): Promise<void> {
  // First the file is opened for writing and closed again, because a reader cannot check or update it. Opening the file
  // for writing checks it, and updates it if an older daybook wrote it.
  openStore(config.db, { create: false }).close();
  const reader = openReader(config.db);
  try {
    await work(await openEngine(config, reader.db), reader.db);
  } finally {
    reader.close();
  }
}

/**
 * Returns the base URL of links, such as https://stats.example.com. Without --base-url, returns the base URL of the
 * last server that used this database file.
 */
export function publicUrl(db: Db, { baseUrl, host, port }: Config): string {
  const isGiven = baseUrl !== ownUrl(host, port);
  return isGiven ? baseUrl : (findUpkeep(db, 'base-url')?.words ?? baseUrl);
}

/**
 * Returns the checked value. Throws if the value is wrong. The error message begins with `name`, such as "password".
 */
export function validated<S extends Schema>(schema: S, name: string, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new Refusal(`${name}: ${inEnglish(readCoded(result.issues[0].message))}`, USAGE);
}

export const now = (): number => seconds(clock);

function describeSetting({ settingHelp }: Command, name: OptionName): { help?: string } {
  const help = settingHelp?.[name];
  return help === undefined ? {} : { help };
}

const isOption = (word: string): boolean => word.startsWith('-');

/**
 * Opens the engine of a command. The hits are in the cluster that --engine names, or otherwise in the database file
 * itself.
 */
async function openEngine({ engine }: Config, db: Db): Promise<Engine> {
  if (engine === undefined) {
    assertNotOnCluster(db);
    return openLedgerInProcess(db, clock);
  }
  assertNoOwnHits(db);
  return await openClusterForCommand(engine, db, clock);
}

export const clock: Clock = { now: () => Date.now(), tick: () => performance.now() };
