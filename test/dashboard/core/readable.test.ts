import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SOURCES } from '../../../src/classify/known-sources.ts';
import { APPS, readableHost, readablePath } from '../../../src/dashboard/core/readable.ts';

test('a path is read with the letters of its language', () => {
  for (const [kept, shown] of [
    ['/%E6%97%A5%E6%9C%AC', '/日本'],
    ['/caf%c3%a9/a-b', '/café/a-b'],
    ['/plain?x', '/plain?x'],
  ] as const)
    assert.equal(readablePath(kept), shown);
});

test('what is not encoded rightly, or would be read as something else, stays as it is', () => {
  for (const path of ['/%FF', '/%E6%97', '/100%', '/a%2Fb', '/a%20b', '/50%25', '/%E2%80%AEcod', '/%00', '/%zz'])
    assert.equal(readablePath(path), path);
});

test('a host is read with the letters of its language, unless it is wrong or mixes alphabets', () => {
  for (const [kept, shown] of [
    ['xn--mnchen-3ya.de', 'münchen.de'],
    ['www.xn--wgv71a119e.jp', 'www.日本語.jp'],
    ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
    ['xn--nxasmm1c.example', 'βόλος.example'],
    ['example.com', 'example.com'],
    ['xn--.com', 'xn--.com'],
    ['xn--a_b!.com', 'xn--a_b!.com'],
    ['xn--99999999999', 'xn--99999999999'],
    // One of its letters is Cyrillic.
    ['xn--gogle-kye.com', 'xn--gogle-kye.com'],
  ] as const)
    assert.equal(readableHost(kept), shown);
});

test('hosts of any letters are read as they were written', () => {
  const words = fc.stringMatching(/^[а-яё]{1,20}$|^[a-zäöüé]{1,20}$|^[一-龠]{1,9}$/u);
  fc.assert(
    fc.property(words, (word) =>
      assert.equal(readableHost(new URL(`http://${word}.example`).hostname), `${word}.example`),
    ),
  );
});

test('apps are called as the sources are', () => {
  assert.equal(readableHost('com.google.android.gm'), 'Gmail');
  for (const { host, name } of SOURCES) if (/^(com|org)\./.test(host)) assert.equal(APPS[host], name, host);
});
