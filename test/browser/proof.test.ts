import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appCode, setUpApp } from '../forms/two-factors.ts';
import { passwordOf } from '../support/people.ts';
import { cookieOf } from '../support/requests.ts';
import { serving } from './browser.ts';

test('an open browser is asked who it is before a token is made, and then goes on with it', async (t) => {
  const { signIn, owner, clock } = await serving(t);
  const page = await signIn(owner);
  clock.pass(600);
  await page.goto('/account/tokens');
  await page.getByLabel('Name').fill('script');
  const make = page.getByRole('button', { name: 'Create token' });
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });

  await make.click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Confirm your identity first').waitFor();

  await make.click();
  assert.equal(await dialog.getByLabel('Code').count(), 0);
  await dialog.getByLabel('Password').fill('a wrong password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('This is not your current password.').waitFor();
  await dialog.getByLabel('Password').fill(passwordOf(owner));
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('group', { name: 'Your new token' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
});

test('with a second factor its code will do, and signing in asks for it', async (t) => {
  const stage = await serving(t);
  const { open, owner, clock, origin, ask } = stage;
  const body = { email: owner.email, password: passwordOf(owner) };
  const signedIn = await ask('POST', '/sign-in', { body, headers: { 'sec-fetch-site': 'same-origin' } });
  const { secret } = await setUpApp(stage, cookieOf(signedIn));
  const page = await open();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(passwordOf(owner));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill(appCode(secret, clock.now()));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${origin}/`);

  clock.pass(600);
  await page.goto('/account/team');
  await page.getByLabel('E-mail address').fill('new@example.com');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByLabel('Code').fill(appCode(secret, clock.now()));
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('group', { name: 'The invitation' }).waitFor();
});
