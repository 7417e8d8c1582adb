/** Reads a date of HTTP. All three of its forms are in GMT, but asctime's names no zone, and JavaScript reads that as local time. */

/** Milliseconds since 1970, `NaN` for a text that is no date (RFC 9110, 5.6.7). */
export const httpDateMs = (text: string): number =>
  Date.parse(/(?:GMT|UTC|Z|[+-]\d\d:?\d\d)\s*$/i.test(text) ? text : `${text} GMT`)
