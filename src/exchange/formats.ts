import { isOnSite } from '../classify/host.ts';
import { LOG } from './access-logs.ts';
import { csvReader } from './csv.ts';
import type { FileFormat, Table } from './format.ts';
import { GOATCOUNTER } from './goatcounter.ts';
import { lineCutter, toldIn } from './ndjson.ts';
import { SIMPLE_ANALYTICS } from './simpleanalytics.ts';
import { UMAMI } from './umami.ts';

const table = ({ fields, host, read, ...layout }: Table): FileFormat => ({
  fields,
  reading: ({ take, leave }, { domain }) =>
    csvReader({
      ...layout,
      take(row, line) {
        const isForeign = host !== undefined && !isOnSite({ domain }, (row[host] ?? '').toLowerCase());
        const told = isForeign ? 'another host' : read(row, domain);
        if (typeof told === 'string') leave(told, line);
        else take(told, line);
      },
    }),
});

const NDJSON: FileFormat = {
  fields: {},
  reading: ({ take }) =>
    lineCutter((line, number) => {
      const told = toldIn(line, number);
      if (told) take(told, number);
    }),
};

export const FILE_FORMATS: Record<string, FileFormat> = {
  ndjson: NDJSON,
  goatcounter: table(GOATCOUNTER),
  umami: table(UMAMI),
  simpleanalytics: table(SIMPLE_ANALYTICS),
  log: LOG,
};
