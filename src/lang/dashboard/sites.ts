import type { Messages } from '../messages.ts';

/** The texts of the list of sites, and of the form that adds a site. */
// biome-ignore format: one line for each text, with all its translations
export const SITES = {
  'Add a site': { de: 'Website hinzufügen', fr: 'Ajouter un site', es: 'Añadir un sitio' },
  'Add the site': { de: 'Website hinzufügen', fr: 'Ajouter le site', es: 'Añadir el sitio' },
  'Add your first site': { de: 'Füge deine erste Website hinzu', fr: 'Ajoutez votre premier site', es: 'Añade tu primer sitio' },
  'Next you get one line of HTML for its pages. From then on their visitors are counted, without cookies and without anything that tells who they are.': { de: 'Danach bekommst du eine Zeile HTML für ihre Seiten. Von da an werden deren Besucher gezählt, ohne Cookies und ohne etwas, das verrät, wer sie sind.', fr: 'Vous obtenez ensuite une ligne de HTML pour ses pages. Dès lors, leurs visiteurs sont comptés, sans cookies et sans rien qui dise qui ils sont.', es: 'Después obtienes una línea de HTML para sus páginas. Desde entonces se cuentan sus visitantes, sin cookies y sin nada que diga quiénes son.' },
  'Last 30 days': { de: 'Letzte 30 Tage', fr: '30 derniers jours', es: 'Últimos 30 días' },
  'All sites': { de: 'Alle Websites', fr: 'Tous les sites', es: 'Todos los sitios' },
  'All sites together': { de: 'Alle Websites zusammen', fr: 'Tous les sites ensemble', es: 'Todos los sitios juntos' },
  'Such as example.com; its subdomains are counted with it.': { de: 'Etwa example.com; Subdomains werden mitgezählt.', fr: 'Par exemple example.com ; ses sous-domaines sont comptés avec lui.', es: 'Por ejemplo example.com; sus subdominios se cuentan con él.' },
  'In which its days begin and end; you can change it later.': { de: 'In der ihre Tage beginnen und enden; du kannst sie später ändern.', fr: 'Dans lequel ses jours commencent et finissent ; vous pourrez le changer.', es: 'En la que empiezan y terminan sus días; puedes cambiarla después.' },
  'Your plan includes no sites of your own. Whoever runs this server can give you another.': { de: 'Dein Tarif enthält keine eigenen Websites. Wer diesen Server betreibt, kann dir einen anderen geben.', fr: 'Votre formule ne comprend pas de sites à vous. La personne qui gère ce serveur peut vous en donner une autre.', es: 'Tu plan no incluye sitios propios. Quien administra este servidor puede darte otro.' },
  'Yours ({email})': { de: 'Deines ({email})', fr: 'Le vôtre ({email})', es: 'El tuyo ({email})' },
  Yours: { de: 'Deine', fr: 'Les vôtres', es: 'Los tuyos' },
  'on the 30 days before, up to the same time': { de: 'gegenüber den 30 Tagen davor bis zur selben Uhrzeit', fr: 'par rapport aux 30 jours précédents, jusqu’à la même heure', es: 'respecto a los 30 días anteriores hasta la misma hora' },
  'Nothing counted lately.': { de: 'In letzter Zeit wurde nichts gezählt.', fr: 'Rien n’a été compté récemment.', es: 'No se ha contado nada últimamente.' },
  'Check the snippet': { de: 'Snippet prüfen', fr: 'Vérifier le code', es: 'Comprobar el código' },
  '{visitors} now': { de: '{visitors} jetzt', fr: '{visitors} maintenant', es: '{visitors} ahora' },
  'You are a viewer here': { de: 'Du kannst hier lesen', fr: 'Vous êtes lecteur ici', es: 'Aquí eres lector' },
  'You are a manager here': { de: 'Du verwaltest hier mit', fr: 'Vous êtes gestionnaire ici', es: 'Aquí eres gestor' },
  'Find a site': { de: 'Website suchen', fr: 'Chercher un site', es: 'Buscar un sitio' },
  'Sorted by': { de: 'Sortiert nach', fr: 'Trié par', es: 'Ordenado por' },
  'By visitors': { de: 'Nach Besuchern', fr: 'Par visiteurs', es: 'Por visitantes' },
  'By change': { de: 'Nach Veränderung', fr: 'Par évolution', es: 'Por cambio' },
  'By name': { de: 'Nach Name', fr: 'Par nom', es: 'Por nombre' },
  'No site is called that.': { de: 'So heißt keine Website.', fr: 'Aucun site ne porte ce nom.', es: 'Ningún sitio se llama así.' },
  'No visitors in the days before today; today so far {today}': { de: 'Keine Besucher an den Tagen vor heute; heute bisher {today}', fr: 'Aucun visiteur les jours précédents ; aujourd’hui jusqu’ici {today}', es: 'Ningún visitante en los días anteriores; hoy hasta ahora {today}' },
  'Visitors on each of 30 days, most on {day} with {most}; today so far {today}': { de: 'Besucher an jedem von 30 Tagen, die meisten am {day} mit {most}; heute bisher {today}', fr: 'Visiteurs de chacun des 30 jours, le plus le {day} avec {most} ; aujourd’hui jusqu’ici {today}', es: 'Visitantes de cada uno de 30 días, el máximo el {day} con {most}; hoy hasta ahora {today}' },
} as const satisfies Messages;
