/** Options about the transport, which every command that sends has. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { TargetProfile } from '../conformance/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { Terminal } from './terminal.ts'

export interface TransportOptions {
  readonly ca?: string
  readonly clientCert?: string
  readonly clientKey?: string
  readonly proxy?: string
  readonly header?: readonly HeaderOption[]
  readonly userAgent?: string
  /** False with `--no-http2`. */
  readonly http2?: boolean
  /** False with `--no-traceparent`. */
  readonly traceparent?: boolean
}

type HeaderOption = readonly [name: string, value: string]

const parseHeader = (text: string, earlier: readonly HeaderOption[] = []): readonly HeaderOption[] => {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\p{Cc}]*)$/u.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError(`write it like "x-gateway: \${NAME}"`)
  return [...earlier, [name, value]]
}

/** Adds the options to a command; its own options are declared before, so that help shows them first. */
export const withTransportOptions = (command: Command): Command =>
  [
    new Option('--ca <file>', "PEM file with additional CAs for the target's certificate"),
    new Option('--client-cert <file>', 'PEM file with the client certificate'),
    new Option('--client-key <file>', "PEM file with the client certificate's private key"),
    new Option('--proxy <url>', 'http(s) proxy, or direct for none; default: HTTPS_PROXY or HTTP_PROXY, and NO_PROXY'),
    new Option(
      '-H, --header <line>',
      `header for every request to the target, "x-gateway: \${NAME}"; may be repeated`,
    ).argParser(parseHeader),
    new Option('--user-agent <text>', 'user agent for every request'),
    new Option('--no-traceparent', "do not send the W3C traceparent, which identifies a request in the target's logs"),
    new Option('--no-http2', 'use HTTP/1.1 even if the target offers HTTP/2'),
  ].reduce((changed, option) => changed.addOption(option.helpGroup('Transport:')), command)

/** The transport as the options say it, references in it. */
export const writtenTransport = (options: TransportOptions): NonNullable<TargetProfile['transport']> => {
  const { ca, clientCert, clientKey, proxy, header, userAgent } = options
  const refused = (flag: boolean | undefined): false | undefined => (flag === false ? false : undefined)
  const given = {
    ca,
    clientCert,
    clientKey,
    proxy,
    userAgent,
    http2: refused(options.http2),
    traceparent: refused(options.traceparent),
  }
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(header === undefined ? {} : { headers: Object.fromEntries(header) }),
  }
}

/** The profile with the transport of the options; throws CommandFailure for an unusable setting. */
export const overTransport = async (
  profile: TargetProfile,
  options: TransportOptions,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<TargetProfile> => {
  const { applyTransport } = await import('../conformance/index.ts')
  const applied = applyTransport(profile, writtenTransport(options), environment)
  if ('problem' in applied) throw new CommandFailure(applied.problem, { exitCode: exitCodes.config })
  return applied
}
