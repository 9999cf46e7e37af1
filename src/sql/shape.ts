// Recognises statements that are answered from groups of rows, without a copy of each row (grouped.ts).
//
// A statement has this shape if it reads `visits`, `hits` or `properties`, or two of them joined, and if its result
// needs only aggregates such as `count(*)`, and the keys of GROUP BY. Such a statement is split into expressions: the
// conditions of WHERE, the keys, and the arguments of the aggregates. SQLite computes each expression once for each
// distinct value.
//
// Invariant: SQLite has already compiled the statement, so it has no mistakes. If a statement has anything that this
// file does not know, the result is undefined. The statement is then answered from rows (run.ts).
//
// Example: `SELECT country, count(*) FROM visits WHERE NOT excluded GROUP BY 1 ORDER BY 2 DESC` has the condition `NOT
// excluded`, the key `country`, and one aggregate. SQLite then runs `SELECT daybook_key0, (+daybook_total0) FROM
// daybook_group ORDER BY 2 DESC, daybook_key0 DESC` on a table with one row for each country.

import { OWN } from './statement.ts';
import { isTable, listColumns, type TableName } from './tables.ts';
import { findClosing, readTokens, splitAt, splitConditions, type Token } from './tokens.ts';

/** An expression in SQL. Its column number 0 is called `daybook_0`, and so on. */
export type Expression = { sql: string; columns: readonly string[] };

export type Aggregate =
  | { name: 'rows' | 'visitor' | 'visit' }
  | { name: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'values'; expression: Expression };

export type Shape = {
  /** The table whose rows are grouped, and then the table that is joined. */
  tables: readonly TableName[];
  /** Each row must pass all of these conditions. */
  conditions: readonly Expression[];
  keys: readonly Expression[];
  aggregates: readonly Aggregate[];
  /**
   * True if visitors or visits are counted by their numbers, without their site. Visitors of two sites may have equal
   * numbers, so then only one site is allowed.
   */
  needsOneSite: boolean;
  /** The statement that reads the groups. */
  statement: string;
};

/** The table `daybook_group`, and the beginnings of the names of its columns, such as `daybook_key0`. */
export const KEY = `${OWN}key`;
export const TOTAL = `${OWN}total`;
export const GROUP = `${OWN}group`;

/** Words of expressions that are neither a column nor a function. */
const WORDS = new Set(
  'and or not in like glob between is null case when then else end escape isnull notnull true false'.split(' '),
);
/**
 * Functions whose value depends only on the arguments, or on the time for `now`. They end soon, and make no long texts.
 */
const FUNCTIONS = new Set(
  `abs ceil ceiling coalesce date datetime floor glob ifnull iif instr julianday length like lower ltrim max min mod
  nullif round rtrim sign sqrt strftime substr substring time trim typeof trunc unixepoch upper`.split(/\s+/),
);
const AGGREGATES = new Set(['count', 'sum', 'avg', 'min', 'max']);
/** Words that may follow an expression in the list after SELECT, in ORDER BY or in LIMIT. */
const AROUND = new Set(['as', 'asc', 'desc', 'nulls', 'first', 'last', 'limit', 'offset']);

const CLAUSES = ['select', 'from', 'where', 'group', 'having', 'order', 'limit'] as const;
type Clauses = Partial<Record<(typeof CLAUSES)[number], readonly Token[]>>;

class Unknown extends Error {}

export function readShape(text: string): Shape | undefined {
  try {
    return readClauses(splitClauses(readTokens(text) ?? give()));
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

function give(): never {
  throw new Unknown();
}

/** Splits a statement into its clauses. `GROUP BY` and `ORDER BY` are found by their first word. */
function splitClauses(tokens: readonly Token[]): Clauses {
  const clauses: Clauses = {};
  let [place, depth, begin] = [-1, 0, 0];
  for (const [i, { text }] of [...tokens, { text: ';' }].entries()) {
    depth += Number(text === '(') - Number(text === ')');
    const next = CLAUSES.indexOf(text as (typeof CLAUSES)[number]);
    if (text === 'select' && i > 0) give();
    if (depth !== 0 || (next < 0 && text !== ';')) continue;
    if (text !== ';' && next <= place) give();
    const clause = CLAUSES[place];
    if (clause) clauses[clause] = tokens.slice(begin, i);
    if (text === ';') break;
    const isTwoWords = text === 'group' || text === 'order';
    if (isTwoWords && tokens[i + 1]?.text !== 'by') give();
    [place, begin] = [next, i + (isTwoWords ? 2 : 1)];
  }
  return clauses;
}

function readClauses({ select = [], from = [], where, group, having, order, limit }: Clauses): Shape {
  const { tables, qualifiers } = readTables(from);
  const names = new Set(tables.flatMap(listColumns));
  const resolve = (tokens: readonly Token[]) => resolveColumns(tokens, names, qualifiers);
  const items = splitAt(resolve(select), ',').map(readItem);
  if (items.some(({ tokens }) => tokens[0]?.text === '*')) give();
  const aliases = new Set(items.flatMap(({ alias }) => alias ?? []));
  const keyTokens = group ? splitAt(resolve(group), ',').map((one) => readKey(one, items)) : [];
  const keys = keyTokens.map(makeExpression);
  // A key such as 1 has no column. Its number could be mistaken for the one in `LIMIT 1` or `ORDER BY 1`.
  if (keys.some(({ columns }) => columns.length === 0)) give();
  const aggregates = makeAggregates(keys);

  /** Replaces the keys and aggregates of an expression by the columns of `daybook_group`. */
  function rewrite(tokens: readonly Token[]): string {
    const parts: string[] = [];
    for (let i = 0; i < tokens.length; i++) {
      const { kind, text } = tokens[i] as Token;
      const key = findKey(tokens, i, keyTokens);
      const end = isCall(tokens, i) ? findClosing(tokens, i + 1) : i;
      if (key) {
        parts.push(key.sql);
        i += key.length - 1;
      } else if (isCall(tokens, i) && isAggregate(text, tokens.slice(i + 2, end))) {
        parts.push(`(+${TOTAL}${aggregates.add(text, tokens.slice(i + 2, end))})`);
        i = end;
      } else if (kind === 'column') give();
      else {
        if (kind === 'word' && !isCall(tokens, i) && !WORDS.has(text) && !AROUND.has(text) && !aliases.has(text))
          give();
        if (isCall(tokens, i) && !FUNCTIONS.has(text) && !WORDS.has(text)) give();
        parts.push(text);
      }
    }
    return parts.join(' ');
  }

  const shown = items.map(({ tokens, alias }) => `${rewrite(tokens)}${alias === undefined ? '' : ` AS ${alias}`}`);
  // `v.day` is a column even if an alias is called `day`, so aliases are found before columns are resolved.
  const terms = order ? splitAt(order, ',') : [];
  // Rows that are equal in ORDER BY come in the order of their keys, as in SQLite. If ORDER BY has as many terms as
  // GROUP BY, SQLite sorts key i in the direction of term i, unless all keys are days or sites, which have an index.
  const isSorted = terms.length === keys.length && !keys.every((key) => isColumn('day')(key) || isColumn('site')(key));
  const isReversed = (term: readonly Token[] = []): boolean => isSorted && term.some(({ text }) => text === 'desc');
  const sorted = [
    ...terms.map((term) => (isAlias(term, aliases) ? term.map(({ text }) => text).join(' ') : rewrite(resolve(term)))),
    ...keys.map((_, i) => `${KEY}${i}${isReversed(terms[i]) ? ' DESC' : ''}`),
  ];
  const clauses = [
    `SELECT ${shown.join(', ')} FROM ${GROUP}`,
    having && `WHERE (${rewrite(resolve(having))})`,
    sorted.length > 0 && `ORDER BY ${sorted.join(', ')}`,
    limit && `LIMIT ${rewrite(resolve(limit))}`,
  ];
  const conditions = where ? splitConditions(resolve(where)).map(makeExpression) : [];
  const { list } = aggregates;
  if (!group && list.length === 0) give();
  const needsOneSite = aggregates.areOfOneSite() && !keys.some(isColumn('site'));
  return { tables, conditions, keys, aggregates: list, needsOneSite, statement: clauses.filter(Boolean).join(' ') };
}

export const isColumn =
  (name: string) =>
  ({ sql, columns }: Expression): boolean =>
    columns[0] === name && sql === `${OWN}0`;

/** The columns that a join of two tables must compare, in alphabetical order. */
const JOINS: Record<string, string> = {
  'hits visits': 'day site visit',
  'properties visits': 'day site visit',
  'properties hits': 'day hit site visit',
};

/**
 * Matches `visits v`, and `hits JOIN visits v USING ( site , day , visit )`. In `hits LEFT JOIN`, the word LEFT is not
 * an alias: such a join keeps rows without a match, and is answered from rows.
 */
const FROM = /^(\w+)(?: as)?( (?!left |right |full )\w+)?(?: join (\w+)(?: as)?( \w+)? using \( ([\w ,]+) \))?$/;

/** Reads the clause FROM. The table with the most rows comes first. */
function readTables(from: readonly Token[]): { tables: TableName[]; qualifiers: Set<string> } {
  const text = from.map((token) => token.text).join(' ');
  const [, first = '', firstAlias, second, secondAlias, using = ''] = FROM.exec(text) ?? give();
  const order: readonly string[] = ['properties', 'hits', 'visits'];
  const names = second === undefined ? [first] : [first, second];
  const tables = names.map((name) => (order.includes(name) && isTable(name) ? name : give()));
  tables.sort((one, other) => order.indexOf(one) - order.indexOf(other));
  if (tables.length > 1 && JOINS[tables.join(' ')] !== using.split(' , ').sort().join(' ')) give();
  return { tables, qualifiers: new Set([firstAlias?.trim() ?? first, secondAlias?.trim() ?? second ?? first]) };
}

/**
 * Joins the tokens of each column to one token, such as `v.day` to `day`. Columns of joined tables that have the same
 * name also have the same value in each row, so their table does not matter.
 */
function resolveColumns(tokens: readonly Token[], names: Set<string>, qualifiers: Set<string>): Token[] {
  const resolved: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    const isQualified = tokens[i + 1]?.text === '.';
    const name = (isQualified ? tokens[i + 2] : token)?.text ?? '';
    const isName = token.kind === 'word' && names.has(name) && !isCall(tokens, i);
    if (isQualified && !(qualifiers.has(token.text) && isName)) give();
    if (isQualified) i += 2;
    resolved.push(isName && tokens[i - 1]?.text !== 'as' ? { kind: 'column', text: name } : token);
  }
  return resolved;
}

const isCall = (tokens: readonly Token[], i: number): boolean =>
  tokens[i]?.kind === 'word' && tokens[i + 1]?.text === '(' && !WORDS.has(tokens[i]?.text ?? '');

type Item = { tokens: readonly Token[]; alias: string | undefined };

/** Splits `count(*) AS visits`, or `count(*) visits`, into the expression and its alias. */
function readItem(tokens: readonly Token[]): Item {
  const [before, last] = tokens.slice(-2);
  if (!before || last?.kind === 'sign' || last?.kind === 'text') return { tokens, alias: undefined };
  if (before.text === 'as') return { tokens: tokens.slice(0, -2), alias: last?.text };
  const isAfter = before.text === ')' || before.kind === 'column' || before.text === 'end';
  if (!isAfter || last?.kind !== 'word' || WORDS.has(last.text)) return { tokens, alias: undefined };
  return { tokens: tokens.slice(0, -1), alias: last.text };
}

/** Reads a key of GROUP BY: an expression, or the alias or the number of a column of the result. */
function readKey(tokens: readonly Token[], items: readonly Item[]): readonly Token[] {
  const [{ kind, text } = give()] = tokens;
  if (tokens.length > 1 || kind === 'column') return tokens;
  const item = kind === 'number' ? items[Number(text) - 1] : items.find(({ alias }) => alias === text);
  return item?.tokens ?? give();
}

/**
 * Finds a key that begins at a token. A key that is no column and no call, such as `a + b`, must be the whole
 * expression. Otherwise, it could be found in `a + b * c`.
 */
function findKey(tokens: readonly Token[], at: number, keys: readonly (readonly Token[])[]) {
  for (const [i, key] of keys.entries()) {
    if (!key.every(({ kind, text }, n) => tokens[at + n]?.kind === kind && tokens[at + n]?.text === text)) continue;
    const isClosed =
      key[0]?.kind === 'column' ? key.length === 1 : isCall(key, 0) && findClosing(key, 1) === key.length - 1;
    if (!isClosed && key.length !== tokens.length) continue;
    const isPlain = key.length === 1 && key[0]?.kind === 'column';
    return { sql: isPlain ? `${KEY}${i}` : `(+${KEY}${i})`, length: key.length };
  }
  return undefined;
}

/** True if a term of ORDER BY is only an alias. In such a term, an alias is meant even if a column has its name. */
const isAlias = ([first, ...rest]: readonly Token[], aliases: Set<string>): boolean =>
  first !== undefined && aliases.has(first.text) && rest.every(({ text }) => AROUND.has(text));

const isAggregate = (name: string, args: readonly Token[]): boolean =>
  AGGREGATES.has(name) && splitAt(args, ',').length === 1;

function makeAggregates(keys: readonly Expression[]) {
  const list: Aggregate[] = [];
  let isOfOneSite = false;
  const find = (name: string, args: readonly Token[]): Aggregate => {
    if (name === 'count' && args.length === 1 && args[0]?.text === '*') return { name: 'rows' };
    if (args[0]?.text !== 'distinct') return { name, expression: makeExpression(args) } as Aggregate;
    if (name !== 'count') give();
    const numbers = readNumbers(args.slice(1), keys.some(isColumn('day')));
    if (!numbers) return { name: 'values', expression: makeExpression(args.slice(1)) };
    isOfOneSite ||= !numbers.hasSite;
    return { name: numbers.name };
  };
  return {
    list,
    areOfOneSite: () => isOfOneSite,
    add(name: string, args: readonly Token[]): number {
      return list.push(find(name, args)) - 1;
    },
  };
}

/**
 * Recognises `day || ' ' || visitor`, or the same with `visit`. Such a text is different for each visitor or visit,
 * because a date always has ten characters. The text may begin with the site. With `day` as a key, `visitor` or `visit`
 * alone is enough.
 */
function readNumbers(tokens: readonly Token[], isByDay: boolean) {
  const parts = splitAt(tokens, '||');
  if (parts.some(({ length }) => length !== 1)) return undefined;
  const columns = parts.flatMap(([part]) => (part?.kind === 'column' ? [part.text] : []));
  const texts = parts.flatMap(([part]) => (part?.kind === 'column' ? [] : [part]));
  if (texts.some((text) => text?.kind !== 'text' || !/^'[ /:]*'$/.test(text.text))) return undefined;
  const [name] = columns.splice(-1);
  if (name !== 'visitor' && name !== 'visit') return undefined;
  const known = columns.join(' ');
  if (known !== 'day' && known !== 'site day' && !(known === '' && isByDay && parts.length === 1)) return undefined;
  return { name, hasSite: known === 'site day' } as const;
}

function makeExpression(tokens: readonly Token[]): Expression {
  const columns: string[] = [];
  const parts = tokens.map(({ kind, text }, i) => {
    if (kind === 'column') {
      if (!columns.includes(text)) columns.push(text);
      return `${OWN}${columns.indexOf(text)}`;
    }
    if (kind === 'word' && !(isCall(tokens, i) ? FUNCTIONS : WORDS).has(text)) give();
    return text;
  });
  return { sql: parts.join(' '), columns };
}
