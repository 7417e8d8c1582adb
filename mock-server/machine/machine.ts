/**
 * The conversation machine: `step(state, command, tick) → { state, reply }`, pure in all three.
 * HTTP, NDJSON, time and worlds are shells around it; each chapter of the contract has its own file of steps.
 */
import { hash } from 'node:crypto'
import { type Key, rootKey } from '../randomness/key.ts'
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import { getAssistant, listAssistants } from './assistants.ts'
import type { Command } from './command.ts'
import { complete } from './completions.ts'
import type { DomainHooks } from './domain-hooks.ts'
import { createUploadGrant, getFileStatus, uploadFile } from './files.ts'
import { listMessages } from './pagination.ts'
import type { Outcome } from './reply.ts'
import { finishRun, runThread } from './runs.ts'
import type { State } from './state.ts'
import { listMyApiKeys } from './tenancy.ts'
import { createMessage, createThread } from './threads.ts'

/** What does not change while a world lives. */
export interface Machine {
  readonly cast: ResolvedScenario
  readonly root: Key
  /** Seals cursors and upload URLs; a function of the seed. */
  readonly secret: string
  readonly domainHooks: DomainHooks
}

/** One step of a world. `tickUs` is the moment in microseconds since the Unix epoch. */
export type Step = (state: State, command: Command, tickUs: number) => Outcome

/** The machine of a seed. */
export function createMachine(cast: ResolvedScenario, seed: number, domainHooks: DomainHooks): Machine {
  const secret = hash('sha256', `acs-kit world ${seed}`, 'hex')
  return { cast, root: rootKey(seed), secret, domainHooks }
}

/** The step function of a machine. */
export function stepOf(machine: Machine): Step {
  return (state, command, tickUs) => {
    switch (command.operation) {
      case 'createMessage':
        return createMessage(machine, state, command, tickUs)
      case 'listMessages':
        return listMessages(machine, state, command)
      case 'createChatCompletion':
      case 'streamChatCompletion':
      case 'streamChatCompletionEvents':
        return complete(machine, state, command, tickUs)
      case 'runThread':
      case 'streamThreadRun':
        return runThread(machine, state, command, tickUs)
      case 'finishRun':
        return finishRun(machine, state, command, tickUs)
      case 'createThread':
        return createThread(machine, state, command, tickUs)
      case 'listAssistants':
        return listAssistants(state, command)
      case 'getAssistant':
        return getAssistant(machine, state, command)
      case 'listMyApiKeys':
        return listMyApiKeys(state, command)
      case 'createUploadGrant':
        return createUploadGrant(machine, state, command, tickUs)
      case 'uploadFile':
        return uploadFile(machine, state, command, tickUs)
      case 'getFileStatus':
        return getFileStatus(machine, state, command, tickUs)
    }
  }
}
