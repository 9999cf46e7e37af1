import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hideInPage, keepPage, keepParameters, keepPath, readPagePattern } from '../../src/classify/page.ts';
import { findNamesFault } from '../../src/classify/page-parameters.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { makeMatcher } from '../../src/lib/pattern.ts';
import { anyText } from '../support/text.ts';

const RUNS = { numRuns: 2_000 };

const keep = (names: string[], path: string, privatePaths = ''): string | undefined =>
  keepPath(path, { privatePaths, pageParameters: names.join('\n') });

test('page parameters of WordPress, phpBB and MediaWiki make pages, and all other parameters are dropped', () => {
  const pages: [names: string[], path: string, page: string][] = [
    [['p', 'page_id'], '/?p=1', '/?p=1'],
    [['p', 'page_id'], '/?utm_source=x&page_id=2&fbclid=y', '/?page_id=2'],
    [['f', 't'], '/viewtopic.php?t=12&sid=9f86d081&f=3', '/viewtopic.php?f=3&t=12'],
    [['title'], '/index.php?title=Main+Page&action=edit', '/index.php?title=Main%20Page'],
    [['title'], '/index.php/?title=A/B#History', '/index.php?title=A/B'],
    [[], '/?p=1', '/'],
    [['p'], '/a?P=1', '/a'],
    [['p'], '/a?xp=1&p2=3', '/a'],
    [['p'], '/a?', '/a'],
  ];
  for (const [names, path, page] of pages) assert.equal(keep(names, path), page, path);
});

test('page parameters are in alphabetical order, and repeated ones in the order of the URL', () => {
  assert.equal(keep(['a', 'B', 'b[]'], '/?b[]=2&a=9&b%5B%5D=1&B=3&a=8'), '/?B=3&a=9&a=8&b[]=2&b[]=1');
});

test('a page parameter has one spelling, however its characters are escaped', () => {
  const spellings: [written: string[], page: string][] = [
    [['p=caf%C3%A9', 'p=café', '%70=caf%c3%a9'], '/?p=caf%C3%A9'],
    [['p=a+b', 'p=a b', 'p=a%20b'], '/?p=a%20b'],
    [['p=Help:A/B,(c)', 'p=Help%3AA%2fB%2C%28c%29'], '/?p=Help:A/B,(c)'],
    [["p=it's", 'p=it%27s'], "/?p=it's"],
    [['p=1%2B1', 'p=1%2b1'], '/?p=1%2B1'],
    [['p=a%26b%3Dc', 'p=a%26b=c'], '/?p=a%26b=c'],
    [['p=100%', 'p=100%25'], '/?p=100%25'],
    [['p=a*', 'p=a%2a'], '/?p=a%2A'],
    [['p={x}?', 'p=%7bx%7D%3f'], '/?p=%7Bx%7D%3F'],
    [['p=', 'p'], '/?p='],
    [['p=%E4%', 'p=%e4%25'], '/?p=%E4%25'],
  ];
  for (const [written, page] of spellings) for (const one of written) assert.equal(keep(['p'], `/?${one}`), page, one);
});

test('a value of a page parameter with an e-mail address is not kept', () => {
  for (const value of ['ann@example.com', 'ann%40example.com', 'ann%2540example.com', '%61nn%40example%2Ecom']) {
    assert.equal(keep(['u', 'v'], `/?v=2&u=${value}`), '/?u=:id&v=2', value);
  }
  assert.equal(keep(['next'], '/?next=https://example.com/?mail=ann@example.com'), '/?next=:id');
  assert.equal(keep(['v'], '/?v=react@18.2.0'), '/?v=react@18.2.0');
});

test('patterns of private segments see the path, and never a page parameter', () => {
  assert.equal(keep(['p'], '/users/5?p=users/6', 'users/*'), '/users/:id?p=users/6');
  assert.equal(hideInPage('/users/5?p=users/6#/users/7', 'users/*'), '/users/:id?p=users/6#/users/:id');
});

test('the route of an app stands after the page parameters', () => {
  assert.equal(keep(['p'], '/a/?p=1&x=2#/b/?p=3'), '/a?p=1#/b');
  assert.equal(keep(['p'], '/a/?p=1#top'), '/a?p=1');
});

test('a page with parameters has at most 1,024 characters, and no parameter is cut', () => {
  const long = 'x'.repeat(600);
  assert.equal(keep(['a', 'b', 'c'], `/?c=1&b=${long}&a=${long}`), `/?a=${long}`);
  assert.equal(keep(['a'], `/?a=${'x'.repeat(1020)}`), `/?a=${'x'.repeat(1020)}`);
  assert.equal(keep(['a'], `/?a=${'x'.repeat(1021)}`), '/');
  assert.equal(keep(['a'], `/${'x'.repeat(2000)}?a=1#/b`), `/${'x'.repeat(1023)}`);
  assert.equal(keep(['a'], `/?a=${'x'.repeat(1010)}#/${'y'.repeat(100)}`)?.length, 1024);
});

const text = fc.oneof(
  anyText({ maxLength: 8 }),
  fc.constantFrom('', 'a', '+', '%', '%41', '%2', '%2b', '&', '=', '?', '*', "'", '\\', '/../', 'ann@x.org', '\t'),
);
const listed = fc.constantFrom('p', 't', 'a.b', 'x[]', 'x_y-z');
const unlisted = fc.constantFrom('', 'q', 'P', 'utm_source', 'sid', 'p p', 'x', 'tt');
const LISTED = ['p', 't', 'a.b', 'x[]', 'x_y-z'];
const encoded = (value: string): string => encodeURIComponent(value);
const kept = fc.uniqueArray(fc.tuple(listed, text), { selector: ([name]) => name, maxLength: 5 });
const query = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');

test('the order of page parameters in the URL does not matter, and parameters that are not listed are dropped', () => {
  const mixed = kept.chain((pairs) =>
    fc.tuple(
      fc.constant(pairs),
      fc.array(fc.tuple(unlisted, text), { maxLength: 4 }).chain((others) => {
        const all = [...pairs, ...others];
        return fc.shuffledSubarray(all, { minLength: all.length });
      }),
    ),
  );
  fc.assert(
    fc.property(mixed, ([pairs, all]) => {
      assert.equal(keep(LISTED, `/x?${query(all)}`), keep(LISTED, `/x?${query(pairs)}`));
    }),
    RUNS,
  );
});

test('the page of a page with parameters is itself, in printable ASCII, and its values are those of the URL', () => {
  const raw = fc.array(fc.tuple(fc.oneof(listed, unlisted), text), { maxLength: 6 });
  fc.assert(
    fc.property(raw, fc.boolean(), (pairs, isEncoded) => {
      const search = isEncoded ? query(pairs) : pairs.map((pair) => pair.join('=')).join('&');
      const url = new URL(`https://example.com/a/?${search}`);
      const rules = { privatePaths: '', pageParameters: LISTED.join('\n') };
      const page = keepPage(url, rules);
      assert.match(page, /^\/a(?:\?[!-~]+)?(?:#[!-~]*)?$/);
      assert.ok(!page.includes('*'), page);
      assert.equal(keepPath(page, rules), page);
      assert.equal(keepParameters(page, rules.pageParameters), page);
      const asked = [...url.searchParams].filter(([name]) => LISTED.includes(name));
      const stored = [...new URL(`https://example.com${page}`).searchParams];
      const sorted = asked.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
      assert.deepEqual(
        stored,
        sorted.map(([name, value]) => [name, /ann@x\.org/.test(value) ? ':id' : value]),
      );
    }),
    RUNS,
  );
});

test('a pattern of pages with a query matches stored pages', () => {
  const cases: [typed: string, pattern: string, matches: string[], others: string[]][] = [
    ['/?p=*', '/?p=*', ['/?p=1', '/?p='], ['/', '/?page_id=1']],
    ['/viewtopic.php?t=5*&f=2', '/viewtopic.php?f=2&t=5*', ['/viewtopic.php?f=2&t=51'], ['/viewtopic.php?f=2&t=6']],
    ['/viewtopic.php?*t=5', '/viewtopic.php?*t=5', ['/viewtopic.php?f=2&t=5'], ['/viewtopic.php?t=51']],
    ['*?title=Hilfe:Ü*', '*?title=Hilfe:%C3%9C*', ['/wiki/index.php?title=Hilfe:%C3%9Cbersicht'], ['/?title=Hilfe:A']],
    ['/w?title=A+B*', '/w?title=A%20B*', ['/w?title=A%20B%20C'], []],
    ['/w?title=Help%3aA%2A*', '/w?title=Help:A%2A*', ['/w?title=Help:A%2AB'], ['/w?title=Help:AB']],
    ['/a*?', '/a*', ['/a?p=1'], []],
    ['/a*?p#/b', '/a*?p=#/b', ['/ab?p=#/b'], ['/ab?p=1#/b']],
  ];
  for (const [typed, pattern, matches, others] of cases) {
    assert.equal(readPagePattern(typed), pattern, typed);
    assert.equal(readPagePattern(pattern), pattern, typed);
    for (const page of matches) assert.ok(makeMatcher(pattern)(page), `${typed} ${page}`);
    for (const page of others) assert.ok(!makeMatcher(pattern)(page), `${typed} ${page}`);
  }
});

test('a list of page parameters is refused with the wrong name and the remedy', () => {
  const refused: [names: string[], why: RegExp][] = [
    [['p', ''], /^"": must be a name of at most 40 letters, digits and _ - \. \[ \]/],
    [['?p='], /^"\?p=": must be a name/],
    [['a b'], /^"a b": must be a name/],
    [['größe'], /^"größe": must be a name/],
    [['x'.repeat(41)], /must be a name of at most 40 letters/],
    [['p\nt'], /must be a name/],
    [['p', 't', 'p'], /^"p": is in the list twice\. Remove one\.$/],
    [['utm_source'], /^"utm_source": says where a visit came from, and does not name a page\. Remove it\.$/],
    [['UTM_anything'], /^"UTM_anything": says where/],
    [['gclid'], /^"gclid": says where/],
    [['FBCLID'], /^"FBCLID": says where/],
    [['ref'], /^"ref": says where/],
  ];
  for (const [names, why] of refused) {
    const found = findNamesFault(names);
    assert.match(found ? inEnglish(found) : '', why, names.join());
  }
  assert.equal(findNamesFault(['p', 'P', 'x[y][0]', 'a.b-c_d', 'x'.repeat(40), '__proto__']), undefined);
  assert.equal(findNamesFault([]), undefined);
});

test('no query makes it throw', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 100 }), (typed) => {
      keep(['p'], `/?p=${typed}`);
      readPagePattern(`/?${typed}`);
    }),
    RUNS,
  );
});
