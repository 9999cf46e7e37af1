import assert from 'node:assert/strict';
import type { TestApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';

export const OWNER = 'owner@example.com';
export const RIGHT = { email: OWNER, password: passwordOf({ email: OWNER }) };

/** Sends the form as a program does. */
export const send = (app: TestApp, body: unknown, address = '192.0.2.1') =>
  app.ask('POST', '/sign-in', { body, headers: { 'sec-fetch-site': 'same-origin' }, address });

export const isSignedIn = async (app: TestApp, cookie: string): Promise<boolean> => {
  const { status } = await app.ask('GET', '/api/v1/account', { cookie });
  // The page and the API never say different things.
  const page = await app.ask('GET', '/account', { cookie });
  assert.deepEqual([status, page.status], status === 200 ? [200, 200] : [401, 303]);
  return status === 200;
};
