// Writes valibot schemas as JSON Schema, for the OpenAPI document and for tools of AI assistants.
//
// The schema that checks a request is also the source of its description. So the document cannot differ from the
// program. JSON Schema cannot express changes of a value or checks by code, so both are left out.
//
// Schemas with a name become references, such as `#/components/schemas/Goal`. All schemas are converted in one call,
// because one call for each schema would take much longer. `openapi.ts`, `parameters.ts` and `src/mcp/question.ts` call
// these functions.

import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Schema } from '../lib/http/input.ts';

export type Json = Record<string, unknown>;
type Mode = 'input' | 'output';
type Definition = Parameters<typeof toJsonSchema>[0];
export type NamedSchemas = Readonly<Record<string, Schema>>;

export function writeJsonSchema(schema: Schema, mode: Mode): Json {
  const { $schema: _, ...json } = convert(schema, mode, {});
  return json;
}

/**
 * A schema with a name becomes a reference to this name. Returns the JSON of each named schema, and a function that
 * gives the JSON of any other schema.
 */
export function writeJsonSchemas(schemas: readonly Schema[], mode: Mode, named: NamedSchemas) {
  const all = [...new Set(schemas)];
  const { properties, $defs } = convert(v.object(Object.fromEntries(all.entries()) as never), mode, named);
  const converted = properties as Record<string, Json>;
  return {
    named: $defs as Record<string, Json>,
    find: (schema: Schema): Json => converted[all.indexOf(schema)] ?? {},
  };
}

function convert(schema: Schema, mode: Mode, named: NamedSchemas): Json {
  const config = {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    typeMode: mode,
    definitions: named as Record<string, Definition>,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideSchema: tidy(mode),
  } satisfies ConversionConfig;
  return { ...toJsonSchema(schema as Definition, config) };
}

/**
 * Adapts a JSON Schema to code generators, which need a type for each value. An object in a request must not have
 * unknown fields. An object in an answer may have them, because a later version may add fields.
 */
const tidy =
  (mode: Mode): NonNullable<ConversionConfig['overrideSchema']> =>
  ({ valibotSchema: { type }, jsonSchema }) => {
    const { propertyNames: _, additionalProperties, required = [], ...rest } = jsonSchema;
    if (type === 'literal') return { type: typeof jsonSchema.const as 'string', ...jsonSchema };
    if (type === 'record') return { ...rest, ...(additionalProperties && { additionalProperties }) };
    // Code generators make one type from `type: [string, null]`, but two types from `anyOf`.
    if (type === 'nullable') return writeNullable(jsonSchema);
    if (type !== 'strict_object') return undefined;
    return {
      ...rest,
      ...(required.length > 0 && { required }),
      ...(mode === 'input' && { additionalProperties: false }),
    };
  };

function writeNullable(json: JsonSchema): JsonSchema {
  const [{ type, ...rest } = {}] = json.anyOf as JsonSchema[];
  const isPlain = typeof type === 'string' && !('enum' in rest);
  return isPlain ? { type: [type, 'null'], ...rest } : json;
}
