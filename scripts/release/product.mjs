// Reads what a release is called: release/product.json has the names of the packages, the image and the repository, and
// package.json has the version. No other file may decide them. A fork changes product.json, then
// runs `npm run catalogues`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export const jsonOf = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

export const PRODUCT = { ...jsonOf('release/product.json'), version: jsonOf('package.json').version };
