/** A target may name public hosts, hosts as private as itself, and listed ones. Nothing is sent to others. */
import { expect, test } from 'vitest'
import { profileFor } from '../../test/hostile-target/recording-client.ts'
import { createHostGuard, reachOf } from './host-guard.ts'

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['10.0.0.8', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['fd00::1', 'private'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:a9fe:a9fe::1', 'link-local'],
  ['2002:0a00:0008::', 'private'],
  ['::127.0.0.1', 'loopback'],
  ['::10.0.0.8', 'private'],
  ['64:ff9b::127.0.0.1', 'loopback'],
  ['64:ff9b::a00:8', 'private'],
  ['64:ff9b::93.184.216.34', null],
  ['2002:5db8:d822::', null],
  ['2003:7f00:1::', null],
  ['172.32.0.1', null],
  ['93.184.216.34', null],
  ['2606:2800:220:1::1', null],
] as const)('the reach of %s is %s', (address, reach) => {
  expect(reachOf(address)).toBe(reach)
})

const admits = (baseUrl: string, origin: string, uploadHosts: readonly string[] = []): Promise<boolean> =>
  createHostGuard({ ...profileFor(baseUrl), uploadHosts })
    .admit(origin)
    .then(
      () => true,
      () => false,
    )

test('private addresses are refused for a target elsewhere, in any spelling', async () => {
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '10.0.0.8',
  ])
    expect(await admits('http://93.184.216.34', `http://${host}:9000`)).toBe(false)
})

test('the target, its neighbours, public and listed hosts are let through', async () => {
  expect(await admits('http://127.0.0.1:80', 'http://127.0.0.1:9000')).toBe(true)
  expect(await admits('http://127.0.0.1:80', 'http://[::1]:9000')).toBe(true)
  expect(await admits('http://10.0.0.1', 'http://10.0.0.2')).toBe(true)
  expect(await admits('http://10.0.0.1', 'http://127.0.0.1')).toBe(false)
  expect(await admits('http://10.0.0.1', 'http://93.184.216.34')).toBe(true)
  expect(await admits('http://93.184.216.34', 'http://10.0.0.2', ['10.0.0.2'])).toBe(true)
})

test('what a name server answers at the time of sending is looked at as well', async () => {
  const { lookup } = createHostGuard(profileFor('http://93.184.216.34'))
  const refused = await new Promise<Error | null>((resolve) =>
    lookup('localhost', { all: true }, (error) => resolve(error)),
  )
  expect(refused?.message).toContain('loopback')
})
