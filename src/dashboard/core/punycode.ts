/** The constants of Punycode, which writes bücher as xn--bcher-kva. Their names and values come from RFC 3492. */
const [BASE, TMIN, TMAX, SKEW, DAMP, FIRST_BIAS, FIRST_POINT] = [36, 1, 26, 38, 700, 72, 128];

/**
 * Decodes one part of a host name, such as xn--bcher-kva. If the Punycode is wrong, or the result mixes Latin letters
 * with Cyrillic or Greek letters, the part stays encoded.
 */
export function hostLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  try {
    const text = decoded(label.slice(4));
    return !isMixed(text) && new URL(`http://${text}`).hostname === label ? text : label;
  } catch {
    return label;
  }
}

/** Computes the bias. This number decides how the digits of the next character are read (section 6.1 of RFC 3492). */
function adapted(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - TMIN) * TMAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - TMIN));
  return k + Math.floor(((BASE - TMIN + 1) * rest) / (rest + SKEW));
}

/** Decodes Punycode without its prefix xn--. Throws if the text is not Punycode. */
function decoded(text: string): string {
  const end = Math.max(0, text.lastIndexOf('-'));
  const points = [...text.slice(0, end)].map((letter) => letter.charCodeAt(0));
  const digits = text.slice(end && end + 1)[Symbol.iterator]();
  let [point, bias, i] = [FIRST_POINT, FIRST_BIAS, 0];
  for (let next = digits.next(); !next.done; next = digits.next()) {
    const before = i;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = Number.parseInt(next.value ?? '', BASE);
      // In Punycode, letters are 0 to 25 and digits are 26 to 35. `parseInt` counts the digits first.
      const value = digit < 10 ? digit + 26 : digit - 10;
      const threshold = Math.min(TMAX, Math.max(TMIN, k - bias));
      i += value * weight;
      if (!(value >= threshold)) break;
      weight *= BASE - threshold;
      next = digits.next();
    }
    bias = adapted(i - before, points.length + 1, before === 0);
    point += Math.floor(i / (points.length + 1));
    i %= points.length + 1;
    points.splice(i++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/**
 * Tells whether a name mixes Latin letters with Cyrillic or Greek letters. Some letters of these alphabets look alike.
 * So a name that mixes alphabets probably imitates another name.
 */
const isMixed = (text: string): boolean => /\p{sc=Latin}/u.test(text) && /[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(text);
