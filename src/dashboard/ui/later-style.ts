import { css } from 'style:later.css';

/**
 * The style of all components that are loaded later. The style is added once, in a way that a strict
 * Content-Security-Policy allows.
 */
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
