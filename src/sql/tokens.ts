// Splits a statement into tokens, for shape.ts.
//
// Invariant: written one after the other with spaces between them, the tokens are the same statement.
//
// Example: `sum(pageviews) -- all` has the tokens `sum`, `(`, `pageviews` and `)`. For a statement with anything else,
// such as a name in quotes or a parameter, the result is undefined.

/** All words are in lower case. shape.ts changes a `word` that names a column to a `column`. */
export type Token = { kind: 'word' | 'text' | 'number' | 'sign' | 'column'; text: string };

const TOKEN =
  /(?<skipped>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>'(?:[^']|'')*')|(?<number>(?:\d+(?:\.\d+)?|\.\d+)(?![\p{L}\p{N}_$.]))|(?<word>[a-z_][a-z\d_]*(?![\p{L}\p{N}_$']))|(?<sign>\|\||<<|>>|->>?|<>|<=|>=|!=|==|[(),.*=<>+/%;-])|(?<other>[\s\S])/giu;

export function readTokens(statement: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (const { groups = {} } of statement.matchAll(TOKEN)) {
    const { text, number, word, sign, other } = groups;
    if (other !== undefined) return undefined;
    if (text !== undefined) tokens.push({ kind: 'text', text });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase() });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  // A statement may end with semicolons.
  while (tokens.at(-1)?.text === ';') tokens.pop();
  return tokens;
}

/** Returns the index of the bracket that closes the bracket with the index `at`. */
export function findClosing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    depth += Number(tokens[i]?.text === '(') - Number(tokens[i]?.text === ')');
    if (depth === 0) return i;
  }
  return tokens.length;
}

/** Splits tokens at each sign that is not inside brackets. */
export function splitAt(tokens: readonly Token[], sign: string): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += Number(token.text === '(') - Number(token.text === ')');
    if (depth === 0 && token.text === sign) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Splits a condition at each AND that is not inside brackets, CASE or BETWEEN. A condition with OR is not split. */
export function splitConditions(tokens: readonly Token[]): (readonly Token[])[] {
  const conditions: Token[][] = [[]];
  let [depth, isBetween] = [0, false];
  for (const token of tokens) {
    const { text } = token;
    depth += Number(text === '(' || text === 'case') - Number(text === ')' || text === 'end');
    if (depth === 0 && text === 'or') return [tokens];
    if (depth === 0 && text === 'and' && !isBetween) conditions.push([]);
    else conditions.at(-1)?.push(token);
    if (depth === 0 && (text === 'between' || text === 'and')) isBetween = text === 'between';
  }
  return conditions;
}
