// All texts in German, by area. An area is a group of texts, such as `sites`. In areas of codes, the key of a text is a
// code. In all other areas, the key is the English text.
//
// Each other language has the same keys. A type error in translations.ts names the keys that are missing. The texts
// address people as "du". A value replaces {name}. A text with a count has one text for each plural form.

import type { ERRORS } from './codes/errors.ts';
import type { FINDINGS } from './codes/findings.ts';
import type { IMPORTS } from './codes/imports.ts';
import type { NOTICES } from './codes/notices.ts';

export const DE = {
  // Texts that the dashboard, the pages without scripts, the mails and verify.html share.
  common: {
    Limit: 'Grenze',
    Conversions: 'Conversions',
    'Page not found': 'Seite nicht gefunden',
    Code: 'Code',
    Continue: 'Weiter',
    '{count} visitors now': { one: '{count} Besucher online', other: '{count} Besucher online' },
    Today: 'Heute',
    '7 days': '7 Tage',
    'Visitors per day': 'Besucher pro Tag',
    Week: 'Woche',
    Month: 'Monat',
    Direct: 'Direkt',
    Unknown: 'Unbekannt',
    Visitors: 'Besucher',
    Visits: 'Besuche',
    Pageviews: 'Seitenaufrufe',
    Events: 'Ereignisse',
    'Bounce rate': 'Absprungrate',
    'Visit duration': 'Besuchsdauer',
    Goals: 'Ziele',
    Change: 'Änderung',
    Rate: 'Rate',
    '{target} with {name} = {value}': '{target} mit {name} = {value}',
    '{target} scrolled to {percent}': '{target} bis {percent} gescrollt',
    Remove: 'Entfernen',
    Copy: 'Kopieren',
    Copied: 'Kopiert',
    Name: 'Name',
    Hits: 'Hits',
    'E-mail': 'E-Mail',
    'Change e-mail address': 'E-Mail-Adresse ändern',
    Password: 'Passwort',
    'Change password': 'Passwort ändern',
    'Two-factor authentication': 'Zwei-Faktor-Authentifizierung',
    viewer: 'Betrachter',
    manager: 'Verwalter',
    Unsubscribe: 'Abbestellen',
  },

  // The frame around every page of the dashboard.
  frame: {
    Account: 'Konto',
    'Sign out': 'Abmelden',
    'Public demo: read-only, resets each hour': 'Öffentliche Demo: nur Ansicht, stündlich zurückgesetzt',
    'Skip to the content': 'Zum Inhalt',
  },

  // Texts that several pages use: names of pages of the settings, dialogs, errors, and buttons that copy a text.
  parts: {
    You: 'Du',
    Team: 'Team',
    Tokens: 'Token',
    General: 'Allgemein',
    Collection: 'Erfassung',
    Sharing: 'Teilen',
    Deletion: 'Löschen',
    Reports: 'Berichte',
    'You have read-only access. A manager or the owner can make changes.':
      'Du hast nur Lesezugriff. Änderungen können Verwalter und der Eigentümer vornehmen.',
    'This page does not exist': 'Diese Seite gibt es nicht',
    'The URL may be wrong, or the page may have been removed.':
      'Vielleicht ist die URL falsch, oder die Seite wurde entfernt.',
    'Try again': 'Erneut versuchen',
    'Copy {what}': '{what} kopieren',
    'The text is selected. Press Ctrl+C, or ⌘C on a Mac.': 'Der Text ist markiert. Drücke Strg+C, auf einem Mac ⌘C.',
    Close: 'Schließen',
    'Not loaded': 'Nicht geladen',
    'Not updated since {time}': 'Nicht aktualisiert seit {time}',
    '{name} asks for your password. You then come back here and repeat the change.':
      '{name} fragt nach deinem Passwort. Danach kommst du hierher zurück und wiederholst die Änderung.',
    'Continue with {name}': 'Weiter mit {name}',
    'Confirm it’s you': 'Bestätige deine Identität',
    'Enter your password or a code from your phone. This protects your account if you leave your browser open.':
      'Gib dein Passwort oder einen Code von deinem Telefon ein. Das schützt dein Konto, wenn du deinen Browser offen lässt.',
    'Enter your password again. This protects your account if you leave your browser open.':
      'Gib dein Passwort noch einmal ein. Das schützt dein Konto, wenn du deinen Browser offen lässt.',
    'Theme: system': 'Design: System',
    'Theme: light': 'Design: hell',
    'Theme: dark': 'Design: dunkel',
    'Cannot reach the server. Check that it is running and that you are online.':
      'Der Server ist nicht erreichbar. Prüfe, ob er läuft und ob du online bist.',
    'The server did not answer correctly (status {status}). It may be restarting.':
      'Der Server hat nicht richtig geantwortet (Status {status}). Vielleicht startet er gerade neu.',
    'This part could not be displayed. The server may have been updated after you loaded the page.':
      'Dieser Teil konnte nicht angezeigt werden. Vielleicht wurde der Server aktualisiert, nachdem du die Seite geladen hast.',
    'Made with': 'Erstellt mit',
    Save: 'Speichern',
    'Time zone': 'Zeitzone',
    Path: 'Pfad',
    Domain: 'Domain',
    yes: 'ja',
  },

  // The list of sites, and the form that adds a site.
  sites: {
    'Add a site': 'Website hinzufügen',
    'Add site': 'Website hinzufügen',
    'Add your first site': 'Füge deine erste Website hinzu',
    'Next, you get one line of HTML for your pages. daybook then counts visitors, without cookies and without identifying anyone.':
      'Danach bekommst du eine Zeile HTML für deine Seiten. Damit zählt daybook Besucher, ohne Cookies und ohne jemanden zu identifizieren.',
    'Last 30 days': 'Letzte 30 Tage',
    'All sites': 'Alle Websites',
    'All sites combined': 'Alle Websites zusammen',
    'For example, example.com. Its subdomains count too.': 'Zum Beispiel example.com. Subdomains zählen mit.',
    'Reports for this site use this time zone. You can change it later.':
      'Die Berichte dieser Website verwenden diese Zeitzone. Du kannst sie später ändern.',
    'With your plan, you cannot add sites. Ask the person who runs this server for another plan.':
      'Mit deinem Tarif kannst du keine Websites hinzufügen. Bitte den Betreiber dieses Servers um einen anderen Tarif.',
    'Your account ({email})': 'Dein Konto ({email})',
    'Your sites': 'Deine Websites',
    'compared with the previous 30 days, up to the same time of day':
      'verglichen mit den vorherigen 30 Tagen, bis zur selben Uhrzeit',
    'No recent hits.': 'Keine neuen Hits.',
    'Check the snippet': 'Snippet prüfen',
    'Why?': 'Warum?',
    'Why did the visitors change?': 'Warum hat sich die Zahl der Besucher geändert?',
    '{visitors} now': '{visitors} online',
    'You are a viewer': 'Du bist Betrachter',
    'You are a manager': 'Du bist Verwalter',
    'Find a site': 'Website suchen',
    'Sort by': 'Sortieren nach',
    'By visitors': 'Nach Besuchern',
    'By change': 'Nach Veränderung',
    'By name': 'Nach Namen',
    'No sites match.': 'Keine passenden Websites.',
    'No visitors on the days before today. Visitors today so far: {today}':
      'Keine Besucher an den Tagen vor heute. Besucher heute bisher: {today}',
    'Visitors per day over 30 days. Highest: {most} on {day}. Today so far: {today}':
      'Besucher pro Tag an 30 Tagen, die meisten am {day}: {most}. Heute bisher: {today}',
  },

  // A report: header, figures and chart.
  site: {
    Explore: 'Analyse',
    Settings: 'Einstellungen',
    'Only some of the visits': 'Nur ein Teil der Besuche',
    'Time zone of this site': 'Zeitzone dieser Website',
    'Visitors in the last five minutes': 'Besucher in den letzten fünf Minuten',
    'Keyboard shortcuts': 'Tastenkürzel',
    Period: 'Zeitraum',
    '30 days': '30 Tage',
    '12 months': '12 Monate',
    'Choose days': 'Tage auswählen',
    'Previous period': 'Vorheriger Zeitraum',
    'Next period': 'Nächster Zeitraum',
    'All time': 'Gesamte Zeit',
    'at most two years': 'höchstens zwei Jahre',
    Yesterday: 'Gestern',
    'This month': 'Dieser Monat',
    'Last month': 'Letzter Monat',
    'This year': 'Dieses Jahr',
    'Last year': 'Letztes Jahr',
    'Choose the first day.': 'Wähle den ersten Tag.',
    'From {day}. Now choose the last day.': 'Ab {day}. Wähle jetzt den letzten Tag.',
    'Previous year': 'Vorheriges Jahr',
    'Previous month': 'Vorheriger Monat',
    'Next month': 'Nächster Monat',
    'Next year': 'Nächstes Jahr',
    'What is a pageview?': 'Was ist ein Seitenaufruf?',
    'Each time a visitor opens a page, this counts as one pageview. If you open a page twice, it counts twice.':
      'Jedes Öffnen einer Seite zählt als ein Seitenaufruf. Öffnest du eine Seite zweimal, zählt sie zweimal.',
    'What is a visit?': 'Was ist ein Besuch?',
    'A visit is everything that a visitor does without a break of more than 30 minutes. A visit also ends at midnight.':
      'Ein Besuch ist alles, was ein Besucher ohne eine Pause von mehr als 30 Minuten tut. Er endet auch um Mitternacht.',
    'What is the bounce rate?': 'Was ist die Absprungrate?',
    'The share of visits with one pageview and no event.':
      'Der Anteil der Besuche mit einem Seitenaufruf und ohne Ereignis.',
    'What is the visit duration?': 'Was ist die Besuchsdauer?',
    'The average time from the first to the last activity in a visit. A visit continues while a page is visible.':
      'Die durchschnittliche Zeit vom ersten bis zum letzten Lebenszeichen eines Besuchs. Solange eine Seite sichtbar ist, dauert der Besuch an.',
    'What is the conversion rate?': 'Was ist die Conversion-Rate?',
    'The share of visitors that reached the goal.': 'Der Anteil der Besucher, die das Ziel erreicht haben.',
    'What is the revenue?': 'Was ist der Umsatz?',
    'The sum of the amounts that your pages and servers sent with their hits.':
      'Die Summe der Beträge, die deine Seiten und Server mit ihren Hits geschickt haben.',
    'What is a visitor?': 'Was ist ein Besucher?',
    'daybook counts each visitor once a day. It does not recognise visitors on another day. If you visit on three days, you count as three visitors.':
      'daybook zählt jeden Besucher einmal am Tag. An einem anderen Tag erkennt es ihn nicht wieder. Wenn du an drei Tagen kommst, zählst du als drei Besucher.',
    'Share of visitors that reached the goal {goal}': 'Anteil der Besucher, die das Ziel {goal} erreicht haben',
    'Not compared, because an import does not include this figure.':
      'Nicht verglichen, weil ein Import diese Zahl nicht enthält.',
    'Not compared, because only daily totals are stored for some days.':
      'Nicht verglichen, weil für einige Tage nur Tagessummen gespeichert sind.',
    'Not compared with {when}, because nothing was counted in the first half of that period.':
      'Kein Vergleich mit {when}, weil in der ersten Hälfte dieses Zeitraums nichts gezählt wurde.',
    'The change cannot be calculated. Previous value: {previous} ({when}).':
      'Die Änderung lässt sich nicht berechnen. Vorheriger Wert: {previous} ({when}).',
    'No change from {previous} ({when}).': 'Keine Veränderung gegenüber {previous} ({when}).',
    'Up {change} from {previous} ({when}).': '{change} mehr als {previous} ({when}).',
    'Down {change} from {previous} ({when}).': '{change} weniger als {previous} ({when}).',
    '{days}, up to the same time of day': '{days}, bis zur selben Uhrzeit',
    '{figure} per hour': '{figure} pro Stunde',
    '{figure} per day': '{figure} pro Tag',
    '{figure} per week': '{figure} pro Woche',
    '{figure} per month': '{figure} pro Monat',
    Hour: 'Stunde',
    Day: 'Tag',
    Hours: 'Stunden',
    Days: 'Tage',
    Weeks: 'Wochen',
    Months: 'Monate',
    '{title}, partial hour': '{title}, angebrochene Stunde',
    '{title}, partial day': '{title}, angebrochener Tag',
    '{title}, partial week': '{title}, angebrochene Woche',
    '{title}, partial month': '{title}, angebrochener Monat',
    '{title} so far': '{title} bis jetzt',
    'Bounce rate {value}': 'Absprungrate {value}',
    'Conversion rate {value}': 'Conversion-Rate {value}',
    'Visit duration {value}': 'Besuchsdauer {value}',
    'Revenue {value}': 'Umsatz {value}',
    'in the future': 'in der Zukunft',
    'Some hits are missing in one of the periods.': 'In einem der Zeiträume fehlen einige Hits.',
    'incomplete: some hits are missing': 'unvollständig: einige Hits fehlen',
    'not available: an import does not include this figure': 'nicht verfügbar: ein Import enthält diese Zahl nicht',
    'no value: deleted': 'kein Wert: gelöscht',
    'no value: only daily totals are stored': 'kein Wert: nur Tagessummen sind gespeichert',
    'incomplete: only daily totals are stored for some days':
      'unvollständig: für einige Tage sind nur Tagessummen gespeichert',
    'note: {text}': 'Notiz: {text}',
    'Comparison period': 'Vergleichszeitraum',
    'Click to show single days': 'Klicken, um einzelne Tage anzuzeigen',
    'Click to show the notes': 'Klicken, um die Notizen anzuzeigen',
    'Click to add a note': 'Klicken, um eine Notiz hinzuzufügen',
    'and {count} more': { one: 'und {count} weitere', other: 'und {count} weitere' },
    'Chart interval': 'Intervall des Diagramms',
    Table: 'Tabelle',
    'Compared with': 'Verglichen mit',
    'Not compared': 'Nicht verglichen',
    'Compare with': 'Vergleichen mit',
    'Same number of days just before': 'Ebenso viele Tage davor',
    'Same dates one year earlier': 'Gleicher Zeitraum im Vorjahr',
    'Same weekdays one year earlier': 'Gleiche Wochentage im Vorjahr',
    'No comparison': 'Kein Vergleich',
    '{count} visits excluded': { one: '{count} Besuch ausgeschlossen', other: '{count} Besuche ausgeschlossen' },
    '{count} visits': { one: '{count} Besuch', other: '{count} Besuche' },
    '{count} visitors': { one: '{count} Besucher', other: '{count} Besucher' },
    '{count} pageviews': { one: '{count} Seitenaufruf', other: '{count} Seitenaufrufe' },
    '{days}: {count} visits excluded ({what})': {
      one: '{days}: {count} Besuch ausgeschlossen ({what})',
      other: '{days}: {count} Besuche ausgeschlossen ({what})',
    },
    'Compare the two weeks before and after the note': 'Die zwei Wochen vor und nach der Notiz vergleichen',
    'Figure to compare': 'Zahl für den Vergleich',
    'Conversions of the main goal': 'Conversions des Hauptziels',
    'Before: {before} over {count} days. After: {after} over the same number of days, with the same weekdays.': {
      one: 'Davor: {before} an {count} Tag. Danach: {after} am gleichen Wochentag.',
      other: 'Davor: {before} an {count} Tagen. Danach: {after} an ebenso vielen Tagen mit gleichem Wochentag.',
    },
  },

  // Dialogs and menus over a report: filters, notes, current visitors, saved views, keyboard help.
  dialogs: {
    'Break down the selected row': 'Die ausgewählte Zeile aufschlüsseln',
    'Explain the change of the selected row': 'Die Änderung der ausgewählten Zeile erklären',
    '{name} {condition}': '{name} {condition}',
    'unknown goal (ID {id})': 'unbekanntes Ziel (ID {id})',
    Filters: 'Filter',
    or: 'oder',
    'Add a filter': 'Filter hinzufügen',
    'Change the filter {filter}': 'Filter ändern: {filter}',
    'Remove the filter {filter}': 'Filter entfernen: {filter}',
    'Clear all': 'Alle entfernen',
    'A filter can have at most {most} values.': 'Ein Filter kann höchstens {most} Werte haben.',
    'All filters together can have at most {most} values.': 'Alle Filter zusammen können höchstens {most} Werte haben.',
    'Switch to another site': 'Zu einer anderen Website wechseln',
    'No match.': 'Keine Treffer.',
    'Show only this day': 'Nur diesen Tag anzeigen',
    'No notes on this day.': 'Keine Notizen an diesem Tag.',
    'Remove the note: {text}': 'Notiz entfernen: {text}',
    'New note': 'Neue Notiz',
    'Describe what happened on this day, for example a release or a newsletter. The chart shows your note.':
      'Beschreibe, was an diesem Tag passiert ist, zum Beispiel ein Release oder ein Newsletter. Das Diagramm zeigt deine Notiz.',
    'Add note': 'Notiz hinzufügen',
    now: 'jetzt',
    'Saved views': 'Gespeicherte Ansichten',
    'Remove the view {name}': 'Ansicht {name} entfernen',
    'No saved views yet.': 'Noch keine gespeicherten Ansichten.',
    'Save this view as': 'Diese Ansicht speichern als',
    'The last 7 days': 'Die letzten 7 Tage',
    'The last 30 days': 'Die letzten 30 Tage',
    'The last 12 months': 'Die letzten 12 Monate',
    'Previous period, next period': 'Vorheriger Zeitraum, nächster Zeitraum',
    'Clear all filters': 'Alle Filter entfernen',
    'Ctrl+click': 'Strg+Klick',
    'Shift+Enter': 'Umschalt+Eingabe',
    'Filter out the selected row': 'Ausgewählte Zeile herausfiltern',
    'Add the selected row to the filter': 'Ausgewählte Zeile zum Filter hinzufügen',
    'Show these shortcuts': 'Diese Tastenkürzel anzeigen',
    'Enable these shortcuts in this browser': 'Diese Tastenkürzel in diesem Browser aktivieren',
    'The goal in this filter no longer exists.': 'Das Ziel in diesem Filter gibt es nicht mehr.',
    'This period is longer than two years.': 'Dieser Zeitraum ist länger als zwei Jahre.',
    'This period is not valid.': 'Dieser Zeitraum ist ungültig.',
    'One of the filters is not valid: {reason}': 'Einer der Filter ist ungültig: {reason}',
    'This report cannot be displayed': 'Dieser Bericht kann nicht angezeigt werden',
    'Show the last 30 days': 'Die letzten 30 Tage anzeigen',
    'There is no site {domain}': 'Es gibt keine Website {domain}',
    'The site does not exist, or you do not have access.': 'Die Website existiert nicht, oder du hast keinen Zugriff.',
    'All your sites': 'Alle deine Websites',
    Goal: 'Ziel',
    is: 'ist',
    'is not': 'ist nicht',
    contains: 'enthält',
    'does not contain': 'enthält nicht',
    '{name} is {values}': '{name} ist {values}',
    '{name} is not {values}': '{name} ist nicht {values}',
    '{name} matches {values}': '{name} entspricht {values}',
    '{name} does not match {values}': '{name} entspricht nicht {values}',
    '{name} contains {values}': '{name} enthält {values}',
    '{name} does not contain {values}': '{name} enthält nicht {values}',
    '{values} or {value}': '{values} oder {value}',
  },

  // The panels below the chart, with the names of all dimensions.
  panels: {
    'Break down by …': 'Aufschlüsseln nach …',
    Pages: 'Seiten',
    Sources: 'Quellen',
    Places: 'Orte',
    Devices: 'Geräte',
    Sites: 'Websites',
    Site: 'Website',
    All: 'Alle',
    Page: 'Seite',
    Event: 'Ereignis',
    Labels: 'Labels',
    Values: 'Werte',
    Property: 'Eigenschaft',
    Properties: 'Eigenschaften',
    'Property {name}': 'Eigenschaft {name}',
    'All properties': 'Alle Eigenschaften',
    Label: 'Label',
    Entry: 'Einstieg',
    'Pages per visit': 'Seiten pro Besuch',
    'Entry page': 'Einstiegsseite',
    Exit: 'Ausstieg',
    'Exit page': 'Ausstiegsseite',
    'Host name': 'Hostname',
    Referrer: 'Referrer',
    Source: 'Quelle',
    none: '(leer)',
    'UTM source': 'UTM-Quelle',
    'Campaign source': 'Kampagnenquelle',
    Medium: 'Medium',
    'Campaign medium': 'Kampagnenmedium',
    Campaign: 'Kampagne',
    'Campaign name': 'Kampagnenname',
    Term: 'Suchbegriff',
    'Campaign term': 'Kampagnen-Suchbegriff',
    Content: 'Inhalt',
    'Campaign content': 'Kampagneninhalt',
    Country: 'Land',
    Region: 'Region',
    City: 'Stadt',
    Device: 'Gerät',
    Browser: 'Browser',
    System: 'System',
    'Operating system': 'Betriebssystem',
    'Browser version': 'Browserversion',
    'System version': 'Systemversion',
    Channel: 'Kanal',
    Screen: 'Bildschirm',
    'Organic Search': 'Organische Suche',
    'Paid Search': 'Bezahlte Suche',
    'Organic Social': 'Soziale Netzwerke',
    'Paid Social': 'Soziale Netzwerke, bezahlt',
    'Organic Video': 'Video',
    Email: 'E-Mail',
    'AI Assistants': 'KI-Assistenten',
    Referral: 'Verweis',
    Display: 'Display-Anzeigen',
    Affiliates: 'Partnerprogramme',
    Audio: 'Audio',
    SMS: 'SMS',
    'Mobile Push': 'Push-Nachrichten',
    Language: 'Sprache',
    '{panel}: {tab}': '{panel}: {tab}',
    visitors: { one: 'Besucher', other: 'Besucher' },
    conversions: { one: 'Conversion', other: 'Conversions' },
    requests: { one: 'Anfrage', other: 'Anfragen' },
    'Time on page': 'Zeit auf der Seite',
    'Scroll depth': 'Scrolltiefe',
    Occurrences: 'Anzahl',
    Revenue: 'Umsatz',
    'Revenue per visitor': 'Umsatz pro Besucher',
    'Conversion rate': 'Conversion-Rate',
    Share: 'Anteil',
    Requests: 'Anfragen',
    'Not available for these days': 'Für diese Tage nicht verfügbar',
    'No visits match these filters': 'Keine Besuche passen zu diesen Filtern',
    'The filter “{name}” does not apply to this list.': 'Der Filter „{name}“ gilt nicht für diese Liste.',
    'Journeys from here': 'Wege von hier',
    'Filter out': 'Herausfiltern',
    'Filter out {name}': '{name} herausfiltern',
    new: 'neu',
    'No visitors in the comparison period ({when}).': 'Vorher keine Besucher ({when}).',
    'This period is too short for this interval.': 'Dafür ist dieser Zeitraum zu kurz.',
    'This period is too long for this interval.': 'Dafür ist dieser Zeitraum zu lang.',
    'Not available by hour, because a visit may last longer than an hour.':
      'Nicht pro Stunde verfügbar, weil ein Besuch länger als eine Stunde dauern kann.',
    'Revenue is not available by hour.': 'Umsatz gibt es nicht pro Stunde.',
    'No visitors on these days': 'Keine Besucher an diesen Tagen',
    'No visits with this UTM tag': 'Keine Besuche mit diesem UTM-Tag',
    'Add tags to links you share, such as ?utm_source=newsletter.':
      'Ergänze geteilte Links um Tags, zum Beispiel ?utm_source=newsletter.',
    'No events on these days': 'Keine Ereignisse an diesen Tagen',
    "Call daybook('signup') in your pages, or add data-daybook-event to a link or button.":
      "Rufe in deinen Seiten daybook('signup') auf, oder gib einem Link oder Button das Attribut data-daybook-event.",
    'No labels on these days': 'Keine Labels an diesen Tagen',
    "To add a label to an event, pass it as the second argument: daybook('signup', 'pro').":
      "Der zweite Wert eines Ereignisses ist sein Label: daybook('signup', 'pro').",
    'No properties on these days': 'Keine Eigenschaften an diesen Tagen',
    'No values on these days': 'Keine Werte an diesen Tagen',
    'To see figures by plan or author, send properties with your hits.':
      'Um Zahlen nach Tarif oder Autor zu sehen, sende Eigenschaften mit deinen Hits.',
    'Show labels of the event': 'Labels dieses Ereignisses',
    Search: 'Suchen',
    'Search {title}': '{title} durchsuchen',
    'Rows in {title}': 'Zeilen von {title}',
    'No results for “{search}”': 'Keine Ergebnisse für „{search}“',
    'Only the first {count} rows are shown.': 'Nur die ersten {count} Zeilen werden angezeigt.',
    Details: 'Details',
    'Details of {title}': 'Details zu {title}',
    More: 'Mehr',
    'More rows of {title}': 'Mehr zu {title}',
    Open: 'Öffnen',
    'Open {name}': '{name} öffnen',
    'Download {title} as CSV': '{title} als CSV herunterladen',
    'Try the CSV again': 'CSV erneut versuchen',
    'Goal for the conversions': 'Ziel für die Conversions',
    '{count} rows': { one: '{count} Zeile', other: '{count} Zeilen' },
    '{count} rows are shown. There are more.': {
      one: '{count} Zeile wird angezeigt. Es gibt weitere.',
      other: '{count} Zeilen werden angezeigt. Es gibt weitere.',
    },
    'Map of visitors by country': 'Karte der Besucher nach Land',
    '{country}: {count} visitors': { one: '{country}: {count} Besucher', other: '{country}: {count} Besucher' },
    search: 'Suche',
    other: 'Sonstiges',
  },

  // The lower panels, such as goals, funnels, speed, searches and dropped hits, and the choice of filter values.
  lowerPanels: {
    'main goal': 'Hauptziel',
    'Conversions: how often visitors reached the goal': 'Conversions: wie oft Besucher das Ziel erreicht haben',
    'Conversion rate: share of all visitors that reached the goal':
      'Conversion-Rate: Anteil aller Besucher, die das Ziel erreicht haben',
    'Revenue: sum of the hits that reached the goal': 'Umsatz: Summe der Hits, die das Ziel erreicht haben',
    'No goals yet': 'Noch keine Ziele',
    'A goal is a page or an event that you want visitors to reach.':
      'Ein Ziel ist eine Seite oder ein Ereignis, das Besucher erreichen sollen.',
    'Add a goal': 'Ziel hinzufügen',
    Funnels: 'Trichter',
    Funnel: 'Trichter',
    'Funnel {name}': 'Trichter {name}',
    'No funnels yet': 'Noch keine Trichter',
    'A funnel shows where visitors drop out. It has two to eight steps.':
      'Ein Trichter zeigt, wo Besucher abspringen. Er hat zwei bis acht Schritte.',
    'Add a funnel': 'Trichter hinzufügen',
    'No visitors dropped out': 'Kein Besucher ist abgesprungen',
    '{count} visitors ({share}) dropped out': {
      one: '{count} Besucher ({share}) ist abgesprungen',
      other: '{count} Besucher ({share}) sind abgesprungen',
    },
    'Revenue of the last step: {revenue}.': 'Umsatz des letzten Schritts: {revenue}.',
    '{share} of {count} visitors completed all steps.': {
      one: '{share} von {count} Besucher hat alle Schritte abgeschlossen.',
      other: '{share} von {count} Besuchern haben alle Schritte abgeschlossen.',
    },
    'No visitors reached the first step on these days.':
      'Kein Besucher hat an diesen Tagen den ersten Schritt erreicht.',
    Journeys: 'Wege',
    'Start at': 'Beginn',
    'Entry pages': 'Einstiegsseiten',
    'A page': 'Eine Seite',
    'Goal {name}': 'Ziel {name}',
    'Page or pattern': 'Seite oder Muster',
    'A page such as /pricing, or a pattern such as /guide/*': 'Eine Seite wie /pricing oder ein Muster wie /guide/*',
    Direction: 'Richtung',
    'Next pages': 'Nächste Seiten',
    'Pages before': 'Seiten davor',
    'All visits': 'Alle Besuche',
    'Pages by step': 'Seiten nach Schritt',
    'Other pages': 'Andere Seiten',
    'Ended here': 'Endeten hier',
    'Began here': 'Begannen hier',
    'Journeys from {page}': 'Wege von {page}',
    'Choose a page to follow its visits.': 'Wähle eine Seite, um ihren Besuchen zu folgen.',
    'No visits start here on these days.': 'An diesen Tagen beginnt hier kein Besuch.',
    'Choose a page or a goal. You then see where its visits went, or where they came from.':
      'Wähle eine Seite oder ein Ziel. Du siehst dann, wohin die Besuche gingen oder woher sie kamen.',
    '{count} visits began on these pages.': {
      one: '{count} Besuch begann auf einer dieser Seiten.',
      other: '{count} Besuche begannen auf diesen Seiten.',
    },
    '{count} visits reached this goal: {share} of all visits.': {
      one: '{count} Besuch erreichte dieses Ziel: {share} aller Besuche.',
      other: '{count} Besuche erreichten dieses Ziel: {share} aller Besuche.',
    },
    '{count} visits saw this page: {share} of all visits.': {
      one: '{count} Besuch sah diese Seite: {share} aller Besuche.',
      other: '{count} Besuche sahen diese Seite: {share} aller Besuche.',
    },
    Start: 'Beginn',
    Show: 'Zeigen',
    Step: 'Schritt',
    'Show another step': 'Einen Schritt mehr zeigen',
    'AI crawlers and assistants': 'KI-Crawler und -Assistenten',
    'AI crawlers': 'KI-Crawler',
    'Group AI crawlers by': 'KI-Crawler gruppieren nach',
    Crawler: 'Crawler',
    Operator: 'Betreiber',
    Purpose: 'Zweck',
    Training: 'Training',
    'Search index': 'Suchindex',
    training: 'Training',
    'User request': 'Nutzeranfrage',
    'user request': 'Nutzeranfrage',
    Other: 'Sonstiges',
    '{count} requests. By purpose: {purposes}.': {
      one: '{count} Anfrage. Nach Zweck: {purposes}.',
      other: '{count} Anfragen. Nach Zweck: {purposes}.',
    },
    'No requests from AI crawlers on these days': 'Keine Anfragen von KI-Crawlern an diesen Tagen',
    'Pages that {crawler} requests most': 'Von {crawler} meistabgerufene Seiten',
    'Most requested pages': 'Meistabgerufene Seiten',
    'Filters do not apply to crawlers.': 'Filter gelten nicht für Crawler.',
    'This site does not count AI crawlers': 'Diese Website zählt keine KI-Crawler',
    'Searches on Google': 'Suchen bei Google',
    'Search query': 'Suchanfrage',
    'Group searches by': 'Suchen gruppieren nach',
    'No imported searches on these days': 'Keine importierten Suchen an diesen Tagen',
    'All searches from {first} to {last}: {clicks} clicks, {impressions} impressions. Google hides rare queries, so the rows add up to less.':
      'Alle Suchen vom {first} bis {last}: {clicks} Klicks, {impressions} Impressionen. Google verbirgt seltene Suchanfragen, darum ergeben die Zeilen weniger.',
    'Some imported files also cover days outside this range. Their rows are left out. Choose a longer range.':
      'Einige importierte Dateien enthalten auch Tage außerhalb dieses Zeitraums. Ihre Zeilen fehlen hier. Wähle einen längeren Zeitraum.',
    Clicks: 'Klicks',
    Impressions: 'Impressionen',
    'Click rate': 'Klickrate',
    Position: 'Position',
    'Group speed by': 'Geschwindigkeit gruppieren nach',
    'No measurements on these days. Your pages need the second line of the snippet.':
      'Keine Messungen an diesen Tagen. Deine Seiten brauchen die zweite Zeile des Snippets.',
    'Show the snippet': 'Snippet anzeigen',
    'Three out of four pageviews had this value or better. Values are accurate to 2%.':
      'Drei von vier Seitenaufrufen hatten diesen Wert oder einen besseren. Die Werte sind auf 2 % genau.',
    '{count} pageviews measured': { one: '{count} Seitenaufruf gemessen', other: '{count} Seitenaufrufe gemessen' },
    '{share} good': '{share} gut',
    'Change the settings': 'Einstellungen ändern',
    'Visitors from AI assistants': 'Besucher von KI-Assistenten',
    Assistant: 'Assistent',
    'No visitors from AI assistants': 'Keine Besucher von KI-Assistenten',
    'Not counted': 'Nicht gezählt',
    'All hits were counted': 'Alle Hits wurden gezählt',
    'Ignored hits, such as bots and spam, appear here with the reason.':
      'Ignorierte Hits, zum Beispiel von Bots oder Spam, erscheinen hier mit dem Grund.',
    Bots: 'Bots',
    'Declared bots and automated browsers.': 'Bots, die sich zu erkennen geben, und automatisierte Browser.',
    'Requests by AI crawlers that ran the script. The panel above shows all requests by AI crawlers.':
      'Nur solche, die das Skript ausgeführt haben. Im Bereich darüber stehen alle ihre Anfragen.',
    'Other hosts': 'Andere Hosts',
    'Pages on other domains that use this site’s script.':
      'Seiten auf anderen Domains, die das Skript dieser Website verwenden.',
    'Unknown sites': 'Unbekannte Websites',
    'Hits for a site that does not exist on this server.':
      'Für eine Website gesendet, die es auf diesem Server nicht gibt.',
    Spam: 'Spam',
    'Visits from known spam referrers.': 'Besuche von bekannten Spam-Referrern.',
    'Excluded IP addresses': 'Ausgeschlossene IP-Adressen',
    'Hits from IP addresses that this server does not count, such as your own.':
      'Hits von IP-Adressen, die dieser Server nicht zählt, zum Beispiel von deiner eigenen.',
    'Prefetched pages': 'Vorab geladene Seiten',
    'Pages that a browser loaded in advance, before anyone opened them.':
      'Seiten, die ein Browser vorab geladen hat, bevor jemand sie öffnete.',
    'Too many requests at once': 'Zu viele Anfragen auf einmal',
    'One IP address sent more requests per second than a person can.':
      'Eine IP-Adresse sendete mehr Anfragen pro Sekunde, als ein Mensch es kann.',
    'Daily limit reached': 'Tageslimit erreicht',
    'Hits above the daily limit of the site.': 'Über dem Tageslimit einer Website.',
    'Late time-on-page messages': 'Verspätete Meldungen der Zeit auf der Seite',
    'Messages that say how long a page was visible, for visits that had already ended or were not counted.':
      'Meldungen, wie lange eine Seite sichtbar war, zu Besuchen, die beendet waren oder nicht gezählt wurden.',
    'Late hits': 'Verspätete Hits',
    'Hits that a server sent after the figures of that day became final.':
      'Hits, die ein Server sendete, als die Zahlen des Tages schon endgültig waren.',
    'Filter by': 'Filtern nach',
    'If you add another value, visits with either value match.':
      'Wenn du einen weiteren Wert hinzufügst, passen Besuche mit einem der Werte.',
    'Tick several values, or click one to use it immediately.':
      'Hake mehrere Werte an, oder klicke auf einen, um ihn sofort zu verwenden.',
    'Values in this period that contain your text:': 'Werte mit diesem Text in diesem Zeitraum:',
    'No value in this period contains this text.': 'Kein Wert in diesem Zeitraum enthält diesen Text.',
    Apply: 'Anwenden',
    'Type part of the value': 'Teil des Werts eingeben',
    'Type to search': 'Zum Suchen tippen',
    'No values in this period.': 'Keine Werte in diesem Zeitraum.',
    'Current visitors on {domain}': 'Aktuelle Besucher auf {domain}',
    Countries: 'Länder',
    'Visitors per minute over the last {minutes} minutes. Highest: {count} at {time}':
      'Besucher pro Minute in den letzten {minutes} Minuten. Höchstwert: {count} um {time}',
    'No visitors in the last {minutes} minutes': 'Keine Besucher in den letzten {minutes} Minuten',
    'visitors per minute': 'Besucher pro Minute',
    'The number is for the last five minutes, the chart for the last 30 minutes.':
      'Die Zahl gilt für die letzten fünf Minuten, das Diagramm für die letzten 30 Minuten.',
    'No data yet': 'Noch keine Daten',
    Blocked: 'Gesperrt',
    'Hits that match a block in the settings of this site.':
      'Hits, auf die eine Sperre in den Einstellungen dieser Website zutrifft.',
  },

  // The page "Explore", which answers questions of the user.
  explore: {
    Metrics: 'Kennzahlen',
    'Break down by': 'Aufschlüsseln nach',
    'Then by': 'Dann nach',
    'Finally by': 'Zuletzt nach',
    Columns: 'Spalten',
    'Show {name} as columns': '{name} als Spalten zeigen',
    'Figure in the table': 'Kennzahl in der Tabelle',
    Nothing: 'Nichts',
    'Show a chart': 'Diagramm zeigen',
    Time: 'Zeit',
    Weekday: 'Wochentag',
    'Hour of the day': 'Stunde des Tages',
    Answer: 'Antwort',
    Total: 'Gesamt',
    'Not known': 'Nicht bekannt',
    '{figure} by {name}': '{figure} nach {name}',
    '{figure} of the first rows': '{figure} der ersten Zeilen',
    '{count} of {total} rows': '{count} von {total} Zeilen',
    'What do you want to break these visits down by?': 'Wonach möchtest du diese Besuche aufschlüsseln?',
    'Rows by time and columns cannot be compared with another period.':
      'Zeilen nach Zeit und Spalten lassen sich nicht mit einem anderen Zeitraum vergleichen.',
    'Groups of filters, joined by “or”': 'Filtergruppen, verbunden durch „oder“',
    'A visit must match one of these groups, and the filters above.':
      'Ein Besuch muss zu einer dieser Gruppen passen und zu den Filtern oben.',
    'Group {number}': 'Gruppe {number}',
    'Remove group {number}': 'Gruppe {number} entfernen',
    'A group without filters is ignored.': 'Eine Gruppe ohne Filter wird nicht beachtet.',
    'Add groups joined by “or”': 'Gruppen mit „oder“ hinzufügen',
    'Add a group': 'Gruppe hinzufügen',
    'This question cannot be answered': 'Diese Frage lässt sich nicht beantworten',
    'Start again': 'Neu beginnen',
    'The last {count} of {total} columns are shown.': 'Die letzten {count} von {total} Spalten werden gezeigt.',
    '{name}: the first {count} of {total} values. “Other” counts the visits with all other values.':
      '{name}: die ersten {count} von {total} Werten. „Sonstiges“ zählt die Besuche mit allen anderen Werten.',
    '{name}: the first {count} of {total} values. The other values cannot be counted together.':
      '{name}: die ersten {count} von {total} Werten. Die anderen Werte lassen sich nicht zusammen zählen.',
    'Some cells are not known, because there are too many. Use filters or a shorter period.':
      'Einige Zellen sind nicht bekannt, weil es zu viele sind. Nutze Filter oder einen kürzeren Zeitraum.',
  },

  // Changes of past days, exclusions, suggested exclusions, why figures changed, and how a day was counted.
  exclusions: {
    'What changed?': 'Was hat sich geändert?',
    'Changes of past days': 'Änderungen vergangener Tage',
    'Past days have changed since you last looked.':
      'Vergangene Tage haben sich geändert, seit du zuletzt nachgesehen hast.',
    'Past days have changed since you last looked: {figures}.':
      'Vergangene Tage haben sich geändert, seit du zuletzt nachgesehen hast: {figures}.',
    'Visits were excluded': 'Besuche wurden ausgeschlossen',
    'Excluded visits count again': 'Ausgeschlossene Besuche zählen wieder',
    'Hits were imported': 'Hits wurden importiert',
    'An import was removed': 'Ein Import wurde entfernt',
    'Days were deleted': 'Tage wurden gelöscht',
    'Hits came late': 'Hits kamen verspätet an',
    'Hits were deleted after their retention': 'Hits wurden nach ihrer Aufbewahrungsdauer gelöscht',
    'A goal was added': 'Ein Ziel wurde hinzugefügt',
    'A goal was changed': 'Ein Ziel wurde geändert',
    'A goal was deleted': 'Ein Ziel wurde gelöscht',
    'A setting was changed': 'Eine Einstellung wurde geändert',
    'Command on the server': 'Befehl auf dem Server',
    'It is not known by how much.': 'Um wie viel, ist nicht bekannt.',
    'No figure of these days has changed.': 'Keine Zahl dieser Tage hat sich geändert.',
    '{count} days: {figures}': { one: '{count} Tag: {figures}', other: '{count} Tage: {figures}' },
    'Exclude visits': 'Besuche ausschließen',
    'Excluded visits': 'Ausgeschlossene Besuche',
    'Reports leave out these visits, such as bot traffic. Nothing is deleted, and you can undo this at any time.':
      'Diese Besuche zählen in den Berichten nicht mit, zum Beispiel Bot-Traffic. Nichts wird gelöscht, und du kannst es jederzeit rückgängig machen.',
    'No exclusions yet': 'Noch keine Ausschlüsse',
    'Reports count every visit to this site.': 'In den Berichten zählen alle Besuche dieser Website.',
    Undo: 'Rückgängig machen',
    '{count} visits will count again, exactly as before.': {
      one: '{count} Besuch wird wieder gezählt, genau wie zuvor.',
      other: '{count} Besuche werden wieder gezählt, genau wie zuvor.',
    },
    'Since {day}, including future visits': 'Ab {day}, auch künftige Besuche',
    'New exclusion': 'Neuer Ausschluss',
    'You see a preview before anything changes.': 'Du siehst vorher, welche Besuche betroffen wären.',
    'Visits that match all of these conditions': 'Besuche, auf die alle diese Bedingungen zutreffen',
    'Remove condition {number}': 'Bedingung {number} entfernen',
    'Add a condition': 'Bedingung hinzufügen',
    Condition: 'Bedingung',
    Value: 'Wert',
    'Leave empty for “{value}”': 'Leer lassen für „{value}“',
    'First day': 'Erster Tag',
    'Last day': 'Letzter Tag',
    'Leave empty to keep excluding future visits.': 'Leer lassen, um auch künftige Besuche auszuschließen.',
    Note: 'Notiz',
    'Optional: why these visits are excluded.': 'Optional: warum diese Besuche ausgeschlossen sind.',
    'Bots from one data centre': 'Bots aus einem Rechenzentrum',
    Preview: 'Vorschau',
    'Exclude {count} visits': { one: '{count} Besuch ausschließen', other: '{count} Besuche ausschließen' },
    '{count} visits excluded.': { one: '{count} Besuch ausgeschlossen.', other: '{count} Besuche ausgeschlossen.' },
    'No visits match on these days.': 'Für diese Tage gibt es keine passenden Besuche.',
    '{visits} would be excluded, including {counts}.': {
      one: '{visits} würde ausgeschlossen, einschließlich {counts}.',
      other: '{visits} würden ausgeschlossen, einschließlich {counts}.',
    },
    '{count} events': { one: '{count} Ereignis', other: '{count} Ereignisse' },
    '{count} hits': { one: '{count} Hit', other: '{count} Hits' },
    'Visits per day. Highest: {visits} on {day}': 'Besuche pro Tag, die meisten am {day}: {visits}',
    '{day}: {count} visits': { one: '{day}: {count} Besuch', other: '{day}: {count} Besuche' },
    'Why did the visits change?': 'Warum hat sich die Zahl der Besuche geändert?',
    'Why did the pageviews change?': 'Warum hat sich die Zahl der Seitenaufrufe geändert?',
    'Why did the conversions change?': 'Warum hat sich die Zahl der Conversions geändert?',
    'Most of the difference comes from:': 'Der größte Teil des Unterschieds kommt von:',
    'One group of visitors stands out. But chance alone can cause such a difference:':
      'Eine Besuchergruppe fällt auf. Aber so ein Unterschied kann auch reiner Zufall sein:',
    'All groups of visitors changed by about the same share. So no group explains the difference.':
      'Alle Besuchergruppen haben sich etwa gleich stark geändert. Keine Gruppe erklärt den Unterschied.',
    'No group of visitors stands out. The difference may be chance.':
      'Keine Besuchergruppe fällt auf. Der Unterschied kann Zufall sein.',
    '{share} of the difference': '{share} des Unterschieds',
    '{count} properties that are used less were not tried.': {
      one: '{count} seltener genutzte Eigenschaft wurde nicht geprüft.',
      other: '{count} seltener genutzte Eigenschaften wurden nicht geprüft.',
    },
    'Filter the report by this group': 'Den Bericht nach dieser Gruppe filtern',
    'Unusual traffic on {day}': 'Ungewöhnlicher Traffic am {day}',
    '{count} visits match these conditions:': {
      one: '{count} Besuch erfüllt diese Bedingungen:',
      other: '{count} Besuche erfüllen diese Bedingungen:',
    },
    'This removes {visitors} and {pageviews} from all reports. You can undo it at any time.':
      'Das entfernt {visitors} und {pageviews} aus allen Berichten. Du kannst es jederzeit rückgängig machen.',
    Dismiss: 'Verwerfen',
    'Visitors per day. Visitors on {day} that would be excluded: {visitors}':
      'Besucher pro Tag. Am {day} ausgeschlossen: {visitors}',
    'Signed receipt': 'Unterschriebener Beleg',
    'Check the receipts of all days': 'Belege aller Tage prüfen',
    'How this day was counted': 'Wie dieser Tag gezählt wurde',
    State: 'Status',
    'The day is still in progress.': 'Der Tag läuft noch.',
    'The figures are final.': 'Die Zahlen sind endgültig.',
    'Only daily totals are stored.': 'Nur Tagessummen sind gespeichert.',
    'The figures come from import {number}.': 'Die Zahlen stammen aus Import {number}.',
    'Nothing was counted on this day.': 'An diesem Tag wurde nichts gezählt.',
    Complete: 'Vollständig',
    'No, some hits are missing': 'Nein, einige Hits fehlen',
    Yes: 'Ja',
    'The server was not running from {from} to {to}.': 'Der Server lief von {from} bis {to} nicht.',
    'From {from} to {to}, the server rejected hits, because it was overloaded or could not store them.':
      'Von {from} bis {to} hat der Server Hits abgelehnt, weil er überlastet war oder sie nicht speichern konnte.',
    Verified: 'Überprüft',
    'Not yet': 'Noch nicht',
    '{time}: no differences found': '{time}: keine Abweichungen gefunden',
    '{count} similar visits (usually {usual}).': {
      one: '{count} ähnlicher Besuch. Üblich: {usual}.',
      other: '{count} ähnliche Besuche. Üblich: {usual}.',
    },
  },

  // Texts that several parts of the settings use.
  settings: {
    '{verb} {name}': '{name}: {verb}',
    '{name} was removed.': '{name} wurde entfernt.',
    'Exclusion removed: {name}. Its visits count again.': 'Ausschluss entfernt: {name}. Die Besuche zählen wieder.',
    'Added.': 'Hinzugefügt.',
    Cancel: 'Abbrechen',
    Edit: 'Bearbeiten',
    'Edit {name}': '{name} bearbeiten',
    'Sections of {title}': 'Bereiche: {title}',
    Saved: 'Gespeichert',
    'Saved.': 'Gespeichert.',
    'Language of the browser': 'Sprache des Browsers',
    'The dashboard uses this language. If you choose one, your e-mails use it too. The sign-in page uses the language of your browser.':
      'Das Dashboard verwendet diese Sprache. Wenn du eine wählst, gilt sie auch für deine E-Mails. Die Anmeldeseite verwendet die Sprache deines Browsers.',
    'None of the {count} pages from the last 30 days would change.': {
      one: 'Die einzige Seite ({count}) der letzten 30 Tage würde sich nicht ändern.',
      other: 'Keine der {count} Seiten der letzten 30 Tage würde sich ändern.',
    },
    'Pages from the last 30 days that would change: {changed} of {count}': {
      one: 'Seiten der letzten 30 Tage, die sich ändern würden: {changed} von {count}',
      other: 'Seiten der letzten 30 Tage, die sich ändern würden: {changed} von {count}',
    },
    'No pages from the last 30 days to preview.': 'Keine Seiten der letzten 30 Tage für eine Vorschau.',
  },

  // Settings of a site, such as imports, alerts, mails, goals, funnels, notes, sharing, domain and deletion.
  siteSettings: {
    Data: 'Daten',
    Export: 'Export',
    'Download all hits of this site as a file.': 'Lade alle Hits dieser Website als Datei herunter.',
    Format: 'Format',
    'CSV, for spreadsheets': 'CSV, für Tabellenprogramme',
    'JSON Lines, for another daybook': 'JSON Lines, für ein anderes daybook',
    'Parquet, for DuckDB and pandas (a zip with a file for each day)':
      'Parquet, für DuckDB und pandas (ein Zip mit einer Datei für jeden Tag)',
    'Daily totals in the format of Plausible (a zip)': 'Tagessummen im Format von Plausible (ein Zip)',
    'All days': 'Alle Tage',
    'Other days': 'Andere Tage',
    Download: 'Herunterladen',
    'The download has begun. Days with only daily totals are not in the file.':
      'Der Download hat begonnen. Tage, von denen es nur Summen gibt, sind nicht in der Datei.',
    Import: 'Import',
    'Bring in the history of another product. You see what is in the file before anything is imported.':
      'Übernimm die Daten eines anderen Produkts. Du siehst, was in der Datei ist, bevor etwas importiert wird.',
    File: 'Datei',
    'From Plausible, Umami, Matomo, Google Analytics 4, GoatCounter, Simple Analytics or Google’s Search Console. Access logs and the JSON Lines of daybook work too.':
      'Von Plausible, Umami, Matomo, Google Analytics 4, GoatCounter, Simple Analytics oder der Google Search Console. Auch Zugriffslogs und JSON Lines von daybook funktionieren.',
    'More options': 'Weitere Optionen',
    'Domain in the file': 'Domain in der Datei',
    'Only if the site had another domain at that time.': 'Nur wenn die Website damals eine andere Domain hatte.',
    'Skip lines that cannot be read': 'Unlesbare Zeilen überspringen',
    Upload: 'Hochladen',
    '{name} was not imported.': '{name} wurde nicht importiert.',
    'Choose another file': 'Andere Datei wählen',
    'Uploading {name}: {done} of {total}': '{name} wird hochgeladen: {done} von {total}',
    'The upload of {name} was interrupted, or continues in another window.':
      'Das Hochladen von {name} wurde unterbrochen oder läuft in einem anderen Fenster weiter.',
    'Reading {name}': '{name} wird gelesen',
    '{rows} rows, {days} days': '{rows} Zeilen, {days} Tage',
    'Importing {name}: {done} of {total} days': '{name} wird importiert: {done} von {total} Tagen',
    'In the file {name}': 'In der Datei {name}',
    'The first is {day}.': 'Der erste ist der {day}.',
    'Only the owner of the site can replace them.': 'Nur der Inhaber der Website kann sie ersetzen.',
    'Replace these days and import': 'Diese Tage ersetzen und importieren',
    'The present hits of these days will be deleted permanently.':
      'Die bisherigen Hits dieser Tage werden endgültig gelöscht.',
    '{name} was imported. Reports show its days now.': '{name} wurde importiert. Die Berichte zeigen jetzt seine Tage.',
    'Import another file': 'Weitere Datei importieren',
    'Remove all hits and totals of this import? Hits that it replaced do not come back.':
      'Alle Hits und Summen dieses Imports entfernen? Hits, die er ersetzt hat, kommen nicht zurück.',
    Imports: 'Importe',
    'Files that were imported here or in the terminal of the server.':
      'Dateien, die hier oder im Terminal des Servers importiert wurden.',
    'No imports yet': 'Noch keine Importe',
    'Imported days look like all other days in reports.':
      'Importierte Tage sehen in Berichten aus wie alle anderen Tage.',
    'only daily totals': 'nur Tagessummen',
    'imported on {day}': 'importiert am {day}',
    'Replaced by later imports': 'Durch spätere Importe ersetzt',
    'Delete days': 'Tage löschen',
    'Deletes all visits and imports of some days for good. You see a preview before anything is deleted.':
      'Löscht alle Besuche und Importe einiger Tage endgültig. Du siehst eine Vorschau, bevor etwas gelöscht wird.',
    'Nothing is stored for {days}.': 'Für {days} ist nichts gespeichert.',
    'This will be deleted for {days}:': 'Das wird für {days} gelöscht:',
    'Google searches whose period includes other days are kept.':
      'Suchanfragen bei Google, die auch andere Tage betreffen, bleiben.',
    'Goals, funnels, notes and exclusions stay. Backups and exported files still have these days.':
      'Ziele, Trichter, Notizen und Ausschlüsse bleiben. Backups und exportierte Dateien haben diese Tage weiterhin.',
    '{days} deleted.': '{days} gelöscht.',
    'Delete {count} days': { one: '{count} Tag löschen', other: '{count} Tage löschen' },
    '{count} days with visits': { one: '{count} Tag mit Besuchen', other: '{count} Tage mit Besuchen' },
    '{count} of them with only daily totals': {
      one: 'davon {count} nur mit Tagessummen',
      other: 'davon {count} nur mit Tagessummen',
    },
    '{count} imports as a whole': { one: '{count} ganzer Import', other: '{count} ganze Importe' },
    'a part of {count} imports': { one: 'ein Teil von {count} Import', other: 'ein Teil von {count} Importen' },
    '{count} rows of searches on Google': {
      one: '{count} Zeile mit Suchanfragen bei Google',
      other: '{count} Zeilen mit Suchanfragen bei Google',
    },
    '{count} requests of AI crawlers': {
      one: '{count} Anfrage von KI-Crawlern',
      other: '{count} Anfragen von KI-Crawlern',
    },
    '{count} hits that were not counted': {
      one: '{count} nicht gezählter Hit',
      other: '{count} nicht gezählte Hits',
    },
    'The site already has searches on {count} days of the file.': {
      one: 'Die Website hat schon Suchanfragen an {count} Tag der Datei.',
      other: 'Die Website hat schon Suchanfragen an {count} Tagen der Datei.',
    },
    'The present searches of these days will be deleted permanently.':
      'Die jetzigen Suchanfragen dieser Tage werden endgültig gelöscht.',
    'Export the visits first': 'Zuerst die Besuche exportieren',
    'The site already has hits on {count} days of the file.': {
      one: 'Die Website hat schon Hits an {count} Tag der Datei.',
      other: 'Die Website hat schon Hits an {count} Tagen der Datei.',
    },
    '{count} days': { one: '{count} Tag', other: '{count} Tage' },
    'Each alert is checked when a day is over.': 'Jede Warnung wird geprüft, wenn ein Tag vorbei ist.',
    'No custom alerts yet': 'Noch keine eigenen Warnungen',
    'For example, fewer than 10 visitors on a day.': 'Zum Beispiel weniger als 10 Besucher an einem Tag.',
    'You will get no more messages about this.': 'Du bekommst dazu keine Nachrichten mehr.',
    'Add custom alert': 'Eigene Warnung hinzufügen',
    'On a day': 'An einem Tag',
    below: 'unter',
    above: 'über',
    'unusual for this weekday': 'ungewöhnlich für den Wochentag',
    'Only some visits': 'Nur bestimmte Besuche',
    Metric: 'Metrik',
    'Custom alerts': 'Eigene Warnungen',
    'Effects of notes': 'Wirkung von Notizen',
    'An e-mail two weeks after a note, if you chose this for the note. It shows how your figures changed.':
      'Eine E-Mail zwei Wochen nach einer Notiz, wenn du das bei der Notiz gewählt hast. Sie zeigt, wie sich deine Zahlen verändert haben.',
    'Send a message two weeks later, with the changes of your figures':
      'Zwei Wochen später eine Nachricht senden, wie sich deine Zahlen verändert haben',
    'An e-mail after each day on which the condition of a custom alert was met.':
      'Eine E-Mail nach jedem Tag, an dem die Bedingung einer eigenen Warnung erfüllt war.',
    Notifications: 'Benachrichtigungen',
    'Goals reached': 'Erreichte Ziele',
    'Webhook URL': 'Webhook-URL',
    'Add the workflow “Send webhook alerts to a channel”.':
      'Füge den Workflow „Send webhook alerts to a channel“ hinzu.',
    'Token of the bot': 'Token des Bots',
    'You get it from @BotFather.': 'Du bekommst es von @BotFather.',
    'ID of the chat': 'ID des Chats',
    'The bot must be a member of the chat.': 'Der Bot muss Mitglied des Chats sein.',
    Topic: 'Thema (Topic)',
    'Choose one that nobody can guess. Everybody who knows it can read the messages.':
      'Wähle eines, das niemand erraten kann. Alle, die es kennen, können die Nachrichten lesen.',
    'Access token (optional)': 'Zugriffstoken (optional)',
    'Server (optional)': 'Server (optional)',
    'Token of the application': 'Token der Anwendung',
    Homeserver: 'Homeserver',
    'Access token': 'Zugriffstoken',
    'ID of the room': 'ID des Raums',
    Secret: 'Geheimer Schlüssel',
    'At least 16 characters. Your program uses it to check the signature.':
      'Mindestens 16 Zeichen. Dein Programm prüft damit die Signatur.',
    'The stored settings are secret, so they are not shown. To replace them, enter all of them again.':
      'Die gespeicherten Einstellungen sind geheim und werden deshalb nicht angezeigt. Um sie zu ersetzen, gib alle erneut ein.',
    Messages: 'Nachrichten',
    'Language of the messages': 'Sprache der Nachrichten',
    'Notification channels': 'Benachrichtigungskanäle',
    'Send reports and alerts to a chat, to your phone or to your own program.':
      'Sende Berichte und Warnungen an einen Chat, an dein Telefon oder an dein eigenes Programm.',
    'No notification channels yet': 'Noch keine Benachrichtigungskanäle',
    'For example, Slack, Telegram or ntfy.': 'Zum Beispiel Slack, Telegram oder ntfy.',
    'It will get no more messages.': 'Er bekommt dann keine Nachrichten mehr.',
    'Add notification channel': 'Benachrichtigungskanal hinzufügen',
    'Added. The list shows whether the test message arrived.':
      'Hinzugefügt. Die Liste zeigt, ob die Testnachricht angekommen ist.',
    paused: 'pausiert',
    'Send test': 'Test senden',
    Pause: 'Pausieren',
    Resume: 'Fortsetzen',
    'Failed on {time}: {reason}.': 'Fehlgeschlagen am {time}: {reason}.',
    'Failed: {reason}.': 'Fehlgeschlagen: {reason}.',
    'Last message accepted on {time}.': 'Letzte Nachricht angenommen am {time}.',
    'No message was sent yet.': 'Es wurde noch keine Nachricht gesendet.',
    'Weekly report': 'Wochenbericht',
    'An e-mail every Monday with the figures of the previous week.':
      'Jeden Montag eine E-Mail mit den Zahlen der Vorwoche.',
    'Monthly report': 'Monatsbericht',
    'An e-mail on the first of each month with the figures of the previous month.':
      'Am Ersten jedes Monats eine E-Mail mit den Zahlen des Vormonats.',
    'Traffic alert': 'Traffic-Warnung',
    'An e-mail when you get far more visitors than usual.': 'Eine E-Mail, wenn du weit mehr Besucher als sonst hast.',
    'No-traffic alert': 'Warnung bei ausbleibendem Traffic',
    'An e-mail when hits stop, for example because the snippet is missing. You get another e-mail when hits arrive again.':
      'Eine E-Mail, wenn keine Hits mehr kommen, zum Beispiel weil das Snippet fehlt. Du erhältst eine weitere, wenn wieder Hits kommen.',
    'Reports and alerts': 'Berichte und Warnungen',
    'These e-mails go to everyone with access to this site. Each e-mail has a link to unsubscribe.':
      'Diese E-Mails gehen an alle mit Zugriff auf diese Website. Jede E-Mail hat einen Link zum Abbestellen.',
    'No mail server is set up, so this server sends no e-mails. The person who runs it can set {option}.':
      'Dieser Server hat keinen Mailserver und verschickt deshalb keine E-Mails. Sein Betreiber kann {option} setzen.',
    'Count AI crawlers': 'KI-Crawler zählen',
    'AI crawlers have their own report. They never count as visitors.':
      'KI-Crawler haben einen eigenen Bericht. Sie zählen nie als Besucher.',
    'Main goal': 'Hauptziel',
    'The conversion rate of the main goal is shown next to the visitors.':
      'Die Conversion-Rate des Hauptziels wird neben den Besuchern angezeigt.',
    None: 'Keines',
    'Reports add up the revenue of your orders, for example by source, country and goal.':
      'Berichte zählen den Umsatz deiner Bestellungen zusammen, zum Beispiel nach Quelle, Land und Ziel.',
    'No revenue has arrived yet.': 'Noch kein Umsatz eingegangen.',
    'Currency: {currency}': 'Währung: {currency}',
    Currency: 'Währung',
    'The first revenue sets the currency. You can also choose it now.':
      'Der erste Umsatz legt die Währung fest. Du kannst sie auch jetzt wählen.',
    'Amounts in other currencies are stored, but not added up.':
      'Beträge in anderen Währungen werden gespeichert, aber nicht zusammengezählt.',
    'None yet': 'Noch keine',
    'Send revenue': 'Umsatz senden',
    'To send revenue, call this function in the page that follows an order, with the amount of the order:':
      'Rufe nach einer Bestellung auf der nächsten Seite diese Funktion auf, mit dem Betrag der Bestellung:',
    'the call that sends revenue': 'den Aufruf, der Umsatz sendet',
    'The reports of this site use this time zone for days, weeks and months.':
      'Die Berichte dieser Website verwenden diese Zeitzone für Tage, Wochen und Monate.',
    'Applies from now on. Past days do not change.': 'Gilt ab jetzt. Vergangene Tage ändern sich nicht.',
    'A page or an event that you want visitors to reach. Past visits count too.':
      'Eine Seite oder ein Ereignis, das Besucher erreichen sollen. Frühere Besuche zählen mit.',
    'For example, the page after an order, or a sign-up event.':
      'Zum Beispiel die Seite nach einer Bestellung oder ein Ereignis bei der Registrierung.',
    'Remove this goal? Your visits are kept.': 'Dieses Ziel entfernen? Die Besuche bleiben erhalten.',
    'Goal changed to {goal}.': 'Ziel in {goal} geändert.',
    'Add goal': 'Ziel hinzufügen',
    Type: 'Typ',
    'A funnel has two to eight steps. Visitors must take them in order, within one day. The report shows where visitors drop out.':
      'Ein Trichter hat zwei bis acht Schritte. Besucher müssen sie nacheinander an einem Tag gehen. Der Bericht zeigt, wo Besucher abspringen.',
    'For example: price page, order form, thank-you page. See how many visitors complete all steps.':
      'Zum Beispiel: Preise, Bestellung, Danke. Sieh, wie viele Besucher alle Schritte abschließen.',
    'Remove this funnel? Your visits are kept.': 'Diesen Trichter entfernen? Die Besuche bleiben erhalten.',
    '{name} was changed.': '{name} wurde geändert.',
    'New funnel': 'Neuer Trichter',
    'Add funnel': 'Trichter hinzufügen',
    Order: 'Bestellung',
    Steps: 'Schritte',
    'Step {number}': 'Schritt {number}',
    'Remove step {number}': 'Schritt {number} entfernen',
    'Move step {number} up': 'Schritt {number} nach oben',
    'Move step {number} down': 'Schritt {number} nach unten',
    'Add a property': 'Eigenschaft hinzufügen',
    'Scrolled to (%)': 'Gescrollt bis (%)',
    'Only if visitors must see this much of the page.': 'Nur wenn Besucher so viel von der Seite sehen müssen.',
    'Remove the property': 'Eigenschaft entfernen',
    'An asterisk stands for any text, as in pro*.': 'Ein Sternchen steht für beliebigen Text, wie in pro*.',
    'Add a step': 'Schritt hinzufügen',
    Notes: 'Notizen',
    'The chart shows notes to everyone with access to this site.':
      'Das Diagramm zeigt Notizen allen mit Zugriff auf diese Website.',
    'No notes yet': 'Noch keine Notizen',
    'Write down what may explain a change: a release, a newsletter, a talk.':
      'Notiere, was eine Veränderung erklären kann: ein Release, einen Newsletter, einen Vortrag.',
    'Remove this note permanently?': 'Diese Notiz endgültig entfernen?',
    'Day ({zone})': 'Tag ({zone})',
    'What happened': 'Was ist passiert',
    'Note changed.': 'Notiz geändert.',
    'URL (optional)': 'URL (optional)',
    'New homepage': 'Neue Startseite',
    'Share link': 'Freigabelink',
    'Anyone with the link can see the reports': 'Alle mit dem Link können die Berichte sehen',
    'The link shows all reports of this site, with goals, funnels, notes and imported searches on Google. People with the link cannot see settings or your other sites, and cannot change anything.':
      'Der Link zeigt alle Berichte dieser Website, mit Zielen, Trichtern, Notizen und importierten Suchen bei Google. Mit dem Link sind weder Einstellungen noch deine anderen Websites sichtbar, und Änderungen sind nicht möglich.',
    'the share link': 'den Freigabelink',
    'People with this link will no longer see anything.': 'Personen mit diesem Link sehen dann nichts mehr.',
    'More share links': 'Weitere Freigabelinks',
    'No more links yet': 'Noch keine weiteren Links',
    'Add a link for each group of people, such as an agency.':
      'Füge für jede Gruppe von Personen einen Link hinzu, etwa für eine Agentur.',
    'Add link': 'Link hinzufügen',
    'People with the link do not see it.': 'Personen mit dem Link sehen ihn nicht.',
    Shows: 'Zeigt',
    'All reports': 'Alle Berichte',
    'It needs at least 10 characters.': 'Es braucht mindestens 10 Zeichen.',
    'New password (optional)': 'Neues Passwort (optional)',
    'Remove the password': 'Passwort entfernen',
    'Websites that may embed the link (optional)': 'Websites, die den Link einbetten dürfen (optional)',
    'One per line, such as https://www.example.com. A link with a password cannot be embedded.':
      'Eine pro Zeile, zum Beispiel https://www.example.com. Ein Link mit Passwort lässt sich nicht einbetten.',
    '{websites} may embed this link, with this code:': 'Einbetten erlaubt für {websites}, mit diesem Code:',
    'the embed code of {name}': 'den Einbettungscode von {name}',
    'Password (optional)': 'Passwort (optional)',
    'Last day (optional)': 'Letzter Tag (optional)',
    'with a password': 'mit Passwort',
    'ended on {time}': 'beendet am {time}',
    'ends on {time}': 'endet am {time}',
    'the link {name}': 'den Link {name}',
    'Each link can show only a saved view, ask for a password, and expire on a day that you choose.':
      'Jeder Link kann nur eine gespeicherte Ansicht zeigen, ein Passwort verlangen und an einem gewählten Tag ablaufen.',
    'Create a new share link': 'Neuen Freigabelink erstellen',
    'The current link will stop working, including on pages that embed it.':
      'Der bisherige Link funktioniert dann nicht mehr, auch nicht auf Seiten, die ihn einbetten.',
    Badge: 'Badge',
    'Visitors on {domain} now': 'Aktuelle Besucher auf {domain}',
    JSON: 'JSON',
    'Public live counter': 'Öffentlicher Live-Zähler',
    'Everyone can see the number of current visitors': 'Alle können die Zahl der aktuellen Besucher sehen',
    'Only the number of visitors in the last five minutes is public.':
      'Öffentlich ist nur die Zahl der Besucher in den letzten fünf Minuten.',
    'A badge for your page or README:': 'Ein Badge für deine Seite oder dein README:',
    'the badge': 'das Badge',
    Embedding: 'Einbettung',
    'Only the websites in this list can embed the shared reports.':
      'Nur die Websites in dieser Liste können die freigegebenen Berichte einbetten.',
    Website: 'Website',
    'Allowed websites': 'Erlaubte Websites',
    'No allowed websites yet': 'Noch keine erlaubten Websites',
    'Add the website that should show these reports.': 'Füge die Website hinzu, die diese Berichte zeigen soll.',
    'Pages on this website will show an empty frame instead of the reports.':
      'Seiten dieser Website zeigen dann statt der Berichte einen leeren Rahmen.',
    'Statistics of {domain}': 'Statistik von {domain}',
    Allow: 'Erlauben',
    'Allowed.': 'Erlaubt.',
    'Paste this where the reports should appear:': 'Füge dies dort ein, wo die Berichte erscheinen sollen:',
    'the embed code': 'den Einbettungscode',
    'Site domain': 'Domain der Website',
    'Moved to another domain? Rename the site here. Its statistics stay.':
      'Auf eine andere Domain umgezogen? Benenne die Website hier um. Ihre Statistik bleibt erhalten.',
    'Rename to {domain}': 'In {domain} umbenennen',
    'If you rename {from} to {to}:': 'Wenn du {from} in {to} umbenennst:',
    'All statistics stay. Reports and settings get a new URL. Links with the old name stop working.':
      'Alle Statistiken bleiben erhalten. Berichte und Einstellungen bekommen eine neue URL. Links mit dem alten Namen funktionieren nicht mehr.',
    'the new snippet': 'das neue Snippet',
    'Your pages need the new snippet. The old one counts until {day}, on both domains.':
      'Deine Seiten brauchen das neue Snippet. Das alte zählt bis {day}, auf beiden Domains.',
    'Until {day}, nobody else can use {from}. You can rename the site back.':
      'Bis {day} kann niemand sonst {from} verwenden. Du kannst die Umbenennung rückgängig machen.',
    'By hand, you change the name in API programs, in the URL of the public counter, and in commands.':
      'Von Hand änderst du den Namen in Programmen, die die API verwenden, in der URL des öffentlichen Zählers und in Befehlen.',
    'By hand, you change the name in API programs and in commands.':
      'Von Hand änderst du den Namen in Programmen, die die API verwenden, und in Befehlen.',
    '{count} share links keep their URLs.': {
      one: '{count} Freigabelink behält seine URL.',
      other: '{count} Freigabelinks behalten ihre URLs.',
    },
    '{count} receipts keep the name {from}. New ones get the new name.': {
      one: '{count} Beleg behält den Namen {from}. Neue bekommen den neuen Namen.',
      other: '{count} Belege behalten den Namen {from}. Neue bekommen den neuen Namen.',
    },
    'Delete this site': 'Diese Website löschen',
    'Only the owner of the site can delete it.': 'Nur der Eigentümer der Website kann sie löschen.',
    'This permanently deletes all visits, goals, funnels and notes of the site. The pages can keep the snippet, but their visits are no longer counted.':
      'Das löscht endgültig alle Besuche, Ziele, Trichter und Notizen der Website. Ihre Seiten können das Snippet behalten, aber daybook zählt nichts mehr.',
    'Type {domain} to confirm': 'Gib zur Bestätigung {domain} ein',
    'Delete {domain}': '{domain} löschen',
    Blocks: 'Sperren',
    'Leave my visits out': 'Meine Besuche nicht zählen',
    'Hits from your present IP address are not counted. Only a hash of the IP address is stored. If your IP address changes, switch this on again.':
      'Hits von deiner jetzigen IP-Adresse werden nicht gezählt. Gespeichert wird nur ein Hash der IP-Adresse. Wenn sich deine IP-Adresse ändert, schalte dies neu ein.',
    'From now on, hits that match a block are not counted. Past hits stay.':
      'Hits, auf die eine Sperre zutrifft, werden ab jetzt nicht mehr gezählt. Frühere Hits bleiben.',
    'No blocks yet': 'Noch keine Sperren',
    'Block an IP address, a country, a host name, a page, a source or a user agent.':
      'Sperre eine IP-Adresse, ein Land, einen Hostnamen, eine Seite, eine Quelle oder einen User-Agent.',
    'Its hits will be counted again.': 'Diese Hits werden dann wieder gezählt.',
    Block: 'Sperren',
    'Blocked.': 'Gesperrt.',
    Kind: 'Art',
    'IP address': 'IP-Adresse',
    'User agent': 'User-Agent',
    'A star stands for any characters, as in /internal/*. A country is two letters, as in DE.':
      'Ein Stern steht für beliebige Zeichen, etwa /internal/*. Ein Land hat zwei Buchstaben, etwa DE.',
    'Note (optional)': 'Notiz (optional)',
    'an IP address': 'eine IP-Adresse',
    'your IP address': 'deine IP-Adresse',
    'Your visits': 'Deine Besuche',
    '{count} hits dropped in the last 30 days': {
      one: '{count} Hit in den letzten 30 Tagen verworfen',
      other: '{count} Hits in den letzten 30 Tagen verworfen',
    },
  },

  // The snippet and its options, the check whether hits arrive, and the settings for what is stored of a hit.
  snippet: {
    Snippet: 'Snippet',
    'Paste this into every page of {domain}. daybook then counts its visits.':
      'Füge dies in jede Seite von {domain} ein. Dann zählt daybook die Besuche.',
    'the snippet': 'das Snippet',
    Speed: 'Geschwindigkeit',
    'Measure how fast pages are': 'Geschwindigkeit der Seiten messen',
    'A second script measures web vitals. To use it, paste the second line of the snippet into your pages too.':
      'Ein zweites Skript misst die Web Vitals. Füge dafür auch die zweite Zeile des Snippets in deine Seiten ein.',
    'Paste this line below the first one. It measures how fast your pages are.':
      'Füge diese Zeile unter der ersten ein. Sie misst, wie schnell deine Seiten sind.',
    'the second snippet': 'das zweite Snippet',
    Options: 'Optionen',
    'Outbound links': 'Externe Links',
    'Counts clicks on links to other websites as events named Outbound link.':
      'Zählt Klicks auf Links zu anderen Websites als Ereignisse mit dem Namen Outbound link.',
    Downloads: 'Downloads',
    'Counts clicks on files as events named Download.':
      'Zählt Klicks auf Dateien als Ereignisse mit dem Namen Download.',
    'URLs with #': 'URLs mit #',
    'For apps that change only the part of the URL after #/ or #!.':
      'Für Apps, die nur den Teil der URL nach #/ oder #! ändern.',
    'Respect Do Not Track': 'Do Not Track beachten',
    'Ignores visitors that send Do Not Track or Global Privacy Control.':
      'Ignoriert Besucher, die Do Not Track oder Global Privacy Control senden.',
    'Automated browsers': 'Automatisierte Browser',
    'Counts browsers that a program controls. Use it for tests.': 'Zählt Browser, die ein Programm steuert. Für Tests.',
    'Options change the snippet above. Copy it again and replace the old one.':
      'Optionen ändern das Snippet oben. Kopiere es noch einmal und ersetze das alte.',
    '{origin} works only on this machine. Start daybook with {option} and its public URL first.':
      '{origin} funktioniert nur auf diesem Rechner. Starte daybook zuerst mit {option} und seiner öffentlichen URL.',
    'Count 404 pages': '404-Seiten zählen',
    'On your 404 page, use this snippet instead. It counts an event named 404 with the path.':
      'Verwende auf deiner 404-Seite stattdessen dieses Snippet. Es zählt ein Ereignis namens 404 mit dem Pfad.',
    'the snippet for the 404 page': 'das Snippet für die 404-Seite',
    'Where to paste it': 'Wo du es einfügst',
    'Static HTML': 'Statisches HTML',
    'Paste the snippet into the head of each page, before </head>.':
      'Füge das Snippet in den Kopf jeder Seite ein, vor </head>.',
    'Hugo, Jekyll, Astro, Eleventy': 'Hugo, Jekyll, Astro, Eleventy',
    'Paste the snippet into the layout that all pages share, such as layouts/partials/head.html, _includes/head.html or src/layouts/.':
      'Füge das Snippet in das Layout ein, das alle Seiten verwenden, zum Beispiel layouts/partials/head.html, _includes/head.html oder src/layouts/.',
    WordPress: 'WordPress',
    'Install the plugin from the folder integrations/wordpress of daybook. Or paste the snippet into header.php of your theme, before </head>.':
      'Installiere das Plugin aus dem Ordner integrations/wordpress von daybook. Oder füge das Snippet in header.php deines Themes ein, vor </head>.',
    'Next.js, Nuxt, SvelteKit, React, Vue': 'Next.js, Nuxt, SvelteKit, React, Vue',
    'Paste the snippet into the root layout or index.html. Page changes within the app are counted automatically.':
      'Füge das Snippet in das oberste Layout oder in index.html ein. Seitenwechsel in der App werden automatisch gezählt.',
    'Ghost, Shopify, Squarespace, Webflow, Wix': 'Ghost, Shopify, Squarespace, Webflow, Wix',
    'Paste the snippet into the setting for custom code or code injection, for the header of all pages.':
      'Füge das Snippet in die Einstellung für eigenen Code (Code Injection) ein, für den Header aller Seiten.',
    'If scripts are not allowed, use this image. It counts a pageview of the page in its URL:':
      'Wenn Skripte nicht erlaubt sind, zählt dieses Bild einen Seitenaufruf der Seite in seiner URL:',
    'the image': 'das Bild',
    'Docusaurus, VitePress': 'Docusaurus, VitePress',
    'Add the script to the configuration: to scripts in docusaurus.config.js, or to head in .vitepress/config.':
      'Trage das Skript in der Konfiguration ein: unter scripts in docusaurus.config.js oder unter head in .vitepress/config.',
    '{file} has the exact steps for each of these programs.':
      'Die genauen Schritte für jedes dieser Programme stehen in {file}.',
    'In Google Tag Manager, add a Custom HTML tag with this code. Tag Manager would change the snippet.':
      'Lege im Google Tag Manager ein Tag vom Typ „Benutzerdefiniertes HTML“ mit diesem Code an. Das Snippet selbst würde der Tag Manager verändern.',
    'the code for Google Tag Manager': 'den Code für Google Tag Manager',
    'Serve it from your own domain': 'Von der eigenen Domain laden',
    'Content blockers may stop scripts of other hosts, and scripts with known names. These steps help:':
      'Inhaltsblocker können Skripte von anderen Hosts und Skripte mit bekannten Namen stoppen. Diese Schritte helfen:',
    'Give the script a name of its own: start daybook with this option. Snippets with the old name still work.':
      'Gib dem Skript einen eigenen Namen: Starte daybook mit dieser Option. Snippets mit dem alten Namen funktionieren weiterhin.',
    'the option': 'die Option',
    'The script already has a name of its own: {path}.': 'Das Skript hat schon einen eigenen Namen: {path}.',
    'Set up your web server so that it forwards all paths that begin with {start} to daybook. {file} shows how for nginx, Caddy, Next.js and more.':
      'Richte deinen Webserver so ein, dass er alle Pfade, die mit {start} beginnen, an daybook weiterleitet. {file} zeigt, wie das mit nginx, Caddy, Next.js und anderen geht.',
    'Then paste this into your pages instead:': 'Füge dann stattdessen dies in deine Seiten ein:',
    'the snippet for your own domain': 'das Snippet für die eigene Domain',
    'Installation check': 'Installationsprüfung',
    'The snippet works: {count} visitors in the last five minutes.': {
      one: 'Das Snippet funktioniert: {count} Besucher in den letzten fünf Minuten.',
      other: 'Das Snippet funktioniert: {count} Besucher in den letzten fünf Minuten.',
    },
    'Waiting for a hit. Open {domain} in another tab. The hit appears here within seconds.':
      'Warte auf einen Hit. Öffne {domain} in einem anderen Tab. Der Hit erscheint hier nach wenigen Sekunden.',
    'The snippet works: {count} visitors in the last 30 days.': {
      one: 'Das Snippet funktioniert: {count} Besucher in den letzten 30 Tagen.',
      other: 'Das Snippet funktioniert: {count} Besucher in den letzten 30 Tagen.',
    },
    'See your reports': 'Berichte ansehen',
    'Wait for the next hit': 'Auf den nächsten Hit warten',
    'Not counted today: {hits}': 'Heute nicht gezählt: {hits}',
    Reason: 'Grund',
    'Since the last server start, no page with this snippet has sent a request.':
      'Seit dem letzten Start des Servers hat keine Seite mit diesem Snippet eine Anfrage gesendet.',
    'Last request: {time}. It was counted.': 'Letzte Anfrage: {time}. Sie wurde gezählt.',
    'Last request: {time}. It was not counted. Reason: {name}. {why}':
      'Letzte Anfrage: {time}. Sie wurde nicht gezählt. Grund: {name}. {why}',
    'A page on {host} uses this snippet. This host is not {domain} or one of its subdomains.':
      'Eine Seite auf {host} verwendet dieses Snippet. Dieser Host ist weder {domain} noch eine Subdomain davon.',
    'No hits?': 'Keine Hits?',
    'An ad blocker in your browser may block the script. Try a browser without one.':
      'Ein Werbeblocker in deinem Browser kann das Skript blockieren. Versuche es mit einem Browser ohne Werbeblocker.',
    'The page must be on {domain} or one of its subdomains. Hits from other hosts are not counted.':
      'Die Seite muss auf {domain} oder einer Subdomain davon liegen. Hits von anderen Hosts werden nicht gezählt.',
    'A cache or CDN may still serve old pages without the snippet. Search for data-site in the source of a page.':
      'Ein Cache oder CDN liefert vielleicht noch alte Seiten ohne das Snippet aus. Suche im Quelltext einer Seite nach data-site.',
    'If your pages send a Content-Security-Policy, script-src and connect-src must allow {origin}.':
      'Wenn deine Seiten eine Content-Security-Policy senden, müssen script-src und connect-src {origin} erlauben.',
    'If you opened the site with #daybook-off, this browser is not counted. Open it with #daybook-on to count it again.':
      'Wenn du die Website mit #daybook-off geöffnet hast, wird dieser Browser nicht gezählt. Öffne sie mit #daybook-on, um ihn wieder zu zählen.',
    'Page parameters': 'Seitenparameter',
    'Use this for websites whose query string says which page is shown, such as /?p=1. The listed parameters are kept in the URL of the page. All others are removed.':
      'Verwende dies für Websites, die eine Seite in den Parametern der URL benennen, zum Beispiel /?p=1. Diese Parameter bleiben Teil der Seite. Alle anderen werden entfernt.',
    'One name per line, for example p for WordPress, t for phpBB or title for MediaWiki. Leave the field empty if your URLs have no such parameters.':
      'Ein Name pro Zeile, zum Beispiel p für WordPress, t für phpBB oder title für MediaWiki. Lass das Feld leer, wenn deine URLs keine solchen Parameter haben.',
    Parameters: 'Parameter',
    'Try a URL': 'URL ausprobieren',
    'Stored as {page}': 'Gespeichert als {page}',
    'Saved. Now replace the snippet in your pages with the one under General.':
      'Gespeichert. Ersetze nun das Snippet in deinen Seiten durch das neue unter „Allgemein“.',
    'Stored dimensions': 'Gespeicherte Dimensionen',
    'Dimensions that you switch off are not stored from now on, and their tabs are hidden. Visits that are already stored do not change.':
      'Dimensionen, die du abschaltest, werden ab jetzt nicht mehr gespeichert, und ihre Tabs werden ausgeblendet. Bereits gespeicherte Besuche ändern sich nicht.',
    'Dimensions of a visit': 'Dimensionen eines Besuchs',
    'Regions and cities': 'Regionen und Städte',
    'Store regions and cities': 'Regionen und Städte speichern',
    'The server looks up regions and cities by IP address, and does not store the IP address. On a small site, a city may point to a single person. The person who runs this server must set --geoip to a city database.':
      'Der Server ermittelt Regionen und Städte anhand der IP-Adresse und speichert die IP-Adresse nicht. Bei einer kleinen Website kann eine Stadt auf eine einzelne Person hindeuten. Der Betreiber dieses Servers muss --geoip auf eine Städte-Datenbank setzen.',
    'Private data in paths': 'Private Teile von Pfaden',
    'Parts of a path that match a pattern, such as customer numbers, are stored as :id. E-mail addresses are always stored as :id.':
      'Teile eines Pfads, die zu einem Muster passen, werden als :id gespeichert, zum Beispiel Kundennummern. E-Mail-Adressen werden immer als :id gespeichert.',
    'One pattern per line. users/* hides the part after users anywhere in the path. /users/* hides it only at the start of the path. You can also use {number}, {uuid} or {token} (a long random text) instead of *.':
      'Ein Muster pro Zeile. users/* verbirgt den Teil nach users überall im Pfad. /users/* verbirgt ihn nur am Anfang des Pfads. Statt * kannst du auch {number}, {uuid} oder {token} (einen langen Zufallstext) verwenden.',
    Patterns: 'Muster',
    'Saved. This applies to new hits.': 'Gespeichert. Das gilt für neue Hits.',
    'replaces {examples}': 'ersetzt {examples}',
    'replaces {examples} and {count} more': {
      one: 'ersetzt {examples} und {count} weitere Seite',
      other: 'ersetzt {examples} und {count} weitere Seiten',
    },
    'A goal or funnel step uses {value}, which will be stored as {becomes}. Update it, or it will never match.':
      'Ein Ziel oder Trichterschritt verwendet {value}. Gespeichert wird künftig {becomes}. Passe das Ziel oder den Schritt an, sonst gibt es keine Treffer mehr.',
    'Add this snippet to every page of {domain}': 'Füge dieses Snippet in jede Seite von {domain} ein',
    'Paste this line into your pages, anywhere before {head}. Then open one of the pages.':
      'Füge diese Zeile in deine Seiten ein, irgendwo vor {head}. Öffne dann eine der Seiten.',
    'The snippet works. Your first visit was counted.': 'Das Snippet funktioniert. Der erste Besuch wurde gezählt.',
    'Waiting for the first visit …': 'Warte auf den ersten Besuch …',
    'To import visits from another product, run {command} on the server.':
      'Um Besuche aus einem anderen Produkt zu importieren, führe {command} auf dem Server aus.',
  },

  // Settings of an account: sign-in, sessions, team, tokens, plan and the list of changes.
  account: {
    'You sign in with this e-mail address. Reports and alerts go there too.':
      'Mit dieser E-Mail-Adresse meldest du dich an. Auch Berichte und Warnungen gehen dorthin.',
    'A new password signs you out everywhere else. You can also revoke your access tokens.':
      'Mit einem neuen Passwort wirst du überall sonst abgemeldet. Du kannst auch deine Zugriffstoken widerrufen.',
    'With two-factor authentication, you also need a code from your phone to sign in.':
      'Mit Zwei-Faktor-Authentifizierung brauchst du zum Anmelden auch einen Code von deinem Telefon.',
    'Two-factor authentication is on.': 'Zwei-Faktor-Authentifizierung ist eingeschaltet.',
    'Two-factor authentication is off.': 'Zwei-Faktor-Authentifizierung ist ausgeschaltet.',
    'Manage two-factor authentication': 'Zwei-Faktor-Authentifizierung verwalten',
    'Your sessions': 'Deine Sitzungen',
    Sessions: 'Sitzungen',
    'No sessions': 'Keine Sitzungen',
    'When you sign in with a browser, it appears here.': 'Wenn du dich mit einem Browser anmeldest, erscheint er hier.',
    'You will need to sign in again in this browser.': 'Du musst dich in diesem Browser neu anmelden.',
    'this browser': 'dieser Browser',
    'Signed in {from} · last used {time}': 'Angemeldet: {from} · zuletzt verwendet: {time}',
    'Sign out everywhere else': 'Überall sonst abmelden',
    'You will need to sign in again in all other browsers.':
      'In allen anderen Browsern musst du dich dann wieder anmelden.',
    People: 'Personen',
    'These people can see your sites.': 'Diese Personen können deine Websites sehen.',
    'These people can see your sites. Seats used in your plan: {taken} of {limit}.':
      'Diese Personen können deine Websites sehen. Belegte Plätze in deinem Tarif: {taken} von {limit}.',
    'No team members yet': 'Noch keine Teammitglieder',
    'Your plan does not include a team.': 'Dein Tarif enthält kein Team.',
    'Invite people to give them access to your sites.':
      'Lade Personen ein, um ihnen Zugriff auf deine Websites zu geben.',
    'This person will lose access to your sites.': 'Diese Person verliert den Zugriff auf deine Websites.',
    'The invitation link will stop working.': 'Der Einladungslink funktioniert dann nicht mehr.',
    'New invitation': 'Neue Einladung',
    'Viewers can see all reports. Managers can also change settings, goals, funnels and notes. A manager of all sites can add sites too.':
      'Betrachter sehen alle Berichte. Verwalter können auch Einstellungen, Ziele, Trichter und Notizen ändern. Verwalter aller Websites können auch Websites hinzufügen.',
    'All sites, and sites added later': 'Alle Websites, auch später hinzugefügte',
    'Some sites': 'Einige Websites',
    'This person can see': 'Diese Person sieht',
    'No sites': 'Keine Websites',
    Viewer: 'Betrachter',
    Manager: 'Verwalter',
    'The invitation': 'Die Einladung',
    'the invitation': 'die Einladung',
    'The invitation for {email}': 'Die Einladung für {email}',
    '{invitation} works once, within five days. It is shown only once.':
      '{invitation} gilt fünf Tage lang und nur einmal. Sie wird nur jetzt angezeigt.',
    'The invitation is also sent by e-mail. With the link from this page, the invited person also needs a code. daybook sends the code to their e-mail address.':
      'Die Einladung wird auch per E-Mail verschickt. Für den Link von dieser Seite ist zusätzlich ein Code nötig. daybook schickt ihn an diese E-Mail-Adresse.',
    'This server does not send e-mails. Send the link yourself.':
      'Dieser Server verschickt keine E-Mails. Gib den Link selbst weiter.',
    Invite: 'Einladen',
    'Invitation created. Copy the link above.': 'Einladung erstellt. Kopiere den Link oben.',
    'E-mail address': 'E-Mail-Adresse',
    Role: 'Rolle',
    'Role of {email}': 'Rolle von {email}',
    invited: 'eingeladen',
    'Invited {day}': 'Eingeladen am {day}',
    'Since {day}': 'Seit {day}',
    'Renew link': 'Link erneuern',
    'Renew link for {email}': 'Link erneuern für {email}',
    'Your teams': 'Deine Teams',
    'No teams yet': 'Noch keine Teams',
    'If you join a team, its sites appear next to yours.':
      'Wenn du einem Team beitrittst, erscheinen seine Websites neben deinen.',
    'Access tokens': 'Zugriffstoken',
    'Tokens let programs use the API on your behalf.': 'Mit Token können Programme die API in deinem Namen verwenden.',
    'No tokens yet': 'Noch keine Token',
    'Create one to get reports in a script, or to send hits from a server.':
      'Erstelle eines, um Berichte in einem Skript abzurufen oder Hits von einem Server zu senden.',
    Revoke: 'Widerrufen',
    'Programs that use this token will stop working.':
      'Programme, die dieses Token verwenden, funktionieren dann nicht mehr.',
    'Created {day} · never used': 'Erstellt am {day} · nie verwendet',
    'Created {day} · last used {time}': 'Erstellt am {day} · zuletzt verwendet am {time}',
    'New token': 'Neues Token',
    'Create token': 'Token erstellen',
    'Token created. Copy it now.': 'Token erstellt. Kopiere es jetzt.',
    'Backup script': 'Backup-Skript',
    'A name helps you recognise it later.': 'Am Namen erkennst du es später wieder.',
    Permissions: 'Berechtigungen',
    Read: 'Lesen',
    read: 'lesen',
    'Read reports and settings.': 'Berichte und Einstellungen lesen.',
    Write: 'Schreiben',
    write: 'schreiben',
    'Change settings, sites and goals that you may change yourself. Includes all other permissions.':
      'Einstellungen, Websites und Ziele ändern, die du selbst ändern darfst. Umfasst alle anderen Berechtigungen.',
    Collect: 'Erfassen',
    collect: 'erfassen',
    'Send hits and AI crawler requests from a server.': 'Hits und Anfragen von KI-Crawlern von einem Server senden.',
    'Add notes': 'Notizen hinzufügen',
    note: 'Notizen',
    'Add notes to the chart, for example from a deploy.': 'Notizen im Diagramm hinzufügen, etwa bei einem Deployment.',
    'Your new token': 'Dein neues Token',
    'Copy this token now.': 'Kopiere dieses Token jetzt.',
    'You cannot see this token again later.': 'Du kannst dieses Token später nicht noch einmal sehen.',
    'the token': 'das Token',
    'Try it with this command:': 'Probiere es mit diesem Befehl aus:',
    'the command': 'den Befehl',
    Plan: 'Tarif',
    'Your plan: {plan}': 'Dein Tarif: {plan}',
    'You have no plan, so you cannot see reports. daybook still counts hits.':
      'Du hast keinen Tarif und kannst deshalb keine Berichte sehen. daybook zählt weiterhin Hits.',
    'People in your team': 'Personen in deinem Team',
    'Funnels per site': 'Trichter pro Website',
    Limits: 'Limits',
    'no limit': 'unbegrenzt',
    'Pageviews and events this month: {used}. There is no limit.':
      'Seitenaufrufe und Ereignisse in diesem Monat: {used}. Es gibt kein Limit.',
    'Pageviews and events this month: {used} of {included} ({share}).':
      'Seitenaufrufe und Ereignisse in diesem Monat: {used} von {included} ({share}).',
    'Pageviews and events used': 'Verbrauchte Seitenaufrufe und Ereignisse',
    'You are over the limit of your plan. daybook still counts hits. You can see reports again next month.':
      'Du hast das Limit deines Tarifs überschritten. daybook zählt weiterhin Hits. Berichte siehst du im nächsten Monat wieder.',
    Changes: 'Änderungen',
    'Changes by people, tokens and commands in your account and on your sites. They are kept for 400 days.':
      'Was Personen, Token und Befehle in deinem Konto und auf deinen Websites geändert haben, 400 Tage lang.',
    'No changes yet': 'Noch keine Änderungen',
    'When somebody changes a setting, it appears here.': 'Wenn jemand eine Einstellung ändert, erscheint das hier.',
    'Show older changes': 'Ältere Änderungen anzeigen',
    'Added: {what}': 'Hinzugefügt: {what}',
    'Changed: {what}': 'Geändert: {what}',
    'Removed: {what}': 'Entfernt: {what}',
    'Command: {what}': 'Befehl: {what}',
    'site {name}': 'Website {name}',
    'goal {name}': 'Ziel {name}',
    'funnel {name}': 'Trichter {name}',
    'note {name}': 'Notiz {name}',
    'exclusion from {name}': 'Ausschluss ab {name}',
    'suggestions for {name}, dismissed': 'Vorschläge für {name}, verworfen',
    'saved view {name}': 'gespeicherte Ansicht {name}',
    'frame on {name}': 'Einbettung auf {name}',
    'team member {name}': 'Teammitglied {name}',
    'token {name}': 'Token {name}',
    'session in {name}': 'Sitzung in {name}',
    'language of the dashboard': 'Sprache der Oberfläche',
    'the password': 'Passwort',
    'e-mail address, now {name}': 'E-Mail-Adresse, jetzt {name}',
    'second factor {name}': 'zweiter Faktor {name}',
    'recovery codes': 'Wiederherstellungscodes',
    'in {name}': 'in {name}',
    'with the token {name}': 'mit dem Token {name}',
    'on a page of the account': 'auf einer Seite des Kontos',
    'in the terminal of the server': 'im Terminal des Servers',
    'as a guest': 'als Gast',
    'block of {name}': 'Sperre von {name}',
    'deletion of {name}': 'Löschung von {name}',
    'import {name}': 'Import {name}',
    'custom alert {name}': 'eigene Warnung {name}',
    'notification channel {name}': 'Benachrichtigungskanal {name}',
    'share link {name}': 'Freigabelink {name}',
  },

  // The page about the server, which only the operator sees.
  server: {
    Server: 'Server',
    'Server: nothing needs attention': 'Server: alles in Ordnung',
    'Server: {count} things need attention': {
      one: 'Server: {count} Punkt mit Handlungsbedarf',
      other: 'Server: {count} Punkte mit Handlungsbedarf',
    },
    OK: 'OK',
    'Needs attention': 'Handlungsbedarf',
    'How to fix it:': 'So behebst du es:',
    'Your request': 'Deine Anfrage',
    Version: 'Version',
    Clock: 'Uhr',
    'Mail server': 'Mailserver',
    Disk: 'Festplatte',
    Cluster: 'Cluster',
    Collectors: 'Kollektoren',
    'Daily limit': 'Tageslimit',
    'Past days': 'Vergangene Tage',
    'Background jobs': 'Hintergrundaufgaben',
    Backups: 'Backups',
    'Proof of forgetting': 'Nachweis des Vergessens',
    'Parquet files': 'Parquet-Dateien',
    'Restore test': 'Wiederherstellungstest',
    'Monthly verification': 'Monatliche Überprüfung',
    'Full verification': 'Vollständige Überprüfung',
    'Country database': 'Länderdatenbank',
    'You see the result of daybook doctor, and how your own request arrived.':
      'Du siehst das Ergebnis von daybook doctor, und wie deine eigene Anfrage ankam.',
    Refresh: 'Aktualisieren',
    'Checking …': 'Wird geprüft …',
    'Checking again': 'Wird noch einmal geprüft',
    'How your request arrived': 'Wie deine Anfrage ankam',
    'daybook tells visitors apart by IP address. A proxy in front of the server must pass on this IP address.':
      'daybook unterscheidet Besucher anhand der IP-Adresse. Ein vorgeschalteter Proxy muss sie weitergeben.',
    'Sender IP address': 'IP-Adresse des Absenders',
    'Visitor IP address': 'IP-Adresse des Besuchers',
    'X-Forwarded-For trusted': 'X-Forwarded-For vertrauenswürdig',
    no: 'nein',
    'Proxy headers': 'Proxy-Header',
    'none received': 'keine empfangen',
    Webhook: 'Webhook',
    Servers: 'Server',
    'daybook stores all hits on these ClickHouse servers.':
      'daybook speichert alle Hits auf diesen ClickHouse-Servern.',
    'Waiting hits': 'Wartende Hits',
    'Hits wait in an outbox until all servers have them.':
      'Hits warten in einem Postausgang, bis alle Server sie haben.',
    'Copies of open days': 'Kopien offener Tage',
    'daybook answers queries of these days from a local copy, without ClickHouse.':
      'daybook beantwortet Abfragen dieser Tage aus einer lokalen Kopie, ohne ClickHouse.',
    'Being filled': 'Wird befüllt',
    'Not in use': 'Nicht in Gebrauch',
    'Does not answer': 'Antwortet nicht',
    Behind: 'Im Rückstand',
    'Behind by': 'Rückstand',
    '{free} of {total} free': '{free} von {total} frei',
    Memory: 'Arbeitsspeicher',
    '{used} of {limit} used': '{used} von {limit} genutzt',
    Parts: 'Datenteile',
    Deletions: 'Löschungen',
    '{waiting} waiting': '{waiting} ausstehend',
    '{waiting} waiting, {failed} failing': '{waiting} ausstehend, {failed} fehlgeschlagen',
    'Concurrent queries': 'Gleichzeitige Abfragen',
    'Shard {shard}, replica {replica}': 'Shard {shard}, Replik {replica}',
    'Not known to this server': 'Diesem Server nicht bekannt',
    'Being retired': 'Wird stillgelegt',
    'Disk is full': 'Festplatte ist voll',
    'Time is unknown': 'Uhrzeit ist unbekannt',
    'Not started yet': 'Noch nicht gestartet',
    'Accepts hits': 'Nimmt Hits an',
    'This server': 'Dieser Server',
    'Oldest waiting hit': 'Ältester wartender Hit',
    'Size of the outbox': 'Größe des Postausgangs',
    'Last contact': 'Letzter Kontakt',
    Current: 'Aktuell',
    'Being copied': 'Wird kopiert',
    'Too large to copy': 'Zu groß zum Kopieren',
    'No copies': 'Keine Kopien',
    'A copy is made when somebody opens a report of today.':
      'Eine Kopie entsteht, wenn jemand einen Bericht von heute öffnet.',
    'Copied rows': 'Kopierte Zeilen',
  },

  // Pages without scripts: sign-in, confirming the password, a forgotten password.
  signingIn: {
    'Sign in': 'Anmelden',
    Back: 'Zurück',
    'Account: {email}.': 'Konto: {email}.',
    'This connection is not encrypted (no https). Others on the network can read your password.':
      'Diese Verbindung ist nicht verschlüsselt (kein https). Andere im Netz können dein Passwort lesen.',
    'Sign in with {name}': 'Anmelden mit {name}',
    'Forgot your password?': 'Passwort vergessen?',
    'Use a passkey': 'Passkey verwenden',
    'The passkey could not be used. Sign in another way.':
      'Der Passkey konnte nicht verwendet werden. Melde dich auf eine andere Art an.',
    'One more step': 'Noch ein Schritt',
    'Enter six digits from your authenticator app, or a recovery code.':
      'Gib sechs Ziffern aus deiner Authenticator-App oder einen Wiederherstellungscode ein.',
    'No phone? Use a recovery code. No recovery codes? Ask the person who runs this server to turn off two-factor authentication for you.':
      'Kein Telefon? Verwende einen Wiederherstellungscode. Auch keinen Code? Bitte den Betreiber dieses Servers, die Zwei-Faktor-Authentifizierung für dich auszuschalten.',
    'Confirm your identity': 'Bestätige deine Identität',
    'Account: {email}. Enter your password or a code.': 'Konto: {email}. Gib dein Passwort oder einen Code ein.',
    'Account: {email}. Enter your password again.': 'Konto: {email}. Gib dein Passwort noch einmal ein.',
    'Reset your password': 'Passwort zurücksetzen',
    'This server does not send e-mails. Ask the person who runs it to create a link for you at the terminal:':
      'Dieser Server verschickt keine E-Mails. Bitte seinen Betreiber, dir im Terminal einen Link zu erstellen:',
    'Check your e-mail': 'Prüfe deine E-Mails',
    'If {email} has an account here, you will get a link. It can be used once, and expires after an hour.':
      'Wenn {email} hier ein Konto hat, bekommst du einen Link. Er gilt eine Stunde lang und nur einmal.',
    'At least 10 characters.': 'Mindestens 10 Zeichen.',
    'Set your password': 'Passwort festlegen',
    'Set password': 'Passwort festlegen',
    'You will be signed out on all other devices ({sessions}).':
      'Du wirst auf allen anderen Geräten abgemeldet ({sessions}).',
    'Your access tokens will be revoked ({tokens}). Your programs then need new tokens.':
      'Deine Zugriffstoken werden widerrufen ({tokens}). Deine Programme brauchen dann neue Token.',
    'You will be signed out on all other devices ({sessions}). Your access tokens will be revoked ({tokens}). Your programs will then need new ones.':
      'Du wirst auf allen anderen Geräten abgemeldet ({sessions}). Deine Zugriffstoken werden widerrufen ({tokens}), und deine Programme brauchen dann neue Token.',
    '{count} sessions': { one: '{count} Sitzung', other: '{count} Sitzungen' },
    '{count} tokens': { one: '{count} Token', other: '{count} Token' },
    'This link does not work': 'Dieser Link funktioniert nicht',
    'Each link works once, and expires after a day at the latest. Request a new one on the sign-in page, or ask the person who runs this server.':
      'Jeder Link gilt nur einmal und höchstens einen Tag lang. Fordere auf der Anmeldeseite einen neuen an, oder bitte den Betreiber dieses Servers darum.',
  },

  // Pages without scripts: accepting an invitation, setting up a server.
  joining: {
    'Set up this server': 'Diesen Server einrichten',
    'You are the first user of this server. The sites you add are yours, and you can invite others.':
      'Du bist der erste Nutzer dieses Servers. Die Websites, die du hinzufügst, gehören dir, und du kannst andere einladen.',
    'Set up': 'Einrichten',
    'Each link can be used once, and expires after an hour. If this server is not set up yet, restart it to get a new link.':
      'Ein Link gilt eine Stunde lang und nur einmal. Ist dieser Server noch nicht eingerichtet, starte ihn neu, um einen neuen Link zu bekommen.',
    'This is a daybook server': 'Dies ist ein daybook-Server',
    'This server is not set up yet. Open the link from the terminal in which you started it.':
      'Dieser Server ist noch nicht eingerichtet. Öffne den Link aus dem Terminal, in dem du ihn gestartet hast.',
    'Join the team of {owner}': 'Dem Team von {owner} beitreten',
    'You are invited as a {role}. Enter your password here to accept. You will be signed out on all other devices, and your access tokens will be revoked.':
      'Du bist als {role} eingeladen. Gib hier dein Passwort ein, um die Einladung anzunehmen. Du wirst auf allen anderen Geräten abgemeldet, und deine Zugriffstoken werden widerrufen.',
    'You are invited as a {role}. If you are new here, choose a password with at least 10 characters. If you already have an account, enter its password. This signs out your other devices and revokes your access tokens.':
      'Du bist als {role} eingeladen. Bist du neu hier, wähle ein Passwort mit mindestens 10 Zeichen. Hast du schon ein Konto, gib dessen Passwort ein. Du wirst dann auf allen anderen Geräten abgemeldet, und deine Zugriffstoken werden widerrufen.',
    'If you already have an account, you will be signed out on all other devices. Your access tokens will be revoked, and your password will stop working.':
      'Hast du schon ein Konto, wirst du auf allen anderen Geräten abgemeldet. Deine Zugriffstoken werden widerrufen, und dein Passwort gilt nicht mehr.',
    'You are invited as a {role}. If you join, the other sessions, the tokens, the password and the second factors of your account end.':
      'Du bist als {role} eingeladen. Wenn du beitrittst, enden die anderen Sitzungen, die Token, das Passwort und die zweiten Faktoren deines Kontos.',
    'You are invited as a {role}. Sign in to accept.':
      'Du bist als {role} eingeladen. Melde dich an, um die Einladung anzunehmen.',
    'You are invited as a {role}. Choose a password to create your account.':
      'Du bist als {role} eingeladen. Wähle ein Passwort, um dein Konto anzulegen.',
    'The person who invited you can also open this link. If you are new here and your password is refused, someone else has used the link in your name. Ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.':
      'Die Person, die dich eingeladen hat, hat diesen Link auch. Bist du neu hier, aber dein Passwort wird abgelehnt? Dann hat jemand den Link in deinem Namen verwendet. Bitte dann den Betreiber dieses Servers um einen neuen Link (daybook user password). Der neue Link beendet alle Zugänge, die in deinem Namen angelegt wurden.',
    Join: 'Beitreten',
    'An invitation works once, within 5 days. If you have already accepted it, sign in. If not, ask the person who invited you for a new invitation. Has someone else used it in your name? Then ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.':
      'Eine Einladung gilt 5 Tage lang und nur einmal. Hast du sie schon angenommen, melde dich an. Sonst bitte die Person, die dich eingeladen hat, um eine neue. Hat jemand anderes sie in deinem Namen verwendet? Dann bitte den Betreiber dieses Servers um einen neuen Link (daybook user password). Der neue Link beendet alle Zugänge, die in deinem Namen angelegt wurden.',
    'You will get a code at {email}. It is valid for 15 minutes. To get a new code, open the link again.':
      'Du bekommst einen Code per E-Mail an {email}. Er gilt 15 Minuten. Für einen neuen Code öffne den Link noch einmal.',
    'The dashboard needs JavaScript. You can use the API without JavaScript, at {url}.':
      'Das Dashboard braucht JavaScript. Die API kannst du ohne JavaScript verwenden, unter {url}.',
    'This is not possible now': 'Das ist gerade nicht möglich',
  },

  // The public page without scripts that says what the server keeps and forgets.
  privacy: {
    'What this server keeps and forgets': 'Was dieser Server speichert und vergisst',
    'Web analytics': 'Webanalyse',
    'What is kept': 'Was gespeichert wird',
    'What is not kept': 'Was nicht gespeichert wird',
    'Search for salts of past days': 'Suche nach Salts vergangener Tage',
    'Proof with a made-up visitor': 'Nachweis mit einem erfundenen Besucher',
    'For each visit: pages, events and times, how long and how far pages were seen, the previous website and campaign tags. Also the country, the language, the browser, the system, the type of device and the size class of the window.':
      'Zu jedem Besuch: Seiten, Ereignisse und Zeiten, wie lange und wie weit Seiten gelesen wurden, die vorherige Website und Kampagnen-Tags. Außerdem das Land, die Sprache, der Browser, das System, die Art des Geräts und die Größenklasse des Fensters.',
    'If a site switches it on: the region and city, and how fast its pages are.':
      'Wenn eine Website es einschaltet: Region und Stadt, und wie schnell ihre Seiten sind.',
    'What a site sends itself, such as the plan of a customer.':
      'Was eine Website selbst sendet, etwa den Tarif eines Kunden.',
    'IP addresses and user agents are used only in memory. They are not stored and not logged.':
      'IP-Adressen und User-Agents werden nur im Arbeitsspeicher verwendet. Sie werden weder gespeichert noch protokolliert.',
    'Nothing is stored on the devices of visitors, except an opt-out. Visitors get no cookies.':
      'Auf den Geräten der Besucher wird nichts gespeichert, außer einem Widerspruch. Besucher bekommen keine Cookies.',
    'A code tells the visitors of one site on one day apart. Its key, the salt, is deleted when the day is over. Nobody can then be recognized by it.':
      'Ein Code unterscheidet die Besucher einer Website an einem Tag. Sein Schlüssel, das Salt, wird nach dem Tag gelöscht. Danach ist daran niemand mehr wiederzuerkennen.',
    'Nothing is sent to the developers of daybook.': 'An die Entwickler von daybook wird nichts gesendet.',
    'Once a day, the server searches its own files for the salts that it deleted.':
      'Einmal am Tag durchsucht der Server seine eigenen Dateien nach den Salts, die er gelöscht hat.',
    'The operator can run a proof: the program counts a made-up visitor in a new file or database, and lets the day end. It then searches for the IP address, user agent, salt and code.':
      'Der Betreiber kann einen Nachweis ausführen: Das Programm zählt einen erfundenen Besucher in einer neuen Datei oder Datenbank und lässt den Tag enden. Dann sucht es nach IP-Adresse, User-Agent, Salt und Code.',
    'This proof was not run yet.': 'Dieser Nachweis wurde noch nicht ausgeführt.',
  },
  // Pages without scripts: password, e-mail address, two-factor authentication, unsubscribing, share links.
  accountForms: {
    'Change your password': 'Passwort ändern',
    'Account: {email}. You will be signed out on all other devices.':
      'Konto: {email}. Du wirst auf allen anderen Geräten abgemeldet.',
    'Current password': 'Aktuelles Passwort',
    'New password': 'Neues Passwort',
    'Also revoke my access tokens': 'Auch meine Zugriffstoken widerrufen',
    'You have {count} tokens. Revoke them if anyone else may know your password. Your programs then need new tokens.': {
      one: 'Du hast {count} Token. Widerrufe es, wenn jemand anderes dein Passwort kennen könnte. Deine Programme brauchen dann ein neues.',
      other:
        'Du hast {count} Token. Widerrufe sie, wenn jemand anderes dein Passwort kennen könnte. Deine Programme brauchen dann neue.',
    },
    'Change your e-mail address': 'E-Mail-Adresse ändern',
    'Your current e-mail address is {email}. You will get a link at the new one. Nothing changes until you open it.':
      'Deine aktuelle E-Mail-Adresse ist {email}. An die neue wird ein Link geschickt. Bis du ihn öffnest, ändert sich nichts.',
    'New e-mail address': 'Neue E-Mail-Adresse',
    'Send link': 'Link senden',
    'This server does not send e-mails. Ask the person who runs it to change your e-mail address at the terminal:':
      'Dieser Server verschickt keine E-Mails. Bitte seinen Betreiber, deine E-Mail-Adresse im Terminal zu ändern:',
    'You will get a link at {email}. It can be used once, and expires after an hour.':
      'Du bekommst einen Link per E-Mail an {email}. Er gilt eine Stunde lang und nur einmal.',
    'Each link can be used once, and expires after an hour. You can request a new one in your account.':
      'Ein Link gilt eine Stunde lang und nur einmal. In deinem Konto kannst du einen neuen anfordern.',
    'Your e-mail address changes from {before} to {email}. You then sign in with the new one. You will be signed out on all other devices.':
      'Deine E-Mail-Adresse ändert sich von {before} zu {email}. Danach meldest du dich mit der neuen an. Auf allen anderen Geräten wirst du abgemeldet.',
    'Account: {email}. You sign in with your password only.':
      'Konto: {email}. Du meldest dich nur mit deinem Passwort an.',
    'Account: {email}. To sign in, you need your password and one of these:':
      'Konto: {email}. Zum Anmelden brauchst du dein Passwort und eines davon:',
    'since {date}': 'seit {date}',
    'Remove {name}': '{name} entfernen',
    'Remove {name} …': '{name} entfernen …',
    'Remove …': 'Entfernen …',
    'This turns two-factor authentication off and deletes your recovery codes.':
      'Das schaltet die Zwei-Faktor-Authentifizierung aus und löscht deine Wiederherstellungscodes.',
    'You can then no longer use this second factor to sign in.':
      'Du kannst diesen zweiten Faktor dann nicht mehr zum Anmelden verwenden.',
    'Your old recovery codes will stop working.': 'Deine alten Wiederherstellungscodes gelten dann nicht mehr.',
    'Create new codes': 'Neue Codes erstellen',
    'Recovery codes': 'Wiederherstellungscodes',
    '{count} recovery codes left.': {
      one: 'Noch {count} Wiederherstellungscode übrig.',
      other: 'Noch {count} Wiederherstellungscodes übrig.',
    },
    'Replace with new codes': 'Durch neue Codes ersetzen',
    'Download as a text file': 'Als Textdatei herunterladen',
    'You cannot add passkeys here: browsers allow them only over https, or if the base URL of the server is on localhost.':
      'Passkeys sind hier nicht möglich: Browser erlauben sie nur über https, oder wenn die Basis-URL des Servers auf localhost liegt.',
    'Your recovery codes': 'Deine Wiederherstellungscodes',
    'Two-factor authentication is on. If you lose your phone, you can sign in with a recovery code. Each code works once. Save the codes now: they are not shown again.':
      'Die Zwei-Faktor-Authentifizierung ist eingeschaltet. Ohne dein Telefon kannst du dich mit einem Wiederherstellungscode anmelden. Jeder Code gilt nur einmal. Speichere die Codes jetzt: Sie werden nicht noch einmal angezeigt.',
    'Set up an authenticator app': 'Authenticator-App einrichten',
    'Scan this code with the app on your phone. If you see this page on the phone, open {link}.':
      'Scanne diesen Code mit der App auf deinem Telefon. Siehst du diese Seite auf dem Telefon, öffne {link}.',
    'this link': 'diesen Link',
    'If you cannot scan the code, enter this key: {secret}':
      'Wenn du den Code nicht scannen kannst, gib diesen Schlüssel ein: {secret}',
    'A name helps you recognise this device later.': 'Ein Name hilft dir, dieses Gerät später wiederzuerkennen.',
    Phone: 'Telefon',
    Laptop: 'Laptop',
    'Enter the six digits that the app shows.': 'Gib die sechs Ziffern ein, die die App anzeigt.',
    'Turn on': 'Einschalten',
    'Add a passkey': 'Passkey hinzufügen',
    'The passkey could not be added. This device may already have one for your account.':
      'Der Passkey konnte nicht hinzugefügt werden. Vielleicht hat dieses Gerät schon einen für dein Konto.',
    'Sign in without a password: with your fingerprint, face or PIN, on this device, your phone or a security key.':
      'Melde dich ohne Passwort an: mit Fingerabdruck, Gesicht oder PIN, auf diesem Gerät, deinem Telefon oder einem Sicherheitsschlüssel.',
    'This page needs JavaScript.': 'Diese Seite braucht JavaScript.',
    Unsubscribed: 'Abbestellt',
    'The link is incomplete, or the site or your account was deleted. If it was deleted, you get no more e-mails.':
      'Der Link ist unvollständig. Oder die Website oder dein Konto wurde gelöscht, dann bekommst du keine E-Mails mehr.',
    '{email} no longer gets e-mails about {domain}.': '{email} bekommt keine E-Mails mehr zu {domain}.',
    'Subscribe again': 'Wieder abonnieren',
    '{email} gets reports and alerts about {domain}.': '{email} bekommt Berichte und Warnungen zu {domain}.',
    'This is the number of visitors in the last five minutes, counted without cookies. This page refreshes automatically.':
      'So viele waren in den letzten fünf Minuten hier, ohne Cookies gezählt. Diese Seite aktualisiert sich automatisch.',
    'Check the URL. Some links work only once, and the owner can turn a page off.':
      'Prüfe die URL. Manche Links funktionieren nur einmal, und Seiten können abgeschaltet werden.',
    'Something went wrong': 'Das hat nicht geklappt',
    'Go to the dashboard': 'Zum Dashboard',
    'This link needs a password': 'Dieser Link braucht ein Passwort',
    'Ask the person who gave you the link for its password.':
      'Frage die Person, die dir den Link gegeben hat, nach dem Passwort.',
    'The owner of the site has turned this link off, or replaced it.':
      'Dieser Link wurde abgeschaltet oder durch einen neuen ersetzt.',
  },

  // Weekly and monthly reports, and texts that all mails about sites use.
  reports: {
    '{domain}: {count} visitors last week': {
      one: '{domain}: {count} Besucher letzte Woche',
      other: '{domain}: {count} Besucher letzte Woche',
    },
    '{domain} last week': '{domain} letzte Woche',
    '{from} – {to}, compared with the week before. Time zone: {zone}.':
      '{from} – {to}, verglichen mit der Woche davor. Zeitzone: {zone}.',
    '{domain}: {count} visitors in {month}': {
      one: '{domain}: {count} Besucher im {month}',
      other: '{domain}: {count} Besucher im {month}',
    },
    '{domain} in {month}': '{domain} im {month}',
    '{from} – {to}, compared with the month before. Time zone: {zone}.':
      '{from} – {to}, verglichen mit dem Monat davor. Zeitzone: {zone}.',
    Figures: 'Zahlen',
    'Top pages': 'Meistbesuchte Seiten',
    'Top sources': 'Wichtigste Quellen',
    'Direct / unknown': 'Direkt / unbekannt',
    'Some of these days, or of the days before, were deleted. So their visits are missing.':
      'Einige dieser Tage, oder der Tage davor, wurden gelöscht. Deshalb fehlen ihre Besuche.',
    'Pages, sources and goals are missing for some of these days.':
      'Für einige dieser Tage fehlen Seiten, Quellen und Ziele.',
    'Figures of {from} – {to} changed since the last report: {figures}.':
      'Zahlen vom {from} bis {to} haben sich seit dem letzten Bericht geändert: {figures}.',
    'See what changed': 'Änderungen ansehen',
    'Open the dashboard': 'Dashboard öffnen',
    '{link}:': '{link}:',
    'You get this e-mail because you have access to the statistics of {domain}.':
      'Du bekommst diese E-Mail, weil du Zugriff auf die Statistik von {domain} hast.',
    'Unsubscribe from these e-mails: {url}': 'Diese E-Mails abbestellen: {url}',
  },

  // Alerts about a site, and messages about reached goals and about how figures changed after a note. A note says what
  // happened on a day, such as a release.
  alerts: {
    '{domain}: far more visitors than usual': '{domain}: weit mehr Besucher als üblich',
    '{domain} has far more visitors than usual': '{domain} hat weit mehr Besucher als üblich',
    '{domain}: visitors in the last hour': '{domain}: Besucher in der letzten Stunde',
    '{domain} in the last hour': '{domain} in der letzten Stunde',
    '{day}, {hours}: {count} visitors. Usual at this hour on a {weekday}: {usual}.': {
      one: '{day}, {hours}: {count} Besucher. Üblich um diese Zeit an einem {weekday}: {usual}.',
      other: '{day}, {hours}: {count} Besucher. Üblich um diese Zeit an einem {weekday}: {usual}.',
    },
    'There is nothing to compare with yet. A comparison needs four weeks with visitors.':
      'Noch ist kein Vergleich möglich. Für einen Vergleich sind vier Wochen mit Besuchern nötig.',
    Now: 'Jetzt',
    Usual: 'Üblich',
    'Hour {hours}': 'Stunde {hours}',
    'Day so far': 'Tag bis dahin',
    'Most likely cause: visitors from {source} to the page {page}.':
      'Wahrscheinlichste Ursache: Besucher von {source} auf der Seite {page}.',
    'Most likely cause: visitors from {source}.': 'Wahrscheinlichste Ursache: Besucher von {source}.',
    'Most likely cause: visitors to the page {page}.': 'Wahrscheinlichste Ursache: Besucher auf der Seite {page}.',
    'Biggest increase': 'Stärkster Zuwachs',
    'This day': 'Dieser Tag',
    'Usual day': 'Üblicher Tag',
    'Source: {value}': 'Quelle: {value}',
    'Page: {value}': 'Seite: {value}',
    'Campaign: {value}': 'Kampagne: {value}',
    'You will get no further alert until traffic is normal again.':
      'Du bekommst keine weitere Warnung, bis der Traffic wieder normal ist.',
    '{domain}: two weeks after “{note}”': '{domain}: zwei Wochen nach „{note}“',
    'Open the page of this note': 'Seite dieser Notiz öffnen',
    Before: 'Vorher',
    After: 'Nachher',
    'Beyond chance: {figures}.': 'Mehr als Zufall: {figures}.',
    'May be chance: {figures}.': 'Kann Zufall sein: {figures}.',
    'Too little was counted to compare: {figures}.': 'Zu wenig gezählt für einen Vergleich: {figures}.',
    '{days} days after are compared with {days} days before, in pairs of equal weekdays.':
      '{days} Tage danach sind mit {days} Tagen davor verglichen, immer gleiche Wochentage miteinander.',
    'Open this day': 'Diesen Tag öffnen',
    'Many visits look alike: {now} of {visits} on this day viewed only one page, and have {properties} in common (usually {usual}).':
      'Viele Besuche gleichen sich: {now} von {visits} an diesem Tag haben nur eine Seite aufgerufen und {properties} gemeinsam. Üblich: {usual}.',
    'Many visits look alike: {now} of {visits} on this day have {properties} in common (usually {usual}). Pages per visit: {pages}.':
      'Viele Besuche gleichen sich: {now} von {visits} an diesem Tag haben {properties} gemeinsam. Üblich: {usual}. Seiten pro Besuch: {pages}.',
    'Many visits look alike: {now} of {visits} on this day viewed only one page (usually {usual}).':
      'Viele Besuche gleichen sich: {now} von {visits} an diesem Tag haben nur eine Seite aufgerufen. Üblich: {usual}.',
    'Many visits look alike: {now} of {visits} on this day (usually {usual}). Pages per visit: {pages}.':
      'Viele Besuche gleichen sich: {now} von {visits} an diesem Tag. Seiten pro Besuch: {pages}. Üblich: {usual}.',
    'Smaller groups of similar visits: {groups}.': 'Kleinere Gruppen ähnlicher Besuche: {groups}.',
    'the channel {values}': 'den Kanal {values}',
    'the campaign {values}': 'die Kampagne {values}',
    'the campaign source {values}': 'die Kampagnenquelle {values}',
    'the campaign medium {values}': 'das Kampagnenmedium {values}',
    'the language {values}': 'die Sprache {values}',
    'the region {values}': 'die Region {values}',
    'the city {values}': 'die Stadt {values}',
    'the screen size {values}': 'die Bildschirmgröße {values}',
    'They also make up most of the change of other figures: {figures}.':
      'Von ihnen kommt auch der größte Teil der Änderung anderer Zahlen: {figures}.',
    'Most of the change comes from visitors that have {properties} in common: {before} before, {now} now.':
      'Der größte Teil der Änderung kommt von Besuchern, die {properties} gemeinsam haben: vorher {before}, jetzt {now}.',
    'the source {values}': 'die Quelle {values}',
    'the country {values}': 'das Land {values}',
    'the device {values}': 'das Gerät {values}',
    'the browser {values}': 'den Browser {values}',
    'the operating system {values}': 'das Betriebssystem {values}',
    'the entry page {values}': 'die Einstiegsseite {values}',
    'the host name {values}': 'den Hostnamen {values}',
    'the property {name} = {values}': 'die Eigenschaft {name} = {values}',
    '{some} or {other}': '{some} oder {other}',
    '{count} others': { one: '{count} weitere', other: '{count} weitere' },
    'Nothing is excluded automatically, because these visits may come from people. Managers can exclude them, and undo this at any time. To see the filters, run "daybook suggestions {domain} --date {date}".':
      'Nichts wird automatisch ausgeschlossen, denn diese Besuche könnten von Menschen stammen. Verwalter können sie ausschließen und das wieder rückgängig machen. Die Filter zeigt „daybook suggestions {domain} --date {date}“.',
    '{domain}: no visitors for {duration}': '{domain}: keine Besucher seit {duration}',
    '{domain}: no visitors': '{domain}: keine Besucher',
    '{domain} has no visitors': '{domain} hat keine Besucher',
    '{domain} since the last hit': '{domain} seit dem letzten Hit',
    'Last hit: {moment} ({iso}).': 'Letzter Hit: {moment} ({iso}).',
    'There were no hits in recent weeks.': 'In den letzten Wochen gab es keine Hits.',
    'No visitors for {duration}. Usual for this period: {visitors}.':
      'Keine Besucher seit {duration}. Üblich für diesen Zeitraum: {visitors}.',
    'The server was started after the last hit ({moment}). Only the time since the start counts.':
      'Der Server wurde nach dem letzten Hit gestartet ({moment}). Nur die Zeit seit dem Start zählt.',
    'The server has been running without interruption since {moment}.':
      'Der Server läuft seit {moment} ununterbrochen.',
    'Most likely cause: the pages no longer load the script. The server is reachable: its other sites are getting hits.':
      'Wahrscheinlichste Ursache: Die Seiten laden das Skript nicht mehr. Der Server ist erreichbar, denn seine anderen Websites bekommen Hits.',
    'Most likely cause: the site or this server cannot be reached, or the pages do not load the script. No site on this server gets hits.':
      'Wahrscheinlichste Ursache: Die Website oder dieser Server ist nicht erreichbar, oder die Seiten laden das Skript nicht. Keine Website auf diesem Server bekommt Hits.',
    'Hits on these days that were not counted': 'Hits an diesen Tagen, die nicht gezählt wurden',
    'What to check': 'Was du prüfen kannst',
    'Does https://{domain}/ open, and is the script in its source code?':
      'Lässt sich https://{domain}/ öffnen, und steht das Skript im Quelltext?',
    'Does {script} open? If not, check the server, the proxy, DNS and the certificate.':
      'Lässt sich {script} öffnen? Wenn nicht, prüfe den Server, den Proxy, DNS und das Zertifikat.',
    'Does the browser console show that the script is blocked, for example by Content-Security-Policy or a consent tool?':
      'Zeigt die Browserkonsole, dass das Skript blockiert wird, etwa durch Content-Security-Policy oder ein Consent-Tool?',
    'Run “daybook doctor” on the server. Does it report a problem?':
      'Findet daybook doctor auf dem Server ein Problem?',
    'Test message about {domain}': 'Testnachricht zu {domain}',
    'It works: reports and alerts about {domain} can arrive here.':
      'Es funktioniert: Berichte und Warnungen zu {domain} können hier ankommen.',
    '{domain}: {name}': '{domain}: {name}',
    '{name}: {reason}': '{name}: {reason}',
    '{domain}: {count} custom alerts': {
      one: '{domain}: {count} eigene Warnung',
      other: '{domain}: {count} eigene Warnungen',
    },
    'You set up these alerts in the settings of the site.':
      'Diese Warnungen sind in den Einstellungen der Website eingerichtet.',
    'usual: {usual}': 'üblich: {usual}',
    'above {limit}': 'über {limit}',
    'below {limit}': 'unter {limit}',
    'You will get another message when visitors are back.':
      'Du bekommst eine weitere Nachricht, wenn wieder Besucher kommen.',
    '{domain}: {count} conversions': {
      one: '{domain}: {count} Conversion',
      other: '{domain}: {count} Conversions',
    },
    New: 'Neu',
    'On this day': 'An diesem Tag',
    '{domain}: visitors are back': '{domain}: Die Besucher sind wieder da',
    '{domain} has visitors again': '{domain} hat wieder Besucher',
    'No hits arrived between {from} and {to}.': 'Nach {from} gab es keine Hits. Seit {to} kommen wieder welche.',
  },

  // Mails to one person: invitations, codes and links. Lines are broken by hand at about 80 characters.
  people: {
    'Your code for daybook': 'Dein Code für daybook',
    [`Hello,

Someone opened a link from {owner} that invites you to view website statistics. If it
was you, enter this code there. It is valid for 15 minutes:

{code}

If it was not you, ignore this e-mail. Do not give the code to anyone.
`]: `Hallo,

jemand hat einen Link geöffnet, mit dem {owner} dich zu einer Webstatistik
einlädt. Wenn du das warst, gib dort diesen Code ein. Er gilt 15 Minuten:

{code}

Wenn du es nicht warst, ignoriere diese E-Mail und gib den Code nicht weiter.
`,
    'Invitation to a daybook account': 'Einladung zu einem daybook-Konto',
    '{owner} has invited you to view their website statistics.':
      '{owner} hat dich zu einer Webstatistik eingeladen. Du kannst sie ansehen.',
    '{owner} has invited you to view and manage their website statistics.':
      '{owner} hat dich zu einer Webstatistik eingeladen. Du kannst sie ansehen und verwalten.',
    [`Hello,

{invitation}

Open this link to accept. It works once, within 5 days, and only for this e-mail
address:

{url}

If you do not know the sender, you can ignore this e-mail.
`]: `Hallo,

{invitation}

Öffne diesen Link, um die Einladung anzunehmen. Er gilt 5 Tage lang, nur einmal
und nur für diese E-Mail-Adresse:

{url}

Wenn du den Absender nicht kennst, kannst du diese E-Mail ignorieren.
`,
    'Reset your daybook password': 'Passwort für daybook zurücksetzen',
    [`Hello,

Someone, probably you, asked to reset the password for your web statistics.

Open this link to choose a new password. It can be used once, and expires after an hour. A new
password signs you out on all devices and revokes your access tokens:

{url}

If it was not you, you can ignore this e-mail. Your password does not change.
`]: `Hallo,

jemand, wahrscheinlich du, möchte das Passwort für deine Webstatistik
zurücksetzen.

Öffne diesen Link, um ein neues Passwort zu wählen. Er gilt eine Stunde lang und
nur einmal. Mit dem neuen Passwort wirst du auf allen Geräten abgemeldet, und
deine Zugriffstoken werden widerrufen:

{url}

Wenn du es nicht warst, kannst du diese E-Mail ignorieren. Dein Passwort ändert
sich nicht.
`,
    'Confirm your new e-mail address for daybook': 'Bestätige deine neue E-Mail-Adresse für daybook',
    [`Hello,

Someone, probably you, wants to use this e-mail address to sign in to web
statistics.

Open this link to confirm that the e-mail address is yours. It works once, within
an hour. You will be signed out on all other devices:

{url}

If it was not you, you can ignore this e-mail. Nothing changes.
`]: `Hallo,

jemand, wahrscheinlich du, möchte sich mit dieser E-Mail-Adresse bei einer
Webstatistik anmelden.

Öffne diesen Link, um zu bestätigen, dass die E-Mail-Adresse dir gehört. Er
gilt eine Stunde lang und nur einmal. Auf allen anderen Geräten wirst du
abgemeldet:

{url}

Wenn du es nicht warst, kannst du diese E-Mail ignorieren. Nichts ändert sich.
`,
  },

  // Mails about changes of an account. Lines are broken by hand at about 80 characters.
  accountNotices: {
    'Your daybook account was changed': 'Dein daybook-Konto wurde geändert',
    'Wrong codes for your daybook account': 'Falsche Codes für dein daybook-Konto',
    'This e-mail address already has a daybook account': 'Diese E-Mail-Adresse hat schon ein daybook-Konto',
    'Your password was changed.': 'Dein Passwort wurde geändert.',
    'Your e-mail address was changed. You can no longer sign in with this one.':
      'Deine E-Mail-Adresse wurde geändert. Mit dieser kannst du dich nicht mehr anmelden.',
    'Someone tried to use this e-mail address for another account. Nothing was changed.':
      'Jemand wollte diese E-Mail-Adresse für ein anderes Konto verwenden. Nichts wurde geändert.',
    'A second factor was added.': 'Ein zweiter Faktor wurde hinzugefügt.',
    'A second factor was removed.': 'Ein zweiter Faktor wurde entfernt.',
    'Two-factor authentication was turned off.': 'Die Zwei-Faktor-Authentifizierung wurde ausgeschaltet.',
    'A recovery code was used.': 'Ein Wiederherstellungscode wurde verwendet.',
    'Your recovery codes were replaced.': 'Deine Wiederherstellungscodes wurden ersetzt.',
    'An access token was created.': 'Ein Zugriffstoken wurde erstellt.',
    'An access token was revoked.': 'Ein Zugriffstoken wurde widerrufen.',
    'Someone entered your password and then ten wrong codes.':
      'Jemand hat dein Passwort und danach zehn falsche Codes eingegeben.',
    [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, someone else can use your
account. Reset your password to sign out all devices:

{url}
`]: `Hallo,

{change}

Wenn du das warst, kannst du diese E-Mail ignorieren. Wenn nicht, hat jemand
anderes Zugang zu deinem Konto. Setze dein Passwort zurück, um alle Geräte
abzumelden:

{url}
`,
    [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, tell the person who runs
this server:

{url}
`]: `Hallo,

{change}

Wenn du das warst, kannst du diese E-Mail ignorieren. Wenn nicht, sag dem
Betreiber dieses Servers Bescheid:

{url}
`,
    [`Hello,

{change}

If that was you, sign in with this e-mail address, or use another one:

{url}

If not, you can ignore this e-mail.
`]: `Hallo,

{change}

Wenn du das warst, melde dich mit dieser E-Mail-Adresse an, oder verwende eine
andere:

{url}

Wenn nicht, kannst du diese E-Mail ignorieren.
`,
  },

  // Codes of notices: what an answer lacks, what is excluded, and how figures changed after a note. A note says what
  // happened on a day, such as a release.
  notices: {
    // Puts a time, a site or another name before a sentence, as in "example.com: …".
    prefixed: '{of}: {sentence}',
    left_out: 'Nicht enthalten, weil nur Tagessummen gespeichert sind: {days:days}.',
    crawler_pages_left_out:
      'Nicht in den Seiten dieses Crawlers enthalten, weil nur Tagessummen gespeichert sind: {days:days}.',
    bounces_unknown: 'Die Absprungrate ist für {days:days} unbekannt, weil der Import sie nicht enthielt.',
    seconds_unknown: 'Die Besuchsdauer ist für {days:days} unbekannt, weil der Import sie nicht enthielt.',
    revenue_unknown: 'Der Umsatz ist für {days:days} unbekannt, weil der Import ihn nicht enthielt.',
    other_currencies: 'Umsatz in {currencies} ist nicht enthalten, weil dieser Bericht in {currency} ist.',
    revenue_left_out:
      'Der Umsatz von {hits|Hit ist|Hits ist} nicht enthalten, weil ein Tag mehr als {most} verschiedene Beträge hatte.',
    rows_unknown: 'Dieser Bericht lässt {days:days} aus, weil der Import diese Daten nicht enthielt.',
    page_unknown: 'Conversions von Seitenzielen sind für {days:days} unbekannt, weil der Import keine Seiten enthielt.',
    event_unknown:
      'Conversions von Ereigniszielen sind für {days:days} unbekannt, weil der Import keine Ereignisse enthielt.',
    persons_unknown:
      'Eine Person zählt einmal für jede Seite, weil der Import die Zahl der Personen nicht enthielt: {days:days}.',
    visits_excluded: '{visits|Besuch ist|Besuche sind} durch {exclusions|Ausschluss|Ausschlüsse} ausgeschlossen.',
    nothing_excluded:
      'An diesen Tagen sind keine Besuche ausgeschlossen, weil für sie nur Tagessummen gespeichert sind: {days:days}.',
    days_deleted: 'Diese Tage wurden gelöscht, ihre Besuche fehlen also: {days:days}.',
    other_time_zone: 'Diese Tage wurden in {zone} gezählt, bevor die Zeitzone auf {own} geändert wurde: {days:days}.',
    not_compared:
      'Diese Tage werden nicht verglichen, weil sie oder ihre Vergleichstage unvollständig sind: {days:days}.',
    site_blocked: 'Diese Website ist nicht enthalten, weil ihr Konto gesperrt ist.',
    visitors_changed:
      'Besucher: {change:signed} in den {days} Tagen nach der Notiz, verglichen mit {days} Tagen davor (95-%-Konfidenzintervall: {low:signed} bis {high:signed}).',
    visitors_unclear:
      'Besucher: {change:signed} in den {days} Tagen nach der Notiz, verglichen mit {days} Tagen davor (95-%-Konfidenzintervall: {low:signed} bis {high:signed}). Das kann Zufall sein.',
    too_few_visitors:
      'Zu wenige Besucher für einen Vergleich: {before} vor der Notiz, {after} danach. Beide Seiten brauchen Besucher an mehreren Tagen.',
    pageviews_changed:
      'Seitenaufrufe: {change:signed} in den {days} Tagen nach der Notiz, verglichen mit {days} Tagen davor (95-%-Konfidenzintervall: {low:signed} bis {high:signed}).',
    pageviews_unclear:
      'Seitenaufrufe: {change:signed} in den {days} Tagen nach der Notiz, verglichen mit {days} Tagen davor (95-%-Konfidenzintervall: {low:signed} bis {high:signed}). Das kann Zufall sein.',
    too_few_pageviews:
      'Zu wenige Seitenaufrufe für einen Vergleich: {before} vor der Notiz, {after} danach. Beide Seiten brauchen Seitenaufrufe an mehreren Tagen.',
    conversions_changed:
      'Conversions: {change:signed} in den {days} Tagen nach der Notiz, verglichen mit {days} Tagen davor (95-%-Konfidenzintervall: {low:signed} bis {high:signed}).',
    conversions_unclear:
      'Conversions: {change:signed} in den {days} Tagen nach der Notiz, verglichen mit {days} Tagen davor (95-%-Konfidenzintervall: {low:signed} bis {high:signed}). Das kann Zufall sein.',
    too_few_conversions:
      'Zu wenige Conversions für einen Vergleich: {before} vor der Notiz, {after} danach. Beide Seiten brauchen Conversions an mehreren Tagen.',
    too_few_days: 'Zu wenige vergleichbare Tage: {days} von {all}. Mindestens {needed} sind nötig.',
    suggested: 'Vorgeschlagener Ausschluss: {visits|ähnlicher Besuch|ähnliche Besuche}. Üblich: {usual}.',
  } satisfies Record<keyof typeof NOTICES, string>,

  // Codes of errors: why a request is refused, and what is wrong with a field.
  errors: {
    bad_request: 'Das ist keine gültige HTTP-Anfrage.',
    unauthenticated: 'Ein gültiges Zugriffstoken ist erforderlich: Authorization: Bearer <token>.',
    account_blocked:
      'Das Konto hat keinen aktiven Tarif, oder es hat in diesem Monat mehr Ereignisse verbraucht, als sein Tarif enthält.',
    limit_reached: 'Das würde ein Limit des Tarifs überschreiten.',
    read_only_demo:
      'In dieser öffentlichen Demo lässt sich nichts ändern. Zum Ausprobieren starte dein eigenes daybook.',
    read_only_token:
      'Dieses Token darf nur lesen. Für Änderungen brauchst du ein Token mit der Berechtigung Schreiben.',
    token_forbidden: 'Diesem Token fehlt die Berechtigung für diese Anfrage.',
    foreign_origin: 'Blockiert: Diese Anfrage kam von einer anderen Website.',
    reauthentication_required: 'Bestätige zuerst deine Identität: Gib dein Passwort oder einen Code ein.',
    role_forbidden: 'Deine Rolle erlaubt das nicht.',
    not_found: 'Das gibt es nicht, oder du hast keinen Zugriff darauf.',
    method_not_allowed:
      'Dieser Pfad unterstützt diese Methode nicht. Der Header Allow nennt die unterstützten Methoden.',
    request_timeout: 'Die Anfrage kam nicht rechtzeitig an.',
    payload_too_large: 'Die Anfrage ist zu groß.',
    invalid_request: 'Die Anfrage ist ungültig.',
    crawler_tracking_off: 'Diese Website zählt keine KI-Crawler. Die Einstellung track_crawlers ist ausgeschaltet.',
    rate_limited: 'Zu viele Anfragen. Der Header Retry-After nennt die Sekunden bis zum nächsten Versuch.',
    headers_too_large: 'Die Anfragezeile und die Header sind zu groß.',
    internal: 'Auf dem Server ist ein Fehler aufgetreten.',
    unavailable: 'Der Server kann das gerade nicht. Versuche es gleich noch einmal.',
    site_gone: '{domain} wurde inzwischen umbenannt oder gelöscht. Öffne die Website neu, und beginne noch einmal.',
    upload_is_done: 'Der Import war schon fertig, bevor er abgebrochen wurde. Du kannst ihn noch entfernen.',
    export_runs: 'Ein Export dieses Kontos läuft noch. Warte, bis er fertig ist, oder brich ihn ab.',
    no_bytes: 'Muss als application/octet-stream gesendet werden.',
    no_disk_room: 'Der Server hat keinen Platz für diese Datei. Frag die Person, die ihn betreibt.',
    upload_runs: 'Eine Datei dieses Kontos wird gerade hochgeladen oder importiert. Warte bis zum Ende, oder brich ab.',
    upload_given_up:
      'Dieser Upload wurde 30 Minuten lang nicht fortgesetzt oder dauerte länger als einen Tag. Es wurde nichts importiert. Wähle die Datei noch einmal.',
    upload_not_ready: 'Dieser Upload ist nicht bereit.',
    days_taken: 'Die Website hat an Tagen dieser Datei schon Hits. Um sie zu ersetzen, sende true.',
    other_offset: 'Muss {received} sein, die Zahl der angekommenen Bytes.',
    other_size: 'Alle Teile zusammen müssen {size} Bytes haben, jeder Teil mindestens eins.',
    no_known_format: 'Das Format dieser Datei ist nicht bekannt. Wähle die Datei, die das andere Produkt exportiert.',
    disk_full: 'Die Festplatte des Servers ist voll. Es wurde nichts importiert.',
    import_failed: 'Der Import ist fehlgeschlagen. Es wurde nichts importiert. Der Grund steht im Log des Servers.',
    no_hits_in_range: 'An diesen Tagen gibt es keine Hits.',
    no_host: 'Der Header Host fehlt.',
    expectation_not_met: 'Der Header Expect verlangt etwas, das dieser Server nicht unterstützt.',
    no_proxy: 'Dieser Server ist kein Proxy.',
    unknown_collector:
      'Kein Kollektor hat dieses Geheimnis. Um ein neues Geheimnis zu erzeugen, führe auf dem Primary daybook collectors add aus.',
    other_outbox:
      'Dieses Geheimnis gehört zu einem Kollektor mit einem anderen Postausgang. Starte ihn mit diesem Postausgang, oder lege ihn still und füge einen neuen hinzu.',
    copied_outbox:
      'Ein anderer Kollektor verwendet diesen Postausgang, deshalb würden einige Hits doppelt zählen. Starte diesen Kollektor mit einem eigenen Postausgang. Nenne mit --outbox eine neue Datei.',
    lost_outbox:
      'Der Kollektor mit diesem Postausgang wurde mit --lost stillgelegt, deshalb würden die wartenden Hits doppelt zählen. Starte diesen Kollektor mit einem neuen Postausgang. Nenne mit --outbox eine neue Datei.',
    older_outbox:
      'Dieser Postausgang ist eine alte Kopie, deshalb würden einige Hits doppelt zählen. Starte den Kollektor mit seinem neuesten Postausgang, oder lege ihn mit --lost still und füge einen neuen hinzu.',
    foreign_page: 'Seiten anderer Websites können diesen Pfad nicht verwenden, Programme schon.',
    server_away: 'Der Server {host} des Clusters antwortet nicht. Versuche es gleich noch einmal.',
    server_lacking: 'Der Server {host} des Clusters hat noch nicht alle Hits. Versuche es gleich noch einmal.',
    most_blocks: 'Eine Website kann höchstens {most} Sperren haben. Entferne zuerst eine.',
    value_or_mine: 'Sende entweder „value“ oder „mine“ für deine eigene IP-Adresse.',
    proxy_not_trusted:
      'Der Server sieht deine IP-Adresse nicht, weil er dem Proxy vor sich nicht vertraut. Setze trusted-proxies.',
    only_true: 'Muss true sein.',
    no_address: 'Muss eine IP-Adresse sein, etwa 192.0.2.7.',
    most_shares: 'Eine Website kann höchstens {most} Freigabelinks haben. Entferne zuerst einen.',
    not_past: 'Muss in der Zukunft liegen.',
    no_view_of_site: 'Muss die ID einer gespeicherten Ansicht dieser Website sein.',
    password_not_framed:
      'Ein Link mit Passwort kann nicht eingebettet werden. Entferne das Passwort oder die Websites.',
    most_alerts: 'Eine Website kann höchstens {most} eigene Warnungen haben. Entferne zuerst eine.',
    no_threshold: 'Muss fehlen, wenn die Bedingung „unusual“ ist.',
    most_destinations: 'Eine Website kann höchstens {most} Kanäle für Benachrichtigungen haben. Entferne zuerst einen.',
    no_channel_url: 'Muss eine URL wie https://example.com/hook sein, ohne Benutzernamen und Passwort.',
    no_token_text: 'Darf keine Leerzeichen oder Sonderzeichen enthalten.',
    no_bot_token: 'Muss das Token eines Bots sein, wie 123456789:AAF….',
    no_chat: 'Muss die ID eines Chats sein, wie -1001234567890, oder @ und der Name eines öffentlichen Kanals.',
    no_topic: 'Darf nur Buchstaben, Ziffern, _ und - enthalten.',
    no_room: 'Muss die ID eines Raums sein, wie !abc123:matrix.org.',
    other_host: 'Der Host der URL muss einer von diesen sein: {known}.',
    https_only: 'Die URL muss mit https:// beginnen.',
    other_port: 'Die URL muss den Port 443 oder 8443 verwenden.',
    private_network:
      'Im öffentlichen Internet gibt es {host} nicht. Wer diesen Server betreibt, kann private Netze mit --channels-private erlauben.',
    most_embeds: 'Höchstens {most} Websites können die freigegebenen Berichte einbetten. Entferne zuerst eine.',
    most_views: 'Eine Website kann höchstens {most} gespeicherte Ansichten haben. Entferne zuerst eine.',
    most_exclusions: 'Eine Website kann höchstens {most} Ausschlüsse haben. Entferne zuerst einen.',
    most_goals: 'Eine Website kann höchstens {most} Ziele haben. Entferne zuerst eines.',
    most_notes: 'Eine Website kann höchstens {most} Notizen haben. Entferne zuerst eine.',
    most_zone_changes:
      'Die Zeitzone einer Website kann sich höchstens {most}-mal am Tag ändern. Versuche es morgen noch einmal.',
    most_sites_by_managers: 'Dieses Konto hat mindestens {most} Websites. Nur sein Inhaber kann weitere hinzufügen.',
    most_former_domains:
      'Eine Website kann höchstens {most} frühere Domains haben. Jede bleibt 30 Tage lang reserviert. Versuche es später noch einmal.',
    most_funnels: 'Eine Website kann höchstens {most} Trichter haben. Entferne zuerst einen.',
    most_tokens: 'Ein Konto kann höchstens {most} Token haben. Widerrufe eines, das du nicht mehr brauchst.',
    most_streams:
      'Es können höchstens {most} Ereignis-Streams gleichzeitig offen sein. Schließe einen, oder sende diese Anfrage ohne Accept: text/event-stream.',
    streams_full:
      'Im Moment kann kein weiterer Ereignis-Stream geöffnet werden. Sende diese Anfrage ohne Accept: text/event-stream, oder versuche es später noch einmal.',
    most_factors: 'Ein Konto kann höchstens {most} zweite Faktoren haben.',
    plan_sites: 'Der Tarif dieses Kontos enthält höchstens {limit|Website|Websites}.',
    plan_members: 'Der Tarif dieses Kontos enthält höchstens {limit|Teammitglied|Teammitglieder}.',
    plan_no_sites:
      'Der Tarif dieses Kontos enthält keine eigenen Websites. Bitte den Betreiber dieses Servers um einen anderen Tarif.',
    plan_no_members:
      'Der Tarif dieses Kontos enthält kein eigenes Team. Bitte den Betreiber dieses Servers um einen anderen Tarif.',
    too_many_tries: 'Zu viele Versuche. Versuche es in 15 Minuten noch einmal.',
    too_many_tries_seconds: 'Zu viele Versuche. Versuche es in {count|Sekunde|Sekunden} noch einmal.',
    too_many_tries_minutes: 'Zu viele Versuche. Versuche es in {count|Minute|Minuten} noch einmal.',
    too_many_codes:
      'Zu viele falsche Codes. Verwende einen Wiederherstellungscode oder einen Passkey, oder versuche es um {time} UTC noch einmal.',
    no_code_mailed:
      'An {email} kann jetzt kein Code geschickt werden: {limit:codes}. Verwende den Link aus der E-Mail mit der Einladung. Er braucht keinen Code.',
    account_sent_mails: 'das Konto hat sein Tageslimit für E-Mails erreicht',
    address_got_mails: 'die E-Mail-Adresse hat ihr Tageslimit für E-Mails erreicht',
    server_sent_mails: 'der Server hat sein Tageslimit für E-Mails erreicht',
    address_got_codes: 'die E-Mail-Adresse hat ihr Tageslimit für Codes erreicht',
    server_sent_codes: 'der Server hat sein Tageslimit für Codes erreicht',
    address_got_notices: 'die E-Mail-Adresse hat ihr Tageslimit für Nachrichten über das Konto erreicht',
    required: 'Diese Angabe ist erforderlich.',
    given_twice: 'Kommt mehrfach vor.',
    not_known: 'Das ist unbekannt.',
    not_known_of: 'Das ist unbekannt. Bekannte Werte: {known}.',
    other_text: '{text}',
    broken_escape: 'Enthält eine ungültige Prozentkodierung, etwa %zz.',
    body_no_object: 'Der Inhalt muss ein JSON-Objekt sein, gesendet als application/json.',
    body_no_list: 'Der Inhalt muss eine JSON-Liste sein, gesendet als application/json.',
    no_utf8: 'Muss Text in UTF-8 sein.',
    no_object: 'Muss ein JSON-Objekt sein.',
    other_type: 'Muss als text/plain oder application/json gesendet werden.',
    no_text: 'Muss Text sein.',
    no_unicode: 'Muss gültiges Unicode sein.',
    empty: 'Darf nicht leer sein.',
    too_long: 'Darf höchstens {most} Zeichen haben.',
    too_short: 'Muss mindestens {least} Zeichen haben.',
    password_too_long: 'Darf höchstens 1.024 Zeichen haben.',
    too_many_patterns: 'Darf höchstens {most} Muster haben.',
    no_properties: 'Muss ein Objekt mit einem Wert für jeden Namen sein.',
    no_property_name:
      'Der Name einer Eigenschaft muss mit einem Buchstaben beginnen und darf nur Buchstaben von a bis z, Ziffern und _ enthalten.',
    no_property_value: 'Muss Text, eine Zahl, true oder false sein.',
    too_many_properties: 'Ein Hit kann höchstens {most} Eigenschaften haben.',
    no_revenue: 'Muss ein Objekt mit den Feldern amount und currency sein.',
    no_currency: 'Muss der Code einer Währung sein, zum Beispiel EUR.',
    no_amount: 'Muss eine Zahl ab 0 und unter {below} sein, zum Beispiel 19.99.',
    too_many_digits: 'Darf höchstens {most} Stellen nach dem Punkt haben, weil die Währung {currency} ist.',
    currency_required: 'Die Website hat noch keine Währung. Nenne eine, zum Beispiel currency=EUR.',
    several_currencies: 'Die Websites haben mehrere Währungen: {known}. Nenne eine, zum Beispiel currency=EUR.',
    currency_alone: 'Das geht nur mit den Metriken revenue und revenue_per_visitor.',
    property_required: 'Nenne die Eigenschaft, deren Werte du willst, zum Beispiel property=plan.',
    only_property_values: 'Das geht nur mit der Aufschlüsselung property_values.',
    no_journey_start:
      'Muss eine Seite sein, die mit „/“ beginnt, ein Muster wie /guide/*, goal: mit einer ID, oder entry.',
    nothing_before_entry:
      'Vor dem Einstieg kommt nichts. Verwende „after“, oder nenne in „from“ eine Seite oder ein Ziel.',
    too_many_values: 'Darf höchstens {most} Werte haben.',
    too_many_values_of_all: 'Alle Filter zusammen dürfen höchstens {most} Werte haben.',
    too_many_entries: 'Darf höchstens {most} Einträge haben.',
    too_many_parameters: 'Eine Anfrage darf höchstens {most} Parameter haben.',
    too_many_stars: 'Darf höchstens {most} Sternchen („*“) haben.',
    no_filter: 'Braucht mindestens einen Filter.',
    no_value: 'Braucht mindestens einen Wert.',
    no_path: 'Muss ein Pfad sein, der mit „/“ beginnt.',
    no_path_pattern: 'Muss ein Pfad sein, der mit „/“ beginnt, oder mit „*“ für jeden Anfang.',
    no_source: 'Muss ein Hostname wie example.com sein, oder leer für direkte Besuche.',
    no_domain: 'Muss ein Hostname wie example.com sein, ohne Schema, Port oder Pfad.',
    no_region: 'Muss ein Code wie DE-BE sein, oder leer für unbekannt.',
    no_country: 'Muss aus zwei Buchstaben wie DE bestehen, oder leer sein für unbekannt.',
    no_device: 'Muss Desktop, Mobile oder Tablet sein, oder leer für unbekannt.',
    no_pageviews: 'Muss eine ganze Zahl sein, etwa 1 für Besuche mit einer Seite.',
    no_condition:
      'Muss ein einzelner Wert sein, oder ein Objekt mit Listen von Werten. Dessen Schlüssel sind is, not, like oder unlike.',
    no_value_or_number: 'Muss Text oder eine Zahl sein.',
    no_filters: 'Muss ein Objekt mit Filternamen als Schlüsseln sein.',
    cannot_stand_beside: 'Lässt sich nicht mit {name} kombinieren. Verwende stattdessen {instead}.',
    no_day: 'Muss ein Tag wie 2026-01-31 sein.',
    no_instant: 'Muss ein Zeitpunkt wie 2026-01-31T10:00:00Z sein.',
    as_of_to_come: 'Muss ein Tag vor heute sein ({zone}).',
    as_of_before_site: 'Muss {date} oder später sein, denn an diesem Tag wurde die Website hinzugefügt.',
    as_of_lost: 'Die Antwort dieses Tages lässt sich nicht mehr geben: {reasons:codes}.',
    lost_import_added: 'ein Import hat {days:days} ersetzt',
    lost_import_removed: 'der Import von {days:days} wurde entfernt',
    lost_days_removed: '{days:days} wurden gelöscht',
    lost_retention:
      'die Hits von {days:days} wurden nach ihrer Aufbewahrungsdauer gelöscht, und der Bericht braucht sie',
    lost_late_hits: 'verspätete Hits von {days:days} lassen sich nicht von den anderen Hits trennen',
    days_open:
      'Für {days:days} können noch Hits kommen. Wähle einen früheren letzten Tag. Ein vergangener Tag wird nachts endgültig, oder mit daybook seal.',
    day_to_come: 'Muss heute ({zone}) oder ein vergangener Tag sein.',
    day_not_begun: 'Darf nicht in der Zukunft liegen.',
    before_from: 'Darf nicht vor dem ersten Tag liegen.',
    after_to: 'Darf nicht nach dem letzten Tag liegen.',
    year_of_digits: 'Muss in einem Jahr mit vier Ziffern beginnen.',
    range_backwards: 'Der erste Tag darf nicht nach dem letzten liegen.',
    range_too_long: 'Muss kürzer als zwei Jahre sein.',
    no_range: 'Muss {words} sein, oder zwei Tage wie 2026-01-01~2026-01-31.',
    no_time_zone: 'Muss der Name einer Zeitzone wie Europe/Berlin sein, oder UTC.',
    no_email: 'Muss eine E-Mail-Adresse wie ann@example.com sein.',
    no_origin: 'Muss der Ursprung einer Website sein, etwa https://www.example.com, ohne Pfad.',
    no_url: 'Muss eine vollständige URL wie https://example.com/page sein.',
    no_ip: 'Muss eine IP-Adresse sein.',
    no_number: 'Muss eine Zahl sein.',
    no_whole_number: 'Muss eine ganze Zahl sein.',
    not_positive: 'Muss eine positive Zahl sein.',
    negative: 'Darf nicht negativ sein.',
    out_of_bounds: 'Muss eine ganze Zahl von {least} bis {most} sein.',
    no_switch: 'Muss true oder false sein.',
    no_list: 'Muss eine Liste sein.',
    no_id: 'Muss eine ID sein.',
    no_base32: 'Muss 32 Base32-Zeichen haben.',
    none_of: 'Muss einer dieser Werte sein: {known}.',
    no_language: 'Muss einer dieser Werte sein: {known}. Oder null für die Sprache des Browsers.',
    no_names_of: 'Muss aus Namen bestehen, die durch Kommas getrennt sind. Bekannte Namen: {known}.',
    not_just: 'Muss {word} sein.',
    no_site_ids: 'Muss aus höchstens {most} Website-IDs bestehen, die durch Kommas getrennt sind.',
    too_many_sites: 'Du hast Zugriff auf {seen} Websites. Nenne höchstens {most} davon.',
    no_steps: 'Muss eine Liste von 2 bis 8 Schritten sein.',
    no_abilities: 'Wähle mindestens eine Berechtigung: Lesen, Schreiben, Erfassen oder Notizen hinzufügen.',
    no_ability: 'Muss „read“, „write“, „collect“ oder „note“ sein.',
    no_role: 'Muss „viewer“ oder „manager“ sein.',
    no_target_type: 'Muss „page“ oder „event“ sein.',
    no_goal: 'Muss die ID eines Ziels sein.',
    no_crawler: 'Muss die ID eines Crawlers aus diesem Bericht sein.',
    no_view: 'Muss der Teil nach ? in einer URL des Dashboards sein, etwa range=7d&country=DE.',
    no_such_site: 'Diese Website gibt es auf diesem Server nicht.',
    no_sites: 'Wähle mindestens eine Website.',
    no_site_of_account: 'In diesem Konto gibt es keine Website {id}.',
    no_goal_of_site: 'Muss ein Ziel dieser Website oder keines sein.',
    only_conversions: 'Das gilt nur für die Metrik conversions.',
    only_by_conversions: 'Das gilt nur mit by=conversions.',
    only_conversion_metrics: 'Das gilt nur für die Metriken conversions und conversion_rate.',
    only_event_labels:
      'Das gilt nur für die Aufschlüsselung event_labels. Um Besuche auszuwählen, verwende filters[event].',
    in_path: 'Der Pfad der URL enthält diesen Wert schon. Entferne ihn hier.',
    hours_have_few: 'Pro Stunde gibt es nur Besucher und Seitenaufrufe. Verwende day, week oder month als Intervall.',
    hours_too_long: 'Das Intervall hour erlaubt höchstens {most} Tage. Verwende day oder einen kürzeren Zeitraum.',
    goal_required: 'Diese Angabe ist erforderlich, weil die Website kein Hauptziel hat.',
    not_in_breakdown: 'Die Aufschlüsselung {breakdown} enthält {metric} nicht.',
    sort_not_asked: 'Muss eine der angeforderten Metriken sein.',
    not_with_keys: 'Zeilen mit diesen Schlüsseln haben die Metrik {metric} nicht. Sie haben {known}.',
    too_many_rows:
      'Diese Schlüssel ergeben mehr als {most} Zeilen. Nimm weniger Schlüssel, einen kürzeren Zeitraum oder mehr Filter.',
    compared_by_time: 'Zeilen nach Zeit lassen sich nicht vergleichen. Lass compare weg.',
    goal_exists: 'Die Website hat dieses Ziel schon.',
    own_email: 'Das ist deine eigene E-Mail-Adresse. Das Konto gehört dir schon.',
    in_team: '{email} ist schon im Team.',
    domain_taken: '{domain} ist schon eine Website auf diesem Server.',
    domain_was_taken:
      '{domain} gehörte bis vor Kurzem zu einer anderen Website. Du kannst den Namen ab {time} verwenden.',
    oidc_unreachable: '{name} antwortet gerade nicht. Versuche es später noch einmal.',
    oidc_failed: 'Die Anmeldung mit {name} hat nicht geklappt. Beginne noch einmal auf der Anmeldeseite.',
    oidc_lapsed:
      'Diese Anmeldung hat länger als 10 Minuten gedauert oder in einem anderen Browser begonnen. Beginne noch einmal auf der Anmeldeseite.',
    oidc_unverified:
      '{name} hat deine E-Mail-Adresse nicht bestätigt, deshalb kannst du dich hier nicht anmelden. Wende dich an die Person, die {name} verwaltet.',
    no_header_email: 'Der Proxy vor diesem Server hat keine gültige E-Mail-Adresse gesendet.',
    not_admitted: '{email} hat auf diesem Server kein Konto. Bitte seinen Betreiber um eine Einladung.',
    password_sign_in_off:
      'Dieser Server nimmt keine Passwörter und Passkeys an. Verwende die Schaltfläche auf der Anmeldeseite.',
    wrong_sign_in: 'E-Mail-Adresse oder Passwort ist falsch.',
    wrong_share_password: 'Das ist nicht das Passwort dieses Links.',
    wrong_password: 'Das ist nicht dein aktuelles Passwort.',
    wrong_code: 'Dieser Code ist falsch oder wurde schon verwendet.',
    wrong_app_code: 'Das ist nicht der aktuelle Code der App. Geht die Uhr deines Telefons richtig?',
    passkey_of_other: 'Das ist kein Passkey von {email}.',
    no_mail: 'Dieser Server verschickt keine E-Mails.',
    passkey_in_use: 'Dieser Passkey wird hier schon verwendet.',
    same_email: 'Das ist schon deine E-Mail-Adresse.',
    email_taken: 'Diese E-Mail-Adresse gehört hier schon jemand anderem.',
    type_code: 'Gib den Code ein, der an {email} geschickt wurde.',
    wrong_mailed_code: 'Das ist nicht der Code, der an {email} geschickt wurde.',
    code_lapsed: 'Dieser Code ist abgelaufen. Öffne den Link noch einmal, um einen neuen zu bekommen.',
    no_password_yet:
      'Diese E-Mail-Adresse hat noch kein Passwort. Lege es mit dem Link fest, den du bekommen hast, und komm dann zurück.',
    wrong_password_of: 'Das ist nicht das Passwort von {email}.',
    user_changed: 'Der Nutzer mit dieser E-Mail-Adresse wurde gerade geändert. Versuche es noch einmal.',
    passkey_not_good: 'Dieser Passkey funktioniert hier nicht, oder die Seite war zu lange offen.',
    pattern_too_long: 'Zeile {line}, „{pattern}“: darf höchstens {most} Zeichen haben.',
    pattern_no_text: 'Zeile {line}, „{pattern}“: muss einfacher Text sein, ein Muster pro Zeile.',
    pattern_no_path: 'Zeile {line}, „{pattern}“: muss ein Pfad sein, ohne https:// und Host.',
    pattern_of_query:
      'Zeile {line}, „{pattern}“: darf weder ?, # noch \\ enthalten, weil nur der Pfad verglichen wird.',
    pattern_of_many: 'Zeile {line}, „{pattern}“: darf höchstens {most} Segmente haben.',
    pattern_of_dots: 'Zeile {line}, „{pattern}“: hat ein Segment, das leer ist oder nur aus Punkten besteht.',
    pattern_mixed: 'Zeile {line}, „{pattern}“: * gilt nur für ein ganzes Segment. Schreibe * anstelle von „{part}“.',
    pattern_unknown: 'Zeile {line}, „{pattern}“: „{part}“ ist unbekannt. Bekannt: {known}.',
    parameter_wrong_name:
      '„{name}“: muss ein Name aus höchstens {most} Buchstaben, Ziffern und _ - . [ ] sein, ohne ? und =.',
    parameter_of_source: '„{name}“: sagt, woher ein Besuch kam, und benennt keine Seite. Entferne den Namen.',
    parameter_twice: '„{name}“: steht zweimal in der Liste. Entferne einen der Einträge.',
    pattern_hides_nothing:
      'Zeile {line}, „{pattern}“: verbirgt nichts. Setze {known} an die Stelle des privaten Segments.',
  } satisfies Record<keyof typeof ERRORS, string>,

  // The page verify.html, which checks receipts.
  verifying: {
    'Check receipts': 'Belege prüfen',
    'A receipt says what a site had counted on a day. This page checks whether receipts or hits were changed later. It cannot check whether visitors were people, or when a receipt was made.':
      'Ein Beleg sagt, was eine Website an einem Tag gezählt hatte. Diese Seite prüft, ob Belege oder Hits später geändert wurden. Sie kann nicht prüfen, ob Besucher Menschen waren oder wann ein Beleg entstand.',
    'Everything is computed in your browser. You can save this page and use it without a server.':
      'Alles wird in deinem Browser berechnet. Du kannst diese Seite speichern und ohne Server verwenden.',
    Receipts: 'Belege',
    'Or the domain of a site on this server': 'Oder die Domain einer Website auf diesem Server',
    'Last part of a share link, if you are not signed in': 'Ende eines Freigabelinks, falls du nicht angemeldet bist',
    'A file with receipts': 'Eine Datei mit Belegen',
    'Or the text of receipts': 'Oder der Text von Belegen',
    'Compare with (optional)': 'Vergleichen mit (optional)',
    'An export of all hits': 'Ein Export aller Hits',
    'As ndjson or CSV. The file stays on your computer.': 'Als ndjson oder CSV. Die Datei bleibt auf deinem Computer.',
    'The hash of a receipt that you saved': 'Der Hash eines Belegs, den du gespeichert hast',
    Check: 'Prüfen',
    'Checking the receipts …': 'Die Belege werden geprüft …',
    'Language of this page': 'Sprache dieser Seite',
    'No receipts were found there.': 'Dort wurden keine Belege gefunden.',
    'Line {line} of the export cannot be read.': 'Zeile {line} des Exports ist nicht lesbar.',
    'Something went wrong: {reason}': 'Etwas ist schiefgegangen: {reason}',
    'All checks passed': 'Alle Prüfungen bestanden',
    'Some checks failed': 'Nicht alle Prüfungen bestanden',
    '{fine} of {all} days passed': '{fine} von {all} Tagen in Ordnung',
    '{count} receipts': { one: '{count} Beleg', other: '{count} Belege' },
    '{count} days of the export have no receipt yet': {
      one: '{count} Tag des Exports hat noch keinen Beleg',
      other: '{count} Tage des Exports haben noch keinen Beleg',
    },
    'Save this hash of the last receipt elsewhere. Later, it shows whether receipts were replaced:':
      'Speichere diesen Hash des letzten Belegs anderswo. Später zeigt er, ob Belege ersetzt wurden:',
    'Signed with this key. Compare it with the key of the server, because anyone can sign:':
      'Signiert mit diesem Schlüssel. Vergleiche ihn mit dem des Servers, denn signieren kann jeder:',
    Date: 'Datum',
    'Results by day': 'Ergebnisse nach Tagen',
    Result: 'Ergebnis',
    'Valid receipt': 'Gültiger Beleg',
    'Valid receipt, equal to the export': 'Gültiger Beleg, stimmt mit dem Export überein',
    'Valid receipt (daily totals only)': 'Gültiger Beleg (nur Tagessummen)',
    'Valid receipt (the day was removed)': 'Gültiger Beleg (der Tag wurde entfernt)',
  },
  // Codes of receipts: what is wrong with a receipt or with an export.
  receipts: {
    no_receipts: 'Es gibt keine Belege',
    receipts_other_key: 'Der angegebene Schlüssel hat keinen dieser Belege signiert',
    receipts_no_hash: 'Der Beleg mit dem angegebenen Hash fehlt',
    receipt_form: 'Der Beleg hat nicht die richtige Form',
    receipt_date: 'Das Datum in diesem Beleg ist falsch. Signiert wurde er für {date:day}',
    receipt_sequence: 'Der Beleg hat die Nummer {sequence}, es folgt aber die Nummer {expected}',
    receipt_previous: 'Der Beleg schließt nicht an den vorigen an',
    receipt_signature: 'Die Signatur ist falsch',
    receipt_former_signature: 'Der Schlüssel hat gewechselt, aber der frühere Schlüssel hat nicht signiert',
    receipt_replaces: 'Der Beleg nennt nicht den Beleg {sequence}, den er ersetzt',
    receipt_replaces_none: 'Der Beleg ersetzt einen, der fehlt',
    receipt_reason: 'Der Grund „{reason}“ von Beleg {sequence} passt nicht zum Tag',
    receipt_figures: 'Die Zahlen widersprechen sich',
    export_lines: '{count|Zeile|Zeilen} des Exports nicht lesbar, zuerst Zeile {line}',
    day_digest: 'Die Hits im Export sind nicht die signierten',
    day_figure: '{figure}: Signiert sind {signed}, der Export hat {found}',
    day_not_exported: 'Der Tag fehlt im Export',
    day_has_hits: 'Der Export hat Hits, aber laut Beleg sind keine gespeichert',
  },
  // Codes of imports: which data of a file was accepted, which was skipped, and why.
  imports: {
    sheet_read: '{records|Datensatz|Datensätze} gelesen: {accepted} übernommen, {skipped} übersprungen',
    sheet_accepted: 'Übernommen: {kinds:list}, {from:day} bis {to:day}',
    sheet_lacking: 'Nicht in der Datei und deshalb unbekannt: {names:list}',
    sheet_lacking_days: 'An manchen Tagen nicht in der Datei: {names:list}',
    sheet_skipped: 'Übersprungen: {count} ({reason:list}), zuerst in Zeile {line}',
    sheet_left: 'Übersprungen: {what:list}',
    sheet_sums:
      'Übernommen: {visitors} Besucher, {visits} Besuche, {pageviews} Seitenaufrufe, {events} Ereignisse, {from:day} bis {to:day}',
    sheet_rows: 'Übernommen: {rows} Zeilen aus {table}',
    sheet_searches: '{kinds:list}, von {from:day} bis {to:day}',
    sheet_left_searches: '{rows|Zeile|Zeilen} übersprungen: Seiten anderer Websites, oder Zeilen ohne Namen',
    sheet_skipped_rows: 'Übersprungen: {count} {reason:list}',
    sheet_left_sums: 'Übersprungen: {what:list}. Das speichert daybook mit Tagessummen nicht',
    kind_pageviews: '{count|Seitenaufruf|Seitenaufrufe}',
    kind_events: '{count|Ereignis|Ereignisse}',
    kind_search_day: '{count|Zeile|Zeilen} zu Tagen',
    kind_search_query: '{count|Zeile|Zeilen} zu Suchanfragen',
    kind_search_page: '{count|Zeile|Zeilen} zu Seiten',
    kind_search_country: '{count|Zeile|Zeilen} zu Ländern',
    kind_search_device: '{count|Zeile|Zeilen} zu Geräten',
    kind_messages: '{count|Meldung|Meldungen} der Zeit auf der Seite',
    name_days: '{name:list} ({count|Tag|Tage})',
    left_columns: 'Spalten, die nicht importiert werden: {names}',
    left_more_columns: 'Spalten, die nicht importiert werden: {names} und {count} weitere',
    left_properties:
      'Eigenschaften von {hits|Hit|Hits} über dem Tageslimit von {names} Namen und {values} Werten pro Name. Sie zählen als (other)',
    left_dimensions:
      '{names:list}. Diese Website speichert das nicht. Um es zu importieren, ändere das zuerst in den Einstellungen der Website unter „Erfassung“',
    left_sources: 'Quellen von {visits|Besuch|Besuchen}, weil Matomo sie nicht nennt. Diese Besuche zählen als direkt',
    skip_unreadable: 'unlesbare Zeilen',
    skip_other_host: 'anderer Host',
    skip_no_host: 'kein Host',
    skip_messages: 'andere Meldungen',
    skip_no_page: 'Anfragen ohne Seite',
    skip_methods: 'andere Methoden als GET',
    skip_answers: 'andere Antworten als 2xx und 304',
    skip_assets: 'Dateien, die Seiten laden',
    skip_programs: 'Dateien für Programme',
    skip_bots: 'Bots',
    skip_no_address: 'keine IP-Adresse',
    skip_spam: 'Referrer-Spam',
    skip_excluded: 'ausgeschlossene IP-Adressen',
    skip_no_event: 'weder Seitenaufrufe noch Ereignisse',
    skip_goals: 'Ziele ohne Umsatz, die daybook in seinen Seiten und Ereignissen findet',
    skip_carts: 'verlassene Warenkörbe',
    skip_actions: 'andere Aktionen',
    skip_no_url: 'Seiten ohne lesbare URL',
    skip_before_page: 'Aktionen vor der ersten Seite',
    skip_no_revenue: 'Umsatz mit unlesbarem Betrag oder unlesbarer Währung',
    skip_twice: 'Besuche, die zweimal in der Datei sind',
    skip_running_days: 'Zeilen von Tagen, die noch nicht vorbei sind',
    skip_export_day: 'Zeilen von Tagen, die noch nicht vorbei waren',
    skip_days_without_hits: 'Zeilen von Tagen ohne Hits',
    skip_days_without_totals: 'Zeilen von Tagen ohne Summen',
    skip_automatic: 'Zeilen automatischer Ereignisse wie page_view',
    skip_rows_no_page: 'Zeilen ohne Seite',
    skip_totals: 'Summen',
    skip_no_visitors: 'Zeilen von Tagen, die nicht in imported_visitors sind',
    skip_files: 'andere Dateien',
    left_matomo:
      'Seitentitel, Suchbegriffe von Suchmaschinen, Gerätemodelle, Benutzer-IDs sowie eigene Dimensionen und Variablen. Das speichert daybook nicht',
    left_plausible: 'Städte (Plausible schreibt für sie nur Nummern), Scrolltiefen und Zeit auf der Seite',
    left_titles: 'Seitentitel',
    left_google: 'andere Dimensionen und Messwerte von Google Analytics',
    name_sources: 'Quellen',
    name_utm_source: 'UTM-Quelle',
    name_utm_medium: 'UTM-Medium',
    name_utm_campaign: 'UTM-Kampagne',
    name_utm_term: 'UTM-Begriff',
    name_utm_content: 'UTM-Inhalt',
    name_channels: 'Kanäle',
    name_pages: 'Seiten',
    name_entry_pages: 'Einstiegsseiten',
    name_exit_pages: 'Ausstiegsseiten',
    name_hostnames: 'Hostnamen',
    name_countries: 'Länder',
    name_regions: 'Regionen',
    name_cities: 'Städte',
    name_devices: 'Geräte',
    name_browsers: 'Browser',
    name_browser_versions: 'Browserversionen',
    name_systems: 'Betriebssysteme',
    name_system_versions: 'Systemversionen',
    name_screens: 'Bildschirme',
    name_languages: 'Sprachen',
    name_events: 'Ereignisse',
    name_event_labels: 'Ereignis-Labels',
    name_properties: 'Eigenschaften',
    name_bounces: 'Absprungrate',
    name_seconds: 'Besuchsdauer',
  } satisfies Record<keyof typeof IMPORTS, string>,
  // Codes of `daybook doctor`: what a check found, and the remedy. Backquotes mark text that people type.
  findings: {
    clock_alone: '{time:time}',
    clock: '{time:time}. Letzter Hit: {last:time}',
    clock_before_daybook: 'Die Uhr zeigt {time:time}, also vor der ersten Version von daybook',
    clock_before_hit: 'Die Uhr zeigt {time:time}, aber der letzte Hit kam um {last:time}',
    clock_leapt:
      'Die Uhr zeigt {time:time}. Der letzte bekannte Tag war {seen:day}, {days|Tag|Tage} entfernt. Bis die Uhr bestätigt ist, wird kein Tag endgültig und nichts gelöscht',
    set_clock: 'Stelle die Uhr dieses Rechners und halte sie mit NTP genau',
    set_or_trust_clock:
      'Stelle die Uhr dieses Rechners und halte sie mit NTP genau. Geht sie schon richtig, führe `daybook seal --trust-clock` aus oder warte 6 Stunden',
    mail_elsewhere:
      'Der Server verschickt E-Mails über {host}. Um auch diesen Mailserver zu testen, starte `daybook doctor` mit `--smtp-url`',
    repair_mail: 'Korrigiere `--smtp-url` oder repariere den Mailserver',
    mail_off: 'Aus (kein `--smtp-url`). Links stehen im Log',
    mail_answers: '{host} antwortet',
    mail_trouble: '{host}: {trouble:codes}',
    mail_no_name: 'Hostname nicht gefunden',
    mail_unreachable: 'nicht erreichbar',
    mail_late: 'keine Antwort innerhalb von {seconds} s',
    mail_no_tls: 'ungültiges Zertifikat oder kein TLS',
    mail_no_login: 'Nutzername oder Passwort abgelehnt',
    mail_not_understood: 'unerwartete Antwort ({code})',
    engine_off: 'Aus (kein `--engine`)',
    webhook_off: 'Aus (kein `--webhook-url`)',
    webhook_idle: '{host}: noch nichts zu senden',
    webhook_taken: '{host} hat die letzte Nachricht angenommen',
    webhook_refused: '{host} hat eine Nachricht nicht angenommen: {reason:codes}',
    channels_none: 'Keine Benachrichtigungskanäle',
    channels_failing: '{channels|Benachrichtigungskanal|Benachrichtigungskanäle}, davon {failing} gestört',
    channels_incomplete:
      'Bei {channels|Benachrichtigungskanal|Benachrichtigungskanälen} fehlen URL und Token, weil Backups sie nicht enthalten',
    repair_channels:
      'Wähle in den Einstellungen jeder Website „Benachrichtigungen“. Bearbeite jeden Kanal und gib seine Einstellungen erneut ein',
    unknown_host: 'es gibt keinen Server mit dem Namen {host}',
    bad_certificate: 'das Zertifikat von {host} ist ungültig ({code})',
    no_connection: 'keine Verbindung ({code})',
    it_redirected: 'Antwort mit Status {status}, eine Weiterleitung. Weiterleitungen wird nicht gefolgt',
    it_denied: 'Zugriff verweigert (Status {status}). Prüfe das Token oder die URL',
    it_knows_no_url: 'die URL oder ihr Ziel gibt es dort nicht (Status {status})',
    it_got_too_many: 'dort kamen zu viele Nachrichten an (Status {status})',
    settings_missing: 'URL und Token fehlen, weil Backups sie nicht enthalten. Gib sie erneut ein',
    demo_sends_nothing: 'die Demo sendet keine Nachrichten',
    it_answered: 'Antwort mit Status {status}',
    no_answer_in_time: 'keine rechtzeitige Antwort',
    repair_webhook: 'Korrigiere `--webhook-url` oder repariere den Empfänger',
    disk: '{free:size} frei. Belegt {used:size}, wächst pro Tag um {daily:size} einschließlich Backups: genug für {days|Tag|Tage}',
    disk_years:
      '{free:size} frei. Belegt {used:size}, wächst pro Tag um {daily:size} einschließlich Backups: genug für Jahre',
    make_room:
      'Schaffe Platz, verschiebe die Datenbank auf eine größere Festplatte, oder behalte weniger Backups (`--keep-backups`)',
    no_full_day: 'Kein Tag hat das Limit erreicht',
    full_days:
      '{days|Tag einer Website hat|Tage von Websites haben} das Limit erreicht. Am {date:day} wurden für {domain} nicht gezählt: {hits|Hit|Hits}',
    full_days_deleted:
      '{days|Tag einer Website hat|Tage von Websites haben} das Limit erreicht. Am {date:day} wurden für eine gelöschte Website nicht gezählt: {hits|Hit|Hits}',
    look_at_hits: 'Prüfe, woher diese Hits kommen. Wenn sie von Menschen kommen, erhöhe `--day-capacity`',
    none_excluded: 'Keine Hits von ausgeschlossenen IP-Adressen',
    hits_excluded: '{count|Hit|Hits} von ausgeschlossenen IP-Adressen in den letzten {days} Tagen, nicht gezählt',
    no_collectors: 'Keine Kollektoren',
    collectors_fine: '{count|Kollektor ist verbunden und sendet|Kollektoren sind verbunden und senden}',
    collector_late: 'Kein Kontakt zu {name} seit {time:time}. Die Zahlen späterer Tage werden nicht endgültig',
    start_collector:
      'Starte den Kollektor. Wenn Rechner und Festplatte verloren sind, führe `daybook collectors retire {name} --lost` aus',
    collector_retiring: '{name} nimmt keine Hits an, weil der Kollektor stillgelegt wird',
    wait_for_collector:
      'Warte, bis der Kollektor alle seine Hits gesendet hat. Ist seine Festplatte verloren, ergänze den Befehl um `--lost`',
    collector_disk: '{name} nimmt keine Hits an, weil seine Festplatte voll ist',
    make_room_for_outbox: 'Schaffe Platz auf der Festplatte seines Postausgangs',
    collector_clock: '{name} nimmt keine Hits an, weil seine Uhrzeit unbekannt ist',
    reach_primary:
      'Stelle sicher, dass der Kollektor den Server in `--primary` erreicht. Halte die Uhr seines Rechners mit NTP genau',
    collector_skew: 'Die Uhr von {name} zeigte {there:time} um {seen:time}',
    set_that_clock: 'Stelle die Uhr dieses Rechners und halte sie mit NTP genau',
    collector_unsent: '{name} hat seit {time:time} keine Hits gesendet. Sein Postausgang enthält {size:size} an Hits',
    see_collector_log:
      'Sieh im Log des Kollektors nach. Er erreicht den Cluster nicht, oder der Cluster ist zu langsam',
    trust_proxy_there: 'Starte den Kollektor mit `--trusted-proxies` und der IP-Adresse des Proxys',
    servers_fine: '{count|Server, vollständig und erreichbar|Server, alle vollständig und erreichbar}',
    server_state: '{url} {state:codes}',
    server_silent: 'antwortet nicht',
    server_unused: 'antwortet, wird aber nicht verwendet',
    server_complete: 'vollständig',
    server_from: 'Er erhält Hits der Tage ab dem {from:day}',
    server_undecided: 'Er erhält Hits, sobald alle Kollektoren ihn kennen',
    server_leaves: 'Er wird gerade entfernt',
    server_filling: 'erhält seit {since:time} seine Daten',
    server_filling_step: 'erhält seit {since:time} seine Daten: {step:codes}',
    server_lacks: 'seit {since:time} nicht in Gebrauch: Daten fehlen',
    server_missed: 'seit {since:time} nicht in Gebrauch: Er hat einige Daten nicht erhalten',
    server_empty: 'seit {since:time} nicht in Gebrauch: Seine Festplatte ist neu oder wurde geleert',
    server_restored: 'seit {since:time} nicht in Gebrauch: Seine Festplatte hat ältere Daten',
    server_late: 'hat seit {time:time} nicht alle Hits erhalten',
    see_why_late:
      'Sieh nach, ob {host} überlastet ist. Die Logs des Primary und der Kollektoren sagen, warum sich Hits nicht dorthin senden lassen',
    division_waits:
      'Ein neuer Shard erhält noch keine Hits, weil ihn nicht alle Kollektoren kennen. Ab dem {from:day} warten Hits darauf',
    see_division:
      'Starte alle Kollektoren. Ist die Festplatte eines Kollektors verloren, führe `daybook collectors retire NAME --lost` aus. Mit `daybook cluster remove` nimmst du den Shard zurück',
    server_no_figures: 'sagt nicht, wie voll seine Festplatte und sein Arbeitsspeicher sind',
    grant_system_tables:
      'Gib dem ClickHouse-Benutzer von daybook alle Rechte aus dem Abschnitt „The rights of the user“ in docs/cluster.md',
    server_disk: 'hat nur noch {free:size} von {total:size} Festplatte frei',
    make_room_on_server:
      'Schaffe Platz auf der Festplatte von {host}, oder gib ihm eine größere. Ist sie voll, warten die Hits',
    server_memory: 'nutzt {used:size} von {limit:size} Arbeitsspeicher, den er nutzen darf',
    see_memory:
      'Sieh in system.processes auf {host} nach, welche Abfragen den Speicher nutzen. Sind es Abfragen von daybook, gib ihm mehr Speicher',
    server_parts: 'hat {count|Teil|Teile} in einer Partition einer Tabelle, weil er sie zu langsam zusammenführt',
    see_merges:
      'Sieh nach, ob die Festplatte von {host} zu langsam ist, und sieh dort in system.merges nach. Bei zu vielen Teilen nimmt er nichts mehr an',
    server_mutations: 'kann {count|Löschung|Löschungen} nicht beenden',
    see_mutations:
      'Sieh in system.mutations auf {host} unter latest_fail_reason nach, und behebe die Ursache. ClickHouse versucht es dann selbst erneut',
    fill_waits: 'wartet auf {senders:codes}',
    sender_primary: 'den Primary',
    sender_collector: 'den Kollektor {name}',
    fill_copies: 'kopiert die Tabelle {table}',
    fill_copies_days: 'kopiert die Tabelle {table}, noch {days|Tag|Tage}',
    fill_compares_days: 'vergleicht die Tabelle {table} mit einem anderen Server, noch {days|Tag|Tage}',
    wait_for_fill: 'Es ist nichts zu tun. Der Server geht in Betrieb, sobald er alle Daten hat',
    start_server:
      'Dieser Server und der Primary müssen laufen. Die fehlenden Daten werden automatisch kopiert, sobald kein Import läuft',
    fill_server:
      'Führe `daybook cluster fill {host}` aus, um alle Daten dorthin zu kopieren. Oder setze die alte Festplatte wieder ein und starte den Primary neu',
    start_or_look:
      'Starte den Server oder finde heraus, warum er nicht antwortet. Ist seine Maschine oder seine Festplatte verloren, hilft „If you lose a server“ in docs/cluster.md',
    see_why_unused:
      'Sieh im Log des Primary nach. Führt der Name {host} zu einem anderen Server, korrigiere ihn. Bis dahin warten die Hits für diesen Server',
    no_backup_yet: 'Noch kein Backup. Der Server erstellt das erste in der Nacht nach dem ersten Hit',
    no_backup: 'Noch kein Backup',
    make_backup:
      'Führe `daybook backup FILE` aus, oder starte den Server mit `--keep-backups 7` für nächtliche Backups',
    check_backups:
      'Prüfe die Festplatte und den Backup-Ordner. Um jetzt ein Backup zu erstellen, führe `daybook backup FILE` aus',
    countries_of: 'Länderdaten vom {date:day}',
    countries_unreadable: '{file} lässt sich nicht lesen',
    correct_geoip: 'Korrigiere `--geoip` oder lass es weg',
    update_countries: 'Aktualisiere daybook, oder lade eine neuere mmdb-Datei herunter und gib sie mit `--geoip` an',
    no_visitors_yet: 'Noch keine Besucher. Der Server prüft jede Minute, ob er die IP-Adressen der Besucher sieht',
    visitors_elsewhere:
      'Dieser Server selbst hatte noch keine Besucher. Jeder Kollektor prüft, ob er die IP-Adressen der Besucher sieht',
    trust_proxy:
      'Wenn der Server hinter einem Proxy steht, starte ihn mit `--trusted-proxies` und der IP-Adresse des Proxys',
    none_sealed: 'Noch ist kein Tag endgültig',
    seal_waits: 'Vergangene Tage werden endgültig, sobald alle ihre Hits angekommen sind',
    all_sealed: 'Die Zahlen aller vergangenen Tage sind endgültig',
    report_unsealed:
      'Der Server versucht es automatisch noch einmal. Bis es klappt, berechnen die Berichte diese Tage aus ihren Hits. Sagt die Nachricht nicht, was zu tun ist, melde sie bitte',
    nothing_waits: 'Keine wartenden Aufgaben',
    jobs_wait: 'Wartende Aufgaben: {jobs:codes}',
    job_salts: 'geheime Salts vergangener Tage ersetzen (seit {since:time}: {reason:codes})',
    job_sessions: 'alte Sitzungen löschen (seit {since:time}: {reason:codes})',
    job_removals: 'entfernte Websites löschen (seit {since:time}: {reason:codes})',
    job_exclusions: 'Ausschlüsse anwenden (seit {since:time}: {reason:codes})',
    job_sealing: 'Abschluss vergangener Tage (seit {since:time}: {reason:codes})',
    job_visitor_codes: 'alte Daten löschen (seit {since:time}: {reason:codes})',
    job_changes: 'Änderungen vergangener Tage zählen (seit {since:time}: {reason:codes})',
    job_receipts: 'Belege vergangener Tage unterschreiben (seit {since:time}: {reason:codes})',
    job_recount: 'Tage überprüfen (seit {since:time}: {reason:codes})',
    job_backup: 'Backup erstellen (seit {since:time}: {reason:codes})',
    job_forgetting:
      'prüfen, dass gelöschte Salts aus den Dateien des Servers verschwunden sind (seit {since:time}: {reason:codes})',
    job_parquet: 'Parquet-Dateien schreiben (seit {since:time}: {reason:codes})',
    job_mails: 'E-Mails verschicken (seit {since:time}: {reason:codes})',
    not_done_yet: 'noch nicht fertig',
    days_unsealed: '{days:codes}',
    day_unsealed: '{domain} {date} kann nicht endgültig werden ({reason})',
    see_log: 'Sieh im Log des Servers nach. Er versucht jede Aufgabe jede Minute noch einmal',
    no_restore_test: 'Noch kein Wiederherstellungstest',
    restore_fine: '{name} lässt sich wiederherstellen, {days|Tag|Tage} überprüft',
    restore_fine_elsewhere:
      '{name} lässt sich wiederherstellen. Die Hits seiner Tage liegen auf den ClickHouse-Servern',
    copy_again: 'Erstelle mit `daybook backup FILE` ein neues Backup und führe `daybook check` aus',
    no_forgetting: 'Der Server hat noch nicht nach Salts vergangener Tage gesucht',
    forgotten:
      '{bytes:size} nach {salts|Salt|Salts} vergangener Tage durchsucht und keines gefunden. Durchsucht: {places:codes}',
    not_forgotten:
      '{bytes:size} nach {salts|Salt|Salts} vergangener Tage durchsucht und {found} gefunden. Fundorte: {places:codes}',
    report_salts:
      'Beende Programme, die schon lange in der Datenbankdatei lesen. Der Server sucht nach einer Stunde noch einmal. Findet er weiter Salts, melde bitte diese Nachricht',
    collector_searched: 'Kollektor {number}: {result:codes}',
    collector_unsearched:
      'Kollektor {number} hat noch keine Suche nach Salts gemeldet. Das Ergebnis ist also nicht vollständig',
    collector_not_searched:
      'Kollektor {number} antwortet nicht oder hat seit {time:time} nicht nach Salts gesucht. Das Ergebnis ist also nicht vollständig',
    report_collectors:
      'Starte die Kollektoren und sieh in ihre Logs. Findet ein Kollektor Salts, melde bitte diese Nachricht',
    proof_fine:
      'Ein erfundener Besucher wurde gezählt. Als der Tag vorbei war, fand sich in {bytes:size} keine Spur dieses Besuchers. Durchsucht: {places:codes}',
    proof_failed:
      'Ein erfundener Besucher wurde gezählt. Als der Tag vorbei war, fanden sich Spuren dieses Besuchers. Fundorte: {places:codes}',
    proof_incomplete:
      'Ein erfundener Besucher wurde gezählt. Als der Tag vorbei war, fand sich in {bytes:size} keine Spur dieses Besuchers. Das Ergebnis ist aber nicht vollständig, weil hier nicht alles gelesen werden konnte: {unread:codes}. Durchsucht: {places:codes}',
    place_searched: '{place:codes} ({bytes:size})',
    place_searched_on: '{server:codes}, {place:codes} ({bytes:size})',
    server_primary: 'Primary',
    server_collector: 'Kollektor {number}',
    server_clickhouse: 'ClickHouse-Server {number}',
    place_file: 'Datenbankdatei',
    place_wal: 'Write-Ahead-Log',
    place_backups: 'Backups',
    place_outbox: 'Outbox',
    place_log: 'Log',
    place_memory: 'benutzter Arbeitsspeicher',
    place_threads: 'Arbeitsspeicher der Threads',
    place_open_days: 'Kopie offener Tage',
    place_tables: 'Tabellen',
    place_system_logs: 'Logs von ClickHouse',
    no_parquet: 'Parquet-Dateien sind ausgeschaltet',
    parquet_fine: '{count|Parquet-Datei ist|Parquet-Dateien sind} aktuell',
    check_parquet: 'Prüfe die Festplatte und den Ordner von `--parquet`. Der Server versucht es jede Minute erneut',
    no_recount: 'Noch wurde kein Tag überprüft',
    recount_fine: '{count|Tag|Tage} überprüft, keine Abweichungen',
    recount_different: '{count|Tag|Tage} überprüft, {different|weicht|weichen} ab',
    recount_faulty: '{days|Tag|Tage} überprüft, davon {count|fehlerhaft|fehlerhaft}. {domain} {date}: {faults}',
    check_all:
      'Führe `daybook check` aus, um alle Tage zu überprüfen. Stelle dann ein älteres Backup wieder her, oder importiere die betroffenen Tage noch einmal',
    no_check: '`daybook check` wurde noch nicht ausgeführt',
    restore_or_import: 'Stelle ein älteres Backup wieder her, oder importiere die betroffenen Tage noch einmal',
    networks: 'Besucher aus {count|Netz|Netzen}',
    many_networks: 'Besucher aus {count} oder mehr Netzen',
    proxy_ignored: 'Besucher aus {count|Netz|Netzen}, über einen Proxy, dessen X-Forwarded-For nicht vertraut wird',
    proxy_ignored_of_many:
      'Besucher aus {count} oder mehr Netzen, über einen Proxy, dessen X-Forwarded-For nicht vertraut wird',
    one_private: 'Alle Besucher haben dieselbe private IP-Adresse',
    not_checked: 'Diese Prüfung konnte nicht abgeschlossen werden ({code})',
    not_checked_in_time: 'Diese Prüfung bekam nicht rechtzeitig eine Antwort',
    look_what_hangs: 'Finde heraus, was langsam ist, etwa eine Festplatte oder ein Server',
    check_disk: 'Prüfe die Festplatte und die Zugriffsrechte der Datenbankdatei',
    versions: 'daybook {version}, node {node}, SQLite {sqlite}',
    believed: 'Deine Anfrage kam von {visitor}, laut dem vertrauenswürdigen Proxy {sender}',
    no_header: 'Deine Anfrage kam von {visitor}, ohne X-Forwarded-For',
    names_nobody: 'Deine Anfrage kam von {visitor}. X-Forwarded-For enthält keine andere IP-Adresse',
    not_believed: 'Deine Anfrage kam von {sender}. Dem X-Forwarded-For von dort wird nicht vertraut',
    trust_cloudflare: 'Starte den Server mit `--trusted-proxies` und den IP-Adressbereichen von Cloudflare',
    trust_sender: 'Wenn {sender} dein Proxy ist, starte den Server mit `--trusted-proxies {sender}`',
    name_cloudflare: 'Füge die IP-Adressbereiche von Cloudflare zu `--trusted-proxies` hinzu',
    name_visitor:
      'Wenn du im selben Netz wie der Server bist, ignoriere dies. Sonst füge {visitor} zu `--trusted-proxies` hinzu',
    forward_and_trust: 'Lass den Proxy X-Forwarded-For senden. Starte dann den Server mit `--trusted-proxies {sender}`',
    forward: 'Lass den Proxy X-Forwarded-For senden',
    unless_inside_forward_and_trust:
      'Wenn du im selben Netz wie der Server bist, ignoriere dies. Sonst lass den Proxy X-Forwarded-For senden, und starte den Server mit `--trusted-proxies {sender}`',
    unless_inside_forward:
      'Wenn du im selben Netz wie der Server bist, ignoriere dies. Sonst lass den Proxy X-Forwarded-For senden',
    set_base_url: 'Starte den Server mit `--base-url` und seiner öffentlichen https-URL',
  } satisfies Record<keyof typeof FINDINGS, string>,
};
