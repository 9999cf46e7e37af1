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

/** The first block of code of a section in a language. With a second word, such as `nginx listen`, it begins with this word. */
export function blockOf(path: string, heading: string, kind: string): string {
  const [language, beginning = ''] = kind.split(' ');
  const fences = fencesIn(`${sectionOf(path, heading)}\n`);
  const found = fences.find((fence) => fence.language === language && fence.code.startsWith(beginning));
  if (!found) throw new Error(`${path}: ${heading} has no block ${kind}`);
  return found.code;
}

/** The text of a section, up to the next heading of the same or a higher level. */
export function sectionOf(path: string, heading: string): string {
  const lines = textOf(path).split('\n');
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (from < 0) throw new Error(`${path} has no heading ${heading}`);
  const level = lines[from]?.indexOf(' ') ?? 0;
  const to = lines.findIndex((line, at) => at > from && new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(from, to < 0 ? undefined : to).join('\n');
}
