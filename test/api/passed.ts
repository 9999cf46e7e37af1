import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { CHROME, GERMAN, GPTBOT } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { type Answer, type Asking, dataOf } from '../support/requests.ts';

export const HIT = { url: 'https://example.com/', ip: GERMAN, agent: CHROME };
export const CRAWL = { url: 'https://example.com/', agent: GPTBOT };

/** An application, and the server of a site that passes on what it saw. */
export async function stage(t: TestContext) {
  const app = await startApp(t);
  const token = app.tokenOf(app.owner, ['collect']);
  const pass =
    (noun: string) =>
    (body: unknown, asking: Asking = {}) =>
      app.ask('POST', `/api/v1/sites/example.com/${noun}`, { token, body, ...asking });
  return { ...app, passHits: pass('hits'), passCrawls: pass('crawls') };
}

/** How many were accepted and dropped, by an answer in the promised shape. */
export function outcomeOf(answer: Answer): [accepted: number, dropped: number] {
  assert.equal(answer.status, 202, answer.text);
  const { accepted, dropped } = dataOf(answer, 'POST', '/sites/1/hits');
  return [accepted, dropped];
}

export function fieldsOf({ status, body }: Answer): string[] {
  assert.deepEqual([status, body.error?.code], [422, 'invalid_request']);
  return Object.keys(body.error.fields);
}
