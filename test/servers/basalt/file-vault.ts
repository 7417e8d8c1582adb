/**
 * Holds uploaded files and the grants that let them in. It signs upload URLs, which lead to a port of their own.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { newId } from './identity.ts'

/** How long an upload URL lives, in milliseconds. */
export const grantLifetimeMs = 900_000

/** What may be uploaded. */
export const fileLimits = {
  allowed_types: [
    'text/csv',
    'text/plain',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  max_size: 10_485_760,
}

const dayMs = 86_400_000

interface VaultFile {
  readonly tenantId: string
  readonly vanishesAt: number
  size: number | null
}

/** Files of all tenants. */
export class FileVault {
  /** Where the upload server is reached; set once it listens. */
  uploadOrigin = ''
  readonly #secret = randomBytes(32)
  readonly #files = new Map<string, VaultFile>()

  /** Grants an upload and gives the file's id and URL. */
  grant(tenantId: string, persist: boolean): { fileId: string; url: string } {
    const fileId = newId()
    const expires = String(Date.now() + grantLifetimeMs)
    this.#files.set(fileId, {
      tenantId,
      vanishesAt: persist ? Number.POSITIVE_INFINITY : Date.now() + dayMs,
      size: null,
    })
    const query = new URLSearchParams({ 'X-Expires': expires, 'X-Signature': this.#sign(fileId, expires) })
    return { fileId, url: `${this.uploadOrigin}/bucket/${fileId}?${query}` }
  }

  /** Whether a URL's signature is ours and still fresh. */
  admits(fileId: string, query: URLSearchParams): boolean {
    const expires = query.get('X-Expires') ?? ''
    return this.#sign(fileId, expires) === query.get('X-Signature') && Number(expires) > Date.now()
  }

  /** Notes that the bytes of a file have come. */
  receive(fileId: string, size: number): void {
    const file = this.#files.get(fileId)
    if (file !== undefined) file.size = size
  }

  /** How far a tenant's file is; null when there is none. */
  state(tenantId: string, fileId: string | null): 'PENDING' | 'READY' | null {
    const file = fileId === null ? undefined : this.#files.get(fileId)
    if (file?.tenantId !== tenantId || file.vanishesAt <= Date.now()) return null
    return file.size === null ? 'PENDING' : 'READY'
  }

  #sign(fileId: string, expires: string): string {
    return createHmac('sha256', this.#secret).update(`${fileId}|${expires}`).digest('hex')
  }
}
