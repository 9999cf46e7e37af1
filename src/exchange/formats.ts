import { isOnSite } from '../classify/host.ts';
import type { SpamList } from '../classify/spam.ts';
import { LOG } from './access-logs.ts';
import { csvReader, type Row } from './csv.ts';
import type { Field, Told } from './file-hits.ts';
import { GOATCOUNTER } from './goatcounter.ts';
import { lineCutter, toldIn } from './ndjson.ts';
import { SIMPLE_ANALYTICS } from './simpleanalytics.ts';
import { UMAMI } from './umami.ts';

/** What becomes of each record of a file: a hit, or nothing, with the reason. */
type Sink = { take(told: Told, line: number): void; leave(reason: string, line: number): void };

type Reading = { take(chunk: Buffer): void; end(): void };

/** Whose hits are meant where a file may hold those of several sites, and who is no guest. */
type About = { domain: string; spam: SpamList };

/** How a file with hits is written. */
export type FileFormat = {
  /** What fields are called in it, for whoever has to mend one. */
  fields: Partial<Record<Field, string>>;
  reading(sink: Sink, about: About): Reading;
};

/** A file in CSV with a hit in each record. */
export type Table = Pick<FileFormat, 'fields'> & {
  required: readonly string[];
  header?: (names: readonly string[]) => readonly string[];
  /** The column with the host; what is of another one is left. */
  host?: string;
  /** The hit, or why it is left. */
  read(row: Row, domain: string): Told | string;
};

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
