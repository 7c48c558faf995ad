import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPlus } from '../../components/icons.tsx'
import { type BuilderColumn, conditionColumns } from './builder-columns.ts'
import { COMPARISONS, type Condition } from './conditions.ts'
import { type BuilderProps, RemoveButton } from './query-builder.tsx'

/** Conditions that rows must meet, all of them. */
export function Conditions({ query, tables, onChange, errors }: BuilderProps): ReactNode {
  const columns = conditionColumns(tables, query)
  const { conditions } = query
  const add = (): void => {
    const [first] = columns
    if (first === undefined) return
    const comparison = isNumber(first) ? '>=' : '='
    const condition = { column: first.id, comparison, value: emptyValue(first) }
    onChange({ conditions: [...conditions, condition] })
  }
  return (
    <fieldset className="builder-part">
      <legend>Filters</legend>
      {conditions.map((condition, at) => (
        <ConditionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may be the same
          key={at}
          {...{ condition, at, columns }}
          onChange={(next) =>
            onChange({ conditions: conditions.map((old, index) => (index === at ? next : old)) })
          }
          onRemove={() => onChange({ conditions: conditions.filter((_, index) => index !== at) })}
        />
      ))}
      {errors.where !== undefined && (
        <p className="builder-error" role="alert">
          {errors.where}
        </p>
      )}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={add}
        >
          Add filter
        </Button>
      </div>
    </fieldset>
  )
}

const isNumber = (column: BuilderColumn | undefined): boolean =>
  column?.type === 'integer' || column?.type === 'number'

function emptyValue(column: BuilderColumn | undefined): Condition['value'] {
  if (column?.type === 'boolean') return true
  return isNumber(column) ? 0 : ''
}

interface ConditionProps {
  condition: Condition
  /** Position from 0, for the names of the fields. */
  at: number
  columns: readonly BuilderColumn[]
  onChange: (condition: Condition) => void
  onRemove: () => void
}

function ConditionFields({
  condition,
  at,
  columns,
  onChange,
  onRemove,
}: ConditionProps): ReactNode {
  const known = columns.find(({ id }) => id === condition.column)
  const choose = (id: string): void => {
    const next = columns.find((one) => one.id === id)
    const isSameType = next?.type === known?.type
    onChange({ ...condition, column: id, ...(!isSameType && { value: emptyValue(next) }) })
  }
  return (
    <div className="builder-row">
      <NativeSelect
        aria-label={`Column of filter ${at + 1}`}
        value={condition.column}
        data={[...new Set([condition.column, ...columns.map(({ id }) => id)])]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <NativeSelect
        aria-label={`Comparison of filter ${at + 1}`}
        value={condition.comparison}
        data={[...COMPARISONS]}
        onChange={({ currentTarget }) =>
          onChange({ ...condition, comparison: currentTarget.value })
        }
      />
      <ValueField {...{ condition, at, column: known, onChange }} />
      <RemoveButton label={`Remove filter ${at + 1}`} onPress={onRemove} />
    </div>
  )
}

interface ValueFieldProps extends Pick<ConditionProps, 'condition' | 'at' | 'onChange'> {
  column: BuilderColumn | undefined
}

function ValueField({ condition, at, column, onChange }: ValueFieldProps): ReactNode {
  const { value } = condition
  const label = `Value of filter ${at + 1}`
  if (typeof value === 'boolean' || value === null) {
    return (
      <NativeSelect
        aria-label={label}
        value={String(value)}
        data={['true', 'false', 'null']}
        onChange={({ currentTarget }) =>
          onChange({ ...condition, value: VALUES[currentTarget.value] ?? null })
        }
      />
    )
  }
  return (
    <TextInput
      aria-label={label}
      type={typeof value === 'number' ? 'number' : 'text'}
      step="any"
      value={value}
      placeholder={column?.type === 'date' ? 'YYYY-MM-DD' : undefined}
      onChange={({ currentTarget }) =>
        onChange({
          ...condition,
          value: typeof value === 'number' ? Number(currentTarget.value) : currentTarget.value,
        })
      }
    />
  )
}

const VALUES: Record<string, boolean | null> = { true: true, false: false, null: null }
