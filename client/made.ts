import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { openapi } from '../src/api/openapi.ts';
import { routes } from '../src/api/routes.ts';
import { type Document, typesOf } from './types.ts';

const MADE = (source: string): string => `// Made from ${source} by npm run build:client.\n`;

const operations = (): string => `${MADE('src/api/routes.ts')}\n${typesOf(openapi(routes) as unknown as Document)}`;

/** Makes a function from the script of sites. The function gets the tag from which the script reads its settings. */
async function script(): Promise<string> {
  const { code } = await transform(readFileSync(new URL('../src/tracker/day.ts', import.meta.url), 'utf8'), {
    loader: 'ts',
    format: 'iife',
    target: 'es2020',
    define: { 'document.currentScript': 'tag' },
  });
  const body = `export function run(tag: { src: string; dataset: Record<string, unknown> }): void {\n${code}}\n`;
  return `${MADE('src/tracker/day.ts')}// @ts-nocheck\n\n${body}`;
}

/** Makes the files in client/src that come from the server's files. Returns their content by name. */
export const made = async (): Promise<Record<string, string>> => ({
  'operations.ts': operations(),
  'script.ts': await script(),
  'event-reader.ts':
    MADE('src/lib/event-reader.ts') + readFileSync(new URL('../src/lib/event-reader.ts', import.meta.url), 'utf8'),
});
