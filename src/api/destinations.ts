// Notification channels in the API: where alerts, reports and reached goals of a site go, besides e-mails. The code
// calls them destinations, because "channel" also means how a visit came, such as by a search.
//
// Invariant: no answer contains a URL, a token or a secret. Instead, an answer has the place where the messages go,
// such as hooks.slack.com. A change of settings must send all settings. Otherwise, somebody could change only the URL,
// and get the stored token.
//
// Example: POST /sites/7/channels with `{ "kind": "ntfy", "name": "Phone", "settings": { "topic": "bakery-7f3a" } }`
// answers `"place": "ntfy.sh"`. The table in routes.ts calls these functions.
import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { sendMessage } from '../destinations/send.ts';
import { findPlace, findUrlFault, SETTINGS, type Settings } from '../destinations/settings.ts';
import { writeTest } from '../destinations/test-message.ts';
import { coded } from '../lang/coded.ts';
import { LANGUAGES } from '../lang/languages.ts';
import { inEnglish } from '../lang/sentences.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Switch, Time, text } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { iso } from '../lib/time.ts';
import { findLanguage } from '../store/people/users.ts';
import * as destinations from '../store/sites/destinations.ts';
import type { NamedSchemas } from './json-schema.ts';
import { TextCode } from './notices.ts';
import type { SiteCall } from './route.ts';

const { DESTINATION_KINDS, MESSAGE_KINDS } = destinations;

const FAILURE = {
  failure: v.nullable(v.pipe(v.string(), v.description('Why the last message was not accepted'))),
  failure_code: v.nullable(TextCode),
};

export const NotificationChannel = v.strictObject({
  id: Id,
  kind: v.picklist(DESTINATION_KINDS),
  name: v.string(),
  place: v.pipe(v.string(), v.description('Where its messages go. The URL and the token are secret')),
  messages: v.array(v.picklist(MESSAGE_KINDS)),
  language: v.picklist(LANGUAGES),
  paused: v.boolean(),
  sent_at: v.nullable(Time),
  failed_at: v.nullable(Time),
  ...FAILURE,
  created_at: Time,
});
export type NotificationChannel = v.InferOutput<typeof NotificationChannel>;

export const ChannelTest = v.strictObject({ delivered: v.boolean(), ...FAILURE });
export type ChannelTest = v.InferOutput<typeof ChannelTest>;

const Name = text(100);
export const ChannelMessages = v.pipe(
  v.array(v.picklist(MESSAGE_KINDS, fault('none_of', { known: MESSAGE_KINDS.join(', ') })), fault('no_list')),
  v.minLength(1, fault('no_value')),
  v.maxLength(MESSAGE_KINDS.length, fault('too_many_values', { most: MESSAGE_KINDS.length })),
  v.transform((list) => MESSAGE_KINDS.filter((kind) => list.includes(kind))),
);
const Language = v.picklist(LANGUAGES, fault('none_of', { known: LANGUAGES.join(', ') }));
/**
 * The messages that a new channel gets if the request does not name any. Reached goals are left out, because a goal may
 * be reached many times a day.
 */
const USUAL_MESSAGES = MESSAGE_KINDS.filter((kind) => kind !== 'goals');

export const NewNotificationChannel = v.variant(
  'kind',
  DESTINATION_KINDS.map((kind) =>
    v.strictObject({
      kind: v.literal(kind),
      name: Name,
      settings: SETTINGS[kind],
      messages: v.optional(ChannelMessages, USUAL_MESSAGES),
      language: v.optional(Language),
      paused: v.optional(Switch, false),
    }),
  ),
  fault('none_of', { known: DESTINATION_KINDS.join(', ') }),
);
type NewNotificationChannel = v.InferOutput<typeof NewNotificationChannel>;

const nameSettings = (kind: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}Settings`;

/**
 * The schemas of the settings of each kind, with names such as `SlackSettings`. Without these names, code generators
 * would give two types the same name.
 */
export const NAMED_SETTINGS: NamedSchemas = Object.fromEntries(
  DESTINATION_KINDS.map((kind) => [nameSettings(kind), SETTINGS[kind]]),
);

const AnySettings = v.pipe(
  v.record(v.string(), v.string(fault('no_text')), fault('no_object')),
  v.description('All settings of its kind. They replace the stored ones'),
);
export const NotificationChannelChange = v.partial(
  v.strictObject({ name: Name, settings: AnySettings, messages: ChannelMessages, language: Language, paused: Switch }),
);
type NotificationChannelChange = v.InferOutput<typeof NotificationChannelChange>;

export const list = ({ db, site }: SiteCall): NotificationChannel[] =>
  destinations.listDestinations(db, site.id).map(answer);

export const assertRoom = ({ db, site }: SiteCall): void => destinations.assertRoomForDestination(db, site.id);

export function add({ db, site, body, caller, now, api }: SiteCall<NewNotificationChannel>): NotificationChannel {
  const { settings, ...chosen } = body;
  const language = body.language ?? findLanguage(db, caller.userId) ?? 'en';
  const stored = readSettings(body.kind, settings, api.config.channels);
  return answer(destinations.addDestination(db, site.id, { ...chosen, language, now }, stored));
}

export function change(call: SiteCall<NotificationChannelChange>): NotificationChannel {
  const { db, site, id, body, now, api } = call;
  const { settings, ...chosen } = body;
  const old = destinations.findDestination(db, site.id, id) as destinations.Destination;
  if (settings) destinations.changeSettings(db, id, readSettings(old.kind, settings, api.config.channels));
  const changed = { ...old, ...chosen, now } as destinations.Destination & { now: number };
  return answer(destinations.changeDestination(db, site.id, id, changed));
}

export const remove = ({ db, site, id }: SiteCall): void => destinations.removeDestination(db, site.id, id);

/** Sends a test message at once, also to a channel that is paused. */
export async function sendTest({ db, site, id, now, api, signal, caller }: SiteCall): Promise<ChannelTest> {
  const taken = api.limits.channelTests.take(caller.userId);
  if (!taken.allowed) throw makeRateProblem(api.clock, taken);
  const { config } = api;
  const { kind, language } = destinations.findDestination(db, site.id, id) as destinations.Destination;
  const settings = destinations.findSettings(db, id) as Settings[typeof kind] | undefined;
  const message = writeTest({ id, site: site.domain, baseUrl: config.baseUrl, language, now });
  const { taken: delivered, reason } = await sendMessage({ kind, settings, allowed: config.channels }, message, {
    now,
    stop: signal(),
  });
  if (delivered) destinations.noteAccepted(db, id, now);
  else destinations.noteFailure(db, id, reason, now);
  return { delivered, ...(delivered ? { failure: null, failure_code: null } : describeFailure(reason)) };
}

/** Checks the settings with the schema of the channel's kind, and their URL. A PATCH does not name the kind itself. */
function readSettings(
  kind: destinations.DestinationKind,
  given: object,
  allowed: 'public' | 'private' | 'none',
): destinations.NewSettings {
  const { settings } = checked(v.strictObject({ settings: SETTINGS[kind] }), { settings: given });
  const wrong = findUrlFault(kind, settings.url, allowed);
  if (wrong) throw invalid({ 'settings.url': wrong });
  return { place: findPlace(settings), settings };
}

const describeFailure = (failure: destinations.Destination['failure']) => ({
  failure: failure && inEnglish(failure),
  failure_code: failure,
});

const answer = ({ has_settings, sent_at, failed_at, failure, created_at, ...rest }: destinations.Destination) => ({
  ...rest,
  sent_at: sent_at === null ? null : iso(sent_at),
  failed_at: failed_at === null ? null : iso(failed_at),
  ...describeFailure(has_settings ? failure : coded('settings_missing')),
  created_at: iso(created_at),
});
