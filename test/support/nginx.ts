/** Runs nginx of the system in front of a server, with a configuration of its own in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = '/usr/sbin/nginx'

/** Whether nginx is installed; says so where it is not, since tests are left out then. */
export const hasNginx = existsSync(program)
if (!hasNginx) process.stderr.write(`${program} is not installed: the tests behind it are left out.\n`)

export interface NginxOptions {
  /** Where requests go. */
  readonly upstream: string
  /** Directives of the location that passes them. */
  readonly location?: string
  /** Directives of the http block. */
  readonly http?: string
  /** PEM files of the certificate; without them it speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string }
}

interface Nginx {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts it and waits until it answers. */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'acs-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configuration(options, folder, port))
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  // It must not outlive a test run that ends early.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  await listening(child, port)
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      process.off('exit', kill)
      child.once('exit', () => {
        rmSync(folder, { recursive: true, force: true })
        resolve()
      })
      child.kill('SIGTERM')
    })
  return { url: `${options.tls === undefined ? 'http' : 'https'}://localhost:${port}`, close }
}

function configuration(
  { upstream, location = '', http = '', tls }: NginxOptions,
  folder: string,
  port: number,
): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const certificates =
    tls === undefined
      ? ''
      : `ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};
         ${tls.clientCa === undefined ? '' : `ssl_client_certificate ${tls.clientCa}; ssl_verify_client on;`}`
  return `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log warn;
events { worker_connections 512; }
http {
  access_log off;
  ${places.map((place) => `${place}_temp_path ${folder}/${place};`).join('\n  ')}
  ${http}
  upstream service { server ${new URL(upstream).host}; keepalive 16; }
  server {
    listen 127.0.0.1:${port}${tls === undefined ? '' : ' ssl http2'};
    server_name localhost;
    ${certificates}
    client_max_body_size 64m;
    underscores_in_headers on;
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_set_header host ${new URL(upstream).host};
      ${location}
    }
  }
}
`
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** Resolves once somebody listens; rejects when the process ends before. */
export async function listening(child: ChildProcess, port: number): Promise<void> {
  const { connect } = await import('node:net')
  const deadline = Date.now() + 10_000
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${child.spawnfile} does not start (${child.exitCode})`)
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
  }
}
