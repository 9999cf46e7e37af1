// Reads saved receipts: one or several answers of the API, the output of `daybook receipts export`, or a plain list.
//
// Invariant: a damaged receipt is never left out. If a byte of a file was changed, the file may be no JSON any more.
// Then each receipt is read on its own, and a receipt that cannot be read is returned as its text.
//
// Example: in a file of 40 receipts, a quotation mark of receipt 7 is damaged. The list has 39 receipts and one text.
// check-chain.ts then names the day of receipt 7. `daybook verify` and verify.html call these functions.

/** Returns undefined if the text has no receipts. The receipts themselves are not checked here. */
export function readReceipts(text: string): unknown[] | undefined {
  const documents =
    readJson(text) ?? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : (readJson(line) ?? [{}])));
  const lists = documents.map(findList);
  const isSound = lists.length > 0 && lists.every((list) => list !== undefined);
  return isSound ? lists.flat() : readEach(text);
}

function readJson(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined;
  }
}

function findList(document: unknown): unknown[] | undefined {
  const { data = document } = readMembers(document);
  if (Array.isArray(data)) return data;
  const { receipts, sequence } = readMembers(data);
  if (Array.isArray(receipts)) return receipts;
  return sequence === undefined ? undefined : [data];
}

const readMembers = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Reads each receipt of a damaged file on its own. The members of a receipt are sorted, so its date comes first. The
 * text before the first receipt is left out, unless it has a date: then the beginning of a receipt is damaged.
 */
function readEach(text: string): unknown[] | undefined {
  if (!MEMBERS.some((member) => text.includes(member))) return undefined;
  return text
    .split(/(?=\{"date":")/)
    .filter((piece) => piece.startsWith('{"date":"') || DATE.test(piece))
    .map((piece) => piece.replace(/[\s,\]}]*$/, '}'))
    .flatMap((piece) => readJson(piece) ?? [piece]);
}

/** Two members that each receipt has. One damaged byte cannot change both. */
const MEMBERS = ['"sequence":', '"signature":'];

/** A date that is not the beginning of a time. In a receipt, only the day is written in this way. */
export const DATE = /\d{4}-\d\d-\d\d(?!T)/;

/** Reads an answer of the API. `next` is the number of the last receipt, if more receipts follow in a next answer. */
export function readPage(text: string): { receipts: unknown[]; next: number | undefined } | undefined {
  const [document] = readJson(text) ?? [];
  const receipts = findList(document);
  const next = (document as { data?: { next?: unknown } } | undefined)?.data?.next;
  return receipts && { receipts, next: typeof next === 'number' ? next : undefined };
}
