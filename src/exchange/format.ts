// What a format of import files gives: a parser of hits, or a reader of daily totals. formats.ts lists all formats.

import type { SpamList } from '../classify/spam.ts';
import type { ImportContent } from '../engine/import-content.ts';
import type { AddressList } from '../lib/http/address.ts';
import type { CsvRow } from './reading/csv.ts';
import type { Field, FileHit } from './reading/file-hits.ts';

/** What a parser does with each record of a file: it adds a hit, or skips the record for a reason. */
type Sink = {
  add(hit: FileHit, line: number): void;
  skip(reason: string, line: number): void;
  /** Notes a property that no hit of the file has, such as countries. */
  lack?(what: string): void;
};

type Parser = { feed(chunk: Buffer): void; end(): void };

/** The site of an import. A file may have hits of other sites too; `domain` is the name of this site in it. */
export type FileSite = { domain: string; spam: SpamList; isExcluded: AddressList };

/** A file that was read: its content for the engine, its name in the output, and lines with its counts. */
export type ImportFile = { content: ImportContent; name: string; lines: string[]; close(): void };

type Help = {
  /** The kind of file, for the help of `daybook import`. */
  help: string;
};

/** A format whose files have hits. */
export type HitFormat = Help & {
  /** The name of each field in the file, so that an error names a column that people see. */
  fields: Partial<Record<Field, string>>;
  parser(sink: Sink, source: FileSite): Parser;
};

/** A site whose sums are read. `privatePaths` lists paths of which only the beginning may be stored. */
export type SumSite = { domain: string; privatePaths: string; timeZone: string };

/** A format whose files have only sums of days. */
export type SumFormat = Help & {
  readSums(path: string, today: number, site: SumSite): Promise<ImportFile>;
};

export type FileFormat = HitFormat | SumFormat;

/** A CSV file with one hit in each record. */
export type CsvFormat = Omit<HitFormat, 'parser'> & {
  /** A file without one of these columns is refused. */
  required: readonly string[];
  header?: (names: readonly string[]) => readonly string[];
  /** Properties by their columns. A file without any of the columns does not know the property. */
  optional?: Readonly<Record<string, readonly string[]>>;
  /** The column with the host. Hits of other hosts are skipped. */
  host?: string;
  /** Returns the hit, or the reason to skip it. */
  read(row: CsvRow, domain: string): FileHit | string;
};
