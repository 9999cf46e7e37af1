// Defines a format of import files. A format has a parser of hits, a reader of daily totals, or a reader of searches.
// Searches are figures of Google's Search Console, such as the clicks for each search term.
//
// Example: the parser of ndjson reads a line and calls `add` with a hit. The reader of Plausible's zip returns the sums
// of each day. formats.ts lists all formats. `daybook import` (src/cli/import.ts) reads a file with one of them.

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
 * Functions that a parser calls for each record: `add` for a hit, and `skip` for a record that is not imported. `line`
 * is the number of the record's first line in the file.
 */
type Sink = {
  add(hit: FileHit, line: number): void;
  skip(reason: string, line: number): void;
  /**
   * Calls `read`. If `read` refuses the line, the error ends the import. If the user asked to skip unreadable lines,
   * the line is counted instead, and the result is undefined.
   */
  tryRead<Result>(line: number, read: () => Result): Result | undefined;
  /**
   * Notes that no record of the file has a kind of data, such as countries. A message then says that this data is
   * unknown.
   */
  lack?(what: string): void;
  /**
   * Notes that the file has data that daybook does not store, such as page titles. A message then says that this data
   * is not imported.
   */
  leave?(what: Coded): void;
};

type Parser = { feed(chunk: Buffer): void; end(): void };

/**
 * What a parser needs to know about the site. `domain` selects the hits of this site, because a file may also have hits
 * of other sites.
 */
export type FileSite = { domain: string; spam: SpamList; isExcluded: AddressList };

/**
 * The result of reading a file. The engine stores `content`. `daybook import` prints `name`, and also prints `sheet`,
 * the counts of records. `quarters` lists the quarter hours with hits, numbered from 1970. `quarters` is missing if a
 * file has daily totals without counts by hour.
 */
export type ImportFile = {
  content: ImportContent;
  name: string;
  sheet: Coded[];
  quarters?: ReadonlySet<number>;
  /** The currency of the first revenue in the file. If the site has no currency yet, it gets this currency. */
  currency?: string | undefined;
  close(): void;
};

/**
 * A quarter hour in seconds. In every present time zone, a day begins at minute 00, 15, 30 or 45 of an hour in UTC. So
 * a quarter hour never lies in two days.
 */
export const QUARTER = 15 * MINUTE;

type Help = {
  /** A few words about the file for `daybook import --help`, such as "its CSV" for GoatCounter. */
  help: string;
};

export type HitFormat = Help & {
  /**
   * For each field of a hit, its name in the file. Error messages use this name, so that people find the field in their
   * file.
   */
  fields: Partial<Record<Field, string>>;
  parser(sink: Sink, source: FileSite): Parser;
};

/**
 * What an import of daily totals needs to know about a site. `privatePaths` are patterns of private parts of paths.
 * Such a part is stored as `:id`. `pageParameters` are the parameters of a URL that belong to its page. `dimensionsOff`
 * are the dimensions that the site does not keep.
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

/**
 * The searches in a file. `rows` are stored in a table of their own, apart from hits (src/store/sites/searches.ts).
 * `daybook import` prints `sheet`, the counts of rows.
 */
export type SearchFile = { rows: SearchRow[]; sheet: Coded[] };

export type SearchFormat = Help & {
  readSearches(path: string, site: { domain: string } & PageRules): Promise<SearchFile>;
};

export type FileFormat = HitFormat | SumFormat | SearchFormat;

/** A format of CSV files in which each record is one hit. */
export type CsvFormat = Omit<HitFormat, 'parser'> & {
  /** The columns that a file must have. If one of them is missing, the file is refused. */
  required: readonly string[];
  header?: (names: readonly string[]) => readonly string[];
  /**
   * For each kind of data, such as countries, the columns that can contain it. If a file has none of these columns, the
   * data is unknown for all hits of the file. If the list is empty, no file of this format has the data.
   */
  optional: Readonly<Record<string, readonly string[]>>;
  /**
   * Further columns that are read. A column that is neither here nor in `required` or `optional` is reported to the
   * user as not imported.
   */
  read: readonly string[];
  /** The column with the host. A file may have hits of several sites, so records of other hosts are skipped. */
  host?: string;
  /** Reads a record as a hit. A text as the result is the reason why the record is skipped. */
  readRow(row: CsvRow, domain: string): FileHit | string;
};
