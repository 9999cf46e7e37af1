import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { Id, Time } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import { parseUrl } from '../lib/url.ts';
import * as embeds from '../store/sites/embeds.ts';
import type { SiteCall } from './route.ts';

export const Embed = v.strictObject({ id: Id, origin: v.string(), created_at: Time });
export type Embed = v.InferOutput<typeof Embed>;

const HELP = fault('no_origin');

/**
 * An origin, such as https://example.com, that can stand in the header Content-Security-Policy. The header allows no
 * IPv6 address. Browsers ignore a host with `_`, or with nothing between two dots. Characters such as `*` have another
 * meaning in the header.
 */
const PLAIN = /^https?:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d+)?$/;

export const Origin = v.pipe(
  v.string(HELP),
  v.maxLength(300, HELP),
  v.check((text) => {
    const url = parseUrl(text);
    return PLAIN.test(url?.origin ?? '') && url?.href === `${url?.origin}/`;
  }, HELP),
  v.metadata({ format: 'uri', pattern: '^https?://[^/?#@]+/?$' }),
  v.transform((text) => new URL(text).origin),
);

export const NewEmbed = v.strictObject({ origin: Origin });

export const list = ({ db, site }: SiteCall): Embed[] => embeds.listEmbeds(db, site.id).map(answer);

export const assertRoom = ({ db, site }: SiteCall): void => embeds.assertRoomForEmbed(db, site.id);

export const add = ({ db, site, body, now }: SiteCall<v.InferOutput<typeof NewEmbed>>): Embed =>
  answer(embeds.addEmbed(db, site.id, body.origin, now));

export const remove = ({ db, site, id }: SiteCall): void => embeds.removeEmbed(db, site.id, id);

const answer = (embed: embeds.Embed): Embed => ({ ...embed, created_at: iso(embed.created_at) });
