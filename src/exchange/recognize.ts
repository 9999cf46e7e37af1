// Recognises the format of an import file by its beginning, so that people need no --format.
//
// Each format has a sign: something at the beginning of its files that other files do not have.
//
// Example: the columns created_at and session_id are part of the sign of Umami. A file with no sign is refused, and so
// is a file with the signs of two formats. The error says what to do. `daybook import` calls `recognize`
// (src/cli/import.ts).

import { Refusal, USAGE } from '../lib/errors.ts';
import { openLog } from '../logs/files.ts';
import { findFormat } from '../logs/formats.ts';
import { isGoatcounterZip } from './products/goatcounter-zip.ts';
import { DAY_COLUMNS, METRICS } from './products/google-names.ts';
import { parseHit } from './products/ndjson.ts';
import { findTable } from './products/plausible-tables.ts';
import { findSearchKind, findSearchMetric, SEARCH_METRICS } from './products/search-names.ts';
import { listZipped } from './reading/zip.ts';

/** How many bytes of a file are read to recognise its format. The line with the columns of a table is shorter. */
const HEAD = 64 * 1024;

/** The most names that are read from a zip. No export has more than 40 files. */
const MOST_FILES = 1_000;

/** The only file of Umami's export that can be imported. */
const UMAMI_TABLE = 'website_event.csv';

/**
 * The beginning of a file. `line` is the first line that is neither blank nor a comment. `columns` are the names in
 * this line. `files` has the names in a zip. For a zip, `line` and `columns` are empty, because its bytes are not a
 * table.
 */
type Head = { text: string; line: string; columns: readonly string[]; files: readonly string[] };

/** Recognises the format of a file. Throws if the file fits no format or more than one. */
export async function recognize(path: string): Promise<string> {
  const head = await readHead(path);
  const found = Object.keys(SIGNS).filter((name) => SIGNS[name]?.(head));
  const [name, ...others] = found;
  if (name === undefined) throw new Refusal(`${path}: ${findHint(head) ?? NO_FORMAT}`, USAGE);
  if (others.length > 0)
    throw new Refusal(`${path}: it may be ${found.join(' or ')}. Name the right one with --format`, USAGE);
  return name;
}

export const NO_FORMAT = 'it has no known format. Name its format with --format';

/** Finds advice for two mistakes: a whole zip of Umami, and a file of Umami that cannot be imported. */
function findHint({ columns, files }: Head): string | undefined {
  if (files.some((name) => name.endsWith(UMAMI_TABLE)))
    return `it is a zip. Unpack it, and import the file ${UMAMI_TABLE} in it`;
  if (hasAll(columns, 'data_key', 'string_value'))
    return `it has only data of events or sessions. Import Umami's file ${UMAMI_TABLE} instead`;
  return undefined;
}

const hasAll = (columns: readonly string[], ...names: string[]): boolean =>
  names.every((name) => columns.includes(name));

const isHit = (line: string): boolean => {
  try {
    const hit = parseHit(line, 1);
    return hit?.at !== undefined && hit.url !== undefined;
  } catch {
    return false;
  }
};

const USERS = [...METRICS.visitors, ...METRICS.visits, ...METRICS.pageviews] as readonly string[];

/** For each format, a function that tells whether a file begins like a file of this format. */
const SIGNS: Record<string, (head: Head) => boolean> = {
  ndjson: ({ line }) => isHit(line),
  goatcounter: ({ line }) => /^[12],?Path,/.test(line),
  umami: ({ columns }) => hasAll(columns, 'created_at', 'session_id', 'url_path', 'event_type'),
  simpleanalytics: ({ columns }) => hasAll(columns, 'added_iso', 'path', 'session_id'),
  matomo: ({ line, text }) => /^[[{]/.test(line) && /"actionDetails"\s*:/.test(text),
  log: ({ line }) => findFormat(line) !== undefined,
  'goatcounter-json': ({ files }) => isGoatcounterZip(files),
  plausible: ({ files }) => files.some((name) => findTable(name) !== undefined),
  ga4: ({ line, text, columns }) =>
    /^[[{]/.test(line)
      ? /"(?:dimensionHeaders|metricHeaders)"\s*:/.test(text)
      : columns.some((name) => DAY_COLUMNS.includes(name)) && columns.some((name) => USERS.includes(name)),
  'search-console': ({ columns, files }) =>
    files.some((name) => findSearchKind(name.replace(/^.*\//, '').replace(/\.csv$/, '')) !== undefined) ||
    SEARCH_METRICS.every((metric) => columns.some((name) => findSearchMetric(name) === metric)),
};

async function readHead(path: string): Promise<Head> {
  const file = openLog(path);
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of file.bytes(0)) {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length >= HEAD) break;
    }
  } finally {
    file.close();
  }
  const text = bytes.toString().replace(/^\ufeff/, '');
  if (text.startsWith('PK\u0003\u0004')) return { text, line: '', columns: [], files: await listNames(path) };
  // Files of Google Analytics begin with comments, so the first line of the table may come later.
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#')) ?? '';
  return {
    text,
    files: [],
    line: line.trim(),
    columns: line.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1')),
  };
}

async function listNames(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of listZipped(path)) if (names.push(name) === MOST_FILES) break;
  return names;
}
