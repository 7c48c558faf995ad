import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { Failure } from '../components/failure.tsx'
import { PersonPicker } from '../components/person-picker.tsx'
import { ResultChart } from '../queries/result-chart.tsx'
import type { ResultCharts } from '../queries/result-series.ts'
import { usePreview } from './rule-queries.ts'
import type { Condition, PreviewResult, RuleEpisode } from './rule-words.ts'

type Step = RuleEpisode['steps'][number]

const DAYS = [3, 7, 14, 31].map((days) => ({ value: String(days), label: `Last ${days} days` }))

/** Tries a condition on the last days, before a rule is created. */
export function RulePreview({ condition }: { condition: Condition }): ReactNode {
  const [userId, setUserId] = useState('')
  const [days, setDays] = useState('14')
  const preview = usePreview()
  return (
    <div className="rule-preview">
      <div className="query-bar">
        <PersonPicker label="Person (none: everyone)" value={userId} onChange={setUserId} />
        <NativeSelect
          label="Time"
          value={days}
          data={DAYS}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
        <Button
          variant="default"
          loading={preview.isPending}
          onClick={() => preview.mutate({ condition, days: Number(days), userId })}
        >
          Preview
        </Button>
      </div>
      {preview.error !== null && <Failure error={preview.error} />}
      {preview.error === null && preview.data !== undefined && <Outcome result={preview.data} />}
    </div>
  )
}

const people = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`

function Outcome({ result }: { result: PreviewResult }): ReactNode {
  const { steps, threshold, unit, users_checked: checked, next_cursor: cursor } = result
  const times = result.episodes_counted
  return (
    <>
      <p role="status">
        {checked === 1
          ? `It would have triggered ${times} ${times === 1 ? 'time' : 'times'}`
          : `It would have triggered ${times} times, for ${result.users_triggered} of ${people(checked)}`}
        {result.users_holding > 0 && `, and holds now for ${people(result.users_holding)}`}.
        {cursor !== null && ' Further people were not looked at.'}
      </p>
      <StepChart steps={steps} threshold={threshold} unit={unit} />
      {result.episodes.length > 0 && (
        <ul className="rule-times">
          {result.episodes.slice(-20).map(({ start, end, value }) => (
            <li key={start}>
              {showLocal(start)} to {end === null ? 'now' : showLocal(end)}
              {value !== null && `: ${[value, unit].filter(Boolean).join(' ')}`}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Shows a local time as it is, whatever zone the reader is in. */
export const showLocal = (text: string): string => text.slice(0, 16).replace('T', ' ')

/** Draws the values of steps, with the threshold; nothing for fewer than two. */
export function StepChart({
  steps,
  threshold,
  unit,
}: {
  steps: readonly Step[]
  threshold: number | null
  unit: string | null
}): ReactNode {
  const charts = useMemo(() => toCharts(steps, threshold, unit), [steps, threshold, unit])
  if (steps.length < 2) return null
  return <ResultChart charts={charts} />
}

function toCharts(
  steps: readonly Step[],
  threshold: number | null,
  unit: string | null,
): ResultCharts {
  const values = { name: 'Value', values: steps.map(({ value }) => value) }
  const limit = { name: 'Threshold', values: steps.map(() => threshold) }
  return {
    x: steps.map(({ start }) => Date.parse(`${start}Z`) / 1000),
    xName: 'Time',
    isTime: true,
    plots: [
      {
        unit: unit ?? '',
        isFromZero: false,
        lines: threshold === null ? [values] : [values, limit],
      },
    ],
    leftOut: 0,
  }
}
