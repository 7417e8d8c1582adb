/**
 * Whether a host is this machine itself: there, demo keys may stand in a file.
 */

/** For the hostname of a URL; nothing is looked up. */
export const isLoopback = (hostname: string): boolean => {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
