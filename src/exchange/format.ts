import type { SpamList } from '../classify/spam.ts';
import type { ImportContent } from '../engine/import-content.ts';
import type { AddressList } from '../lib/http/address.ts';
import type { Row } from './reading/csv.ts';
import type { Field, FileHit } from './reading/file-hits.ts';

/** What a parser does with each record of a file: it adds a hit, or skips the record for a reason. */
type Sink = {
  add(hit: FileHit, line: number): void;
  skip(reason: string, line: number): void;
  /** Says what is not known of all hits of the file. */
  lack?(what: string): void;
};

type Parser = { feed(chunk: Buffer): void; end(): void };

/** `domain` is that of the site in the file, which may also have hits of other sites. */
export type Source = { domain: string; spam: SpamList; isExcluded: AddressList };

/** A file that was read: its content for the engine, its name in the output, and the lines that summarise it. */
export type ImportFile = { content: ImportContent; name: string; lines: string[]; close(): void };

type Help = {
  /** Which file it is, for the help of `daybook import`. */
  help: string;
};

/** A format whose files have hits. */
export type HitFormat = Help & {
  /** Names of fields in the file, for error messages. */
  fields: Partial<Record<Field, string>>;
  parser(sink: Sink, source: Source): Parser;
};

/** What decides which parts of addresses are private. */
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
  /** What is not known where none of these columns is there. */
  optional?: Readonly<Record<string, readonly string[]>>;
  /** The column with the host; hits of other hosts are skipped. Without it, all are of the site. */
  host?: string;
  /** Returns the hit, or the reason to skip it. */
  read(row: Row, domain: string): FileHit | string;
};
