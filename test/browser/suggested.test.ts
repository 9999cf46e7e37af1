import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, dayOf } from '../../src/lib/time.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { serving } from './browser.ts';

test('a day that stands out is offered to be set aside, and is marked in the chart once it is', async (t) => {
  const { db, siteId, signIn, manager, viewer } = await serving(t);
  let visitor = 0;
  const visits = (count: number, day: number, country: string) =>
    Array.from({ length: count }, (_, i) =>
      pageview({ siteId, day, country, visitor: ++visitor, page: `/${i % 5}`, second: 36_000 + i * 60 }),
    );
  const usual = Array.from({ length: 43 }, (_, back) => ['DE', 'FR', 'US'].flatMap((c) => visits(10, TODAY - back, c)));
  const wave = TODAY - 3;
  await append(db, [...usual.flat(), ...visits(100, wave, 'XX')]);

  const asViewer = await signIn(viewer, '/sites/example.com');
  await asViewer.getByRole('slider').waitFor();

  const page = await signIn(manager, '/sites/example.com');
  const offer = page.getByRole('region', { name: 'A suggestion' });
  await offer.getByText('Country is XX').waitFor();
  // One line, until it is opened.
  assert.equal(await offer.getByRole('button', { name: 'No' }).isVisible(), false);
  await offer.getByText('look alike').click();
  await offer.getByRole('img', { name: /100 would go/ }).waitFor();
  assert.match((await offer.textContent()) ?? '', /^100 visits of .* look alike/);
  assert.equal(await asViewer.getByRole('region', { name: 'A suggestion' }).count(), 0);

  await offer.getByRole('button', { name: 'Set them aside' }).click();
  const mark = page.getByRole('link', { name: /100 visits set aside \(Country is XX\)/ });
  await mark.waitFor();
  const [{ from, to, filters }] = (await manager.ask('GET', '/sites/example.com/exclusions')).body.data;
  assert.deepEqual(
    { from, to, filters },
    { from: dayOf(wave * DAY), to: dayOf(wave * DAY), filters: { country: 'XX' } },
  );
  await mark.click();
  await page.getByRole('button', { name: 'Put back Country is XX' }).waitFor();
});

test('a No is not asked again', async (t) => {
  const { db, siteId, signIn, manager } = await serving(t);
  let visitor = 0;
  const visits = (count: number, day: number, country: string) =>
    Array.from({ length: count }, (_, i) =>
      pageview({ siteId, day, country, visitor: ++visitor, page: '/', second: 36_000 + i * 60 }),
    );
  const usual = Array.from({ length: 43 }, (_, back) => visits(30, TODAY - back, back % 2 ? 'DE' : 'FR'));
  await append(db, [...usual.flat(), ...visits(100, TODAY - 3, 'XX')]);
  const page = await signIn(manager, '/sites/example.com');
  const offer = page.getByRole('region', { name: 'A suggestion' });
  await offer.getByText('look alike').click();
  await offer.getByRole('button', { name: 'No' }).click();
  await offer.waitFor({ state: 'detached' });
  const asked = page.waitForResponse(/suggestions/);
  await page.reload();
  await (await asked).finished();
  await page.getByRole('slider').waitFor();
  assert.equal(await offer.count(), 0);
});
