import type { Row } from './result.ts';
import type { Dialect } from './sql.ts';
import type { TABLES } from './tables.ts';

/** An engine that is asked in SQL, in this process. */
export type Engine = {
  name: string;
  version: string;
  dialect: Dialect;
  /** Reads both files of tab-separated values. */
  load(path: (table: keyof typeof TABLES) => string, words: Words): Promise<void>;
  run(sql: string): Promise<Row[]>;
  bytes(): Promise<number>;
  close(): void;
};

/** By column, the words that occur. */
export type Words = ReadonlyMap<string, ReadonlySet<string>>;

/** Both engines get as many as the machine has, which is two where the figures in docs/figures.md come from. */
export const THREADS = 2;
