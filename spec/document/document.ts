/**
 * Loads the OpenAPI document in its profiles.
 * The built-in profiles are generated modules, so that a start needs no file access and no YAML parser.
 */
import { gaps } from '../gaps/index.ts'
import { operations } from '../operations.ts'
import { requirements } from '../requirements/index.ts'
import { digestOf } from './canonical.ts'
import type { ClientDocumentOptions } from './client-document.ts'
import { contractDocument } from './contract.generated.ts'
import type { JsonObject } from './json.ts'
import { referenceDocument } from './reference.generated.ts'

/** The built-in profiles: the contract alone, or with the answers that the mock gives to its gaps. */
export type BuiltInProfile = 'contract' | 'reference'

interface DocumentOptions {
  /** A built-in profile, or the path of an overlay file with other answers to the gaps. Default `contract`. */
  readonly profile?: BuiltInProfile | { readonly overlayFile: string }
  /** Version of OpenAPI in which the document is rendered: `3.2` describes streams by `itemSchema`, `3.0` is for old tools. Default `3.1`. */
  readonly openapi?: '3.0' | '3.1' | '3.2'
  /** Renders the document for generators of clients, with examples that `acs mock` answers. Default: not. */
  readonly clients?: ClientDocumentOptions
}

/** The merged, self-contained document. Throws OverlayError (one line: place, reason, fix) for a broken overlay file. */
export const loadDocument = async ({
  profile = 'contract',
  openapi = '3.1',
  clients,
}: DocumentOptions = {}): Promise<JsonObject> => {
  const merged = typeof profile === 'string' ? documentOf(profile) : await overlaid(profile.overlayFile)
  const document = clients === undefined ? merged : await forClients(merged, profile === 'reference', clients)
  if (openapi === '3.1') return document
  if (openapi === '3.0') return (await import('./openapi-3-0.ts')).toOpenApi30(document)
  return (await import('./openapi-3-2.ts')).toOpenApi32(document)
}

/** The OpenAPI 3.1 document of a built-in profile, without waiting. */
export const documentOf = (profile: BuiltInProfile): JsonObject =>
  profile === 'contract' ? contractDocument : referenceDocument

/** SHA-256 (hex) of the contract as data: the document without the overlay, the operations, the requirements and the gaps. */
export const contractDigest = (): string => {
  digest ??= digestOf({ document: contractDocument, operations, requirements, gaps })
  return digest
}

let digest: string | undefined

const forClients = async (document: JsonObject, isReference: boolean, options: ClientDocumentOptions) => {
  const { clientDocument } = await import('./client-document.ts')
  return clientDocument(document, isReference, options)
}

const overlaid = async (file: string): Promise<JsonObject> => {
  const { overlayDocumentWithFile } = await import('./overlay-file.ts')
  return overlayDocumentWithFile(contractDocument, file)
}
