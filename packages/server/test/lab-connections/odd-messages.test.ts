import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from './laboratory.ts'
import { IN_NORTH_DAKOTA, productionOfOperator } from './production-laboratory.ts'
import { type ShownResult, shownOf } from './samples.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/** Messages with oddities of real laboratory systems, each the result of an order of its own. */

let wired: WiredLaboratory
let sent = 0

before(async () => {
  wired = await createWiredLaboratory(productionOfOperator)
  await wired.connect()
})
after(() => wired?.close())

interface Parts {
  /** Fields of MSH behind the version. */
  header?: string
  lineEnd?: string
  /** PID-5. */
  name?: string
  charset?: 'latin1' | 'utf8'
}

const OBR = 'OBR|1|{placer}|F-1|200^Glucose^L|||202603010800|||||||||||||||202603011200||CH|F'
const ORC = 'ORC|RE|{placer}|F-1'

/** Sends a result of a new order, and returns what clients see of the order. */
async function report(
  lines: string[],
  { header = '', lineEnd = '\r', name = 'MOREAU^ADA', charset = 'utf8' }: Parts = {},
  // biome-ignore lint/suspicious/noExplicitAny: a body of the API
): Promise<any> {
  const placed = await wired.place(IN_NORTH_DAKOTA)
  await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
  const { placer } = wired.laboratory.received.at(-1) as Order
  sent += 1
  const text = [
    `MSH|^~\\&|LIS|NORTH|SALUS||20260301120000||ORU^R01|ODD${sent}|P|2.3${header}`,
    `PID|1||||${name}||19900412|F`,
    ...lines.map((line) => line.replaceAll('{placer}', placer)),
    '',
  ].join(lineEnd)
  const answer = await wired.laboratory.send(wired.resultsPort, Buffer.from(text, charset))
  assert.deepEqual(answer.MSA?.[0]?.slice(1, 3), ['AA', `ODD${sent}`])
  const until = performance.now() + 60_000
  for (;;) {
    const { status, body } = await wired.call('GET', `/v3/order/${placed.id}/result`)
    if (status === 200) return body
    const { rows } = await wired.harness.database.pool.query(
      "select state, problem from lab_messages where control_id = $1 and state <> 'waiting'",
      [`ODD${sent}`],
    )
    assert.ok(rows.length === 0 || rows[0].state === 'processed', JSON.stringify(rows))
    assert.ok(performance.now() < until, 'the report is not shown')
    await pause(20)
  }
}

/** Reports lines of one test, and returns some columns of each result, by its code. */
async function valuesOf(
  lines: string[],
  columns: (keyof ShownResult)[] = ['value', 'unit'],
  parts?: Parts,
): Promise<unknown[][]> {
  const body = await report([ORC, OBR, ...lines], parts)
  return shownOf(body)
    .toSorted((a, b) => `${a.code ?? a.loinc}`.localeCompare(`${b.code ?? b.loinc}`))
    .map((result) => columns.map((column) => result[column]))
}

describe('a laboratory sends', () => {
  test('a comparator in a field of numbers, and numbers in one of text', async () => {
    const lines = [
      'OBX|1|NM|A1^Troponin^L||<0.5|ng/mL|<0.04|H|||F',
      'OBX|2|NM|A2^Ferritin^L||> 1500|ng/mL||H|||F',
      'OBX|3|ST|A3^Titer^L||1:160|||A|||F',
      'OBX|4|ST|A4^Sodium^L||140|mmol/L|||||F',
    ]
    assert.deepEqual(await valuesOf(lines), [
      ['<0.5', 'ng/mL'],
      ['>1500', 'ng/mL'],
      ['1:160', null],
      ['140', 'mmol/L'],
    ])
  })

  test('structured numbers of every form', async () => {
    const lines = ['^100', '>^100', '^3^-^5', '^1^:^128', '>=^2^+', '<^5'].map(
      (value, index) => `OBX|${index}|SN|B${index}^Test^L||${value}|mg/dL|||||F`,
    )
    assert.deepEqual(await valuesOf(lines, ['value']), [
      ['100'],
      ['>100'],
      ['3-5'],
      ['1:128'],
      ['>=2+'],
      ['<5'],
    ])
  })

  test('coded values that have only a text, or only the original text', async () => {
    const lines = [
      'OBX|1|CWE|C1^Screen^L||^Negative||Negative||||F',
      'OBX|2|CWE|C2^Screen^L||^^^^^^^^Not detected|||N|||F',
      'OBX|3|CE|C3^Screen^L||260385009^^SCT|||N|||F',
    ]
    assert.deepEqual(await valuesOf(lines, ['value']), [
      ['Negative'],
      ['Not detected'],
      ['260385009'],
    ])
  })

  test('a text over forty lines, with empty ones between', async () => {
    const text = Array.from({ length: 40 }, (_, line) => (line % 7 === 3 ? '' : `Line ${line}`))
    const lines = text.map((line, index) => `OBX|${index + 1}|TX|D1^Report^L||${line}||||||F`)
    const [[value] = []] = await valuesOf(lines, ['value'])
    assert.equal(value, text.join('\n'))
  })

  test('fields that are filled with blanks', async () => {
    const line = 'OBX|1|NM|E1 ^Glucose ^L ||  95  |mg/dL   | 70-99 |N |||F '
    const columns = ['code', 'value', 'unit', 'range', 'flag', 'status'] as const
    assert.deepEqual(await valuesOf([line], [...columns]), [
      ['E1', '95', 'mg/dL', '70-99', 'N', 'final'],
    ])
  })

  test('the same test twice, of two specimens', async () => {
    const body = await report([
      'ORC|RE|{placer}|F-1',
      OBR,
      'OBX|1|NM|2345-7^Glucose^LN||90|mg/dL|70-99|N|||F',
      'ORC|RE|{placer}|F-2',
      OBR.replace('F-1', 'F-2'),
      'OBX|1|NM|2345-7^Glucose^LN||140|mg/dL|70-99|H|||F',
    ])
    assert.deepEqual(
      shownOf(body).map(({ filler, value }) => [filler, value]),
      [
        ['F-1', '90'],
        ['F-2', '140'],
      ],
    )
  })

  test('no ORC, and no status of the test', async () => {
    const { metadata, results } = await report([
      'OBR|1|{placer}|F-1|200^Glucose^L|||202603010800',
      'OBX|1|NM|2345-7^Glucose^LN||90|mg/dL|70-99|N|||F',
    ])
    assert.deepEqual([results[0].result, results[0].status], ['90', 'final'])
    assert.equal(metadata.status, 'partial')
  })

  test('line breaks, line ends and separators as escapes', async () => {
    const lines = [
      'OBX|1|FT|G1^Comment^L||First\\.br\\Second\\.br\\\\.br\\Fourth||||||F',
      'OBX|2|ST|G2^Comment^L||One\\X0D\\Two\\X0D0A\\Three||||||F',
      'OBX|3|ST|G3^Comment^L||A \\T\\ B \\S\\ C \\F\\ D \\R\\ E \\E\\ F||||||F',
      'NTE|1|L|See\\.br\\below',
    ]
    assert.deepEqual(await valuesOf(lines, ['value', 'notes']), [
      ['First\nSecond\n\nFourth', 'First\nSecond\n\nFourth'],
      ['One\nTwo\nThree', 'One\nTwo\nThree'],
      ['A & B ^ C | D ~ E \\ F', 'A & B ^ C | D ~ E \\ F\nSee\nbelow'],
    ])
  })

  test('subcomponents where none are expected', async () => {
    const lines = [
      'OBX|1|NM|H1&sub^Glucose&fasting^L||95&96|mg/dL&x|||||F',
      'OBX|2|CE|H2^Type^L||A&B^Type A&positive^L||||||F',
    ]
    // Nothing is cut off, so two numbers in one field never look like the first of them.
    assert.deepEqual(await valuesOf(lines, ['code', 'value', 'unit']), [
      ['H1&sub', '95&96', 'mg/dL&x'],
      ['H2', 'Type A&positive', null],
    ])
  })

  test('line ends of Windows, segments of its own, and a name with a degree', async () => {
    const lines = [
      'ZDS|1.2.840.1^LIS^Application^DICOM',
      'OBX|1|NM|2345-7^Glucose^LN||90|mg/dL|70-99|N|||F',
      'ZNT|the laboratory^says more',
      'NTE|1|L|Kept cold',
    ]
    const parts = { lineEnd: '\r\n', name: 'MOREAU^ADA^M^^DR^^MD' }
    const body = await report([ORC, OBR, ...lines], parts)
    assert.deepEqual(
      shownOf(body).map(({ value, notes }) => [value, notes]),
      [['90', null]],
    )
    // What the note behind a segment of the laboratory's own is about is not known.
    const [sample] = Object.values<{ clinical_information: { notes: string } }>(
      body.sample_information,
    )
    assert.match(sample?.clinical_information.notes ?? '', /Kept cold/)
  })

  test('times with an offset and with fractions', async () => {
    const { metadata } = await report([
      ORC,
      'OBR|1|{placer}|F-1|200^Glucose^L|||20260301080000.1234-0700|||||||20260301100000-0500||||||||202603011200+0000||CH|F',
      'OBX|1|NM|2345-7^Glucose^LN||90|mg/dL|70-99|N|||F',
    ])
    assert.deepEqual(
      [metadata.date_collected, metadata.date_received, metadata.date_reported].map((time) =>
        new Date(time).toISOString().slice(0, 19),
      ),
      ['2026-03-01T15:00:00', '2026-03-01T15:00:00', '2026-03-01T12:00:00'],
    )
  })

  test('several character sets in its header, and bytes of the first one', async () => {
    const lines = ['OBX|1|NM|K1^Zähler^L||5|µmol/L|||||F']
    const parts = { header: '||||||8859/1~UNICODE UTF-8', charset: 'latin1' } as const
    assert.deepEqual(await valuesOf(lines, ['value', 'unit'], parts), [['5', 'µmol/L']])
  })
})
