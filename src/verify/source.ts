import { readPage, readReceipts } from '../receipts/read-receipts.ts';

/** Where receipts come from: a file, a pasted text, or a site of the server that verify.html came from. */
export type Source = { file: File | undefined; text: string; site: string; share: string };

/** Thrown if receipts could not be read. verify.html then shows a message of its own. */
export class NoReceipts extends Error {}

export async function readSource({ file, text, site, share }: Source): Promise<unknown[]> {
  const receipts = file
    ? readReceipts(await file.text())
    : text.trim() === ''
      ? await fetchAll(site, share)
      : readReceipts(text);
  if (!receipts) throw new NoReceipts();
  return receipts;
}

const PAGE = 1_000;

async function fetchAll(site: string, share: string): Promise<unknown[] | undefined> {
  if (site === '') return undefined;
  const all: unknown[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const path = `/api/v1/sites/${encodeURIComponent(site)}/receipts?after=${after}&limit=${PAGE}`;
    const answer: Response = await fetch(path, share === '' ? {} : { headers: { authorization: `Share ${share}` } });
    const page = answer.ok ? readPage(await answer.text()) : undefined;
    if (!page) return undefined;
    all.push(...page.receipts);
    const isMore: boolean = page.receipts.length > 0 && page.next !== undefined && page.next > after;
    after = isMore ? page.next : undefined;
  }
  return all;
}

/** Reads a file in small parts, so that a large export needs little memory. */
export async function* readPieces(file: File): AsyncGenerator<string> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}
