import * as v from 'valibot';
import { Id, Time } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import * as sessions from '../store/people/sessions.ts';
import type { Call } from './route.ts';

export const Session = v.strictObject({
  id: Id,
  browser: v.string(),
  created_at: Time,
  used_at: Time,
  /** True for the session in which this request was sent. */
  current: v.boolean(),
});
export type Session = v.InferOutput<typeof Session>;

export const list = ({ db, caller, now }: Call): Session[] =>
  sessions.listSessions(db, caller.userId, now).map((session) => ({
    ...session,
    created_at: iso(session.created_at),
    used_at: iso(session.used_at),
    current: caller.by === 'session' && caller.id === session.id,
  }));

export const remove = ({ db, caller, id }: Call): void => sessions.removeSession(db, caller.userId, id);
