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
  'Change the filter {filter}': { de: 'Filter ändern: {filter}', fr: 'Modifier le filtre : {filter}', es: 'Cambiar el filtro: {filter}' },
  'Remove the filter {filter}': { de: 'Filter entfernen: {filter}', fr: 'Retirer le filtre : {filter}', es: 'Quitar el filtro: {filter}' },
  'Clear all': { de: 'Alle entfernen', fr: 'Tout effacer', es: 'Quitar todos' },
  'Filter by': { de: 'Filtern nach', fr: 'Filtrer par', es: 'Filtrar por' },
  'Another value is added with “or”.': { de: 'Ein weiterer Wert wird mit „oder“ ergänzt.', fr: 'Une autre valeur s’ajoute avec « ou ».', es: 'Otro valor se añade con «o».' },
  'A filter can have at most {most} values.': { de: 'Ein Filter kann höchstens {most} Werte haben.', fr: 'Un filtre peut avoir au plus {most} valeurs.', es: 'Un filtro puede tener como máximo {most} valores.' },
  'All filters together can have at most {most} values.': { de: 'Alle Filter zusammen können höchstens {most} Werte haben.', fr: 'Tous les filtres ensemble peuvent avoir au plus {most} valeurs.', es: 'Todos los filtros juntos pueden tener como máximo {most} valores.' },
  'Type part of the value': { de: 'Teil des Werts eingeben', fr: 'Saisissez une partie de la valeur', es: 'Escribe una parte del valor' },
  'Type to search': { de: 'Zum Suchen tippen', fr: 'Saisissez pour chercher', es: 'Escribe para buscar' },
  'No values in this period.': { de: 'Keine Werte in diesem Zeitraum.', fr: 'Aucune valeur dans cette période.', es: 'Ningún valor en este periodo.' },
  'No match.': { de: 'Keine Treffer.', fr: 'Aucun résultat.', es: 'Sin coincidencias.' },

  'Add this snippet to every page of {domain}': { de: 'Füge dieses Snippet in jede Seite von {domain} ein', fr: 'Ajoutez cet extrait à chaque page de {domain}', es: 'Añade este fragmento a cada página de {domain}' },
  'Paste this line into your pages, anywhere before {head}. Then open one of the pages.': { de: 'Füge diese Zeile in deine Seiten ein, irgendwo vor {head}. Öffne dann eine der Seiten.', fr: 'Collez cette ligne dans vos pages, n’importe où avant {head}. Ouvrez ensuite l’une des pages.', es: 'Pega esta línea en tus páginas, en cualquier lugar antes de {head}. Luego abre una de las páginas.' },
  'The snippet works. Your first visit was counted.': { de: 'Das Snippet funktioniert. Der erste Besuch wurde gezählt.', fr: 'L’extrait fonctionne. La première visite a été comptée.', es: 'El fragmento funciona. Se ha contado la primera visita.' },
  'Waiting for the first visit …': { de: 'Warte auf den ersten Besuch …', fr: 'En attente de la première visite …', es: 'Esperando la primera visita …' },

  'Show only this day': { de: 'Nur diesen Tag anzeigen', fr: 'Afficher seulement ce jour', es: 'Mostrar solo este día' },
  'No notes on this day.': { de: 'Keine Notizen an diesem Tag.', fr: 'Aucune note ce jour-là.', es: 'No hay notas en este día.' },
  'Remove the note: {text}': { de: 'Notiz entfernen: {text}', fr: 'Retirer la note : {text}', es: 'Quitar la nota: {text}' },
  'New note': { de: 'Neue Notiz', fr: 'Nouvelle note', es: 'Nueva nota' },
  'What happened on this day, for example a release or a newsletter. The chart shows it.': { de: 'Was an diesem Tag passiert ist, zum Beispiel ein Release oder ein Newsletter. Das Diagramm zeigt es an.', fr: 'Ce qui s’est passé ce jour-là, par exemple une nouvelle version ou une newsletter. Le graphique l’affiche.', es: 'Qué pasó ese día, por ejemplo una versión nueva o un boletín. Se muestra en el gráfico.' },
  'Add the note': { de: 'Notiz hinzufügen', fr: 'Ajouter la note', es: 'Añadir la nota' },

  'Now on {domain}': { de: 'Jetzt auf {domain}', fr: 'En ce moment sur {domain}', es: 'Ahora en {domain}' },
  Countries: { de: 'Länder', fr: 'Pays', es: 'Países' },
  'Visitors in the last {minutes} minutes, most at {time}: {count}': { de: 'Besucher in den letzten {minutes} Minuten, die meisten um {time}: {count}', fr: 'Visiteurs des {minutes} dernières minutes, maximum à {time} : {count}', es: 'Visitantes en los últimos {minutes} minutos, máximo a las {time}: {count}' },
  'No visitors in the last {minutes} minutes': { de: 'Keine Besucher in den letzten {minutes} Minuten', fr: 'Aucun visiteur ces {minutes} dernières minutes', es: 'Ningún visitante en los últimos {minutes} minutos' },
  'visitors per minute': { de: 'Besucher pro Minute', fr: 'visiteurs par minute', es: 'visitantes por minuto' },
  now: { de: 'jetzt', fr: 'maintenant', es: 'ahora' },
  'Nothing yet': { de: 'Noch nichts', fr: 'Rien pour l’instant', es: 'Nada todavía' },
  'in the last five minutes. The chart shows the last 30 minutes.': { de: 'in den letzten fünf Minuten. Das Diagramm zeigt die letzten 30 Minuten.', fr: 'ces cinq dernières minutes. Le graphique montre les 30 dernières minutes.', es: 'en los últimos cinco minutos. El gráfico muestra los últimos 30 minutos.' },

  'Saved views': { de: 'Gespeicherte Ansichten', fr: 'Vues enregistrées', es: 'Vistas guardadas' },
  'Remove the view {name}': { de: 'Ansicht {name} entfernen', fr: 'Retirer la vue {name}', es: 'Quitar la vista {name}' },
  'No saved views yet.': { de: 'Noch keine gespeicherten Ansichten.', fr: 'Pas encore de vue enregistrée.', es: 'Aún no hay vistas guardadas.' },
  'Save this view as': { de: 'Diese Ansicht speichern als', fr: 'Enregistrer cette vue sous', es: 'Guardar esta vista como' },

  'The last 7 days': { de: 'Die letzten 7 Tage', fr: 'Les 7 derniers jours', es: 'Los últimos 7 días' },
  'The last 30 days': { de: 'Die letzten 30 Tage', fr: 'Les 30 derniers jours', es: 'Los últimos 30 días' },
  'The last 12 months': { de: 'Die letzten 12 Monate', fr: 'Les 12 derniers mois', es: 'Los últimos 12 meses' },
  'Previous period, next period': { de: 'Vorheriger Zeitraum, nächster Zeitraum', fr: 'Période précédente, période suivante', es: 'Periodo anterior, periodo siguiente' },
  'Clear all filters': { de: 'Alle Filter entfernen', fr: 'Effacer tous les filtres', es: 'Quitar todos los filtros' },
  'On a row: add it to the filter': { de: 'Auf einer Zeile: zum Filter hinzufügen', fr: 'Sur une ligne : l’ajouter au filtre', es: 'En una fila: añadirla al filtro' },
  'Show this list': { de: 'Diese Liste anzeigen', fr: 'Afficher cette liste', es: 'Mostrar esta lista' },
  'Enable these shortcuts in this browser': { de: 'Diese Tastenkürzel in diesem Browser aktivieren', fr: 'Activer ces raccourcis dans ce navigateur', es: 'Activar estos atajos en este navegador' },

  'The goal in this filter no longer exists.': { de: 'Das Ziel in diesem Filter gibt es nicht mehr.', fr: 'L’objectif de ce filtre n’existe plus.', es: 'El objetivo de este filtro ya no existe.' },
  'This period is longer than two years.': { de: 'Dieser Zeitraum ist länger als zwei Jahre.', fr: 'Cette période dépasse deux ans.', es: 'Este periodo supera los dos años.' },
  'This period is not valid.': { de: 'Dieser Zeitraum ist ungültig.', fr: 'Cette période n’est pas valide.', es: 'Este periodo no es válido.' },
  'One of the filters is not valid: {reason}': { de: 'Einer der Filter ist ungültig: {reason}', fr: 'L’un des filtres n’est pas valide : {reason}', es: 'Uno de los filtros no es válido: {reason}' },
  'This report cannot be displayed': { de: 'Dieser Bericht kann nicht angezeigt werden', fr: 'Ce rapport ne peut pas être affiché', es: 'No se puede mostrar este informe' },
  'Show the last 30 days': { de: 'Die letzten 30 Tage anzeigen', fr: 'Afficher les 30 derniers jours', es: 'Mostrar los últimos 30 días' },
  'Site not found': { de: 'Website nicht gefunden', fr: 'Site introuvable', es: 'Sitio no encontrado' },
  'There is no site {domain}': { de: 'Es gibt keine Website {domain}', fr: 'Il n’y a pas de site {domain}', es: 'No existe el sitio {domain}' },
  'The site does not exist, or you do not have access.': { de: 'Die Website existiert nicht, oder du hast keinen Zugriff.', fr: 'Le site n’existe pas, ou vous n’y avez pas accès.', es: 'El sitio no existe o no tienes acceso.' },
  'All your sites': { de: 'Alle deine Websites', fr: 'Tous vos sites', es: 'Todos tus sitios' },
} as const satisfies Messages;
