/** A schema of the OpenAPI document. It has only the parts that become types. The server checks other limits, such as lengths. */
export type Schema = {
  /** Refers to another schema. The last segment is its name. */
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  pattern?: string;
};
const JSON_TYPE = 'application/json';
const BYTES_TYPE = 'application/octet-stream';
type Content = { content?: { [Type in typeof JSON_TYPE | typeof BYTES_TYPE]?: { schema: Schema } } };
type Parameter = { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema };
type Reference = { $ref: string };
type Operation = {
  summary: string;
  parameters: (Parameter | Reference)[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

const nameIn = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const PLAIN: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

type Member = { name: string; type: string; isOptional: boolean };

/** Filters by properties, whose names are not known. Each entry is a parameter such as `filters[property:plan][is]`. */
const OF_PROPERTIES = 'filters[property]';
const PROPERTY_FILTERS = `  [filter: \`filters[property:\${string}]\${string}\`]: string | Array<string>;\n`;

/** Filters by properties in a body, beside the filters whose names are known. */
const propertyFilters = (schema: Schema): string => `  [filter: \`property:\${string}\`]: ${typeOf(schema)};\n`;

/** A text with this beginning becomes a type of its own. Other patterns are checked by the server only. */
const BEGINNING = /^\^(\w+:)/;

function objectOf(members: readonly Member[], rest = ''): string {
  const lines = members.map(({ name, type, isOptional }) => {
    if (name === OF_PROPERTIES) return PROPERTY_FILTERS;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    return `  ${key}${isOptional ? '?' : ''}: ${type.replaceAll('\n', '\n  ')};\n`;
  });
  return `{\n${lines.join('')}${rest}}`;
}

/** Writes the TypeScript type of a schema. Throws for an unknown schema, so that no type is wider than the document. */
export function typeOf(schema: Schema): string {
  const {
    $ref,
    type = '',
    anyOf,
    oneOf,
    items,
    properties = {},
    required = [],
    additionalProperties,
    pattern,
  } = schema;
  if ($ref) return nameIn($ref);
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
  if (anyOf || oneOf) return union((anyOf ?? oneOf ?? []).map(typeOf));
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  if (type === 'array' && items) return `Array<${typeOf(items)}>`;
  const members = Object.entries(properties).map(([name, one]) => ({
    name,
    type: typeOf(one),
    isOptional: !required.includes(name),
  }));
  if (type === 'object' && typeof additionalProperties === 'object') {
    return members.length === 0
      ? `Record<string, ${typeOf(additionalProperties)}>`
      : objectOf(members, propertyFilters(additionalProperties));
  }
  if (type === 'object') return objectOf(members);
  const beginning = BEGINNING.exec(pattern ?? '')?.[1];
  if (type === 'string' && beginning !== undefined) return `\`${beginning}\${string}\``;
  if (PLAIN[type] === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return PLAIN[type];
}

const schemaIn = ({ content }: Content): Schema | undefined => content?.[JSON_TYPE]?.schema;

/** Makes one member from all parameters of the path or of the query. A text in a path may also be a number. */
function parametersOf(parameters: readonly Parameter[], place: Parameter['in']): Member[] {
  const members = parameters
    .filter((one) => one.in === place)
    .map(({ name, required, schema }) => ({
      name,
      type: place === 'path' && typeOf(schema) === 'string' ? 'string | number' : typeOf(schema),
      isOptional: required !== true,
    }));
  const isOptional = members.every((one) => one.isOptional);
  return members.length === 0 ? [] : [{ name: place, type: objectOf(members), isOptional }];
}

/** Writes the type of `data` in a response. A file is a stream. */
function dataOf({ content }: Content, { schemas }: Document['components']): string {
  if (content?.[BYTES_TYPE]) return 'ReadableStream<Uint8Array>';
  const { $ref = '' } = content?.[JSON_TYPE]?.schema ?? {};
  const data = schemas[nameIn($ref)]?.properties?.data;
  return data ? typeOf(data) : 'undefined';
}

function operationOf({ parameters, requestBody, responses }: Operation, components: Document['components']): string {
  const [, success = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const body = requestBody && schemaIn(requestBody);
  const data = dataOf(success, components);
  const all = parameters.map((one) => ('$ref' in one ? components.parameters[nameIn(one.$ref)] : one) as Parameter);
  return objectOf([
    ...parametersOf(all, 'path'),
    ...parametersOf(all, 'query'),
    ...(body ? [{ name: 'body', type: typeOf(body), isOptional: false }] : []),
    ...(requestBody?.content?.[BYTES_TYPE]
      ? [{ name: 'body', type: 'Uint8Array<ArrayBuffer>', isOptional: false }]
      : []),
    { name: 'data', type: data, isOptional: false },
  ]);
}

/** Writes the types of all named schemas, except the ones that wrap `data`, errors and files. */
function namedIn({ schemas }: Document['components']): string[] {
  const isWrapped = (name: string) => name.endsWith('Answer') || name === 'Error' || name === 'Bytes';
  return Object.entries(schemas)
    .filter(([name]) => !isWrapped(name))
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`);
}

/** Writes a TypeScript file with all named types, and with the input and the data of each operation, by its method and path. */
export function typesOf({ paths, components }: Document): string {
  const members = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      type: operationOf(operation, components),
      summary: operation.summary,
    })),
  );
  const lines = members.map(({ name, type, summary }) => {
    return `  /** ${summary}. */\n  ${literal(name)}: ${type.replaceAll('\n', '\n  ')};\n`;
  });
  return `${namedIn(components).join('\n')}\nexport type Operations = {\n${lines.join('\n')}};\n`;
}
