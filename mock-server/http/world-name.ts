/** Which texts can name a world; requests and the library ask the same question. */

/** The world of requests that name none. */
export const mainWorldName = 'default'

/** What a name takes, in words. */
export const worldNameForm = '1 to 64 of A-Z a-z 0-9 . _ -, and neither . nor ..'

/** Clients resolve the steps `.` and `..` of a path before they send it. */
const worldName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/

/** Whether a text can name a world. */
export function isWorldName(name: string): boolean {
  return worldName.test(name)
}
