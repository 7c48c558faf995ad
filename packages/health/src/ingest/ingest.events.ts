import { defineEvent, type EventType } from '@salus/contracts/event-type'
import { DateTime, Uuid } from '@salus/contracts/schema-types'
import { SERIES, type Series, sampleGroupSchema } from '@salus/contracts/series'
import Type from 'typebox'
import { exampleGroup } from './publishing/example-group.ts'

/**
 * A group of samples as in the grouped read, with its user
 * (docs/contract/08-webhooks-and-events.md#event-types).
 */
function samplesSchema(series: Series) {
  const { properties, title } = sampleGroupSchema(series) as ReturnType<
    typeof sampleGroupSchema
  > & { title: string }
  return Type.Object({ ...properties, user_id: Uuid }, { title: `${title}Event` })
}

export const HistoricalPullCompleted = Type.Object(
  {
    user_id: Uuid,
    start_date: DateTime,
    end_date: DateTime,
    provider: Type.String({ description: 'Provider slug.' }),
    is_final: Type.Boolean({ deprecated: true, description: 'Always true.' }),
  },
  { title: 'HistoricalPullCompleted' },
)

type SampleEventType = EventType<ReturnType<typeof samplesSchema>>
export type HistoryEventType = EventType<typeof HistoricalPullCompleted>

interface SeriesEvents {
  created: SampleEventType
  updated: SampleEventType
  historical: HistoryEventType
}

function defineSeriesEvents(series: Series): SeriesEvents {
  const { resource } = series
  const data = samplesSchema(series)
  const example = exampleGroup(series)
  const common = { data, example, isAboutUser: true }
  return {
    created: defineEvent({
      ...common,
      name: `daily.data.${resource}.created`,
      meaning: `New samples of ${resource} were stored.`,
    }),
    updated: defineEvent({
      ...common,
      name: `daily.data.${resource}.updated`,
      meaning: `Stored samples of ${resource} were replaced by newer versions.`,
    }),
    historical: defineEvent({
      name: `historical.data.${resource}.created`,
      data: HistoricalPullCompleted,
      meaning: `The historical data of ${resource} are stored, as far back as the source has them. Read them from the API.`,
      isAboutUser: true,
      example: {
        user_id: example.user_id,
        start_date: '2026-01-01T00:00:00+00:00',
        end_date: '2026-03-01T00:00:00+00:00',
        provider: 'health_connect',
        is_final: true,
      },
    }),
  }
}

/**
 * A hypnogram is part of a sleep, which has events of its own
 * (docs/contract/08-webhooks-and-events.md#event-types).
 */
const BY_SERIES: ReadonlyMap<string, SeriesEvents> = new Map(
  SERIES.filter(({ name }) => name !== 'hypnogram').map((series) => [
    series.name,
    defineSeriesEvents(series),
  ]),
)

/** Finds the events of a series by its read name; undefined for the one that has none. */
export function findSeriesEvents(seriesName: string): SeriesEvents | undefined {
  return BY_SERIES.get(seriesName)
}

/** Events for complete histories. */
export const SERIES_HISTORY_EVENTS: readonly HistoryEventType[] = [...BY_SERIES.values()].map(
  ({ historical }) => historical,
)

/** The events that this domain raises. */
export const INGEST_EVENTS: readonly EventType[] = [...BY_SERIES.values()].flatMap(
  ({ created, updated, historical }) => [created, updated, historical],
)
