// The scenario of the demo's first site: a bakery in Berlin with customers who live nearby. visits.ts makes visits from
// the scenario.
//
// In lists of choices, numbers are weights, not percentages. A source with weight 30 is chosen three times as often as
// a source with weight 10. "on", "from" and "to" count days back from today, therefore the demo always has recent
// visits.

import { AT_HOME, HEADLESS, NEARBY } from './people.ts';
import type { Scenario } from './scenario.ts';

export const BAKERY: Scenario = {
  domain: 'bakery.example',
  timeZone: 'Europe/Berlin',
  currency: 'EUR',
  visitors: 44,
  growth: 2.2,
  week: [1.15, 0.7, 0.75, 0.85, 1, 1.2, 1.5],
  hours: [1, 1, 1, 1, 2, 5, 12, 22, 26, 26, 24, 25, 27, 22, 20, 21, 24, 27, 26, 22, 18, 13, 7, 3],
  countries: NEARBY,
  agents: AT_HOME,
  sources: [
    ['', 34],
    ['google.com', 30],
    ['google.de', 9],
    ['instagram.com', 10],
    ['facebook.com', 5],
    ['bing.com', 4],
    ['duckduckgo.com', 3],
    ['pinterest.com', 3],
    ['ecosia.org', 1.5],
    ['townguide.example', 2.5],
    ['breadlovers.example', 1.2],
    ['farmersmarket.example', 1],
    ['reddit.com', 0.8],
    ['search.brave.com', 0.6],
    ['youtube.com', 0.6],
    ['bsky.app', 0.3],
  ],
  assistants: [
    ['chatgpt.com', 10],
    ['perplexity.ai', 3],
    ['gemini.google.com', 3],
    ['claude.ai', 2],
    ['copilot.microsoft.com', 1],
  ],
  entries: [
    ['/', 40],
    ['/opening-hours', 16],
    ['/bread', 10],
    ['/recipes/sourdough', 12],
    ['/cakes', 6],
    ['/recipes/rye', 4],
    ['/order', 4],
    ['/recipes/focaccia', 4],
    ['/recipes', 2],
    ['/jobs', 1],
    ['/old-menu', 1],
  ],
  links: {
    '/': [
      ['', 34],
      ['/bread', 22],
      ['/opening-hours', 14],
      ['/cakes', 12],
      ['/order', 10],
      ['/about', 6],
      ['/recipes', 6],
    ],
    '/bread': [
      ['', 34],
      ['/order', 30],
      ['/cakes', 12],
      ['/opening-hours', 10],
      ['/', 8],
    ],
    '/cakes': [
      ['', 36],
      ['/order', 26],
      ['/bread', 16],
      ['/opening-hours', 8],
    ],
    '/order': [
      ['', 44],
      ['/order/thanks', 40],
      ['/bread', 10],
      ['/cakes', 6],
    ],
    '/order/thanks': [
      ['', 88],
      ['/', 12],
    ],
    '/opening-hours': [
      ['', 74],
      ['/', 12],
      ['/bread', 8],
      ['/order', 6],
    ],
    '/about': [
      ['', 50],
      ['/jobs', 14],
      ['/opening-hours', 16],
      ['/bread', 20],
    ],
    '/recipes': [
      ['', 24],
      ['/recipes/sourdough', 40],
      ['/recipes/rye', 20],
      ['/recipes/focaccia', 16],
    ],
    '/old-menu': [
      ['', 60],
      ['/', 40],
    ],
    '': [
      ['', 70],
      ['/recipes', 12],
      ['/bread', 10],
      ['/', 8],
    ],
  },
  actions: {
    '/order/thanks': [
      {
        event: 'Order',
        labels: [
          ['Sourdough', 38],
          ['Croissants', 24],
          ['Rye', 14],
          ['Birthday cake', 10],
          ['Focaccia', 8],
          ['Cinnamon buns', 6],
        ],
        share: 1,
        prices: {
          ...{ Sourdough: '6.40', Croissants: '2.20', Rye: '5.90' },
          ...{ 'Birthday cake': '38.50', Focaccia: '7.50', 'Cinnamon buns': '3.10' },
        },
      },
    ],
    '/recipes/sourdough': [{ event: 'Download', labels: [['bakery.example/sourdough.pdf', 1]], share: 0.14 }],
    '/recipes/rye': [{ event: 'Download', labels: [['bakery.example/rye.pdf', 1]], share: 0.11 }],
    '/': [
      {
        event: 'Newsletter',
        labels: [
          ['Footer', 3],
          ['Pop-up', 1],
        ],
        share: 0.025,
      },
    ],
    '/opening-hours': [
      {
        event: 'Outbound link',
        labels: [
          ['maps.example/bakery', 8],
          ['bus.example/timetable', 2],
        ],
        share: 0.22,
      },
    ],
    '/about': [{ event: 'Outbound link', labels: [['mill.example/flour', 1]], share: 0.1 }],
    '/old-menu': [{ event: '404', labels: [['/old-menu', 1]], share: 1 }],
  },
  properties: {
    Order: {
      pickup: ['shop', 'shop', 'delivery', 'shop', 'market stall'],
      payment: ['card', 'cash', 'card', 'invoice', 'card', 'cash', 'card'],
    },
    '/recipes/sourdough': { author: ['Mara'] },
    '/recipes/rye': { author: ['Jonas'] },
    '/recipes/focaccia': { author: ['Mara'] },
  },
  campaigns: [
    {
      from: 340,
      to: 318,
      share: 0.2,
      entry: '/cakes',
      tags: { source: 'newsletter', medium: 'email', campaign: 'winter-cakes' },
    },
    {
      from: 215,
      to: 200,
      share: 0.16,
      entry: '/bread',
      tags: { source: 'instagram', medium: 'social', campaign: 'bread-week' },
    },
    {
      from: 84,
      to: 69,
      share: 0.3,
      entry: '/order',
      tags: { source: 'flyer', medium: 'print', campaign: 'order-online' },
    },
    {
      from: 24,
      to: 0,
      share: 0.14,
      entry: '/cakes',
      tags: { source: 'newsletter', medium: 'email', campaign: 'season-opening' },
    },
    {
      from: 12,
      to: 3,
      share: 0.09,
      entry: '/bread',
      tags: { source: 'google', medium: 'cpc', campaign: 'fresh-bread' },
    },
  ],
  spikes: [
    { on: 17, times: 3.4, source: 'dailynews.example', entry: '/about' },
    { on: 152, times: 2.6, source: 'townguide.example', entry: '/' },
    { on: 510, times: 2.2, source: 'breadlovers.example', entry: '/recipes/sourdough' },
  ],
  waves: [{ on: 2, visitors: 150, country: 'SG', agent: HEADLESS }],
  shifts: [],
  lulls: [
    { from: 118, to: 106, times: 0.45 },
    { from: 480, to: 466, times: 0.45 },
  ],
  notes: [
    { on: 17, text: 'The Daily News wrote about us' },
    { on: 24, text: 'Season newsletter sent' },
    { on: 84, text: 'Order online: flyers in every bag' },
    { on: 118, text: 'Closed for two weeks' },
    { on: 152, text: 'Best bakery in the town guide' },
    { on: 215, text: 'Bread week' },
    { on: 510, text: 'Our sourdough on Bread Lovers' },
  ],
  goals: [
    { type: 'event', value: 'Order' },
    { type: 'event', value: 'Newsletter' },
    { type: 'page', value: '/order' },
  ],
  funnels: [
    {
      name: 'From bread to order',
      steps: [
        { type: 'page', value: '/bread' },
        { type: 'page', value: '/order' },
        { type: 'event', value: 'Order' },
      ],
    },
    {
      name: 'From the front page to order',
      steps: [
        { type: 'page', value: '/' },
        { type: 'page', value: '/order' },
        { type: 'page', value: '/order/thanks' },
        { type: 'event', value: 'Order' },
      ],
    },
  ],
};
