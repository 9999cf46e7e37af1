// Reads the lists of names in GoatCounter's JSON export: pages, events, sources, browsers and operating systems.
//
// Invariant: each number of a list stands for one name. If a list has a number twice, the import is refused.
//
// Example: the line `{"id": 7, "path": "/a"}` of paths.jsonl gives number 7 to the page /a. A row of hit_stats.jsonl
// with `path_id` 7 then counts for this page. goatcounter-sums.ts adds up the rows.

import { findSource, keepTag } from '../../classify/source.ts';
import { Refusal } from '../../lib/errors.ts';
import type { SumSite } from '../format.ts';
import type { JsonObject } from '../reading/json-objects.ts';
import { lineRefusal } from '../reading/lines.ts';
import type { ZippedFile } from '../reading/zip.ts';
import { readReferrer } from './goatcounter.ts';
import { listFiles, readId, readInfo, readLines, readText } from './goatcounter-zip.ts';
import { readEvent, TABLES } from './plausible-tables.ts';

export async function readNames(path: string, site: SumSite, { names, bytes }: NameLimits) {
  const lists: Lists = { paths: new Map(), refs: new Map(), browsers: new Map(), systems: new Map() };
  const help = 'Leave older rows and their names out, and import them in a separate zip';
  let [createdAt, lines, size] = [0, 0, 0];

  /**
   * Counts the bytes of all lists while they are unpacked, and refuses too many. A small zip may unpack to gigabytes.
   */
  async function* measured({ bytes: read }: ZippedFile): AsyncGenerator<Buffer> {
    for await (const chunk of read()) {
      size += chunk.length;
      if (size <= bytes) yield chunk;
      else throw new Refusal(`with this file the lists of names have more than ${bytes} bytes. ${help}`);
    }
  }

  for await (const { base, file } of listFiles(path)) {
    const list = listNamed(base);
    if (base === 'info.json') createdAt = await readInfo(file);
    if (!list) continue;
    await readLines({ name: file.name, bytes: () => measured(file) }, (fields, line) => {
      const id = readId(fields, 'id', line);
      if (lists[list].has(id)) throw lineRefusal(line, 'id', `${id} is in the file twice. Leave one of the lines out`);
      if (++lines > names) throw lineRefusal(line, `with this line there are more than ${names} names. ${help}`);
      lists[list].set(id, LISTS[list](fields, line, site));
    });
  }
  return { lists, createdAt };
}

/** The limits for all lists together: their lines (`names`) and their size (`bytes`). A larger export is refused. */
export type NameLimits = { names: number; bytes: number };

/** The values to which a row adds its count, with their breakdowns. Example: `['browsers', 'Firefox']`. */
export type Named = readonly (readonly [breakdown: string, value: string])[];

/**
 * The lists of names. Each key is a file name without `.jsonl`. A path that means an event belongs to the
 * breakdown `events`.
 */
export type Lists = Readonly<Record<keyof typeof LISTS, Map<number, Named>>>;

const LISTS = {
  paths(fields: JsonObject, line: number, site: SumSite): Named {
    const path = readText(fields, 'path', line);
    // In GoatCounter, every path of a page begins with a slash. A path without a slash is read as an event.
    if (fields.event === true || !path.startsWith('/')) return [['events', readEvent({ name: path }) || '(unnamed)']];
    return [['pages', TABLES.pages?.counts?.pages?.({ page: path }, site) ?? '/']];
  },
  refs(fields: JsonObject, line: number, site: SumSite): Named {
    const { referrer, tag = '' } = readReferrer(readText(fields, 'ref', line), readText(fields, 'ref_scheme', line));
    return [
      ['referrers', findSource(referrer, site)],
      ['utm_source', keepTag(tag)],
    ];
  },
  browsers: (fields: JsonObject, line: number, site: SumSite): Named =>
    Object.entries(TABLES.browsers?.counts ?? {}).map(([breakdown, find]) => {
      const row = { browser: readText(fields, 'name', line), browser_version: readText(fields, 'version', line) };
      return [breakdown, find(row, site) ?? ''];
    }),
  systems: (fields: JsonObject, line: number, site: SumSite): Named =>
    Object.entries(TABLES.operating_systems?.counts ?? {}).map(([breakdown, find]) => {
      const name = readText(fields, 'name', line);
      const row = { operating_system: name, operating_system_version: readText(fields, 'version', line) };
      return [breakdown, find(row, site) ?? ''];
    }),
};

const listNamed = (base: string): keyof typeof LISTS | undefined =>
  (Object.keys(LISTS) as (keyof typeof LISTS)[]).find((name) => base === `${name}.jsonl`);
