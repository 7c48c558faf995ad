import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { onlyMessage, readFixture } from '../test/read-fixture.ts'
import { type Charset, encodeText } from './charsets.ts'
import { decodeMessages } from './decode-messages.ts'
import { joinSegments, readMessage } from './message.ts'

const MSH = 'MSH|^~\\&|LIS|LAB|SALUS|ACC|20260310100000-0700||ORU^R01|C-1|P|2.5.1'
const message = (id: string) => `${MSH.replace('C-1', id)}\rOBX|1|NM|A^A^L||${id}\r`
const idsOf = (bytes: Buffer | string) =>
  decodeMessages(Buffer.from(bytes)).messages.map((raw) => readMessage(raw).controlId)
const codesOf = (bytes: Buffer | string) =>
  decodeMessages(Buffer.from(bytes)).problems.map(({ code }) => code)

describe('messages of a file', () => {
  test('are found one after the other without an envelope', () => {
    const file = message('A') + message('B') + message('C')
    const { messages, envelope, problems } = decodeMessages(Buffer.from(file))
    assert.deepEqual(idsOf(file), ['A', 'B', 'C'])
    assert.equal(envelope, null)
    assert.deepEqual(problems, [])
    assert.equal(Buffer.concat(messages.map(({ content }) => content)).toString(), file)
  })

  test('have the bytes between their first and last segment, wherever they stand', () => {
    const bom = '\ufeff'
    const [a, b] = [message('A'), message('B')]
    for (const file of [
      bom + a + b,
      `\r\n${a}\r\n\r\n ${bom}${b}\x1a`,
      `\v${a}\x1c\r\v${b}\x1c\r`,
    ]) {
      const bytes = Buffer.from(file)
      const { messages, problems } = decodeMessages(bytes)
      assert.deepEqual(
        messages.map(({ text }) => text),
        [a, b],
      )
      for (const { offset, content } of messages) {
        assert.ok(bytes.subarray(offset, offset + content.length).equals(content))
      }
      assert.deepEqual(problems, [])
    }
  })

  test('of a batch are in it, and the envelope is apart from them', () => {
    const bytes = readFixture('batch')
    const { messages, envelope, problems } = decodeMessages(bytes)
    assert.deepEqual(
      envelope?.segments.map(({ name }) => name),
      ['FHS', 'BHS', 'BTS', 'FTS'],
    )
    assert.equal(envelope?.header?.text(9), 'results_0310.hl7')
    assert.equal(envelope?.batches.length, 1)
    assert.deepEqual(envelope?.batches[0]?.messages, messages)
    assert.equal(envelope?.batches[0]?.header?.text(11), 'B-1')
    assert.equal(envelope?.batches[0]?.trailer?.text(1), '2')
    assert.deepEqual(
      messages.map((raw) => readMessage(raw).controlId),
      ['BT-1', 'BT-2'],
    )
    assert.deepEqual(problems, [])
    const [first, last] = [messages[0], messages[1]]
    assert.equal(
      first?.content.toString().endsWith('OBX|1|NM|2345-7^Glucose^LN||81|mg/dL|70-99|N|||F\r'),
      true,
    )
    assert.equal(last?.content.toString().includes('BTS'), false)
  })

  test('of several batches stay apart, and those outside a batch have one of their own', () => {
    const head = (name: string) => `${name}|^~\\&|LIS\r`
    const file = `${head('FHS')}${head('BHS')}${message('A')}BTS|1\r${message('X')}${head('BHS')}${message('B')}${message('C')}BTS|2\rFTS|3\r`
    const { envelope, problems } = decodeMessages(Buffer.from(file))
    const ids = envelope?.batches.map(({ messages }) =>
      messages.map((raw) => readMessage(raw).controlId),
    )
    assert.deepEqual(ids, [['A'], ['X'], ['B', 'C']])
    assert.deepEqual(problems, [])
  })

  test('are read although counts are wrong and trailers are missing, and the problem is listed', () => {
    const batch = readFixture('batch').toString()
    assert.deepEqual(codesOf(batch.replace('BTS|2', 'BTS|7')), ['count_differs'])
    assert.deepEqual(codesOf(batch.replace('FTS|1', 'FTS|9')), ['count_differs'])
    assert.deepEqual(codesOf(batch.replace('BTS|2\r', '').replace('FTS|1\r', '')), [
      'trailer_missing',
      'trailer_missing',
    ])
    const { problems } = decodeMessages(Buffer.from(batch.replace('BTS|2', 'BTS|7')))
    assert.equal(problems[0]?.offset, batch.indexOf('BTS'))
  })

  test('are none in bytes of another kind, which is listed', () => {
    for (const bytes of ['', '\r\n', '<xml/>', 'PID|1||2\r', 'MSHX', 'msh|^~\\&|']) {
      assert.deepEqual(idsOf(bytes), [])
      assert.ok(codesOf(bytes).includes('no_message'))
    }
    assert.deepEqual(codesOf('HTTP/1.1 200\r\n'), ['stray_bytes', 'no_message'])
    assert.deepEqual(codesOf(`garbage\r${message('A')}`), ['stray_bytes'])
  })

  test('are not begun by lines of a note that name a gene or a field', () => {
    const note = 'NTE|1|L|Mismatch repair:\rMSH-6: intact\rMSH - 2: lost\rBTS none\r'
    const file = message('A') + note + message('B')
    assert.deepEqual(idsOf(file), ['A', 'B'])
    const [first] = decodeMessages(Buffer.from(file)).messages
    assert.ok(first)
    const text = readMessage(first).first('NTE')?.field(3).freeText
    assert.equal(text, 'Mismatch repair:\nMSH-6: intact\nMSH - 2: lost\nBTS none')
  })

  test('begin at MSH even where its separators are damaged', () => {
    assert.deepEqual(idsOf(message('A') + message('B').replace('^~\\&', '')), ['A', 'B'])
    assert.deepEqual(idsOf(message('B').replace('^~\\&', '')), ['B'])
  })
})

describe('the character set of a message', () => {
  const NAME = 'PID|1||7||MÜLLER^ZOË\r'
  const encode = (named: string, charset: Charset) => {
    const text = `${MSH}||||||${named}\r${NAME}`
    return encodeText(text, charset) as Buffer
  }
  const decode = (named: string, charset: Charset, connection?: Charset) => {
    const { messages } = decodeMessages(encode(named, charset), { charset: connection })
    const raw = messages[0]
    assert.ok(raw)
    const { charset: used, isCharsetFallback, namedCharset } = raw
    assert.equal(namedCharset, named)
    const name = readMessage(raw).first('PID')?.field(5).raw
    return { used, isCharsetFallback, name }
  }
  const right = 'MÜLLER^ZOË'

  test('is the one that MSH-18 names, when the bytes are valid in it', () => {
    for (const [named, charset] of [
      ['8859/1', 'iso-8859-1'],
      ['8859/15', 'iso-8859-15'],
      ['UNICODE UTF-8', 'utf-8'],
      ['utf8', 'utf-8'],
      ['ISO-8859-1', 'iso-8859-1'],
      ['ASCII~8859/1', 'iso-8859-1'],
    ] as const) {
      assert.deepEqual(decode(named, charset), {
        used: charset,
        isCharsetFallback: false,
        name: right,
      })
    }
  })

  test('is UTF-8 for valid UTF-8 without a name, which is no fallback', () => {
    assert.deepEqual(decode('', 'utf-8'), { used: 'utf-8', isCharsetFallback: false, name: right })
  })

  test('is UTF-8 or Windows-1252 where the name is wrong, unknown or missing, and the message says so', () => {
    assert.deepEqual(decode('ASCII', 'utf-8'), {
      used: 'utf-8',
      isCharsetFallback: true,
      name: right,
    })
    assert.deepEqual(decode('GB 18030-2000', 'utf-8'), {
      used: 'utf-8',
      isCharsetFallback: true,
      name: right,
    })
    assert.deepEqual(decode('UNICODE UTF-8', 'windows-1252'), {
      used: 'windows-1252',
      isCharsetFallback: true,
      name: right,
    })
    assert.deepEqual(decode('', 'windows-1252'), {
      used: 'windows-1252',
      isCharsetFallback: true,
      name: right,
    })
  })

  test('is Windows-1252 or UTF-8 where signs show that the named part of ISO 8859 is not meant', () => {
    const used = (bytes: Buffer) => decodeMessages(bytes).messages[0]
    const dash = `${MSH}||||||8859/1\rOBX|1|NM|A||5||0.4–4.0`
    for (const charset of ['windows-1252', 'utf-8'] as const) {
      const raw = used(encodeText(dash, charset) as Buffer)
      assert.deepEqual([raw?.charset, raw?.isCharsetFallback, raw?.text], [charset, true, dash])
    }
  })

  test('is found for many megabytes too', () => {
    const text = `${MSH}\rOBX|1|ED|A||^AP^PDF^Base64^${'QUFB'.repeat(2_000_000)}|µg\r`
    for (const charset of ['windows-1252', 'iso-8859-2', 'utf-8'] as const) {
      const bytes = encodeText(text.replace('µ', 'ä'), charset) as Buffer
      const [raw] = decodeMessages(bytes, { charset }).messages
      assert.equal(raw?.charset, charset)
      assert.ok(raw?.text.endsWith('|äg\r'))
    }
  })

  test('is that of the connection where one is given and the bytes are valid in it', () => {
    assert.equal(decode('UNICODE UTF-8', 'iso-8859-15', 'iso-8859-15').name, right)
    assert.equal(decode('8859/1', 'utf-8', 'utf-8').name, right)
    assert.equal(decode('8859/1', 'iso-8859-1', 'utf-8').name, right)
  })

  test('keeps signs of Windows-1252 that a sender did not name', () => {
    const message = onlyMessage(readFixture('cp1252-unnamed'))
    const obx = message.first('OBX')
    assert.equal(message.first('PID')?.text(5), 'MÜLLER')
    assert.equal(obx?.text(6), 'µIU/mL')
    assert.equal(obx?.text(7), '0.4–4.0')
    assert.equal(message.raw.isCharsetFallback, true)
  })
})

test('reading and writing segments gives the same bytes, whatever the bytes are', () => {
  const line = fc.oneof(
    fc.constantFrom('OBX|1|NM|A||5', 'NTE|1|L|text', 'ZEF|1|x', ' PID|1', 'ZZZ', 'free text', ''),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  const end = fc.constantFrom('\r', '\n', '\r\n', '\r\r', '')
  const file = fc.tuple(
    fc.constantFrom('', '\xef\xbb\xbf', '\v', '\r\n'),
    fc.array(fc.tuple(fc.oneof(fc.constant(MSH), line), end), { maxLength: 12 }),
  )
  let messagesRead = 0
  fc.assert(
    fc.property(file, ([lead, lines]) => {
      const text = lead + lines.map((each) => each.join('')).join('')
      const bytes = Buffer.from(text, 'latin1')
      for (const raw of decodeMessages(bytes).messages) {
        const { offset, content, charset } = raw
        const written = encodeText(joinSegments(readMessage(raw).segments), charset)
        assert.ok(written?.equals(content))
        assert.ok(bytes.subarray(offset, offset + content.length).equals(content))
        messagesRead++
      }
    }),
    { numRuns: 3000, seed: 1 },
  )
  assert.ok(messagesRead > 1000)
})
