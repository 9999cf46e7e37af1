import type { SpamList } from '../classify/spam.ts';
import { isOnSite } from '../collect/record.ts';
import { LOG } from './access-logs.ts';
import { csvReader, type Row } from './csv.ts';
import type { Field, FileHit } from './file-hits.ts';
import { GOATCOUNTER } from './goatcounter.ts';
import { lineSplitter } from './lines.ts';
import { parseHit } from './ndjson.ts';
import { SIMPLE_ANALYTICS } from './simpleanalytics.ts';
import { UMAMI } from './umami.ts';

/** What becomes of each record of a file: a hit, or nothing, with the reason. */
type Sink = { add(hit: FileHit, line: number): void; skip(reason: string, line: number): void };

type Reading = { feed(chunk: Buffer): void; end(): void };

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
  /** The column with the host; hits of another one are skipped. */
  host?: string;
  /** The hit, or why it is skipped. */
  read(row: Row, domain: string): FileHit | string;
};

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
