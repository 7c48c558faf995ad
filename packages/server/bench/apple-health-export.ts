import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { DAY_MS } from '@salus/contracts/time-units'

export interface AppleHealthExportOptions {
  /** Wanted size; the file ends with the day that reaches it. */
  bytes: number
  seed: number
}

const FIRST_DAY = Date.UTC(2012, 0, 1)
const PHONE = 'Alex\u2019s iPhone'
const WATCH = 'Alex\u2019s Apple\u00a0Watch'
const WATCH_DEVICE = device('0x283a1b2c0', 'Apple Watch', 'Watch', 'Watch6,1', '7.2')
const PHONE_DEVICE = device('0x283a1b340', 'iPhone', 'iPhone', 'iPhone13,2', '14.3')
const WATCH_SOURCE = `sourceName="${WATCH}" sourceVersion="7.2" device="${WATCH_DEVICE}"`
const PHONE_SOURCE = `sourceName="${PHONE}" sourceVersion="14.3" device="${PHONE_DEVICE}"`
const CUFF_SOURCE = 'sourceName="Cuff &amp; Co" sourceVersion="2160040"'

interface Day {
  random: () => number
  date: string
  offset: string
  counts: Record<string, number>
  lines: string[]
}

interface Series {
  type: string
  unit: string
  source: string
  perDay: number
  durationSeconds: number
  value: (random: () => number) => number | string
  metadata?: (random: () => number) => string
}

const SERIES: Series[] = [
  quantity(
    'HeartRate',
    'count/min',
    WATCH_SOURCE,
    420,
    0,
    (random) => 48 + int(random, 110),
    motion,
  ),
  quantity('StepCount', 'count', PHONE_SOURCE, 60, 300, (random) => 1 + int(random, 400)),
  quantity('StepCount', 'count', WATCH_SOURCE, 110, 300, (random) => 1 + int(random, 400)),
  quantity('DistanceWalkingRunning', 'km', PHONE_SOURCE, 60, 300, (random) => random() * 0.4),
  quantity('DistanceWalkingRunning', 'km', WATCH_SOURCE, 110, 300, (random) => random() * 0.4),
  quantity('ActiveEnergyBurned', 'kcal', WATCH_SOURCE, 380, 60, (random) => random() * 9),
  quantity('BasalEnergyBurned', 'kcal', WATCH_SOURCE, 200, 400, (random) => 4 + random() * 9),
  quantity(
    'OxygenSaturation',
    '%',
    WATCH_SOURCE,
    24,
    0,
    (random) => 0.94 + int(random, 7) / 100,
    pressure,
  ),
  quantity(
    'RespiratoryRate',
    'count/min',
    WATCH_SOURCE,
    40,
    0,
    (random) => 11 + int(random, 14) / 2,
  ),
  quantity(
    'HeartRateVariabilitySDNN',
    'ms',
    WATCH_SOURCE,
    8,
    59,
    (random) => 15 + random() * 90,
    beats,
  ),
]

/**
 * Writes a believable export.xml of about the given size: the mix of a person with a watch and
 * a phone, day after day from 2012-01-01 in Los Angeles. The same seed gives the same file.
 * Returns how often each record type or other element was written; records inside correlations
 * are counted once, for their copy at the top level.
 */
export async function writeAppleHealthExport(
  path: string,
  { bytes, seed }: AppleHealthExportOptions,
): Promise<Record<string, number>> {
  const random = seededRandom(seed)
  const counts: Record<string, number> = {}
  const file = createWriteStream(path, { highWaterMark: 1 << 20 })
  file.write(HEADER)
  for (let day = 0; file.writableLength + file.bytesWritten < bytes; day++) {
    const text = dayText(day, random, counts)
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end('</HealthData>\n')
  await finished(file)
  return counts
}

function dayText(index: number, random: () => number, counts: Record<string, number>): string {
  const now = new Date(FIRST_DAY + index * DAY_MS)
  const month = now.getUTCMonth()
  const offset = month >= 3 && month <= 9 ? ' -0700' : ' -0800'
  const day: Day = { random, date: now.toISOString().slice(0, 10), offset, counts, lines: [] }
  for (const series of SERIES) addSamples(day, series)
  addSleep(day)
  if (index % 3 === 0) addBloodPressure(day)
  if (index % 2 === 0) addWorkout(day)
  addActivitySummary(day)
  return day.lines.join('')
}

function addSamples(day: Day, series: Series): void {
  const { random } = day
  const step = (86_400 - series.durationSeconds - 1) / series.perDay
  const open = `<Record type="${series.type}" ${series.source} unit="${series.unit}" creationDate="`
  for (let index = 0; index < series.perDay; index++) {
    const start = Math.floor((index + random() * 0.9) * step)
    const metadata = series.metadata?.(random)
    const value = series.value(random)
    const times = `${at(day, start)}" endDate="${at(day, start + series.durationSeconds)}`
    const tail = metadata === undefined ? '"/>\n' : `">\n${metadata} </Record>\n`
    const created = at(day, Math.min(86_399, start + series.durationSeconds + 4))
    day.lines.push(` ${open}${created}" startDate="${times}" value="${value}${tail}`)
  }
  count(day, series.type, series.perDay)
}

function addSleep(day: Day): void {
  const type = 'HKCategoryTypeIdentifierSleepAnalysis'
  let start = int(day.random, 1800)
  for (let index = 0; index < 14; index++) {
    const end = start + 300 + int(day.random, 1800)
    const stage = ['AsleepCore', 'AsleepDeep', 'AsleepREM', 'Awake'][int(day.random, 4)]
    day.lines.push(
      ` <Record type="${type}" ${WATCH_SOURCE} creationDate="${at(day, 32_400)}" `,
      `startDate="${at(day, start)}" endDate="${at(day, end)}" `,
      `value="HKCategoryValueSleepAnalysis${stage}">\n`,
      '  <MetadataEntry key="HKTimeZone" value="America/Los_Angeles"/>\n </Record>\n',
    )
    start = end
  }
  count(day, type, 14)
}

function addBloodPressure(day: Day): void {
  const start = at(day, 28_000 + int(day.random, 4000))
  const times = `creationDate="${start}" startDate="${start}" endDate="${start}"`
  const entry = '<MetadataEntry key="HKWasUserEntered" value="0"/>'
  const reading = (kind: string, value: number) =>
    ` <Record type="HKQuantityTypeIdentifierBloodPressure${kind}" ${CUFF_SOURCE} unit="mmHg" ` +
    `${times} value="${value}">\n  ${entry}\n </Record>\n`
  const pair =
    reading('Systolic', 105 + int(day.random, 40)) + reading('Diastolic', 60 + int(day.random, 30))
  const type = 'HKCorrelationTypeIdentifierBloodPressure'
  day.lines.push(
    pair,
    ` <Correlation type="${type}" ${CUFF_SOURCE} ${times}>\n  ${entry}\n${pair} </Correlation>\n`,
  )
  count(day, 'HKQuantityTypeIdentifierBloodPressureSystolic', 1)
  count(day, 'HKQuantityTypeIdentifierBloodPressureDiastolic', 1)
  count(day, type, 1)
}

function addWorkout(day: Day): void {
  const start = 60_000 + int(day.random, 4000)
  const minutes = 20 + day.random() * 60
  const end = Math.floor(start + minutes * 60)
  const span = `startDate="${at(day, start)}" endDate="${at(day, end)}"`
  const energy = 'type="HKQuantityTypeIdentifierActiveEnergyBurned"'
  day.lines.push(
    ` <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="${minutes}" `,
    `durationUnit="min" ${WATCH_SOURCE} creationDate="${at(day, end)}" ${span}>\n`,
    '  <MetadataEntry key="HKIndoorWorkout" value="0"/>\n',
    `  <WorkoutEvent type="HKWorkoutEventTypeSegment" date="${at(day, start)}" `,
    'duration="8.1" durationUnit="min"/>\n',
    `  <WorkoutStatistics ${energy} ${span} sum="${minutes * 9}" unit="kcal"/>\n </Workout>\n`,
  )
  count(day, 'Workout', 1)
}

function addActivitySummary(day: Day): void {
  day.lines.push(
    ` <ActivitySummary dateComponents="${day.date}" activeEnergyBurned="${day.random() * 900}" `,
    'activeEnergyBurnedGoal="680" activeEnergyBurnedUnit="kcal" appleMoveTime="0" ',
    `appleMoveTimeGoal="0" appleExerciseTime="${int(day.random, 90)}" `,
    `appleExerciseTimeGoal="30" appleStandHours="${int(day.random, 17)}" `,
    'appleStandHoursGoal="12"/>\n',
  )
  count(day, 'ActivitySummary', 1)
}

function quantity(
  name: string,
  unit: string,
  source: string,
  perDay: number,
  durationSeconds: number,
  value: Series['value'],
  metadata?: Series['metadata'],
): Series {
  const type = `HKQuantityTypeIdentifier${name}`
  return { type, unit, source, perDay, durationSeconds, value, metadata }
}

function motion(random: () => number): string {
  const key = 'HKMetadataKeyHeartRateMotionContext'
  return `  <MetadataEntry key="${key}" value="${int(random, 3)}"/>\n`
}

function pressure(random: () => number): string {
  const key = 'HKMetadataKeyBarometricPressure'
  return `  <MetadataEntry key="${key}" value="${97 + random() * 6} kPa"/>\n`
}

function beats(random: () => number): string {
  let list = ''
  for (let beat = 10; beat < 40; beat++) {
    const bpm = 50 + int(random, 40)
    list += `   <InstantaneousBeatsPerMinute bpm="${bpm}" time="6:53:${beat},41"/>\n`
  }
  return `  <HeartRateVariabilityMetadataList>\n${list}  </HeartRateVariabilityMetadataList>\n`
}

const TIMES_OF_DAY = Array.from({ length: 86_400 }, (_, second) =>
  new Date(second * 1000).toISOString().slice(11, 19),
)

function at(day: Day, second: number): string {
  return `${day.date} ${TIMES_OF_DAY[second]}${day.offset}`
}

function count(day: Day, name: string, increment: number): void {
  day.counts[name] = (day.counts[name] ?? 0) + increment
}

function int(random: () => number, below: number): number {
  return Math.floor(random() * below)
}

function device(address: string, name: string, model: string, hardware: string, software: string) {
  const kind = `name:${name}, manufacturer:Apple Inc., model:${model}, hardware:${hardware}`
  return `&lt;&lt;HKDevice: ${address}&gt;, ${kind}, software:${software}&gt;`
}

/** mulberry32: small, fast and the same on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const HEADER = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  unit          CDATA #IMPLIED
  value         CDATA #IMPLIED
  sourceName    CDATA #REQUIRED
  sourceVersion CDATA #IMPLIED
  device        CDATA #IMPLIED
  creationDate  CDATA #IMPLIED
  startDate     CDATA #REQUIRED
  endDate       CDATA #REQUIRED
>
<!-- Note: Any Records that appear as children of a correlation also appear as top-level
     records in this document. It's read as one comment > this one. -->
]>
<HealthData locale="en_US">
 <ExportDate value="2026-01-15 09:12:44 -0800"/>
 <Me
  HKCharacteristicTypeIdentifierDateOfBirth="1985-06-15"
  HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"
  HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"
  HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet"/>
`
