import { isOnSite } from '../classify/host.ts';
import { GOATCOUNTER_SUMS, GOOGLE, PLAUSIBLE } from './day-sums.ts';
import type { CsvFormat, FileFormat, HitFormat } from './format.ts';
import { LOG } from './products/access-logs.ts';
import { GOATCOUNTER } from './products/goatcounter.ts';
import { MATOMO } from './products/matomo.ts';
import { parseHit } from './products/ndjson.ts';
import { SIMPLE_ANALYTICS } from './products/simpleanalytics.ts';
import { UMAMI } from './products/umami.ts';
import { csvReader } from './reading/csv.ts';
import { lineSplitter } from './reading/lines.ts';

const csv = ({ help, fields, required, optional = {}, header, host, read }: CsvFormat): HitFormat => ({
  help,
  fields,
  parser: ({ add, skip, lack }, { domain }) =>
    csvReader({
      required,
      header(found) {
        const names = header?.(found) ?? found;
        for (const [what, columns] of Object.entries(optional)) {
          if (!columns.some((name) => names.includes(name))) lack?.(what);
        }
        return names;
      },
      onRow(row, line) {
        const found = host === undefined ? domain : (row[host] ?? domain).toLowerCase();
        const hit = isOnSite({ domain }, found) ? read(row, domain) : found ? 'another host' : 'no host';
        if (typeof hit === 'string') skip(hit, line);
        else add(hit, line);
      },
    }),
});

const NDJSON: HitFormat = {
  help: 'a JSON object per line',
  fields: {},
  parser: ({ add }) =>
    lineSplitter((line, number) => {
      const hit = parseHit(line, number);
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
};
