// Lists the files of GoatCounter's JSON export and reads their lines.
//
// The export is a zip. Its file info.json has the version of the layout. Every other file has one JSON object on each
// line. Some files are lists of names, such as paths.jsonl. Others have counts, such as hit_stats.jsonl. The folder of
// the files may have any name.
//
// Example: the line `{"id": 7, "path": "/a", "title": "A"}` of paths.jsonl gives number 7 to the page /a. An error
// names the file, the line and the field. goatcounter-sums.ts reads the zip with these functions.

import { Refusal } from '../../lib/errors.ts';
import { type JsonObject, jsonObjects } from '../reading/json-objects.ts';
import { excerpt, lineRefusal, lineSplitter } from '../reading/lines.ts';
import { parseSecond } from '../reading/moment.ts';
import { listZipped, type ZippedFile } from '../reading/zip.ts';

/** Files that every complete export has. GoatCounter writes hit_stats last, so an unfinished export lacks this file. */
const NEEDED = ['info.json', 'paths.jsonl', 'refs.jsonl', 'hit_stats.jsonl'];

/** For a file of statistics, the list of names that its numbers refer to. */
const NAMES_OF: Readonly<Record<string, string>> = {
  'browser_stats.jsonl': 'browsers.jsonl',
  'system_stats.jsonl': 'systems.jsonl',
};

/**
 * The lists of names that are not in `NEEDED`. goatcounter-sums.ts does not read them, because they have no counts.
 * goatcounter-names.ts reads the lists of browsers and systems. The lists of locations and languages are never read,
 * because the statistics already have the codes of countries and languages.
 */
const UNREAD = ['locations.jsonl', 'languages.jsonl', 'browsers.jsonl', 'systems.jsonl'];

/** True for a known file that is not in `BY_DAY` (goatcounter-sums.ts), the list of files with statistics by day. */
export const isKnownFile = (base: string): boolean => [...NEEDED, ...UNREAD].includes(base);

/**
 * The versions of the layout that can be read. GoatCounter increases the number before the dot when it changes or
 * removes a field.
 */
const VERSION = /^1\.\d+$/;

const AGAIN = 'Export the zip again in GoatCounter';
const MOST_COUNT = 999_999_999;

const withoutFolder = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** True if a zip with these files is an export of GoatCounter. */
export const isGoatcounterZip = (names: readonly string[]): boolean =>
  names.some((name) => withoutFolder(name) === 'hit_stats.jsonl');

/** A file of the zip. `base` is its name without the folder. */
type ExportFile = { base: string; file: ZippedFile };

/** Yields the files of the zip. The caller must read a file before it asks for the next one. */
export async function* listFiles(path: string): AsyncGenerator<ExportFile> {
  for await (const file of listZipped(path)) {
    if (!file.name.endsWith('/')) yield { base: withoutFolder(file.name), file };
  }
}

/**
 * Refuses a zip that lacks a needed file. Also refuses a zip that has a `.jsonl` file twice, because the rows of both
 * copies would be counted.
 */
export async function assertComplete(path: string): Promise<void> {
  const names = new Map<string, string>();
  for await (const { base, file } of listFiles(path)) {
    const before = names.get(base);
    if (before !== undefined && base.endsWith('.jsonl')) {
      throw new Refusal(`${file.name}: ${before} is in the zip too. Leave one of them out`);
    }
    names.set(base, file.name);
  }
  const needed = [...NEEDED, ...[...names.keys()].flatMap((name) => NAMES_OF[name] ?? [])];
  const missing = needed.filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new Refusal(`the zip has no ${missing.join(', ')}. Perhaps the export was not finished. ${AGAIN}`);
}

/** Reads the time of the export, in seconds since 1970. Refuses an unknown version of the layout. */
export async function readInfo({ name, bytes }: ZippedFile): Promise<number> {
  let createdAt: number | undefined;
  const reader = jsonObjects((info, line) => {
    const version = info.export_version;
    if (typeof version !== 'string' || !VERSION.test(version)) {
      const help = 'Use a daybook that knows this version, or export the CSV';
      const found = version === undefined ? 'and is missing' : `not ${excerpt(version)}`;
      throw lineRefusal(line, 'export_version', `must be 1.0 or another 1.x, ${found}. ${help}`);
    }
    createdAt = parseSecond(readText(info, 'created_at', line));
    if (Number.isNaN(createdAt)) {
      throw lineRefusal(
        line,
        'created_at',
        `must be a time such as 2026-03-07T16:49:27Z, not ${excerpt(info.created_at)}`,
      );
    }
  });
  await naming(name, async () => {
    for await (const chunk of bytes()) reader.feed(chunk);
    reader.end();
    if (createdAt === undefined) throw new Refusal(`must be a JSON object. ${AGAIN}`);
  });
  return createdAt ?? 0;
}

/** Calls `onLine` with the object of each line. Blank lines are skipped. */
export const readLines = (
  { name, bytes }: ZippedFile,
  onLine: (fields: JsonObject, line: number) => void,
): Promise<void> =>
  naming(name, async () => {
    const lines = lineSplitter(
      (text, number) => {
        if (text.trim() !== '') onLine(parseObject(text, number), number);
      },
      { what: 'object' },
    );
    for await (const chunk of bytes()) lines.feed(chunk);
    lines.end();
  });

/** Calls `read`, and puts the name of the file in front of its error messages. */
async function naming(name: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${name}: ${error.message}`) : error;
  }
}

function parseObject(text: string, line: number): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw lineRefusal(line, `must be a JSON object on a line of its own, not ${excerpt(text.trim())}. ${AGAIN}`);
}

/** Makes a function that reads a field. If the value is wrong, the error says which values are allowed. */
const fieldReader =
  <T extends string | number>(isValid: (value: unknown) => value is T, must: string) =>
  (fields: JsonObject, name: string, line: number): T => {
    const value = fields[name];
    if (isValid(value)) return value;
    throw lineRefusal(
      line,
      name,
      value === undefined ? `is missing. ${AGAIN}` : `must be ${must}, not ${excerpt(value)}`,
    );
  };

const isText = (value: unknown): value is string => typeof value === 'string';
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isCount = (value: unknown): value is number => isWhole(value) && value >= 0 && value <= MOST_COUNT;

export const readText = fieldReader(isText, 'text');
export const readId = fieldReader(isWhole, 'a whole number');
export const readCount = fieldReader(isCount, `a whole number up to ${MOST_COUNT}`);

/**
 * Finds the name for the number in a row. Throws if the list lacks the number, because skipping the row would lose its
 * counts.
 */
export function findNamed<T>(
  names: ReadonlyMap<number, T>,
  list: string,
  { fields, name, line }: { fields: JsonObject; name: string; line: number },
): T {
  const id = readId(fields, name, line);
  const found = names.get(id);
  if (found !== undefined) return found;
  throw lineRefusal(line, name, `${id} is not in ${list}.jsonl. ${AGAIN}, or leave this line out`);
}
