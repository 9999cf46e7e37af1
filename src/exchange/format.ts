import type { SpamList } from '../classify/spam.ts';
import type { Row } from './csv.ts';
import type { Field, Told } from './file-hits.ts';

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
