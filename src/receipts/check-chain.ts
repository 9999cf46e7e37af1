// Checks the receipts of a site: their form, their signatures, and their chain. In a chain, each receipt has the hash
// of the receipt before it.
//
// Invariant: a chain without a fault was made by the holder of the key, in this order. No receipt is missing in the
// middle of the chain. But receipts at the end of the chain may have been cut off. To notice this, people can save the
// hash of a receipt: the hash must still be in the chain.
//
// Example: receipt 7 was edited. So its signature is wrong, and `previous` of receipt 8 does not fit. Both receipts
// have a fault, and `dates` has their days. If the date of receipt 7 was edited, `findSignedDate` finds the day that
// was signed.
//
// `daybook verify`, `daybook check` and verify.html call `checkChain`. test/receipts/verify.py makes equal checks in
// another language.

import { type Coded, coded } from '../lang/coded.ts';
import { type Crypto, hashAll, readBase64Url, writeHex } from './crypto.ts';
import { isReceipt } from './form.ts';
import { DATE } from './read-receipts.ts';
import type { Receipt } from './receipt.ts';
import { writeSigned, writeWhole } from './signed-text.ts';

/**
 * A receipt with its faults. `receipt` is undefined if the form is wrong. `dates` has the days that the receipt may be
 * about. A damaged receipt may name several days, or none.
 */
type CheckedReceipt = {
  place: number;
  receipt: Receipt | undefined;
  dates: string[];
  hash: string;
  faults: Coded[];
};

/**
 * What a person has saved earlier: a key of the server, and the hash of a receipt. The check fails if no receipt of the
 * chain has this key, or if none has this hash.
 */
export type Pinned = { key?: string | undefined; hash?: string | undefined };

/**
 * The result of a check. `faults` are faults of the whole chain. `last` is the hash of the last receipt, which people
 * should save.
 */
export type CheckedChain = { receipts: CheckedReceipt[]; faults: Coded[]; keys: string[]; last: string | undefined };

export async function checkChain(
  crypto: Crypto,
  values: readonly unknown[],
  pinned: Pinned = {},
): Promise<CheckedChain> {
  const receipts: CheckedReceipt[] = [];
  const latest = new Map<string, Receipt>();
  let before: CheckedReceipt | undefined;
  let tries = 0;
  for (const [place, value] of values.entries()) {
    const receipt = readReceipt(value);
    const checked: CheckedReceipt = { place: place + 1, receipt, dates: [], hash: '', faults: [] };
    receipts.push(checked);
    if (!receipt) {
      checked.faults.push(coded('receipt_form'));
      const signed = tries++ < MOST_TRIES ? await findSignedDate(crypto, value) : undefined;
      checked.dates = signed === undefined ? listDates(value) : [signed];
      before = checked;
      continue;
    }
    checked.hash = writeHex(await hashAll(crypto, writeWhole(receipt)));
    checked.faults.push(
      ...findChainFaults(receipt, before, place),
      ...(await findSignatureFaults(crypto, receipt, before?.receipt)),
      ...findDayFaults(receipt, latest.get(receipt.date)),
    );
    checked.dates = [receipt.date];
    if (checked.faults.some(({ code }) => code === 'receipt_signature') && tries++ < MOST_TRIES) {
      const signed = await findSignedDate(crypto, value);
      if (signed !== undefined) checked.dates = [signed];
    }
    latest.set(receipt.date, receipt);
    before = checked;
  }
  const keys = [...new Set(receipts.flatMap(({ receipt }) => (receipt ? [receipt.key] : [])))];
  const faults: Coded[] = [];
  if (receipts.length === 0) faults.push(coded('no_receipts'));
  if (pinned.key !== undefined && !keys.includes(pinned.key)) faults.push(coded('receipts_other_key'));
  if (pinned.hash !== undefined && !receipts.some(({ hash }) => hash === pinned.hash))
    faults.push(coded('receipts_no_hash'));
  return { receipts, faults, keys, last: before?.hash };
}

const readReceipt = (value: unknown): Receipt | undefined => (isReceipt(value) ? (value as Receipt) : undefined);

/**
 * For how many damaged receipts of a chain `findSignedDate` is called. Each call checks about 80 signatures. In a long
 * chain with only damaged receipts, calls for all receipts would take long.
 */
const MOST_TRIES = 20;

/**
 * Finds the day of a receipt if one character of its date was changed. Replaces each character of the date by each
 * digit and by a hyphen. The signature is right only for the date that was signed.
 */
async function findSignedDate(crypto: Crypto, value: unknown): Promise<string | undefined> {
  const text = writeValue(value);
  const from = text.indexOf(DATE_NAME) + DATE_NAME.length;
  for (let at = from; from >= DATE_NAME.length && at < from + DATE_LENGTH; at++) {
    for (const one of '0123456789-') {
      const receipt = readReceipt(readJson(text.slice(0, at) + one + text.slice(at + 1)));
      if (receipt && (await isSignedBy(crypto, receipt, receipt.key, receipt.signature))) return receipt.date;
    }
  }
  return undefined;
}

const DATE_NAME = '"date":"';
const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Lists all days that are named in a receipt whose form is wrong. */
const listDates = (value: unknown): string[] => [...new Set(writeValue(value).match(new RegExp(DATE, 'g')))];

/** Writes a value as JSON. A receipt that is not valid JSON is passed as its text, and returned unchanged. */
const writeValue = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function isSignedBy(
  { isSigned }: Crypto,
  receipt: Receipt,
  key: string,
  signature: string | null,
): Promise<boolean> {
  const [own, signed] = [readBase64Url(key), signature === null ? undefined : readBase64Url(signature)];
  if (own === undefined || signed === undefined) return false;
  return await isSigned(own, new TextEncoder().encode(writeSigned(receipt)), signed);
}

function findChainFaults({ sequence, previous }: Receipt, before: CheckedReceipt | undefined, place: number): Coded[] {
  const faults: Coded[] = [];
  const expected = before?.receipt ? before.receipt.sequence + 1 : place + 1;
  if (sequence !== expected) faults.push(coded('receipt_sequence', { sequence, expected }));
  if (previous !== (before?.hash ?? null)) faults.push(coded('receipt_previous'));
  return faults;
}

async function findSignatureFaults(crypto: Crypto, receipt: Receipt, before: Receipt | undefined): Promise<Coded[]> {
  const { key, signature, former_signature: former } = receipt;
  const faults: Coded[] = [];
  if (!(await isSignedBy(crypto, receipt, key, signature))) faults.push(coded('receipt_signature'));
  const isNew = before !== undefined && before.key !== key;
  if (isNew && !(await isSignedBy(crypto, receipt, before.key, former))) faults.push(coded('receipt_former_signature'));
  if (!isNew && former !== null) faults.push(coded('receipt_form'));
  return faults;
}

/**
 * Compares a receipt with `former`, the receipt before it for the same day. `replaces` must name the former receipt.
 * `reason` must fit what changed between the two receipts. Also checks that the figures are possible.
 */
function findDayFaults(receipt: Receipt, former: Receipt | undefined): Coded[] {
  const { replaces, reason, kind, figures, sequence } = receipt;
  const faults: Coded[] = [];
  if (replaces !== (former?.sequence ?? null))
    faults.push(former ? coded('receipt_replaces', { sequence: former.sequence }) : coded('receipt_replaces_none'));
  const isFirst = FIRST_REASONS.includes(reason);
  if (!former && !isFirst) faults.push(coded('receipt_reason', { reason, sequence }));
  if (reason === 'retention' && (kind !== 'sums' || former?.kind !== 'hits'))
    faults.push(coded('receipt_reason', { reason, sequence }));
  if ((reason === 'removed') !== (kind === 'none') && reason !== 'key')
    faults.push(coded('receipt_reason', { reason, sequence }));
  if (reason === 'key' && former && writeContent(former) !== writeContent(receipt))
    faults.push(coded('receipt_reason', { reason, sequence }));
  const { visitors, visits, pageviews, events } = figures;
  if (kind === 'hits' && (visitors > visits || visits > pageviews + events)) faults.push(coded('receipt_figures'));
  return faults;
}

const FIRST_REASONS: readonly string[] = ['first', 'sealed', 'import'];

const writeContent = ({ kind, digest, figures, imports, exclusions }: Receipt): string =>
  JSON.stringify([
    kind,
    digest,
    figures.visitors,
    figures.visits,
    figures.pageviews,
    figures.events,
    imports,
    exclusions,
  ]);
