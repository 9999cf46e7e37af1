// The fields of a hit in an import file, with the check of each. Files of all products become these fields.
// Invariant: a value that passes its check can be stored. Fields that need more are checked by file-hits.ts.
// Example: `country` must be two letters. A file with the country Germany is refused at its line.
// An export writes the same names. Test: test/exchange/products/ndjson.test.ts.
import { SCREEN_NAMES } from '../../classify/screen.ts';
import { DIMENSIONS, FILE_TEXT_FIELDS, type FileTextField, OTHER } from '../../stats/dimensions.ts';
import { VITALS_TEXT } from '../../stats/vitals.ts';

type OtherField =
  | 'at'
  | 'url'
  | 'referrer'
  | 'props'
  | 'revenue'
  | 'engaged'
  | 'scroll'
  | 'vitals'
  | 'visitor'
  | 'ip'
  | 'agent';
export type Field = OtherField | FileTextField;

/**
 * The host in the URL of a hit without a host name. Also the path of a page beyond the limit of a day. An export writes
 * them, and an import reads them back. No browser sends them.
 */
export const UNKNOWN_HOST = '(unknown)';
export const OTHER_PAGE = `/${OTHER}`;

/**
 * A hit as its file has it, as texts. An empty text counts as a missing field (test/exchange/products/ndjson.test.ts).
 */
export type FileHit = Partial<Record<Field, string>>;

/** Gives what is wrong with the value, or undefined. */
type Check = (value: string) => string | undefined;

/** Fields such as the URL are checked when they are parsed, so this check accepts everything. */
const checkedByReader: Check = () => undefined;

const atMost =
  (longest: number): Check =>
  (value) => {
    if (value.length > longest && [...value].length > longest) return `must have at most ${longest} characters`;
    return value.isWellFormed() ? undefined : 'must be well-formed Unicode';
  };

const matching =
  (pattern: RegExp, help: string): Check =>
  (value) =>
    pattern.test(value) ? undefined : help;

/** The checks of text fields with special rules. Any other text field may have up to 200 characters. */
const WORD_CHECKS: Partial<Record<FileTextField, Check>> = {
  event: atMost(120),
  country: matching(/^(?:[a-z]{2}|T1)$/i, 'must be two letters such as DE'),
  // A day may reach its limit of regions or languages, and its export then has "(other)".
  region: matching(/^(?:[a-z]{2}-[a-z0-9]{1,3}|\(other\))$/i, 'must be a code such as DE-BE'),
  device: matching(/^(?:Desktop|Mobile|Tablet)$/, 'must be Desktop, Mobile or Tablet'),
  screen: matching(new RegExp(`^(?:${SCREEN_NAMES.join('|')})$`), `must be one of ${SCREEN_NAMES.join(', ')}`),
  language: matching(/^(?:[a-z]{2,3}|\(other\))$/, 'must be two or three lower-case letters such as de'),
};

const wordFields = (kind: 'hit' | 'visit') =>
  Object.fromEntries(
    FILE_TEXT_FIELDS.filter((name) => DIMENSIONS[name].kind === kind).map((name) => [
      name,
      WORD_CHECKS[name] ?? atMost(200),
    ]),
  );

const FIELDS = {
  at: checkedByReader,
  url: checkedByReader,
  referrer: checkedByReader,
  ...wordFields('hit'),
  props: checkedByReader,
  revenue: checkedByReader,
  engaged: matching(/^\d{1,5}$/, 'must be whole seconds, with at most five digits'),
  scroll: matching(/^(?:100|\d{1,2})$/, 'must be a whole number from 0 to 100'),
  vitals: matching(VITALS_TEXT, 'must be such as lcp=2400 inp=80 cls=0.05'),
  visitor: checkedByReader,
  ip: checkedByReader,
  agent: checkedByReader,
  ...wordFields('visit'),
} as Record<Field, Check>;

export const FIELD_NAMES = Object.keys(FIELDS) as Field[];
/** The fields whose values are checked alone, each with its check. */
export const CHECKS = Object.entries(FIELDS).filter(([, check]) => check !== checkedByReader) as [Field, Check][];
