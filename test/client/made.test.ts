import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made } from '../../client/made.ts';
import { type Schema, typeOf } from '../../client/types.ts';

test('what the client has of the server is of today', async () => {
  for (const [name, content] of Object.entries(await made())) {
    const kept = readFileSync(new URL(`../../client/src/${name}`, import.meta.url), 'utf8');
    assert.equal(kept, content, `client/src/${name} is older than what it is made of; run npm run build:client`);
  }
});

test('each kind of schema becomes a type', () => {
  const text: Schema = { type: 'string' };
  const types: [Schema, string][] = [
    [text, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['integer', 'null'] }, 'number | null'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Goal' } }, 'Array<Goal>'],
    [{ anyOf: [{ type: 'number' }, { type: 'integer' }, { type: 'null' }] }, 'number | null'],
    [{ type: 'string', enum: ['a', "it's", '\\'] }, String.raw`'a' | 'it\'s' | '\\'`],
    [{ const: 'page' }, "'page'"],
    [{ const: null }, 'null'],
    [{ type: 'array', items: { oneOf: [text, { type: 'boolean' }] } }, 'Array<string | boolean>'],
    [{ type: 'object', additionalProperties: text }, 'Record<string, string>'],
    [
      { type: 'object', properties: { a: text, 'b[c]': { type: 'object', properties: { d: text } } }, required: ['a'] },
      "{\n  a: string;\n  'b[c]'?: {\n    d?: string;\n  };\n}",
    ],
  ];
  for (const [schema, type] of types) assert.equal(typeOf(schema), type);
});

test('a schema that says nothing is no type, not any', () => {
  for (const schema of [{}, { type: 'file' }, { type: 'array' }, { anyOf: [{ type: 'string' }, {}] }]) {
    assert.throws(() => typeOf(schema), /no type for/);
  }
});
