import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { IconX } from '../../components/icons.tsx'
import { IdField } from '../../components/id-field.tsx'
import { groupEventTypes } from '../event-types/event-type-groups.ts'
import { eventTypesQuery } from '../webhook-queries.ts'
import { EVENT_STATUS_CHOICES } from '../webhook-words.ts'

interface EventView extends Record<string, string> {
  type: string
  user: string
  status: string
  since: string
  until: string
}

interface EventFiltersProps {
  view: EventView
  onChange: (changes: Partial<EventView>) => void
}

/** The filters of the list of events; all of them are in the address. */
export function EventFilters({ view, onChange }: EventFiltersProps): ReactNode {
  const isNarrow = Object.values(view).some((value) => value !== '')
  return (
    <search className="webhooks-filters">
      <EventTypeSelect
        value={view.type}
        any="Any event"
        hasGroups
        onChange={(type) => onChange({ type })}
      />
      <NativeSelect
        label="Delivery"
        value={view.status}
        onChange={({ currentTarget }) => onChange({ status: currentTarget.value })}
        data={EVENT_STATUS_CHOICES}
      />
      <IdField label="Id of a person" value={view.user} onChange={(user) => onChange({ user })} />
      <TextInput
        type="date"
        label="From (UTC)"
        value={view.since}
        onChange={({ currentTarget }) => onChange({ since: currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To (UTC)"
        value={view.until}
        onChange={({ currentTarget }) => onChange({ until: currentTarget.value })}
      />
      {isNarrow && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => onChange({ type: '', user: '', status: '', since: '', until: '' })}
        >
          Clear filters
        </Button>
      )}
    </search>
  )
}

interface EventTypeSelectProps {
  value: string
  /** Label of an empty choice; without it one must be chosen. */
  any: string
  /** Whether whole groups can be chosen, by a type with a star. */
  hasGroups?: boolean
  onChange: (type: string) => void
}

/** A select of event types, in groups. */
export function EventTypeSelect({
  value,
  any,
  hasGroups = false,
  onChange,
}: EventTypeSelectProps): ReactNode {
  const { data: types = [] } = useQuery(eventTypesQuery(useEnvironment()))
  const groups = groupEventTypes(types).map(({ title, pattern, types: ofGroup }) => ({
    group: title,
    items: [
      ...(hasGroups && pattern !== '*' ? [{ value: pattern, label: `All: ${title}` }] : []),
      ...ofGroup.map(({ name }) => ({ value: name, label: name })),
    ],
  }))
  return (
    <NativeSelect
      label="Event type"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: '', label: any }, ...groups]}
    />
  )
}
