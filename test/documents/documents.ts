import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listDocuments } from '../../scripts/prose.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The pages of docs, without their ending. */
export const PAGES = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -3));

/** The pages that belong to how-it-works.md. */
export const WAYS = readdirSync(join(ROOT, 'docs/how'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/how/${name}`);

/** Every document, by its path from the root. */
export const DOCUMENTS = listDocuments();

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export type Fence = { language: string; code: string };

/** The blocks of code of a text, in their order. */
export const fencesIn = (text: string): Fence[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));

export const withoutFences = (text: string): string => text.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '');

/** A command of the documents, and what they say that it prints, if they do. */
export type Example = { command: string; prints: string | undefined };

/** Blocks of `sh` are run by the tests; a block of `text` behind one is what it prints. */
export const examplesIn = (text: string): Example[] => {
  const fences = fencesIn(text);
  return fences.flatMap(({ language, code }, i) => {
    const next = fences[i + 1];
    return language === 'sh' ? [{ command: code, prints: next?.language === 'text' ? next.code : undefined }] : [];
  });
};
