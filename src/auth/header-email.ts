// The e-mail address that a trusted proxy puts into a header, such as Remote-Email of Authelia or
// X-authentik-email of Authentik.
//
// Invariant: only a request that comes directly from a trusted proxy has such an e-mail address. Any other client could
// write the header itself, so its header is ignored. Upper and lower case do not matter in the name of the header, but
// `Remote_Email` is another header.
//
// Example: with `--auth-header Remote-Email --trusted-proxies 10.0.0.2`, a request from 10.0.0.2 with `Remote-Email:
// Kim@example.com` counts as a request from kim@example.com. identity.ts, forms/session.ts and forms/sign-in.ts call
// `readHeaderEmail`.

import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { type AddressList, unmapAddress } from '../lib/http/address.ts';
import { Email } from '../lib/http/fields.ts';

type Settings = { authHeader: string | undefined; trust: AddressList };

/** The parts of a request that identify its caller. */
export type Incoming = { headers: IncomingMessage['headers']; socket: { remoteAddress?: string | undefined } };

/**
 * Reads the e-mail address that a trusted proxy has sent. Returns undefined if the header is missing. Returns an empty
 * text if the header has no valid e-mail address, or two e-mail addresses. With an empty text, the caller counts as
 * signed out, even with a session.
 */
export function readHeaderEmail({ authHeader, trust }: Settings, { headers, socket }: Incoming): string | undefined {
  if (authHeader === undefined || !trust(unmapAddress(socket.remoteAddress ?? ''))) return undefined;
  const sent = headers[authHeader];
  if (sent === undefined || sent === '') return undefined;
  return v.is(Email, sent) ? v.parse(Email, sent) : '';
}
