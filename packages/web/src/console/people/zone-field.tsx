import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'

const ZONES = Intl.supportedValuesOf('timeZone')

interface ZoneFieldProps {
  value: string
  onChange: (zone: string) => void
}

/** A select of the time zone of a person, or none. */
export function ZoneField({ value, onChange }: ZoneFieldProps): ReactNode {
  const zones = value === '' || ZONES.includes(value) ? ZONES : [value, ...ZONES]
  return (
    <NativeSelect
      label="Time zone"
      description="Used for days of data without a local time."
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: '', label: 'Unknown' }, ...zones]}
    />
  )
}
