import assert from 'node:assert/strict';
import type { Db } from '../../src/store/db.ts';

export const PATTERNS = ['users/*', '/orders/{number}', '{token}'];

/** What is private in an address of a page, and what the page is kept as. */
export const ADDRESSES: Record<string, string> = {
  '/users/s3cret-ann/edit': '/users/:id/edit',
  '/orders/770077': '/orders/:id',
  '/reset/9f86d081884c7d659a2feaa0c55ad015': '/reset/:id',
  '/leave/ann@s3cret.example': '/leave/:id',
  '/leave/ann%40s3cret.example': '/leave/:id',
  [`/${'a'.repeat(1013)}/ann@s3cret.example`]: `/${'a'.repeat(1013)}/:id`,
};
const PAGES = [...new Set(Object.values(ADDRESSES))].sort();
const TAGS = [
  'ref=ann@s3cret.example',
  'source=ann%40s3cret.example',
  'utm_source=Ann+<ann@s3cret.example>&ref=770077-9f86d081884c',
  'utm_campaign=ann%2540s3cret.example&utm_medium=x-ann@s3cret.example',
  'ref=9f86d081884c7d659a2feaa0c55ad015',
  'source=0b6e4f7a-6c1e-4b9e-9d4f-2f6d2c1a7b90',
  `utm_campaign=${'a'.repeat(190)}ann@s3cret.example`,
];
export const URLS = Object.keys(ADDRESSES).map((path, n) => `https://example.com${path}?${TAGS[n % TAGS.length]}`);
export const MORE = TAGS.map((tags) => `https://example.com/?${tags}`);
/** Nothing of it may be kept, also not in part. */
const PRIVATE = /s3cret|ann@|ann%|770077(?!-9f)|9f86d081884c7d|0b6e4f7a/;
/** The app whose host a browser names may be anything. */
export const REFERRER = 'android-app://ann%40s3cret.example/';

/** Every text that a file keeps of visitors, but for its own first page and what is derived from agents. */
export const textsIn = (db: Db): string[] =>
  db.all<{ text: string }>('SELECT text FROM term ORDER BY text').map(({ text }) => text);

export function assertPrivate(db: Db): void {
  const texts = textsIn(db);
  assert.deepEqual(
    texts.filter((text) => PRIVATE.test(text)),
    [],
  );
  assert.deepEqual(
    PAGES.filter((page) => !texts.includes(page)),
    [],
  );
}
