import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeBody } from '@salus/kernel/events/event-body'
import { Ajv } from 'ajv'
import { EVENT_CATALOG } from './index.ts'

const list = (names: string): string[] => names.trim().split(/\s+/)

const SUMMARIES = list(
  'activity sleep sleep_cycle workouts body profile meal menstrual_cycle electrocardiogram',
)
const SERIES_RESOURCES = list(`afib_burden basal_body_temperature blood_oxygen blood_pressure
  body_mass_index body_temperature body_temperature_delta caffeine calories_active calories_basal
  carbohydrates cholesterol daylight_exposure distance electrocardiogram_voltage fall fat
  floors_climbed forced_expiratory_volume_1 forced_vital_capacity glucose handwashing
  heart_rate_alert heart_rate_recovery_one_minute heartrate hrv ige igg inhaler_usage
  insulin_injection lean_body_mass mindfulness_minutes note peak_expiratory_flow_rate
  respiratory_rate sleep_apnea_alert sleep_breathing_disturbance stand_duration stand_hour steps
  stress_level uv_exposure vo2_max waist_circumference water weight wheelchair_push
  workout_distance workout_duration workout_swimming_stroke`)
const OTHERS = list(`provider.connection.created provider.connection.error provider.device.created
  provider.device.updated continuous_query.result_table.changed labtest.order.created
  labtest.order.updated labtest.appointment.created labtest.appointment.updated
  labtest.result.critical labtest.match_review.created labtest.match_review.updated
  lab_report.parsing_job.created lab_report.parsing_job.updated message.attempt.exhausted`)

/** Further events of Salus: the interface has no name for them. */
const OWN = [
  'labtest.order.dispatch_failed',
  'labtest.appointment.reminder',
  'labtest.critical_result_task.created',
  'labtest.critical_result_task.updated',
  'labtest.critical_result_task.escalated',
  'labtest.result.withdrawn',
  'labtest.connection.alert',
  'user.mobile_session.ended',
  'task.created',
  'task.updated',
  'task.acknowledged',
  'task.escalated',
  'task.completed',
  'task.cancelled',
  'rule.triggered',
  'rule.resolved',
]

test('the names are those of the contract, each once', () => {
  const resources = [...SUMMARIES, 'workout_stream', ...SERIES_RESOURCES]
  const expected = [
    ...resources.flatMap((resource) => [
      `daily.data.${resource}.created`,
      `daily.data.${resource}.updated`,
      `historical.data.${resource}.created`,
    ]),
    ...OTHERS,
    ...OWN,
  ]
  assert.equal(resources.length, 60)
  const known = EVENT_CATALOG.map(({ name }) => name)
  assert.deepEqual(known.toSorted(), expected.toSorted())
  assert.equal(new Set(known).size, known.length)
})

test('every example fits its schema and makes a valid body', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const { name, data, example, isAboutUser } of EVENT_CATALOG) {
    const validate = ajv.compile(data)
    assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`)
    const user = isAboutUser ? { id: 'an-id', client_user_id: 'a "quoted" name' } : null
    const text = JSON.stringify(example)
    const body = writeBody({ eventType: name, teamId: 'a-team', user, data: text })
    const { data: sent, ...envelope } = JSON.parse(body.toString())
    assert.deepEqual(sent, JSON.parse(text))
    const about = { user_id: 'an-id', client_user_id: 'a "quoted" name' }
    const expected = { event_type: name, ...(isAboutUser && about), team_id: 'a-team' }
    assert.deepEqual(envelope, expected)
  }
})
