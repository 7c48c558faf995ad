import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findSportBySlug, SPORTS, toSport } from './sport.registry.ts'

const SPELLINGS: [text: string, slug: string][] = [
  ['Running', 'running'],
  ['running', 'running'],
  ['Run', 'running'],
  ['RUNNING', 'running'],
  ['High Intensity Interval Training', 'high_intensity_interval_training'],
  ['HKWorkoutActivityTypeHighIntensityIntervalTraining', 'high_intensity_interval_training'],
  ['highIntensityIntervalTraining', 'high_intensity_interval_training'],
  ['HIIT', 'high_intensity_interval_training'],
  ['HKWorkoutActivityTypeTraditionalStrengthTraining', 'traditional_strength_training'],
  ['HKWorkoutActivityTypeTaiChi', 'tai_chi'],
  ['biking_stationary', 'stationary_biking'],
  ['biking', 'cycling'],
  ['EXERCISE_TYPE_ROCK_CLIMBING', 'rock_climbing'],
  ['football_american', 'american_football'],
  ['Road Biking', 'road_biking'],
  ['EBikeRide', 'electric_biking'],
  ['EMountainBikeRide', 'electric_mountain_biking'],
  ['SNOW_SHOE_WS', 'snowshoeing'],
  ['KAYAKING_V2', 'kayaking'],
  [' trail-run ', 'trail_running'],
  ['workout', 'other'],
  ['Other', 'other'],
  ['', 'other'],
  ['constructor', 'other'],
  ['Quidditch', 'other'],
]

for (const [text, slug] of SPELLINGS) {
  test(`"${text}" is the sport ${slug}`, () => assert.equal(toSport(text).slug, slug))
}

test('ids, names and slugs are each used once, and each sport is found by its name and slug', () => {
  for (const key of ['id', 'name', 'slug'] as const) {
    assert.equal(new Set(SPORTS.map((sport) => sport[key])).size, SPORTS.length)
  }
  for (const sport of SPORTS) {
    assert.match(sport.slug, /^[a-z]+(_[a-z]+)*$/)
    assert.equal(findSportBySlug(sport.slug), sport)
    assert.equal(toSport(sport.name), sport)
    assert.equal(toSport(sport.slug), sport)
  }
  assert.equal(findSportBySlug('quidditch'), undefined)
})

test('any text is a sport', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (text) => {
      assert.ok(SPORTS.includes(toSport(text)))
    }),
  )
})
