import assert from 'node:assert/strict'
import type { Requisition } from '@salus/contracts/lab-gateway'
import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { DAY_MS } from '@salus/contracts/time-units'
import { bundleCatalog, readCatalogFiles } from '../../lab/src/catalog/loading/catalog-files.ts'
import { STARTING_CATALOG } from '../../lab/src/catalog/loading/catalog-loading.service.ts'
import { joinLoincs } from '../../lab/src/catalog/loading/catalog-lookup.ts'
import { readCatalog } from '../../lab/src/catalog/loading/read-catalog.ts'
import { type MarkerDraft, resolveMarkers } from '../../lab/src/catalog/loading/resolve-catalog.ts'
import { makeReport } from '../src/lab/believable-report.ts'
import { createRandom, type SeededRandom } from '../src/lab/seeded-random.ts'
import { type ReadReport, RULES } from './physician-rules.registry.ts'

const COLLECTED_AT = new Date('2026-01-05T16:00:00Z')
const REPORTED_AT = new Date('2026-01-07T16:00:00Z')
const CORRECTED_AT = new Date('2026-01-09T10:00:00Z')
const YEAR_MS = 365.2425 * DAY_MS
export const AGES = [0.2, 1, 5, 12, 16, 30, 60, 90]
const GENDERS = ['female', 'male', 'other'] as const

/** Orderables of the starting catalog by laboratory. */
export async function listOrderables(): Promise<Map<string, MarkerDraft[]>> {
  const { catalog } = readCatalog(bundleCatalog(await readCatalogFiles(STARTING_CATALOG)))
  assert.ok(catalog)
  const markers = resolveMarkers(catalog, joinLoincs(catalog, []))
  return Map.groupBy(
    markers.filter(({ is_orderable }) => is_orderable),
    ({ labSlug }) => labSlug,
  )
}

const ANSWERS: Record<string, (random: SeededRandom) => string> = {
  TOTVOL: (random) => `${Math.round(random.between(600, 2400))}`,
  HEIGHT: () => '41',
  COLLTIME: (random) => random.pick(['0730', '1210', '1645', '2300']),
}

function requisitionOf(
  orderId: string,
  tests: readonly MarkerDraft[],
  person: { gender: string; ageYears: number },
  random: SeededRandom,
): Requisition {
  const dob = new Date(COLLECTED_AT.getTime() - (person.ageYears + 0.02) * YEAR_MS)
  const given = new Map<string, string>()
  const answers = tests.flatMap(({ questions }, index) =>
    (questions ?? []).flatMap(({ code, value: question, type }) => {
      const answer = given.get(code) ?? ANSWERS[code]?.(random)
      if (answer === undefined) return []
      given.set(code, answer)
      return [{ marker_id: index + 1, question_code: code, question, type, answer }]
    }),
  )
  return {
    environmentId: 'environment',
    orderId,
    labSlug: tests[0]?.labSlug ?? 'quest',
    method: 'walk_in_test',
    accountId: '1234567890',
    sampleId: 'SAMPLE',
    orderedAt: new Date('2026-03-01T09:00:00Z'),
    collectedAt: null,
    priority: false,
    fasting: true,
    patient: {
      first_name: 'Sam',
      last_name: 'Example',
      dob: dob.toISOString().slice(0, 10),
      gender: person.gender,
      phone_number: null,
      email: null,
    },
    patientNumber: '0000000000000001',
    address: null,
    physician: null,
    tests: tests.map(({ provider_id, name, results }, index) => ({
      marker_id: index + 1,
      provider_id,
      name,
      expected_results: results.map(({ loincCode, ...result }) => ({
        name: result.name,
        provider_id: result.provider_id,
        loinc: loincCode,
        unit: result.unit,
        required: result.required,
      })),
    })),
    answers,
    clinicalNotes: null,
    icdCodes: [],
    billingType: 'client_bill',
    insurance: null,
    billing: null,
  }
}

/** Problems that a physician sees in the reports of one order: first, and corrected. */
function checkOrder(orderId: string, tests: readonly MarkerDraft[]): string[] {
  const random = createRandom(orderId)
  const person = { gender: random.pick(GENDERS), ageYears: random.pick(AGES) }
  const requisition = requisitionOf(orderId, tests, person, random)
  const isNormal = random.next() < 0.5
  const interpretation = isNormal ? ('normal' as const) : random.pick(INTERPRETATIONS)
  const isNumericOnly = random.next() < 0.4
  const status = random.next() < 0.2 ? ('partial' as const) : ('final' as const)
  const input = {
    requisition,
    status,
    interpretation,
    resultTypes: isNumericOnly ? (['numeric'] as const) : null,
    hasMissingResults: random.next() < 0.2,
    collectedAt: COLLECTED_AT,
    reportedAt: REPORTED_AT,
    labName: 'Example Laboratory',
  }
  const report = makeReport(input)
  const corrected = makeReport({
    ...input,
    status: 'corrected',
    previous: report,
    reportedAt: CORRECTED_AT,
  })
  const given = requisition.answers.find(({ question_code }) => question_code === 'TOTVOL')
  const expected = requisition.tests.flatMap(({ expected_results }) => expected_results)
  const read: Omit<ReadReport, 'report'> = {
    sex: person.gender === 'other' ? null : person.gender,
    ageYears: (COLLECTED_AT.getTime() - Date.parse(requisition.patient?.dob ?? '')) / YEAR_MS,
    interpretation,
    isNumericOnly,
    urineVolume: given === undefined ? null : Number(given.answer),
    askedLoincs: new Set(expected.flatMap(({ loinc }) => loinc ?? [])),
  }
  const about = `${orderId} ${tests.map(({ slug }) => slug).join('+')} ${person.gender} ${person.ageYears} ${interpretation}${isNumericOnly ? ' numeric' : ''} ${status}`
  return [report, corrected].flatMap((each) =>
    Object.entries(RULES).flatMap(([rule, check]) =>
      check({ ...read, report: each }).map(
        (problem) => `${rule}: ${problem} (${about}, ${each.status})`,
      ),
    ),
  )
}

/**
 * Reports of all orderables, `rounds` times each and with others of the same laboratory, of people
 * of every age and sex. @returns problems, and how many reports were read
 */
export async function readReports(rounds: number): Promise<{ problems: string[]; orders: number }> {
  const problems: string[] = []
  let orders = 0
  for (const [lab, orderables] of await listOrderables()) {
    for (const [index, orderable] of orderables.entries()) {
      for (let round = 0; round < rounds; round += 1) {
        const orderId = `${lab} ${index} ${round}`
        const random = createRandom(`${orderId} tests`)
        const more = Array.from({ length: Math.floor(random.between(0, 5)) }, () =>
          random.pick(orderables),
        )
        problems.push(...checkOrder(orderId, [...new Set([orderable, ...more])]))
        orders += 1
      }
    }
  }
  return { problems, orders }
}
