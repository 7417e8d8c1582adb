/** Recognises requests to the admin API; separate from it so that a mock without admin requests never loads it. */

/** The path prefix of the admin API. */
export const adminPrefix = '/_acs'

/** Whether a path (with or without query) is one of the admin API; its page is open to all, since it holds nothing. */
export function isAdminPath(target: string): boolean {
  // Called for every request, so one character decides it for nearly all of them.
  return target.charCodeAt(1) === 95 && /^\/_acs(?!\/ui\/?(?:\?|$))(?:[/?]|$)/.test(target)
}
