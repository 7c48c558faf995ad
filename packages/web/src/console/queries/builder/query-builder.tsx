import { Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPlus, IconX } from '../../components/icons.tsx'
import { resourceTitle } from '../../people/person/resource-title.ts'
import type { QueryTables } from '../query-completion.ts'
import {
  type BuilderColumn,
  columnsOf,
  columnTitle,
  functionsFor,
  functionTitle,
  startQuery,
  usualFunction,
} from './builder-columns.ts'
import { type BuilderQuery, isSeriesTable, type Measure } from './builder-query.ts'
import { Conditions } from './condition-fields.tsx'
import { Groups } from './group-fields.tsx'

/** What fields of the builder share. */
export interface BuilderProps {
  query: BuilderQuery
  tables: QueryTables
  onChange: (changes: Partial<BuilderQuery>) => void
  /** Messages of the API by place: `select.0`, `where`, `group_by`, `align`, `timeframe`. */
  errors: Readonly<Record<string, string>>
}

/** Fields from which a query is put together. */
export function QueryBuilder(props: BuilderProps): ReactNode {
  return (
    <div className="builder">
      <TableFields {...props} />
      <Measures {...props} />
      {props.query.mode === 'groups' && <Groups {...props} />}
      <Conditions {...props} />
      <TimeFields {...props} />
    </div>
  )
}

const MODES = [
  { value: 'groups', label: 'Groups' },
  { value: 'rows', label: 'Single rows' },
]

function TableFields({ query, tables, onChange }: BuilderProps): ReactNode {
  const summaries = tables.summaries.map(({ name }) => ({
    value: name,
    label: resourceTitle(name),
  }))
  const mayMerge = query.table === 'sleep' || query.table === 'workout'
  return (
    <fieldset className="builder-part">
      <legend>Data</legend>
      <div className="builder-row">
        <NativeSelect
          className="builder-wide"
          label="Table"
          value={query.table}
          data={[
            {
              group: 'Series',
              items: [
                { value: 'merged', label: 'Series, each instant once' },
                { value: 'timeseries', label: 'Series of every source' },
              ],
            },
            { group: 'Summaries', items: summaries },
          ]}
          onChange={({ currentTarget }) => onChange(startQuery(query, tables, currentTarget.value))}
        />
        <SegmentedControl
          aria-label="Groups or single rows"
          data={MODES}
          value={query.mode}
          onChange={(mode) => onChange(changeMode(query, tables, mode as BuilderQuery['mode']))}
        />
        {mayMerge && (
          <Checkbox
            label="Each counts once"
            checked={query.isMerged}
            onChange={({ currentTarget }) => onChange({ isMerged: currentTarget.checked })}
          />
        )}
      </div>
    </fieldset>
  )
}

function changeMode(
  query: BuilderQuery,
  tables: QueryTables,
  mode: BuilderQuery['mode'],
): Partial<BuilderQuery> {
  const columns = columnsOf(tables, query.table)
  const measures = query.measures.map(({ column }) => {
    const known = columns.find(({ id }) => id === column)
    return { column, func: mode === 'rows' ? '' : known ? usualFunction(tables, known) : 'mean' }
  })
  // Two functions of one column are the same column.
  const rows = [...new Map(measures.map((one) => [one.column, one])).values()]
  return { mode, hasKeys: true, measures: mode === 'rows' ? rows : measures }
}

function Measures({ query, tables, onChange, errors }: BuilderProps): ReactNode {
  const columns = columnsOf(tables, query.table)
  const change = (at: number, measure: Measure): void =>
    onChange({ measures: query.measures.map((old, index) => (index === at ? measure : old)) })
  const add = (): void => {
    const taken = new Set(query.measures.map(({ column }) => column))
    const next = columns.find(({ id, unit }) => !taken.has(id) && unit !== null) ?? columns[0]
    if (next === undefined) return
    const func = query.mode === 'rows' ? '' : usualFunction(tables, next)
    onChange({ measures: [...query.measures, { func, column: next.id }] })
  }
  return (
    <fieldset className="builder-part">
      <legend>Values</legend>
      {query.measures.map((measure, at) => (
        <MeasureFields
          // biome-ignore lint/suspicious/noArrayIndexKey: two values may be the same
          key={at}
          {...{ measure, at, columns, tables }}
          error={errors[`select.${at}`]}
          isSeries={isSeriesTable(query.table)}
          onChange={(next) => change(at, next)}
          onRemove={
            query.measures.length === 1
              ? undefined
              : () => onChange({ measures: query.measures.filter((_, index) => index !== at) })
          }
        />
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={add}
        >
          Add value
        </Button>
      </div>
    </fieldset>
  )
}

interface MeasureProps {
  measure: Measure
  /** Position from 0, for the names of the fields. */
  at: number
  columns: readonly BuilderColumn[]
  tables: QueryTables
  error: string | undefined
  isSeries: boolean
  onChange: (measure: Measure) => void
  onRemove: (() => void) | undefined
}

function MeasureFields(props: MeasureProps): ReactNode {
  const { measure, at, columns, tables, error, isSeries, onChange, onRemove } = props
  const known = columns.find(({ id }) => id === measure.column)
  /** A function that was chosen stays, where the other column allows it. */
  const functionOf = (next: BuilderColumn): string => {
    const { func } = measure
    if (func === '') return ''
    const isUsual = known !== undefined && func === usualFunction(tables, known)
    const isAllowed = functionsFor(tables, next.type).includes(func)
    return isAllowed && !isUsual ? func : usualFunction(tables, next)
  }
  const choose = (id: string): void => {
    const next = columns.find((one) => one.id === id)
    onChange({ column: id, func: next === undefined ? measure.func : functionOf(next) })
  }
  const functions = functionsFor(tables, known?.type)
  return (
    <div className="builder-row">
      {measure.func !== '' && (
        <NativeSelect
          aria-label={`Function ${at + 1}`}
          value={measure.func}
          data={[...new Set([...functions, measure.func])].map((name) => ({
            value: name,
            label: functionTitle(name),
          }))}
          onChange={({ currentTarget }) => onChange({ ...measure, func: currentTarget.value })}
        />
      )}
      <NativeSelect
        className="builder-wide"
        aria-label={`${isSeries ? 'Series' : 'Column'} ${at + 1}`}
        value={measure.column}
        error={error}
        data={[
          ...(known === undefined ? [{ value: measure.column, label: measure.column }] : []),
          ...columns.map(({ id, unit }) => ({
            value: id,
            label: unit === null ? columnTitle(id) : `${columnTitle(id)} (${unit})`,
          })),
        ]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {onRemove !== undefined && (
        <RemoveButton label={`Remove value ${at + 1}`} onPress={onRemove} />
      )}
    </div>
  )
}

/** A button that removes a row of fields. */
export function RemoveButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button variant="subtle" aria-label={label} onClick={onPress}>
      <IconX size={16} aria-hidden />
    </Button>
  )
}

interface NumberFieldProps {
  label: string
  description?: string
  /** A whole number from 1; null is an empty field. */
  value: number | null
  error?: string | undefined
  onChange: (value: number | null) => void
}

/** A field of a whole number from 1. */
export function NumberField({ value, onChange, ...props }: NumberFieldProps): ReactNode {
  return (
    <TextInput
      {...props}
      type="number"
      className="builder-number"
      min={1}
      step={1}
      value={value ?? ''}
      onChange={({ currentTarget }) => {
        const typed = Math.floor(currentTarget.valueAsNumber)
        onChange(typed >= 1 ? typed : null)
      }}
    />
  )
}

function TimeFields({ query, tables, onChange, errors }: BuilderProps): ReactNode {
  const { past, anchor } = query
  return (
    <fieldset className="builder-part">
      <legend>Time</legend>
      <div className="builder-row">
        <NumberField
          label="Length"
          value={past.value}
          error={errors.timeframe}
          onChange={(value) => onChange({ past: { ...past, value: value ?? 1 } })}
        />
        <NativeSelect
          aria-label="Unit of the length"
          value={past.unit}
          data={tables.units.map((unit) => ({ value: unit, label: `${unit}s` }))}
          onChange={({ currentTarget }) =>
            onChange({ past: { ...past, unit: currentTarget.value } })
          }
        />
        <TextInput
          type="date"
          label="Last day"
          value={anchor}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') onChange({ anchor: currentTarget.value })
          }}
        />
      </div>
    </fieldset>
  )
}
