// The table of routes is the whole API: a path without a row does not exist.
//
// A row names its right, the schemas of its query, body and answer, and the function that does the work. `mount.ts`
// mounts each row, and `openapi.ts` describes each row. Some rows are tools of AI assistants too (`src/mcp/tools.ts`).
// test/api/matrix.test.ts tries every row with every kind of caller.
//
// For example, the row of GET /sites/{site}/goals has the right `readSite` and calls `list` of `goals.ts`. This row
// also allows share links.

import * as v from 'valibot';
import * as account from './account.ts';
import * as allSites from './all-sites.ts';
import * as answers from './answers.ts';
import * as arrivals from './arrivals.ts';
import * as effects from './effects.ts';
import * as embeds from './embeds.ts';
import * as exclusions from './exclusions.ts';
import * as funnels from './funnels.ts';
import * as goals from './goals.ts';
import * as hits from './hits.ts';
import * as notes from './notes.ts';
import * as outages from './outages.ts';
import * as privatePaths from './private-paths.ts';
import { ReportQuery } from './query.ts';
import * as receipts from './receipts.ts';
import { route } from './route.ts';
import * as server from './server.ts';
import * as sessions from './sessions.ts';
import * as sites from './sites.ts';
import * as stats from './stats.ts';
import * as suggestions from './suggestions.ts';
import * as team from './team.ts';
import * as tokens from './tokens.ts';
import * as views from './views.ts';

// biome-ignore format: each route stands in one line, so that the whole API fits on a screen
export const routes = [
  route({ method: 'GET', path: '/account', right: 'seeAccount', summary: 'Plan, usage, limits and the abilities of the token', answer: account.Account, handle: account.show }),
  route({ method: 'GET', path: '/account/language', right: 'readAccount', summary: 'The language of your dashboard; null where it is that of the browser', answer: account.AccountLanguage, handle: account.showLanguage }),
  route({ method: 'PATCH', path: '/account/language', right: 'changeAccount', summary: 'Choose the language of your dashboard', body: account.AccountLanguage, answer: account.AccountLanguage, handle: account.chooseLanguage }),

  route({ method: 'GET', path: '/sites', right: 'readAccount', summary: 'All sites you may see', answer: v.array(sites.Site), handle: sites.list }),
  route({ method: 'POST', path: '/sites', right: 'addSite', summary: 'Add a site', body: sites.NewSite, answer: sites.Site, handle: sites.add }),
  route({ method: 'GET', path: '/sites/{site}', right: 'readSite', summary: 'One site', answer: sites.Site, handle: sites.show }),
  route({ method: 'PATCH', path: '/sites/{site}', right: 'changeSite', summary: 'Change the settings of a site, or its domain', ownerFields: ['domain'], body: sites.SiteChange, answer: sites.Site, handle: sites.change }),
  route({ method: 'DELETE', path: '/sites/{site}', right: 'removeSite', reauthenticates: true, summary: 'Delete a site and all its statistics', handle: sites.remove }),

  route({ method: 'GET', path: '/sites/{site}/goals', right: 'readSite', shared: true, summary: 'Goals of a site', answer: v.array(goals.Goal), handle: goals.list }),
  route({ method: 'POST', path: '/sites/{site}/goals', right: 'changeSite', summary: 'Add a goal', body: goals.NewGoal, answer: goals.Goal, handle: goals.add }),
  route({ method: 'PATCH', path: '/sites/{site}/goals/{goal}', right: 'changeSite', summary: 'Change a goal; past visits are counted by it too', body: goals.GoalChange, answer: goals.Goal, handle: goals.change }),
  route({ method: 'DELETE', path: '/sites/{site}/goals/{goal}', right: 'changeSite', summary: 'Delete a goal; visits stay', handle: goals.remove }),

  route({ method: 'GET', path: '/sites/{site}/funnels', right: 'readSite', shared: true, summary: 'Funnels of a site', answer: v.array(funnels.Funnel), handle: funnels.list }),
  route({ method: 'POST', path: '/sites/{site}/funnels', right: 'changeSite', summary: 'Add a funnel of 2 to 8 steps', room: funnels.assertRoom, body: funnels.NewFunnel, answer: funnels.Funnel, handle: funnels.add }),
  route({ method: 'PATCH', path: '/sites/{site}/funnels/{funnel}', right: 'changeSite', summary: 'Change a funnel; past visits are counted by it too', body: funnels.FunnelChange, answer: funnels.Funnel, handle: funnels.change }),
  route({ method: 'DELETE', path: '/sites/{site}/funnels/{funnel}', right: 'changeSite', summary: 'Delete a funnel', handle: funnels.remove }),

  route({ method: 'GET', path: '/sites/{site}/notes', right: 'readSite', shared: true, summary: 'Notes on the chart', query: notes.NoteRange, answer: v.array(notes.Note), handle: notes.list }),
  route({ method: 'POST', path: '/sites/{site}/notes', right: 'changeSite', summary: 'Add a note to a day', body: notes.NewNote, answer: notes.Note, handle: notes.add }),
  route({ method: 'GET', path: '/sites/{site}/notes/{note}/effect', right: 'readSite', shared: true, summary: 'The two weeks after a note compared with the two before, and whether the change may be chance', query: effects.EffectQuery, answer: effects.Effect, handle: effects.showEffect }),
  route({ method: 'DELETE', path: '/sites/{site}/notes/{note}', right: 'changeSite', summary: 'Delete a note', handle: notes.remove }),

  route({ method: 'GET', path: '/sites/{site}/exclusions', right: 'readSite', summary: 'What is set aside of a site, and how many visits each exclusion takes', answer: v.array(exclusions.Exclusion), handle: exclusions.list }),
  route({ method: 'POST', path: '/sites/{site}/exclusions', right: 'changeSite', summary: 'Exclude visits from all reports; nothing is deleted', room: exclusions.assertRoom, body: exclusions.NewExclusion, answer: exclusions.Exclusion, prepare: exclusions.count, handle: exclusions.add }),
  route({ method: 'POST', path: '/sites/{site}/exclusions/preview', right: 'changeSite', asks: true, summary: 'The visits that an exclusion would exclude, by day; nothing is stored', body: exclusions.ExclusionSelection, answer: exclusions.Preview, handle: exclusions.preview }),
  route({ method: 'GET', path: '/sites/{site}/exclusions/suggestions', right: 'readSite', summary: 'Exclusions suggested for a day with unusually many visits', query: suggestions.SuggestionsQuery, answer: v.array(suggestions.Draft), handle: suggestions.list }),
  route({ method: 'POST', path: '/sites/{site}/exclusions/suggestions/dismissals', right: 'changeSite', summary: 'Dismiss what is suggested for a day, for everybody', body: suggestions.Dismissal, handle: suggestions.dismiss }),
  route({ method: 'DELETE', path: '/sites/{site}/exclusions/{exclusion}', right: 'changeSite', summary: 'Put back what an exclusion took', handle: exclusions.remove }),

  route({ method: 'GET', path: '/sites/{site}/views', right: 'readSite', summary: 'The saved views of the dashboard, by name', answer: v.array(views.SavedView), handle: views.list }),
  route({ method: 'POST', path: '/sites/{site}/views', right: 'changeSite', summary: 'Save a view', room: views.assertRoom, body: views.NewView, answer: views.SavedView, handle: views.add }),
  route({ method: 'DELETE', path: '/sites/{site}/views/{view}', right: 'changeSite', summary: 'Remove a saved view', handle: views.remove }),

  route({ method: 'GET', path: '/sites/{site}/embeds', right: 'readSite', summary: 'Origins that may show the public page of a site in a frame', answer: v.array(embeds.Embed), handle: embeds.list }),
  route({ method: 'POST', path: '/sites/{site}/embeds', right: 'changeSite', summary: 'Add an origin', room: embeds.assertRoom, body: embeds.NewEmbed, answer: embeds.Embed, handle: embeds.add }),
  route({ method: 'DELETE', path: '/sites/{site}/embeds/{embed}', right: 'changeSite', summary: 'Remove an origin', handle: embeds.remove }),

  route({ method: 'GET', path: '/sites/{site}/private-paths', right: 'readSite', summary: 'What patterns of private segments would do to the pages of the last 30 days', query: privatePaths.PrivatePathsQuery, answer: privatePaths.PrivatePaths, handle: privatePaths.preview }),

  route({ method: 'GET', path: '/sites/{site}/arrivals', right: 'readSite', summary: 'What browsers sent last for a site since the server runs, and the last host that was not of the site', answer: arrivals.Arrivals, handle: arrivals.show }),

  route({ method: 'POST', path: '/sites/{site}/hits', right: 'collectSite', summary: 'Hits that your server saw', body: hits.PassedHits, answer: hits.Outcome, handle: hits.addHits }),
  route({ method: 'POST', path: '/sites/{site}/crawls', right: 'collectSite', summary: 'Requests that your server had; those of AI crawlers are counted', body: hits.PassedCrawls, answer: hits.Outcome, handle: hits.addCrawls }),

  route({ method: 'GET', path: '/sites/{site}/stats/overview', right: 'readSite', shared: true, summary: 'Visitors, pageviews, visits, bounce rate and visit duration, with the change since the period before or others', query: stats.OverviewQuery, answer: answers.Overview, handle: stats.showOverview }),
  route({ method: 'GET', path: '/sites/{site}/stats/timeseries', right: 'readSite', shared: true, summary: 'Visitors and pageviews by hour, day, week or month (default: by day, above 90 days by month)', query: stats.TimeseriesQuery, answer: answers.Timeseries, handle: stats.showTimeseries }),
  route({ method: 'GET', path: '/sites/{site}/stats/breakdown/{breakdown}', right: 'readSite', shared: true, summary: 'Top values of one dimension, by visitors or another figure', query: stats.BreakdownQuery, answer: answers.Breakdown, handle: stats.showBreakdown }),
  route({ method: 'GET', path: '/sites/{site}/stats/goals', right: 'readSite', shared: true, summary: 'Who reached each goal, how often, and the conversion rate', query: ReportQuery, answer: answers.Goals, handle: stats.showGoals }),
  route({ method: 'GET', path: '/sites/{site}/stats/realtime', right: 'readSite', shared: true, summary: 'Visitors of the last five minutes', query: ReportQuery, answer: answers.Realtime, handle: stats.showRealtime }),
  route({ method: 'GET', path: '/sites/{site}/stats/live', right: 'readSite', shared: true, summary: 'Visitors of the last five minutes, and what was seen in the last thirty, by minute', query: ReportQuery, answer: answers.Live, handle: stats.showLive }),
  route({ method: 'GET', path: '/sites/{site}/stats/bots', right: 'readSite', shared: true, unfiltered: true, summary: 'Requests of AI crawlers, and the pages they read most', query: stats.BotsQuery, answer: answers.Bots, handle: stats.showBots }),
  route({ method: 'GET', path: '/sites/{site}/stats/funnels/{funnel}', right: 'readSite', shared: true, summary: 'Visitors at each step of a funnel', query: ReportQuery, answer: answers.Funnel, handle: stats.showFunnel }),
  route({ method: 'GET', path: '/sites/{site}/stats/assistants', right: 'readSite', shared: true, summary: 'Visitors that AI assistants sent', query: ReportQuery, answer: answers.Assistants, handle: stats.showAssistants }),
  route({ method: 'GET', path: '/sites/{site}/stats/drops', right: 'readSite', unfiltered: true, summary: 'What was not counted, and why; filters do not apply', query: ReportQuery, answer: answers.Drops, handle: stats.listDrops }),

  route({ method: 'GET', path: '/sites/{site}/stats/outages', right: 'readSite', shared: true, unfiltered: true, summary: 'When hits were not collected, and why; filters do not apply', query: ReportQuery, answer: outages.Outages, handle: outages.list }),
  route({ method: 'GET', path: '/sites/{site}/stats/days', right: 'readSite', unfiltered: true, summary: 'A receipt of each day: its state, excluded and dropped hits, and when it was verified; filters do not apply', query: ReportQuery, answer: receipts.Receipts, handle: receipts.list }),

  route({ method: 'GET', path: '/stats/overview', right: 'readAccount', summary: 'The overview of all sites you may see, or of some, added up', query: allSites.SharedOverviewQuery, answer: answers.Overview, handle: allSites.showOverview }),
  route({ method: 'GET', path: '/stats/timeseries', right: 'readAccount', summary: 'Their visitors and pageviews by day, week or month (default: by day, above 90 days by month)', query: allSites.SharedTimeseriesQuery, answer: answers.Timeseries, handle: allSites.showTimeseries }),
  route({ method: 'GET', path: '/stats/breakdown/{breakdown}', right: 'readAccount', summary: 'Top sites, or top values of one dimension of all of them, by visitors', query: allSites.SharedBreakdownQuery, answer: allSites.SharedBreakdown, handle: allSites.showBreakdown }),
  route({ method: 'GET', path: '/stats/realtime', right: 'readAccount', summary: 'Visitors of the last five minutes on all of them', query: allSites.SharedQuery, answer: answers.Realtime, handle: allSites.showRealtime }),

  route({ method: 'GET', path: '/team', right: 'readAccount', summary: 'Your team, its limit, and the teams you belong to', answer: team.Team, handle: team.show }),
  route({ method: 'POST', path: '/team', right: 'changeAccount', reauthenticates: true, summary: 'Invite a person, or renew an open invitation', body: team.NewMember, answer: team.InvitedMember, handle: team.invite }),
  route({ method: 'PATCH', path: '/team/{member}', right: 'changeAccount', reauthenticates: true, summary: 'Change the role of a person', body: team.MemberChange, answer: team.Member, handle: team.change }),
  route({ method: 'DELETE', path: '/team/{member}', right: 'changeAccount', reauthenticates: true, summary: 'Remove a person or an open invitation', handle: team.remove }),

  route({ method: 'GET', path: '/tokens', right: 'readAccount', summary: 'Your tokens', answer: v.array(tokens.Token), handle: tokens.list }),
  route({ method: 'POST', path: '/tokens', right: 'changeAccount', reauthenticates: true, summary: 'Add a token; its plain value is in this answer only', room: tokens.assertRoom, body: tokens.NewToken, answer: tokens.PlainToken, handle: tokens.add }),
  route({ method: 'DELETE', path: '/tokens/{token}', right: 'changeAccount', summary: 'Revoke a token', handle: tokens.remove }),

  route({ method: 'GET', path: '/sessions', right: 'readAccount', summary: 'Where you are signed in at the dashboard', answer: v.array(sessions.Session), handle: sessions.list }),
  route({ method: 'DELETE', path: '/sessions/{session}', right: 'changeAccount', summary: 'Sign out there', handle: sessions.remove }),

  route({ method: 'GET', path: '/server', right: 'readServer', summary: 'What needs attention on the server, and how this request came', answer: server.Server, handle: server.show }),
];
