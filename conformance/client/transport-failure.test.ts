/** Tests that the text of a transport error says what to check. */
import { expect, test } from 'vitest'
import { failureOf } from './transport-failure.ts'

const error = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test.each([
  [
    error(
      'ERR_SSL_WRONG_VERSION_NUMBER',
      '405DE566867F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/record.c:77:',
    ),
    'TLS: what answers there does not speak TLS; is it http://? (ERR_SSL_WRONG_VERSION_NUMBER)',
  ],
  [
    error(
      'ERR_SSL_TLSV1_ALERT',
      '4:error:0A000416:SSL routines:ssl3_read_bytes:certificate expired:../a.c:1:SSL alert',
    ),
    'TLS: certificate expired (ERR_SSL_TLSV1_ALERT)',
  ],
  [error('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), /^TLS: self-signed certificate \(DEPTH/],
  [
    error('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9'),
    'nothing listens there (connect ECONNREFUSED 127.0.0.1:9)',
  ],
  [error('ENOTFOUND', 'who?'), 'the host name is unknown (ENOTFOUND: who?)'],
])('%s', (cause, failure) => {
  expect(failureOf(cause, false)).toEqual({
    ending: 'unreachable',
    failure: typeof failure === 'string' ? failure : expect.stringMatching(failure),
  })
})

test('an unasked 100 Continue is named as what it may be', () => {
  expect(failureOf(error('UND_ERR_SOCKET', 'bad response'), false)).toEqual({
    ending: 'cut',
    failure: expect.stringContaining('100 Continue'),
  })
})
