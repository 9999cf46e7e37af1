import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeIn, linkIn } from '../mail/inviting.ts';
import { type Mail, mailServer } from '../mail/server.ts';
import { until } from '../support/program.ts';
import { serving } from './browser.ts';

test('whoever opens the link of the dashboard types the code that is mailed, and comes as a guest', async (t) => {
  const server = await mailServer(t);
  const { signIn, open, owner, origin } = await serving(t, server.settings);
  const nth = async (n: number): Promise<Mail> => {
    await until(`mail ${n} is there`, () => server.mails.length >= n);
    return server.mails[n - 1] as Mail;
  };
  const page = await signIn(owner, '/account/team');
  await page.getByLabel('E-mail address').fill('guest@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const invitation = page.getByRole('group', { name: 'The invitation' });
  await invitation.getByText('daybook sends the code to their e-mail address').waitFor();
  const link = (await invitation.locator('code').textContent()) ?? '';
  assert.notEqual(linkIn(await nth(1)), link);

  const guest = await open();
  await guest.goto(link);
  const code = codeIn(await nth(2));
  await guest.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
  await guest.getByLabel('Password').fill('a password of the guest');
  await guest.getByRole('button', { name: 'Join' }).click();
  assert.match((await guest.getByRole('alert').textContent()) ?? '', /This is not the code/);
  await guest.getByLabel('Code').fill(code);
  await guest.getByLabel('Password').fill('a password of the guest');
  await guest.getByRole('button', { name: 'Join' }).click();
  await guest.waitForURL(`${origin}/`);

  await guest
    .getByRole('link', { name: /example\.com/ })
    .first()
    .waitFor();
  assert.equal(await guest.getByRole('button', { name: 'Add a site' }).count(), 0);
  await guest.goto('/account/team');
  await guest.getByText('Your plan does not include a team.').waitFor();
  assert.equal(await guest.getByRole('button', { name: 'Invite', exact: true }).count(), 0);
});

test('whoever changes the password may tick a box, and their tokens end', async (t) => {
  const { signIn, owner, origin } = await serving(t);
  const page = await signIn(owner, '/account/password');
  await page.getByRole('link', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill(`password of ${owner.email}`);
  await page.getByLabel(/^New password/).fill('another password');
  await page.getByLabel('Also revoke my access tokens').check();
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.waitForURL(`${origin}/account/sessions`);
  assert.equal((await owner.ask('GET', '/account')).status, 401);
});

test('team page: the owner invites a person to some sites, and changes the sites later', async (t) => {
  const { signIn, owner, site } = await serving(t);
  site(owner, 'other.example');
  const page = await signIn(owner, '/account/team');
  await page.getByLabel('E-mail address').fill('guest@example.com');
  await page.getByLabel('Sites').selectOption('Some sites');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('Must have at least one site.').waitFor();
  await page.getByLabel('other.example').check();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const people = page.getByRole('group', { name: 'People' });
  await people.getByText(/^Invited .* · other\.example$/).waitFor();

  await people.getByRole('button', { name: 'Edit guest@example.com' }).click();
  await people.getByLabel('example.com', { exact: true }).check();
  await people.getByRole('button', { name: 'Save' }).click();
  await people.getByText(/ · example\.com, other\.example$/).waitFor();
  await people.getByRole('button', { name: 'Edit guest@example.com' }).click();
  await people.getByLabel('Sites').selectOption('All sites, and sites added later');
  await people.getByRole('button', { name: 'Save' }).click();
  await people.getByText(/^Invited .* · All sites$/).waitFor();
});
