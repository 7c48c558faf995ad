import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { encodeText } from '../src/charsets.ts'
import {
  decodeMessages,
  joinSegments,
  type Message,
  readMessage,
  readValue,
  type Segment,
} from '../src/index.ts'
import { onlyMessage, readFixture } from './read-fixture.ts'

/** Whole messages, as laboratories send them. */

const PHOENIX = { zone: 'America/Phoenix' }
const NAMES = readdirSync(join(import.meta.dirname, '../fixtures'))
  .filter((name) => name.endsWith('.hl7'))
  .map((name) => name.replace('.hl7', ''))

/** Each result with what belongs to it, one text a column. */
const resultsOf = (message: Message, ...columns: ((obx: Segment) => string)[]) =>
  message.all('OBX').map((obx) => [readValue(obx, PHOENIX).text, ...columns.map((of) => of(obx))])

test('every message of the fixtures is written as it was read', () => {
  let messages = 0
  for (const name of NAMES) {
    for (const raw of decodeMessages(readFixture(name)).messages) {
      const message = readMessage(raw)
      const written = encodeText(joinSegments(message.segments), raw.charset)
      assert.ok(written?.equals(raw.content), name)
      assert.equal(message.continuedLines, 0)
      messages++
    }
  }
  assert.deepEqual([NAMES.length, messages], [11, 12])
})

describe('a result', () => {
  test('of a culture has an organism and, in a child order, susceptibilities of it', () => {
    const message = onlyMessage(readFixture('micro-susceptibility-final'))
    assert.deepEqual(
      resultsOf(
        message,
        (obx) => obx.text(4),
        (obx) => obx.text(8),
      ),
      [
        ['Escherichia coli', '1', ''],
        ['>100000', '1', 'A'],
        ['>=32', '1', 'R'],
        ['<=0.25', '1', 'S'],
        ['64', '1', 'I'],
        ['<=20', '1', 'S'],
      ],
    )
    const [culture, child] = message.all('OBR')
    assert.equal(culture?.text(3), 'FL26-001201')
    assert.equal(child?.text(11), 'G')
  })

  test('has each status that laboratories send', () => {
    const message = onlyMessage(readFixture('statuses'))
    assert.deepEqual(
      message
        .all('OBX')
        .map((obx) => obx.text(11))
        .join(''),
      'FPIXCDRNUW',
    )
  })

  test('of an old interface has local codes beside LOINC, notes, and the performing site', () => {
    const message = onlyMessage(readFixture('result-23-zps'))
    assert.deepEqual(
      resultsOf(
        message,
        (obx) => obx.text(3, 4),
        (obx) => obx.text(11),
        (obx) => obx.text(15),
      ),
      [
        ['104', '2345-7', 'F', 'PHX'],
        ['0.92', '2160-0', 'F', 'PHX'],
        [' >59', '98979-8', 'F', 'PHX'],
        ['TNP', '2028-9', 'X', 'PHX'],
      ],
    )
    assert.match(message.all('NTE')[1]?.field(3).freeText ?? '', /^Test not performed\./)
    assert.deepEqual(
      [message.first('ZPS')?.text(2), message.first('ZPS')?.text(9)],
      ['PHX', '03D0000001'],
    )
  })
})

test('a catalog has panels with their members', () => {
  const message = onlyMessage(readFixture('mfn-m10'))
  assert.deepEqual(
    message.all('OM5').map((om5) => om5.field(2).repetitions.map((member) => member.component(2))),
    [
      ['Glucose', 'Creatinine'],
      ['Cholesterol', 'Triglycerides'],
    ],
  )
  assert.deepEqual(
    message.all('MFE').map((mfe) => mfe.text(4)),
    ['322000', '303756'],
  )
})
