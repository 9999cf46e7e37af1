// Checks the receipts of a site: their form, their signatures, and their chain. In a chain, each receipt has the hash
// of the receipt before it.
//
// Invariant: a chain without a fault was made by the holder of the key, in this order. No receipt is missing in the
// middle of the chain. But receipts at the end of the chain may have been cut off. To notice this, people can save the
// hash of a receipt: the hash must still be in the chain.
//
// Example: receipt 7 was edited. So its signature is wrong, and `previous` of receipt 8 does not fit. Both receipts
// have a fault, which names the day.
//
// `daybook verify` and verify.html call `checkChain`. test/receipts/verify.py makes equal checks in another language.

import * as v from 'valibot';
import { type Coded, coded } from '../lang/coded.ts';
import { type Crypto, hashAll, readBase64Url, writeHex } from './crypto.ts';
import { Receipt, writeSigned, writeWhole } from './receipt.ts';

/** A receipt with its faults. `receipt` is undefined if the form is wrong. */
type CheckedReceipt = {
  place: number;
  receipt: Receipt | undefined;
  hash: string;
  faults: Coded[];
};

/**
 * What a person has saved earlier: a key of the server, and the hash of a receipt. The check fails if no receipt of the
 * chain has this key or this hash.
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
  for (const [place, value] of values.entries()) {
    const receipt = readReceipt(value);
    const checked: CheckedReceipt = { place: place + 1, receipt, hash: '', faults: [] };
    receipts.push(checked);
    if (!receipt) {
      checked.faults.push(coded('receipt_form'));
      before = checked;
      continue;
    }
    checked.hash = writeHex(await hashAll(crypto, writeWhole(receipt)));
    checked.faults.push(
      ...findChainFaults(receipt, before, place),
      ...(await findSignatureFaults(crypto, receipt, before?.receipt)),
      ...findDayFaults(receipt, latest.get(receipt.date)),
    );
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

function readReceipt(value: unknown): Receipt | undefined {
  const read = v.safeParse(Receipt, value);
  return read.success ? read.output : undefined;
}

function findChainFaults({ sequence, previous }: Receipt, before: CheckedReceipt | undefined, place: number): Coded[] {
  const faults: Coded[] = [];
  const expected = before?.receipt ? before.receipt.sequence + 1 : place + 1;
  if (sequence !== expected) faults.push(coded('receipt_sequence', { sequence, expected }));
  if (previous !== (before?.hash ?? null)) faults.push(coded('receipt_previous'));
  return faults;
}

async function findSignatureFaults(crypto: Crypto, receipt: Receipt, before: Receipt | undefined): Promise<Coded[]> {
  const faults: Coded[] = [];
  const text = new TextEncoder().encode(writeSigned(receipt));
  const fits = async (key: string, signature: string | null): Promise<boolean> => {
    const [own, signed] = [readBase64Url(key), signature === null ? undefined : readBase64Url(signature)];
    return own !== undefined && signed !== undefined && (await crypto.isSigned(own, text, signed));
  };
  if (!(await fits(receipt.key, receipt.signature))) faults.push(coded('receipt_signature'));
  const isNew = before !== undefined && before.key !== receipt.key;
  if (isNew && !(await fits(before.key, receipt.former_signature))) faults.push(coded('receipt_former_signature'));
  if (!isNew && receipt.former_signature !== null) faults.push(coded('receipt_form'));
  return faults;
}

/**
 * Checks that a receipt names the receipt that it replaces. Also checks that the reason fits the change, and that the
 * figures are possible.
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
