// The pictures in README: `npm run pictures` starts the demo and takes them with Debian's Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const SITE = '/sites/bakery.example';
const SIZE = { width: 1280, height: 1000 };

const demo = spawn(process.execPath, ['dist/daybook.mjs', 'demo', '--port', '8377'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  let link = '';
  for await (const line of createInterface(demo.stdout)) {
    link = /^open (\S+)/.exec(line)?.[1] ?? link;
    if (line.startsWith('listening')) break;
  }
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await (await browser.newContext({ colorScheme, viewport: SIZE, locale: 'en-GB' })).newPage();
    await page.goto(link);
    await page.goto(new URL(SITE, link).href);
    await page.locator('section.panel ol li').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(import.meta.dirname, `dashboard-${colorScheme}.png`) });
  }
  await browser.close();
} finally {
  demo.kill();
  await once(demo, 'exit');
}
