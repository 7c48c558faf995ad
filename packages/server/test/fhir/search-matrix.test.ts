import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import { makeSearchedPeople } from './searched-people.ts'
import type { AnyResource } from './validate-resource.ts'

/**
 * The searches of US Core 7.0.0, as the test kit of its certification has them: each finds every
 * resource that matches, and no other. Other code than the server's decides here what matches.
 */

const fixture = useFixture(createFhirFixture)

const codesOf = (...concepts: AnyResource[]): string[] =>
  concepts
    .flat()
    .flatMap((concept) => concept?.coding ?? [])
    .map(({ system, code }: AnyResource) => `${system}|${code}`)

const namesOf = ({ name }: AnyResource): string[] =>
  [name ?? []].flat().flatMap((one: AnyResource) => [one.family, ...(one.given ?? [])])

const subjectOf = (one: AnyResource): string =>
  (one.subject ?? one.beneficiary ?? one.patient ?? one.participant?.[0].actor)?.reference

/** Values of a resource under which a parameter finds it. */
const VALUES: Record<string, (one: AnyResource) => string[]> = {
  _id: ({ id }) => [id],
  patient: (one) => [subjectOf(one)],
  category: ({ category }) => codesOf(category),
  code: ({ code, component = [] }) =>
    codesOf(code, ...component.map((one: AnyResource) => one.code)),
  type: ({ type }) => codesOf(type),
  status: ({ status }) => [status],
  gender: ({ gender }) => [gender],
  identifier: ({ identifier = [] }) =>
    identifier.map(({ system, value }: AnyResource) => `${system}|${value}`),
  name: (one) => (one.resourceType === 'Organization' ? [one.name] : namesOf(one)),
  address: ({ address = [] }) => address.map(({ city }: AnyResource) => city),
}

/** Start and end of what a date parameter looks at, in milliseconds. */
const PERIODS: Record<string, (one: AnyResource) => [number, number] | undefined> = {
  date: (one) =>
    one.effectivePeriod
      ? [Date.parse(one.effectivePeriod.start), Date.parse(one.effectivePeriod.end)]
      : instantOf(one.effectiveDateTime ?? one.date ?? one.start),
  authored: ({ authoredOn }) => instantOf(authoredOn),
  birthdate: ({ birthDate }) => instantOf(birthDate),
}
const instantOf = (text: string | undefined): [number, number] | undefined =>
  text === undefined ? undefined : [Date.parse(text), Date.parse(text)]

const COMPARISONS: Record<string, (period: [number, number], at: number) => boolean> = {
  gt: ([, end], at) => end > at,
  ge: ([, end], at) => end >= at,
  lt: ([start], at) => start < at,
  le: ([start], at) => start <= at,
}

/** Combinations of parameters by type: US Core requires some of them and recommends the others. */
const MATRIX: Record<string, string[]> = {
  Patient: ['_id', 'identifier', 'name', 'birthdate+name', 'gender+name'],
  ServiceRequest: [
    ...['_id', 'patient', 'patient+code', 'patient+category', 'patient+category+authored'],
    ...['patient+status', 'patient+code+authored'],
  ],
  DiagnosticReport: [
    ...['_id', 'patient', 'patient+category', 'patient+code', 'patient+category+date'],
    ...['patient+status', 'patient+code+date'],
  ],
  Observation: [
    ...['patient', 'patient+category', 'patient+code', 'patient+category+date'],
    ...['patient+category+status', 'patient+code+date'],
  ],
  Specimen: ['_id', 'patient'],
  Coverage: ['patient'],
  Appointment: ['patient', 'patient+date'],
  DocumentReference: [
    ...['_id', 'patient', 'patient+category', 'patient+category+date', 'patient+type'],
    'patient+status',
  ],
  Device: ['patient'],
  Practitioner: ['_id', 'name', 'identifier'],
  Organization: ['name', 'address'],
}

/** Everything that the interface has of a type. */
const everything = new Map<string, AnyResource[]>()

before(async () => {
  const people = await makeSearchedPeople(fixture)
  for (const type of Object.keys(MATRIX)) {
    const { matches } = await fixture.getAll(`${type}?_count=500`)
    everything.set(type, matches)
  }
  // Samples are found by their patient only.
  const observations = everything.get('Observation') ?? []
  for (const patient of people) {
    const { matches } = await fixture.getAll(`Observation?patient=${patient}&_count=500`)
    const known = new Set(observations.map(({ id }) => id))
    const samples = matches.filter(({ id }) => !known.has(id))
    assert.equal(samples.length, 9)
    observations.push(...samples)
  }
})

const isFound = (one: AnyResource, name: string, value: string): boolean => {
  const found = VALUES[name]?.(one) ?? []
  if (name !== 'name' && name !== 'address') return found.includes(value)
  return found.some((text) => text.toLowerCase().startsWith(value.toLowerCase()))
}

async function assertFinds(type: string, given: [string, string][], expected: AnyResource[]) {
  const query = new URLSearchParams(given)
  const { matches } = await fixture.getAll(`${type}?${query}&_count=100`)
  const idsOf = (list: AnyResource[]) => list.map(({ id }) => id).sort()
  assert.deepEqual(idsOf(matches), idsOf(expected), `${type}?${query}`)
}

describe('each search of US Core finds what matches, and nothing else', () => {
  for (const [type, combinations] of Object.entries(MATRIX)) {
    for (const combination of combinations) {
      test(`${type} by ${combination}`, async () => {
        const all = everything.get(type) ?? []
        assert.ok(all.length > 1, type)
        const names = combination.split('+')
        const dates = names.filter((name) => name in PERIODS)
        const plain = names.filter((name) => !dates.includes(name))
        let searches = 0
        // The first and the last, and some between them.
        for (const sample of pick(all)) {
          const given = plain.map((name): [string, string] => [
            name,
            VALUES[name]?.(sample)[0] ?? '',
          ])
          if (given.some(([, value]) => value === '')) continue
          const matching = all.filter((one) =>
            given.every(([name, value]) => isFound(one, name, value)),
          )
          searches += 1
          const [date] = dates
          if (date === undefined) {
            await assertFinds(type, given, matching)
            continue
          }
          const at = PERIODS[date]?.(sample)?.[0]
          if (at === undefined) continue
          for (const [prefix, fits] of Object.entries(COMPARISONS)) {
            const asked = `${prefix}${new Date(at).toISOString()}`
            const isDay = date === 'birthdate'
            const value = isDay ? asked.slice(0, 12) : asked
            const expected = matching.filter((one) => {
              const period = PERIODS[date]?.(one)
              return period !== undefined && fits(period, at)
            })
            await assertFinds(type, [...given, [date, value]], expected)
          }
        }
        assert.ok(searches > 0, `${type} by ${combination}: nothing to search`)
      })
    }
  }
})

/** Up to five of a list, evenly. */
const pick = <Item>(list: readonly Item[]): Item[] =>
  list.filter((_item, index) => index % Math.max(1, Math.floor(list.length / 4)) === 0).slice(0, 5)

test('by POST a search finds the same', async () => {
  const patient = everything.get('DiagnosticReport')?.[0].subject.reference
  const query = `patient=${encodeURIComponent(patient)}&category=LAB`
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const byForm = await fixture.send('POST', 'DiagnosticReport/_search', query, type)
  const byAddress = await fixture.get(`DiagnosticReport?${query}`)
  assert.ok(byForm.matches.length > 0)
  assert.deepEqual(byForm.matches, byAddress.matches)
})

test('sorted by date the newest comes first, on every page', async () => {
  const patient = everything.get('Observation')?.[0].subject.reference
  const query = `Observation?patient=${patient}&category=laboratory&_sort=-date`
  const { matches } = await fixture.getAll(`${query}&_count=4`)
  const dates = matches.map(({ effectiveDateTime }) => Date.parse(effectiveDateTime))
  assert.ok(dates.length > 8)
  assert.deepEqual(
    dates,
    dates.toSorted((one, other) => other - one),
  )
  const whole = await fixture.get(`${query}&_count=500`)
  assert.equal(whole.body.total, matches.length)
})

test('the total is that of all pages', async () => {
  const { body } = await fixture.get('Observation?category=laboratory&_count=2&_total=accurate')
  const laboratory = (everything.get('Observation') ?? []).filter(({ category }) =>
    codesOf(category).some((code) => code.endsWith('|laboratory')),
  )
  assert.equal(body.total, laboratory.length)
  const counted = await fixture.get('Patient?_count=0')
  assert.equal(counted.body.total, everything.get('Patient')?.length)
  assert.equal(counted.matches.length, 0)
})

test('values with a comma are alternatives, and repeated parameters must all match', async () => {
  const [one, other] = everything.get('Patient') ?? []
  const either = await fixture.get(`Patient?_id=${one.id},${other.id}`)
  assert.equal(either.matches.length, 2)
  const both = await fixture.get(`Patient?_id=${one.id}&_id=${other.id}`)
  assert.equal(both.matches.length, 0)
  const days = 'date=ge2026-02-01&date=lt2026-02-02'
  const within = await fixture.get(`Observation?patient=${one.id}&category=vital-signs&${days}`)
  assert.equal(within.matches.length, 2)
  for (const { effectiveDateTime: at } of within.matches) assert.match(at, /^2026-02-01/)
})

test('a change is found by the time since the last search', async () => {
  const { body } = await fixture.get('DiagnosticReport?_count=1')
  const newest = body.entry[0].resource.meta.lastUpdated
  const since = await fixture.get(`DiagnosticReport?_lastUpdated=ge${newest}`)
  assert.ok(since.matches.length >= 1)
  const after = await fixture.get(`DiagnosticReport?_lastUpdated=gt${newest}`)
  assert.equal(after.matches.length, 0)
})

test('of another team nothing is found', async () => {
  const team = await fixture.makeTeam()
  const headers = { 'x-service-api-key': team.sandboxKey }
  for (const [type, all] of everything) {
    // Laboratories are those of the catalog.
    if (type === 'Organization') continue
    const { status, matches } = await fixture.get(`${type}?_count=500`, headers)
    assert.deepEqual([status, matches], [200, []], type)
    for (const { id } of all.slice(0, 3)) {
      assert.equal((await fixture.get(`${type}/${id}`, headers)).status, 404, type)
      assert.equal((await fixture.get(`${type}?_id=${id}`, headers)).matches.length, 0, type)
    }
  }
})
