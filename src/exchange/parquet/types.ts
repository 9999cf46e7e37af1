// Defines the types of columns in a Parquet file: how a value is stored, and what the value means.
//
// Example: a date is stored as a whole number of days since 1970, with the meaning DATE. Parquet has two fields for the
// meaning: `logical`, and the older `converted` for readers that do not know `logical`. table.ts chooses the type of
// each column.

import { flag, int32, struct, type Thrift } from './thrift.ts';

/** The ways to store a value, with the numbers that Parquet gives them. */
export const PHYSICAL = { boolean: 0, int32: 1, int64: 2, double: 5, bytes: 6 } as const;

export type ColumnType = {
  physical: keyof typeof PHYSICAL;
  converted?: number;
  logical?: Thrift;
  /** For decimal numbers: how many digits they have in all. `scale` is how many of these digits are after the point. */
  precision?: number;
  scale?: number;
};

const NONE = struct({});

export const BOOLEAN: ColumnType = { physical: 'boolean' };
export const INT32: ColumnType = { physical: 'int32' };
export const DOUBLE: ColumnType = { physical: 'double' };
export const DATE: ColumnType = { physical: 'int32', converted: 6, logical: struct({ 6: NONE }) };
export const TEXT: ColumnType = { physical: 'bytes', converted: 0, logical: struct({ 1: NONE }) };

/** A moment in UTC, in milliseconds since 1970. */
export const TIMESTAMP: ColumnType = {
  physical: 'int64',
  converted: 9,
  logical: struct({ 8: struct({ 1: flag(true), 2: struct({ 1: NONE }) }) }),
};

export const makeDecimal = (precision: number, scale: number): ColumnType => ({
  ...{ physical: 'int64', converted: 5, precision, scale },
  logical: struct({ 5: struct({ 1: int32(scale), 2: int32(precision) }) }),
});

/** The type of a map column, which is a group of pairs. */
export const MAP = { converted: 1, logical: struct({ 2: NONE }) };
