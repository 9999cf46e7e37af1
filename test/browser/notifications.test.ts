import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICES } from '../destinations/services.ts';
import { receiver } from '../mail/receiver.ts';
import { faults } from './axe.ts';
import { serving } from './browser.ts';
import { keyboardOn } from './keyboard.ts';

const PATH = '/sites/example.com/settings/notifications';
const PRIVATE = { 'channels-private': 'on' };

test('notifications: a manager adds a channel, sees that the test arrived, and pauses and removes it', async (t) => {
  const hook = await receiver(t, '');
  hook.state.status = 200;
  const stage = await serving(t, PRIVATE);
  const page = await stage.signIn(stage.manager, PATH);
  const form = page.getByRole('form', { name: 'Add notification channel' });
  await form.getByLabel('Kind').selectOption('ntfy');
  await form.getByLabel('Name').fill('My phone');
  await form.getByLabel('Topic').fill('bakery-7f3a');
  await form.getByLabel('Access token (optional)').fill('syt_secret-token');
  await form.getByLabel('Server (optional)').fill(hook.url);
  await form.getByLabel('Goals reached').check();
  await form.getByLabel('Monthly report').uncheck();
  await form.getByRole('button', { name: 'Add notification channel' }).click();
  await page.getByText('Last message accepted on').waitFor();
  assert.match(SERVICES.ntfy.check(hook.received[0] ?? assert.fail()).title, /^Test message about example\.com$/);
  const { body } = await stage.owner.ask('GET', '/sites/example.com/channels');
  assert.deepEqual(body.data[0].messages, ['weekly', 'traffic', 'silence', 'custom', 'goals', 'effects']);
  assert.deepEqual(await faults(page), []);
  const shown = await page.locator('body').innerText();
  for (const secret of ['bakery-7f3a', 'syt_secret']) assert.ok(!shown.includes(secret), secret);

  hook.state.status = 403;
  await page.getByRole('button', { name: 'Send test My phone' }).click();
  await page.getByText('access was denied (status 403). Check the token or the URL').waitFor();
  assert.deepEqual(await faults(page), []);
  await page.getByRole('button', { name: 'Pause My phone' }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume My phone' }).click();
  await page.getByText('paused', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByText('It will get no more messages.').waitFor();
  await page.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByText('No notification channels yet').waitFor();
});

test('notifications: an error stands at its field, and a change keeps the stored settings', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.owner, PATH);
  const form = page.getByRole('form', { name: 'Add notification channel' });
  await form.getByLabel('Kind').selectOption('gotify');
  await form.getByLabel('Name').fill('Phone');
  await form.getByLabel('Server').fill('https://192.168.1.7');
  await form.getByLabel('Token of the application').fill('x');
  await form.getByRole('button', { name: 'Add notification channel' }).click();
  await form.getByText('There is no 192.168.1.7 in the public internet').waitFor();
  assert.deepEqual(await faults(page), []);
  const settings = SERVICES.webhook.settings('https://hook.invalid');
  await stage.owner.ask('POST', '/sites/example.com/channels', { kind: 'webhook', name: 'Hook', settings });
  await page.reload();
  await page.getByRole('button', { name: 'Edit Hook' }).click();
  const change = page.getByRole('form', { name: 'Save' });
  await change.getByLabel('Name').fill('Other');
  await change.getByLabel('Language of the messages').selectOption('fr');
  assert.deepEqual(await faults(page), []);
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Other', { exact: true }).waitFor();
  const { body } = await stage.owner.ask('GET', '/sites/example.com/channels');
  assert.deepEqual([body.data[0].language, body.data[0].place], ['fr', 'hook.invalid']);
  assert.equal(stage.db.one<{ n: number }>('SELECT count(*) AS n FROM destination_secret')?.n, 1);
});

test('notifications: a viewer sees the channels and can change nothing', async (t) => {
  const stage = await serving(t);
  const settings = { url: 'https://hooks.slack.com/services/T0/B0/x' };
  await stage.owner.ask('POST', '/sites/example.com/channels', { kind: 'slack', name: 'Team', settings });
  const page = await stage.signIn(stage.viewer, PATH);
  await page.getByText('hooks.slack.com · Weekly report').waitFor();
  assert.equal(await page.getByRole('form').count(), 0);
  assert.equal(await page.getByRole('button', { name: /Team/ }).count(), 0);
  assert.equal(await page.getByLabel('Weekly report').isDisabled(), true);
});

test('notifications: by keyboard alone, on a phone in German', async (t) => {
  const hook = await receiver(t, '');
  const stage = await serving(t, PRIVATE);
  const phone = { locale: 'de-DE', viewport: { width: 360, height: 720 }, colorScheme: 'dark' } as const;
  const page = await stage.signIn(stage.owner, PATH, phone);
  const { type, use } = keyboardOn(page);
  const form = page.getByRole('form', { name: 'Benachrichtigungskanal hinzufügen' });
  await type('textbox', /^Name/, 'Team', form);
  await type('textbox', /^Webhook-URL/, SERVICES.slack.settings(hook.url).url, form);
  const accepted = page.getByText('Letzte Nachricht angenommen am');
  await use('button', 'Benachrichtigungskanal hinzufügen', accepted, { within: form });
  await use('button', 'Team: Pausieren', page.getByText('pausiert', { exact: true }));
  assert.deepEqual(await faults(page), []);
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.equal(width, 360, 'nothing is wider than the screen');
});

test('notifications: a manager adds a custom alert with a filter, and removes it', async (t) => {
  const stage = await serving(t);
  await stage.owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/thanks' });
  const page = await stage.signIn(stage.manager, PATH);
  const form = page.getByRole('form', { name: 'Add custom alert' });
  await form.getByLabel('Name').fill('Few orders');
  await form.getByLabel('Metric').selectOption('conversions');
  await form.getByRole('button', { name: 'Add custom alert' }).click();
  await form.getByText('This is required.').waitFor();
  await form.getByLabel('Limit').fill('3');
  await form.getByLabel('Only some visits').check();
  await form.getByLabel('Value').fill('DE');
  assert.deepEqual(await faults(page), []);
  await form.getByRole('button', { name: 'Add custom alert' }).click();
  await page.getByText('Conversions (Page /thanks) below 3 · Country is Germany').waitFor();
  const { body } = await stage.owner.ask('GET', '/sites/example.com/alerts');
  const [{ metric, goal_id, condition, threshold, filters }] = body.data;
  assert.deepEqual(
    { metric, goal_id, condition, threshold, filters },
    { metric: 'conversions', goal_id: 1, condition: 'below', threshold: 3, filters: { country: { is: ['DE'] } } },
  );
  await page.getByRole('button', { name: 'Remove Few orders' }).click();
  await page.getByRole('button', { name: 'Remove Few orders' }).click();
  await page.getByText('No custom alerts yet').waitFor();
});
