import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, eventsIn, pageview, STUB, serves, stage, visit } from './visiting.ts';

test('events are counted, before the script is there and after, under the page that they happen on', async (t) => {
  const { origin, run, told } = await visit(t, {
    head: `<script>${STUB}; daybook('first', 'a'); saved = daybook</script>`,
  });
  assert.deepEqual(await told(), [pageview(`${origin}/`), event(`${origin}/`, 'first', 'a')]);
  await run(`history.pushState(null, '', '/b'); daybook('second'); saved('third', 3); daybook('fourth', '')`);
  const [, ...events] = await told();
  assert.deepEqual(events, [
    { ...event(`${origin}/b`, 'second'), referrer: `${origin}/` },
    { ...event(`${origin}/b`, 'third', 3), referrer: `${origin}/` },
    { ...event(`${origin}/b`, 'fourth', ''), referrer: `${origin}/` },
  ]);
});

test('a page without the stub has the function too', async (t) => {
  const { origin, run, told } = await visit(t);
  await run(`daybook('signup', 'pro')`);
  assert.deepEqual(await told(), [pageview(`${origin}/`), event(`${origin}/`, 'signup', 'pro')]);
});

test('names and labels are sent as they are, and what is no name is no event', async (t) => {
  const { run, told } = await visit(t);
  await told();
  await run(`daybook('😀'.repeat(130), 'é'.repeat(199) + '😀😀'); daybook('half\ud83d', '\ude00of it')`);
  assert.deepEqual(eventsIn(await told()), [
    ['😀'.repeat(130), `${'é'.repeat(199)}😀😀`],
    ['half\ud83d', '\ude00of it'],
  ]);
  await run(`daybook(); daybook(''); daybook(null, 'x'); daybook(Object.create(null)); daybook(Symbol());
    daybook('x', { toJSON() { throw new Error('no') } })`);
  assert.deepEqual(await told(), []);
  // A name without a text reaches the server, which refuses an empty name.
  await run(`daybook([])`).catch(() => undefined);
  assert.deepEqual(eventsIn(await told()), [['', undefined]]);
});

test('the snippet has properties of pageviews, and an event has those of its call or element', async (t) => {
  const { page, origin, run, told } = await visit(t, {
    tag: 'data-prop-plan="pro" data-prop-crop_size="9" data-property="no" data-props="no"',
    body: `<button data-daybook-event="buy" data-daybook-label="x" data-daybook-prop-size="L" data-id="7" data-day-prop-color="red">
      <b>buy</b></button>`,
  });
  const props = { Plan: 'pro', Crop_size: '9' };
  assert.deepEqual(await told(), [{ ...pageview(`${origin}/`), props }]);
  await page.click('b');
  assert.deepEqual(await told(), [{ ...event(`${origin}/`, 'buy', 'x'), props: { Size: 'L', Color: 'red' } }]);
  await run(`daybook('signup', { props: { plan: 'pro', seats: 3, trial: true } }); daybook('other', 'y')`);
  assert.deepEqual(eventsIn(await told()), [
    ['signup', { props: { plan: 'pro', seats: 3, trial: true } }],
    ['other', 'y'],
  ]);
  await run(`history.pushState(null, '', '/b')`);
  assert.deepEqual(await told(), [{ ...pageview(`${origin}/b`, `${origin}/`), props }]);
});

test('a click on a marked element, or on something in it, is an event', async (t) => {
  const { page, run, told } = await visit(t, {
    body: `<div data-daybook-event="card" data-daybook-label="blue"><p onclick="event.stopPropagation()">text <b>bold</b></p></div>
      <button data-daybook-event="buy"><svg width="9" height="9"><path d="M0 0h9v9H0z"/></svg></button><a href="#x" data-daybook-event="jump">jump</a>
      <i data-daybook-event="">empty</i><div id="host" data-daybook-event="outside"></div>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<u>shadow</u>'</script>`,
  });
  await told();
  for (const target of ['b', 'svg', 'a', 'i', 'u']) await page.click(target);
  assert.deepEqual(eventsIn(await told()), [
    ['card', 'blue'],
    ['buy', undefined],
    ['jump', undefined],
    ['outside', undefined],
  ]);
  // The right button opens a menu; the middle one opens a link, and does nothing with a button.
  for (const target of ['svg', 'a']) await page.click(target, { button: 'right' });
  await page.click('svg', { button: 'middle' });
  assert.deepEqual(await told(), []);
  await run(
    `document.querySelector('a').dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, composed: true }))`,
  );
  assert.deepEqual(eventsIn(await told()), [['jump', undefined]]);
  await run(
    `for (const target of [window, document, document.body]) target.dispatchEvent(new Event('click', { bubbles: true }))`,
  );
  assert.deepEqual(await told(), []);
});

const LINKS = `<a id="out" href="https://other.example:8443/a/b?secret=1#c">out</a> <a id="sub" href="http://www.example.com/a">sub</a>
  <a id="alike" href="http://notexample.com/">alike</a> <a id="inner" href="/inner">inner</a>
  <a id="pdf" href="/files/Report.PDF?download=1"><b>pdf</b></a> <a id="zip" href="https://other.example/a.zip">zip</a>
  <a id="page" href="/pdf/zip.html">page</a> <a id="mail" href="mailto:a@other.example">mail</a>
  <a id="script" href="javascript:void 0">script</a> <a id="none">none</a>
  <script>addEventListener('click', (event) => event.preventDefault())</script>`;

test('outbound links and downloads are events only where the tag asks for them', async (t) => {
  const cases: [string, (files: string) => unknown[]][] = [
    ['', () => []],
    [
      'data-outbound',
      () => [
        ['Outbound link', 'other.example:8443/a/b'],
        ['Outbound link', 'notexample.com/'],
        ['Outbound link', 'other.example/a.zip'],
      ],
    ],
    [
      'data-downloads',
      (host) => [
        ['Download', `${host}/files/Report.PDF`],
        ['Download', 'other.example/a.zip'],
      ],
    ],
    [
      'data-outbound data-downloads',
      (host) => [
        ['Outbound link', 'other.example:8443/a/b'],
        ['Outbound link', 'notexample.com/'],
        ['Download', `${host}/files/Report.PDF`],
        ['Download', 'other.example/a.zip'],
      ],
    ],
  ];
  for (const [tag, expected] of cases) {
    const { origin, run, told } = await visit(t, { tag, body: LINKS });
    await told();
    await run(`for (const link of document.links) (link.firstElementChild ?? link).click()`);
    assert.deepEqual(eventsIn(await told()), expected(origin.replace('http://', '')), tag);
  }
});

test('a link that leads away is counted without holding the visitor up, with the middle button too', async (t) => {
  const { pagesPort } = await stage();
  const target = `other.example:${pagesPort}/there`;
  const { page, origin, told, toldAtLeast } = await visit(t, {
    tag: 'data-outbound',
    body: `<a href="http://${target}">there</a>`,
    others: { '/there': serves('there') },
  });
  const there = event(`${origin}/`, 'Outbound link', target);
  await told();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), page.click('a', { button: 'middle' })]);
  assert.deepEqual(await told(), [there]);
  await tab.close();
  await page.click('a');
  await page.waitForURL(`http://${target}`);
  assert.deepEqual(await toldAtLeast(1), [there]);
});

test('a page that is marked as not found is a pageview, and an event with the path that nobody found', async (t) => {
  const { origin, run, told } = await visit(t, { tag: 'data-404', path: '/nowhere?x=1' });
  assert.deepEqual(await told(), [pageview(`${origin}/nowhere`), event(`${origin}/nowhere`, '404', '/nowhere')]);
  await run(`history.pushState(null, '', '/')`);
  assert.deepEqual(await told(), [pageview(`${origin}/`, `${origin}/nowhere`)]);
});
