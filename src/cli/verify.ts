// The command `daybook verify` checks receipts, and compares an export with them. A receipt is a signed record of the
// figures of a sealed day.
//
// The command needs no database file and starts no server. Anybody can run it on saved receipts, or on the receipts of
// a server elsewhere.
//
// Example: `daybook verify receipts.json --export hits.ndjson` prints a line for each day, such as "2026-10-12 passed".
// The exit code is 1 if a check fails. docs/receipts.md describes what is checked.

import { createReadStream, readFileSync } from 'node:fs';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { type CheckedChain, checkChain } from '../receipts/check-chain.ts';
import { NODE_CRYPTO } from '../receipts/node-crypto.ts';
import { digestExport, type ReadExport, UnreadableExport } from '../receipts/read-export.ts';
import { readPage, readReceipts } from '../receipts/read-receipts.ts';
import { KeyList } from '../receipts/receipt.ts';
import { type DayReport, reportDays } from '../receipts/report.ts';
import { type Command, type Invocation, validated } from './command.ts';

async function verify({ args, flags, io }: Invocation): Promise<void> {
  const [source = ''] = args;
  const isUrl = /^https?:\/\//.test(source);
  const receipts = isUrl ? await fetchReceipts(source, flags) : readFile(source);
  const chain = await checkChain(NODE_CRYPTO, receipts, { key: flags.key, hash: flags.hash });
  const hits = flags.export === undefined ? undefined : await readHits(flags.export);
  const report = reportDays(chain, hits);
  for (const day of report.days) for (const line of describeDay(day)) io.print(line);
  for (const fault of report.faults) io.print(`FAILS: ${inEnglish(fault)}`);
  const unpublished = isUrl ? await listUnpublished(source, chain.keys) : [];
  for (const key of unpublished) io.print(`FAILS: the server does not publish the key ${key}`);
  if (report.unsigned.length > 0)
    io.print(`without a receipt: ${plural(report.unsigned.length, 'day')} of the export, from ${report.unsigned[0]}`);
  for (const line of summarize(chain, report.days)) io.print(line);
  if (!report.holds || unpublished.length > 0) throw new Refusal('some checks failed, see above');
}

function describeDay({ date, receipt, receipts, faults, compared }: DayReport): string[] {
  if (faults.length > 0) return faults.map((fault) => `${date} FAILS: ${inEnglish(fault)}`);
  const { visitors, visits, pageviews, events } = receipt.figures;
  const figures = `${plural(visitors, 'visitor')}, ${plural(visits, 'visit')}, ${plural(pageviews, 'pageview')}, ${plural(events, 'event')}`;
  const changes = receipts > 1 ? `, ${plural(receipts, 'receipt')}, last reason: ${receipt.reason}` : '';
  const kind = { hits: compared ? ', equal to the export' : '', sums: ', only daily totals', none: ', removed' };
  return [`${date} passed: ${figures}${kind[receipt.kind]}${changes}`];
}

function summarize({ receipts, keys, last }: CheckedChain, days: readonly DayReport[]): string[] {
  const fine = days.filter(({ faults }) => faults.length === 0).length;
  const site = receipts.at(-1)?.receipt?.site;
  return [
    `${site ?? 'nothing'}: ${plural(receipts.length, 'receipt')}, ${fine} of ${plural(days.length, 'day')} passed`,
    ...keys.map((key) => `signed with key ${key}`),
    ...(last === undefined || last === '' ? [] : [`last receipt: ${receipts.length}, hash ${last}`]),
  ];
}

function readFile(path: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new Refusal(`${path}: ${(error as Error).message}`);
  }
  const receipts = readReceipts(text);
  if (!receipts)
    throw new Refusal(`${path}: this file has no receipts. Save the answer of the API, or use daybook receipts export`);
  return receipts;
}

async function readHits(path: string): Promise<ReadExport> {
  try {
    return await digestExport(NODE_CRYPTO, createReadStream(path, 'utf8'));
  } catch (error) {
    const isUnreadable = error instanceof UnreadableExport;
    const remedy = isUnreadable ? '. Use daybook export --format ndjson or csv' : '';
    throw new Refusal(`${path}: ${(error as Error).message}${remedy}`);
  }
}

const PAGE = 1_000;
const LONGEST_MS = 60_000;

async function fetchReceipts(source: string, { share, 'token-file': file }: Invocation['flags']): Promise<unknown[]> {
  const token = file === undefined ? undefined : `Bearer ${validatedToken(file)}`;
  const authorization = share === undefined ? token : `Share ${share}`;
  const all: unknown[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const url = new URL(source);
    url.searchParams.set('after', String(after));
    url.searchParams.set('limit', String(PAGE));
    const page = readPage(await fetchText(url, authorization === undefined ? {} : { authorization }));
    if (!page) throw new Refusal(`${source}: the answer has no receipts. The URL ends in /receipts`);
    all.push(...page.receipts);
    // A faulty server could send one page, or empty pages, forever. The loop ends if a page brings nothing new.
    const isMore: boolean = page.receipts.length > 0 && page.next !== undefined && page.next > after;
    after = isMore ? page.next : undefined;
  }
  return all;
}

function validatedToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Refusal(`--token-file: ${(error as Error).message}`, USAGE);
  }
}

async function fetchText(url: URL, headers: Record<string, string>): Promise<string> {
  let answer: Response;
  try {
    answer = await fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_MS) });
  } catch (error) {
    throw new Refusal(`${url.origin} does not answer: ${(error as { cause?: Error }).cause?.message ?? error}`);
  }
  if (!answer.ok) throw new Refusal(`${url.origin} answers with status ${answer.status}. Use --token-file or --share`);
  return await answer.text();
}

/**
 * Lists the keys in receipts that the server does not publish. A server publishes its former keys too. So a receipt
 * with another key fails.
 */
async function listUnpublished(source: string, keys: readonly string[]): Promise<string[]> {
  const text = await fetchText(new URL('/.well-known/daybook-key', source), {});
  const published = validated(KeyList, 'the keys of the server', readJson(text)).keys.map(({ key }) => key);
  return keys.filter((key) => !published.includes(key));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const verifyCommands: Command[] = [
  {
    name: 'verify',
    args: ['SOURCE'],
    summary:
      'Check receipts of sealed days (a file or URL), and an export against them. Exit code 1 if something fails',
    settings: [],
    flags: {
      export: { value: 'FILE', help: 'an export of the site, ndjson or csv, to compare with the receipts' },
      key: { value: 'KEY', help: 'a key of the server that you know from before' },
      hash: { value: 'HASH', help: 'the hash of a receipt that you saved before' },
      share: { value: 'SLUG', help: 'for a URL: the last part of a share link of the site' },
      'token-file': { value: 'FILE', help: 'for a URL: a file with a token that may read the site' },
    },
    run: verify,
  },
];
