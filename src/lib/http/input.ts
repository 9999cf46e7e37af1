// Reads what a client sends: query strings, JSON bodies and the text of messages. Each function checks the limits
// first, and then the content.
//
// Invariant: input is never read beyond its limit, and wrong input gets a 4xx that names the field. A body that is too
// large is refused as soon as its size is known.
//
// Example: `readQuery('page=%2Fa&page=%2Fb')` throws a 422 with `page: given_twice`. If the caller allows several
// values of `page`, the result is `{ page: ['/a', '/b'] }`. src/api and src/forms read requests with these functions,
// and collect/mount.ts reads messages.

import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { type Coded, coded } from '../../lang/coded.ts';
import { type ErrorCode, type Fields, invalid, Problem } from '../errors.ts';
import { readCoded } from './fault.ts';

export type Schema = v.GenericSchema;

/**
 * The most entries that a list inside a body may have, and the most fields of an object inside a body. A longer list or
 * object is refused before its entries are checked. Otherwise, each wrong entry would add a message to the answer.
 */
export const LONGEST_LIST = 100;

/**
 * The most different names of parameters in a query string. While the server reads a query string with 4,000 names, it
 * accepts no hits for 40 ms. Anybody can send such a query string, even without a token.
 */
const MOST_NAMES = 200;

const describeTooMany = (most: number): Coded => coded('too_many_entries', { most });

const UNREADABLE = coded('body_no_object');

/**
 * Checks a value by a schema. Throws a 422 with the first fault of each wrong field, for at most 50 fields. `depth`
 * limits how exactly the field is named. With `depth` 1, a fault in `steps.0.value` is reported as `steps`.
 */
export function checked<S extends Schema>(schema: S, value: unknown, depth = 10): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const fields = new Map<string, Coded>();
  for (const issue of result.issues) {
    if (fields.size === MOST_FAULTS) break;
    const names = issue.path?.map((item) => String(item.key));
    const path = names?.slice(0, depth).join('.') ?? 'body';
    if (!fields.has(path)) fields.set(path, readFault(issue, schema));
  }
  throw invalid(Object.fromEntries(fields) satisfies Fields);
}

/** The most faults in an answer. A body of 64 kB may have 6,000 faults. An answer with all of them has 640 kB. */
const MOST_FAULTS = 50;

function readFault(issue: v.BaseIssue<unknown>, schema: Schema): Coded {
  if (issue.expected === 'never') {
    const known = 'entries' in schema && issue.path?.length === 1 ? Object.keys(schema.entries as object) : [];
    return known.length === 0 ? coded('not_known') : coded('not_known_of', { known: known.join(', ') });
  }
  return issue.input === undefined ? coded('required') : readCoded(issue.message);
}

/**
 * Reads the parameters of a query string. Brackets are part of the name, as in filters[page]. If `isList` is true for a
 * name, this parameter may come several times, and the result has a list of its values. Otherwise a parameter that
 * comes twice is refused. A broken escape is refused, and so are more than 200 different names.
 */
export function readQuery(raw: string): Record<string, string>;
export function readQuery(raw: string, isList: (name: string) => boolean): Record<string, string | string[]>;
export function readQuery(raw: string, isList = (_: string) => false): Record<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const cut = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const name = decodePart(pair.slice(0, cut), pair.slice(0, cut));
    const before = found.get(name);
    if (before !== undefined && !isList(name)) throw invalid({ [name]: coded('given_twice') });
    if (before === undefined && found.size >= MOST_NAMES) {
      throw invalid({ [name]: coded('too_many_parameters', { most: MOST_NAMES }) });
    }
    const value = decodePart(pair.slice(cut + 1), name);
    if (Array.isArray(before)) before.push(value);
    else found.set(name, isList(name) ? [value] : value);
  }
  return Object.fromEntries(found);
}

export function findLists(schema: Schema | undefined): Set<string> {
  const { entries = {} } = (schema ?? {}) as { entries?: Record<string, { type: string; wrapped?: Schema }> };
  const isList = ([, { type, wrapped }]: [string, { type: string; wrapped?: Schema }]) =>
    (wrapped?.type ?? type) === 'array';
  return new Set(Object.entries(entries).flatMap((entry) => (isList(entry) ? [entry[0]] : [])));
}

function decodePart(part: string, name: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw invalid({ [name]: coded('broken_escape') });
  }
}

export const isForm = (request: Request): boolean => hasType(request, 'application/x-www-form-urlencoded');

const hasType = (request: Request, type: string): boolean =>
  (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() === type;

/**
 * Field names that no object inside a body may have. The schema of filters would drop a filter with such a name,
 * without an error. Then an exclusion would leave out more visits than its request says.
 */
const UNSEEN = ['__proto__', 'constructor', 'prototype'];

/**
 * Reads a JSON object of at most `longest` bytes. `first` gets the object before its fields are checked. `first` may
 * throw, for example if the object has a field that only an owner may send.
 */
export async function readObject(request: Request, longest: number, first = (_: object) => {}): Promise<object> {
  const value = await readJson(request, longest);
  // An array is refused here, because valibot would accept it as an object.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid({ body: UNREADABLE });
  first(value);
  for (const [name, part] of Object.entries(value)) {
    assertShort(name, part);
    assertSeen(name, part);
    if (!Array.isArray(part)) continue;
    for (const [i, entry] of part.entries()) {
      assertShort(`${name}.${i}`, entry);
      assertSeen(`${name}.${i}`, entry);
    }
  }
  return value;
}

function assertShort(name: string, part: unknown): void {
  const length = typeof part === 'object' && part !== null ? Object.keys(part).length : 0;
  if (length > LONGEST_LIST) throw invalid({ [name]: describeTooMany(LONGEST_LIST) });
}

function assertSeen(name: string, part: unknown): void {
  const unseen = UNSEEN.find((key) => typeof part === 'object' && part !== null && Object.hasOwn(part, key));
  if (unseen) throw invalid({ [`${name}.${unseen}`]: coded('not_known') });
}

/** Reads a JSON list of at most `most` entries. A longer list is refused before any entry is checked. */
export async function readList(request: Request, longest: number, most: number): Promise<unknown[]> {
  const value = await readJson(request, longest);
  if (!Array.isArray(value)) throw invalid({ body: coded('body_no_list') });
  if (value.length > most) throw invalid({ body: describeTooMany(most) });
  return value;
}

/** Reads a JSON body. Returns undefined if the body has another content type or is not valid JSON. */
export async function readJson(request: Request, longest: number): Promise<unknown> {
  const body = await readBody(request, longest);
  return hasType(request, 'application/json') ? parseJson(body) : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const BYTES_TYPE = 'application/octet-stream';

/**
 * Reads a part of an uploaded file. Its content type must be application/octet-stream. A page of another website cannot
 * send this content type with a cookie: the browser asks the server first, and the server allows no cookies.
 */
export async function readBytes(request: Request, longest: number): Promise<Uint8Array> {
  if (!hasType(request, BYTES_TYPE)) throw invalid({ body: coded('no_bytes') });
  return await readWhole(request, longest);
}

export const readBody = async (request: Request, longest: number): Promise<string> =>
  decodeText(await readWhole(request, longest));

/** Reads a whole body. A body of more than `longest` bytes is refused as soon as its size is known. */
async function readWhole(request: Request, longest: number): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length') ?? 0) > longest) throw new Problem('payload_too_large');
  const bytes = collectBytes();
  try {
    for await (const chunk of request.body ?? []) {
      if (bytes.add(chunk) > longest) throw new Problem('payload_too_large');
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The client closed the connection before the end of the body. Nobody reads this answer, but the error ends the
    // work for the request.
    throw new Problem('bad_request');
  }
  return bytes.whole();
}

/**
 * Collects the bytes of a body. A client may send each byte as a chunk of its own. A chunk takes more than 100 bytes of
 * memory. So 100 chunks are copied into one.
 */
function collectBytes() {
  const copied: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let length = 0;
  return {
    /** Adds a chunk, and returns the number of bytes so far. */
    add(chunk: Uint8Array): number {
      if (chunks.length === MOST_CHUNKS) {
        copied.push(Buffer.concat(chunks));
        chunks = [];
      }
      chunks.push(chunk);
      length += chunk.length;
      return length;
    },
    /** Returns the whole body. A body that came in one chunk is not copied. */
    whole: (): Uint8Array => (length === chunks[0]?.length ? chunks[0] : Buffer.concat([...copied, ...chunks])),
  };
}

const MOST_CHUNKS = 100;

/**
 * Reads the body of a message, such as a hit, from the stream of Node. Reading it from a web Request would take longer
 * than all other work for a hit.
 */
export function readMessage(incoming: IncomingMessage, longest: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (code: ErrorCode) => reject(new Problem(code));
    if (Number(incoming.headers['content-length'] ?? 0) > longest) refuse('payload_too_large');
    const bytes = collectBytes();
    let isTooLong = false;
    incoming.on('data', (chunk: Buffer) => {
      if (isTooLong) return;
      isTooLong = bytes.add(chunk) > longest;
      if (isTooLong) refuse('payload_too_large');
    });
    incoming.on('end', () => {
      try {
        resolve(decodeText(bytes.whole()));
      } catch (error) {
        reject(error);
      }
    });
    incoming.on('error', () => refuse('bad_request'));
    // The event `close` also follows each complete message. Making an error takes as long as storing a hit. So an error
    // is made only for an incomplete body.
    incoming.on('close', () => {
      if (!incoming.readableEnded) refuse('bad_request');
    });
  });
}

export function takeMessage(bytes: Uint8Array, longest: number): string {
  if (bytes.length > longest) throw new Problem('payload_too_large');
  return decodeText(bytes);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid({ body: coded('no_utf8') });
  }
}
