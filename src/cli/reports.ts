// Lets a command ask the API's functions for a report. Opens the database file for reading, finds the site, and
// explains wrong flags.
//
// Invariant: the flags become the fields or parameters of a request to the API. The API's function for this request
// makes the answer. For this reason, a command and the API give equal figures (test/cli/query.test.ts,
// test/cli/explain.test.ts). A report only reads the database file, so a server may run meanwhile.
//
// Example: the API refuses the field `by.1` for `--by page,contry`. The command's error names the flag and the word,
// and suggests "country". query.ts and explain.ts use this file, and note.ts calls `explainFaults`.

import { KNOWN_KEYS, TABLE_METRICS } from '../api/table.ts';
import type { Engine } from '../engine/engine.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { findNearest } from '../lib/nearest.ts';
import { makeAsk } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import { findReportedSite } from '../store/sites/sites.ts';
import { type Invocation, now, validated, withReader } from './command.ts';
import { unknownSite } from './site.ts';

/** What the API's functions need for a report, such as the site, the engine's queries and the present time. */
type Reports = ReturnType<typeof makeReports>;

/** Opens the database file for reading, and finds the site that the first argument names. */
export function withReports(
  { args, config }: Pick<Invocation, 'args' | 'config'>,
  work: (reports: Reports) => Promise<void>,
): Promise<void> {
  const domain = validated(Domain, 'DOMAIN', args[0]);
  return withReader(config, (engine, db) => work(makeReports(engine, db, domain)));
}

function makeReports({ queries, imports }: Engine, db: Db, domain: string) {
  const site = findReportedSite(db, domain);
  if (!site) throw unknownSite(domain);
  const api = { ask: makeAsk(queries), queries, imports };
  return { api, db, site, now: now(), signal: () => new AbortController().signal };
}

/**
 * Runs `work`. If the API refuses a field, the error names the flag. For a wrong name in a list, the error also
 * contains that name.
 */
export async function explainFaults<Result>(typed: object, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'not_found')
      throw new Refusal('there is no such goal. The API lists the goals of a site', USAGE);
    const [field, fault] = Object.entries(error.fields ?? {})[0] ?? [];
    if (field === undefined || !fault) throw error;
    const { flag, word, known } = readField(field, typed);
    const meant = word === undefined ? undefined : findNearest(word, known);
    const more = meant === undefined || meant === word ? '' : ` Did you mean ${meant}?`;
    throw new Refusal(`${flag}${word === undefined ? '' : ` "${word}"`}: ${inEnglish(fault)}${more}`, USAGE);
  }
}

const KNOWN: Record<string, readonly string[]> = { by: KNOWN_KEYS, metrics: TABLE_METRICS };

/** The flags and arguments whose name differs from the name of their field. */
const FLAGS: Record<string, string> = { date: '--day', text: 'TEXT' };

/**
 * Finds the flag of a field. Example: the field `by.1` of `--by page,contry` is the flag --by with the word "contry".
 */
function readField(
  field: string,
  typed: object,
): { flag: string; word?: string | undefined; known: readonly string[] } {
  const [name = '', ...rest] = field.split(/[.[\]]+/);
  if (name === 'filters') return { flag: `--filter ${rest[0]}`, known: [] };
  if (name === 'any') return { flag: ['--any', rest[1]].join(' ').trim(), known: [] };
  const list = (typed as Record<string, unknown>)[name];
  const word = Array.isArray(list) && rest[0] !== undefined ? String(list[Number(rest[0])]) : undefined;
  return { flag: FLAGS[name] ?? `--${name.replaceAll('_', '-')}`, word, known: KNOWN[name] ?? [] };
}
