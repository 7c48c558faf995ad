import { Checkbox, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { groupColumns } from './builder-columns.ts'
import type { BuilderQuery } from './builder-query.ts'
import { type BuilderProps, NumberField } from './query-builder.tsx'

const PART_TITLES: Record<string, string> = {
  minute: 'Minute of the hour',
  hour: 'Hour of the day',
  day: 'Day of the month',
  week: 'Week of the year',
  month: 'Month of the year',
  year: 'Year',
  weekday: 'Day of the week',
  week_of_year: 'Week of the year (ISO)',
  day_of_year: 'Day of the year',
}
const PART = 'part:'

/** By what rows are grouped: buckets of time or a part of it, and columns. */
export function Groups(props: BuilderProps): ReactNode {
  const { query, tables, onChange, errors } = props
  const { bucket, part } = query
  const chosen = bucket !== null ? bucket.unit : part === '' ? '' : PART + part
  const choose = (value: string): void => {
    if (value === '') onChange({ bucket: null, part: '', fill: null })
    else if (value.startsWith(PART)) {
      onChange({ bucket: null, part: value.slice(PART.length), fill: null })
    } else onChange({ bucket: { value: bucket?.value ?? 1, unit: value }, part: '' })
  }
  return (
    <fieldset className="builder-part">
      <legend>Groups</legend>
      <div className="builder-row">
        <NativeSelect
          label="By time"
          description="Local time of the person"
          value={chosen}
          error={errors.group_by}
          data={[
            { value: '', label: 'None' },
            { group: 'Each', items: tables.units.map((unit) => ({ value: unit, label: unit })) },
            {
              group: 'Part of the time',
              items: tables.date_parts.map((name) => ({
                value: PART + name,
                label: PART_TITLES[name] ?? name,
              })),
            },
          ]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {bucket !== null && (
          <NumberField
            label="How many"
            description={`${bucket.unit}s in a group`}
            value={bucket.value}
            onChange={(value) => onChange({ bucket: { ...bucket, value: value ?? 1 } })}
          />
        )}
        {bucket !== null && <FillFields {...props} />}
      </div>
      <GroupColumns {...props} />
    </fieldset>
  )
}

function GroupColumns({ query, tables, onChange }: BuilderProps): ReactNode {
  const { by } = query
  const known = groupColumns(tables, query.table)
  const others = by.filter((id) => known.every((one) => one.id !== id))
  const all = [...known, ...others.map((id) => ({ id, title: id.replace(/^\w+:/, '') }))]
  return (
    <fieldset className="builder-checks" aria-label="And by">
      {all.map(({ id, title }) => (
        <Checkbox
          key={id}
          label={title}
          checked={by.includes(id)}
          onChange={({ currentTarget }) =>
            onChange({ by: currentTarget.checked ? [...by, id] : by.filter((one) => one !== id) })
          }
        />
      ))}
    </fieldset>
  )
}

const FILLS = [
  { value: '', label: 'Stay gaps' },
  { value: 'carry_forward', label: 'Take the value before' },
  { value: 'carry_backward', label: 'Take the next value' },
  { value: 'carry_nearest', label: 'Take the nearest value' },
]

function FillFields({ query, onChange, errors }: BuilderProps): ReactNode {
  const { fill, bucket } = query
  const change = (changes: Partial<NonNullable<BuilderQuery['fill']>>): void =>
    onChange({ fill: { mode: 'carry_forward', reach: null, ...fill, ...changes } })
  const reach = fill?.reach ?? null
  const unit = reach?.unit ?? bucket?.unit ?? 'day'
  return (
    <>
      <NativeSelect
        label="Empty groups"
        description="Without a value"
        value={fill?.mode ?? ''}
        error={errors.align}
        data={FILLS}
        onChange={({ currentTarget: { value } }) =>
          value === '' ? onChange({ fill: null }) : change({ mode: value })
        }
      />
      {fill !== null && (
        <NumberField
          label="At most"
          description={`${unit}s away; empty is any`}
          value={reach?.value ?? null}
          onChange={(value) => change({ reach: value === null ? null : { value, unit } })}
        />
      )}
    </>
  )
}
