import assert from 'node:assert/strict';
import { openCountries } from '../../src/classify/country.ts';
import { parseHit } from '../../src/exchange/products/ndjson.ts';
import { hitReader } from '../../src/exchange/reading/file-hits.ts';
import { Refusal } from '../../src/lib/errors.ts';
import { TEXT_FIELDS, type TextField } from '../../src/stats/dimensions.ts';
import { SITE } from './sites.ts';

export const NOW = '2026-03-05T12:00:00Z';
const clock = { now: () => Date.parse(NOW), tick: () => 0 };
export const known = openCountries(undefined, clock, () => {});
export const asked: unknown[][] = [];

export const deps = {
  site: { id: 7, ...SITE },
  countries: known,
  clock,
  key: Buffer.alloc(32, 1),
  codeOf(...question: unknown[]): number {
    asked.push(question);
    return 42;
  },
};

/** Lines as an import reads them. */
export function ndjson(more: typeof deps) {
  const hitOf = hitReader(more);
  return (line: string, number: number) => {
    const hit = parseHit(line, number);
    return hit && hitOf(hit, number);
  };
}

export const read = ndjson(deps);

export type Fields = Record<string, unknown>;

export const HIT: Fields = { at: '2026-01-05T10:00:00Z', url: 'https://example.com/', visitor: 'v' };
export const PASSED: Fields = { at: HIT.at, url: HIT.url, ip: '192.0.2.1', agent: 'Agent' };

export function hitOf(fields: Fields, reader = read) {
  const hit = reader(JSON.stringify(fields), 1);
  assert.ok(hit);
  return hit;
}

/** The words of a hit that are not empty. */
export function wordsOf(fields: Fields): Partial<Record<TextField, string>> {
  const { texts } = hitOf(fields);
  assert.equal(texts.length, TEXT_FIELDS.length);
  return Object.fromEntries(TEXT_FIELDS.map((word, i) => [word, texts[i]]).filter(([, text]) => text !== ''));
}

const refusalOf = (work: () => unknown): string => {
  let message = '';
  assert.throws(work, (error) => {
    assert.ok(error instanceof Refusal, String(error));
    message = error.message;
    return true;
  });
  return message;
};

export const refusalOn = (line: string): string => refusalOf(() => read(line, 17));
