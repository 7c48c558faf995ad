import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { onlyMessage } from '../test/read-fixture.ts'
import type { Charset } from './charsets.ts'
import { decodeMessages } from './decode-messages.ts'
import { readMessage } from './message.ts'
import { USUAL_SEPARATORS } from './separators.ts'
import { transliterate } from './transliterate.ts'
import { type NewSegment, UnencodableTextError, writeMessage } from './write-message.ts'

const MSH: NewSegment = {
  name: 'MSH',
  fields: { 3: 'SALUS', 9: ['OML', 'O21'], 10: 'S-1', 12: '2.5.1' },
}
const written = (...parameters: Parameters<typeof writeMessage>) =>
  writeMessage(...parameters).toString('latin1')

describe('a written message', () => {
  test('has fields, repetitions, components and subcomponents where they belong', () => {
    const pid: NewSegment = {
      name: 'PID',
      fields: {
        1: 1,
        3: { repetitions: [['77', '', '', ['SALUS', '1.2', 'ISO'], 'MR'], '78'] },
        5: ['LEE', 'KIM', null],
        7: null,
        8: 'F',
        9: { raw: 'A^B' },
        11: '',
        12: undefined,
      },
    }
    assert.equal(
      written([MSH, pid, { name: 'ZXX', fields: {} }]),
      'MSH|^~\\&|SALUS||||||OML^O21|S-1||2.5.1\r' +
        'PID|1||77^^^SALUS&1.2&ISO^MR~78||LEE^KIM^""||""|F|A^B\rZXX\r',
    )
  })

  test('has the separators and segment ends that are wanted', () => {
    const separators = { ...USUAL_SEPARATORS, field: '#', component: '*', truncation: '%' }
    const segments = [MSH, { name: 'OBX', fields: { 5: 'a#b*c|d%' } }]
    assert.equal(
      written(segments, { separators, segmentEnd: '\r\n' }),
      'MSH#*~\\&%#SALUS######OML*O21#S-1##2.5.1\r\nOBX#####a\\F\\b\\S\\c|d\\P\\\r\n',
    )
  })

  test('has values cut to the length that a laboratory takes, whole escape sequences included', () => {
    const fields = {
      5: [
        { text: 'O&BRIEN', length: 3 },
        { text: 'Zoë', length: 3 },
        { text: 'Ærø', length: 2 },
      ],
    }
    const options = { transliterates: true }
    assert.match(written([MSH, { name: 'PID', fields }], options), /\rPID\|{5}O\^Zoe\^AE\r$/)
  })

  test('may be a batch of several messages', () => {
    const [file, batch] = ['FHS', 'BHS'].map((name) => ({ name, fields: { 3: 'SALUS' } }))
    const second = { name: 'MSH', fields: { ...MSH.fields, 10: 'S-2' } }
    const trailers = ['BTS', 'FTS'].map((name, index) => ({ name, fields: { 1: 2 - index } }))
    assert.ok(file && batch)
    const decoded = decodeMessages(writeMessage([file, batch, MSH, second, ...trailers]))
    assert.deepEqual(decoded.problems, [])
    assert.deepEqual(
      decoded.messages.map((raw) => readMessage(raw).controlId),
      ['S-1', 'S-2'],
    )
    assert.equal(decoded.envelope?.batches[0]?.header?.text(3), 'SALUS')
  })

  test('names its character set in MSH-18, unless it is ASCII or a value is given', () => {
    const named = (
      segment: NewSegment,
      charset: 'us-ascii' | 'utf-8' | 'iso-8859-1' | 'windows-1252',
    ) => onlyMessage(writeMessage([segment], { charset })).header.text(18)
    assert.equal(named(MSH, 'us-ascii'), '')
    assert.equal(named(MSH, 'utf-8'), 'UNICODE UTF-8')
    assert.equal(named(MSH, 'iso-8859-1'), '8859/1')
    assert.equal(named(MSH, 'windows-1252'), '')
    assert.equal(named({ name: 'MSH', fields: { 18: 'UTF8' } }, 'utf-8'), 'UTF8')
  })
})

describe('a character that the character set lacks', () => {
  const name = (text: string): NewSegment[] => [MSH, { name: 'PID', fields: { 5: [text, 'KIM'] } }]

  test('is an error that has no part of the text', () => {
    for (const [text, charset] of [
      ['Müller', 'us-ascii'],
      ['Łukasz', 'iso-8859-1'],
      ['a\ud800b', 'utf-8'],
    ] as const) {
      assert.throws(
        () => writeMessage(name(text), { charset }),
        (error) =>
          error instanceof UnencodableTextError &&
          !error.message.includes(text) &&
          error.charset === charset,
      )
    }
  })

  test('is replaced by a similar one where that is wanted', () => {
    const ascii = (text: string) =>
      onlyMessage(writeMessage(name(text), { transliterates: true }))
        .first('PID')
        ?.text(5)
    assert.equal(ascii('Müller-Ångström'), 'Muller-Angstrom')
    assert.equal(ascii('Łukasz Ærø Weiß'), 'Lukasz AEro Weiss')
    assert.equal(ascii('O’Brien – “x” 5 µg ≥ 3'), 'O\'Brien - "x" 5 ug >= 3')
    assert.equal(ascii('e\u0301'), 'e')
    assert.equal(ascii('李'), '?')
  })

  test('stays where the character set has it', () => {
    assert.equal(transliterate('Müller Łukasz', 'iso-8859-1'), 'Müller Lukasz')
    assert.equal(transliterate('Mu\u0308ller 李', 'iso-8859-1'), 'Müller ?')
    assert.equal(transliterate('Müller 李', 'utf-8'), 'Müller 李')
  })

  test('is never replaced by a separator', () => {
    const pid = onlyMessage(writeMessage(name('A＾B｜C＆D'), { transliterates: true })).first('PID')
    assert.equal(pid?.text(5), 'A^B|C&D')
    assert.equal(pid?.text(5, 2), 'KIM')
    assert.equal(pid?.field(6).isEmpty, true)
  })
})

test('any texts in any positions are read as they were written, in every character set', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'|^~\\&\r\n"#aé€Ł李'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 12,
  })
  const position = fc.integer({ min: 1, max: 30 })
  const components = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  const charset = fc.constantFrom<Charset[]>(
    'utf-8',
    'iso-8859-1',
    'iso-8859-15',
    'windows-1252',
    'us-ascii',
  )
  const segmentEnd = fc.constantFrom<('\r' | '\n' | '\r\n')[]>('\r', '\n', '\r\n')
  fc.assert(
    fc.property(position, components, charset, segmentEnd, (at, values, used, end) => {
      const segment: NewSegment = { name: 'ZZ1', fields: { [at]: values } }
      const bytes = writeMessage([MSH, segment], {
        charset: used,
        segmentEnd: end,
        transliterates: true,
      })
      const { messages, problems } = decodeMessages(bytes, { charset: used })
      const [raw] = messages
      assert.ok(raw && messages.length === 1 && problems.length === 0)
      const read = readMessage(raw).first('ZZ1')
      for (const [index, texts] of values.entries()) {
        for (const [inner, value] of texts.entries()) {
          const expected = transliterate(value, used).replace(/\r\n?/g, '\n')
          assert.equal(read?.text(at, index + 1, inner + 1), expected)
        }
      }
    }),
    { numRuns: 3000, seed: 4 },
  )
})
