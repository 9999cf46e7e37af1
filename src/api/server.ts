import * as v from 'valibot';
import { describeArrival } from '../doctor/request.ts';
import { TextCodes } from './notices.ts';
import type { Call } from './route.ts';

const FINDING = {
  fine: v.boolean(),
  says: v.string(),
  says_codes: v.optional(TextCodes),
  remedy: v.optional(v.string()),
  remedy_codes: v.optional(TextCodes),
};

export const Finding = v.strictObject({ name: v.string(), ...FINDING });
export type Finding = v.InferOutput<typeof Finding>;

/**
 * Describes how this request reached the server. `sender` is the IP address of the connection. `visitor` is the IP
 * address that a hit would be counted for. `believed` says whether `visitor` came from the header X-Forwarded-For.
 */
export const Arrival = v.strictObject({
  ...FINDING,
  sender: v.string(),
  visitor: v.string(),
  believed: v.boolean(),
  headers: v.array(v.strictObject({ name: v.string(), value: v.string() })),
});
export type Arrival = v.InferOutput<typeof Arrival>;

export const Server = v.strictObject({ findings: v.array(Finding), request: Arrival });
export type Server = v.InferOutput<typeof Server>;

export async function show({ api, incoming }: Call): Promise<Server> {
  // The request must be described first. The checks take seconds, and afterwards the connection may be closed.
  const request = describeArrival(incoming, api.config);
  return { findings: await api.examine(), request };
}
