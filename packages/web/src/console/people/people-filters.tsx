import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { IconSearch, IconX } from '../components/icons.tsx'
import { CONNECTION_STATES } from './person/connections/connection-words.ts'
import { providersQuery } from './person/person-queries.ts'
import type { PeopleView } from './use-people.ts'

const STATES = [
  { value: '', label: 'Any state' },
  ...Object.entries(CONNECTION_STATES).map(([value, { title }]) => ({ value, label: title })),
]

const DATA = [
  { value: '', label: 'Any' },
  { value: 'in 1', label: 'In the last day' },
  { value: 'in 7', label: 'In 7 days' },
  { value: 'in 30', label: 'In 30 days' },
  { value: 'none 3', label: 'None for 3 days' },
  { value: 'none 7', label: 'None for 7 days' },
  { value: 'none 30', label: 'None for 30 days' },
]

const ATTENTION = [
  { value: '', label: 'Any' },
  { value: 'yes', label: 'Needs attention' },
  { value: 'no', label: 'All is well' },
]

const ORDERS = [
  { value: '', label: 'Any' },
  { value: 'yes', label: 'With open orders' },
  { value: 'no', label: 'Without open orders' },
]

const SORTS = [
  { value: ' ', label: 'Added, newest first' },
  { value: 'created_at asc', label: 'Added, oldest first' },
  { value: 'name asc', label: 'Name' },
  { value: 'name desc', label: 'Name, from the end' },
  { value: 'newest_data desc', label: 'Newest data first' },
  { value: 'newest_data asc', label: 'Oldest data first' },
  { value: 'attention desc', label: 'Most attention first' },
  { value: 'attention asc', label: 'Least attention first' },
]

/** The search begins after this pause in typing. */
const PAUSE_MS = 200

interface PeopleFiltersProps {
  view: PeopleView
  isNarrowed: boolean
  onChange: (changes: Partial<PeopleView>) => void
  onSearch: (words: string) => void
  onClear: () => void
}

export function PeopleFilters(props: PeopleFiltersProps): ReactNode {
  const { view, isNarrowed, onChange, onSearch, onClear } = props
  const { data: providers } = useQuery(providersQuery(useEnvironment()))
  const search = useDebouncedCallback(onSearch, PAUSE_MS)
  const options = [...(providers?.values() ?? [])]
    .map(({ slug, name }) => ({ value: slug, label: name }))
    .sort((one, other) => one.label.localeCompare(other.label))
  const choice = (
    name: keyof PeopleView,
    label: string,
    data: readonly { value: string; label: string }[],
  ) => (
    <NativeSelect
      label={label}
      value={view[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      data={[...data]}
    />
  )
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={view[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  )
  const isRareSet = [view.provider, view.state, view.from, view.to].some((text) => text !== '')
  return (
    <search>
      <div className="people-filters">
        <TextInput
          type="search"
          className="people-search"
          label="Search"
          placeholder="Name, e-mail, client id or id"
          leftSection={<IconSearch size={18} aria-hidden />}
          autoComplete="off"
          data-1p-ignore
          onChange={({ currentTarget }) => search(currentTarget.value.trim())}
        />
        {choice('data', 'Newest data', DATA)}
        {choice('attention', 'Attention', ATTENTION)}
        {choice('orders', 'Orders', ORDERS)}
        <NativeSelect
          label="Sort"
          value={`${view.sort} ${view.direction}`}
          onChange={({ currentTarget }) => {
            const [sort = '', direction = ''] = currentTarget.value.split(' ')
            onChange({ sort, direction })
          }}
          data={SORTS}
        />
        {isNarrowed && (
          <Button variant="subtle" leftSection={<IconX size={16} aria-hidden />} onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
      <details className="people-more" open={isRareSet || undefined}>
        <summary>More filters</summary>
        <div className="people-filters">
          {choice('provider', 'Connected to', [{ value: '', label: 'Any provider' }, ...options])}
          {choice('state', 'State of a connection', STATES)}
          {day('from', 'Added from (UTC)')}
          {day('to', 'Added to (UTC)')}
        </div>
      </details>
    </search>
  )
}
