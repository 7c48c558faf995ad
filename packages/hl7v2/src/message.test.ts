import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onlyMessage, readFixture } from '../test/read-fixture.ts'

const MSH = 'MSH|^~\\&|LIS|LAB|SALUS|ACC|20260310100000-0700||ORU^R01^ORU_R01|C-1|P|2.5.1'
const read = (...lines: string[]) => onlyMessage([MSH, ...lines].join('\r'))

describe('fields', () => {
  const pid = () =>
    read('PID|1||77^^^LAB&1.2.3&ISO^MR~78^^^SALUS||LEE\\T\\SON^KIM^""|""||F').first('PID')

  test('have repetitions, components and subcomponents, counted from 1', () => {
    const ids = pid()?.field(3).repetitions
    assert.deepEqual(
      ids?.map((id) => [id.component(1), id.component(4), id.component(4, 2)]),
      [
        ['77', 'LAB&1.2.3&ISO', '1.2.3'],
        ['78', 'SALUS', ''],
      ],
    )
    assert.equal(pid()?.text(3, 4, 1), 'LAB')
    assert.equal(pid()?.text(3, 5), 'MR')
  })

  test('have texts without escapes', () => {
    assert.equal(pid()?.text(5), 'LEE&SON')
    assert.equal(pid()?.field(5).raw, 'LEE\\T\\SON^KIM^""')
  })

  test('say whether they are empty or the null of HL7, of which neither has a text', () => {
    const [deleted, empty, absent] = [6, 7, 40].map((at) => pid()?.field(at))
    assert.deepEqual([deleted?.isNull, deleted?.isEmpty], [true, false])
    assert.deepEqual([empty?.isNull, empty?.isEmpty], [false, true])
    assert.deepEqual([absent?.isNull, absent?.isEmpty, absent?.repetitions], [false, true, []])
    assert.deepEqual([pid()?.text(6), pid()?.text(7), pid()?.text(5, 3)], ['', '', ''])
  })

  test('of a header begin with its separators', () => {
    const { header } = read()
    assert.equal(header.field(1).raw, '|')
    assert.equal(header.field(2).raw, '^~\\&')
    assert.equal(header.text(3), 'LIS')
    assert.equal(header.length, 12)
  })
})

describe('a message', () => {
  test('has the parts of its header', () => {
    const { type, controlId, processingId, version } = read()
    assert.deepEqual(type, { code: 'ORU', trigger: 'R01', structure: 'ORU_R01' })
    assert.deepEqual([controlId, processingId, version], ['C-1', 'P', '2.5.1'])
    assert.deepEqual(onlyMessage(readFixture('result-23-zps')).type, {
      code: 'ORU',
      trigger: '',
      structure: '',
    })
  })

  test('uses the separators that it declares', () => {
    const message = onlyMessage(readFixture('other-separators'))
    assert.equal(message.type.trigger, 'R01')
    assert.equal(message.first('OBR')?.text(4, 2), 'Hemoglobin^total')
    assert.equal(message.first('PID')?.text(3, 4), 'SALUS')
    const modern = onlyMessage(`${MSH.replace('^~\\&', '^~\\&#')}\rOBX|1|ST|A||5\\P\\6`)
    assert.equal(modern.first('OBX')?.text(5), '5#6')
    assert.equal(modern.separators.truncation, '#')
    const few = onlyMessage('MSH|^|LIS\rOBX|1|ST|A^B||5~6&7\\F\\8')
    assert.equal(few.first('OBX')?.text(3, 2), 'B')
    assert.equal(few.first('OBX')?.text(5), '5~6&7\\F\\8')
  })

  for (const [name, end] of [
    ['CR', '\r'],
    ['LF', '\n'],
    ['CR and LF', '\r\n'],
  ] as const) {
    test(`may end its segments with ${name}`, () => {
      const message = onlyMessage([MSH, 'OBX|1|NM|A||5', '', 'OBX|2|NM|B||6', ''].join(end))
      assert.deepEqual(
        message.all('OBX').map((obx) => obx.text(5)),
        ['5', '6'],
      )
      assert.deepEqual(
        message.segments.map((segment) => segment.end),
        [end, end + end, end],
      )
    })
  }

  test('has every segment of its kind, also an unknown one and one of the laboratory', () => {
    const names = (...lines: string[]) => read(...lines).segments.map(({ name }) => name)
    assert.deepEqual(names('PID|1', 'XYZ|1', 'ZPS|1', 'NTE', '  OBX|1'), [
      'MSH',
      'PID',
      'XYZ',
      'ZPS',
      'NTE',
      'OBX',
    ])
  })
})

describe('a line that begins with no segment name', () => {
  test('continues the field before it, and the fields after it follow', () => {
    const message = read(
      'OBX|1|TX|A||first line\rsecond\r\rlast|mg/dL|70-99|N|||F',
      'OBX|2|NM|B||6',
    )
    const [text, number] = message.all('OBX')
    assert.equal(text?.field(5).freeText, 'first line\nsecond\n\nlast')
    assert.deepEqual([text?.text(6), text?.text(11)], ['mg/dL', 'F'])
    assert.equal(number?.text(5), '6')
    assert.equal(message.continuedLines, 2)
  })

  test('may look like a segment inside a text, where its name is unknown', () => {
    const message = read(
      'OBX|1|TX|A||see note:\rTNP|mg/dL|70-99||||X',
      'NTE|1|L|a\rTNP|RE',
      'XYZ|1',
    )
    const obx = message.first('OBX')
    assert.deepEqual([obx?.text(5), obx?.text(6), obx?.text(11)], ['see note:\nTNP', 'mg/dL', 'X'])
    assert.equal(message.first('NTE')?.text(3), 'a\nTNP')
    assert.equal(message.first('NTE')?.text(4), 'RE')
    assert.ok(message.first('XYZ'))
  })

  test('cannot take a value into a test that is complete', () => {
    const message = read('OBX|1|NM|A||5|mg/dL||||||F', 'ÖBX|2|NM|B||6|mg/dL||||||F')
    assert.deepEqual(
      message.all('OBX').map((obx) => [obx.text(3), obx.text(5)]),
      [['A', '5']],
    )
  })
})
