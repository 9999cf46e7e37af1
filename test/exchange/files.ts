import assert from 'node:assert/strict';
import { openCountries } from '../../src/classify/country.ts';
import { openSpamList } from '../../src/classify/spam.ts';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { hitReader, type ParsedHit } from '../../src/exchange/reading/file-hits.ts';
import type { Coded } from '../../src/lang/coded.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { TEXT_FIELDS, type TextField } from '../../src/stats/dimensions.ts';
import { SITE } from './sites.ts';

const clock = { now: () => Date.parse('2026-03-05T12:00:00Z'), tick: () => 0 };
const known = openCountries(undefined, clock, () => {});
const spam = openSpamList(undefined, clock, () => {});

type Found = { hits: ParsedHit[]; left: [reason: string, line: number][]; lacking: string[]; leftOut: string[] };

/** What an import makes of a file for example.com. */
export function readFile(name: string, text: string | Buffer, isExcluded = (_: string) => false): Found {
  const format = FILE_FORMATS[name];
  assert.ok(format && 'parser' in format);
  const site = { id: 1, ...SITE };
  const hitOf = hitReader({ site, countries: known, clock, key: Buffer.alloc(32), codeOf: () => 42 }, format.fields);
  const found: Found = { hits: [], left: [], lacking: [], leftOut: [] };
  const sink = {
    tryRead: <Result>(_: number, read: () => Result) => read(),
    add: (...read: Parameters<typeof hitOf>) => void found.hits.push(hitOf(...read)),
    skip: (...why: [string, number]) => void found.left.push(why),
    lack: (what: string) => void found.lacking.push(what),
    leave: (what: Coded) => void found.leftOut.push(inEnglish(what)),
  };
  const parser = format.parser(sink, { domain: site.domain, spam, isExcluded });
  parser.feed(typeof text === 'string' ? Buffer.from(text) : text);
  parser.end();
  return found;
}

/** A hit in words: when, and what of it is not empty. */
export function told({ day, second, texts }: ParsedHit): Partial<Record<TextField | 'at', string>> {
  const at = new Date((day * 86_400 + second) * 1000).toISOString().replace('.000Z', 'Z');
  const words = TEXT_FIELDS.map((word, i) => [word, texts[i]] as const).filter(([, text]) => text !== '');
  return { at, ...Object.fromEntries(words) };
}

/** What is wrong with a file, as people are told. */
export function refusal(name: string, text: string): string {
  try {
    readFile(name, text);
  } catch (error) {
    return (error as Error).message;
  }
  return assert.fail('it was read');
}
