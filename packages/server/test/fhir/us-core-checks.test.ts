import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { evalFhirPath } from '@medplum/core'
import { findSeries } from '@salus/contracts/series'
import { startingLabTests } from '../orders/order-bodies.ts'
import { allResults, pdfText } from '../results/lipid-reports.ts'
import { validUpload } from '../sample-items.ts'
import { ROOT } from '../source-files.ts'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture, type FhirAnswer } from './fhir-fixture.ts'
import { makeSearchedPeople } from './searched-people.ts'
import { type AnyResource, isMissing } from './validate-resource.ts'

/**
 * The checks of the test kit of US Core 6.1 (Inferno, commit 73fc69a) for each profile that Salus
 * serves, by the ids of the kit. us-core-checks.json has its facts; docs/fhir.md repeats what does
 * not pass.
 */

interface Group {
  /** Number of the group in the kit. */
  group: string
  resource: string
  profile: string
  tests: string[]
  mandatory: string[]
  mustSupport: [path: string, code?: string][]
  /** Elements of which one is enough. */
  choices: string[][]
}

const file = new URL('us-core-checks.json', import.meta.url)
const GROUPS: Record<string, Group> = JSON.parse(readFileSync(file, 'utf8'))

/** What does not pass, because Salus does not know it. Elements are those of must support. */
const NOT_PASSED: Record<string, string[]> = {
  patient_death_date_family_search_test: ['no death date is known'],
  patient_must_support_test: [
    ...['name.suffix', 'name.use', 'telecom.use', 'deceasedDateTime', 'address.use'],
    ...['name.period.end', 'address.period.end', 'communication', 'communication.language'],
    'extension.url',
  ],
  coverage_must_support_test: ['type', 'period', 'class.name', 'class.type.coding.code'],
  document_reference_patient_type_period_search_test: ['no period of care is known'],
  document_reference_must_support_test: [
    ...['content.format', 'context.encounter', 'context.period'],
  ],
  observation_lab_must_support_test: ['valueCodeableConcept'],
  pulse_oximetry_must_support_test: [
    ...['component', 'component.code', 'component.valueQuantity', 'component.valueQuantity.value'],
    ...['component.valueQuantity.unit', 'component.valueQuantity.system'],
    ...['component.valueQuantity.code', 'component.code.coding.code'],
  ],
  blood_pressure_must_support_test: ['component.dataAbsentReason'],
  service_request_must_support_test: ['occurrencePeriod'],
  organization_must_support_test: ['identifier.system'],
  practitioner_must_support_test: ['telecom', 'telecom.system', 'telecom.value'],
  practitioner_address_test: ['no address is known'],
}

const fixture = useFixture(createFhirFixture)
let people: string[]
/** Resources by their profile. */
const known = new Map<string, AnyResource[]>()

const VITAL_SIGNS = [
  ...['blood_oxygen', 'blood_pressure', 'body_mass_index', 'body_temperature', 'body_weight'],
  ...['heartrate', 'respiratory_rate'],
]

before(async () => {
  people = await makeSearchedPeople(fixture)
  const results = allResults({ glucose: 'Not detected' })
  await fixture.makeReport(people[0] ?? '', { results, pdf: pdfText('report') })
  const { walk_in_test: labTestId } = await startingLabTests(fixture as never)
  const ordered = await fixture.send('POST', 'ServiceRequest', {
    ...{ resourceType: 'ServiceRequest', status: 'active', intent: 'order' },
    subject: { reference: `Patient/${people[0]}` },
    code: { coding: [{ system: 'urn:salus:lab_test', code: labTestId }] },
    extension: [{ url: 'urn:salus:collection_method', valueCode: 'walk_in_test' }],
    reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.9' }] }],
  })
  assert.equal(ordered.status, 201, JSON.stringify(ordered.body))
  for (const name of VITAL_SIGNS) {
    const series = findSeries(name)
    assert.ok(series, name)
    const path = `/v2/timeseries/${people[0]}/${series.uploadNames[0] ?? name}`
    const answer = await fixture.call('POST', path, validUpload(series, '2026-02-10T08:00:00Z'))
    assert.ok(answer.status < 300, `${name}: ${answer.text}`)
  }
  const searches = [
    ...[...new Set(Object.values(GROUPS).map(({ resource }) => resource))].map(
      (type) => `${type}?`,
    ),
    ...people.map((person) => `Observation?patient=${person}&`),
    `ServiceRequest?patient=${people[0]}&_revinclude=Provenance:target&`,
  ]
  const all = new Map<string, AnyResource>()
  for (const path of searches) {
    const { matches, included } = await fixture.get(`${path}_count=500`)
    for (const one of [...matches, ...included]) all.set(`${one.resourceType}/${one.id}`, one)
  }
  for (const one of all.values()) {
    const profile = one.meta.profile?.[0].split('/').at(-1)
    known.set(profile, [...(known.get(profile) ?? []), one])
  }
})

const codesOf = (concept: AnyResource): string | undefined => {
  const { system, code } = [concept].flat()[0]?.coding?.[0] ?? {}
  return code && `${system}|${code}`
}
const dayOf = (instant: string | undefined) => instant?.slice(0, 10)

/** Values under which the kit searches a resource; undefined where it has none. */
const VALUES: Record<string, (one: AnyResource) => string | undefined> = {
  _id: ({ id }) => id,
  patient: ({ subject, beneficiary }) => (subject ?? beneficiary)?.reference,
  category: ({ category }) => codesOf(category),
  code: ({ code }) => codesOf(code),
  type: ({ type }) => codesOf(type),
  status: ({ status }) => status,
  gender: ({ gender }) => gender,
  birthdate: ({ birthDate }) => birthDate,
  date: (one) => dayOf(one.effectiveDateTime ?? one.effectivePeriod?.start ?? one.date),
  authored: ({ authoredOn }) => dayOf(authoredOn),
  identifier: ({ identifier }) => identifier && `${identifier[0].system}|${identifier[0].value}`,
  name: ({ name }) => (typeof name === 'string' ? name : name?.[0].family),
  family: ({ name }) => name?.[0].family,
  address: ({ address }) => address?.[0].city,
  'death-date': ({ deceasedDateTime }) => deceasedDateTime,
  period: ({ context }) => context?.period?.start,
}

/** Names of the parameters of a search test, such as `patient_category_date`. */
const parametersOf = (part: string): string[] =>
  part === '_id' ? ['_id'] : part.replace('death_date', 'death-date').split('_')

const has = ({ matches }: FhirAnswer, { id }: AnyResource) => matches.some((one) => one.id === id)

/** Searches each of a few resources by its own values, by GET and by POST. @returns problems */
async function checkSearch(type: string, all: AnyResource[], names: string[]): Promise<string[]> {
  let searches = 0
  for (const one of all.slice(0, 4)) {
    const given = names.map((name): [string, string] => [name, VALUES[name]?.(one) ?? ''])
    if (given.some(([, value]) => value === '')) continue
    searches += 1
    const query = `${new URLSearchParams(given)}`
    const found = await fixture.get(`${type}?${query}&_count=500`)
    assert.ok(has(found, one), `${type}?${query}`)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await fixture.send('POST', `${type}/_search`, `${query}&_count=500`, form)
    assert.deepEqual(posted.matches, found.matches, query)
    for (const [name, value] of given.filter(([key]) => key === 'date' || key === 'authored')) {
      for (const prefix of ['ge', 'le']) {
        const compared = new URLSearchParams([...given.filter(([key]) => key !== name)])
        compared.append(name, `${prefix}${value}`)
        assert.ok(has(await fixture.get(`${type}?${compared}&_count=500`), one), `${compared}`)
      }
    }
  }
  return searches === 0 ? [`no resource has ${names.join(', ')}`] : []
}

/** Elements of must support that no resource of the profile has. */
function findUnsupported({ mustSupport, choices }: Group, all: AnyResource[]): string[] {
  const isThere = ([path, code]: [string, string?]) =>
    all.some((one) => {
      const values = evalFhirPath(path, one)
      return code === undefined ? values.length > 0 : values.includes(code)
    })
  const missing = mustSupport.filter((one) => !isThere(one)).map(([path]) => path)
  const isChosen = (path: string) =>
    choices.some((paths) => paths.includes(path) && paths.some((one) => isThere([one])))
  return [...new Set(missing)].filter((path) => !isChosen(path))
}

async function checkProvenance(type: string, all: AnyResource[]): Promise<string[]> {
  for (const one of all.slice(0, 3)) {
    const path = `${type}?_id=${one.id}&_revinclude=Provenance:target`
    const { included } = await fixture.get(path)
    const targets = included.map(({ target }) => target[0].reference)
    assert.deepEqual(targets, [`${type}/${one.id}`], path)
  }
  return []
}

async function checkReferences(all: AnyResource[]): Promise<string[]> {
  for (const one of all.slice(0, 3)) {
    for (const [, reference = ''] of JSON.stringify(one).matchAll(/"reference":"([^"]+)"/g)) {
      assert.equal((await fixture.get(reference)).status, 200, reference)
    }
  }
  return []
}

/** @returns problems; a check that finds something wrong throws */
async function run(name: string, group: Group, id: string): Promise<string[]> {
  const { resource: type, profile, mandatory } = group
  const all = known.get(profile) ?? []
  assert.ok(all.length > 0, `no resource of ${profile}`)
  const check = id.slice(name.length + 1).replace(/_test$/, '')
  if (id === 'us_core_v400_document_reference_custodian_test') return checkProvenance(type, all)
  if (check === 'provenance_revinclude_search') return checkProvenance(type, all)
  if (check === 'reference_resolution') return checkReferences(all)
  if (check === 'must_support') return findUnsupported(group, all)
  if (check.endsWith('_search')) {
    return checkSearch(type, all, parametersOf(check.replace(/_search$/, '')))
  }
  if (check === 'validation') {
    return all.flatMap((one) => mandatory.filter((path) => isMissing(one, path)))
  }
  if (check === 'read') {
    for (const one of all.slice(0, 3)) {
      assert.deepEqual((await fixture.get(`${type}/${one.id}`)).body, one)
    }
    return []
  }
  assert.equal(id, 'practitioner_address_test')
  return all.some(({ address }) => address !== undefined) ? [] : ['no address is known']
}

for (const [name, group] of Object.entries(GROUPS)) {
  describe(`${group.group} ${name}`, () => {
    for (const [index, id] of group.tests.entries()) {
      const number = `${group.group}.${String(index + 1).padStart(2, '0')}`
      const expected = NOT_PASSED[id]
      test(`${number} ${id}${expected ? ' does not pass yet' : ''}`, async () => {
        const problems = await run(name, group, id)
        if (expected === undefined) assert.deepEqual(problems, [])
        else if (id.endsWith('must_support_test'))
          assert.deepEqual(problems.sort(), expected.sort())
        else assert.ok(problems.length > 0)
      })
    }
  })
}

test('2.1 the CapabilityStatement names the version, the format and the profiles', async () => {
  const { body } = await fixture.get('metadata')
  assert.equal(body.fhirVersion, '4.0.1')
  assert.ok(body.format.includes('json'))
  const [{ resource }] = body.rest
  const declared = resource.flatMap(({ supportedProfile = [] }: AnyResource) => supportedProfile)
  for (const { profile } of Object.values(GROUPS)) {
    assert.ok(
      declared.some((url: string) => url.endsWith(`/${profile}`)),
      profile,
    )
  }
  assert.ok(body.instantiates.some((url: string) => url.endsWith('/us-core-server')))
})

test('the guide names every check that does not pass', () => {
  const guide = readFileSync(`${ROOT}/docs/fhir.md`, 'utf8')
  for (const [name, { group, tests }] of Object.entries(GROUPS)) {
    for (const [index, id] of tests.entries()) {
      const number = `${group}.${String(index + 1).padStart(2, '0')}`
      const isNamed = guide.includes(`| ${number} |`)
      assert.equal(isNamed, id in NOT_PASSED, `${name} ${number}`)
    }
  }
})
