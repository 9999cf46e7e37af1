import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { type Coded, coded } from '../../lang/coded.ts';
import { type Code, type Fields, invalid, Problem } from '../errors.ts';
import { readCoded } from './fault.ts';

export type Schema = v.GenericSchema;

/** In an object. Each wrong entry costs time and a message, so the entries of a longer list are not checked. */
export const LONGEST_LIST = 100;

const tooMany = (most: number): Coded => coded('too_many_entries', { most });

const UNREADABLE = coded('body_no_object');

/**
 * What a schema makes of a value; throws a 422 that names each wrong field once, with its first fault. Fields are named down to a
 * depth, so that of a parameter that is a list the parameter is named.
 */
export function checked<S extends Schema>(schema: S, value: unknown, depth = 10): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const fields = new Map<string, Coded>();
  for (const issue of result.issues) {
    const names = issue.path?.map((item) => String(item.key));
    const path = names?.slice(0, depth).join('.') ?? 'body';
    if (!fields.has(path)) fields.set(path, faultIn(issue, schema));
  }
  throw invalid(Object.fromEntries(fields) satisfies Fields);
}

function faultIn(issue: v.BaseIssue<unknown>, schema: Schema): Coded {
  if (issue.expected === 'never') {
    const known = 'entries' in schema && issue.path?.length === 1 ? Object.keys(schema.entries as object) : [];
    return known.length === 0 ? coded('not_known') : coded('not_known_of', { known: known.join(', ') });
  }
  return issue.input === undefined ? coded('required') : readCoded(issue.message);
}

/**
 * The parameters of a raw query string, each decoded once. One that comes twice, or whose escapes are broken, is
 * refused; names with brackets, such as filters[page], are names like any other. Those in `lists` have a list of all that is given.
 */
export function readQuery(raw: string): Record<string, string>;
export function readQuery(raw: string, lists: ReadonlySet<string>): Record<string, string | string[]>;
export function readQuery(raw: string, lists = NO_LISTS): Record<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const cut = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const name = decoded(pair.slice(0, cut), pair.slice(0, cut));
    const before = found.get(name);
    if (before !== undefined && !lists.has(name)) throw invalid({ [name]: coded('given_twice') });
    const value = decoded(pair.slice(cut + 1), name);
    if (Array.isArray(before)) before.push(value);
    else found.set(name, lists.has(name) ? [value] : value);
  }
  return Object.fromEntries(found);
}

const NO_LISTS: ReadonlySet<string> = new Set();

/** The names of an object's schema that take a list. */
export function listsIn(schema: Schema | undefined): Set<string> {
  const { entries = {} } = (schema ?? {}) as { entries?: Record<string, { type: string; wrapped?: Schema }> };
  const isList = ([, { type, wrapped }]: [string, { type: string; wrapped?: Schema }]) =>
    (wrapped?.type ?? type) === 'array';
  return new Set(Object.entries(entries).flatMap((entry) => (isList(entry) ? [entry[0]] : [])));
}

function decoded(part: string, name: string): string {
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
 * Reads a JSON object of at most `longest` bytes; a larger body is refused as too large, whatever it holds. `first` may refuse the
 * object before anything in it is looked at.
 */
export async function readObject(request: Request, longest: number, first = (_: object) => {}): Promise<object> {
  const value = await readJson(request, longest);
  // To valibot an array is an object too.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid({ body: UNREADABLE });
  first(value);
  for (const [name, list] of Object.entries(value)) {
    if (Array.isArray(list) && list.length > LONGEST_LIST) throw invalid({ [name]: tooMany(LONGEST_LIST) });
  }
  return value;
}

/** Reads a JSON list of at most `most` entries. A longer one is refused before any entry is checked. */
export async function readList(request: Request, longest: number, most: number): Promise<unknown[]> {
  const value = await readJson(request, longest);
  if (!Array.isArray(value)) throw invalid({ body: coded('body_no_list') });
  if (value.length > most) throw invalid({ body: tooMany(most) });
  return value;
}

/** What a body says that is sent as application/json; undefined where it is not, or is no JSON. */
export async function readJson(request: Request, longest: number): Promise<unknown> {
  const body = await readBody(request, longest);
  return hasType(request, 'application/json') ? parsed(body) : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Reads a body of at most `longest` bytes as text; a larger one is refused as soon as that is known. */
export async function readBody(request: Request, longest: number): Promise<string> {
  if (Number(request.headers.get('Content-Length') ?? 0) > longest) throw new Problem('payload_too_large');
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > longest) throw new Problem('payload_too_large');
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The sender went away in the middle; nobody will read this answer.
    throw new Problem('bad_request');
  }
  return textIn(Buffer.concat(chunks));
}

/**
 * Reads the text of a body from node's own stream, for the path of hits: the body of a web Request takes
 * longer than the rest of a hit.
 */
export function readMessage(incoming: IncomingMessage, longest: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (code: Code) => reject(new Problem(code));
    if (Number(incoming.headers['content-length'] ?? 0) > longest) refuse('payload_too_large');
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= longest) chunks.push(chunk);
      else refuse('payload_too_large');
    });
    incoming.on('end', () => {
      try {
        const [only = Buffer.alloc(0), ...more] = chunks;
        resolve(textIn(more.length === 0 ? only : Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
    incoming.on('error', () => refuse('bad_request'));
    // Every message ends with it, and an error costs as much as storing a hit.
    incoming.on('close', () => {
      if (!incoming.readableEnded) refuse('bad_request');
    });
  });
}

/** Reads the text of a body that is here already. */
export function takeMessage(bytes: Uint8Array, longest: number): string {
  if (bytes.length > longest) throw new Problem('payload_too_large');
  return textIn(bytes);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textIn(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid({ body: coded('no_utf8') });
  }
}
