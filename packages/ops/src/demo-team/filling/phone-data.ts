import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { ReadLife } from '@salus/health/link'
import type { DemoClient } from './demo-client.ts'

/** Number of days of history that phones send. */
export const PHONE_DAYS = 90

/** Number of samples in a request, as apps on phones send them. */
const CHUNK = 5_000
const PROVIDER = 'apple_health_kit'
const WATCH = {
  source_bundle: 'com.apple.health.demo',
  product_type: 'Watch7,1',
  type: 'watch',
  metadata: { _DMO: 'Watch7,1', _DMA: 'Apple Inc.' },
}

type Life = ReturnType<ReadLife>

interface Phone {
  client: DemoClient
  userId: string
  timeZone: string
  from: number
  to: number
}

const at = (instant: number): string => new Date(instant).toISOString()

/**
 * Uploads the data that a watch and a phone would have of the last months, in the way of apps on
 * phones: first those that charts show, then the rest.
 * @param show Called when there are data to see.
 */
export async function uploadPhone(
  client: DemoClient,
  readLife: ReadLife,
  {
    userId,
    account,
    timeZone,
    now,
  }: { userId: string; account: string; timeZone: string; now: number },
  show: () => Promise<void>,
): Promise<void> {
  await client.callTeamApi('POST', `/v2/link/provider/manual/${PROVIDER}`, { user_id: userId })
  const span = { from: now - PHONE_DAYS * DAY_MS, to: now }
  const phone = { client, userId, timeZone, ...span }
  const life = readLife(account, span, 'oura')
  await sendSeries(phone, 'heartrate', samplesOf(life.heartRates, 'bpm'))
  await sendSeries(
    phone,
    'steps',
    movementsOf(life, 'count', ({ steps }) => steps),
  )
  await sendSummaries(phone, 'sleep', life.sleeps.map(toSleep))
  await show()
  await sendSummaries(phone, 'workouts', life.workouts.map(toWorkout(life)))
  await sendSummaries(phone, 'activity', life.days.map(toActivity))
  await sendSummaries(phone, 'body', { body_mass: weightsOf(life, span.to) })
  await sendSeries(
    phone,
    'distance',
    movementsOf(life, 'm', ({ meters }) => meters),
  )
  await sendSeries(
    phone,
    'calories_active',
    movementsOf(life, 'kcal', ({ calories }) => calories),
  )
}

const pointOf = (instant: number, value: number, unit: string) => ({
  ...WATCH,
  value,
  unit,
  start_date: at(instant),
  end_date: at(instant),
})

const samplesOf = (values: readonly { at: number; value: number }[], unit: string) =>
  values.map((sample) => pointOf(sample.at, sample.value, unit))

const movementsOf = (
  { hours }: Life,
  unit: string,
  read: (hour: Life['hours'][number]) => number,
): object[] =>
  hours
    .filter(({ steps }) => steps > 0)
    .map((hour) => ({
      ...WATCH,
      value: read(hour),
      unit,
      start_date: at(hour.from),
      end_date: at(hour.to),
    }))

/** Weights at seven in the morning. */
const weightsOf = ({ days }: Life, now: number): object[] =>
  days
    .map((day) => pointOf(day.from + 7 * 60 * MINUTE_MS, day.weightKilograms, 'kg'))
    .filter(({ start_date }) => Date.parse(start_date) < now)

const sessionOf = ({ from, to }: { from: number; to: number }) => ({
  id: `demo-${from}`,
  start_date: at(from),
  end_date: at(to),
  source_bundle: WATCH.source_bundle,
  product_type: WATCH.product_type,
  source_type: 'watch',
  metadata: WATCH.metadata,
})

function toSleep(sleep: Life['sleeps'][number]): object {
  const stagesOf = (wanted: string) =>
    sleep.stages
      .filter(({ stage }) => stage === wanted)
      .map(({ from, to }) => ({
        ...pointOf(sleep.from + from * 1000, 1, 'stage'),
        end_date: at(sleep.from + to * 1000),
      }))
  return {
    ...sessionOf(sleep),
    sleep_stages: {
      awake_sleep_samples: stagesOf('awake'),
      light_sleep_samples: stagesOf('light'),
      deep_sleep_samples: stagesOf('deep'),
      rem_sleep_samples: stagesOf('rem'),
    },
  }
}

const toWorkout =
  ({ heartRates }: Life) =>
  (workout: Life['workouts'][number]): object => {
    const { from, to, sport, calories, meters } = workout
    const minutes = Math.max(1, Math.floor((to - from) / MINUTE_MS))
    const starts = Array.from({ length: minutes }, (_, minute) => minute * 60)
    const components = {
      distance_walking_running: [
        {
          ...WATCH,
          anchor: at(from),
          value: starts.map((second) => paceAt(second) * (meters / minutes)),
          start_offset: starts,
          end_offset: starts.map((second) => second + 60),
        },
      ],
    }
    return {
      ...sessionOf(workout),
      sport: sport.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase()),
      calories,
      distance: meters,
      heart_rate: samplesOf(
        heartRates.filter((sample) => sample.at >= from && sample.at < to),
        'bpm',
      ),
      ...(meters > 0 && { stream: { components } }),
    }
  }

/** The pace varies. */
const paceAt = (second: number): number => 1 + 0.12 * Math.sin(second / 190)

const toActivity = (day: Life['days'][number]): object => ({
  day_summary: {
    calendar_date: day.date,
    active_energy_burned_sum: day.calories,
    basal_energy_burned_sum: day.totalCalories - day.calories,
    steps_sum: day.steps,
    distance_walking_running_sum: day.meters,
    exercise_time: Math.round((day.mediumSeconds + day.highSeconds) / 60),
  },
})

async function sendSeries(phone: Phone, resource: string, samples: object[]): Promise<void> {
  for (let first = 0; first < samples.length; first += CHUNK) {
    const data = samples.slice(first, first + CHUNK)
    const isFinal = first + CHUNK >= samples.length
    await send(phone, `/v2/timeseries/${phone.userId}/${resource}`, data, isFinal)
  }
}

const sendSummaries = (phone: Phone, resource: string, data: object): Promise<void> =>
  send(phone, `/v2/summary/${resource}/${phone.userId}`, data, true)

async function send(phone: Phone, url: string, data: object, isFinal: boolean): Promise<void> {
  const { client, timeZone, from, to } = phone
  await client.callTeamApi('POST', url, {
    stage: 'historical',
    provider: PROVIDER,
    start_date: at(from),
    end_date: at(to),
    time_zone: timeZone,
    is_final_chunk: isFinal,
    data,
  })
}
