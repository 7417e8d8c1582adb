/**
 * The second port: takes the bytes of granted uploads like an object store, knowing nothing of API keys.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type FileVault, fileLimits } from './file-vault.ts'

async function sizeOf(request: IncomingMessage): Promise<number> {
  let size = 0
  for await (const part of request) size += (part as Buffer).length
  return size
}

function refuse(response: ServerResponse, code: string): void {
  response.writeHead(400, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

async function receive(vault: FileVault, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/.exec(request.url ?? '') ?? []
  const fileId = /^\/bucket\/([^/]+)$/.exec(path)?.[1] ?? ''
  const size = await sizeOf(request)
  if (request.method !== 'PUT' || !vault.admits(fileId, new URLSearchParams(search))) refuse(response, 'AccessDenied')
  else if (size > fileLimits.max_size) refuse(response, 'EntityTooLarge')
  else {
    vault.receive(fileId, size)
    response.writeHead(204).end()
  }
}

/** Makes the upload server; the caller lets it listen. */
export function createUploadServer(vault: FileVault): Server {
  return createServer((request, response) => {
    receive(vault, request, response).catch(() => response.destroy())
  })
}
