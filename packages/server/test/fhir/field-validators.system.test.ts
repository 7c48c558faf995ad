import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findSeries } from '@salus/contracts/series'
import { validUpload } from '../sample-items.ts'
import { useFixture } from '../use-fixture.ts'
import { createFhirFixture } from './fhir-fixture.ts'
import { loadFieldValidators } from './field-validators.ts'
import { makeSearchedPeople } from './searched-people.ts'
import type { AnyResource } from './validate-resource.ts'

/** Resources of every type and profile, as validators see them that others use. */

const loaded = loadFieldValidators()
const skip = typeof loaded === 'string' ? loaded : false
const fixture = useFixture(createFhirFixture)
const all = new Map<string, AnyResource>()

const SERIES = [
  'heartrate',
  'blood_pressure',
  'blood_oxygen',
  'body_temperature',
  'glucose',
  'note',
]

before(async () => {
  if (skip !== false) return
  const people = await makeSearchedPeople(fixture)
  for (const name of SERIES) {
    const series = findSeries(name)
    assert.ok(series, name)
    const path = `/v2/timeseries/${people[0]}/${series.uploadNames[0] ?? name}`
    const { status, text } = await fixture.call(
      'POST',
      path,
      validUpload(series, '2026-02-10T08:00:00Z'),
    )
    assert.ok(status < 300, `${name}: ${text}`)
  }
  const add = (one: AnyResource) => all.set(`${one.resourceType}/${one.id}`, one)
  const { body } = await fixture.get('metadata')
  add(body)
  for (const { type, searchParam, searchRevInclude } of body.rest[0].resource) {
    if (searchParam === undefined) continue
    const extra = searchRevInclude ? '&_revinclude=Provenance:target' : ''
    const answer = await fixture.get(`${type}?_count=500${extra}`)
    for (const one of [...answer.matches, ...answer.included]) add(one)
  }
  for (const person of people) {
    for (const one of (await fixture.getAll(`Observation?patient=${person}`)).matches) add(one)
  }
  const bundle = await fixture.get(`Patient/${people[0]}/$everything?_count=20`)
  add({ ...bundle.body, id: 'everything' })
  add({ ...(await fixture.get('Patient/1')).body, id: 'error' })
})

test('the validator of Medplum finds nothing, by R4 and the profiles of US Core', { skip }, () => {
  assert.ok(typeof loaded !== 'string' && all.size > 100)
  const profiles = new Set<string>()
  for (const one of all.values()) {
    assert.deepEqual(loaded.findByProfiles(one), [], JSON.stringify(one))
    for (const url of one.meta?.profile ?? []) profiles.add(url)
  }
  assert.ok(profiles.size > 12, [...profiles].join(' '))
})

test('FHIR.js finds no error, with its value sets', { skip }, () => {
  assert.ok(typeof loaded !== 'string' && all.size > 100)
  for (const one of all.values()) {
    assert.deepEqual(loaded.findByFhirJs(one), [], JSON.stringify(one))
  }
})

test('both notice what is wrong', { skip }, () => {
  assert.ok(typeof loaded !== 'string')
  const [sample] = [...all.values()].filter(({ meta }) => /heart-rate/.test(meta?.profile?.[0]))
  assert.ok(loaded.findByProfiles({ ...sample, shoe: 44 }).length > 0)
  assert.ok(loaded.findByProfiles({ ...sample, category: undefined }).length > 0)
  assert.ok(loaded.findByProfiles({ ...sample, category: [{ text: 'pulse' }] }).length > 0)
  assert.ok(loaded.findByFhirJs({ ...sample, status: 'finished' }).length > 0)
})
