/**
 * The conversation machine: `step(state, command, tick) → { state, reply }`, pure in all three.
 * HTTP, NDJSON, time and worlds are shells around it; each chapter of the contract has its own file of steps.
 */
import { getAssistant, listAssistants } from './assistants.ts'
import type { Command } from './command.ts'
import { complete } from './completions.ts'
import { createUploadGrant, getFileStatus, uploadFile } from './files.ts'
import type { Machine } from './machine.ts'
import { listMessages } from './pagination.ts'
import type { Outcome } from './reply.ts'
import { finishRun, runThread } from './runs.ts'
import type { State } from './state.ts'
import { listMyApiKeys } from './tenancy.ts'
import { createMessage, createThread } from './threads.ts'

/** One step of a world. `tickUs` is the moment in microseconds since the Unix epoch. */
export type Step = (state: State, command: Command, tickUs: number) => Outcome

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
