import assert from 'node:assert/strict';
import type { Answer } from '../support/requests.ts';

export const PLACES = [
  '/',
  '/all-sites',
  '/sites/example.com',
  '/sites/example.com/settings',
  '/sites/example.com/settings/goals',
  '/account',
  '/account/tokens',
  '/server',
];

/** What the page says to its script, which is all between the tags of that element. */
export function bootIn(text: string): unknown {
  const [, data, ...more] = text.split(
    /<script type="application\/json" id="boot">|<\/script><noscript>|<\/script>\n<noscript>/,
  );
  assert.equal(more.length, 1);
  return JSON.parse(data ?? '');
}

/** The answers of the API that the page has for its script. */
export const answersIn = (text: string): Record<string, unknown> =>
  JSON.parse(/id="answers">(.*?)<\/script>/.exec(text)?.[1] ?? '');

export const policyOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(
    (headers.get('Content-Security-Policy') ?? '').split('; ').map((rule) => {
      const [name = '', ...values] = rule.split(' ');
      return [name, values.join(' ')];
    }),
  );

export const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'manifest-src': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};
