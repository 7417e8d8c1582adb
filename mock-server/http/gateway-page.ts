/** Writes the HTML page with which a proxy responds when the service behind it does not. */
import { statusTexts } from './status-texts.ts'

/** The page of nginx for a status. */
export function gatewayPage(status: number): Uint8Array {
  const title = `${status} ${statusTexts[status] ?? 'Error'}`
  const lines = [
    '<html>',
    `<head><title>${title}</title></head>`,
    '<body>',
    `<center><h1>${title}</h1></center>`,
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
  ]
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''))
}
