import type { Row } from './result.ts';
import type { Dialect } from './sql.ts';
import type { TABLES } from './tables.ts';

/** An engine in this process that answers SQL. */
export type Engine = {
  name: string;
  version: string;
  dialect: Dialect;
  /** Loads both tables from files of tab-separated values. */
  load(path: (table: keyof typeof TABLES) => string, words: Words): Promise<void>;
  run(sql: string): Promise<Row[]>;
  bytes(): Promise<number>;
  close(): void;
};

/** The words of each column. */
export type Words = ReadonlyMap<string, ReadonlySet<string>>;

/** The number of threads of both engines. The machine of the figures in docs/figures.md has two cores. */
export const THREADS = 2;
