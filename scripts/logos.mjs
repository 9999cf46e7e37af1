// Makes src/dashboard/report/panels/logos.json, which is part of the repository. The icons come from the package
// simple-icons (version 16.37.0). Their authors gave them to the public domain (CC0). Usage: node scripts/logos.mjs
// node_modules/simple-icons/icons
import { readFileSync, writeFileSync } from 'node:fs';

const [, , folder] = process.argv;

/**
 * The icon of each name that the dashboard looks up. Most icons have the same name. Microsoft and LinkedIn do not allow
 * their icons in this package.
 */
const ICONS = {
  ...Object.fromEntries(
    `android apple baidu bluesky brave claude discord duckduckgo ecosia facebook github gitlab google instagram kagi linux mastodon
     medium opera perplexity pinterest producthunt quora qwant reddit samsung stackoverflow startpage substack telegram threads
     tiktok tumblr vivaldi vk whatsapp wikipedia x ycombinator youtube`
      .split(/\s+/)
      .map((name) => [name, name]),
  ),
  chrome: 'googlechrome',
  firefox: 'firefoxbrowser',
  gemini: 'googlegemini',
  dev: 'devdotto',
};

/** Two simple logos that are drawn here: a compass and four panes. */
const DRAWN = {
  safari: 'M12 0a12 12 0 1 0 0 24 12 12 0 0 0 0-24zm0 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm6 4-8 4-4 8 8-4z',
  windows: 'M1 1h10.4v10.4H1zm11.6 0H23v10.4H12.6zM1 12.6h10.4V23H1zm11.6 0H23V23H12.6z',
};

const pathOf = (icon) => / d="([^"]+)"/.exec(readFileSync(`${folder}/${icon}.svg`, 'utf8'))[1];
const logos = { ...Object.fromEntries(Object.entries(ICONS).map(([name, icon]) => [name, pathOf(icon)])), ...DRAWN };
const sorted = Object.fromEntries(Object.entries(logos).sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync(
  new URL('../src/dashboard/report/panels/logos.json', import.meta.url),
  `${JSON.stringify(sorted, null, 2)}\n`,
);
