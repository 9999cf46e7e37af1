import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { drawn, type Stage, serving } from '../test/browser/browser.ts';
import { BROWSER } from '../test/collect/stage.ts';

/** What may come before an attack, to get out of wherever it is put; and what then runs a script, if anything does. */
const ENDS = ['', '">', "'>", '</script>', '</title>', '</textarea>', '-->', '`', '</style>', '\\x3c/script>'];
const ATTACKS = [
  '<script>hacked=1</script>',
  '<img src=x onerror=hacked=1>',
  '<svg onload=hacked=1>',
  '<svg><script>hacked=1</script></svg>',
  '<body onload=hacked=1>',
  '<iframe srcdoc="<script>parent.hacked=1</script>">',
  '<a href="javascript:hacked=1">x</a>',
  'javascript:hacked=1',
  '" autofocus onfocus=hacked=1 x="',
  "' onmouseover='hacked=1",
  '<details open ontoggle=hacked=1>',
  '<math><mi xlink:href="javascript:hacked=1">',
  '<style>@import "//evil.example/x.css"</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:hacked=1">',
  '<base href=//evil.example/>',
  '<object data="data:text/html,<script>hacked=1</script>">',
  '{{constructor.constructor("hacked=1")()}}',
  '$' + '{hacked=1}',
  '&lt;script&gt;hacked=1&lt;/script&gt;',
];
const PAYLOADS = ENDS.flatMap((end) => ATTACKS.map((attack) => end + attack));

/** Everything that somebody can put in, filled with attacks. */
async function attack({ ask, owner }: Stage): Promise<void> {
  const headers = BROWSER;
  const hit = (body: object) => ask('POST', '/day', { body: { site: 'example.com', ...body }, headers });
  for (const [n, text] of PAYLOADS.entries()) {
    const word = encodeURIComponent(text);
    const url = `https://example.com/${word}?utm_source=${word}&utm_medium=${word}&utm_campaign=${word}`;
    // A visit has the tags with which it began.
    const visitor = { ...BROWSER, 'user-agent': `${BROWSER['user-agent']} ${n}` };
    const pageview = { site: 'example.com', url, referrer: `https://x${n}.example/${word}` };
    assert.equal((await ask('POST', '/day', { body: pageview, headers: visitor })).status, 202);
    await hit({ url: 'https://example.com/raw', event: n < 90 ? text : 'labelled', label: text });
  }
  await hit({ url: `https://example.com/${PAYLOADS[1]}` });
  for (const text of PAYLOADS.slice(0, 40)) {
    const note = await owner.ask('POST', '/sites/example.com/notes', { date: '2026-03-09', text });
    assert.equal(note.status, 201);
  }
  const steps = PAYLOADS.slice(40, 44).map((value) => ({ type: 'event', value }));
  for (const name of PAYLOADS.slice(0, 10).map((text) => text.slice(0, 100))) {
    assert.equal((await owner.ask('POST', '/sites/example.com/funnels', { name, steps })).status, 201);
  }
  for (const value of PAYLOADS.slice(60, 80)) {
    assert.equal((await owner.ask('POST', '/sites/example.com/goals', { type: 'event', value })).status, 201);
  }
  for (const domain of PAYLOADS) assert.equal((await owner.ask('POST', '/sites', { domain })).status, 422);
  assert.equal((await owner.ask('POST', '/tokens', { name: PAYLOADS[1], abilities: ['read'] })).status, 201);
}

/** Filters that may have any text. */
const FILTERS = ['event', 'browser', 'os', 'utm_source', 'utm_medium'];

const panel = (page: Page, title: string) =>
  page.locator('section.panel', { has: page.getByRole('heading', { level: 2, name: title, exact: true }) });

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page is walked through with everything on it
test('H11 200 attacks in all that is stored run nothing and read as they were typed', async (t) => {
  const stage = await serving(t, { flood: '0' });
  assert.equal(new Set(PAYLOADS).size, 200);
  await attack(stage);
  const { signIn, open, owner } = stage;
  const rowsOf = async (name: string, query = ''): Promise<string[]> =>
    (await owner.ask('GET', `/sites/example.com/stats/breakdown/${name}?limit=100${query}`)).body.data.rows.map(
      ({ value }: { value: string }) => value,
    );

  const page = await signIn(owner);
  const unhurt = async () => assert.equal(await page.evaluate('typeof hacked'), 'undefined');
  const tabs: [panel: string, tab: string, breakdown: string][] = [
    ['Pages', 'All', 'pages'],
    ['Pages', 'Entry', 'entry_pages'],
    ['Sources', 'Campaign', 'utm_campaign'],
    ['Events', 'Events', 'events'],
  ];
  await page.goto('/sites/example.com');
  for (const [title, tab, breakdown] of tabs) {
    const shown = panel(page, title);
    await shown.scrollIntoViewIfNeeded();
    await shown.getByRole('tab', { name: tab, exact: true }).click();
    await shown.getByRole('button', { name: /^Details/ }).click();
    const values = page.getByRole('dialog').locator('tbody .panel-value');
    const expected = await rowsOf(breakdown);
    await values.nth(expected.length - 1).waitFor();
    const trimmed = (texts: string[]) => texts.map((text) => text.trim());
    assert.deepEqual(trimmed(await values.allTextContents()), trimmed(expected), breakdown);
    await page.keyboard.press('Escape');
    await unhurt();
  }
  await drawn(page);
  await unhurt();
  // As filters, five at a time.
  for (let n = 0; n < 20; n += FILTERS.length) {
    const filters = Object.fromEntries(FILTERS.map((name, i) => [name, PAYLOADS[n + i] ?? '']));
    await page.goto(`/sites/example.com?${new URLSearchParams({ ...filters, range: '7d' })}`);
    const chips = page.getByRole('list', { name: 'Filters' });
    for (const text of Object.values(filters)) await chips.getByText(text).first().waitFor();
    await unhurt();
  }
  for (const part of ['notes', 'funnels', 'goals']) {
    await page.goto(`/sites/example.com/settings/${part}`);
    const kept = (await owner.ask('GET', `/sites/example.com/${part}`)).body.data as Record<string, string>[];
    const list = page.getByRole('group', { name: /^(Notes|Funnels|Goals)$/ });
    await list.locator('li').first().waitFor();
    const all = (await list.textContent()) ?? '';
    for (const { text, name, value } of kept) {
      const typed = text ?? name ?? value ?? '';
      assert.ok(all.includes(typed), typed);
    }
    await unhurt();
  }
  await page.goto('/account/tokens');
  await page
    .getByText(PAYLOADS[1] ?? '')
    .first()
    .waitFor();
  await unhurt();

  await owner.ask('PATCH', '/sites/example.com', { shared: true, public_live: true });
  const { share_url } = (await owner.ask('GET', '/sites/example.com')).body.data;
  const stranger = await open();
  await stranger.goto(share_url);
  await drawn(stranger);
  assert.equal(await stranger.evaluate('typeof hacked'), 'undefined');
});

test('H11 what stands in the address of a page runs nothing', async (t) => {
  const { signIn, open, owner } = await serving(t);
  const page = await signIn(owner);
  for (const text of PAYLOADS.filter((_, n) => n % 21 === 0)) {
    const word = encodeURIComponent(text);
    for (const path of [
      `/sites/${word}`,
      `/?sort=${word}`,
      `/sites/example.com?range=${word}&pages=${word}&x=${word}`,
    ]) {
      await page.goto(path);
      await page.locator('main').waitFor();
      assert.equal(await page.evaluate('typeof hacked'), 'undefined', path);
    }
  }
  const stranger = await open();
  await stranger.goto(`/sign-in?next=${encodeURIComponent('javascript:hacked=1')}`);
  assert.equal(await stranger.evaluate('typeof hacked'), 'undefined');
});
