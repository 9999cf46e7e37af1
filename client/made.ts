import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { openapi } from '../src/api/openapi.ts';
import { routes } from '../src/api/routes.ts';
import { type Document, typesOf } from './types.ts';

const MADE = (source: string): string => `// Made from ${source} by npm run build:client.\n`;

const operations = (): string => `${MADE('src/api/routes.ts')}\n${typesOf(openapi(routes) as unknown as Document)}`;

/** The script that sites embed, as a function of the tag that it reads its settings from. */
async function script(): Promise<string> {
  const { code } = await transform(readFileSync(new URL('../src/tracker/day.ts', import.meta.url), 'utf8'), {
    loader: 'ts',
    format: 'iife',
    target: 'es2020',
    define: { 'document.currentScript': 'tag' },
  });
  const body = `export function run(tag: { src: string; dataset: Record<string, string> }): void {\n${code}}\n`;
  return `${MADE('src/tracker/day.ts')}// @ts-nocheck\n\n${body}`;
}

/** The files below client/src that are made of the server's, with their content. */
export const made = async (): Promise<Record<string, string>> => ({
  'operations.ts': operations(),
  'script.ts': await script(),
});
