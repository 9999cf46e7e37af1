import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../support/program.ts';
import { look, serving } from './browser.ts';

/** Another website with one page. Browsers ask before a page of the internet may show one of this machine. */
async function serveElsewhere(t: TestContext, html: () => string): Promise<string> {
  const server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(html()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://wiki.example:${(server.address() as AddressInfo).port}`;
}

test('a frame on another website is as high as the reports in it', async (t) => {
  const stage = await serving(t);
  const { signIn, owner, siteId, share, open } = stage;
  await look(stage, { '/': 3 });
  await share(owner, siteId);
  let snippet = '';
  const origin = await serveElsewhere(t, () => `<!doctype html><body>${snippet}`);
  await owner.ask('POST', `/sites/${siteId}/embeds`, { origin });
  const settings = await signIn(owner, '/sites/example.com/settings/sharing');
  snippet = (await settings.locator('code', { hasText: '<iframe' }).textContent()) ?? '';

  const page = await open({}, { isElsewhere: true });
  await page.goto(origin);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { name: 'example.com' }).waitFor();
  // All panels are in sight once the frame has grown, and so they load.
  await page.waitForFunction("document.querySelector('iframe').offsetHeight > 1500");
  const overflow = () => frame.locator('html').evaluate((root) => root.scrollHeight - root.clientHeight);
  await until('the frame does not scroll', async () => (await overflow()) <= 1);
});
