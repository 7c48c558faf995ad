import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { exportXml, stepRecord } from '../../../../../../server/test/imports/import-client.ts'
import type { AppleInstant } from '../apple-dates.ts'
import { readEvidence } from '../export-evidence.ts'
import { LocalTimes } from './local-times.ts'
import type { ZoneEvidence } from './zone-evidence.ts'
import { type ZoneObservation, ZoneObservations } from './zone-observations.ts'
import { ZoneTimeline } from './zone-timeline.ts'

const MARCH = Date.UTC(2024, 2, 1)
const VIENNA = 'Europe/Vienna'
const NEW_YORK = 'America/New_York'
/** Offset of the export: that of Vienna in summer. */
const WRITTEN = 7200

interface Person {
  fallbackZone?: string
  isLearned?: boolean
  evidence?: Partial<ZoneEvidence>
}

/** Local times of a user by observations as days after the first of March. */
function localTimesOf(
  observations: [days: number, zone: string][],
  person: Person = {},
): LocalTimes {
  const madeAt = { epochMilliseconds: Date.UTC(2024, 6, 1), offsetSeconds: WRITTEN }
  const list = observations.map(([days, zone]) => ({ at: MARCH + days * DAY_MS, zone }))
  const { fallbackZone = null, isLearned = false, evidence } = person
  return new LocalTimes(
    { observations: list, hasOwnOffsets: false, madeAt, ...evidence },
    {
      fallback_time_zone: fallbackZone,
      fallback_time_zone_source: fallbackZone && (isLearned ? 'apple_health_kit' : 'manual'),
    },
  )
}

const at = (days: number): AppleInstant => ({
  epochMilliseconds: MARCH + days * DAY_MS,
  offsetSeconds: WRITTEN,
})
const ruleAt = (localTimes: LocalTimes, days: number, zone?: string) => {
  const { rule, timezoneOffset } = localTimes.localTimeOfRecord(at(days), zone)
  return [rule, timezoneOffset / 3600]
}

test('an observation speaks for a day before and after itself, and no longer', () => {
  const localTimes = localTimesOf([[5, NEW_YORK]], { fallbackZone: VIENNA })
  assert.deepEqual(ruleAt(localTimes, 4), ['zones_around', -5])
  assert.deepEqual(ruleAt(localTimes, 6), ['zones_around', -5])
  assert.deepEqual(ruleAt(localTimes, 3.99), ['fallback_zone', 1])
  assert.deepEqual(ruleAt(localTimes, 6.01), ['fallback_zone', 1])
})

test('two observations of one zone speak for all between, when they are a month apart at most', () => {
  const near = localTimesOf(
    [
      [0, NEW_YORK],
      [30, NEW_YORK],
    ],
    { fallbackZone: VIENNA },
  )
  // The clock of New York changes on the tenth.
  assert.deepEqual(ruleAt(near, 5), ['zones_around', -5])
  assert.deepEqual(ruleAt(near, 15), ['zones_around', -4])
  const far = localTimesOf(
    [
      [0, NEW_YORK],
      [30.01, NEW_YORK],
    ],
    { fallbackZone: VIENNA },
  )
  assert.deepEqual(ruleAt(far, 0.9), ['zones_around', -5])
  assert.deepEqual(ruleAt(far, 15), ['fallback_zone', 1])
})

test('zones of one clock are one stay, zones of two clocks that are a week apart at most meet halfway', () => {
  const neighbors = localTimesOf([
    [0, VIENNA],
    [9, 'Europe/Berlin'],
  ])
  assert.deepEqual(ruleAt(neighbors, 5), ['zones_around', 1])
  const journey = localTimesOf(
    [
      [0, VIENNA],
      [7, NEW_YORK],
      [14.01, VIENNA],
    ],
    { fallbackZone: 'Asia/Tokyo' },
  )
  assert.deepEqual(ruleAt(journey, 3.5), ['zones_around', 1])
  assert.deepEqual(ruleAt(journey, 3.51), ['zones_around', -5])
  // More than a week between two places, so the time of the change is unknown.
  assert.deepEqual(ruleAt(journey, 8), ['zones_around', -5])
  assert.deepEqual(ruleAt(journey, 10), ['fallback_zone', 9])
})

test('the zone of the record itself goes before all, one that does not exist counts for nothing', () => {
  const localTimes = localTimesOf([[0, VIENNA]], { evidence: { hasOwnOffsets: true } })
  assert.deepEqual(ruleAt(localTimes, 0, NEW_YORK), ['record_zone', -5])
  assert.deepEqual(ruleAt(localTimes, 0, 'America/Nowhere'), ['record_offset', 2])
  assert.deepEqual(localTimes.counts, {
    record_zone: 1,
    record_offset: 1,
    zones_around: 0,
    fallback_zone: 0,
    nearest_zone: 0,
    export_offset: 0,
  })
})

test('without a fallback zone far observations speak only when the place of the export has observations', () => {
  const home = localTimesOf([[-300, VIENNA]])
  assert.deepEqual(ruleAt(home, 0), ['nearest_zone', 1])
  assert.deepEqual(ruleAt(home, 40), ['nearest_zone', 2])
  const onlyAbroad = localTimesOf([[-300, NEW_YORK]])
  assert.deepEqual(ruleAt(onlyAbroad, 0), ['export_offset', 2])
  assert.deepEqual(ruleAt(localTimesOf([]), 0), ['export_offset', 2])
})

test('the better a clock is founded the stronger it is, also within one rule', () => {
  const localTimes = localTimesOf([[0, VIENNA]], { fallbackZone: VIENNA })
  const strengths = [
    localTimes.localTimeAt(at(0), VIENNA),
    localTimesOf([], { evidence: { hasOwnOffsets: true } }).localTimeAt(at(0), undefined),
    localTimes.localTimeAt(at(0), undefined),
    localTimes.localTimeAt(at(0.9), undefined),
    localTimes.localTimeAt(at(2), undefined),
    localTimesOf([], { fallbackZone: VIENNA, isLearned: true }).localTimeAt(at(0), undefined),
    localTimesOf([[-40, VIENNA]]).localTimeAt(at(0), undefined),
    localTimesOf([[-400, VIENNA]]).localTimeAt(at(0), undefined),
    localTimesOf([]).localTimeAt(at(0), undefined),
  ].map(({ strength }) => strength)
  assert.deepEqual(
    strengths,
    strengths.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(strengths).size, strengths.length)
  assert.ok(strengths.every((strength) => strength > 0 && strength < 1000))
  // A zone that the user chose replaces an earlier choice.
  assert.equal(localTimes.localTimeAt(at(9), undefined).isRevision, true)
  const learned = localTimesOf([], { fallbackZone: VIENNA, isLearned: true })
  assert.equal(learned.localTimeAt(at(9), undefined).isRevision, false)
})

test('the nearest observation is the one that a search through all of them finds', () => {
  const zones = fc.constantFrom(VIENNA, NEW_YORK, 'Asia/Tokyo')
  const observation = fc.record({ at: fc.integer({ min: 0, max: 400 }), zone: zones })
  const observations = fc
    .array(observation, { maxLength: 30 })
    .map((list) => list.sort((a, b) => a.at - b.at || (a.zone < b.zone ? -1 : 1)))
  const instants = fc.array(fc.integer({ min: -50, max: 450 }), { minLength: 1, maxLength: 20 })
  const property = fc.property(observations, instants, (list: ZoneObservation[], times) => {
    const timeline = new ZoneTimeline(list)
    for (const time of times) {
      const nearest = timeline.nearest(time)
      const least = Math.min(...list.map((other) => Math.abs(other.at - time)))
      assert.equal(nearest?.distance, list.length === 0 ? undefined : least)
      const near = list.filter((other) => Math.abs(other.at - time) === least)
      if (nearest) assert.ok(near.some(({ zone }) => zone === nearest.zone))
    }
  })
  fc.assert(property, { seed: 10, numRuns: 200 })
})

const evidenceOf = async (elements: string): Promise<ZoneEvidence> => {
  const { zones } = await readEvidence(
    (async function* () {
      yield Buffer.from(elements)
    })(),
    new AbortController().signal,
  )
  return zones
}

test('observations are taken from records, workouts and correlations, and not from zones without a place', async () => {
  const zoneEntry = (zone: string) => `<MetadataEntry key="HKTimeZone" value="${zone}"/>`
  const record = (minute: number, zone: string) =>
    stepRecord(minute).replace('/>', `>${zoneEntry(zone)}</Record>`)
  const times = 'startDate="2024-03-02 10:00:00 +0000" endDate="2024-03-02 11:00:00 +0000"'
  const { observations, madeAt, hasOwnOffsets } = await evidenceOf(
    exportXml(
      [
        '<ExportDate value="2024-05-01 08:00:00 +0200"/>',
        record(0, VIENNA),
        record(30, VIENNA),
        record(10, VIENNA),
        ...['UTC', 'GMT', 'Etc/GMT+5', '+02:00', 'Europe/Nowhere', ''].map((zone) =>
          record(1, zone),
        ),
        `<Workout ${times}>${zoneEntry(NEW_YORK)}</Workout>`,
        `<Correlation ${times.replaceAll('03-02', '03-03')}>${record(40, 'Asia/Tokyo')}</Correlation>`,
      ].join(''),
    ),
  )
  const ruleAt = observations.map(({ at: instant, zone }) => [
    new Date(instant).toISOString(),
    zone,
  ])
  assert.deepEqual(ruleAt, [
    ['2024-03-01T08:00:00.000Z', VIENNA],
    ['2024-03-01T08:30:00.000Z', VIENNA],
    ['2024-03-01T08:40:00.000Z', 'Asia/Tokyo'],
    ['2024-03-02T10:00:00.000Z', NEW_YORK],
    ['2024-03-02T11:00:00.000Z', NEW_YORK],
  ])
  assert.deepEqual(madeAt, {
    epochMilliseconds: Date.parse('2024-05-01T06:00:00Z'),
    offsetSeconds: 7200,
  })
  assert.equal(hasOwnOffsets, false)
})

test('offsets are those of the records when they change and no zone contradicts them', async () => {
  const winter = stepRecord(0, { startDate: '2024-03-30 12:00:00 +0100' })
  const summer = stepRecord(0, { startDate: '2024-03-31 12:00:00 +0200' })
  const zoned = (text: string, zone: string) =>
    text.replace('/>', `><MetadataEntry key="HKTimeZone" value="${zone}"/></Record>`)
  const isOwn = async (...records: string[]) =>
    (await evidenceOf(exportXml(records.join('')))).hasOwnOffsets
  assert.equal(await isOwn(winter, winter), false)
  assert.equal(await isOwn(winter, summer), true)
  assert.equal(await isOwn(winter, zoned(summer, VIENNA)), true)
  assert.equal(await isOwn(winter, zoned(summer, NEW_YORK)), false)
  // Three hours after the change, by the clock of the evening before.
  const night = stepRecord(0, { startDate: '2024-03-31 05:00:00 +0100' })
  assert.equal(await isOwn(summer, zoned(night, VIENNA)), true)
  const weeks = stepRecord(0, { startDate: '2024-04-20 05:00:00 +0100' })
  assert.equal(await isOwn(summer, zoned(weeks, VIENNA)), false)
  assert.equal(await isOwn(winter, stepRecord(0, { startDate: 'then' })), false)
})

test('of a damaged export the part before the damage counts', async () => {
  const record = stepRecord(0).replace(
    '/>',
    `><MetadataEntry key="HKTimeZone" value="${VIENNA}"/></Record>`,
  )
  const { observations } = await evidenceOf(exportXml(record).replace('</HealthData>', '<Rec'))
  assert.equal(observations.length, 1)
})

test('a million observations of a year take no more memory than its hours', () => {
  const observations = new ZoneObservations()
  for (let index = 0; index < 1_000_000; index++) {
    const startedAt = MARCH + ((index * 7919) % 31_536_000) * 1000
    observations.add(VIENNA, startedAt, startedAt + 60_000)
  }
  assert.ok(observations.list().length <= 2 * (365 * 24 + 1))
})
