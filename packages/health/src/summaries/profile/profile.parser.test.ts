import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProfile } from './profile.parser.ts'

const IOS = { userId: '', provider: 'apple_health_kit', timeZone: 'Europe/Berlin', birthDate: null }

function profileOf(item: unknown) {
  const parsed = parseProfile(IOS, item)
  assert.ok(typeof parsed !== 'string', String(parsed))
  const [summary] = parsed.summaries
  assert.equal(summary?.recordId, 'profile')
  return summary?.values as Record<string, unknown>
}

test('a profile fills its columns, and what is not set is null', () => {
  const values = profileOf({
    biological_sex: 'female',
    date_of_birth: '1990-05-04T00:00:00Z',
    height: 171,
    wheelchair_use: false,
  })
  assert.deepEqual(values, {
    height_centimeter: 171,
    birth_date: '1990-05-04',
    wheelchair_use: null,
    gender: null,
    sex: 'female',
  })
  const none = profileOf({ biologicalSex: 'not_set', dateOfBirth: null, wheelchairUse: true })
  assert.deepEqual(none, {
    height_centimeter: null,
    birth_date: null,
    wheelchair_use: true,
    gender: null,
    sex: null,
  })
})

test('a birthday is the day of the local time it was written in', () => {
  const birthday = (date_of_birth: string, time_zone?: string) =>
    profileOf({ date_of_birth, time_zone }).birth_date
  assert.equal(birthday('1990-05-04'), '1990-05-04')
  // Midnight in Berlin, where it was summer.
  assert.equal(birthday('1990-05-03T22:00:00Z'), '1990-05-04')
  assert.equal(birthday('1990-05-04T04:00:00Z', 'America/New_York'), '1990-05-04')
  assert.equal(birthday('1990-05-04T00:00:00Z', 'America/New_York'), '1990-05-04')
  assert.equal(birthday('1990-05-04T00:00:00+09:00'), '1990-05-04')
})

test('a profile that cannot be stored is quarantined with a reason', () => {
  assert.equal(parseProfile(IOS, 5), 'not_an_object')
  assert.equal(parseProfile(IOS, { date_of_birth: 'long ago' }), 'invalid_date')
  assert.equal(parseProfile(IOS, { date_of_birth: '1800-01-01' }), 'invalid_date')
  assert.equal(parseProfile(IOS, { height: 'tall' }), 'invalid_value')
  assert.equal(parseProfile(IOS, { height: 400 }), 'out_of_range')
})
