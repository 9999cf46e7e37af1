// The OpenAPI 3.1 document describes the API for programs and code generators. The document is made from the table of
// routes.
//
// Each row becomes an operation with parameters, a body, an answer and the ability that a token needs. Schemas with a
// name in `schemas.ts` are written once, under `components`. An answer whose schema has no name there is an error,
// which a test finds.
//
// For example, the row of GET /sites/{site}/goals becomes the operation `getSitesSiteGoals` with the answer
// `GoalListAnswer`. The API serves the document at /api/v1/openapi.json, and test/api/openapi.test.ts checks it.

import { RIGHTS } from '../auth/roles.ts';
import type { Schema } from '../lib/http/input.ts';
import { EXAMPLES } from './examples.ts';
import { type Json, writeJsonSchemas } from './json-schema.ts';
import { listParameters, shareParameters } from './parameters.ts';
import type { Route } from './route.ts';
import { ANSWERS, BODIES, VALUES } from './schemas.ts';
import { findTag, TAGS } from './tags.ts';

const wrapContent = (schema: Json): Json => ({ 'application/json': { schema } });

const refer = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/**
 * Nearly every operation may answer with any of these statuses. The document has this list only once, to stay small.
 */
const STATUSES = {
  401: 'the token is missing, unknown or revoked',
  402: 'the account is blocked, or a limit is reached',
  403: 'the token or your role does not allow this',
  404: 'this does not exist, or you have no access',
  405: 'the path does not support this method',
  413: 'the body is too large',
  422: 'a parameter or the body is not valid (see error.fields)',
  429: 'too many requests (see Retry-After)',
  431: 'the URL and the headers are too long together',
  500: 'the server failed',
  503: 'the server cannot do this now',
};

const REFUSED: Json = {
  description: Object.entries(STATUSES)
    .map(([status, text]) => `${status}: ${text}`)
    .join('. '),
  content: wrapContent({ $ref: '#/components/schemas/Error' }),
};

const ANSWER_NAMES = new Map(Object.entries(ANSWERS).map(([name, schema]) => [schema, name]));

const LOCATION: Json = { Location: { $ref: '#/components/headers/Location' } };

/**
 * The rights that most operations need. The description of an operation mentions its rights only if it needs other
 * rights.
 */
const USUAL = 'Ability read, role viewer';

const STREAMED =
  'With the header Accept: text/event-stream, the answer is a stream of server-sent events: the whole JSON answer at once, and again each time that it changes';

const INFO = {
  title: 'daybook',
  version: '1',
  description:
    'Web analytics with all figures of the dashboard. Answers may gain members. A request with an unknown member is refused. An operation needs ability read and role viewer, unless it says otherwise. In a pattern, * stands for any text.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const ERROR: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        fields: { type: 'object', additionalProperties: { type: 'string' } },
        message_code: refer('TextCode'),
        field_codes: { type: 'object', additionalProperties: refer('TextCode') },
      },
    },
  },
  examples: [
    {
      error: {
        code: 'invalid_request',
        message: 'The request is not valid. value: Is required.',
        fields: { value: 'Is required.' },
        field_codes: { value: { code: 'required', values: {} } },
      },
    },
  ],
};

const EVENT_STREAM: Json = {
  type: 'string',
  description: 'Server-sent events. The data of each event is the JSON answer of the operation.',
};

const BYTES: Json = { 'application/octet-stream': { schema: refer('Bytes') } };
const FILE: Json = { type: 'string', format: 'binary', description: 'The bytes of a file' };

export function openapi(routes: readonly Route[]): Json {
  const asked = routes.flatMap(({ query, body }) => [query, body]).filter(isPresent);
  const input = writeJsonSchemas(asked, 'input', { ...VALUES, ...BODIES });
  const output = writeJsonSchemas([], 'output', { ...VALUES, ...ANSWERS });
  const parameters = new Map(routes.map((row) => [row, listParameters(row, input.find)]));
  const { shared, refer: referParameter } = shareParameters([...parameters.values()]);
  const operation = (row: Route): Json => ({
    ...describe(row),
    parameters: (parameters.get(row) ?? []).map(referParameter),
    ...(row.mostBytes === undefined ? {} : { requestBody: { required: true, content: BYTES } }),
    ...(row.body ? { requestBody: { required: true, content: wrapContent(input.find(row.body)) } } : {}),
    responses: { ...describeSuccess(row), default: { $ref: '#/components/responses/Refused' } },
  });
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: '<id>|<secret>' } },
      parameters: shared,
      headers: { Location: { description: 'The path of the new object', schema: { type: 'string' } } },
      responses: { Refused: REFUSED },
      schemas: {
        ...addExamples({ ...input.named, ...output.named }),
        ...makeEnvelopes(routes),
        Error: ERROR,
        EventStream: EVENT_STREAM,
        Bytes: FILE,
      },
    },
  };
}

function describe(row: Route): Json {
  const { ability, of, role } = RIGHTS[row.right];
  const owner = row.ownerFields ? `; ${row.ownerFields.join(', ')} needs role owner` : '';
  const where = { site: `, role ${role}`, server: ' in the first account' };
  const needs = `Ability ${ability}${of in where ? where[of as keyof typeof where] : ''}`;
  const parts = [...(needs === USUAL ? [] : [needs + owner]), ...(row.events === undefined ? [] : [STREAMED])];
  return {
    operationId: makeOperationId(row),
    tags: [findTag(row)],
    summary: row.summary,
    ...(parts.length === 0 ? {} : { description: parts.join('. ') }),
  };
}

function describeSuccess(row: Route): Json {
  if (row.isFile) return { 200: { description: 'OK', content: BYTES } };
  const name = nameAnswer(row);
  if (name === undefined) return { 204: { description: 'Done' } };
  const answered = { ...wrapContent(refer(`${name}Answer`)), ...describeEvents(row) };
  if (row.method !== 'POST' || row.asks || row.isLong) return { 200: { description: 'OK', content: answered } };
  if (row.right === 'collectSite') return { 202: { description: 'Stored', content: answered } };
  return { 201: { description: 'Added', headers: LOCATION, content: answered } };
}

const describeEvents = ({ events }: Route): Json =>
  events === undefined
    ? {}
    : {
        'text/event-stream': {
          schema: refer('EventStream'),
          example: `event: ${events}\ndata: {"data":{"from":"2026-03-10T11:31:00Z","visitors":12}}\n\n`,
        },
      };

const makeOperationId = ({ method, path }: Route): string =>
  `${method.toLowerCase()}${path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`;

/**
 * Finds the name of the schema of an answer. The name of a list is the name of its items with `List` at the end, such
 * as `GoalList`. An answer without a name is a mistake in the code, so this function throws.
 */
function nameAnswer({ answer, method, path }: Route): string | undefined {
  if (!answer) return undefined;
  const { item } = answer as { item?: Schema };
  const name =
    ANSWER_NAMES.get(answer) ?? (item && ANSWER_NAMES.has(item) ? `${ANSWER_NAMES.get(item)}List` : undefined);
  if (name === undefined) throw new Error(`${method} ${path}: its answer has no name in schemas.ts`);
  return name;
}

/**
 * Makes a named schema for each whole answer, which is an object with the field `data`. Code generators make a type of
 * each of these objects, and a type needs a name.
 */
function makeEnvelopes(routes: readonly Route[]): Record<string, Json> {
  const names = new Set(routes.flatMap((row) => nameAnswer(row) ?? []));
  const wrapped = (data: Json): Json => ({ type: 'object', required: ['data'], properties: { data } });
  return Object.fromEntries(
    [...names].map((name) => {
      const data = name in ANSWERS ? refer(name) : { type: 'array', items: refer(name.replace(/List$/, '')) };
      return [`${name}Answer`, wrapped(data)];
    }),
  );
}

const addExamples = (schemas: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name in EXAMPLES ? { ...schema, examples: [EXAMPLES[name]] } : schema,
    ]),
  );

const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined;
