// Valibot schemas are written as JSON Schema, for the OpenAPI document and for tools of assistants.
//
// One schema checks a request and is described here, so the document cannot differ from the program. JSON Schema
// cannot express a transform or a check by code. These are left out.
//
// Schemas with a name become references, such as `#/components/schemas/Goal`. All are converted in one call, because
// a call per schema would take much longer. `openapi.ts` and `parameters.ts` call these functions.

import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Schema } from '../lib/http/input.ts';

export type Json = Record<string, unknown>;
type Mode = 'input' | 'output';
type Definition = Parameters<typeof toJsonSchema>[0];
export type NamedSchemas = Readonly<Record<string, Schema>>;

/** Writes one schema without references. */
export function writeJsonSchema(schema: Schema, mode: Mode): Json {
  const { $schema: _, ...json } = convert(schema, mode, {});
  return json;
}

/** Writes schemas that refer to named ones. Gives the named ones, and a function that finds the others. */
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

/** Adapts the result to code generators: they need a type for each value, and answers may gain members. */
const tidy =
  (mode: Mode): NonNullable<ConversionConfig['overrideSchema']> =>
  ({ valibotSchema: { type }, jsonSchema }) => {
    const { propertyNames: _, additionalProperties, required = [], ...rest } = jsonSchema;
    if (type === 'literal') return { type: typeof jsonSchema.const as 'string', ...jsonSchema };
    if (type === 'record') return { ...rest, ...(additionalProperties && { additionalProperties }) };
    // Code generators make one type of `type: [string, null]`, and two types of `anyOf`.
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
