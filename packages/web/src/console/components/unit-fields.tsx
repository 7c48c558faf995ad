import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { components } from '../api/openapi.generated.d.ts'

export type UnitPreferences = components['schemas']['UnitPreferences']
type Quantity = keyof UnitPreferences

const FIELDS: readonly (readonly [name: Quantity, label: string, units: readonly string[]])[] = [
  ['glucose', 'Glucose', ['mmol/L', 'mg/dL']],
  ['distance', 'Distance', ['km', 'mi']],
  ['weight', 'Weight', ['kg', 'lb']],
  ['height', 'Height', ['cm', 'ft_in']],
  ['temperature', 'Temperature', ['°C', '°F']],
]

const TITLES: Readonly<Record<string, string>> = { mi: 'miles', ft_in: 'ft, in' }

interface UnitFieldsProps {
  units: UnitPreferences
  /** The choice that leaves a unit to others, such as `As the team`. */
  none: string
  onChange: (units: UnitPreferences) => void
}

/** One select for the unit of each quantity. */
export function UnitFields({ units, none, onChange }: UnitFieldsProps): ReactNode {
  return FIELDS.map(([name, label, choices]) => (
    <NativeSelect
      key={name}
      label={label}
      value={units[name] ?? ''}
      data={[
        { value: '', label: none },
        ...choices.map((unit) => ({ value: unit, label: TITLES[unit] ?? unit })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        const { [name]: _, ...others } = units
        onChange(value === '' ? others : { ...others, [name]: value })
      }}
    />
  ))
}

/** Whether both choose the same units. */
export const isSameUnits = (one: UnitPreferences | null, other: UnitPreferences | null): boolean =>
  FIELDS.every(([name]) => (one?.[name] ?? null) === (other?.[name] ?? null))
