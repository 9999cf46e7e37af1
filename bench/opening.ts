// How long a site's page takes to open in Chromium, with an empty cache: until it can be used, and until it shows its figures.
// `npm run build && node bench/opening.ts [LOADS]`. Needs Debian's chromium-headless-shell, as the tests do: it draws no window, which
// costs more than the page on a machine without a graphics card. The site is the demo's, with two years of hits.
//
//   usable: 151 ms     the headline is there and the buttons of the range react
//   figures: 307 ms    the six figures and the chart are there
//
// Each load has a browser context of its own, so nothing is cached. The first load is not counted. The middle of all loads counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const LOADS = Number(process.argv[2] ?? 9);
const SITE = 'bakery.example';

/**
 * Runs in the page, and notes when the things appear that people wait for. A thing counts when a frame with it was
 * drawn, because people see only frames.
 */
const WATCH = `(() => {
  const seen = {};
  const look = () => {
    if (document.querySelector('main h1') && document.querySelector('.range-picker-button')) seen.usable ??= performance.now();
    if (document.querySelector('.figure-value') && document.querySelector('.plot-now')) seen.figures ??= performance.now();
    if (seen.figures === undefined) requestAnimationFrame(look);
  };
  window.seen = seen;
  requestAnimationFrame(look);
})()`;

/** A drawing is noted in the frame after it. */
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

const demo = spawn(process.execPath, ['dist/daybook.mjs', 'demo', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let link = '';
for await (const line of createInterface({ input: demo.stdout })) {
  link = /http:\S+/.exec(line)?.[0] ?? '';
  if (link !== '') break;
}
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-background-networking'],
});
try {
  const first = await browser.newContext();
  await (await first.newPage()).goto(link);
  const storageState = await first.storageState();
  const loads: Record<'usable' | 'figures', number>[] = [];
  for (let load = 0; load <= LOADS; load++) {
    const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    await page.goto(`${new URL(link).origin}/sites/${SITE}`);
    await page.locator('.plot-now').first().waitFor();
    await page.evaluate(TWO_FRAMES);
    loads.push((await page.evaluate('window.seen')) as (typeof loads)[number]);
    await context.close();
  }
  for (const name of ['usable', 'figures'] as const) {
    const sorted = loads
      .slice(1)
      .map((load) => load[name])
      .sort((one, other) => one - other);
    console.log(
      `${name}: ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms (${sorted.map(Math.round).join(', ')})`,
    );
  }
} finally {
  await browser.close();
  demo.kill();
  await once(demo, 'exit');
}
