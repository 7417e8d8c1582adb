/**
 * Narrows a deviation to one operation, and to one field where asked, so that it breaks a single obligation.
 * Every other request is answered by the faithful function.
 */
import type { OperationId } from '../../../spec/index.ts'
import type { Deviation, HookName, HookOverride, Hooks } from '../../exchange/hooks.ts'
import { takeField } from './take-field.ts'

/** The scope of a narrowed deviation. */
interface Narrowing {
  readonly operation: OperationId
  /** Only the field of this name changes; for hooks that return JSON. */
  readonly field?: string
}

/** Applies the override to one operation only. Throws when a field is asked for and the hook returns no JSON. */
export function narrow(deviation: Deviation, narrowing: Narrowing): Deviation {
  const { id, requirement, description, trigger, alsoViolates } = deviation
  const { operation, field } = narrowing
  return {
    ...narrowOverride(deviation, narrowing),
    id: `${id}@${operation}${field === undefined ? '' : `.${field}`}`,
    requirement,
    description: `${description} Only ${operation}${field === undefined ? '' : `, only ${field}`}.`,
    ...(trigger === undefined ? {} : { trigger }),
    ...(alsoViolates === undefined ? {} : { alsoViolates }),
  }
}

type AnyFunction = (...args: readonly unknown[]) => unknown

/** Hooks that return JSON, of which a single field can be taken. */
const jsonHooks: ReadonlySet<HookName> = new Set(['body', 'chunk', 'message'])

function narrowOverride({ hook, wrap }: HookOverride, { operation, field }: Narrowing): HookOverride {
  if (field !== undefined && !jsonHooks.has(hook)) throw new Error(`${hook} returns no JSON with a field ${field}`)
  // The union ties hook and wrap together; TypeScript cannot follow that through a function for all hooks.
  const wrapAny = wrap as unknown as (next: AnyFunction, context: unknown) => AnyFunction
  const narrowed = (next: AnyFunction, context: unknown): AnyFunction => {
    const altered = wrapAny(next, context)
    return (...args) => {
      if (operationOf(hook, args) !== operation) return next(...args)
      return field === undefined ? altered(...args) : takeField(next(...args), altered(...args), field)
    }
  }
  return { hook, wrap: narrowed } as unknown as HookOverride
}

type Command = Parameters<Hooks['step']>[1]
type LastArgument = Parameters<Hooks['body']>[1] | Parameters<Hooks['message']>[1]

/** The operation for which a hook is called: its last argument holds it, and for `step` the command. */
function operationOf(hook: HookName, args: readonly unknown[]): OperationId | null {
  if (hook === 'step') return operationOfCommand(args[1] as Command)
  const about = args.at(-1) as LastArgument
  return 'request' in about ? about.operation : operationOfCommand(about.command)
}

/** The end of a run belongs to the operation that began the run. */
const operationOfCommand = (command: Command): OperationId =>
  command.operation === 'finishRun' ? command.run.operation : command.operation
