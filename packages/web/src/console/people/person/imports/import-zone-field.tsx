import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Person } from '../person-queries.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const FLOATING = 'floating'
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

interface ImportZoneFieldProps {
  person: Person
  value: string
  onChange: (zone: string) => void
  label?: string
  isRequired?: boolean
}

/** A select of the zone in which a file has its local times; empty for that of the person. */
export function ImportZoneField({
  person,
  value,
  onChange,
  label = 'Time zone of the file',
  isRequired = false,
}: ImportZoneFieldProps): ReactNode {
  const known = person.fallback_time_zone?.id
  const none = known === undefined ? 'Not chosen' : `That of the person (${known})`
  return (
    <NativeSelect
      label={label}
      description="Where its times have neither zone nor offset."
      required={isRequired}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: none },
        { value: FLOATING, label: 'No zone: times stay as they are' },
        { group: 'Of this browser', items: [OWN_ZONE] },
        { group: 'All zones', items: ZONES.filter((zone) => zone !== OWN_ZONE) },
      ]}
    />
  )
}
