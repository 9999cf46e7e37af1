// Texts of dialogs and menus over the reports of a site: filters, notes, current visitors, saved views, keyboard help. The table
// also has the texts for a site without a report. The English text is the key.
// src/lang/dashboard.ts joins the tables.

import type { Messages } from '../messages.ts';

// biome-ignore format: one line for each text, with all its translations
export const SITE_PARTS = {
  '{name} {condition}': { de: '{name} {condition}', fr: '{name} {condition}', es: '{name} {condition}' },
  'number {id}': { de: 'Nummer {id}', fr: 'numéro {id}', es: 'número {id}' },
  Filters: { de: 'Filter', fr: 'Filtres', es: 'Filtros' },
  or: { de: 'oder', fr: 'ou', es: 'o' },
  'Add a filter': { de: 'Filter hinzufügen', fr: 'Ajouter un filtre', es: 'Añadir un filtro' },
  'Change the filter {filter}': { de: 'Den Filter {filter} ändern', fr: 'Modifier le filtre {filter}', es: 'Cambiar el filtro {filter}' },
  'Remove the filter {filter}': { de: 'Den Filter {filter} entfernen', fr: 'Retirer le filtre {filter}', es: 'Quitar el filtro {filter}' },
  'Clear all': { de: 'Alle entfernen', fr: 'Tout effacer', es: 'Quitar todos' },
  'Filter by': { de: 'Filtern nach', fr: 'Filtrer par', es: 'Filtrar por' },
  Which: { de: 'Bedingung', fr: 'Condition', es: 'Condición' },
  'This filter has a value already; one more is joined by “or”.': { de: 'Dieser Filter hat schon einen Wert; ein weiterer wird mit „oder“ verbunden.', fr: 'Ce filtre a déjà une valeur ; une autre s’y joint par « ou ».', es: 'Este filtro ya tiene un valor; otro se une con «o».' },
  'A filter takes {most} values at most.': { de: 'Ein Filter nimmt höchstens {most} Werte.', fr: 'Un filtre prend au plus {most} valeurs.', es: 'Un filtro admite {most} valores como máximo.' },
  'All filters together take {most} values at most.': { de: 'Alle Filter zusammen nehmen höchstens {most} Werte.', fr: 'Tous les filtres ensemble prennent au plus {most} valeurs.', es: 'Todos los filtros juntos admiten {most} valores como máximo.' },
  'Type a part of it': { de: 'Tippe einen Teil davon', fr: 'Saisissez une partie', es: 'Escribe una parte' },
  'Type to find one': { de: 'Tippe, um zu suchen', fr: 'Saisissez pour chercher', es: 'Escribe para buscar' },
  'There is none in this period.': { de: 'In diesem Zeitraum gibt es keinen.', fr: 'Il n’y en a pas dans cette période.', es: 'No hay ninguno en este periodo.' },
  'None of them fits.': { de: 'Keiner davon passt.', fr: 'Aucun ne correspond.', es: 'Ninguno coincide.' },

  'Put this into every page of {domain}': { de: 'Füge dies in jede Seite von {domain} ein', fr: 'Mettez ceci dans chaque page de {domain}', es: 'Pon esto en cada página de {domain}' },
  'Paste this line into your pages, anywhere before {head}. Then open one of them.': { de: 'Füge diese Zeile in deine Seiten ein, irgendwo vor {head}. Dann öffne eine davon.', fr: 'Collez cette ligne dans vos pages, n’importe où avant {head}. Ouvrez ensuite l’une d’elles.', es: 'Pega esta línea en tus páginas, en cualquier lugar antes de {head}. Luego abre una de ellas.' },
  'It works. The first visit has been counted.': { de: 'Es funktioniert. Der erste Besuch ist gezählt.', fr: 'Ça marche. La première visite est comptée.', es: 'Funciona. Se ha contado la primera visita.' },
  'Is it working? Waiting for the first visit.': { de: 'Funktioniert es? Warte auf den ersten Besuch.', fr: 'Est-ce que ça marche ? En attente de la première visite.', es: '¿Funciona? Esperando la primera visita.' },

  'Show only this day': { de: 'Nur diesen Tag zeigen', fr: 'Montrer seulement ce jour', es: 'Mostrar solo este día' },
  'There are no notes on this day.': { de: 'An diesem Tag gibt es keine Notizen.', fr: 'Il n’y a pas de note ce jour-là.', es: 'No hay notas en este día.' },
  'Remove the note: {text}': { de: 'Die Notiz entfernen: {text}', fr: 'Retirer la note : {text}', es: 'Quitar la nota: {text}' },
  'A new note': { de: 'Eine neue Notiz', fr: 'Une nouvelle note', es: 'Una nota nueva' },
  'What happened on this day, such as a release or a newsletter. It is shown on the chart.': { de: 'Was an diesem Tag war, etwa eine neue Version oder ein Newsletter. Es steht dann im Diagramm.', fr: 'Ce qui s’est passé ce jour-là, comme une nouvelle version ou une lettre. Cela figure sur le graphique.', es: 'Qué pasó ese día, como una versión nueva o un boletín. Se muestra en el gráfico.' },
  'Add the note': { de: 'Notiz hinzufügen', fr: 'Ajouter la note', es: 'Añadir la nota' },

  'Now on {domain}': { de: 'Jetzt auf {domain}', fr: 'Maintenant sur {domain}', es: 'Ahora en {domain}' },
  Countries: { de: 'Länder', fr: 'Pays', es: 'Países' },
  'Visitors of the last {minutes} minutes, most at {time} with {count}': { de: 'Besucher der letzten {minutes} Minuten, die meisten um {time} mit {count}', fr: 'Visiteurs des {minutes} dernières minutes, le plus à {time} avec {count}', es: 'Visitantes de los últimos {minutes} minutos, la mayoría a las {time} con {count}' },
  'Nobody in the last {minutes} minutes': { de: 'Niemand in den letzten {minutes} Minuten', fr: 'Personne dans les {minutes} dernières minutes', es: 'Nadie en los últimos {minutes} minutos' },
  'visitors per minute': { de: 'Besucher je Minute', fr: 'visiteurs par minute', es: 'visitantes por minuto' },
  now: { de: 'jetzt', fr: 'maintenant', es: 'ahora' },
  'Nothing yet': { de: 'Noch nichts', fr: 'Rien encore', es: 'Nada todavía' },
  'in the last five minutes; below, the last thirty': { de: 'in den letzten fünf Minuten; darunter die letzten dreißig', fr: 'dans les cinq dernières minutes ; ci-dessous, les trente dernières', es: 'en los últimos cinco minutos; abajo, los últimos treinta' },

  'Saved views': { de: 'Ansichten', fr: 'Vues', es: 'Vistas' },
  'Remove the view {name}': { de: 'Die Ansicht {name} entfernen', fr: 'Retirer la vue {name}', es: 'Quitar la vista {name}' },
  'None is saved yet.': { de: 'Noch keine gespeichert.', fr: 'Aucune n’est enregistrée.', es: 'Aún no hay ninguna guardada.' },
  'Save this view as': { de: 'Diese Ansicht speichern als', fr: 'Enregistrer cette vue sous', es: 'Guardar esta vista como' },

  'The last 7 days': { de: 'Die letzten 7 Tage', fr: 'Les 7 derniers jours', es: 'Los últimos 7 días' },
  'The last 30 days': { de: 'Die letzten 30 Tage', fr: 'Les 30 derniers jours', es: 'Los últimos 30 días' },
  'The last 12 months': { de: 'Die letzten 12 Monate', fr: 'Les 12 derniers mois', es: 'Los últimos 12 meses' },
  'The period before, the period after': { de: 'Der Zeitraum davor, der danach', fr: 'La période précédente, la suivante', es: 'El periodo anterior, el siguiente' },
  'Clear all filters': { de: 'Alle Filter entfernen', fr: 'Effacer tous les filtres', es: 'Quitar todos los filtros' },
  'On a row: these visits beside those of the row before': { de: 'Auf einer Zeile: diese Besuche zu denen der vorigen', fr: 'Sur une ligne : ces visites avec celles de la ligne d’avant', es: 'En una fila: estas visitas junto a las de la fila anterior' },
  'Show this list': { de: 'Diese Liste zeigen', fr: 'Montrer cette liste', es: 'Mostrar esta lista' },
  'Use these keys in this browser': { de: 'Diese Tasten in diesem Browser benutzen', fr: 'Utiliser ces touches dans ce navigateur', es: 'Usar estas teclas en este navegador' },

  'The goal that the visits are filtered by does not exist any more.': { de: 'Das Ziel, nach dem die Besuche gefiltert sind, gibt es nicht mehr.', fr: 'L’objectif par lequel les visites sont filtrées n’existe plus.', es: 'El objetivo por el que se filtran las visitas ya no existe.' },
  'That period is longer than two years.': { de: 'Dieser Zeitraum ist länger als zwei Jahre.', fr: 'Cette période dépasse deux ans.', es: 'Ese periodo es de más de dos años.' },
  'There is no such period.': { de: 'Einen solchen Zeitraum gibt es nicht.', fr: 'Une telle période n’existe pas.', es: 'No existe tal periodo.' },
  'One of the filters does not fit: {reason}': { de: 'Einer der Filter passt nicht: {reason}', fr: 'L’un des filtres ne convient pas : {reason}', es: 'Uno de los filtros no encaja: {reason}' },
  'These figures cannot be shown': { de: 'Diese Zahlen lassen sich nicht zeigen', fr: 'Ces chiffres ne peuvent pas être montrés', es: 'Estas cifras no se pueden mostrar' },
  'Show the last 30 days': { de: 'Die letzten 30 Tage zeigen', fr: 'Montrer les 30 derniers jours', es: 'Mostrar los últimos 30 días' },
  'Site not found': { de: 'Website nicht gefunden', fr: 'Site introuvable', es: 'Sitio no encontrado' },
  'There is no site {domain} here': { de: 'Hier gibt es keine Website {domain}', fr: 'Il n’y a pas de site {domain} ici', es: 'Aquí no hay ningún sitio {domain}' },
  'It does not exist, or you may not see it.': { de: 'Es gibt sie nicht, oder du darfst sie nicht sehen.', fr: 'Il n’existe pas, ou vous ne pouvez pas le voir.', es: 'No existe, o no puedes verlo.' },
  'All your sites': { de: 'Alle deine Websites', fr: 'Tous vos sites', es: 'Todos tus sitios' },
} as const satisfies Messages;
