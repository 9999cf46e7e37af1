import type { SpamList } from '../classify/spam.ts';
import type { Row } from './csv.ts';
import type { Field, FileHit } from './file-hits.ts';

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
