import assert from 'node:assert/strict';
import { type Fields, Problem } from '../../../src/lib/errors.ts';

export const RUNS = { numRuns: 2_000 };

/** The fields that a 422 names. */
export function fieldsOf(error: unknown): Fields {
  assert.ok(error instanceof Problem, String(error));
  assert.equal(error.code, 'invalid_request');
  assert.ok(error.fields);
  return error.fields;
}

export function refused(work: () => unknown): Fields {
  try {
    work();
  } catch (error) {
    return fieldsOf(error);
  }
  assert.fail('nothing was refused');
}
