import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBot, isPrefetch } from '../../src/classify/bot.ts';
import { AI, adversaries, BOTS } from './agents.ts';
import { PEOPLE } from './people.ts';

const ENGLISH = { acceptLanguage: 'en-GB,en;q=0.9' };
const [[CHROME] = ['']] = PEOPLE;

const chrome = (version: string): string =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;
const firefox = (version: string): string =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}) Gecko/20100101 Firefox/${version}`;
const safari = (version: string): string =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;

test('people are no bots, whether they come themselves or a server passes them on', () => {
  for (const [agent] of PEOPLE) {
    assert.equal(isBot(agent, ENGLISH), false, agent);
    assert.equal(isBot(agent, undefined), false, agent);
  }
});

test('bots are bots, whatever language they ask for', () => {
  assert.ok(BOTS.length >= 28);
  for (const agent of BOTS) assert.equal(isBot(agent, ENGLISH), true, agent);
});

test('every AI crawler is a bot too', () => {
  for (const [, agent] of AI) assert.equal(isBot(agent, undefined), true, agent);
});

test('the second answer is the first', () => {
  for (const agent of [...BOTS, CHROME]) assert.equal(isBot(agent, undefined), isBot(agent, undefined));
});

test('a missing or short agent is a bot', () => {
  for (const agent of ['', ' ', 'Mozilla/5.0', 'Mozilla/5.0 (X1']) assert.equal(isBot(agent, ENGLISH), true, agent);
});

test('an agent of more than 500 characters is a bot', () => {
  assert.equal(isBot(CHROME.padEnd(500), ENGLISH), false);
  assert.equal(isBot(CHROME.padEnd(501), ENGLISH), true);
});

test('an agent with anything but printable ASCII is a bot', () => {
  for (const more of ['ü', 'Ã¼', '\t', '\n', '\x7f', '😀', '\0']) {
    assert.equal(isBot(`${CHROME}${more}`, ENGLISH), true, JSON.stringify(more));
  }
});

test('an address or a UUID as agent is a bot', () => {
  for (const agent of [
    '2001:db8:85a3::8a2e:370:7334',
    '::ffff:192.0.2.128',
    '9f3c1f6e-5a0b-4c1e-8d59-2f1d3c0a7b64',
    '9F3C1F6E-5A0B-4C1E-8D59-2F1D3C0A7B64',
  ]) {
    assert.equal(isBot(agent, ENGLISH), true, agent);
  }
});

test('a browser that asks for no language is a bot, and a hit from a server needs none', () => {
  assert.equal(isBot(CHROME, {}), true);
  assert.equal(isBot(CHROME, { acceptLanguage: '' }), true);
  assert.equal(isBot(CHROME, undefined), false);
});

test('a browser without a head is a bot by its brands alone', () => {
  assert.equal(isBot(CHROME, { ...ENGLISH, brands: '"Chromium";v="138", "HeadlessChrome";v="138"' }), true);
  assert.equal(isBot(CHROME, { ...ENGLISH, brands: '"Chromium";v="138", "Google Chrome";v="138"' }), false);
});

test('browsers of which nobody has so old a version are bots', () => {
  const first: [agent: (version: string) => string, old: string, oldest: string][] = [
    [chrome, '69.0.3497.100', '70.0.3538.77'],
    [firefox, '67.0', '68.0'],
    [safari, '11.1.2', '12.0'],
  ];
  for (const [agent, old, oldest] of first) {
    assert.equal(isBot(agent(old), ENGLISH), true, old);
    assert.equal(isBot(agent(oldest), ENGLISH), false, oldest);
    assert.equal(isBot(agent('9.0'), ENGLISH), true);
    assert.equal(isBot(agent('1000.0'), ENGLISH), false);
  }
});

test('what is as old as the device, or says Version for an app, is no bot', () => {
  for (const agent of [
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/53.0.2785.34 Safari/537.36 WebAppManager',
    'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    'Mozilla/5.0 (Linux; Android 14; SM-S911B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/137.0.7151.115 Mobile Safari/537.36',
  ]) {
    assert.equal(isBot(agent, ENGLISH), false, agent);
  }
});

test('10,000 texts that are made to be slow to read are read', () => {
  const answers = { true: 0, false: 0 };
  for (const text of adversaries()) answers[`${isBot(text.slice(0, 500), undefined)}`]++;
  assert.equal(answers.true + answers.false, 10_000);
  assert.ok(answers.true > 1_000 && answers.false > 1_000, JSON.stringify(answers));
});

test('fetching ahead is seen by either header', () => {
  for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip', 'prerender', 'Prefetch']) {
    assert.equal(isPrefetch({ purpose }), true, purpose);
  }
  assert.equal(isPrefetch({ moz: 'prefetch' }), true);
  for (const headers of [{}, { purpose: '' }, { purpose: '', moz: '' }, { moz: 'x' }, { purpose: undefined }]) {
    assert.equal(isPrefetch(headers), false);
  }
});
