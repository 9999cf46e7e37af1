// Lists the formats of import files. `daybook import` finds a format here by its name.
//
// A CSV format is a list of columns and a function that reads a record. The summary of an import names the data for
// which the file has no column, such as browser versions. The summary also names the columns that are not imported.
//
// Example: a file of Umami has no browser versions, and its column page_title is not imported.

import { isOnSite } from '../classify/host.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { writeInLine } from '../lib/printable.ts';
import { GOATCOUNTER_SUMS, GOOGLE, PLAUSIBLE } from './day-sums.ts';
import type { CsvFormat, FileFormat, HitFormat } from './format.ts';
import { LOG } from './products/access-logs.ts';
import { GOATCOUNTER } from './products/goatcounter.ts';
import { MATOMO } from './products/matomo.ts';
import { parseHit } from './products/ndjson.ts';
import { SEARCH_CONSOLE } from './products/search-console.ts';
import { SIMPLE_ANALYTICS } from './products/simpleanalytics.ts';
import { UMAMI } from './products/umami.ts';
import { csvReader, findRepeatedName, TWICE } from './reading/csv.ts';
import { lineRefusal, lineSplitter } from './reading/lines.ts';

/**
 * The most columns that the summary names as not imported. Further columns are only counted, so that the summary stays
 * short.
 */
const MOST_NAMED = 30;

function describeColumns(names: readonly string[]): Coded {
  const named = names.slice(0, MOST_NAMED).map(writeInLine).join(', ');
  if (names.length <= MOST_NAMED) return coded('left_columns', { names: named });
  return coded('left_more_columns', { names: named, count: names.length - MOST_NAMED });
}

const csv = ({ help, fields, required, optional, header, host, read, readRow }: CsvFormat): HitFormat => ({
  help,
  fields,
  parser: ({ add, skip, lack, leave }, { domain }) =>
    csvReader({
      required,
      header(found) {
        const names = header?.(found) ?? found;
        for (const [what, columns] of Object.entries(optional)) {
          if (!columns.some((name) => names.includes(name))) lack?.(what);
        }
        const known = [...required, ...Object.values(optional).flat(), ...read, host];
        const repeated = findRepeatedName(names.filter((name) => known.includes(name)));
        if (repeated !== undefined) throw lineRefusal(1, repeated, TWICE);
        const unread = names.filter((name) => name !== '' && !known.includes(name));
        if (unread.length > 0) leave?.(describeColumns(unread));
        return names;
      },
      onRow(row, line) {
        const found = host === undefined ? domain : (row[host] ?? domain).toLowerCase();
        const hit = isOnSite({ domain }, found) ? readRow(row, domain) : found ? 'another host' : 'no host';
        if (typeof hit === 'string') skip(hit, line);
        else add(hit, line);
      },
    }),
});

const NDJSON: HitFormat = {
  help: 'a JSON object per line',
  fields: {},
  parser: ({ add, tryRead }) =>
    lineSplitter((line, number) => {
      const hit = tryRead(number, () => parseHit(line, number));
      if (hit) add(hit, number);
    }),
};

/**
 * The formats of import files, by the name that `--format` takes. A new format needs a file in products/ and a row
 * here.
 */
export const FILE_FORMATS: Record<string, FileFormat> = {
  ndjson: NDJSON,
  goatcounter: csv(GOATCOUNTER),
  'goatcounter-json': GOATCOUNTER_SUMS,
  umami: csv(UMAMI),
  simpleanalytics: csv(SIMPLE_ANALYTICS),
  matomo: MATOMO,
  log: LOG,
  plausible: PLAUSIBLE,
  ga4: GOOGLE,
  'search-console': SEARCH_CONSOLE,
};
