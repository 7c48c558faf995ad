import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPlus, IconX } from '../../../../components/icons.tsx'
import { resourceTitle } from '../../resource-title.ts'
import { MAPPABLE_SERIES } from './mappable-series.generated.ts'
import { type Column, type DraftValue, findSeries, newValue } from './table-template.ts'

interface ValueFieldsProps {
  columns: readonly Column[]
  values: readonly DraftValue[]
  onChange: (values: readonly DraftValue[]) => void
}

/** Maps columns to series, with their units. Suggestions are offered, and never applied. */
export function ValueFields({ columns, values, onChange }: ValueFieldsProps): ReactNode {
  const suggested = columns.filter(
    ({ name, suggestion }) => suggestion !== null && !values.some(({ column }) => column === name),
  )
  return (
    <fieldset className="imports-question">
      <legend>Values</legend>
      {suggested.length > 0 && (
        <div className="imports-suggestions">
          {suggested.map(({ name, suggestion }) => (
            <Button
              key={name}
              variant="outline"
              size="compact-sm"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() =>
                onChange([
                  ...values,
                  newValue({
                    column: name,
                    series: suggestion?.series ?? '',
                    unit: suggestion?.unit ?? '',
                  }),
                ])
              }
            >
              {name} as {resourceTitle(suggestion?.series ?? '')}
            </Button>
          ))}
        </div>
      )}
      {values.map((value, index) => (
        <ValueRow
          key={value.id}
          position={index + 1}
          columns={columns}
          value={value}
          onChange={(changed) =>
            onChange(values.map((one) => (one.id === value.id ? changed : one)))
          }
          onRemove={() => onChange(values.filter(({ id }) => id !== value.id))}
        />
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...values, newValue()])}
        >
          Add a value
        </Button>
      </div>
    </fieldset>
  )
}

interface ValueRowProps {
  position: number
  columns: readonly Column[]
  value: DraftValue
  onChange: (value: DraftValue) => void
  onRemove: () => void
}

function ValueRow({ position, columns, value, onChange, onRemove }: ValueRowProps): ReactNode {
  const series = findSeries(value.series)
  const set = (fields: Partial<DraftValue>): void => onChange({ ...value, ...fields })
  const isPressure = series?.isPressure === true
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser
    <div className="imports-value" role="group" aria-label={`Value ${position}`}>
      <Choice
        label={isPressure ? 'Systolic column' : 'Column'}
        value={value.column}
        items={columns.map(({ name }) => name)}
        onChange={(column) => set({ column })}
      />
      {isPressure && (
        <Choice
          label="Diastolic column"
          value={value.diastolic}
          items={columns.map(({ name }) => name)}
          onChange={(diastolic) => set({ diastolic })}
        />
      )}
      <Choice
        label="Series"
        value={value.series}
        items={MAPPABLE_SERIES.map(({ name }) => name)}
        titleOf={resourceTitle}
        onChange={(name) => set({ series: name, unit: '', type: '' })}
      />
      {series !== undefined && series.units.length > 0 && (
        <Choice
          label="Unit"
          value={value.unit}
          items={series.units}
          onChange={(unit) => set({ unit })}
        />
      )}
      {series !== undefined && series.types !== null && series.types.allowed !== null && (
        <Choice
          label="Type"
          none={series.types.isRequired ? 'Choose' : 'None'}
          value={value.type}
          items={series.types.allowed}
          titleOf={resourceTitle}
          onChange={(type) => set({ type })}
        />
      )}
      {series !== undefined && series.types?.allowed === null && (
        <TextInput
          label="Type"
          required={series.types.isRequired}
          maxLength={100}
          value={value.type}
          onChange={({ currentTarget }) => set({ type: currentTarget.value })}
        />
      )}
      <ActionIcon
        variant="subtle"
        size={36}
        aria-label={`Remove value ${position}`}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  items: readonly string[]
  /** Title of the empty choice. */
  none?: string
  titleOf?: (item: string) => string
  onChange: (value: string) => void
}

/** A select with an empty choice. */
export function Choice({
  label,
  value,
  items,
  none = 'Choose',
  titleOf = (item) => item,
  onChange,
}: ChoiceProps): ReactNode {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[
        { value: '', label: none },
        ...items.map((item) => ({ value: item, label: titleOf(item) })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
