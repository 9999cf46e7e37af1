import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { openapi } from '../src/api/openapi.ts';
import { routes } from '../src/api/routes.ts';
import { type Document, typesOf } from './types.ts';

const MADE = (source: string): string => `// Made from ${source} by npm run build:client.\n`;

const operations = (): string => `${MADE('src/api/routes.ts')}\n${typesOf(openapi(routes) as unknown as Document)}`;

/** The script's expression for the parameters that it keeps, in two parts. Page parameters come between them. */
const KEPT = /\/(\(\^\.\|&\)\(\()(ref\|source\|utm_[^\n]*\|\$)\/g/;

/**
 * Makes a function from the script of sites. The function gets the tag from which the script reads its settings, and the
 * page parameters (src/lib/kept-names.ts).
 */
async function script(): Promise<string> {
  const { code } = await transform(readFileSync(new URL('../src/tracker/day.ts', import.meta.url), 'utf8'), {
    loader: 'ts',
    format: 'iife',
    target: 'es2020',
    define: { 'document.currentScript': 'tag' },
  });
  if (!KEPT.test(code)) throw new Error('the script has no expression for the parameters that it keeps');
  const keeping = code.replace(KEPT, (_, first: string, rest: string) => {
    return `new RegExp(${JSON.stringify(first)} + kept + ${JSON.stringify(rest)}, 'g')`;
  });
  const head = 'export function run(tag: { src: string; dataset: Record<string, unknown> }, kept: string): void';
  const body = `${head} {\n${keeping}}\n`;
  return `${MADE('src/tracker/day.ts')}// @ts-nocheck\n\n${body}`;
}

const copyOf = (source: string): string =>
  MADE(source) + readFileSync(new URL(`../${source}`, import.meta.url), 'utf8');

/** Makes the files in client/src that come from the server's files. Returns their content by name. */
export const made = async (): Promise<Record<string, string>> => ({
  'operations.ts': operations(),
  'script.ts': await script(),
  'event-reader.ts': copyOf('src/lib/event-reader.ts'),
  'kept-names.ts': copyOf('src/lib/kept-names.ts'),
});
