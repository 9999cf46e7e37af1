import type { Messages } from '../messages.ts';

/** The messages of weekly and monthly reports, and messages that all mails about sites use. */
// biome-ignore format: one line for each text, with all its translations
export const REPORTS = {
  '{domain}: {count} visitors last week': { de: { one: '{domain}: {count} Besucher letzte Woche', other: '{domain}: {count} Besucher letzte Woche' }, fr: { one: '{domain} : {count} visiteur la semaine dernière', other: '{domain} : {count} visiteurs la semaine dernière' }, es: { one: '{domain}: {count} visitante la semana pasada', other: '{domain}: {count} visitantes la semana pasada' } },
  '{domain} last week': { de: '{domain} letzte Woche', fr: '{domain} la semaine dernière', es: '{domain} la semana pasada' },
  '{from} – {to}, compared with the week before. Days are {zone} days.': { de: '{from} – {to}, verglichen mit der Woche davor. Die Tage sind die der Zeitzone {zone}.', fr: '{from} – {to}, par rapport à la semaine précédente. Les jours sont ceux du fuseau {zone}.', es: '{from} – {to}, en comparación con la semana anterior. Los días son los de la zona {zone}.' },
  Week: { de: 'Woche', fr: 'Semaine', es: 'Semana' },
  '{domain}: {count} visitors in {month}': { de: { one: '{domain}: {count} Besucher im {month}', other: '{domain}: {count} Besucher im {month}' }, fr: { one: '{domain} : {count} visiteur en {month}', other: '{domain} : {count} visiteurs en {month}' }, es: { one: '{domain}: {count} visitante en {month}', other: '{domain}: {count} visitantes en {month}' } },
  '{domain} in {month}': { de: '{domain} im {month}', fr: '{domain} en {month}', es: '{domain} en {month}' },
  '{from} – {to}, compared with the month before. Days are {zone} days.': { de: '{from} – {to}, verglichen mit dem Monat davor. Die Tage sind die der Zeitzone {zone}.', fr: '{from} – {to}, par rapport au mois précédent. Les jours sont ceux du fuseau {zone}.', es: '{from} – {to}, en comparación con el mes anterior. Los días son los de la zona {zone}.' },
  Month: { de: 'Monat', fr: 'Mois', es: 'Mes' },

  Figures: { de: 'Zahlen', fr: 'Chiffres', es: 'Cifras' },
  Change: { de: 'Änderung', fr: 'Évolution', es: 'Cambio' },
  Visitors: { de: 'Besucher', fr: 'Visiteurs', es: 'Visitantes' },
  Pageviews: { de: 'Seitenaufrufe', fr: 'Pages vues', es: 'Páginas vistas' },
  Visits: { de: 'Besuche', fr: 'Visites', es: 'Visitas' },
  'Bounce rate': { de: 'Absprungrate', fr: 'Taux de rebond', es: 'Tasa de rebote' },
  'Visit duration': { de: 'Besuchsdauer', fr: 'Durée des visites', es: 'Duración de la visita' },
  'Visitors by day': { de: 'Besucher nach Tag', fr: 'Visiteurs par jour', es: 'Visitantes por día' },
  'Top pages': { de: 'Meistbesuchte Seiten', fr: 'Pages principales', es: 'Páginas principales' },
  'Top sources': { de: 'Wichtigste Quellen', fr: 'Sources principales', es: 'Fuentes principales' },
  'Direct / unknown': { de: 'Direkt / unbekannt', fr: 'Direct / inconnu', es: 'Directo / desconocido' },
  Goals: { de: 'Ziele', fr: 'Objectifs', es: 'Objetivos' },
  Rate: { de: 'Rate', fr: 'Taux', es: 'Tasa' },
  'Pages, sources and goals are not known of all of these days.': { de: 'Seiten, Quellen und Ziele sind nicht von allen diesen Tagen bekannt.', fr: 'Les pages, les sources et les objectifs ne sont pas connus pour tous ces jours.', es: 'Las páginas, las fuentes y los objetivos no se conocen de todos estos días.' },

  'Open the dashboard': { de: 'Statistik öffnen', fr: 'Ouvrir le tableau de bord', es: 'Abrir el panel' },
  '{link}:': { de: '{link}:', fr: '{link} :', es: '{link}:' },
  'You get this because you may see the statistics of {domain}.': { de: 'Du bekommst dies, weil du die Statistik von {domain} sehen darfst.', fr: 'Vous recevez ceci parce que vous pouvez voir les statistiques de {domain}.', es: 'Recibes esto porque puedes ver las estadísticas de {domain}.' },
  Unsubscribe: { de: 'Abbestellen', fr: 'Se désabonner', es: 'Darse de baja' },
  'No more of these mails: {url}': { de: 'Keine solchen E-Mails mehr: {url}', fr: 'Ne plus recevoir ces e-mails : {url}', es: 'No recibir más estos correos: {url}' },
} satisfies Messages;
