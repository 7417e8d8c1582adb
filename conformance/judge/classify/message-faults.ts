/** Finds the faults of an added message and of a run's body in their bytes alone. */

import { isRole, isRoleSpelledOtherwise, isWellFormed } from '../read/formats.ts'
import { hasField, type JsonObject } from '../read/json.ts'
import { addAmbiguity, addFault, type FaultList } from './request-fault.ts'

interface MessageForm {
  /** The fields of the tool mapping and those that attach a file. */
  readonly extraFields: ReadonlySet<string>
  /** Whether it asks for tools, by the profile. */
  readonly asks: boolean
}

/** Reads the body of a create-message request. */
export function messageFaults(body: JsonObject, { extraFields, asks }: MessageForm, list: FaultList): undefined {
  const { content, role } = body
  if (!hasField(body, 'content')) addFault(list, 'content-missing', 'body', 'content')
  else if (typeof content !== 'string') addFault(list, 'content-not-string', 'body', 'content')
  else if (content === '') addFault(list, asks ? 'asking-content-empty' : 'content-empty', 'body', 'content')
  else contentFaults(content, list)
  if (!hasField(body, 'role')) addFault(list, 'role-missing', 'body', 'role')
  else if (typeof role !== 'string') addFault(list, 'role-not-string', 'body', 'role')
  else if (isRoleSpelledOtherwise(role)) addAmbiguity(list, 'a role in another spelling')
  else if (!isRole(role)) addFault(list, 'role-unknown', 'body', 'role')
  for (const name of Object.keys(body)) {
    if (name !== 'content' && name !== 'role' && !extraFields.has(name)) {
      addAmbiguity(list, 'a body field that the contract does not show')
    }
  }
}

function contentFaults(content: string, list: FaultList): undefined {
  if (content.trim() === '') addAmbiguity(list, 'content of blanks alone')
  if (content.includes('\0')) addAmbiguity(list, 'a null character in content')
  if (!isWellFormed(content)) addAmbiguity(list, 'half of a surrogate pair in content')
}

/** Reads the body of a run; beside the profile's template only an empty object is surely legal. */
export function runFaults(body: JsonObject, extraFields: ReadonlySet<string>, list: FaultList): undefined {
  if (Object.keys(body).some((name) => !extraFields.has(name)))
    addAmbiguity(list, 'a body field that the contract does not show')
}
