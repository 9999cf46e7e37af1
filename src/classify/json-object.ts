import type * as v from 'valibot';
import { inEnglish } from '../lang/sentences.ts';
import { readCoded } from '../lib/http/fault.ts';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a text as a JSON object. Returns undefined if the text is not a JSON object. */
export function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Describes in English what is wrong with an object in a file. If the fault is in one field, the text names the field.
 */
export function describeIssue({ path, message }: v.BaseIssue<unknown>): string {
  const name = path?.[0]?.key;
  return `${name === undefined ? '' : `${String(name)}: `}${inEnglish(readCoded(message))}`;
}
