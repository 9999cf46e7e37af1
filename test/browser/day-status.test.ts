import { test } from 'node:test';
import { DAY, formatDay } from '../../src/lib/time.ts';
import { addOutage } from '../../src/store/server/outages.ts';
import { TODAY } from '../collect/stage.ts';
import { look, serving } from './browser.ts';

test('the details of a day open from the chart, and name an outage of the day', async (t) => {
  const stage = await serving(t);
  const { signIn, viewer, db } = stage;
  await look(stage, { '/': 2 });
  const noon = TODAY * DAY + 10 * 3_600;
  db.write(() => addOutage(db, { from: noon, to: noon + 600, reason: 'down' }));
  const page = await signIn(viewer, '/sites/example.com');
  await page.getByRole('slider').focus();
  await page.keyboard.press('Enter');
  await page.getByText('How this day was counted').click();
  const details = page.getByRole('dialog');
  await details.getByText('The day is still in progress.').waitFor();
  await details.getByText(/^The server was not running from .* to/).waitFor();
});

test('what came after a note is compared beside it', async (t) => {
  const { signIn, manager, viewer } = await serving(t);
  const note = { date: formatDay((TODAY - 20) * DAY), text: 'A new front page' };
  await manager.ask('POST', '/sites/example.com/notes', note);
  const page = await signIn(viewer, '/sites/example.com/settings/notes');
  await page.getByText('Compare the two weeks before and after the note').click();
  await page.getByText('Not enough comparable days').waitFor();
});
