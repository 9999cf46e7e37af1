import type { Question, Span } from './questions.ts';
import type { Dialect } from './sql.ts';

export type Row = readonly (string | number)[];
export type Asked = {
  question: Question;
  span: Span;
  limit: number;
  dialect: Dialect;
  run(sql: string): Promise<Row[]>;
};

/** Rounds a half away from zero. Adding 0 turns -0 into 0. */
export const rounded = (value: number): number => Math.sign(value) * Math.round(Math.abs(value)) + 0;

/** Multiplies before it divides, so that a half stays exact. */
export const percent = (part: number, whole: number, digits: number): number =>
  whole === 0 ? 0 : rounded((part * 100 * 10 ** digits) / whole) / 10 ** digits;

export const numbers = (row: Row | undefined): number[] => (row ?? []).map(Number);
