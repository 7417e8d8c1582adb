/**
 * Reports a failure that a user can fix, as one line and an exit code. The line gives the place, the reason and the fix.
 * The code is 64 or above (the sysexits convention), so that it cannot be mistaken for a verdict.
 */

export const exitCodes = {
  /** Wrong words on the command line. */
  usage: 64,
  /** A file was read but its content is wrong. */
  data: 65,
  /** A file could not be read. */
  noInput: 66,
  /** A port or a service that the command needs is not available. */
  unavailable: 69,
  /** A fault of acs itself. */
  software: 70,
  /** A file could not be written. */
  cannotCreate: 73,
  /** A profile or the environment is incomplete. */
  config: 78,
} as const

export class CommandFailure extends Error {
  readonly exitCode: number
  /** Further problems of the same kind, a line each. */
  readonly others: readonly string[]

  constructor(
    message: string,
    options: { readonly exitCode: number; readonly cause?: unknown; readonly others?: readonly string[] },
  ) {
    super(message, { cause: options.cause })
    this.name = 'CommandFailure'
    this.exitCode = options.exitCode
    this.others = options.others ?? []
  }
}

export const usageFailure = (message: string): CommandFailure =>
  new CommandFailure(message, { exitCode: exitCodes.usage })

/** Every problem that a refused scenario or state names, or the one message of another error. */
export const problemsOf = (cause: unknown): readonly string[] => {
  const { problems, message } = cause as Error & { readonly problems?: readonly string[] }
  return problems ?? [message]
}

/** A failure about the content of a file, with a line for each problem. */
export const problemsFailure = ([first = '', ...others]: readonly string[], cause: unknown): CommandFailure =>
  new CommandFailure(first, { exitCode: exitCodes.data, cause, others })

const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
  EACCES: 'permission denied',
}

const writeReasons: Readonly<Record<string, string>> = {
  ...readReasons,
  EEXIST: 'a file is in the way',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'the file system is read-only',
}

/** The system's code of an error (`ENOSPC`), or its text. */
export const reasonOf = (cause: unknown): string => (cause as { readonly code?: string }).code ?? String(cause)

/** The failure for a file that cannot be read, in the user's terms. */
export const fileFailure = (path: string, cause: unknown): CommandFailure => {
  const reason = readReasons[reasonOf(cause)] ?? reasonOf(cause)
  return new CommandFailure(`${path}: cannot be read, ${reason}; check the path`, {
    exitCode: exitCodes.noInput,
    cause,
  })
}

/** The same for a path that cannot be written; `advice` says what to name instead. */
export const writeFailure = (path: string, cause: unknown, advice: string): CommandFailure => {
  const reason = writeReasons[reasonOf(cause)] ?? reasonOf(cause)
  return new CommandFailure(`${path}: cannot be written, ${reason}; ${advice}`, {
    exitCode: exitCodes.cannotCreate,
    cause,
  })
}

/** A failure of a server that could not take its port. */
export const listenFailure = (host: string, port: number, cause: unknown): CommandFailure => {
  const code = (cause as { readonly code?: string }).code
  const reason = code === 'EADDRINUSE' ? 'the port is in use; choose another with --port, or --port 0' : String(cause)
  return new CommandFailure(`cannot listen on ${host}:${port}: ${reason}`, { exitCode: exitCodes.unavailable, cause })
}
