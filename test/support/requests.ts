import { Readable } from 'node:stream';
import * as v from 'valibot';
import type { Route } from '../../src/api/route.ts';
import { routes } from '../../src/api/routes.ts';

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the server says is what a test is about
  body: any;
};

export type Asking = {
  token?: string | undefined;
  /** Of somebody who is signed in, sent by a page of the server. */
  cookie?: string;
  /** The secret of a share link. */
  share?: string;
  body?: unknown;
  headers?: Record<string, string>;
  address?: string;
};

/** What a browser sends with a form of ours. */
export const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ({
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'sec-fetch-site': 'same-origin',
      ...headers,
    } as Record<string, string>,
  }) satisfies Asking;

/** The cookie that an answer sets, as browsers send it back. */
export const cookieOf = ({ headers }: Answer): string => headers.get('Set-Cookie')?.split(';')[0] ?? '';

/** A request as the app gets it from the server, with its bindings, but without a socket. */
export function requestOf({ token, cookie, share, body, headers = {}, address = '192.0.2.1' }: Asking) {
  const sent: Record<string, string> = {};
  if (token !== undefined) sent.authorization = `Bearer ${token}`;
  if (share !== undefined) sent.authorization = `Share ${share}`;
  if (cookie !== undefined) Object.assign(sent, { cookie, 'sec-fetch-site': 'same-origin' });
  if (body !== undefined) sent['content-type'] = 'application/json';
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const text = isRaw ? (body as string | Uint8Array<ArrayBuffer>) : body === undefined ? null : JSON.stringify(body);
  const stream = Readable.from(text === null ? [] : [Buffer.from(text)]);
  const incoming = Object.assign(stream, { headers: sent, socket: { remoteAddress: address } });
  return { request: { headers: sent, body: text }, bindings: { incoming } as never };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** The row of the table that a request goes to. */
function rowOf(method: string, path: string): Route {
  const row = routes.find((one) => {
    const pattern = new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return one.method === method && pattern.test(path.split('?')[0] ?? '');
  });
  if (!row) throw new Error(`no route for ${method} ${path}`);
  return row;
}

/** Takes `data` out of an answer after checking that it has exactly the shape which the table promises. */
export function dataOf(answer: Answer, method: string, path: string): Answer['body'] {
  const { answer: schema } = rowOf(method, path);
  if (!schema) throw new Error(`${method} ${path} promises no data`);
  return v.parse(schema, answer.body.data);
}
