import * as v from 'valibot';
import { Id, text } from '../lib/fields.ts';
import type { Operator } from '../stats/dimensions.ts';
import * as views from '../store/views.ts';
import { type Condition, FILTER_KEYS, type FilterKey, isTyped, partsOf } from '../web/view.ts';
import { Question } from './question.ts';
import type { SiteCall } from './route.ts';

export const SavedView = v.strictObject({ id: Id, name: v.string(), query: v.string() });
export type SavedView = v.InferOutput<typeof SavedView>;

const MOST_LETTERS = 2_000;
const HELP = "Must be what stands behind ? in the dashboard's address, such as range=7d&country=DE.";

const OPERATORS: Record<Condition, Operator> = { is: 'is', not: 'not', contains: 'like', lacks: 'unlike' };
const isKey = (name: string): name is FilterKey => (FILTER_KEYS as readonly string[]).includes(name);

/** The parameters of the reports that the dashboard asks for at such an address. */
function parametersIn(query: string): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'range') parameters.range = value;
    if (!isKey(name)) continue;
    const [filter, condition] = partsOf(name);
    const parameter = `filters[${filter}][${OPERATORS[condition]}]`;
    const values = (parameters[parameter] ?? []) as string[];
    parameters[parameter] = [...values, isTyped(condition) ? `*${value}*` : value];
  }
  return parameters;
}

const Asked = v.strictObject(Question);

/** What the reports would refuse is refused here too; what only the page knows, such as an open tab, is not looked at. */
const Query = v.pipe(
  v.string(HELP),
  v.maxLength(MOST_LETTERS, `Must have at most ${MOST_LETTERS} characters.`),
  v.regex(/^[^?#\s]*$/u, HELP),
  v.check((query) => v.safeParse(Asked, parametersIn(query)).success, HELP),
);

export const NewView = v.strictObject({ name: text(100), query: Query });

export const list = ({ db, site }: SiteCall): SavedView[] => views.listViews(db, site.id);

export const room = ({ db, site }: SiteCall): void => views.assertRoomForView(db, site.id);

export const add = ({ db, site, body }: SiteCall<v.InferOutput<typeof NewView>>): SavedView =>
  views.addView(db, site.id, body);

export const remove = ({ db, site, id }: SiteCall): void => views.removeView(db, site.id, id);
