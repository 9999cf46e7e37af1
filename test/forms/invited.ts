import assert from 'node:assert/strict';
import { findUser } from '../../src/store/people/users.ts';
import type { TestApp } from '../support/helpers.ts';
import type { Person } from '../support/people.ts';
import type { Answer } from '../support/requests.ts';

export const NEW = 'new@example.com';
export const STRANGER = 'stranger@example.com';
export const RIGHT = { password: `password of ${STRANGER}` };
export const WRONG = { password: 'not their password' };

/** Invites and gives the id of the member and the path of the link. */
export async function invited(by: Person, email: string, role = 'viewer'): Promise<{ id: number; path: string }> {
  const { status, body } = await by.ask('POST', '/team', { email, role });
  assert.equal(status, 201);
  return { id: body.data.id, path: new URL(body.data.invitation_url).pathname };
}

/** How the owner sees one person of the team. */
export async function seen(by: Person, email: string): Promise<Answer['body']> {
  const { body } = await by.ask('GET', '/team');
  return body.data.members.find((member: { email: string }) => member.email === email);
}

export const changes = ({ db }: TestApp): number => db.one<{ n: number }>('SELECT total_changes() AS n')?.n ?? -1;

/** The sites that somebody sees, with their role there. */
export async function sitesOf(app: TestApp, email: string): Promise<[string, string][]> {
  const user = findUser(app.db, email);
  assert.ok(user);
  const { body } = await app.ask('GET', '/api/v1/sites', { token: app.tokenOf(user, ['read']) });
  return body.data.map(({ domain, role }: { domain: string; role: string }) => [domain, role]);
}
