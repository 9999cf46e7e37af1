import type { Messages } from '../messages.ts';

/** The messages of weekly and monthly reports, and messages that all mails about sites use. */
// biome-ignore format: one line for each text, with all its translations
export const REPORTS = {
  '{domain}: {count} visitors last week': { de: { one: '{domain}: {count} Besucher letzte Woche', other: '{domain}: {count} Besucher letzte Woche' }, fr: { one: '{domain} : {count} visiteur la semaine dernière', other: '{domain} : {count} visiteurs la semaine dernière' }, es: { one: '{domain}: {count} visitante la semana pasada', other: '{domain}: {count} visitantes la semana pasada' } },
  '{domain} last week': { de: '{domain} letzte Woche', fr: '{domain} la semaine dernière', es: '{domain} la semana pasada' },
  '{from} – {to}, compared with the week before. Time zone: {zone}.': { de: '{from} – {to}, verglichen mit der Woche davor. Zeitzone: {zone}.', fr: '{from} – {to}, par rapport à la semaine précédente. Fuseau horaire : {zone}.', es: '{from} – {to}, en comparación con la semana anterior. Zona horaria: {zone}.' },
  Week: { de: 'Woche', fr: 'Semaine', es: 'Semana' },
  '{domain}: {count} visitors in {month}': { de: { one: '{domain}: {count} Besucher im {month}', other: '{domain}: {count} Besucher im {month}' }, fr: { one: '{domain} : {count} visiteur en {month}', other: '{domain} : {count} visiteurs en {month}' }, es: { one: '{domain}: {count} visitante en {month}', other: '{domain}: {count} visitantes en {month}' } },
  '{domain} in {month}': { de: '{domain} im {month}', fr: '{domain} en {month}', es: '{domain} en {month}' },
  '{from} – {to}, compared with the month before. Time zone: {zone}.': { de: '{from} – {to}, verglichen mit dem Monat davor. Zeitzone: {zone}.', fr: '{from} – {to}, par rapport au mois précédent. Fuseau horaire : {zone}.', es: '{from} – {to}, en comparación con el mes anterior. Zona horaria: {zone}.' },
  Month: { de: 'Monat', fr: 'Mois', es: 'Mes' },

  Figures: { de: 'Zahlen', fr: 'Chiffres', es: 'Cifras' },
  Change: { de: 'Änderung', fr: 'Évolution', es: 'Cambio' },
  Visitors: { de: 'Besucher', fr: 'Visiteurs', es: 'Visitantes' },
  Pageviews: { de: 'Seitenaufrufe', fr: 'Pages vues', es: 'Páginas vistas' },
  Visits: { de: 'Besuche', fr: 'Visites', es: 'Visitas' },
  'Bounce rate': { de: 'Absprungrate', fr: 'Taux de rebond', es: 'Tasa de rebote' },
  'Visit duration': { de: 'Besuchsdauer', fr: 'Durée des visites', es: 'Duración de la visita' },
  'Visitors per day': { de: 'Besucher pro Tag', fr: 'Visiteurs par jour', es: 'Visitantes por día' },
  'Top pages': { de: 'Meistbesuchte Seiten', fr: 'Pages principales', es: 'Páginas principales' },
  'Top sources': { de: 'Wichtigste Quellen', fr: 'Sources principales', es: 'Fuentes principales' },
  'Direct / unknown': { de: 'Direkt / unbekannt', fr: 'Direct / inconnu', es: 'Directo / desconocido' },
  Goals: { de: 'Ziele', fr: 'Objectifs', es: 'Objetivos' },
  Rate: { de: 'Rate', fr: 'Taux', es: 'Tasa' },
  'Pages, sources and goals are missing for some of these days.': { de: 'Für einige dieser Tage fehlen Seiten, Quellen und Ziele.', fr: 'Les pages, les sources et les objectifs manquent pour certains de ces jours.', es: 'Faltan páginas, fuentes y objetivos de algunos de estos días.' },

  'Open the dashboard': { de: 'Dashboard öffnen', fr: 'Ouvrir le tableau de bord', es: 'Abrir el panel' },
  '{link}:': { de: '{link}:', fr: '{link} :', es: '{link}:' },
  'You get this e-mail because you have access to the statistics of {domain}.': { de: 'Du bekommst diese E-Mail, weil du Zugriff auf die Statistik von {domain} hast.', fr: 'Vous recevez cet e-mail parce que vous avez accès aux statistiques de {domain}.', es: 'Recibes este correo porque tienes acceso a las estadísticas de {domain}.' },
  Unsubscribe: { de: 'Abbestellen', fr: 'Se désabonner', es: 'Darse de baja' },
  'Unsubscribe from these e-mails: {url}': { de: 'Diese E-Mails abbestellen: {url}', fr: 'Se désabonner de ces e-mails : {url}', es: 'Darse de baja de estos correos: {url}' },
} satisfies Messages;
