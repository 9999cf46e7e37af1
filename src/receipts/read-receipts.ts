/**
 * Reads saved receipts: one or several answers of the API, the output of `daybook receipts export`, or a plain list.
 * Returns undefined for anything else. The receipts themselves are not checked here.
 */
export function readReceipts(text: string): unknown[] | undefined {
  const documents =
    readJson(text) ?? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : (readJson(line) ?? [{}])));
  const lists = documents.map(findList);
  return lists.length > 0 && lists.every((list) => list !== undefined) ? lists.flat() : undefined;
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

/** Reads an answer of the API. `next` is the number of the last receipt, if more receipts follow in a next answer. */
export function readPage(text: string): { receipts: unknown[]; next: number | undefined } | undefined {
  const receipts = readReceipts(text);
  const [document] = readJson(text) ?? [];
  const next = (document as { data?: { next?: unknown } } | undefined)?.data?.next;
  return receipts && { receipts, next: typeof next === 'number' ? next : undefined };
}
