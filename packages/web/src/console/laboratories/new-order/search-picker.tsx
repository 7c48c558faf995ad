import { Loader, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'

export interface Found<Item> {
  key: string
  title: string
  detail?: string | undefined
  item: Item
}

interface SearchPickerProps<Item> {
  /** Of what is searched; also begins the names of its queries. */
  name: string
  label: string
  description?: string
  placeholder?: string
  /** What the search depends on beside its words. */
  dependsOn?: readonly unknown[]
  /** Letters without which nothing is searched. */
  fewest?: number
  search: (words: string, signal: AbortSignal) => Promise<Found<Item>[]>
  onPick: (item: Item) => void
  error?: string | undefined
}

/** Finds one thing by words. What was typed stays in memory. */
export function SearchPicker<Item>(props: SearchPickerProps<Item>): ReactNode {
  const { name, label, dependsOn = [], fewest = 2, search, onPick } = props
  const { key } = useEnvironment()
  const [words, setWords] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [asked] = useDebouncedValue(words.trim(), 200)
  const box = useRef<HTMLDivElement>(null)
  const found = useQuery({
    queryKey: [...key, 'search', name, ...dependsOn, asked],
    queryFn: ({ signal }) => search(asked, signal),
    enabled: isOpen && asked.length >= fewest,
    gcTime: 30_000,
  })
  const pick = ({ item }: Found<Item>) => {
    onPick(item)
    setWords('')
    leaveFound()
  }
  // To come back to the words opens what was found, which is closed after that.
  const leaveFound = () => {
    box.current?.querySelector('input')?.focus()
    setOpen(false)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const isInWords = event.target instanceof HTMLInputElement
    if (event.key === 'Escape' && isOpen) leaveFound()
    else if (event.key === 'ArrowDown' && !isOpen) setOpen(true)
    else if (event.key === 'Enter' && isInWords) {
      // The form around it is not what is meant; the best of what was found may be.
      const best = words.trim() !== '' && asked === words.trim() && found.data?.[0]
      if (isOpen && best) pick(best)
    } else if (!moveFocus(event, box.current)) return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is pressed and left is within it
    <div
      ref={box}
      className="search-picker"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <TextInput
        label={label}
        description={props.description}
        placeholder={props.placeholder}
        error={props.error}
        type="search"
        autoComplete="off"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={found.isFetching ? <Loader size={16} /> : null}
        value={words}
        onFocus={() => setOpen(true)}
        onChange={({ currentTarget }) => {
          setWords(currentTarget.value)
          setOpen(true)
        }}
      />
      {isOpen && found.error && <Failure error={found.error} onRetry={found.refetch} />}
      {isOpen && found.data && (
        <ul className="search-found" aria-label={`Found for ${label.toLowerCase()}`}>
          {found.data.map((entry) => (
            <li key={entry.key}>
              <button type="button" onClick={() => pick(entry)}>
                {entry.title}
                {entry.detail && <span className="quiet">{entry.detail}</span>}
              </button>
            </li>
          ))}
          {found.data.length === 0 && <li className="search-none">Nothing found.</li>}
        </ul>
      )}
    </div>
  )
}

/** Arrows go through what was found. @returns whether it was one of them */
function moveFocus({ key }: React.KeyboardEvent, box: HTMLElement | null): boolean {
  const input = box?.querySelector('input')
  const buttons = [...(box?.querySelectorAll<HTMLElement>('.search-found button') ?? [])]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  if (key === 'ArrowDown') buttons[at + 1]?.focus()
  else if (key === 'ArrowUp') (at <= 0 ? input : buttons[at - 1])?.focus()
  else return false
  return true
}

interface ChosenListProps<Item> {
  label: string
  items: readonly Item[]
  nameOf: (item: Item) => string
  onRemove: (item: Item) => void
}

/** What was chosen, each with a button that takes it away. */
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
