import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { BarChart } from '../../components/bar-chart.tsx'
import { Failure } from '../../components/failure.tsx'
import { formatQuantity } from '../../components/format-quantity.ts'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useViewState } from '../../shell/view-state.ts'

type Histogram = components['schemas']['AttemptHistogram']
type Interval = Histogram['interval']

const RANGES = [
  { value: '1h', label: '24 hours' },
  { value: '1d', label: '30 days' },
]

/** Interval of reloading, in milliseconds. */
const RELOAD_MS = 60_000

/** Shows how many attempts succeeded and failed, by hour or by day. */
export function AttemptHistogram({ webhookId }: { webhookId: string }): ReactNode {
  const { key, path } = useEnvironment()
  const [{ interval }, change] = useViewState({ interval: '1h' })
  const { data, error, refetch } = useQuery({
    queryKey: [...key, 'attempt histogram', webhookId, interval],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET(
          '/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/attempt_histogram',
          {
            params: {
              path: { ...path, webhook_id: webhookId },
              query: { interval: interval as Interval },
            },
            signal,
          },
        ),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: RELOAD_MS,
  })
  return (
    <Section
      title="Attempts over time"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Range of the chart"
          value={interval}
          onChange={(value) => change({ interval: value })}
          data={RANGES}
        />
      }
    >
      {error !== null && data === undefined && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Waiting label="Loading the attempts" lines={3} />}
      {data !== undefined && <Bars histogram={data} />}
    </Section>
  )
}

function Bars({ histogram: { interval, data } }: { histogram: Histogram }): ReactNode {
  const format = interval === '1h' ? formatHour : formatDay
  const failed = data.reduce((sum, one) => sum + one.failed, 0)
  const all = failed + data.reduce((sum, one) => sum + one.succeeded, 0)
  const ends = [data[0]?.from ?? '', data[Math.floor(data.length / 2)]?.from ?? '']
  const [from, between] = ends.map(format)
  return (
    <>
      <p className="webhooks-plain quiet">
        {formatQuantity(all, 'attempt')}, {failed.toLocaleString('en')} of them failed
        {interval === '1d' && '; days are those of UTC'}.
      </p>
      <BarChart
        label={`Attempts by ${interval === '1h' ? 'hour' : 'day'}: ${all}, of which ${failed} failed.`}
        bars={data.map(({ from: at, succeeded, failed: bad }) => ({
          key: at,
          title: format(at),
          value: succeeded + bad,
          failed: bad,
        }))}
        from={from ?? ''}
        between={between ?? ''}
        to={interval === '1h' ? 'now' : 'today'}
      />
    </>
  )
}

/** In the zone of the reader, such as `7 AM`. */
const formatHour = (at: string): string =>
  new Date(at).toLocaleTimeString('en', { hour: 'numeric', minute: '2-digit' })

/** `Mar 2`. */
const formatDay = (at: string): string =>
  new Date(at).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
