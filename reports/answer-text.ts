/** Formats the answer to an open question: names with the same status are listed after it once. */

/** `200 runThread; 200 createMessage; 201 createThread` as `200 runThread, createMessage; 201 createThread`. */
export function answerText(value: string): string {
  const pairs = value.split('; ').map((part) => /^(\d{3}) (\S+)$/.exec(part))
  const names = new Map<string, string[]>()
  for (const pair of pairs) {
    const [, status, name] = pair ?? []
    if (status === undefined || name === undefined) return value
    names.set(status, [...(names.get(status) ?? []), name])
  }
  return [...names].map(([status, those]) => `${status} ${those.join(', ')}`).join('; ')
}
