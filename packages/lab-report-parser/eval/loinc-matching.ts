/**
 * Measures how well names of two laboratories and a hospital are matched to LOINC, with lists of
 * their correct codes. The lists are not part of the repository. A quarter of the names (by hash)
 * is held out: it is not used while aliases and rules change.
 *
 *   npx node packages/lab-report-parser/eval/loinc-matching.ts DIR [--held-out] [--wrong]
 *
 * A match is correct if component, property, system (serum and plasma count as one) and scale are
 * those of the list's code; the method may differ. The lists have no values: the shape of a value
 * is derived from the scale of the code.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { getLoincTable, type LoincRow } from '../src/loinc/loinc-table.ts'
import { matchLoinc } from '../src/loinc/match.ts'
import { quantitiesOfUnit } from '../src/loinc/quantities.ts'
import type { SampleType } from '../src/report.ts'
import { toUcum } from '../src/values/unit.ts'

interface Case {
  name: string
  unit: string | null
  panel: string | null
  sampleType: SampleType
  code: string
  /** Frequency of the name. */
  weight: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'held-out': { type: 'boolean' },
    wrong: { type: 'boolean' },
    missed: { type: 'boolean' },
  },
})
const [directory] = positionals
if (!directory) throw new Error('Which directory has the lists?')

const components = new Map(
  readCsv('loinc-component-2020.csv.gz').map((line) => [line.LOINC_NUM, line.COMPONENT]),
)
const units: Record<string, string[]> = JSON.parse(readText('loinc-units-2.67.json.gz'))

for (const [list, cases] of Object.entries({
  labcorp: readLaboratory('labcorp-compendium-2021-03.csv.gz'),
  arup: readLaboratory('arup-loinc-2020.csv.gz'),
  mimic: readHospital('mimic-iv-lab-items-to-loinc.csv'),
})) {
  evaluate(
    list,
    cases.filter(({ name }) => isHeldOut(name) === Boolean(values['held-out'])),
  )
}

function evaluate(list: string, cases: Case[]): void {
  const counts = { right: 0, wrong: 0, unknown: 0, inTable: 0, found: 0, among: 0 }
  for (const one of cases) {
    const truth = getLoincTable().findCode(one.code)
    if (truth) counts.inTable++
    const { matches, status } = matchLoinc({
      name: one.name,
      unit: one.unit,
      ucumUnit: one.unit ? toUcum(one.unit) : null,
      sampleType: one.sampleType,
      panel: one.panel,
      value: exampleValue(one, truth),
      low: null,
      high: null,
    })
    if (truth && matches.some((match) => judge(match.code, one.code) === 'right')) counts.among++
    const [first] = matches
    if (!first || status !== 'auto_match') {
      if (values.missed && truth && list !== 'arup') {
        print(
          `missed ${JSON.stringify([one.name, one.unit, one.panel])} ${truth.name} | ${first?.name} ${first?.score} ${matches[1]?.name} ${matches[1]?.score}`,
        )
      }
      continue
    }
    const verdict = judge(first.code, one.code)
    counts[verdict]++
    if (verdict === 'right' && truth) counts.found++
    if (verdict === 'wrong' && values.wrong) {
      print(
        `${list} ${JSON.stringify([one.name, one.unit, one.panel])}: ${first.code} ${first.name} ${first.score}, not ${one.code} ${truth?.name ?? components.get(one.code)}`,
      )
    }
  }
  const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(4))
  print(
    `${list}: ${cases.length} names, ${counts.inTable} of codes in the table; auto_match ${counts.right} right, ${counts.wrong} wrong, ${counts.unknown} not to be judged; ` +
      `precision ${share(counts.right, counts.right + counts.wrong)}, recall ${share(counts.found, counts.inTable)}, among the five ${share(counts.among, counts.inTable)}`,
  )
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function judge(code: string, right: string): 'right' | 'wrong' | 'unknown' {
  if (code === right) return 'right'
  const row = getLoincTable().findCode(code) as LoincRow
  const truth = getLoincTable().findCode(right)
  if (!truth) {
    const component = components.get(right)
    if (component !== undefined && component !== row.component) return 'wrong'
    const unit = units[right]?.[0]
    if (component === undefined || !unit) return 'unknown'
    return quantitiesOfUnit(unit).includes(row.quantity) ? 'unknown' : 'wrong'
  }
  const isSame =
    truth.component === row.component &&
    truth.quantity === row.quantity &&
    systemClass(truth.system) === systemClass(row.system) &&
    truth.scale.slice(0, 2) === row.scale.slice(0, 2)
  return isSame ? 'right' : 'wrong'
}

function systemClass(system: string): string {
  if (/^(?:Serum|Plasma|Serum or Plasma|Platelet poor plasma|Serum, Plasma or Blood)$/.test(system))
    return 'serum'
  return system === 'unspecified time Urine' || system === 'Urine sediment' ? 'Urine' : system
}

function exampleValue({ unit }: Case, truth: LoincRow | undefined): string {
  if (!truth) return unit ? '1.5' : 'Negative'
  if (truth.quantity === 'titer') return '1:80'
  if (truth.scale.startsWith('Ord') && truth.quantity === 'presence') return 'Negative'
  return truth.scale === 'Nom' || truth.scale === 'Nar' ? 'See text' : '1.5'
}

function readLaboratory(file: string): Case[] {
  const seen = new Map<string, Case>()
  for (const line of readCsv(file)) {
    const {
      result_name: name = '',
      unit = '',
      result_loinc: code = '',
      order_name: panel = '',
    } = line
    const key = `${name}|${unit}|${code}`
    const known = seen.get(key)
    if (known) known.weight++
    else if (/^\d+-\d$/.test(code)) {
      seen.set(key, { name, unit: unit || null, panel, sampleType: 'unknown', code, weight: 1 })
    }
  }
  return [...seen.values()]
}

function readHospital(file: string): Case[] {
  return readCsv(file)
    .filter((line) => /^\d+-\d$/.test(line.loinc ?? ''))
    .map(({ label = '', fluid = '', unit = '', loinc = '', category = '', row_count = '1' }) => ({
      name: label,
      unit: unit.replace('N/A', '').trim() || null,
      panel: /urine|blood/i.test(fluid) ? category : fluid,
      sampleType: /^blood/i.test(fluid)
        ? 'serum_plasma_blood'
        : /urine/i.test(fluid)
          ? 'urine'
          : /stool/i.test(fluid)
            ? 'stool'
            : 'other',
      code: loinc,
      weight: Number(row_count),
    }))
}

function isHeldOut(name: string): boolean {
  const hash = createHash('sha256').update(name.toLowerCase()).digest()
  return hash.readUInt8(0) % 2 === 1 && hash.readUInt8(1) % 2 === 1
}

function readCsv(file: string): Record<string, string>[] {
  return parse(readText(file), { columns: true, relax_quotes: true })
}

function readText(file: string): string {
  const bytes = readFileSync(join(directory as string, file))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
