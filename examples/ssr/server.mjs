/** A server that renders a thread: it passes the header of the test's world on, so the mock shows it that world. */
import { createServer } from 'node:http'

const { ACS_URL = 'http://127.0.0.1:4010', PORT = '4100' } = process.env

createServer(async ({ headers, url = '/' }, response) => {
  const world = headers['x-acs-world']
  const passedOn = { 'api-key': 'acs-demo-primary', ...(typeof world === 'string' ? { 'x-acs-world': world } : {}) }
  const answer = await fetch(`${ACS_URL}/v1/threads${url}/messages`, { headers: passedOn })
  const page = await answer.json()
  const texts = page.items?.map(
    ({ content }) => `<li>${content.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</li>`,
  )
  response.writeHead(200, { 'content-type': 'text/html' }).end(texts?.join('') ?? '<p role="alert">no such thread</p>')
}).listen(Number(PORT), '127.0.0.1')
