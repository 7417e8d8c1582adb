/** Defines the valid names of a world; requests and the library use the same check. */

/** The world of requests that name none. */
export const mainWorldName = 'default'

/** The rule for names, in words. */
export const worldNameForm = '1 to 64 of the characters A-Z a-z 0-9 . _ - (not "." or "..")'

/** Clients resolve the steps `.` and `..` of a path before they send it. */
const worldName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/

/** Whether a text can name a world. */
export function isWorldName(name: string): boolean {
  return worldName.test(name)
}
