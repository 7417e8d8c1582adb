/** Makes the throttled key one of the first tenant in the record that it reads, and nowhere else. */
import type { HookOverride } from '../../exchange/hooks.ts'
import { isObject } from '../../overrides/json-edit.ts'
import { overrideReply } from '../../overrides/replies.ts'
import type { JsonObject } from '../../scenario/scenario.ts'

/** Serves another record to the throttled key than its own, made with that of the first tenant. */
export const throttledAsFirst = (edit: (own: JsonObject, first: JsonObject) => JsonObject): HookOverride =>
  overrideReply('listMyApiKeys', (json, { world, caller }) => {
    const [first] = world.machine.scenario.tenants
    if (first === undefined || caller?.tenant.name !== 'throttled' || !isObject(json)) return json
    return edit(json, JSON.parse(Buffer.from(first.recordBytes).toString()) as JsonObject)
  })
