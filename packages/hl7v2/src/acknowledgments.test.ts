import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onlyMessage, readFixture } from '../test/read-fixture.ts'
import { type AckError, buildAck, type NewAck, readAck } from './acknowledgments.ts'

const at = Date.UTC(2026, 2, 10, 17)
const common = { controlId: 'S-9', at, zone: 'America/Phoenix' } as const
const header = (version: string, more = '') =>
  `MSH|^~\\&|LIS^1.2^ISO|LAB|SALUS|ACC|20260310100000||ORU^R01^ORU_R01|C-1|P^T|${version}${more}\r`
const answer = (to: string | Buffer | undefined, ack: Partial<NewAck> & Pick<NewAck, 'code'>) =>
  buildAck({ to: to === undefined ? undefined : onlyMessage(to), ...common, ...ack }).toString(
    'latin1',
  )
const MISSING: AckError = {
  code: '101',
  severity: 'E',
  location: { segment: 'PID', sequence: 1, field: 5 },
  text: 'Required field missing',
}

describe('an acknowledgment', () => {
  test('goes back to the sender with its version, processing id and control id', () => {
    assert.equal(
      answer(header('2.5.1'), { code: 'AA' }),
      'MSH|^~\\&|SALUS|ACC|LIS^1.2^ISO|LAB|20260310100000-0700||ACK^R01^ACK|S-9|P^T|2.5.1\r' +
        'MSA|AA|C-1\r',
    )
  })

  test('has the message type of its version', () => {
    const type = (version: string) =>
      onlyMessage(answer(header(version), { code: 'CA' })).header.field(9).raw
    assert.deepEqual(['2.1', '2.2', '2.3', '2.3.1', '2.4', '2.5', '2.5.1'].map(type), [
      'ACK',
      'ACK',
      'ACK',
      'ACK^R01',
      'ACK^R01^ACK',
      'ACK^R01^ACK',
      'ACK^R01^ACK',
    ])
    assert.match(
      answer(readFixture('result-23-zps'), { code: 'AA' }),
      /\|\|ACK\|S-9\|P\|2\.3\rMSA\|AA\|0000271\r$/,
    )
  })

  test('has an error segment for each error since 2.5', () => {
    const errors = [MISSING, { code: '207', severity: 'E', text: 'Try again' }]
    assert.match(
      answer(header('2.5.1'), { code: 'AE', errors }),
      /\rMSA\|AE\|C-1\rERR\|\|PID\^1\^5\|101\^\^HL70357\|E\|\|\|\|Required field missing\rERR\|\|\|207\^\^HL70357\|E\|\|\|\|Try again\r$/,
    )
  })

  test('has one error segment with repetitions before 2.5', () => {
    const errors = [MISSING, { code: '207', severity: 'E', text: 'a^b' }]
    assert.match(
      answer(header('2.3.1'), { code: 'AR', errors, text: 'Refused' }),
      /\rMSA\|AR\|C-1\|Refused\rERR\|PID\^1\^5\^101&Required field missing&HL70357~\^\^\^207&a\\S\\b&HL70357\r$/,
    )
  })

  test('has a control id to answer even where the message has none, and where there is no message', () => {
    const without = header('2.5.1').replace('|C-1|', '||')
    assert.match(answer(without, { code: 'AE' }), /\rMSA\|AE\|UNKNOWN\r$/)
    assert.equal(
      answer(undefined, { code: 'AR', text: 'No MSH' }),
      'MSH|^~\\&|||||20260310100000-0700||ACK|S-9|P|2.5.1\rMSA|AR|UNKNOWN|No MSH\r',
    )
  })

  test('has the separators of the message', () => {
    assert.equal(
      answer(readFixture('other-separators'), {
        code: 'AE',
        errors: [{ ...MISSING, text: 'a*b' }],
      }),
      'MSH#*~\\!#SALUS#ACCT100#LIS#FAKELAB#20260310100000-0700##ACK*R01*ACK#S-9#P#2.4\r' +
        'MSA#AE#SEP-1\rERR#PID*1*5*101!a\\S\\b!HL70357\r',
    )
  })

  test('keeps letters of the sender in the character set of the message, and names that as it did', () => {
    const named = Buffer.from(header('2.5.1', '||||||8859/1').replace('LAB', 'LABÓR'), 'latin1')
    const read = onlyMessage(Buffer.from(answer(named, { code: 'AA', text: 'Zoë Ł' }), 'latin1'))
    assert.equal(read.header.text(6), 'LABÓR')
    assert.equal(read.header.text(18), '8859/1')
    assert.equal(readAck(read)?.text, 'Zoë L')
    const plain = answer(header('2.5.1'), { code: 'AA', text: 'Zoë' })
    assert.match(plain, /\|Zoe\r$/)
  })

  test('is never broken by line ends in what it repeats', () => {
    const broken = `MSH|^~\\&|LIS|LAB\rx|SALUS|ACC|20260310||ORU^R01|C\r-1|P|2.5.1\r`
    const read = onlyMessage(answer(broken, { code: 'AA', text: 'a\rMSH|b' }))
    assert.deepEqual(
      read.segments.map(({ name }) => name),
      ['MSH', 'MSA'],
    )
    assert.deepEqual([read.header.text(6), read.first('MSA')?.text(2)], ['LABx', 'C-1'])
  })

  for (const version of ['2.3', '2.3.1', '2.4', '2.5', '2.5.1']) {
    test(`of ${version} is read as it was built`, () => {
      const to = onlyMessage(header(version))
      const errors = [
        MISSING,
        {
          code: '204',
          severity: 'W',
          location: { segment: 'OBR', sequence: 2 },
          text: 'Unknown | key',
        },
      ]
      const ack = readAck(
        onlyMessage(buildAck({ to, ...common, code: 'AE', text: 'Two errors', errors })),
      )
      const isOld = /^2\.[34]/.test(version)
      assert.deepEqual(ack, {
        code: 'AE',
        controlId: 'C-1',
        text: 'Two errors',
        errors: isOld ? errors.map((error) => ({ ...error, severity: '' })) : errors,
      })
    })
  }
})

describe('reading an acknowledgment', () => {
  const read = (...lines: string[]) =>
    readAck(onlyMessage([header('2.3').trim(), ...lines].join('\r')))

  test('of the old form finds the location', () => {
    assert.deepEqual(readAck(onlyMessage(readFixture('ack-ar-old-err'))), {
      code: 'AR',
      controlId: 'S-000124',
      text: 'Account is closed',
      errors: [
        { code: '', severity: '', location: { segment: 'PID', sequence: 1, field: 18 }, text: '' },
      ],
    })
  })

  test('finds a code whose parts are components', () => {
    assert.deepEqual(read('MSA|AE|1', 'ERR|PID^1^5^102^Data type error^HL70357')?.errors, [
      {
        code: '102',
        severity: '',
        location: { segment: 'PID', sequence: 1, field: 5 },
        text: 'Data type error',
      },
    ])
  })

  test('takes the error condition of MSA-6 where there is no ERR', () => {
    assert.deepEqual(read('MSA|AR|1||||207^Internal error')?.errors, [
      { code: '207', severity: '', text: 'Internal error' },
    ])
  })

  test('prefers the text for users, then the diagnostic one, then the name of the code', () => {
    const textOf = (err: string) => read('MSA|AE|1', err)?.errors[0]?.text
    assert.equal(textOf('ERR|||101^Name^HL70357|E|||Diagnostic|For users'), 'For users')
    assert.equal(textOf('ERR|||101^Name^HL70357|E|||Diagnostic'), 'Diagnostic')
    assert.equal(textOf('ERR|||101^Name^HL70357|E'), 'Name')
  })

  test('works for answers to orders', () => {
    const ack = readAck(onlyMessage(readFixture('orl-accepted')))
    assert.deepEqual(ack, { code: 'AA', controlId: 'S-000125', text: '', errors: [] })
  })

  test('does not invent a code', () => {
    assert.equal(read('MSA|XX|1')?.code, undefined)
    assert.equal(read('MSA|aa |1')?.code, 'AA')
    assert.equal(readAck(onlyMessage(readFixture('statuses'))), undefined)
  })
})
