import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { countArrivals } from '../../src/collect/arrivals.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { makeNetworkNumbers } from '../../src/lib/http/address.ts';
import { readCoded } from '../../src/lib/http/fault.ts';

const HOUR_MS = 3_600_000;

function watched(isLocal = false) {
  let tick = 0;
  const { note, summary } = countArrivals({ now: () => 0, tick: () => tick }, makeNetworkNumbers(randomBytes), isLocal);
  return {
    summary,
    note: (address: string, isProxyIgnored = false) => note(address, isProxyIgnored),
    pass(ms: number) {
      tick += ms;
    },
  };
}

/** What is noted, in English. */
function spoken(isLocal = false) {
  const { summary, ...rest } = watched(isLocal);
  return {
    ...rest,
    summary() {
      const noted = summary();
      return noted && { ...noted, words: inEnglish(readCoded(noted.words)) };
    },
  };
}

test('while nobody has come nothing is told', () => {
  assert.equal(watched().summary(), undefined);
});

test('networks are counted once, IPv6 by its /64, and never named', () => {
  const { note, summary } = spoken();
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2', '2001:db8:1::1'])
    note(address);
  assert.deepEqual(summary(), { fine: true, words: 'Visitors from 4 networks' });
  for (let n = 0; n < 5_000; n++) note(`198.51.${n >> 8}.${n & 255}`);
  assert.deepEqual(summary(), { fine: true, words: 'Visitors from 1000 or more networks' });
});

test('who has not come for an hour is forgotten', () => {
  const { note, summary, pass } = spoken();
  note('192.0.2.1');
  pass(HOUR_MS);
  note('192.0.2.2');
  assert.equal(summary()?.words, 'Visitors from 2 networks');
  pass(1);
  assert.equal(summary()?.words, 'Visitors from 1 network');
  pass(HOUR_MS);
  assert.equal(summary(), undefined);
});

test('one private address for everybody is what a proxy looks like; one public address is not, nor are two private ones', () => {
  for (const address of ['10.1.2.3', '172.17.0.1', '192.168.1.1', '127.0.0.1', '::1', 'fd00::1', '100.64.0.1']) {
    const { note, summary } = spoken();
    note(address);
    assert.deepEqual(summary(), { fine: false, words: 'All visitors have the same private IP address' }, address);
    note('10.9.9.9');
    assert.equal(summary()?.fine, true);
  }
  const { note, summary } = spoken();
  note('192.0.2.1');
  assert.equal(summary()?.fine, true);
});

test('forwarded addresses that are not believed are told when most come with them, not when some do', () => {
  const { note, summary } = spoken();
  for (let n = 1; n <= 10; n++) note(`192.0.2.${n}`, n <= 5);
  assert.equal(summary()?.fine, true);
  note('192.0.2.6', true);
  assert.deepEqual(summary(), {
    fine: false,
    words: 'Visitors from 10 networks, through a proxy whose X-Forwarded-For is not trusted',
  });
  note('192.0.2.6');
  assert.equal(summary()?.fine, true);
});

test('a server that only people on the same machine reach has one private address, and that is fine', () => {
  const { note, summary } = spoken(true);
  note('127.0.0.1');
  assert.deepEqual(summary(), { fine: true, words: 'All visitors have the same private IP address' });
});
