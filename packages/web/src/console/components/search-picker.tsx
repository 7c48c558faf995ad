import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Failure } from './failure.tsx'
import { IconSearch } from './icons.tsx'
import './search-picker.css'

export interface Found<Item> {
  key: string
  title: string
  detail?: string | undefined
  item: Item
}

interface SearchPickerProps<Item> {
  /** What is searched; also begins the names of its queries. */
  name: string
  label: string
  description?: string | undefined
  placeholder?: string
  /** What the search depends on beside its words. */
  dependsOn?: readonly unknown[]
  /** Number of letters from which on the search begins. */
  fewest?: number
  search: (words: string, signal: AbortSignal) => Promise<Found<Item>[]>
  /** Text of the field while no search is typed, where one item stays picked. */
  picked?: string
  onPick: (item: Item) => void
  error?: string | undefined
}

/** A field that finds an item by words. What was typed stays in memory. */
export function SearchPicker<Item>(props: SearchPickerProps<Item>): ReactNode {
  const { name, label, dependsOn = [], fewest = 2, search, picked, onPick } = props
  const { key } = useEnvironment()
  const [typed, setTyped] = useState<string>()
  const words = (typed ?? '').trim()
  const [debounced] = useDebouncedValue(words, 200)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const found = useQuery({
    queryKey: [...key, 'search', name, ...dependsOn, debounced],
    queryFn: ({ signal }) => search(debounced, signal),
    enabled: combobox.dropdownOpened && debounced.length >= fewest,
    gcTime: 30_000,
  })
  const pick = (chosen: string): void => {
    const entry = found.data?.find((one) => one.key === chosen)
    if (entry === undefined) return
    onPick(entry.item)
    setTyped(undefined)
    combobox.closeDropdown()
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'Escape' && combobox.dropdownOpened) {
      // Keeps a dialog around the field open.
      event.preventDefault()
    } else if (event.key === 'Enter') {
      // Enter chooses the first item that was found, and does not submit the form around the field.
      event.preventDefault()
      const [best] = words !== '' && debounced === words ? (found.data ?? []) : []
      const isOneMarked = combobox.getSelectedOptionIndex() !== -1
      if (combobox.dropdownOpened && !isOneMarked && best) pick(best.key)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is left is within it
    <div
      className="search-picker"
      onBlur={({ relatedTarget, currentTarget }) => {
        if (currentTarget.contains(relatedTarget)) return
        combobox.closeDropdown()
        if (picked !== undefined) setTyped(undefined)
      }}
    >
      <Combobox store={combobox} onOptionSubmit={pick} withinPortal={false}>
        <Combobox.Target>
          <TextInput
            label={label}
            description={props.description}
            placeholder={props.placeholder}
            error={props.error}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={found.isFetching ? <Loader size={16} /> : null}
            value={typed ?? picked ?? ''}
            onFocus={() => combobox.openDropdown()}
            onKeyDown={onKeyDown}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value)
              combobox.resetSelectedOption()
              combobox.openDropdown()
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!found.error && !found.data}>
          {found.error && <Failure error={found.error} onRetry={found.refetch} />}
          {found.data && <FoundList label={label} found={found.data} />}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  )
}

interface FoundListProps {
  label: string
  found: readonly Found<unknown>[]
}

function FoundList({ label, found }: FoundListProps): ReactNode {
  return (
    <Combobox.Options aria-label={`Results for ${label.toLowerCase()}`}>
      {found.map(({ key, title, detail }) => (
        <Combobox.Option key={key} value={key}>
          <span className="search-found">
            {title}
            {detail && <span className="quiet">{detail}</span>}
          </span>
        </Combobox.Option>
      ))}
      {found.length === 0 && <Combobox.Empty>Nothing was found.</Combobox.Empty>}
    </Combobox.Options>
  )
}

interface ChosenListProps<Item> {
  label: string
  items: readonly Item[]
  nameOf: (item: Item) => string
  onRemove: (item: Item) => void
}

/** Lists the chosen items, each with a button that removes it. */
export function ChosenList<Item>({
  label,
  items,
  nameOf,
  onRemove,
}: ChosenListProps<Item>): ReactNode {
  if (items.length === 0) return null
  return (
    <ul className="chosen" aria-label={label}>
      {items.map((item) => (
        <li key={nameOf(item)}>
          {nameOf(item)}
          <button
            type="button"
            aria-label={`Remove ${nameOf(item)}`}
            onClick={() => onRemove(item)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}
