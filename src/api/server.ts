import * as v from 'valibot';
import { arrivalOf } from '../doctor/request.ts';
import type { Call } from './route.ts';

const FINDING = {
  fine: v.boolean(),
  says: v.string(),
  /** What to do where it is not fine. */
  remedy: v.optional(v.string()),
};

export const Server = v.strictObject({
  findings: v.array(v.strictObject({ name: v.string(), ...FINDING })),
  /** How the request that this answers came to the server. */
  request: v.strictObject({
    ...FINDING,
    sender: v.string(),
    visitor: v.string(),
    believed: v.boolean(),
    headers: v.array(v.strictObject({ name: v.string(), value: v.string() })),
  }),
});

export async function show({ api, incoming }: Call): Promise<v.InferOutput<typeof Server>> {
  // Read first: the client may be gone by the time that a mail server has answered.
  const request = arrivalOf(incoming, api.config);
  return { findings: await api.examine(), request };
}
