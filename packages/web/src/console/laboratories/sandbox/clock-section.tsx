import { Button, NativeSelect, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { Failure } from '../../components/failure.tsx'
import { formatQuantity } from '../../components/format-quantity.ts'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'

const clockQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'sandbox_clock'],
    queryFn: ({ signal }) => unwrapResponse(team.GET('/v3/sandbox/clock', { signal })),
  })

const UNITS = [
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
]

const STEPS = [
  { seconds: 3600, label: '1 hour' },
  { seconds: 86_400, label: '1 day' },
  { seconds: 3 * 86_400, label: '3 days' },
  { seconds: 7 * 86_400, label: '1 week' },
]

/** Longest step that the API accepts. */
const MOST_SECONDS = 366 * 86_400

/** The clock of the sandbox, which can only move forward. */
export function ClockSection(): ReactNode {
  const environment = useEnvironment()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(clockQuery(environment))
  const [count, setCount] = useState('1')
  const [unit, setUnit] = useState('86400')
  const advance = useMutation({
    mutationFn: (seconds: number) =>
      unwrapResponse(environment.team.POST('/v3/sandbox/advance', { body: { seconds } })),
    // Any data may have changed.
    onSuccess: () => client.invalidateQueries({ queryKey: [...environment.key] }),
  })
  const seconds = Math.round(Number(count) * Number(unit))
  const isRight = Number.isFinite(seconds) && seconds >= 1 && seconds <= MOST_SECONDS
  return (
    <Section
      title="Clock"
      description="Everything that is due in the skipped time happens at once: parcels arrive, visits take place, scheduled orders are sent to the laboratory."
    >
      {error && <Failure error={error} onRetry={refetch} />}
      {data === undefined && !error && <Waiting label="Loading the clock" lines={1} />}
      {data && <RunningClock offsetSeconds={data.offset_seconds} />}
      <div className="clock-steps">
        {STEPS.map((step) => (
          <Button
            key={step.seconds}
            variant="outline"
            disabled={advance.isPending}
            onClick={() => advance.mutate(step.seconds)}
          >
            + {step.label}
          </Button>
        ))}
        <form
          className="clock-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (isRight) advance.mutate(seconds)
          }}
        >
          <TextInput
            size="sm"
            className="clock-count"
            inputMode="numeric"
            aria-label="Amount"
            value={count}
            onChange={({ currentTarget }) => setCount(currentTarget.value)}
          />
          <NativeSelect
            size="sm"
            aria-label="Unit"
            value={unit}
            onChange={({ currentTarget }) => setUnit(currentTarget.value)}
            data={UNITS}
          />
          <Allowed to="settings:write">
            <Button type="submit" disabled={!isRight} loading={advance.isPending}>
              Move clock forward
            </Button>
          </Allowed>
        </form>
      </div>
      {!isRight && <p className="quiet">Enter a time from one second to 366 days.</p>}
      <p role="status" className="clock-outcome">
        {advance.data && describeOutcome(advance.data.steps)}
      </p>
      {advance.error && <Failure error={advance.error} />}
    </Section>
  )
}

function describeOutcome(steps: number): string {
  if (steps === 0) return 'The clock was moved. Nothing was due in that time.'
  return `The clock was moved, and orders took ${steps === 1 ? 'one step' : `${steps} steps`}.`
}

function RunningClock({ offsetSeconds }: { offsetSeconds: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const time = new Date(now + offsetSeconds * 1000)
  return (
    <div>
      <time className="clock-time" dateTime={time.toISOString()}>
        {TIME.format(time)}
      </time>
      <p className="quiet clock-ahead">{describeOffset(offsetSeconds)}</p>
    </div>
  )
}

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })

function describeOffset(seconds: number): string {
  if (seconds < 60) return 'The same as the real time.'
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const parts = [
    days > 0 && `${days} ${days === 1 ? 'day' : 'days'}`,
    hours > 0 && `${hours} ${hours === 1 ? 'hour' : 'hours'}`,
    minutes > 0 && formatQuantity(minutes, 'minute'),
  ].filter(Boolean)
  return `${parts.join(', ')} ahead of the real time. It cannot be moved back.`
}
