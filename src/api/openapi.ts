import { toJsonSchema } from '@valibot/to-json-schema';
import { RIGHTS } from '../auth/roles.ts';
import type { Schema } from '../lib/input.ts';
import { namesIn, type Route } from './route.ts';

export type Json = Record<string, unknown>;

/** What JSON Schema cannot express (a transform, a check of ours) is left out. */
export function jsonSchema(schema: Schema, typeMode: 'input' | 'output'): Json {
  const options = { target: 'draft-2020-12', errorMode: 'ignore', typeMode } as const;
  const { $schema: _, ...json } = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], options);
  return json;
}

const content = (schema: Json): Json => ({ 'application/json': { schema } });

const enveloped = (schema: Json): Json =>
  content({ type: 'object', required: ['data'], properties: { data: schema }, additionalProperties: false });

const error = (description: string): Json => ({
  description,
  content: content({ $ref: '#/components/schemas/Error' }),
});

/** Every refusal that any request can meet, once. */
const ERRORS: Record<string, Json> = {
  401: error('The token is missing, malformed, unknown or revoked'),
  402: error('The account is blocked, or a limit is reached'),
  403: error('The token or the role does not allow this'),
  404: error('Does not exist, or is not available to you'),
  405: error('The path does not take this method'),
  413: error('The body is too large'),
  422: error('Something in the parameters or the body is not valid; error.fields says what'),
  429: error('Too many requests'),
  431: error('The address and the headers are too long together'),
  500: error('Something went wrong on the server'),
  503: error('The server cannot do this at the moment'),
};

/** Something in the path, a site in the query of a question about several, or an account. */
const namesSomething = ({ path, right }: Route): boolean =>
  path.includes('{') || path.startsWith('/stats/') || right === 'addSite';

const errorsOf = (row: Route): string[] => [
  ...['401', '402', '403', '405', '422', '429', '500', '503'],
  ...(namesSomething(row) ? ['404'] : []),
  ...(row.body ? ['413'] : []),
  ...(row.query ? ['431'] : []),
];

const SITE: Json = { type: 'string', description: 'The id of the site, or its domain' };
const ID: Json = { type: 'integer', minimum: 1 };

/** In a URL everything is text; the default of a number is given as a number all the same. */
const typed = (schema: Json): Json =>
  schema.type === 'integer' && 'default' in schema ? { ...schema, default: Number(schema.default) } : schema;

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Json };

/** Those in the path, and those in the query. The schema of the query may check names in the path too. */
export function parameters({ path, query }: Route): Parameter[] {
  const names = namesIn(path);
  const { properties = {}, required = [] } = (query ? jsonSchema(query, 'input') : {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inQuery = Object.entries(properties).filter(([name]) => !names.includes(name));
  return [
    ...names.map((name) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: properties[name] ?? (name === 'site' ? SITE : ID),
    })),
    ...inQuery.map(([name, schema]) => ({
      name,
      in: 'query' as const,
      required: required.includes(name),
      schema: typed(schema),
    })),
  ];
}

function success(row: Route): Json {
  if (!row.answer) return { 204: { description: 'Done' } };
  const schema = enveloped(jsonSchema(row.answer, 'output'));
  if (row.method !== 'POST' || row.asks) return { 200: { description: 'The answer', content: schema } };
  if (row.right === 'collectSite') return { 202: { description: 'Stored', content: schema } };
  const headers = { Location: { description: 'Where the new thing is', schema: { type: 'string' } } };
  return { 201: { description: 'Added', headers, content: schema } };
}

function operation(row: Route): Json {
  const { ability, of, role } = RIGHTS[row.right];
  const owner = row.ownerFields ? `; for ${row.ownerFields.join(', ')} the role owner` : '';
  const where = { site: ` and the role ${role} on the site`, server: ', of the account that was made first' };
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    tags: [row.path.split('/').findLast((part) => part !== '' && !part.startsWith('{'))],
    summary: row.summary,
    description: `Needs a token with the ability ${ability}${of === 'site' || of === 'server' ? where[of] : ''}${owner}.`,
    parameters: parameters(row),
    ...(row.body ? { requestBody: { required: true, content: content(jsonSchema(row.body, 'input')) } } : {}),
    responses: {
      ...success(row),
      ...Object.fromEntries(errorsOf(row).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

/** The OpenAPI 3.1 document of a table of routes. */
export function openapi(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'daybook', version: '1', description: 'Web analytics in one file: everything the dashboard shows.' },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: '<id>|<secret>' } },
      responses: ERRORS,
      schemas: {
        Error: {
          type: 'object',
          required: ['error'],
          additionalProperties: false,
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              additionalProperties: false,
              properties: {
                code: { type: 'string' },
                message: { type: 'string' },
                fields: { type: 'object', additionalProperties: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  };
}
