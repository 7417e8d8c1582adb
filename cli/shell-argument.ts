/** Writes arguments of the commands that are printed for a user to paste into a POSIX shell. */

/** In single quotes, for any content. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** In quotes only where a shell would read it otherwise. */
export const shellArgument = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : quoted(text))
