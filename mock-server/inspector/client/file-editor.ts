/** A file of a world with its name, retention and status, and the form for a new one. */
import { hrefOf } from './address.ts'
import type { Context } from './context.ts'
import { deleteButton } from './delete-button.ts'
import { button, type Child, element, heading, labelled, selection, table, tableRow } from './elements.ts'
import { bytesText } from './time-text.ts'
import type { StateView } from './wire.ts'

type FileView = StateView['files'][number]

const statuses = ['awaiting_upload', 'processing', 'ready', 'failed', 'removed']
const words = (status: string) => status.replace('_', ' ')

/** The files of a world, each with a link to its form. */
export function fileTable(files: readonly FileView[]): Child {
  if (files.length === 0) return null
  const rows = files.map(({ id, filename, status, tenant, upload }) =>
    tableRow(
      element('a', { href: hrefOf({ view: 'threads', item: id }) }, filename),
      words(status),
      upload === null ? '' : `${upload.media_type}, ${bytesText(upload.size)}`,
      tenant,
    ),
  )
  return [element('h2', {}, `Files (${files.length})`), table(['File', 'Status', 'Content', 'Tenant'], rows)]
}

/** The form of a file. */
export function fileEditor(context: Context, file: FileView, changed: () => Promise<void>): Child {
  const { id, tenant, upload } = file
  const path = context.path(`/files/${encodeURIComponent(id)}`)
  const name = element('input', { value: file.filename })
  const persist = element('input', { type: 'checkbox', ...(file.persist ? { checked: '' } : null) })
  const status = selection(
    statuses.map((one) => [one, words(one)] as const),
    file.status,
  )
  const content = element('textarea', { rows: '2' })
  const save = button(
    'Save file',
    async () => {
      const isMoved = status.value !== file.status
      const moved = isMoved ? { status: status.value, content: content.value } : null
      await context.admin.post(path, { filename: name.value, persist: persist.checked, ...moved })
      await changed()
    },
    { class: 'primary' },
  )
  const remove = deleteButton(context, 'Delete file', path, changed)
  return [
    element('header', { class: 'detail-head' }, heading(file.filename, `${tenant} · `, element('code', {}, id))),
    labelled('Name', name),
    labelled('Status', status),
    upload === null ? labelled('Content to upload (text)', content) : null,
    element('label', { class: 'check' }, persist, 'kept for good (persist)'),
    element('div', { class: 'actions' }, save, remove),
  ]
}
