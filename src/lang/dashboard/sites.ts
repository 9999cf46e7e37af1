import type { Messages } from '../messages.ts';

/** The texts of the list of sites, and of the form that adds a site. */
// biome-ignore format: one line for each text, with all its translations
export const SITES = {
  'Add a site': { de: 'Website hinzufügen', fr: 'Ajouter un site', es: 'Añadir un sitio' },
  'Add site': { de: 'Website hinzufügen', fr: 'Ajouter le site', es: 'Añadir sitio' },
  'Add your first site': { de: 'Füge deine erste Website hinzu', fr: 'Ajoutez votre premier site', es: 'Añade tu primer sitio' },
  'Next, you get one line of HTML for your pages. daybook then counts visitors, without cookies and without identifying anyone.': { de: 'Danach bekommst du eine Zeile HTML für deine Seiten. daybook zählt dann Besucher, ohne Cookies und ohne jemanden zu identifizieren.', fr: 'Vous obtenez ensuite une ligne de HTML pour vos pages. daybook compte alors les visiteurs, sans cookies et sans identifier personne.', es: 'Después obtienes una línea de HTML para tus páginas. daybook cuenta entonces a los visitantes, sin cookies y sin identificar a nadie.' },
  'Last 30 days': { de: 'Letzte 30 Tage', fr: '30 derniers jours', es: 'Últimos 30 días' },
  'All sites': { de: 'Alle Websites', fr: 'Tous les sites', es: 'Todos los sitios' },
  'All sites combined': { de: 'Alle Websites zusammen', fr: 'Tous les sites réunis', es: 'Todos los sitios juntos' },
  'For example, example.com. Its subdomains count too.': { de: 'Zum Beispiel example.com. Subdomains zählen mit.', fr: 'Par exemple example.com. Ses sous-domaines comptent aussi.', es: 'Por ejemplo, example.com. Sus subdominios también cuentan.' },
  'The days of the site follow this time zone. You can change it later.': { de: 'Die Tage der Website richten sich nach dieser Zeitzone. Du kannst sie später ändern.', fr: 'Les jours du site suivent ce fuseau horaire. Vous pourrez le changer plus tard.', es: 'Los días del sitio siguen esta zona horaria. Puedes cambiarla más tarde.' },
  'Your plan does not include sites of your own. The operator of this server can give you another plan.': { de: 'Dein Tarif enthält keine eigenen Websites. Der Betreiber dieses Servers kann dir einen anderen Tarif geben.', fr: 'Votre forfait ne comprend pas de sites à vous. L’exploitant de ce serveur peut vous donner un autre forfait.', es: 'Tu plan no incluye sitios propios. El administrador de este servidor puede darte otro plan.' },
  'Your account ({email})': { de: 'Dein Konto ({email})', fr: 'Votre compte ({email})', es: 'Tu cuenta ({email})' },
  'Your sites': { de: 'Deine Websites', fr: 'Vos sites', es: 'Tus sitios' },
  'compared with the previous 30 days, up to the same time': { de: 'verglichen mit den vorherigen 30 Tagen, bis zur selben Uhrzeit', fr: 'par rapport aux 30 jours précédents, jusqu’à la même heure', es: 'en comparación con los 30 días anteriores, hasta la misma hora' },
  'No recent hits.': { de: 'Keine neuen Hits.', fr: 'Aucun hit récent.', es: 'No hay hits recientes.' },
  'Check the snippet': { de: 'Snippet prüfen', fr: 'Vérifier l’extrait', es: 'Comprobar el fragmento' },
  '{visitors} now': { de: '{visitors} jetzt', fr: '{visitors} maintenant', es: '{visitors} ahora' },
  'You are a viewer': { de: 'Du bist Betrachter', fr: 'Vous êtes lecteur', es: 'Eres lector' },
  'You are a manager': { de: 'Du bist Verwalter', fr: 'Vous êtes gestionnaire', es: 'Eres gestor' },
  'Find a site': { de: 'Website suchen', fr: 'Chercher un site', es: 'Buscar un sitio' },
  'Sort by': { de: 'Sortieren nach', fr: 'Trier par', es: 'Ordenar por' },
  'By visitors': { de: 'Nach Besuchern', fr: 'Par visiteurs', es: 'Por visitantes' },
  'By change': { de: 'Nach Veränderung', fr: 'Par évolution', es: 'Por cambio' },
  'By name': { de: 'Nach Name', fr: 'Par nom', es: 'Por nombre' },
  'No sites match.': { de: 'Keine passenden Websites.', fr: 'Aucun site ne correspond.', es: 'Ningún sitio coincide.' },
  'No visitors in the previous days. Today so far: {today}': { de: 'Keine Besucher an den Tagen davor. Heute bisher: {today}', fr: 'Aucun visiteur les jours précédents. Aujourd’hui jusqu’ici : {today}', es: 'Ningún visitante en los días anteriores. Hoy hasta ahora: {today}' },
  'Visitors per day for 30 days, most on {day}: {most}. Today so far: {today}': { de: 'Besucher pro Tag an 30 Tagen, die meisten am {day}: {most}. Heute bisher: {today}', fr: 'Visiteurs par jour sur 30 jours, maximum le {day} : {most}. Aujourd’hui jusqu’ici : {today}', es: 'Visitantes por día en 30 días, máximo el {day}: {most}. Hoy hasta ahora: {today}' },
} as const satisfies Messages;
