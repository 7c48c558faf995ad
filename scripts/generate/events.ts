import type { EventType } from '@salus/contracts/event-type'
import { UNSENT_REASONS } from '@salus/kernel/events/outbox'
import { RETRY_DELAYS_MS } from '../../packages/server/src/webhooks/delivery/retry-schedule.ts'
import { EVENT_CATALOG } from '../../packages/server/src/webhooks/event-catalog/index.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'

/** Generates docs/events.md: every event of the catalog. */
export function describeEvents(): string {
  return joinParts(
    generatedNotice('packages/server/src/webhooks/event-catalog/index.ts'),
    '# Events',
    `Salus writes ${EVENT_CATALOG.length} types of events. Each event is sent as one message to each webhook endpoint that subscribes to it, with the body below. How to receive them is in [webhooks](webhooks.md).`,
    '## Envelope',
    ENVELOPE,
    '## About connections, devices and deliveries',
    eventTable(EVENT_CATALOG.filter((type) => !isOfSeries(type))),
    '## About samples',
    SAMPLES,
    seriesTable(),
    '## Payloads',
    'Examples of `data`. The OpenAPI document and the types of the SDK have the schema of each.',
    examples(),
    '## Undelivered events',
    'Every event is listed. An event that no endpoint received has a reason:',
    markdownTable(
      ['unsent_reason', 'Meaning'],
      Object.entries(UNSENT_REASONS).map(([reason, meaning]) => [code(reason), meaning]),
    ),
    '## Attempts',
    `The first attempt is made at once. Further attempts follow after ${RETRY_DELAYS_MS.map(inWords).join(', ')}.`,
  )
}

const ENVELOPE = [
  '```json',
  '{',
  '  "event_type": "daily.data.heartrate.created",',
  '  "data": {},',
  '  "user_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6",',
  '  "client_user_id": "your own id of the person",',
  '  "team_id": "0b9a3c1e-1111-4a6d-9c55-2f0d8a7e4b01"',
  '}',
  '```',
  '',
  'Events about no person have neither `user_id` nor `client_user_id`. Ignore types that you do not know: new ones may be added.',
].join('\n')

const SAMPLES = [
  'For each resource R of the table:',
  '',
  '- `daily.data.R.created`: new samples. `daily.data.R.updated`: newer versions of stored samples. Sending the same samples again causes no event.',
  '- `historical.data.R.created`: the history is stored as far as the source has it. The event contains no samples; read them from the API. Uploads with `stage` `historical` and imports cause it, and no `daily` event unless the team sets `push_historical_data`.',
  '',
  'One message has samples of one source, at most 1,000 of them and 256 KiB. A sample is identified by provider, source, type and time. Receivers must accept repeated samples: delivery is at least once.',
].join('\n')

const isOfSeries = ({ name }: EventType): boolean => /^(daily|historical)\.data\./.test(name)
const resourceOf = ({ name }: EventType): string => name.split('.')[2] ?? ''

function eventTable(types: readonly EventType[]): string {
  return markdownTable(
    ['Event', 'Raised when', 'Person'],
    types.map(({ name, meaning, isAboutUser }) => [
      code(name),
      meaning,
      isAboutUser ? 'yes' : 'no',
    ]),
  )
}

function seriesTable(): string {
  const created = EVENT_CATALOG.filter(({ name }) => /^daily\.data\..*\.created$/.test(name))
  return markdownTable(
    ['R', 'Shape of the data'],
    created.map((type) => [
      code(resourceOf(type)),
      code(String((type.data as { title?: string }).title)),
    ]),
  )
}

function examples(): string {
  const shown = [
    'provider.connection.created',
    'provider.device.created',
    'message.attempt.exhausted',
    'historical.data.heartrate.created',
    'daily.data.heartrate.created',
    'daily.data.blood_pressure.created',
  ]
  return EVENT_CATALOG.filter(({ name }) => shown.includes(name))
    .map(
      ({ name, example }) =>
        `### ${code(name)}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    )
    .join('\n\n')
}

function inWords(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
}
