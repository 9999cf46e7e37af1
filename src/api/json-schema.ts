import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Schema } from '../lib/http/input.ts';

export type Json = Record<string, unknown>;
type Mode = 'input' | 'output';
type Definition = Parameters<typeof toJsonSchema>[0];
type Named = Readonly<Record<string, Schema>>;

function writeNullable(json: JsonSchema): JsonSchema {
  const [{ type, ...rest } = {}] = json.anyOf as JsonSchema[];
  const isPlain = typeof type === 'string' && !('enum' in rest);
  return isPlain ? { type: [type, 'null'], ...rest } : json;
}

/** Answers may gain members; a value that is given has a type, because generators take one without for anything. */
const tidy =
  (mode: Mode): NonNullable<ConversionConfig['overrideSchema']> =>
  ({ valibotSchema: { type }, jsonSchema }) => {
    const { propertyNames: _, additionalProperties, required = [], ...rest } = jsonSchema;
    if (type === 'literal') return { type: typeof jsonSchema.const as 'string', ...jsonSchema };
    if (type === 'record') return { ...rest, ...(additionalProperties && { additionalProperties }) };
    // Generators make one type of a list of types, and two of a choice.
    if (type === 'nullable') return writeNullable(jsonSchema);
    if (type !== 'strict_object') return undefined;
    return {
      ...rest,
      ...(required.length > 0 && { required }),
      ...(mode === 'input' && { additionalProperties: false }),
    };
  };

/** What JSON Schema cannot express (a transform, a check of ours) is left out. */
function convert(schema: Schema, mode: Mode, named: Named): Json {
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

/** A schema by itself. */
export function jsonSchema(schema: Schema, mode: Mode): Json {
  const { $schema: _, ...json } = convert(schema, mode, {});
  return json;
}

/** The schemas that have a name, and a way to all others, which refer to these. They are converted together, because each takes a while. */
export function jsonSchemas(schemas: readonly Schema[], mode: Mode, named: Named) {
  const all = [...new Set(schemas)];
  const { properties, $defs } = convert(v.object(Object.fromEntries(all.entries()) as never), mode, named);
  const converted = properties as Record<string, Json>;
  return {
    named: $defs as Record<string, Json>,
    find: (schema: Schema): Json => converted[all.indexOf(schema)] ?? {},
  };
}
