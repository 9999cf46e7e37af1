// Lists the fields of a hit in an import file, and the check of each field. Files of all products are turned into these
// fields.
//
// Invariant: a value that passes its check can be stored. file-hits.ts checks the fields that must be parsed, or that
// depend on another field.
//
// Example: `country` must be two letters. A file with the country Germany is refused, and the error names the line. An
// export uses the same names of fields. Test: test/exchange/products/ndjson.test.ts.
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
 * Placeholders in exported URLs: `UNKNOWN_HOST` for a hit without a host name, and `OTHER_PAGE` for a hit whose day had
 * too many pages. An import turns them into an empty host name and the page `(other)` again. Browsers never send them.
 */
export const UNKNOWN_HOST = '(unknown)';
export const OTHER_PAGE = `/${OTHER}`;

/**
 * A hit as texts, as it is in the file. An empty text counts as a missing field
 * (test/exchange/products/ndjson.test.ts).
 */
export type FileHit = Partial<Record<Field, string>>;

/** Says what is wrong with a value. Returns undefined if the value is right. */
type Check = (value: string) => string | undefined;

/** Accepts every value. Fields such as the URL have no check of their own, because file-hits.ts parses them. */
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
  // If a day has reached its limit of regions or languages, its export contains "(other)".
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
/** The fields that have a check of their own, with the check. */
export const CHECKS = Object.entries(FIELDS).filter(([, check]) => check !== checkedByReader) as [Field, Check][];
