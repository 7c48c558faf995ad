import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { IconSearch } from '../components/icons.tsx'
import { CONNECTION_STATES } from './person/connections/connection-words.ts'
import { providersQuery } from './person/person-queries.ts'
import type { PeopleView } from './use-people.ts'

const STATES = [
  { value: '', label: 'Any state' },
  ...Object.entries(CONNECTION_STATES).map(([value, { title }]) => ({ value, label: title })),
]

/** The search begins after this pause in typing. */
const PAUSE_MS = 200

interface PeopleFiltersProps {
  view: PeopleView
  onChange: (changes: Partial<PeopleView>) => void
  onSearch: (words: string) => void
}

export function PeopleFilters({ view, onChange, onSearch }: PeopleFiltersProps): ReactNode {
  const { data: providers } = useQuery(providersQuery(useEnvironment()))
  const search = useDebouncedCallback(onSearch, PAUSE_MS)
  const options = [...(providers?.values() ?? [])]
    .map(({ slug, name }) => ({ value: slug, label: name }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return (
    <search className="people-filters">
      <TextInput
        type="search"
        label="Search"
        placeholder="Name, e-mail, client id or id"
        leftSection={<IconSearch size={18} aria-hidden />}
        autoComplete="off"
        data-1p-ignore
        onChange={({ currentTarget }) => search(currentTarget.value.trim())}
      />
      <NativeSelect
        label="Connected to"
        value={view.provider}
        onChange={({ currentTarget }) => onChange({ provider: currentTarget.value })}
        data={[{ value: '', label: 'Any provider' }, ...options]}
      />
      <NativeSelect
        label="State of a connection"
        value={view.state}
        onChange={({ currentTarget }) => onChange({ state: currentTarget.value })}
        data={STATES}
      />
    </search>
  )
}
