// What a format of import files consists of: a parser of hits, or a reader of daily totals.
//
// Example: the parser of ndjson reads a line and calls `add` with a hit. The reader of Plausible's zip gives the sums of
// each day. formats.ts lists all formats, and `daybook import` (src/cli/import.ts) reads a file by one of them.

import type { SpamList } from '../classify/spam.ts';
import type { ImportContent } from '../engine/import-content.ts';
import type { AddressList } from '../lib/http/address.ts';
import { MINUTE } from '../lib/time.ts';
import type { CsvRow } from './reading/csv.ts';
import type { Field, FileHit } from './reading/file-hits.ts';

/** A parser calls `add` for each record of a file that is a hit, and `skip` for every other record. */
type Sink = {
  add(hit: FileHit, line: number): void;
  skip(reason: string, line: number): void;
  /** Called with a property that no hit of the file has, such as countries. */
  lack?(what: string): void;
};

type Parser = { feed(chunk: Buffer): void; end(): void };

/** A file may have hits of other sites too. `domain` is the name that this site has in the file. */
export type FileSite = { domain: string; spam: SpamList; isExcluded: AddressList };

/**
 * The engine stores the content. `daybook import` prints the name, and the lines with the counts of records. `quarters`
 * numbers the quarter-hours since 1970 that have hits. A file with daily totals has none.
 */
export type ImportFile = {
  content: ImportContent;
  name: string;
  lines: string[];
  quarters?: ReadonlySet<number>;
  close(): void;
};

/** A quarter of an hour, in seconds. In the time zones of today, each day begins with one. */
export const QUARTER = 15 * MINUTE;

type Help = {
  /** `daybook import --help` shows this text, such as "its CSV". */
  help: string;
};

export type HitFormat = Help & {
  /** The name of each field in the file. An error shows this name, because people see it in their file. */
  fields: Partial<Record<Field, string>>;
  parser(sink: Sink, source: FileSite): Parser;
};

/** `privatePaths` has the patterns of private segments of paths. `:id` is stored in place of these segments. */
export type SumSite = { domain: string; privatePaths: string; timeZone: string };

export type SumFormat = Help & {
  readSums(path: string, today: number, site: SumSite): Promise<ImportFile>;
};

export type FileFormat = HitFormat | SumFormat;

/** A file of this format is CSV and has one hit in each record. */
export type CsvFormat = Omit<HitFormat, 'parser'> & {
  /** A file without one of these columns is refused. */
  required: readonly string[];
  header?: (names: readonly string[]) => readonly string[];
  /** The columns that can have each property. If a file has none of the columns, the property is unknown for all its hits. */
  optional?: Readonly<Record<string, readonly string[]>>;
  /** The name of the column that has the host. Hits of other hosts are skipped. */
  host?: string;
  /** Returns the hit, or the reason to skip it. */
  read(row: CsvRow, domain: string): FileHit | string;
};
