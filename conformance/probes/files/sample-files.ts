/** Files that the probes send: names as people give them, bytes of each allowed type, grants and uploads. */
import { valuesAt } from '../../judge/read/json.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { numberOf } from '../../probe-runtime/sample-texts.ts'
import { type SeededRandom, seededRandom } from '../../probe-runtime/seeded-random.ts'
import type { HeaderLines } from '../../trace/exchange.ts'
import { uploadTo } from '../support/upload-to.ts'

/** Above 1 MiB and the limits that body parsers have by default, and below the largest size whether that counts bytes or bits. */
const largeTable = `month,total\n${'2024-01,12\n'.repeat(100_000)}`

/** The end of an archive without files, and one with a comment that is no UTF-8, as little of a real archive is. */
const archive = 'PK\u0005\u0006'.padEnd(22, '\0')
const archiveWithComment = Buffer.from(`${archive.slice(0, 20)}\u0004\0\u00e9\u00ff\u00fe\u00c3`, 'latin1')

/** A file of each of these types: name and bytes. */
export const samples = {
  'text/plain': ['figures.txt', largeTable],
  'text/csv': ['figures.csv', largeTable],
  'application/pdf': ['letter.pdf', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['draft.docx', archiveWithComment],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['sheet.xlsx', archive],
} as const

/** What a model may read as part of a thread. The bare socket writes it in two parts, whose border lies inside of the dash. */
export const shortText = 'A few lines of notes – no more.\n'
/**
 * Twice 64 KiB: what processes a file in one buffer of that size never completes it, nor does what waits for a last piece that
 * is shorter than the others.
 */
export const minutes = padded(
  `Minutes of the meeting – a draft.\n${'They agreed on the next step and on who takes it.\n'.repeat(2600)}`,
  2 * 65_536,
)

export const filename = [['filename', 'notes.txt']] as const
/** The name of two files, and the types with which they are sent. */
interface FollowedFiles {
  readonly name: string
  readonly keptType: string
  readonly temporaryType: 'text/csv' | 'text/plain'
}

/**
 * As people name files: with blanks, brackets, two dots and letters beyond ASCII, one of them in two code points, and an extension
 * in capitals. An answer to another tenant that quotes its number is a leak. Granted nowhere else, so that the first grant for it
 * is one of the two that are followed. In turn both are texts, or tables, one of which may be sent with its charset: each type may
 * be processed in a way of its own.
 */
export function followedFiles({ runNumber }: SeededRandom): FollowedFiles {
  const type = typeInTurn(runNumber)
  const number = numberOf(seededRandom(runNumber, 'number of a file')).replace('/', '-')
  const name = `見積 ${number} Überblick Cafe\u0301 (1) v2.1.${type === 'text/csv' ? 'CSV' : 'TXT'}`
  return { name, keptType: runNumber % 3 === 2 ? `${type};charset=UTF-8` : type, temporaryType: type }
}

const typeInTurn = (runNumber: number): 'text/csv' | 'text/plain' => (runNumber % 3 === 0 ? 'text/plain' : 'text/csv')

/** The one of the two types of text that no followed file has. */
export const otherTextType = ({ runNumber }: SeededRandom): 'text/csv' | 'text/plain' =>
  typeInTurn(runNumber) === 'text/csv' ? 'text/plain' : 'text/csv'

/** What the first tenant asks for as well: of two tenants, equal names of users and files make two files. */
export const commonGrant = { query: filename, headers: [['user-id', 'a']] } as const satisfies RequestSpec

export function userId(id: string): HeaderLines {
  return [['user-id', id]]
}

export const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Asks for a grant, and sends the file to its URL without a key; a text with its charset, which is a parameter of its type. */
export async function upload(context: ProbeContext, type: keyof typeof samples, user: string): Promise<void> {
  const [name, body] = samples[type]
  const grant = await context.send('createUploadGrant', { query: [['filename', name]], headers: userId(user) })
  await uploadTo(grant, context, type.startsWith('text/') ? `${type};charset=UTF-8` : type, body)
}

/** The grant of a small file with a name of ASCII characters; `null` when the file was not taken. */
export async function uploadSmall(
  context: ProbeContext,
  type: 'text/csv' | 'text/plain',
  { user, body, ...more }: Pick<RequestSpec, 'isRepetition'> & { readonly user: string; readonly body: string },
): Promise<Answer | null> {
  const query = type === 'text/csv' ? [['filename', samples[type][0]] as const] : filename
  const grant = await context.send('createUploadGrant', { query, headers: userId(user), ...more })
  const upload = await uploadTo(grant, context, type, body, more)
  return upload?.outcome === 'accepted' ? grant : null
}

/** Sends a file without a byte. Whether it is taken, and what its status says, is open. */
export async function uploadEmpty(context: ProbeContext, grant: Answer): Promise<void> {
  const type = typeInTurn(context.random.runNumber)
  await uploadTo(grant, context, type, '', { purpose: 'empty:/body', expects: 'either' })
}

/** A table as older programs write it, in an encoding of one byte per letter, which is no UTF-8. */
const oldTable = Buffer.from('Straße;Größe;Preis\nMühlgasse 4;80 m²;1.200 £\n', 'latin1')

/** Sends a text in another encoding. Whether it can be processed is open. */
export async function uploadOtherEncoding(context: ProbeContext, grant: Answer): Promise<void> {
  const type = typeInTurn(context.random.runNumber)
  await uploadTo(grant, context, type, oldTable, { purpose: 'encoding:/body', expects: 'either' })
}

/** Sends a file of a type that no grant allows. */
export async function uploadOtherType(context: ProbeContext, grant: Answer): Promise<void> {
  await uploadTo(grant, context, 'image/png', '\u0089PNG', { purpose: 'type:/headers/content-type', expects: 'either' })
}

/** Blank lines behind a text, as bytes: encoding a string so long would keep all other requests waiting. */
function padded(text: string, size: number): Uint8Array {
  const bytes = Buffer.alloc(Math.max(size, Buffer.byteLength(text)), '\n')
  bytes.write(text)
  return bytes
}

/** A target that allows more is not sent so much. */
const mostSent = 16 * 1_048_576
/** More than the largest size would be in bits: where it is taken, bytes or more are counted. */
const moreThanBits = 2 * 1_048_576

/**
 * A file of so many bytes as the largest size is legal in every unit but the bit, which a smaller one rules out where it is
 * refused; and one that is no larger than others tells whether files of the type are taken at all.
 */
export async function uploadLargest(context: ProbeContext, user: string): Promise<void> {
  const type = 'application/pdf'
  const [name, body] = samples[type]
  let largest = 0
  for (const [turn, sizeOf] of [() => largest, () => moreThanBits, () => 0].entries()) {
    const isRepetition = turn > 0
    const query = [['filename', name] as const, ['persist', 'false'] as const]
    const grant = await context.send('createUploadGrant', { query, headers: userId(user), isRepetition })
    const told = valuesAt(grant.json, '/file_limits/max_size')[0]
    largest = typeof told === 'number' && told >= moreThanBits && told <= mostSent ? told : 0
    const answer = await uploadTo(grant, context, type, padded(body, sizeOf()), { isRepetition })
    if (answer?.outcome !== 'rejected' || largest === 0) return
  }
}
