/** Which requests are the admin API's; apart from it so that a mock which nobody administers never loads it. */

/** Where the admin API starts. */
export const adminPrefix = '/_acs'

/** Whether a path (with or without query) is one of the admin API; its page is open to all, since it holds nothing. */
export function isAdminPath(target: string): boolean {
  // Asked for every request, so one character settles it for nearly all of them.
  return target.charCodeAt(1) === 95 && /^\/_acs(?!\/ui\/?(?:\?|$))(?:[/?]|$)/.test(target)
}
