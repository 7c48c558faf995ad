import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OrderUpdate, UnreadableMessage } from '@salus/contracts/lab-gateway'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { rulesOf } from '../../../test/connections.ts'
import {
  CULTURE,
  DOCUMENTS,
  EVERY_STATUS,
  LEGACY_PANEL,
  message,
  SEVERAL_PATIENTS,
} from '../../../test/report-messages.ts'
import { readMessages } from './read-messages.ts'

const SEED = 20_260_309
const RUNS = campaignRuns(2500, 50_000)
const RULES = [rulesOf('loi-lri-2.5.1'), rulesOf('hl7-2.3-legacy')]

const ajv = new Ajv({ strict: false })
formats.default(ajv, ['date', 'date-time'])
const validate = ajv.compile({ type: 'array', items: OrderUpdate })

/** Reads as the inbox does: every other error than an unreadable message fails. */
function read(content: Buffer, rules: (typeof RULES)[number]): OrderUpdate[] {
  try {
    const updates = readMessages(rules, content)
    assert.ok(validate(updates), `not of the shape: ${JSON.stringify(validate.errors?.[0])}`)
    return updates
  } catch (error) {
    if (error instanceof UnreadableMessage) return []
    throw error
  }
}

/** People, tests and results of which each has words that no other one has. */
const DISTINCT = message(
  'MSH|^~\\&|LIS|ACME|SALUS|A|20260309085000||ORU^R01|R-1|P|2.3',
  ...[0, 1, 2].flatMap((person) => [
    `PID|1||id${person}||PERSON${person}X^ANN||19900412|F`,
    ...[0, 1].flatMap((order) => {
      const number = `${person}${order}`
      return [
        `ORC|RE|PL${number}Q|FI${number}Q`,
        `OBR|1|PL${number}Q|FI${number}Q|TEST${number}Z^Panel ${number}^L|||||||||||||||||||||F`,
        ...[0, 1, 2].flatMap((line) => [
          `OBX|${line}|${['NM', 'ST', 'TX'][line]}|CODE${number}${line}K^Analyte ${number}${line}^L||${
            line === 0 ? `4${number}${line}7` : `word${number}${line}w`
          }|mg/dL|1-9|N|||F`,
          `NTE|1|L|note${number}${line}n`,
        ]),
      ]
    }),
  ]),
)

type Mutation =
  | { kind: 'insert'; at: number; text: string }
  | { kind: 'delete' | 'repeat'; at: number; length: number }
  | { kind: 'swap' | 'drop' | 'double'; line: number; with: number }

const BREAKING = [
  '|',
  '^',
  '~',
  '&',
  '\r',
  '\n',
  '""',
  ' ',
  'X',
  '9',
  '|||',
  '\r\r',
  'OBX|',
  'MSH|',
]
/** What breaks escapes and character sets as well. */
const FOREIGN = [...BREAKING, '\\', '\\X0D\\', '\\.br\\', '\u0000', 'é', '\u000b', '\u001c', 'ÿ']

const mutations = (texts: readonly string[]): fc.Arbitrary<Mutation[]> =>
  fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('insert' as const),
        at: fc.nat(5000),
        text: fc.constantFrom(...texts),
      }),
      fc.record({
        kind: fc.constantFrom('delete' as const, 'repeat' as const),
        at: fc.nat(5000),
        length: fc.integer({ min: 1, max: 40 }),
      }),
      fc.record({
        kind: fc.constantFrom('swap' as const, 'drop' as const, 'double' as const),
        line: fc.nat(60),
        with: fc.nat(60),
      }),
    ),
    { minLength: 1, maxLength: 6 },
  )

function mutate(content: Buffer, list: readonly Mutation[]): Buffer {
  const text = list.reduce((before, mutation) => {
    if (mutation.kind === 'insert') {
      const at = mutation.at % (before.length + 1)
      return before.slice(0, at) + mutation.text + before.slice(at)
    }
    if (mutation.kind === 'delete' || mutation.kind === 'repeat') {
      const at = mutation.at % (before.length + 1)
      const part = before.slice(at, at + mutation.length)
      const rest = before.slice(at + mutation.length)
      return before.slice(0, at) + (mutation.kind === 'repeat' ? part + part : '') + rest
    }
    if (!('line' in mutation)) return before
    const lines = before.split('\r')
    const [first, second] = [mutation.line % lines.length, mutation.with % lines.length]
    const [one = '', other = ''] = [lines[first], lines[second]]
    if (mutation.kind === 'swap') {
      lines[first] = other
      lines[second] = one
    } else if (mutation.kind === 'drop') lines.splice(first, 1)
    else lines.splice(second, 0, one)
    return lines.join('\r')
  }, content.toString('latin1'))
  return Buffer.from(text, 'latin1')
}

/** Letters and digits alone, so that separators and spaces do not count. */
const plain = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '')

/**
 * The lines of a message by their position: each OBX with its continuations and notes, the OBR and
 * the PID before it. Other lines continue the one before. It knows no rule of the reader.
 */
function linesOf(content: Buffer): { obx: string; notes: string; obr: string; pid: string }[] {
  const found: { obx: string; notes: string; obr: string; pid: string }[] = []
  let [obr, pid, open] = ['', '', 'other']
  for (const line of content.toString('latin1').split(/[\r\n]+/)) {
    const begun = line.replace(/^[ \t]*/, '')
    const [, name] = /^(MSH|PID|ORC|OBR|OBX|NTE)(?:\||$)/.exec(begun) ?? []
    if (name === 'MSH') [obr, pid] = ['', '']
    if (name === 'PID') [obr, pid] = ['', begun]
    if (name === 'OBR') obr = begun
    if (name === 'OBX') found.push({ obx: begun, notes: '', obr, pid })
    open = name ?? open
    // A continuation may be of the OBR or the PID.
    if (name === undefined && open === 'OBR') obr += begun
    if (name === undefined && open === 'PID') pid += begun
    const last = found.at(-1)
    if (last === undefined) continue
    if (open === 'NTE') last.notes += begun
    else if (open === 'OBX' && name === undefined) last.obx += begun
  }
  return found.map((line) => ({
    obx: plain(line.obx),
    notes: plain(line.notes),
    obr: plain(line.obr),
    pid: plain(line.pid),
  }))
}

describe('a message that was damaged', () => {
  test('is read or unreadable, and never an unexpected error', () => {
    const bases = [LEGACY_PANEL, EVERY_STATUS, CULTURE, SEVERAL_PATIENTS, DOCUMENTS, DISTINCT]
    const base = fc.constantFrom(...bases)
    let results = 0
    fc.assert(
      fc.property(base, mutations(FOREIGN), fc.constantFrom(...RULES), (content, list, rules) => {
        for (const update of read(mutate(content, list), rules)) {
          if (update.kind === 'report') results += update.report.results.length
        }
      }),
      { seed: SEED, numRuns: RUNS },
    )
    assert.ok(results > RUNS, 'most damaged messages still have results')
  })

  test('never has a value, a test or a person beside which it did not stand', () => {
    let compared = 0
    fc.assert(
      fc.property(mutations(BREAKING), fc.constantFrom(...RULES), (list, rules) => {
        const content = mutate(DISTINCT, list)
        const lines = linesOf(content)
        for (const update of read(content, rules)) {
          if (update.kind !== 'report') continue
          const { report } = update
          for (const result of report.results) {
            compared++
            const code = plain(result.provider_id ?? result.loinc ?? result.name)
            const test = result.test === undefined ? undefined : report.tests?.[result.test]
            const testCode = plain(test?.provider_id ?? test?.loinc ?? test?.name ?? '')
            const person = plain(report.patient.last_name ?? '')
            const values = result.result.split('\n').map(plain)
            const isThere = values.every((value) =>
              lines.some(
                ({ obx, notes, obr, pid }) =>
                  obx.includes(code) &&
                  (obx.includes(value) || notes.includes(value)) &&
                  obr.includes(testCode) &&
                  pid.includes(person),
              ),
            )
            const text = content.toString('latin1').replaceAll('\r', '\n')
            if (!isThere) assert.fail(`${code} ${values} ${testCode} ${person}\n${text}`)
          }
        }
      }),
      { seed: SEED, numRuns: RUNS },
    )
    assert.ok(compared > 5 * RUNS, `${compared} results were compared`)
  })
})
