import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { passwordOf } from '../support/people.ts';
import { form } from '../support/requests.ts';
import { type Stage, serving } from './browser.ts';

/** A device in the browser that makes passkeys, and knows its owner by their finger. */
async function addAuthenticator(page: Page, hasUserVerification = true): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  });
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto('/factors');
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
}

async function signOut(page: Page, { origin }: Stage): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${origin}/sign-in`);
}

test('a passkey is made, signs in alone and after a password, and is removed', async (t) => {
  const stage = await serving(t, {}, 'localhost');
  const { signIn, owner, origin } = stage;
  const page = await signIn(owner);
  await addAuthenticator(page);
  await addPasskey(page);
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByText('Laptop', { exact: true }).waitFor();

  const withPasskey = page.getByRole('button', { name: 'Use a passkey' });
  await signOut(page, stage);
  await withPasskey.click();
  await page.waitForURL(`${origin}/`);

  await signOut(page, stage);
  await page.goto('/sign-in?next=/account/team');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(passwordOf(owner));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await withPasskey.click();
  await page.waitForURL(`${origin}/account/team`);

  await page.goto('/factors');
  await page.getByText('Remove …').click();
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByText('You sign in with your password only.').waitFor();
  await signOut(page, stage);
  await withPasskey.click();
  await page.getByText('This passkey does not work here').waitFor();
});

test('a passkey that cannot be added or used is an error, and a closed dialog is none', async (t) => {
  const stage = await serving(t, {}, 'localhost');
  const page = await stage.signIn(stage.owner);
  await addAuthenticator(page);
  await addPasskey(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await addPasskey(page);
  const alert = page.getByRole('alert');
  await alert.getByText('The passkey could not be added. This device may already have one for your account.').waitFor();

  /** Lets the browser's dialog end with an error, and waits until the script has seen the error. */
  const fail = async (name: string) => {
    await page.evaluate(`navigator.credentials.get = () => Promise.reject(new DOMException('', '${name}'))`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
  };
  await signOut(page, stage);
  await fail('SecurityError');
  await alert.getByText('The passkey could not be used. Sign in another way.').waitFor();
  for (const name of ['NotAllowedError', 'AbortError']) {
    await fail(name);
    assert.equal(await alert.count(), 0, name);
  }
});

test('a device that asks for no finger or PIN is refused, even where its owner has changed the page', async (t) => {
  const stage = await serving(t, {}, 'localhost');
  const page = await stage.signIn(stage.owner);
  await addAuthenticator(page, false);
  await page.route('**/assets/passkey-*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll('userVerification:"required"', 'userVerification:"discouraged"');
    await route.fulfill({ response: answer, body });
  });
  await addPasskey(page);
  await page.getByText('This passkey does not work here').waitFor();
  // A script that is still being changed when its page closes would fail whichever test runs then.
  await page.unrouteAll({ behavior: 'wait' });
});

test('what a passkey has signed counts once, and not for a challenge of somebody else', async (t) => {
  const stage = await serving(t, {}, 'localhost');
  const { owner, origin, ask, db, clock } = stage;
  const page = await stage.signIn(owner);
  await addAuthenticator(page);
  await addPasskey(page);
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await signOut(page, stage);
  const sent: string[] = [];
  page.on('request', (request) => {
    const data = new URL(request.url()).pathname === '/sign-in' ? request.postData() : null;
    if (data !== null) sent.push(data);
  });
  const sign = async () => {
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${origin}/`);
    return new URLSearchParams(sent.at(-1)).get('passkey') ?? '';
  };
  const status = async (passkey: string) => (await ask('POST', '/sign-in', form({ passkey, next: '/' }))).status;
  const used = await sign();
  assert.match(used, /"signature":"[\w-]+"/);
  // As of a device that does not count.
  db.run('UPDATE factor SET used = 0');
  assert.equal(await status(used), 422, 'a second time');
  clock.pass(600);
  assert.equal(await status(used), 422, 'too late');
  for (const broken of ['', '{}', 'null', used.replace('"signature":"', '"signature":"AA')])
    assert.equal(await status(broken), 422, broken);
});

test('where browsers have no passkeys nobody is offered one', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.owner, '/factors');
  assert.equal(await page.getByRole('link', { name: 'Add a passkey' }).count(), 0);
  assert.doesNotMatch((await stage.ask('GET', '/sign-in')).text, /passkey|<script/);
  assert.equal((await stage.ask('POST', '/sign-in', form({ passkey: '{}', next: '/' }))).status, 404);
});
