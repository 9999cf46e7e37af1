// The scenario of the demo's second site: the documentation of a program, with readers all over the world. visits.ts
// makes visits from the scenario.
//
// In lists of choices, numbers are weights, not percentages. "on", "from" and "to" count days back from today, as in
// bakery.ts.

import { AT_WORK, HEADLESS, WORLDWIDE } from './people.ts';
import type { Scenario } from './scenario.ts';

export const DOCS: Scenario = {
  domain: 'docs.example',
  timeZone: 'UTC',
  currency: '',
  visitors: 68,
  growth: 3.4,
  week: [0.55, 1.15, 1.25, 1.25, 1.2, 1.05, 0.55],
  hours: [8, 7, 6, 6, 7, 9, 13, 19, 24, 26, 25, 23, 24, 27, 29, 28, 26, 23, 20, 18, 16, 14, 12, 10],
  countries: WORLDWIDE,
  agents: AT_WORK,
  sources: [
    ['', 36],
    ['google.com', 32],
    ['github.com', 12],
    ['duckduckgo.com', 6],
    ['news.ycombinator.com', 2.5],
    ['stackoverflow.com', 2.5],
    ['reddit.com', 2.5],
    ['bing.com', 2.5],
    ['kagi.com', 1.2],
    ['lobste.rs', 0.8],
    ['mastodon.social', 0.8],
    ['search.brave.com', 0.8],
    ['linkedin.com', 0.5],
    ['youtube.com', 0.5],
    ['startpage.com', 0.5],
    ['selfhosting.example', 0.8],
    ['weeklylinks.example', 0.6],
  ],
  assistants: [
    ['chatgpt.com', 10],
    ['claude.ai', 7],
    ['perplexity.ai', 4],
    ['gemini.google.com', 3],
    ['copilot.microsoft.com', 2],
    ['chat.mistral.ai', 1],
    ['chat.deepseek.com', 1],
  ],
  entries: [
    ['/', 30],
    ['/install', 14],
    ['/guides/backup', 9],
    ['/guides/reverse-proxy', 9],
    ['/reference/api', 8],
    ['/reference/configuration', 8],
    ['/install/docker', 7],
    ['/faq', 6],
    ['/changelog', 4],
    ['/blog/version-2', 2],
    ['/guides/import', 3],
    ['/install/windows', 1],
  ],
  links: {
    '/': [
      ['', 36],
      ['/install', 34],
      ['/first-steps', 8],
      ['/reference/api', 8],
      ['/faq', 7],
      ['/changelog', 7],
    ],
    '/install': [
      ['', 38],
      ['/install/docker', 24],
      ['/first-steps', 28],
      ['/guides/reverse-proxy', 10],
    ],
    '/install/docker': [
      ['', 44],
      ['/first-steps', 30],
      ['/guides/reverse-proxy', 16],
      ['/guides/backup', 10],
    ],
    '/first-steps': [
      ['', 42],
      ['/reference/configuration', 22],
      ['/guides/import', 18],
      ['/reference/api', 18],
    ],
    '/blog/version-2': [
      ['', 52],
      ['/', 26],
      ['/install', 14],
      ['/changelog', 8],
    ],
    '/install/windows': [
      ['', 55],
      ['/install', 45],
    ],
    '': [
      ['', 60],
      ['/reference/configuration', 9],
      ['/reference/api', 9],
      ['/guides/backup', 7],
      ['/faq', 7],
      ['/', 8],
    ],
  },
  actions: {
    '/install': [
      {
        event: 'Copy command',
        labels: [
          ['npx', 6],
          ['curl', 3],
        ],
        share: 0.36,
      },
    ],
    '/install/docker': [
      {
        event: 'Copy command',
        labels: [
          ['docker run', 5],
          ['compose', 6],
        ],
        share: 0.46,
      },
    ],
    '/faq': [
      {
        event: 'Helpful',
        labels: [
          ['Yes', 7],
          ['No', 2],
        ],
        share: 0.12,
      },
    ],
    '/guides/backup': [
      {
        event: 'Helpful',
        labels: [
          ['Yes', 9],
          ['No', 1],
        ],
        share: 0.1,
      },
    ],
    '/': [
      {
        event: 'Search',
        labels: [
          ['backup', 6],
          ['docker', 6],
          ['proxy', 4],
          ['import', 3],
          ['api token', 3],
          ['export', 2],
        ],
        share: 0.06,
      },
      {
        event: 'Outbound link',
        labels: [
          ['code.example/program', 8],
          ['chat.example/program', 3],
        ],
        share: 0.09,
      },
    ],
    '/changelog': [{ event: 'Outbound link', labels: [['code.example/program/releases', 1]], share: 0.2 }],
    '/install/windows': [{ event: '404', labels: [['/install/windows', 1]], share: 1 }],
  },
  properties: {
    'Copy command': { shell: ['bash', 'zsh', 'bash', 'powershell', 'bash', 'fish', 'zsh'] },
    '/reference/api': { version: ['2', '2', '1', '2'] },
    '/reference/configuration': { version: ['2', '1', '2'] },
    '/guides/backup': { version: ['2', '2', '2', '1'] },
    '/guides/import': { version: ['2', '1'] },
  },
  campaigns: [
    {
      from: 245,
      to: 236,
      share: 0.1,
      entry: '/',
      tags: { source: 'weekly-links', medium: 'newsletter', campaign: 'issue-41' },
    },
    {
      from: 60,
      to: 45,
      share: 0.08,
      entry: '/install',
      tags: { source: 'podcast', medium: 'audio', campaign: 'self-hosting-talk' },
    },
    {
      from: 9,
      to: 0,
      share: 0.09,
      entry: '/blog/version-2',
      tags: { source: 'release-mail', medium: 'email', campaign: 'version-2' },
    },
  ],
  spikes: [
    { on: 9, times: 3.2, source: 'news.ycombinator.com', entry: '/blog/version-2' },
    { on: 188, times: 2.8, source: 'reddit.com', entry: '/' },
    { on: 420, times: 2.4, source: 'lobste.rs', entry: '/' },
  ],
  waves: [{ on: 26, visitors: 340, country: 'SG', agent: HEADLESS }],
  shifts: [
    { on: 130, times: 1.4 },
    { on: 260, times: 0.7 },
  ],
  lulls: [],
  notes: [
    { on: 9, text: 'Version 2 released' },
    { on: 60, text: 'Podcast about self-hosting' },
    { on: 130, text: 'New page on reverse proxies' },
    { on: 188, text: 'Thread on Reddit' },
    { on: 260, text: 'Pages of version 0 taken down' },
    { on: 420, text: 'Version 1 released' },
  ],
  goals: [
    { type: 'event', value: 'Copy command' },
    { type: 'page', value: '/first-steps' },
    { type: 'event', value: 'Helpful' },
  ],
  funnels: [
    {
      name: 'Getting started',
      steps: [
        { type: 'page', value: '/' },
        { type: 'page', value: '/install' },
        { type: 'event', value: 'Copy command' },
        { type: 'page', value: '/first-steps' },
      ],
    },
  ],
};
