// The table of routes is the whole API, apart from /openapi.json. A row names its right, the schemas of its query, body
// and answer, and the function that does the work. `mount.ts` mounts each row, and `openapi.ts` describes each row.
// Some rows are tools of AI assistants too (`src/mcp/tools.ts`).
//
// Example: the row of GET /sites/{site}/goals has the right `readSite` and calls `list` of `goals.ts`. This row also
// allows share links. test/api/matrix.test.ts tries every row with every kind of caller.

import * as v from 'valibot';
import { MOST_PIECE_BYTES } from '../exchange/uploads.ts';
import * as account from './account.ts';
import * as alerts from './alerts.ts';
import * as allSites from './all-sites.ts';
import * as answers from './answers.ts';
import * as arrivals from './arrivals.ts';
import { withAsOf, withAsOfInBody } from './as-of.ts';
import * as audit from './audit.ts';
import * as blocks from './blocks.ts';
import * as changes from './changes.ts';
import * as cluster from './cluster.ts';
import * as dayStatus from './day-status.ts';
import * as deletions from './deletions.ts';
import * as destinations from './destinations.ts';
import * as effects from './effects.ts';
import * as embeds from './embeds.ts';
import * as exclusions from './exclusions.ts';
import * as explain from './explain.ts';
import * as exports from './exports.ts';
import * as funnels from './funnels.ts';
import * as goals from './goals.ts';
import * as hits from './hits.ts';
import * as imports from './imports.ts';
import * as journeys from './journeys.ts';
import * as notes from './notes.ts';
import * as outages from './outages.ts';
import * as pageParameters from './page-parameters.ts';
import * as privatePaths from './private-paths.ts';
import { ReportQuery } from './query.ts';
import * as receipts from './receipts.ts';
import * as renaming from './renaming.ts';
import { route } from './route.ts';
import * as searches from './searches.ts';
import * as server from './server.ts';
import * as sessions from './sessions.ts';
import * as shares from './shares.ts';
import * as sites from './sites.ts';
import { SharedQuery } from './sites-frame.ts';
import * as sql from './sql.ts';
import * as stats from './stats.ts';
import * as suggestions from './suggestions.ts';
import * as table from './table.ts';
import * as team from './team.ts';
import * as tokens from './tokens.ts';
import * as uploads from './uploads.ts';
import * as views from './views.ts';

// biome-ignore format: each route stands in one line, so that the whole API fits on a screen
export const routes = [
  route({ method: 'GET', path: '/account', right: 'seeAccount', summary: 'Read your plan, usage and limits, and what the token may do', answer: account.Account, handle: account.show }),
  route({ method: 'GET', path: '/account/language', right: 'readAccount', summary: 'Read the language of your dashboard: null if it follows the browser', answer: account.AccountLanguage, handle: account.showLanguage }),
  route({ method: 'PATCH', path: '/account/language', right: 'changeAccount', summary: 'Choose the language of your dashboard', body: account.AccountLanguage, answer: account.AccountLanguage, handle: account.chooseLanguage }),

  route({ method: 'GET', path: '/sites', right: 'readAccount', summary: 'List the sites that you may see', answer: v.array(sites.Site), handle: sites.list }),
  route({ method: 'POST', path: '/sites', right: 'addSite', summary: 'Add a site', body: sites.NewSite, answer: sites.Site, handle: sites.add }),
  route({ method: 'GET', path: '/sites/{site}', right: 'readSite', summary: 'Read a site', answer: sites.Site, handle: sites.show }),
  route({ method: 'PATCH', path: '/sites/{site}', right: 'changeSite', summary: 'Change the settings or the domain of a site', ownerFields: ['domain'], reauthenticatedFields: ['domain'], body: sites.SiteChange, answer: sites.Site, handle: sites.change }),
  route({ method: 'GET', path: '/sites/{site}/domain', right: 'removeSite', summary: 'Preview another domain of a site: its snippet, and until when the former domain counts', query: renaming.RenamingQuery, answer: renaming.RenamingPreview, handle: renaming.preview }),
  route({ method: 'DELETE', path: '/sites/{site}', right: 'removeSite', reauthenticates: true, summary: 'Delete a site and all its statistics', handle: sites.remove }),

  route({ method: 'GET', path: '/sites/{site}/goals', right: 'readSite', shared: true, summary: 'List goals', answer: v.array(goals.Goal), handle: goals.list }),
  route({ method: 'POST', path: '/sites/{site}/goals', right: 'changeSite', summary: 'Add a goal', room: goals.assertRoom, body: goals.NewGoal, answer: goals.Goal, handle: goals.add }),
  route({ method: 'PATCH', path: '/sites/{site}/goals/{goal}', right: 'changeSite', summary: 'Change a goal, for past visits too', body: goals.GoalChange, answer: goals.Goal, handle: goals.change }),
  route({ method: 'DELETE', path: '/sites/{site}/goals/{goal}', right: 'changeSite', summary: 'Delete a goal. Its visits stay', handle: goals.remove }),

  route({ method: 'GET', path: '/sites/{site}/funnels', right: 'readSite', shared: true, summary: 'List funnels', answer: v.array(funnels.Funnel), handle: funnels.list }),
  route({ method: 'POST', path: '/sites/{site}/funnels', right: 'changeSite', summary: 'Add a funnel of 2 to 8 steps', room: funnels.assertRoom, body: funnels.NewFunnel, answer: funnels.Funnel, handle: funnels.add }),
  route({ method: 'PATCH', path: '/sites/{site}/funnels/{funnel}', right: 'changeSite', summary: 'Change a funnel, for past visits too', body: funnels.FunnelChange, answer: funnels.Funnel, handle: funnels.change }),
  route({ method: 'DELETE', path: '/sites/{site}/funnels/{funnel}', right: 'changeSite', summary: 'Delete a funnel', handle: funnels.remove }),

  route({ method: 'GET', path: '/sites/{site}/notes', right: 'readSite', shared: true, summary: 'List the notes on the chart', query: notes.NoteRange, answer: v.array(notes.Note), handle: notes.list }),
  route({ method: 'POST', path: '/sites/{site}/notes', right: 'noteSite', summary: 'Add a note to a day', room: notes.assertRoom, body: notes.NewNote, answer: notes.Note, handle: notes.add }),
  route({ method: 'GET', path: '/sites/{site}/notes/{note}/effect', right: 'readSite', shared: 'whole', summary: 'Compare the two weeks before and after a note. Says whether chance may explain it', query: effects.EffectQuery, answer: effects.Effect, handle: effects.showEffect }),
  route({ method: 'PATCH', path: '/sites/{site}/notes/{note}', right: 'changeSite', summary: 'Change the day or the text of a note', body: notes.NoteChange, answer: notes.Note, handle: notes.change }),
  route({ method: 'DELETE', path: '/sites/{site}/notes/{note}', right: 'changeSite', summary: 'Delete a note', handle: notes.remove }),

  route({ method: 'GET', path: '/sites/{site}/exclusions', right: 'readSite', summary: 'List exclusions, with the number of visits that each one excludes', answer: v.array(exclusions.Exclusion), handle: exclusions.list }),
  route({ method: 'POST', path: '/sites/{site}/exclusions', right: 'changeSite', summary: 'Exclude visits from all reports. Nothing is deleted', room: exclusions.assertRoom, body: exclusions.NewExclusion, answer: exclusions.Exclusion, prepare: exclusions.count, handle: exclusions.add }),
  route({ method: 'POST', path: '/sites/{site}/exclusions/preview', right: 'changeSite', asks: true, summary: 'Preview an exclusion: visits by day. Nothing is stored', body: exclusions.ExclusionSelection, answer: exclusions.Preview, handle: exclusions.preview }),
  route({ method: 'GET', path: '/sites/{site}/exclusions/suggestions', right: 'readSite', summary: 'Suggest exclusions for a day with unusually many visits', query: suggestions.SuggestionsQuery, answer: v.array(suggestions.Draft), handle: suggestions.list }),
  route({ method: 'POST', path: '/sites/{site}/exclusions/suggestions/dismissals', right: 'changeSite', summary: 'Dismiss the suggestions for a day, for everyone', body: suggestions.Dismissal, handle: suggestions.dismiss }),
  route({ method: 'DELETE', path: '/sites/{site}/exclusions/{exclusion}', right: 'changeSite', summary: 'Delete an exclusion. Reports count its visits again', handle: exclusions.remove }),

  route({ method: 'GET', path: '/sites/{site}/views', right: 'readSite', summary: 'List saved views, by name', answer: v.array(views.SavedView), handle: views.list }),
  route({ method: 'POST', path: '/sites/{site}/views', right: 'changeSite', summary: 'Save a view', room: views.assertRoom, body: views.NewView, answer: views.SavedView, handle: views.add }),
  route({ method: 'DELETE', path: '/sites/{site}/views/{view}', right: 'changeSite', summary: 'Delete a saved view', handle: views.remove }),

  route({ method: 'GET', path: '/sites/{site}/blocks', right: 'readSite', summary: 'List blocks: what the site does not count from now on', answer: v.array(blocks.Block), handle: blocks.list }),
  route({ method: 'POST', path: '/sites/{site}/blocks', right: 'changeSite', summary: 'Block an IP address, country, host name, page, source or user agent. Past hits stay', room: blocks.assertRoom, body: blocks.NewBlock, answer: blocks.Block, handle: blocks.add }),
  route({ method: 'DELETE', path: '/sites/{site}/blocks/{block}', right: 'changeSite', summary: 'Remove a block', handle: blocks.remove }),

  route({ method: 'GET', path: '/sites/{site}/shares', right: 'readSite', summary: 'List share links with a name', answer: v.array(shares.Share), handle: shares.list }),
  route({ method: 'POST', path: '/sites/{site}/shares', right: 'changeSite', summary: 'Add a share link, for the whole site or for what a saved view shows', room: shares.assertRoom, body: shares.NewShare, answer: shares.Share, prepare: shares.hashPassword, handle: shares.add }),
  route({ method: 'PATCH', path: '/sites/{site}/shares/{share}', right: 'changeSite', summary: 'Change a share link. Its URL stays', body: shares.ShareChange, answer: shares.Share, prepare: shares.hashPassword, handle: shares.change }),
  route({ method: 'DELETE', path: '/sites/{site}/shares/{share}', right: 'changeSite', summary: 'Remove a share link, which stops working', handle: shares.remove }),

  route({ method: 'GET', path: '/sites/{site}/alerts', right: 'readSite', summary: 'List custom alerts', answer: v.array(alerts.Alert), handle: alerts.list }),
  route({ method: 'POST', path: '/sites/{site}/alerts', right: 'changeSite', summary: 'Add a custom alert: a figure of each day, with a threshold or compared with the weeks before', room: alerts.assertRoom, body: alerts.NewAlert, answer: alerts.Alert, handle: alerts.add }),
  route({ method: 'DELETE', path: '/sites/{site}/alerts/{alert}', right: 'changeSite', summary: 'Remove a custom alert', handle: alerts.remove }),

  route({ method: 'GET', path: '/sites/{site}/channels', right: 'readSite', summary: 'List notification channels. Their URLs and tokens are secret', answer: v.array(destinations.NotificationChannel), handle: destinations.list }),
  route({ method: 'POST', path: '/sites/{site}/channels', right: 'changeSite', summary: 'Add a channel for reports, alerts and reached goals, such as Slack, ntfy or a webhook', room: destinations.assertRoom, body: destinations.NewNotificationChannel, answer: destinations.NotificationChannel, handle: destinations.add }),
  route({ method: 'PATCH', path: '/sites/{site}/channels/{channel}', right: 'changeSite', summary: 'Change or pause a notification channel', body: destinations.NotificationChannelChange, answer: destinations.NotificationChannel, handle: destinations.change }),
  route({ method: 'DELETE', path: '/sites/{site}/channels/{channel}', right: 'changeSite', summary: 'Remove a notification channel, with its URL and token', handle: destinations.remove }),
  route({ method: 'POST', path: '/sites/{site}/channels/{channel}/test', right: 'changeSite', asks: true, summary: 'Send a test message, and read whether it was accepted', answer: destinations.ChannelTest, handle: destinations.sendTest }),

  route({ method: 'GET', path: '/sites/{site}/embeds', right: 'readSite', summary: 'List the origins that may show the public page in a frame', answer: v.array(embeds.Embed), handle: embeds.list }),
  route({ method: 'POST', path: '/sites/{site}/embeds', right: 'changeSite', summary: 'Add an origin', room: embeds.assertRoom, body: embeds.NewEmbed, answer: embeds.Embed, handle: embeds.add }),
  route({ method: 'DELETE', path: '/sites/{site}/embeds/{embed}', right: 'changeSite', summary: 'Remove an origin', handle: embeds.remove }),

  route({ method: 'GET', path: '/sites/{site}/private-paths', right: 'readSite', summary: 'Preview patterns of private segments on the pages of the last 30 days', query: privatePaths.PrivatePathsQuery, answer: privatePaths.PrivatePaths, handle: privatePaths.preview }),
  route({ method: 'GET', path: '/sites/{site}/page-parameters', right: 'readSite', summary: 'Preview the page that a URL is stored as', query: pageParameters.PageParametersQuery, answer: pageParameters.PageParameters, handle: pageParameters.preview }),

  route({ method: 'GET', path: '/sites/{site}/arrivals', right: 'readSite', summary: 'Read what browsers sent last since the server started, and the last host of another site', answer: arrivals.Arrivals, handle: arrivals.show }),

  route({ method: 'POST', path: '/sites/{site}/hits', right: 'collectSite', summary: 'Send hits that your server saw', body: hits.PassedHits, answer: hits.Outcome, handle: hits.addHits }),
  route({ method: 'POST', path: '/sites/{site}/crawls', right: 'collectSite', summary: 'Send requests that your server saw. Only those of AI crawlers count', body: hits.PassedCrawls, answer: hits.Outcome, handle: hits.addCrawls }),

  route({ method: 'POST', path: '/sites/{site}/query', right: 'readSite', asks: true, summary: 'Ask for figures by up to three dimensions, properties or times, with filters joined by "or"', body: table.TableQuestion, answer: answers.Table, handle: withAsOfInBody<table.TableQuestion, answers.Table>(table.ask) }),
  route({ method: 'GET', path: '/sites/{site}/stats/overview', right: 'readSite', shared: true, summary: 'Read visitors, pageviews, visits, bounce rate and visit duration, with the change since another period', query: stats.OverviewQuery, answer: answers.Overview, handle: withAsOf(stats.showOverview) }),
  route({ method: 'GET', path: '/sites/{site}/stats/explain', right: 'readSite', summary: 'Explain a difference: the fewest combinations of properties that make up most of it, and whether chance may', query: explain.ExplainQuery, answer: explain.Explanation, handle: explain.showExplanation }),
  route({ method: 'GET', path: '/sites/{site}/stats/timeseries', right: 'readSite', shared: true, summary: 'Read visitors and pageviews by hour, day, week or month (default: by day, above 90 days by month)', query: stats.TimeseriesQuery, answer: answers.Timeseries, handle: withAsOf(stats.showTimeseries) }),
  route({ method: 'GET', path: '/sites/{site}/stats/breakdown/{breakdown}', right: 'readSite', shared: true, summary: 'List the top values of a dimension, by visitors or another figure', query: stats.BreakdownQuery, answer: answers.Breakdown, handle: withAsOf(stats.showBreakdown) }),
  route({ method: 'GET', path: '/sites/{site}/stats/goals', right: 'readSite', shared: true, summary: 'Read visitors, conversions and conversion rate of each goal', query: stats.GoalsQuery, answer: answers.Goals, handle: withAsOf(stats.showGoals) }),
  route({ method: 'GET', path: '/sites/{site}/stats/realtime', right: 'readSite', shared: true, summary: 'Read the visitors of the last five minutes', query: ReportQuery, answer: answers.Realtime, handle: stats.showRealtime }),
  route({ method: 'GET', path: '/sites/{site}/stats/live', right: 'readSite', shared: true, events: 'live', summary: 'Read the visitors of the last five minutes, and the activity of the last thirty by minute', query: ReportQuery, answer: answers.Live, handle: stats.showLive }),
  route({ method: 'GET', path: '/sites/{site}/stats/bots', right: 'readSite', shared: 'whole', unfiltered: true, summary: 'Read the requests of AI crawlers, and the pages that they read most', query: stats.BotsQuery, answer: answers.Bots, handle: stats.showBots }),
  route({ method: 'GET', path: '/sites/{site}/stats/funnels/{funnel}', right: 'readSite', shared: true, summary: 'Read the visitors at each step of a funnel', query: stats.FunnelQuery, answer: answers.Funnel, handle: stats.showFunnel }),
  route({ method: 'GET', path: '/sites/{site}/stats/journeys', right: 'readSite', shared: true, summary: 'Read which pages visits saw next after a page, a goal or their entry, or before it', query: journeys.JourneysQuery, answer: journeys.Journeys, handle: journeys.showJourneys }),
  route({ method: 'GET', path: '/sites/{site}/stats/assistants', right: 'readSite', shared: true, summary: 'Read the visitors that AI assistants sent', query: ReportQuery, answer: answers.Assistants, handle: stats.showAssistants }),
  route({ method: 'GET', path: '/sites/{site}/stats/vitals', right: 'readSite', shared: true, summary: 'Read web vitals: how fast pages are, in all or by page, device, country or browser', query: stats.VitalsQuery, answer: answers.Vitals, handle: stats.showVitals }),
  route({ method: 'GET', path: '/sites/{site}/stats/search', right: 'readSite', shared: 'whole', summary: 'List searches on Google from imported files: queries, pages, countries or devices', query: searches.SearchesQuery, answer: searches.Searches, handle: searches.showSearches }),
  route({ method: 'GET', path: '/sites/{site}/stats/drops', right: 'readSite', unfiltered: true, summary: 'List hits that were not counted, by reason. Filters do not apply', query: ReportQuery, answer: answers.Drops, handle: stats.listDrops }),

  route({ method: 'GET', path: '/sites/{site}/stats/outages', right: 'readSite', shared: true, unfiltered: true, summary: 'List when hits were not collected, and why. Filters do not apply', query: ReportQuery, answer: outages.Outages, handle: outages.list }),
  route({ method: 'GET', path: '/sites/{site}/stats/days', right: 'readSite', unfiltered: true, summary: 'List the details of each day: its state, excluded and dropped hits, and when it was verified. Filters do not apply', query: ReportQuery, answer: dayStatus.DayReport, handle: dayStatus.list }),

  route({ method: 'GET', path: '/sites/{site}/changes', right: 'readSite', summary: 'List what changed figures of past days: why, by whom, when and by how much', query: changes.ChangesQuery, answer: changes.Changes, handle: changes.list }),
  route({ method: 'GET', path: '/sites/{site}/receipts', right: 'readSite', shared: 'whole', summary: 'List the signed receipts of sealed days, in the order in which they were made', query: receipts.ReceiptsQuery, answer: receipts.Receipts, handle: receipts.list }),

  route({ method: 'GET', path: '/sites/{site}/export', right: 'exportSite', isFile: true, summary: 'Download all hits, or their daily totals, as a file. Without a range, of all days. One export at a time', query: exports.ExportQuery, handle: exports.open }),

  route({ method: 'GET', path: '/sites/{site}/imports', right: 'readSite', summary: 'List imports, the latest first', answer: v.array(imports.Import), handle: imports.list }),
  route({ method: 'DELETE', path: '/sites/{site}/imports/{import_id}', right: 'changeSite', reauthenticates: true, isLong: true, summary: 'Remove a whole import. Hits of past days that it replaced do not come back', handle: imports.remove }),
  route({ method: 'POST', path: '/sites/{site}/deletions', right: 'removeSite', reauthenticates: true, isLong: true, summary: 'Delete all hits, totals and imports of some days that are over, for good', body: deletions.DeletedDays, answer: deletions.Deletion, handle: deletions.add }),
  route({ method: 'POST', path: '/sites/{site}/deletions/preview', right: 'removeSite', asks: true, summary: 'Preview a deletion: what goes, and which days are not sealed yet. Nothing is deleted', body: deletions.DeletedDays, answer: deletions.DeletionPreview, handle: deletions.preview }),
  route({ method: 'GET', path: '/sites/{site}/uploads', right: 'changeSite', summary: 'List the latest upload of a file: its state, and what was found in it', answer: v.array(uploads.Upload), handle: uploads.list }),
  route({ method: 'POST', path: '/sites/{site}/uploads', right: 'changeSite', asks: true, summary: 'Begin to upload a file of another product. Nothing is imported before you confirm', body: uploads.NewUpload, answer: uploads.Upload, handle: uploads.add }),
  route({ method: 'POST', path: '/sites/{site}/uploads/{upload}/bytes', right: 'changeSite', asks: true, mostBytes: MOST_PIECE_BYTES, summary: 'Send a piece of up to 1 MiB. After the last piece, the file is read', query: uploads.PieceQuery, answer: uploads.Upload, handle: uploads.receive }),
  route({ method: 'POST', path: '/sites/{site}/uploads/{upload}/confirmation', right: 'changeSite', asks: true, summary: 'Import a file that is ready. Only the owner may replace hits of the site', body: uploads.Confirmation, answer: uploads.Upload, handle: uploads.confirm }),
  route({ method: 'DELETE', path: '/sites/{site}/uploads/{upload}', right: 'changeSite', asks: true, summary: 'Cancel an upload. Nothing is imported', handle: uploads.remove }),

  route({ method: 'GET', path: '/stats/overview', right: 'readAccount', summary: 'Read the overview of all sites that you may see, or of some', query: allSites.SharedOverviewQuery, answer: answers.Overview, handle: allSites.showOverview }),
  route({ method: 'GET', path: '/stats/timeseries', right: 'readAccount', summary: 'Read visitors and pageviews of these sites by day, week or month (default: by day, above 90 days by month)', query: allSites.SharedTimeseriesQuery, answer: answers.Timeseries, handle: allSites.showTimeseries }),
  route({ method: 'GET', path: '/stats/breakdown/{breakdown}', right: 'readAccount', summary: 'List the top sites, or the top values of a dimension on these sites, by visitors', query: allSites.SharedBreakdownQuery, answer: allSites.SharedBreakdown, handle: allSites.showBreakdown }),
  route({ method: 'GET', path: '/stats/realtime', right: 'readAccount', summary: 'Read the visitors of the last five minutes on these sites', query: SharedQuery, answer: answers.Realtime, handle: allSites.showRealtime }),

  route({ method: 'GET', path: '/team', right: 'readAccount', summary: 'Read your team, its limit, and the teams that you belong to', answer: team.Team, handle: team.show }),
  route({ method: 'POST', path: '/team', right: 'changeAccount', reauthenticates: true, summary: 'Invite a person, or renew an open invitation', body: team.NewMember, answer: team.InvitedMember, handle: team.invite }),
  route({ method: 'PATCH', path: '/team/{member}', right: 'changeAccount', reauthenticates: true, summary: 'Change the role or the sites of a person', body: team.MemberChange, answer: team.Member, handle: team.change }),
  route({ method: 'DELETE', path: '/team/{member}', right: 'changeAccount', reauthenticates: true, summary: 'Remove a person or an open invitation', handle: team.remove }),

  route({ method: 'GET', path: '/account/log', right: 'readAccount', summary: 'List what was changed in your account and on your sites, the latest first', query: audit.AuditQuery, answer: v.array(audit.AuditEntry), handle: audit.list }),

  route({ method: 'GET', path: '/tokens', right: 'readAccount', summary: 'List your tokens', answer: v.array(tokens.Token), handle: tokens.list }),
  route({ method: 'POST', path: '/tokens', right: 'changeAccount', reauthenticates: true, summary: 'Add a token. Only this answer has its plain value', room: tokens.assertRoom, body: tokens.NewToken, answer: tokens.PlainToken, handle: tokens.add }),
  route({ method: 'DELETE', path: '/tokens/{token}', right: 'changeAccount', summary: 'Revoke a token', handle: tokens.remove }),

  route({ method: 'GET', path: '/sessions', right: 'readAccount', summary: 'List where you are signed in', answer: v.array(sessions.Session), handle: sessions.list }),
  route({ method: 'DELETE', path: '/sessions/{session}', right: 'changeAccount', summary: 'End a session', handle: sessions.remove }),

  route({ method: 'GET', path: '/server', right: 'readServer', summary: 'Read what needs attention on the server, and how this request came', answer: server.Server, handle: server.show }),
  route({ method: 'GET', path: '/cluster', right: 'readServer', summary: 'Read the state of each ClickHouse server, what waits to be sent to them, and the copies of open days', answer: cluster.Cluster, handle: cluster.show }),
  route({ method: 'POST', path: '/sql', right: 'queryServer', asks: true, reauthenticates: true, summary: 'Answer a statement in SQL about all sites of the server. Only with --sql', body: sql.SqlQuery, answer: sql.SqlRows, handle: sql.answer }),
];
