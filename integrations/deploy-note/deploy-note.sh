#!/usr/bin/env bash
# Adds a note to the chart of a site in daybook. Needs curl and node. All values come from the environment: NOTE_SERVER,
# NOTE_SITE, NOTE_TOKEN, NOTE_TEXT, NOTE_COMMIT, NOTE_URL, NOTE_AT and NOTE_EFFECT. The last four may be empty.
#
# A text may have any characters, because node writes the JSON. The token is in no argument, so `ps` does not show it.
set -euo pipefail

site=$(node --print 'encodeURIComponent(process.env.NOTE_SITE)')
note=$(node --print '
  const { NOTE_TEXT: text = "", NOTE_COMMIT: commit = "", NOTE_URL: url, NOTE_AT: at } = process.env;
  const effect = process.env.NOTE_EFFECT === "true";
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim() || "Deploy";
  const short = commit.slice(0, 7);
  const end = short === "" || line.includes(short) ? "" : ` ${short}`;
  const cut = [...line].slice(0, 200 - end.length).join("");
  JSON.stringify({ at: at || new Date().toISOString(), text: cut + end, url: url || null, effect });
')

curl --proto '=http,https' --globoff --silent --show-error --fail-with-body --max-time 30 \
  --header @<(printf 'Authorization: Bearer %s\n' "$NOTE_TOKEN") \
  --header 'Content-Type: application/json' --data-binary @<(printf '%s' "$note") \
  --url "${NOTE_SERVER%/}/api/v1/sites/$site/notes"
echo
