// What a format of import files consists of: a parser of hits, or a reader of daily totals.
//
// Example: the parser of ndjson reads a line and calls `add` with a hit. The reader of Plausible's zip gives the sums
// of each day. formats.ts lists all formats, and `daybook import` (src/cli/import.ts) reads a file by one of them.

import type { PageRules } from '../classify/page.ts';
import type { SpamList } from '../classify/spam.ts';
import type { ImportContent } from '../engine/import-content.ts';
import type { Coded } from '../lang/coded.ts';
import type { AddressList } from '../lib/http/address.ts';
import { MINUTE } from '../lib/time.ts';
import type { SiteZone } from '../lib/zone.ts';
import type { SearchRow } from '../store/sites/searches.ts';
import type { CsvRow } from './reading/csv.ts';
import type { Field, FileHit } from './reading/file-fields.ts';

/**
 * What a parser of a file calls for each record: `add` for a hit, and `skip` for everything else. `line` is the number
 * of the record's first line in the file.
 */
type Sink = {
  add(hit: FileHit, line: number): void;
  skip(reason: string, line: number): void;
  /** Calls `read`. If `read` refuses the line and the user skips such lines, counts it and gives undefined. */
  tryRead<Result>(line: number, read: () => Result): Result | undefined;
  /** The whole file lacks a property, such as countries. The user is told that it is unknown. */
  lack?(what: string): void;
  /** The file has something that daybook does not store, such as page titles. The user is told that it is left out. */
  leave?(what: Coded): void;
};

type Parser = { feed(chunk: Buffer): void; end(): void };

/**
 * What a parser needs to know of the site. `domain` is the name of the site in the file, which may also have hits of
 * other sites.
 */
export type FileSite = { domain: string; spam: SpamList; isExcluded: AddressList };

/**
 * A file that was read. The engine stores `content`. `daybook import` prints `name`, and `sheet` with the counts of
 * records. `quarters` has the number of each quarter hour with a hit, counted from 1970. `quarters` is missing for a
 * file with daily totals that has no counts by hour.
 */
export type ImportFile = {
  content: ImportContent;
  name: string;
  sheet: Coded[];
  quarters?: ReadonlySet<number>;
  /** The currency of the first revenue in the file. A site without a currency gets it. */
  currency?: string | undefined;
  close(): void;
};

/** In all time zones of today, a day begins at a full quarter of an hour UTC. */
export const QUARTER = 15 * MINUTE;

type Help = {
  /** A few words about the file for `daybook import --help`, such as "its CSV". */
  help: string;
};

export type HitFormat = Help & {
  /**
   * The name that each field has in the file. Errors name the field in this way, so that people find it in their file.
   */
  fields: Partial<Record<Field, string>>;
  parser(sink: Sink, source: FileSite): Parser;
};

/**
 * What an import of daily totals needs to know of a site. `privatePaths` are patterns of private parts of paths, which
 * are stored as `:id`. `pageParameters` are the parameters of a URL that belong to its page.
 * `dimensionsOff` are the dimensions that the site does not keep.
 */
export type SumSite = {
  domain: string;
  privatePaths: string;
  pageParameters: string;
  dimensionsOff: string;
} & SiteZone;

export type SumFormat = Help & {
  readSums(path: string, today: number, site: SumSite): Promise<ImportFile>;
};

/** A file with figures of searches. They are stored apart from hits (src/store/sites/searches.ts). */
export type SearchFile = { rows: SearchRow[]; sheet: Coded[] };

export type SearchFormat = Help & {
  readSearches(path: string, site: { domain: string } & PageRules): Promise<SearchFile>;
};

export type FileFormat = HitFormat | SumFormat | SearchFormat;

/** A format of CSV files in which each record is one hit. */
export type CsvFormat = Omit<HitFormat, 'parser'> & {
  /** A file without one of these columns is refused. */
  required: readonly string[];
  header?: (names: readonly string[]) => readonly string[];
  /**
   * The columns from which each property can be read, such as countries. If a file has none of them, the property is
   * unknown for all of its hits. If the list of columns is empty, no file of the format has the property.
   */
  optional: Readonly<Record<string, readonly string[]>>;
  /** Further columns that are read. All other columns of a file are named as left out. */
  read: readonly string[];
  /**
   * The name of the column with the host. Records of other hosts are skipped, because a file may have hits of several
   * sites.
   */
  host?: string;
  /** Reads a record as a hit. If the record is skipped, the result is a text with the reason. */
  readRow(row: CsvRow, domain: string): FileHit | string;
};
