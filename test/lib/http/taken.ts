import assert from 'node:assert/strict';
import * as v from 'valibot';
import { inEnglish } from '../../../src/lang/sentences.ts';
import { readCoded } from '../../../src/lib/http/fault.ts';

export const RUNS = { numRuns: 2_000 };

/** What a schema makes of a value, and undefined where it refuses. */
export function taken<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : undefined;
}

/** The one sentence with which a schema refuses. */
export function sentence(schema: v.GenericSchema, value: unknown): string {
  const { issues } = v.safeParse(schema, value);
  const [fault] = issues ?? assert.fail(`${JSON.stringify(value)} was taken`);
  return inEnglish(readCoded(fault.message));
}
