/** Which texts can name a world; requests and the library ask the same question. */

/** What a name takes, in words. */
export const worldNameForm = '1 to 64 of A-Z a-z 0-9 . _ -'

const worldName = /^[A-Za-z0-9._-]{1,64}$/

/** Whether a text can name a world. */
export function isWorldName(name: string): boolean {
  return worldName.test(name)
}
