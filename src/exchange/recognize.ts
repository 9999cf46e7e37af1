import { Refusal, USAGE } from '../lib/errors.ts';
import { openLog } from '../logs/files.ts';
import { findFormat } from '../logs/formats.ts';
import { DAY_COLUMNS, METRICS } from './products/google-names.ts';
import { parseHit } from './products/ndjson.ts';

/** In bytes: more than any first line that an import takes. */
const HEAD = 64 * 1024;

/** The beginning of a file: all of it, its first line with something in it, and the columns that this names. */
type Head = { text: string; line: string; columns: readonly string[] };

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

/** What a file of each format begins with. */
const SIGNS: Record<string, (head: Head) => boolean> = {
  ndjson: ({ line }) => isHit(line),
  goatcounter: ({ line }) => /^[12],?Path,/.test(line),
  umami: ({ columns }) => hasAll(columns, 'created_at', 'session_id', 'url_path', 'event_type'),
  simpleanalytics: ({ columns }) => hasAll(columns, 'added_iso', 'path', 'session_id'),
  matomo: ({ line, text }) => /^[[{]/.test(line) && /"actionDetails"\s*:/.test(text),
  log: ({ line }) => findFormat(line) !== undefined,
  plausible: ({ text }) => text.startsWith('PK\u0003\u0004'),
  ga4: ({ line, text, columns }) =>
    /^[[{]/.test(line)
      ? /"(?:dimensionHeaders|metricHeaders)"\s*:/.test(text)
      : columns.some((name) => DAY_COLUMNS.includes(name)) && columns.some((name) => USERS.includes(name)),
};

async function headOf(path: string): Promise<Head> {
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
  // Files of Google Analytics begin with comments.
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#')) ?? '';
  return { text, line: line.trim(), columns: line.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1')) };
}

/** The name of the format that a file is in; refuses one that is in none, or may be in two. */
export async function recognize(path: string): Promise<string> {
  const head = await headOf(path);
  const found = Object.keys(SIGNS).filter((name) => SIGNS[name]?.(head));
  const [name, ...others] = found;
  if (name === undefined)
    throw new Refusal(`${path}: it is in no known format; name the one it is in with --format`, USAGE);
  if (others.length > 0)
    throw new Refusal(`${path}: it may be ${found.join(' or ')}; name the right one with --format`, USAGE);
  return name;
}
