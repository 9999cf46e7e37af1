import { isOnSite } from '../classify/host.ts';
import { LOG } from './access-logs.ts';
import { csvReader } from './csv.ts';
import type { FileFormat, Table } from './format.ts';
import { GOATCOUNTER } from './goatcounter.ts';
import { lineSplitter } from './lines.ts';
import { parseHit } from './ndjson.ts';
import { SIMPLE_ANALYTICS } from './simpleanalytics.ts';
import { UMAMI } from './umami.ts';

const table = ({ fields, host, read, ...layout }: Table): FileFormat => ({
  fields,
  reading: ({ add, skip }, { domain }) =>
    csvReader({
      ...layout,
      onRow(row, line) {
        const isForeign = host !== undefined && !isOnSite({ domain }, (row[host] ?? '').toLowerCase());
        const hit = isForeign ? 'another host' : read(row, domain);
        if (typeof hit === 'string') skip(hit, line);
        else add(hit, line);
      },
    }),
});

const NDJSON: FileFormat = {
  fields: {},
  reading: ({ add }) =>
    lineSplitter((line, number) => {
      const hit = parseHit(line, number);
      if (hit) add(hit, number);
    }),
};

export const FILE_FORMATS: Record<string, FileFormat> = {
  ndjson: NDJSON,
  goatcounter: table(GOATCOUNTER),
  umami: table(UMAMI),
  simpleanalytics: table(SIMPLE_ANALYTICS),
  log: LOG,
};
