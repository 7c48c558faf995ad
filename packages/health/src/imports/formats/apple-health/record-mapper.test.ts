import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unknownLocalTimes } from '../../../../../server/test/imports/unknown-local-times.ts'
import type { Sample } from '../../../ingest/index.ts'
import type { HealthRecord } from './health-data.ts'
import { mapBloodPressure, mapRecord } from './record-mapper.ts'
import { BLOOD_PRESSURE, DIASTOLIC, RECORD_MAPPINGS, SYSTOLIC } from './record-types.ts'

const START = '2024-03-01 08:00:00 -0800'
const STARTED_AT = Date.parse('2024-03-01T16:00:00Z')

function recordOf(type: string, change: Partial<HealthRecord> = {}): HealthRecord {
  return {
    type,
    unit: 'count',
    value: '30',
    sourceName: 'Tester',
    sourceVersion: undefined,
    device: undefined,
    creationDate: '2024-03-01 08:10:00 -0800',
    startDate: START,
    endDate: '2024-03-01 08:30:00 -0800',
    metadata: new Map(),
    insideCorrelation: false,
    ...change,
  }
}

const LOCAL_TIMES = unknownLocalTimes()
const map = (record: HealthRecord) => mapRecord(record, LOCAL_TIMES)

function mapped(type: string, change: Partial<HealthRecord> = {}): Sample {
  const sample = map(recordOf(type, change))
  assert.ok(typeof sample === 'object', `${type}: ${sample}`)
  return sample
}

const quantity = (name: string): string => `HKQuantityTypeIdentifier${name}`
const category = (name: string): string => `HKCategoryTypeIdentifier${name}`

/** Every mapped type once: unit and value as an export writes them, and what must be stored. */
const QUANTITIES: [name: string, unit: string, value: string, series: string, stored: number][] = [
  ['StepCount', 'count', '329', 'steps', 329],
  ['DistanceWalkingRunning', 'km', '1.5', 'distance', 1500],
  ['DistanceWheelchair', 'mi', '1', 'distance', 1609.344],
  ['FlightsClimbed', 'count', '3', 'floors_climbed', 3],
  ['PushCount', 'count', '40', 'wheelchair_push', 40],
  ['ActiveEnergyBurned', 'Cal', '12.5', 'calories_active', 12.5],
  ['BasalEnergyBurned', 'kJ', '4.184', 'calories_basal', 1],
  ['AppleStandTime', 'min', '4', 'stand_duration', 4],
  ['HeartRate', 'count/min', '72', 'heartrate', 72],
  ['HeartRateVariabilitySDNN', 'ms', '42.5', 'hrv', 42.5],
  ['HeartRateRecoveryOneMinute', 'count/min', '25', 'heart_rate_recovery_one_minute', 25],
  ['AtrialFibrillationBurden', '%', '0.02', 'afib_burden', 2],
  ['OxygenSaturation', '%', '0.97', 'blood_oxygen', 97],
  ['RespiratoryRate', 'count/min', '14', 'respiratory_rate', 14],
  ['VO2Max', 'mL/min\u00b7kg', '41', 'vo2_max', 41],
  ['BloodGlucose', 'mg/dL', '90.091', 'glucose', 5],
  ['BloodGlucose', 'mmol<180.1558800000541>/L', '5.5', 'glucose', 5.5],
  ['BodyTemperature', 'degF', '98.6', 'body_temperature', 37],
  ['BasalBodyTemperature', 'degC', '36.4', 'basal_body_temperature', 36.4],
  ['AppleSleepingWristTemperature', 'degC', '34.9', 'body_temperature', 34.9],
  ['BodyMass', 'lb', '100', 'body_weight', 45.359237],
  ['BodyFatPercentage', '%', '0.215', 'body_fat', 21.5],
  ['BodyMassIndex', 'count', '22.5', 'body_mass_index', 22.5],
  ['LeanBodyMass', 'kg', '55', 'lean_body_mass', 55],
  ['WaistCircumference', 'in', '10', 'waist_circumference', 25.4],
  ['DietaryWater', 'mL', '250', 'water', 250],
  ['DietaryCaffeine', 'mg', '80', 'caffeine', 0.08],
  ['DietaryCarbohydrates', 'g', '30', 'carbohydrates', 30],
  ['ForcedExpiratoryVolume1', 'L', '3.2', 'forced_expiratory_volume_1', 3.2],
  ['ForcedVitalCapacity', 'L', '4.1', 'forced_vital_capacity', 4.1],
  ['PeakExpiratoryFlowRate', 'L/min', '480', 'peak_expiratory_flow_rate', 480],
  ['InhalerUsage', 'count', '2', 'inhaler_usage', 2],
  ['NumberOfTimesFallen', 'count', '1', 'fall', 1],
  ['UVExposure', 'count', '6', 'uv_exposure', 6],
  ['TimeInDaylight', 'min', '20', 'daylight_exposure', 20],
  ['AppleSleepingBreathingDisturbances', 'count', '3', 'sleep_breathing_disturbance', 3],
]

for (const [name, unit, value, series, stored] of QUANTITIES) {
  test(`${value} ${unit} of ${name} become ${stored} of ${series}`, () => {
    const sample = mapped(quantity(name), { unit, value })
    assert.equal(sample.series, series)
    assert.ok(Math.abs(sample.value - stored) < 1e-9, String(sample.value))
  })
}

const STAND = 'HKCategoryValueAppleStandHour'
const SLEEP = 'HKCategoryValueSleepAnalysis'

/** The same for types whose value is a code, a mere occurrence or the time it lasted. */
const CATEGORIES: [
  name: string,
  value: string,
  series: string,
  stored: number,
  sampleType: string,
][] = [
  ['AppleStandHour', `${STAND}Stood`, 'stand_hour', 1, 'stood'],
  ['AppleStandHour', `${STAND}Idle`, 'stand_hour', 1, 'idle'],
  ['HighHeartRateEvent', '0', 'heart_rate_alert', 1, 'high_heart_rate'],
  ['LowHeartRateEvent', '0', 'heart_rate_alert', 1, 'low_heart_rate'],
  ['IrregularHeartRhythmEvent', '0', 'heart_rate_alert', 1, 'irregular_rhythm'],
  ['SleepApneaEvent', '0', 'sleep_apnea_alert', 1, ''],
  ['HandwashingEvent', '0', 'handwashing', 1, ''],
  ['MindfulSession', 'HKCategoryValueNotApplicable', 'mindfulness_minutes', 30, ''],
  ['SleepAnalysis', `${SLEEP}AsleepDeep`, 'hypnogram', 1, ''],
  ['SleepAnalysis', `${SLEEP}AsleepCore`, 'hypnogram', 2, ''],
  ['SleepAnalysis', `${SLEEP}AsleepREM`, 'hypnogram', 3, ''],
  ['SleepAnalysis', `${SLEEP}Awake`, 'hypnogram', 4, ''],
  ['SleepAnalysis', `${SLEEP}AsleepUnspecified`, 'hypnogram', -1, ''],
  ['SleepAnalysis', `${SLEEP}Asleep`, 'hypnogram', -1, ''],
]

for (const [name, value, series, stored, sampleType] of CATEGORIES) {
  test(`${name} ${value} becomes ${stored} of ${series}`, () => {
    const sample = mapped(category(name), { unit: undefined, value })
    assert.deepEqual([sample.series, sample.value, sample.sampleType], [series, stored, sampleType])
  })
}

test('the tables above name every mapped type', () => {
  const tried = [
    ...QUANTITIES.map(([name]) => quantity(name)),
    ...CATEGORIES.map(([name]) => category(name)),
    quantity('InsulinDelivery'),
  ]
  assert.deepEqual(new Set(tried), new Set(Object.keys(RECORD_MAPPINGS)))
})

test('in bed is no stage of sleep, and an unknown code or type has no series', () => {
  const sleep = category('SleepAnalysis')
  assert.equal(map(recordOf(sleep, { value: `${SLEEP}InBed` })), 'not_supported')
  assert.equal(map(recordOf(sleep, { value: undefined })), 'not_supported')
  assert.equal(map(recordOf(quantity('RestingHeartRate'))), 'not_supported')
  assert.equal(map(recordOf('constructor')), 'not_supported')
  const standHour = category('AppleStandHour')
  assert.equal(map(recordOf(standHour, { value: 'constructor' })), 'not_supported')
})

test('wheelchair, wrist and SDNN are kept with the sample', () => {
  assert.equal(mapped(quantity('DistanceWheelchair'), { unit: 'm' }).sport, 'wheelchair_pushing')
  const wrist = mapped(quantity('AppleSleepingWristTemperature'), { unit: 'degC' })
  assert.equal(wrist.extra, '{"sensor_location":"wrist"}')
  const hrv = mapped(quantity('HeartRateVariabilitySDNN'), { unit: 'ms' })
  assert.equal(hrv.extra, '{"method":"sdnn"}')
})

test('a bolus is rapid-acting insulin, a basal dose is not guessed at', () => {
  const insulin = (reason: string | undefined) => {
    const metadata = new Map(reason === undefined ? [] : [['HKInsulinDeliveryReason', reason]])
    return map(recordOf(quantity('InsulinDelivery'), { unit: 'IU', value: '4', metadata }))
  }
  for (const reason of ['2', 'HKInsulinDeliveryReasonBolus']) {
    const dose = insulin(reason) as Sample
    assert.deepEqual([dose.sampleType, dose.value], ['rapid_acting', 4])
    assert.equal(dose.extra, '{"delivery_mode":"bolus"}')
  }
  assert.equal(insulin('1'), 'missing_type')
  assert.equal(insulin(undefined), 'missing_type')
})

const QUARANTINED: [reason: string, change: Partial<HealthRecord>][] = [
  ['invalid_value', { value: undefined }],
  ['invalid_value', { value: ' ' }],
  ['invalid_value', { value: 'many' }],
  ['invalid_value', { value: 'Infinity' }],
  ['unknown_unit', { unit: 'kg' }],
  ['unknown_unit', { unit: 'mi' }],
  ['out_of_range', { value: '-1' }],
  ['invalid_start_date', { startDate: '' }],
  ['invalid_start_date', { startDate: '2024-02-30 08:00:00 -0800' }],
  ['invalid_start_date', { startDate: '1850-01-01 08:00:00 -0800' }],
  ['invalid_end_date', { endDate: 'later' }],
  ['end_before_start', { endDate: '2024-03-01 07:59:59 -0800' }],
]

for (const [reason, change] of QUARANTINED) {
  test(`a record with ${JSON.stringify(change)} is quarantined for ${reason}`, () => {
    assert.equal(map(recordOf(quantity('StepCount'), change)), reason)
  })
}

test('an interval keeps its end, a point has none, the offset is the one written', () => {
  const steps = mapped(quantity('StepCount'))
  assert.deepEqual([steps.startedAt, steps.endedAt], [STARTED_AT, STARTED_AT + 1_800_000])
  assert.equal(steps.timezoneOffset, -8 * 3600)
  const rate = mapped(quantity('HeartRate'), { unit: 'count/min' })
  assert.equal(rate.endedAt, rate.startedAt)
})

test('the zone is kept when it exists, the version is the second of creation, else of the end', () => {
  const zone = (name: string) =>
    mapped(quantity('StepCount'), { metadata: new Map([['HKTimeZone', name]]) }).timeZone
  assert.equal(zone('America/Los_Angeles'), 'America/Los_Angeles')
  assert.equal(zone('America/Nowhere'), '')
  const created = mapped(quantity('StepCount'))
  const second = ({ modifiedAt }: Sample) => Math.floor((modifiedAt ?? 0) / 1000) * 1000
  assert.equal(second(created), STARTED_AT + 600_000)
  const bare = mapped(quantity('StepCount'), { creationDate: undefined })
  assert.equal(second(bare), STARTED_AT + 1_800_000)
})

test('a correlation of two pressures is one reading, and either half is checked', () => {
  const half = (type: string, value: string, unit = 'mmHg') => recordOf(type, { unit, value })
  const reading = (...records: HealthRecord[]) => {
    const { unit: _unit, value: _value, insideCorrelation: _inside, ...rest } = recordOf('')
    return mapBloodPressure({ ...rest, type: BLOOD_PRESSURE, records }, LOCAL_TIMES)
  }
  const sample = reading(half(DIASTOLIC, '80'), half(SYSTOLIC, '120')) as Sample
  assert.deepEqual([sample.series, sample.value, sample.diastolic], ['blood_pressure', 120, 80])
  assert.equal(sample.endedAt, sample.startedAt)
  assert.equal(reading(half(SYSTOLIC, '120')), 'invalid_value')
  assert.equal(reading(half(SYSTOLIC, 'x'), half(DIASTOLIC, '80')), 'invalid_value')
  assert.equal(reading(half(SYSTOLIC, '120'), half(DIASTOLIC, '80', 'kg')), 'unknown_unit')
  assert.equal(reading(half(SYSTOLIC, '120'), half(DIASTOLIC, '500')), 'out_of_range')
})
